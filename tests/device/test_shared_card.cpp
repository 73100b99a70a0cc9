// SPDX-License-Identifier: BSD-3-Clause
#include "cards.hpp"

#include <tlmetry/device/shared_card.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace tlmetry;
using device::Pacer;
using device::SharedCard;
using device::SimulatedCard;
using test::read32;
using test::write32;

namespace {

constexpr Pacer::Config steps(time_fs step) {
    return {Pacer::Kind::step, 1, step};
}

/// Threads whose accesses would take for ever are told that the platform ends.
void check_end(SharedCard& shared, int threads) {
    std::atomic<int> begun{0};
    std::atomic<int> told{0};
    std::vector<std::thread> software;
    for (int thread = 0; thread < threads; ++thread) {
        software.emplace_back([&] {
            ++begun;
            try {
                read32(shared, regs::magic);
            } catch (const device::Interrupted&) {
                ++told;
            }
        });
    }
    while (begun < threads)
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    shared.interrupt();
    for (std::thread& thread : software)
        thread.join();
    CHECK(told == threads);
    CHECK(shared.status().failure.empty());
}

}  // namespace

TEST_CASE("with steps, time passes with accesses only") {
    SimulatedCard card(test::idle_card());
    SharedCard shared(card, steps(5 * fs_per_us));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(shared.now() == 0);
    read32(shared, regs::magic);
    CHECK(shared.now() == 5 * fs_per_us + 20 * fs_per_ns);
    shared.write(regs::read_sel, nullptr, 0);
    CHECK(shared.now() == 5 * fs_per_us + 20 * fs_per_ns);
    shared.sleep(fs_per_ms);
    write32(shared, regs::read_sel, 1);
    CHECK(shared.now() == fs_per_ms + 10 * fs_per_us + 30 * fs_per_ns);
    CHECK(shared.status().accesses == 2);
}

TEST_CASE("a step can be long") {
    SimulatedCard card(test::busy_card());
    SharedCard shared(card, steps(20 * fs_per_ms));
    read32(shared, regs::magic);
    CHECK(shared.now() == 20 * fs_per_ms + 20 * fs_per_ns);
}

TEST_CASE("real time passes while nobody looks, and never goes back") {
    SimulatedCard card(test::idle_card());
    SharedCard shared(card, {});
    time_fs before = 0;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(50)) {
        const time_fs now = shared.now();
        CHECK(now >= before);
        before = now;
        read32(shared, regs::status);
    }
    const auto status = shared.status();
    // However busy the machine: what did not pass was lost or is still due.
    CHECK(status.simulated_s <= status.host_s + 1e-3);
    CHECK(status.simulated_s + status.lost_s + 0.1 >= status.host_s - 0.1);
    CHECK(status.failure.empty());
}

TEST_CASE("free run gets further than the clock") {
    SimulatedCard card(test::idle_card());
    SharedCard shared(card, {Pacer::Kind::free_run, 1, 0});
    while (shared.seconds() < 100)  // simulated
        std::this_thread::yield();
    CHECK(shared.status().ratio > 1);
}

TEST_CASE("at the pace of a clock no answer comes before its time") {
    auto config = test::idle_card();
    config.faults.delay_fs = 5 * fs_per_ms;
    SimulatedCard card(config);
    SharedCard shared(card, {});
    constexpr double clock_s = 20e-6;  // answers are not held for less
    for (int i = 0; i < 10; ++i) {
        read32(shared, regs::status);
        const auto status = shared.status();
        CHECK(status.simulated_s >= (i + 1) * 5e-3);
        CHECK(status.simulated_s <= status.host_s + clock_s);
    }
    SimulatedCard other_card(config);
    SharedCard fast(other_card, {Pacer::Kind::clock, 10, 0});
    for (int i = 0; i < 10; ++i) {
        read32(fast, regs::status);
        const auto status = fast.status();
        CHECK(status.simulated_s <= 10 * (status.host_s + clock_s));
    }
}

