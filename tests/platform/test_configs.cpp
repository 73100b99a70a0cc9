// SPDX-License-Identifier: BSD-3-Clause
// The configurations that come along show what their first lines say.
#include "../sw/files.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <cstdlib>
#include <map>
#include <string>

using namespace tlmetry;

namespace {

/// The report of a short run, and rates from its counters.
class Report {
public:
    explicit Report(const std::string& arguments) {
        test::TemporaryFolder folder;
        const std::string command = std::string("cd ") + TLMETRY_CONFIGS + " && " + TLMETRY_PROGRAM +
                                    " run " + arguments + " --json --stats=" + folder.path("stats") + " >" +
                                    folder.path("out");
        CAPTURE(command);
        const int status = std::system(command.c_str());
        REQUIRE(WIFEXITED(status));
        REQUIRE(WEXITSTATUS(status) == 0);
        m_report = nlohmann::json::parse(test::read_file(folder.path("out")));
        const auto stats = nlohmann::json::parse(test::read_file(folder.path("stats")));
        for (const auto& s : stats["statistics"])
            m_statistics[s["name"].get<std::string>()] = s["value"].get<std::uint64_t>();
    }

    const nlohmann::json& endpoint(std::size_t e = 0) const { return m_report["data"]["endpoints"][e]; }
    const nlohmann::json& bus(const std::string& name, std::size_t e = 0) const {
        return endpoint(e)["buses"][name];
    }
    double seconds() const { return m_report["seconds"]; }
    double rate(const std::string& name, const char* counter, std::size_t e = 0) const {
        return bus(name, e)[counter].get<double>() / seconds();
    }
    /// Payload of a bus without headers.
    double gbps(const std::string& name, std::size_t e = 0) const {
        return rate(name, "items", e) * 4 * 8 / 1e9;
    }
    /// Share of PCIe cycles.
    double brake(std::size_t n, std::size_t e = 0) const {
        return endpoint(e)["brakes"][n].get<double>() / endpoint(e)["pcie_cycles"].get<double>();
    }
    double used_words(const std::string& name) const {
        const char* clock = bus(name)["pcie_clk"].get<bool>() ? "pcie_cycles" : "dma_cycles";
        return bus(name)["words"].get<double>() / endpoint()[clock].get<double>();
    }
    std::uint64_t statistic(const std::string& name) const { return m_statistics.at(name); }

private:
    nlohmann::json m_report;
    std::map<std::string, std::uint64_t> m_statistics;
};

const std::string rq = "PTC -> PCIe (RQ)";
const std::string rc = "PCIe -> PTC (RC)";
const std::string up = "DMA0 -> PTC (UP)";
const std::string down = "PTC -> DMA0 (DOWN)";

enum Brake : std::size_t { no_tag, tag_not_ready, no_room, no_header, mfb_stalled, mvb_stalled };

}  // namespace

TEST_CASE("reference load: requests, reads, completions and their sizes") {
    const Report r("reference_load.ini --duration=10ms");
    const double requests = r.rate(up, "mvb");
    const double writes = r.rate(up, "transactions");
    CHECK(requests == Approx(58.0e6).epsilon(0.005));
    CHECK(1 - writes / requests == Approx(0.2586).epsilon(0.005));
    CHECK(r.bus(up)["items"].get<double>() * 4 / r.bus(up)["transactions"].get<double>() ==
          Approx(198).epsilon(0.005));
    CHECK(r.rate(down, "mvb") == Approx(34.8e6).epsilon(0.005));
    CHECK(r.bus(down)["items"].get<double>() * 4 / r.bus(down)["transactions"].get<double>() ==
          Approx(167).epsilon(0.005));
    CHECK(r.statistic("telemetry.dropped_deltas") == 0);
}

TEST_CASE("case 1: 32 tags and 1 us limit reads") {
    const double gbps[] = {16.4, 65.5, 131.0};
    for (int size = 0; size < 3; ++size) {
        const int bytes = size == 0 ? 64 : size == 1 ? 256 : 512;
        const Report r("case_01_32_tags.ini --duration=1ms --traffic.read_size.bytes=" +
                       std::to_string(bytes));
        CAPTURE(bytes);
        CHECK(r.gbps(down) == Approx(gbps[size]).epsilon(0.02));
        CHECK(r.endpoint()["tags_free_min"] == 0);
        CHECK(r.brake(no_tag) > 0.8);
        CHECK(r.brake(no_room) == 0);
    }
}

