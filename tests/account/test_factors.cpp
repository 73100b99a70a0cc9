// SPDX-License-Identifier: BSD-3-Clause
// The factors that are measured are those of the tables, and each cause moves its own.
#include "configured.hpp"

#include <tlmetry/account/account.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <sstream>

using namespace tlmetry;
using account::Cascade;
using account::Factor;

namespace {

constexpr time_fs warmup = 50 * fs_per_us;

Cascade down_of(const device::SimulatedCard::Config& config, time_fs duration = fs_per_ms) {
    const account::Outcome outcome = account::run_experiment(config, {warmup, duration});
    for (const account::Identity& identity : account::identities(outcome.counts[0], outcome.seconds)) {
        CAPTURE(identity.name, identity.numbers);
        CHECK(identity.holds);
    }
    return account::measured(outcome.counts[0], outcome.counts[0].down, outcome.seconds);
}

using Row = std::map<std::string, double>;

std::vector<Row> table(const std::string& name) {
    std::ifstream file(std::string(TLMETRY_TEST_DATA) + "/reference_tables/" + name);
    std::string line;
    REQUIRE(std::getline(file, line));
    const auto cells = [](const std::string& text) {
        std::vector<std::string> result;
        std::stringstream stream(text);
        for (std::string cell; std::getline(stream, cell, ',');)
            result.push_back(cell);
        return result;
    };
    const std::vector<std::string> names = cells(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> values = cells(line);
        REQUIRE(values.size() == names.size());
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            row[names[i]] = std::stod(values[i]);
    }
    return rows;
}

device::SimulatedCard::Config of_row(const Row& row) {
    REQUIRE(row.at("overhead_B") == 24);
    REQUIRE(row.at("ceiling_GBps") == 32);
    return test::open_reads(static_cast<std::uint32_t>(row.at("payload_B")),
                            static_cast<std::uint32_t>(row.at("tags")), row.at("retry"), row.at("rtt_ns"));
}

}  // namespace

TEST_CASE("measured factors are those of the tables of the useful rate") {
    for (const char* name :
         {"seed002_payload_sweep.csv", "seed002_tags_sweep_256B.csv", "seed002_retry_sweep_512B.csv"}) {
        for (const Row& row : table(name)) {
            CAPTURE(name, row.at("payload_B"), row.at("tags"), row.at("retry"));
            const device::SimulatedCard::Config config = of_row(row);
            const Cascade cascade = down_of(config);
            CHECK(cascade.ceiling == Approx(32e9).epsilon(1e-9));
            CHECK(cascade[Factor::encoding] == Approx(1).epsilon(1e-4));
            CHECK(cascade[Factor::header] == Approx(row.at("F2")).epsilon(1e-6));
            CHECK(cascade[Factor::retry] == Approx(row.at("F3")).epsilon(0.01));
            CHECK(cascade[Factor::dllp] == 1);
            // Where window and link bind about equally each is idle at times, as retries come at random.
            const bool near = std::abs(row.at("window_GBps") / row.at("permit_GBps") - 1) < 0.02;
            const double tolerance = near ? 0.02 : 0.01;
            CHECK(cascade[Factor::window] == Approx(row.at("F4")).epsilon(tolerance));
            CHECK(cascade[Factor::path] == Approx(1).epsilon(0.002));
            CHECK(cascade[Factor::demand] == Approx(1).epsilon(0.002));
            CHECK(cascade.useful / 1e9 == Approx(row.at("useful_GBps")).epsilon(tolerance));
        }
    }
}

