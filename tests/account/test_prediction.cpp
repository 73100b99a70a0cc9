// SPDX-License-Identifier: BSD-3-Clause
// What arithmetic says of the configurations that come along, against what they do.
#include "configured.hpp"

#include <tlmetry/account/account.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using account::Limit;

namespace {

struct Expected {
    const char* file;
    Limit binds;
    double percent;  // that useful rates may differ by
};

}  // namespace

TEST_CASE("predicted rates are those of the configurations") {
    constexpr Expected all[] = {
        {"card_gen3x16_htile.ini", Limit::rc_bus, 3},
        {"card_gen3x16_usp.ini", Limit::down_bus, 3},
        {"card_gen4x16_ptile.ini", Limit::down_bus, 3},
        {"card_gen4x8x8_ptile.ini", Limit::rq_bus, 3},
        {"card_gen5x16_rtile.ini", Limit::down_bus, 3},
        {"card_gen5x16_rtile_2port.ini", Limit::down_bus, 3},
        {"card_gen5x8x8_rtile.ini", Limit::down_bus, 3},
        {"card_open.ini", Limit::link_up, 3},
        {"case_01_32_tags.ini", Limit::tags, 1},
        {"case_02_completion_headers.ini", Limit::headers, 9},
        {"case_03_gen2x1.ini", Limit::link_up, 1},
        {"case_04_65_byte_frames.ini", Limit::up_bus, 1},
        {"case_05_one_small_read.ini", Limit::demand, 1},
        {"case_06_slow_driver.ini", Limit::demand, 3},
        {"case_07_favoured_writes.ini", Limit::host, 1},
        {"case_08_slow_sink.ini", Limit::down_bus, 1},
        {"case_10_half_width.ini", Limit::link_up, 1},
        {"default.ini", Limit::down_bus, 3},
        {"reference_load.ini", Limit::demand, 1},
    };
    for (const Expected& expected : all) {
        CAPTURE(expected.file);
        const auto config = test::configured(expected.file);
        account::Outcome outcome = account::run_experiment(config, {100 * fs_per_us, 2 * fs_per_ms});
        const account::Account account =
            account::make_account(config, outcome.seconds, outcome.counts, &outcome.telemetry);
        CHECK(account.broken_identity() == "");
        CHECK(std::string(account::name_of(account.predictions[0].binds)) ==
              account::name_of(expected.binds));
        for (std::size_t e = 0; e < account.counts.size(); ++e) {
            const account::EndpointCounts& counts = account.counts[e];
            const account::Prediction& prediction = account.predictions[e];
            CAPTURE(e);
            CHECK(prediction.known);
            const double tolerance = expected.percent / 100;
            CHECK(account::measured(counts, counts.up, account.seconds).useful ==
                  Approx(prediction.up.useful).epsilon(tolerance));
            CHECK(account::measured(counts, counts.down, account.seconds).useful ==
                  Approx(prediction.down.useful).epsilon(tolerance));
            for (const account::Cascade* cascade : {&prediction.up, &prediction.down}) {
                if (cascade->useful != 0) CHECK(cascade->product() == Approx(cascade->useful));
            }
        }
    }
}

TEST_CASE("words for all ports leave the storage FIFO one after another") {
    const auto config =
        test::configured("card_gen5x16_rtile.ini",
                         {"telemetry.dma_ports=3", "ptc.completion_headers=1444", "link.mps=512B",
                          "link.mrrs=1KiB", "traffic.read_share=100%", "traffic.read_size.bytes=1KiB"});
    account::Outcome outcome = account::run_experiment(config, {100 * fs_per_us, fs_per_ms});
    const account::Account account =
        account::make_account(config, outcome.seconds, outcome.counts, &outcome.telemetry);
    const account::Prediction& prediction = account.predictions[0];
    CHECK(prediction.known);
    CHECK(std::string(account::name_of(prediction.binds)) == account::name_of(Limit::output));
    CHECK(account::measured(account.counts[0], account.counts[0].down, account.seconds).useful ==
          Approx(prediction.down.useful).epsilon(0.01));
}

TEST_CASE("completion headers bind, and fewer of them in larger blocks") {
    const auto with = [](const char* rcb) {
        const auto config =
            test::configured("case_02_completion_headers.ini", {std::string("link.rcb=") + rcb});
        return account::make_account(config, 1, {account::EndpointCounts()}, nullptr).predictions[0];
    };
    const account::Prediction fine = with("64B");
    const account::Prediction coarse = with("128B");
    CHECK(fine.binds == Limit::headers);
    CHECK(coarse.requests_per_s == Approx(2 * fine.requests_per_s).epsilon(0.02));
}

TEST_CASE("an idle read is as long as the configuration says") {
    const account::IdleLatency idle = account::idle_latency(test::configured("case_05_one_small_read.ini"));
    CHECK(idle.read.whole_s == Approx(1.33e-6).epsilon(0.01));
    CHECK(idle.stages[endpoint::ReadLatencies::waiting].most_fs() == 0);
    CHECK(account::idle_latency(test::configured("case_06_slow_driver.ini")).read.whole_s == 0);
}

TEST_CASE("an idle read is one request, however many an operation has") {
    const auto predicted = [](const char* bytes) {
        const auto config = test::configured(
            "card_open.ini", {"link.generation=4", "link.lanes=16", "link.mrrs=128B", "ptc.tags=32",
                              "host.latency=1200ns", "traffic.mix=random", "traffic.read_share=100%",
                              std::string("traffic.read_size.bytes=") + bytes});
        return account::make_account(config, 1, {account::EndpointCounts()}, nullptr);
    };
    const account::Account single = predicted("128B");
    for (const char* bytes : {"256B", "1KiB", "4KiB"}) {
        CAPTURE(bytes);
        const account::Account several = predicted(bytes);
        CHECK(several.predictions[0].binds == Limit::tags);
        CHECK(several.idle.hold_s == Approx(single.idle.hold_s).epsilon(0.001));
        CHECK(several.predictions[0].down.useful == Approx(single.predictions[0].down.useful).epsilon(0.001));
    }
}

TEST_CASE("operations of many requests, one at a time, are as long as the link takes for them") {
    const auto config =
        test::configured("card_open.ini", {"link.mrrs=128B", "traffic.mix=random", "traffic.read_share=100%",
                                           "traffic.read_size.bytes=16KiB", "traffic.outstanding=1"});
    account::Outcome outcome = account::run_experiment(config, {100 * fs_per_us, fs_per_ms});
    const account::Account account =
        account::make_account(config, outcome.seconds, outcome.counts, &outcome.telemetry);
    const account::Prediction& prediction = account.predictions[0];
    CHECK(prediction.binds == Limit::demand);
    CHECK(account::measured(account.counts[0], account.counts[0].down, account.seconds).useful ==
          Approx(prediction.down.useful).epsilon(0.02));
}