TEST_CASE("case 2: completion headers bind long before tags") {
    const Report rcb64("case_02_completion_headers.ini --duration=1ms");
    CHECK(rcb64.brake(no_header) > 0.95);
    CHECK(rcb64.brake(no_tag) == 0);
    CHECK(rcb64.endpoint()["tags_free_min"].get<int>() > 240);
    // 8 reads in 4 us
    CHECK(rcb64.rate(rq, "transactions") == Approx(2.0e6).epsilon(0.03));
    const Report rcb128("case_02_completion_headers.ini --duration=1ms --link.rcb=128B");
    CHECK(rcb128.rate(rq, "transactions") == Approx(4.0e6).epsilon(0.05));
    CHECK(rcb128.brake(no_header) > 0.95);
}

TEST_CASE("case 3: a Gen2 x1 link by the analytic rules") {
    const std::string config = "case_03_gen2x1.ini --duration=10ms";
    const Report both(config);
    CHECK(both.gbps(up) == Approx(3.04).epsilon(0.03));
    CHECK(both.gbps(down) == Approx(3.04).epsilon(0.03));
    CHECK(Report(config + " --traffic.reads_per_group=0").gbps(up) == Approx(3.16).epsilon(0.03));
    CHECK(Report(config + " --traffic.writes_per_group=0").gbps(down) == Approx(3.25).epsilon(0.03));
}

TEST_CASE("case 4: frames of 65 bytes waste half of one wide region") {
    const Report wide("case_04_65_byte_frames.ini --duration=1ms");
    CHECK(wide.used_words(up) == Approx(1).epsilon(0.001));
    // 17 of the 32 items in two words
    CHECK(wide.rate(up, "items") / wide.rate(up, "words") / 16 == Approx(17 / 32.0).epsilon(0.001));
    CHECK(wide.rate(up, "words") / wide.rate(up, "transactions") == Approx(2).epsilon(0.001));
    const Report narrow(
        "card_gen4x16_ptile.ini --duration=1ms --traffic.read_share=0% --traffic.write_size.bytes=65");
    CHECK(narrow.rate(up, "words") / narrow.rate(up, "transactions") == Approx(1.5).epsilon(0.001));
}

TEST_CASE("case 5: one small read at a time is as slow on any link") {
    const Report slow("case_05_one_small_read.ini --duration=5ms");
    CHECK(slow.rate(down, "mvb") * 4 == Approx(3.0e6).epsilon(0.03));
    const Report fast("case_05_one_small_read.ini --duration=5ms --link.generation=5");
    CHECK(fast.rate(down, "mvb") * 4 == Approx(3.0e6).epsilon(0.03));
    CHECK(slow.endpoint()["tags_free_min"] == 255);
}

TEST_CASE("case 6: a slow driver has nothing to send") {
    const double bytes_per_s[] = {68.5e6, 9.2e6, 147e3};
    const int sizes[] = {4096, 512, 8};
    for (int i = 0; i < 3; ++i) {
        for (const bool reads : {false, true}) {
            const std::string bytes = std::to_string(sizes[i]);
            const Report r("case_06_slow_driver.ini --duration=20ms --traffic.read_size.bytes=" + bytes +
                           " --traffic.write_size.bytes=" + bytes +
                           " --traffic.read_share=" + (reads ? "100%" : "0%"));
            CAPTURE(bytes, reads);
            CHECK(r.gbps(reads ? down : up) * 1e9 / 8 == Approx(bytes_per_s[i]).epsilon(0.03));
            for (std::size_t b = 0; b < 6; ++b)
                CHECK(r.brake(b) == 0);
            for (const std::string& name : {rq, up, down})
                CHECK(r.bus(name)["backpressure"] == 0);
        }
    }
}

TEST_CASE("case 7: a memory that favours writes halves the reads") {
    const Report both("case_07_favoured_writes.ini --duration=1ms");
    const Report reads("case_07_favoured_writes.ini --duration=1ms --traffic.stop=never,1us");
    CHECK(reads.gbps(down, 0) == Approx(160).epsilon(0.02));
    CHECK(both.gbps(down, 0) == Approx(80).epsilon(0.02));
    CHECK(both.gbps(up, 1) == Approx(160).epsilon(0.02));
}

TEST_CASE("case 8: a slow sink stops the storage FIFO, then the reads, then RQ") {
    const Report r("case_08_slow_sink.ini --duration=1ms");
    CHECK(r.gbps(down) == Approx(102.4 / 4).epsilon(0.02));
    CHECK(r.brake(mfb_stalled) > 0.8);
    CHECK(r.brake(no_room) > 0.9);
    CHECK(r.brake(no_tag) == 0);
    CHECK(r.endpoint()["tags_free_min"].get<int>() > 100);
    CHECK(r.used_words(rq) < 0.02);
    CHECK(r.bus(rq)["backpressure"] == 0);
}

