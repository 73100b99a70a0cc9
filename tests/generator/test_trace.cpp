// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/generator/request_stream.hpp>

#include <catch2/catch.hpp>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::generator;
using Catch::Contains;

namespace {

/// A trace file that is gone after the test.
class TraceFile {
public:
    explicit TraceFile(const std::string& text) : m_path("test_trace_" + std::to_string(getpid()) + ".csv") {
        std::ofstream(m_path, std::ios::binary) << text;
    }
    ~TraceFile() { std::remove(m_path.c_str()); }
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    const std::string& path() const { return m_path; }
    Config config() const {
        Config config;
        config.trace_file = m_path;
        return config;
    }

private:
    std::string m_path;
};

std::vector<Request> replay(const Config& config) {
    RequestStream stream(config, 1, "port");
    std::vector<Request> requests;
    for (; !stream.empty(); stream.pop())
        requests.push_back(stream.front());
    return requests;
}

}  // namespace

TEST_CASE("A trace is replayed") {
    const TraceFile file(
        "\xEF\xBB\xBFtime_ns, direction, address, length, flags\n"
        "# a comment\n"
        "0,W,0x1000,64\n"
        "\n"
        "  12.5 , r , 4096 , 100 , 3 \r\n"
        "12.500001,R,0xFFFFffffFFFFffC0,64,1");  // no line break at the end
    const std::vector<Request> requests = replay(file.config());
    REQUIRE(requests.size() == 3);
    CHECK(requests[0].arrival == 0);
    CHECK(requests[0].address == 0x1000);
    CHECK(requests[0].length == 64);
    CHECK_FALSE(requests[0].read);
    CHECK(requests[0].flags == flag::last);
    CHECK(requests[1].arrival == 12'500'000);
    CHECK(requests[1].address == 4096);
    CHECK(requests[1].length == 100);
    CHECK(requests[1].read);
    CHECK(requests[1].flags == (flag::last | flag::no_snoop | flag::relaxed_ordering));
    CHECK(requests[2].arrival == 12'500'001);
    CHECK(requests[2].address == 0xFFFF'FFFF'FFFF'FFC0);
    CHECK(requests[2].flags == (flag::last | flag::no_snoop));
}

TEST_CASE("Operations of a trace are split, unless malformed requests are wanted") {
    const TraceFile file("5,W,0xF80,600\n");
    Config config = file.config();
    std::vector<Request> requests = replay(config);
    REQUIRE(requests.size() == 3);
    CHECK(requests[0].length == 128);
    CHECK(requests[1].address == 0x1000);
    CHECK(requests[1].length == 256);
    CHECK(requests[2].address + requests[2].length == 0xF80 + 600);
    CHECK(requests[2].arrival == 5 * fs_per_ns);

    config.split = false;
    requests = replay(config);
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].length == 600);
}

TEST_CASE("Start, stop and limit hold for a trace") {
    const TraceFile file("0,W,0,4\n1,W,0,4\n2,W,0,4\n3,W,0,4\nnonsense\n");
    Config config = file.config();
    config.start_fs = 10 * fs_per_ns;
    config.stop_fs = 12 * fs_per_ns;
    std::vector<Request> requests = replay(config);
    REQUIRE(requests.size() == 2);
    CHECK(requests[1].arrival == 11 * fs_per_ns);
    config.stop_fs = never;
    config.max_requests = 3;
    CHECK(replay(config).size() == 3);
}

TEST_CASE("A trace longer than any buffer") {
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += std::to_string(i) + ",R," + std::to_string(64 * i) + ",64\n";
    const TraceFile file(text);
    RequestStream stream(file.config(), 1, "port");
    std::vector<Request> block(1000);
    std::size_t total = 0;
    while (const std::size_t filled = stream.fill(block.data(), block.size())) {
        for (std::size_t i = 0; i < filled; ++i, ++total) {
            REQUIRE(block[i].address == 64 * total);
            REQUIRE(block[i].arrival == static_cast<time_fs>(total) * fs_per_ns);
        }
    }
    CHECK(total == 100'000);
}

TEST_CASE("Mistakes in a trace name file and line") {
    const auto refused = [](const std::string& text, const std::string& message, bool split = true) {
        const TraceFile file(text);
        Config config = file.config();
        config.split = split;
        CHECK_THROWS_AS(replay(config), UserError);
        CHECK_THROWS_WITH(replay(config), Contains("request trace " + file.path() + ", " + message));
    };
    refused("0,W,0,4\n#\n1,X,0,4\n", "line 3: expected R or W, found \"X\"");
    refused("1,W\n",
            "line 1: expected time_ns, R|W, address, length[, flags] with an address, found \"1,W\"");
    refused("1,W,0\n", "line 1: expected time_ns");
    refused("-1,W,0,4\n", "line 1: expected a time in ns with at most 6 decimals");
    refused("1.0000001,W,0,4\n", "line 1: expected a time in ns");
    refused("1.,W,0,4\n", "line 1: expected a time in ns");
    refused("99999999999999,W,0,4\n",
            "line 1: expected a time in ns with at most 6 decimals, below 461168601842");
    refused("1,W,0x,4\n",
            "line 1: expected an address of at most 64 bits, decimal or after 0x, found \"0x\"");
    refused("1,W,0x10000000000000000,4\n", "line 1: expected an address");
    refused("1,W,0,0\n", "line 1: expected a length from 1 to 16777216 bytes, found \"0\"");
    refused("1,W,0,65536\n", "line 1: expected a length from 1 to 65535 bytes, found \"65536\"", false);
    refused("1,W,0xFFFFFFFFFFFFFFFF,2\n", "line 1: expected an end of the operation within 64 bits");
    refused("1,W,0,4,4\n", "line 1: expected flags from 0 to 3");
    refused("1,W,0,4,1,\n", "line 1: expected no column after the flags");
    refused("2,W,0,4\n1,W,0,4\n", "line 2: expected a time not before that of the line above");
    refused("a,b\nc,d\n", "line 2: expected a time in ns");
    refused("1,\x1b[2J,0,4\n", "line 1: expected R or W, found \"?[2J\"");
    refused(std::string(2000, '1'), "line 1: expected at most 1024 characters in a line");
    refused("0,W,0,4\n" + std::string(200'000, ' '), "line 2: expected at most 1024 characters in a line");
}

TEST_CASE("A trace that cannot be read is refused") {
    Config config;
    config.trace_file = "no/such/trace.csv";
    CHECK_THROWS_WITH(RequestStream(config, 1, "port"),
                      Contains("request trace no/such/trace.csv cannot be opened: No such file"));
    config.trace_file = "/";
    CHECK_THROWS_WITH(RequestStream(config, 1, "port"), Contains("request trace / cannot be read"));
}

TEST_CASE("An empty trace has no requests") {
    const TraceFile file("# nothing\n");
    CHECK(replay(file.config()).empty());
}