TEST_CASE("arithmetic from the configuration says the same as the tables") {
    for (const Row& row : table("seed002_payload_sweep.csv")) {
        CAPTURE(row.at("payload_B"));
        const device::SimulatedCard::Config config = of_row(row);
        const account::Account account =
            account::make_account(config, 1, {account::EndpointCounts()}, nullptr);
        const account::Prediction& prediction = account.predictions[0];
        CHECK(prediction.down[Factor::header] == Approx(row.at("F2")).epsilon(1e-6));
        CHECK(prediction.down[Factor::retry] == Approx(row.at("F3")).epsilon(1e-6));
        CHECK(prediction.down[Factor::window] == Approx(row.at("F4")).epsilon(0.01));
        CHECK(prediction.down.useful / 1e9 == Approx(row.at("useful_GBps")).epsilon(0.01));
        CHECK((prediction.binds == account::Limit::tags) == (row.at("window_binds") == 1));
    }
}

TEST_CASE("the window stops binding at 461 bytes, and 111 tags do for 256") {
    // 64 tags: 29.6 GB/s of reads of 461 B are both what the window holds and what the link permits.
    const Cascade below = down_of(test::open_reads(448, 64, 0.03, 1000));
    const Cascade above = down_of(test::open_reads(476, 64, 0.03, 1000));
    CHECK(below[Factor::window] < 0.985);
    CHECK(above[Factor::window] > 0.99);
    const Cascade few = down_of(test::open_reads(256, 104, 0.03, 1000));
    const Cascade enough = down_of(test::open_reads(256, 118, 0.03, 1000));
    CHECK(few[Factor::window] < 0.95);
    CHECK(enough[Factor::window] > 0.99);
    CHECK(enough.useful / 1e9 == Approx(28.405).epsilon(0.01));
}

namespace {

/// Factors in which two runs differ by more than one per cent.
std::string moved(const Cascade& a, const Cascade& b) {
    std::string names;
    for (std::size_t f = 0; f < account::factors; ++f) {
        if (std::abs(a.factor[f] / b.factor[f] - 1) > 0.01) names += account::factor_names[f].symbol;
    }
    return names;
}

}  // namespace

TEST_CASE("half the tags move F4 only") {
    const Cascade all = down_of(test::open_reads(256, 64, 0.03, 1000));
    const Cascade half = down_of(test::open_reads(256, 32, 0.03, 1000));
    CHECK(moved(all, half) == "F4");
    CHECK(half[Factor::window] == Approx(all[Factor::window] / 2).epsilon(0.01));
}

TEST_CASE("retries move F3 only where the link binds, and let the window bind less elsewhere") {
    for (const std::uint32_t bytes : {512u, 1024u, 4096u}) {
        const Cascade before = down_of(test::open_reads(bytes, 64, 0, 1000));
        const Cascade after = down_of(test::open_reads(bytes, 64, 0.12, 1000));
        CAPTURE(bytes);
        CHECK(moved(before, after) == "F3");
        CHECK(after.useful < 0.9 * before.useful);
    }
    for (const std::uint32_t bytes : {64u, 256u}) {
        const Cascade before = down_of(test::open_reads(bytes, 64, 0, 1000));
        const Cascade after = down_of(test::open_reads(bytes, 64, 0.12, 1000));
        CAPTURE(bytes);
        CHECK(moved(before, after) == "F3F4");
        CHECK(after[Factor::window] > before[Factor::window]);
        CHECK(after.useful == Approx(before.useful).epsilon(0.01));
    }
}

TEST_CASE("twice the payload moves F2 and F4") {
    const Cascade single = down_of(test::open_reads(128, 64, 0.03, 1000));
    const Cascade twice = down_of(test::open_reads(256, 64, 0.03, 1000));
    CHECK(moved(single, twice) == "F2F4");
}

TEST_CASE("what is not asked for moves F6 only") {
    const Cascade all = down_of(test::open_reads(1024, 64, 0, 1000));
    const Cascade some =
        down_of(test::open_reads(1024, 64, 0, 1000, {"traffic.rate=payload", "traffic.payload_rate=80Gb/s"}));
    CHECK(moved(all, some) == "F6");
    CHECK(some.useful == Approx(10e9).epsilon(0.01));
}

