// SPDX-License-Identifier: BSD-3-Clause
// The end of a server while it is asked for what takes long.
#include "served_card.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace tlmetry;
using grpc::StatusCode;
using test::component_path;
using test::ServedCard;

namespace {

/// Clients that read on and on, until the server has ended.
class Readers {
public:
    Readers(ServedCard& served, int count) {
        for (int client = 0; client < count; ++client) {
            m_threads.emplace_back([&] {
                std::string data;
                grpc::Status status;
                do {
                    ++m_begun;
                    status = served.read(component_path, 4, 0, data);
                } while (status.ok());
                if (status.error_code() == StatusCode::UNAVAILABLE &&
                    status.error_message() == "the server is ending")
                    ++m_told;
            });
        }
        while (m_begun < count)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    void wait() {
        for (std::thread& thread : m_threads)
            thread.join();
    }
    /// How many have been told so.
    int told() const { return m_told; }

private:
    std::atomic<int> m_begun{0};
    std::atomic<int> m_told{0};
    std::vector<std::thread> m_threads;
};

}  // namespace

TEST_CASE("calls that take for ever, and those behind them, are answered when the server ends") {
    constexpr int clients = 20;
    ServedCard served({device::Pacer::Kind::step, 1, 1000 * fs_per_s}, test::busy_card());
    Readers readers(served, clients);
    served.server->stop();
    readers.wait();
    CHECK(readers.told() == clients);
    CHECK(served.shared.status().failure.empty());
}

TEST_CASE("calls over a slow bus to a slow card are answered when the server ends") {
    constexpr int clients = 40;
    auto config = test::busy_card();
    config.faults.delay_fs = 100 * fs_per_ms;
    ServedCard served({}, config);
    Readers readers(served, clients);
    served.server->stop();
    readers.wait();
    CHECK(readers.told() == clients);
}