TEST_CASE("case 9: a lost completion costs a tag until the timeout") {
    const Report r("case_09_lost_completion.ini --duration=3ms");
    CHECK(r.statistic("host.endpoint0.reads_lost") == 1);
    CHECK(r.statistic("endpoint0.reads_timed_out") == 1);
    // Five of six tags for a third of the time, and then a queue to be caught up with.
    CHECK(r.gbps(down) == Approx(18.7).epsilon(0.02));
    const Report before("case_09_lost_completion.ini --duration=1ms --run.warmup=200us --traffic.stop=600us");
    CHECK(before.statistic("endpoint0.reads_timed_out") == 0);
    CHECK(before.endpoint()["tags_free"] == 5);
    const Report after("case_09_lost_completion.ini --duration=2ms --run.warmup=200us --traffic.stop=600us");
    CHECK(after.statistic("endpoint0.reads_timed_out") == 1);
    CHECK(after.endpoint()["tags_free"] == 6);
}

TEST_CASE("case 10: half the lanes, half the ceiling") {
    const Report half("case_10_half_width.ini --duration=1ms");
    const Report whole("case_10_half_width.ini --duration=1ms --link.lanes=16");
    CHECK(half.gbps(up) * 2 == Approx(whole.gbps(up)).epsilon(0.005));
    CHECK(half.bus(rq)["backpressure"].get<double>() > 0.9 * half.endpoint()["pcie_cycles"].get<double>());
}

TEST_CASE("shapes show what their configurations say") {
    // Two ports move twice what one does.
    const Report one("card_gen5x16_rtile.ini --duration=1ms");
    const Report two("card_gen5x16_rtile_2port.ini --duration=1ms");
    CHECK(one.used_words(down) > 0.99);
    CHECK(two.gbps(rc) / one.gbps(rc) == Approx(2).epsilon(0.05));
    // Headers in band: 3 items in front of 64 of a completion, and one start a word.
    const Report htile("card_gen3x16_htile.ini --duration=1ms");
    CHECK(htile.rate(rc, "items") / htile.rate(rc, "transactions") == Approx(67).epsilon(0.01));
    CHECK(htile.rate(rc, "words") / htile.rate(rc, "transactions") == Approx(5).epsilon(0.01));
    const Report ptile("card_gen4x16_ptile.ini --duration=1ms");
    CHECK(ptile.rate(rc, "items") / ptile.rate(rc, "transactions") == Approx(64).epsilon(0.01));
    CHECK(ptile.used_words(down) > 0.99);
    // RQ of one region binds as a bus.
    const Report two_endpoints("card_gen4x8x8_ptile.ini --duration=1ms");
    CHECK(two_endpoints.used_words(rq) > 0.98);
    CHECK(two_endpoints.endpoint(1)["link_up"] == true);
    // The open shape is limited by the link alone.
    const Report open("card_open.ini --duration=1ms");
    CHECK(open.gbps(up) == Approx(50.748).epsilon(0.01));
    CHECK(open.gbps(down) == Approx(50.748).epsilon(0.01));
}

TEST_CASE("a timeline: a longer latency, links that go down, a reset and a slower link each show") {
    const auto part = [](const std::string& warmup, const std::string& duration) {
        return Report("timeline.ini --run.warmup=" + warmup + " --duration=" + duration);
    };
    // Eight reads at a time: the time of one grows by what the latency does.
    const Report start = part("1ms", "1ms");
    const Report slow = part("3200us", "1ms");
    const double time = 8 / start.rate(down, "mvb");
    CHECK(time < 0.8e-6);
    CHECK(8 / slow.rate(down, "mvb") - time == Approx(1.5e-6).epsilon(0.01));
    CHECK(slow.endpoint()["link_up"] == true);

    const Report without = part("5200us", "500us");
    CHECK(without.endpoint()["link_up"] == false);
    CHECK(without.rate(rq, "transactions") == 0);
    CHECK(without.statistic("endpoint0.reads_timed_out") == 8);

    const Report after = part("7100us", "1ms");
    CHECK(after.endpoint()["link_up"] == true);
    CHECK(after.statistic("endpoint0.reads_reset") == 8);
    CHECK(after.rate(down, "mvb") == Approx(start.rate(down, "mvb")).epsilon(0.001));

    // 2.5 GT/s with 8b/10b; completions of 256 bytes and 20 more; a few DLLPs.
    const double gbps = part("9200us", "1ms").gbps(down);
    CHECK(gbps < 2.0 * 256 / 276);
    CHECK(gbps > 0.96 * 2.0 * 256 / 276);
}