TEST_CASE("each endpoint has factors of its own, and the total is their sum") {
    const auto config = test::configured("case_07_favoured_writes.ini");
    const account::Outcome outcome = account::run_experiment(config, {warmup, fs_per_ms});
    REQUIRE(outcome.counts.size() == 2);
    CHECK(outcome.counts[0].up.useful_bytes == 0);
    CHECK(outcome.counts[1].down.useful_bytes == 0);
    account::EndpointCounts total;
    for (const account::EndpointCounts& counts : outcome.counts)
        total += counts;
    const Cascade up = account::measured(total, total.up, outcome.seconds);
    CHECK(up.useful ==
          Approx(account::measured(outcome.counts[1], outcome.counts[1].up, outcome.seconds).useful));
    CHECK(up.product() == Approx(up.useful));
    CHECK(up.ceiling == Approx(2 * 64e9));
}

TEST_CASE("traffic of the processor is neither payload nor completions") {
    const std::vector<std::string> reads = {"traffic.read_share=50%", "link.generation=3", "link.lanes=8"};
    std::vector<std::string> changes = reads;
    for (const char* change : {"cpu.write_rate=100M/s", "cpu.read_rate=10M/s", "tune.qos_tx_cpl=2",
                               "tune.tx_alloc_buf_level=1", "tune.rx_alloc_buf_level=1"})
        changes.emplace_back(change);
    const auto with = test::configured("card_open.ini", changes);
    down_of(with);  // identities, with the product of the factors
    const account::Outcome outcome = account::run_experiment(with, {warmup, fs_per_ms});
    const account::EndpointCounts& counts = outcome.counts[0];
    CHECK(counts.down.cpu_bytes > 2'000'000);
    CHECK(counts.up.cpu_bytes > 100'000);
    // What is left are completions of one size, and writes with requests.
    const auto config = with.card.link;
    CHECK(config.mps_bytes == 256);
    const double completions = static_cast<double>(counts.down.first_bytes - counts.down.cpu_bytes);
    CHECK(completions ==
          Approx(static_cast<double>(counts.down.payload_bytes + 20 * counts.completions)).epsilon(0.001));
    // Requests in the TX buffer have been counted and not sent.
    const double requests = static_cast<double>(counts.up.first_bytes - counts.up.cpu_bytes);
    CHECK(requests ==
          Approx(static_cast<double>(counts.up.payload_bytes + 24 * (counts.reads + counts.writes)))
              .epsilon(0.005));
    const Cascade alone = down_of(test::configured("card_open.ini", reads));
    const Cascade shared = account::measured(counts, counts.down, outcome.seconds);
    CHECK(shared[Factor::header] < 0.8 * alone[Factor::header]);
}

TEST_CASE("a link that slows down or is away has less to give") {
    const auto config = test::configured(
        "card_open.ini", {"link.encoding=false", "link.dllp=off", "link.generation=4", "link.lanes=16"});
    card::Config card = config.card;
    card::Event slower;
    slower.at = 2 * fs_per_ms;
    slower.action = card::LinkChange{4, 8};
    card::Event down;
    down.at = 3 * fs_per_ms;
    down.action = card::LinkDown{fs_per_ms};
    card.timeline = {down, slower};
    // 32 GB/s for two milliseconds, half of it for one, nothing for one, half of it again.
    const auto bytes = [&](time_fs from, time_fs to) { return account::link_capacity(card, from, to).raw; };
    CHECK(bytes(0, fs_per_ms) == Approx(32e6));
    CHECK(bytes(fs_per_ms, 3 * fs_per_ms) == Approx(48e6));
    CHECK(bytes(0, 5 * fs_per_ms) == Approx(96e6));
    CHECK(bytes(3 * fs_per_ms, 4 * fs_per_ms) == 0);
    CHECK(bytes(fs_per_ms * 7 / 2, fs_per_ms * 9 / 2) == Approx(8e6));
}