TEST_CASE("an answer that is held is given when the platform ends") {
    auto config = test::idle_card();
    config.faults.delay_fs = 3000 * fs_per_s;
    SimulatedCard card(config);
    SharedCard shared(card, {});
    std::thread software([&] { CHECK(read32(shared, regs::magic) == regs::magic_value); });
    while (shared.status().simulated_s < 3000)
        std::this_thread::yield();
    shared.interrupt();
    software.join();
}

namespace {

/// A card on which time does not pass before it is let.
class StuckCard : public SimulatedCard {
public:
    StuckCard() : SimulatedCard(test::idle_card()) {}
    void sleep(time_fs duration) override {
        while (!let)
            std::this_thread::yield();
        SimulatedCard::sleep(duration);
    }
    std::atomic<bool> let{false};
};

}  // namespace

TEST_CASE("the status is told while an access takes long") {
    StuckCard card;
    SharedCard shared(card, steps(fs_per_us));
    std::thread software([&] { read32(shared, regs::magic); });
    while (shared.status().accesses == 0)
        std::this_thread::yield();
    CHECK(shared.status().simulated_s == 0);
    card.let = true;
    software.join();
    CHECK(shared.status().simulated_s > 0);
}

TEST_CASE("models that are too slow lose time, and say so") {
    SimulatedCard card(test::busy_card());
    SharedCard shared(card, {Pacer::Kind::clock, 1000, 0});
    while (shared.status().lost_s == 0)
        std::this_thread::yield();
    read32(shared, regs::status);  // is not held up by the backlog
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    const auto status = shared.status();
    CHECK(status.reached() < 0.5);
    CHECK(status.ratio > 0);
}

TEST_CASE("threads share a card without a wrong value") {
    SimulatedCard card(test::idle_card());
    SharedCard shared(card, {});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50'000; ++i) {
                wrong += read32(shared, regs::magic) != regs::magic_value;
                std::uint8_t part[3];
                shared.read(regs::magic + 1, part, sizeof part);
                wrong += part[0] != 0x4C || part[1] != 0x54 || part[2] != 0x50;
                try {
                    read32(shared, regs::component_bytes);
                    ++wrong;
                } catch (const device::AccessError&) {
                }
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
    CHECK(shared.status().accesses == 600'000);
    CHECK(shared.status().refused == 200'000);
}

namespace {

/// A card whose models fail.
class FailingCard : public SimulatedCard {
public:
    FailingCard() : SimulatedCard(test::idle_card()) {}
    void sleep(time_fs) override { throw UserError("trace.csv:7: broken"); }
};

}  // namespace

TEST_CASE("a simulation that cannot go on says so to everybody") {
    FailingCard card;
    SharedCard shared(card, {});
    while (shared.status().failure.empty())
        std::this_thread::yield();
    CHECK(shared.status().failure == "trace.csv:7: broken");
    CHECK_THROWS_WITH(read32(shared, regs::magic), "trace.csv:7: broken");
    CHECK_THROWS_WITH(write32(shared, regs::read_sel, 0), "trace.csv:7: broken");
}

TEST_CASE("an access that takes for ever, and those behind it, end with the platform") {
    auto config = test::busy_card();
    SECTION("for the pace") {
        SimulatedCard card(config);
        SharedCard shared(card, steps(1000 * fs_per_s));
        check_end(shared, 4);
    }
    SECTION("for the bus") {
        config.request_fs = 3000 * fs_per_s;
        SimulatedCard card(config);
        SharedCard shared(card, {});
        check_end(shared, 4);
    }
    SECTION("for what it lets pass afterwards") {
        config.faults.delay_fs = 3000 * fs_per_s;
        SimulatedCard card(config);
        SharedCard shared(card, steps(0));
        read32(shared, regs::magic);
        check_end(shared, 4);
    }
}

TEST_CASE("a platform whose thread works something out that takes for ever can end") {
    auto config = test::busy_card();
    config.faults.delay_fs = 3000 * fs_per_s;
    SimulatedCard card(config);
    SharedCard shared(card, {Pacer::Kind::free_run, 1, 0});
    read32(shared, regs::magic);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(shared.status().failure.empty());
}
