// SPDX-License-Identifier: BSD-3-Clause
#include "plans.hpp"

#include <tlmetry/account/account.hpp>
#include <tlmetry/account/batch_means.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/random.hpp>
#include <tlmetry/explore/plan_outputs.hpp>
#include <tlmetry/explore/point_run.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

using namespace tlmetry;
using explore::Output;
using explore::Plan;
using explore::PointRun;

namespace {

std::vector<Output> known(const std::string& changes) {
    const test::TemporaryFolder folder;
    const Plan plan = test::plan_of(folder, changes);
    return explore::known_outputs(PointRun(plan, plan.point(0)).parameters().parameters(),
                                  [](const std::string&) { return true; });
}

nlohmann::json values(const std::string& plan_text, const std::string& outputs) {
    const test::TemporaryFolder folder;
    const Plan plan = test::plan_of(folder, "[explore]\noutputs = " + outputs + "\n" + plan_text);
    const explore::Result result = PointRun(plan, plan.point(0)).run();
    CHECK(result.error == "");
    return nlohmann::json::parse(result.values);
}

}  // namespace

TEST_CASE("every output has a name of its own, and a meaning") {
    const auto outputs = known("[telemetry]\npcie_endpoints = 2\ndma_ports = 2\n");
    std::set<std::string> names;
    for (const Output& output : outputs) {
        CAPTURE(output.name);
        CHECK(names.insert(output.name).second);
        CHECK_FALSE(output.description.empty());
    }
    for (const char* name :
         {"useful_rate", "F4", "up.F2", "endpoint1.down.FA", "waited_for_tags", "verdict.first.share",
          "predicted.binds", "latency.host.p99_9", "endpoint1.dma1.requests", "telemetry.dropped_deltas",
          "host.endpoint0.reads", "report.lost_deltas", "report.endpoint1.tags_free_min",
          "report.endpoint1.dma1.down.region0", "report.endpoint0.brake4",
          "report.endpoint0.histogram0.band3"})
        CHECK(names.count(name) == 1);
}

TEST_CASE("outputs of other endpoints, ports and bands are known, mistyped ones are not") {
    const auto outputs = known("");
    CHECK(find_output(outputs, "endpoint15.dma3.requests", "p").unit == "requests");
    CHECK(find_output(outputs, "report.endpoint3.dma1.up.region1", "p").unit == "cycles");
    CHECK_THROWS_WITH(
        find_output(outputs, "useful_rat", "plan.ini:2: explore.outputs"),
        "plan.ini:2: explore.outputs: expected outputs that tlmetry explore --list-outputs names, "
        "found 'useful_rat', did you mean useful_rate?");
}

TEST_CASE("outputs of a plan are those of any of its points") {
    const test::TemporaryFolder folder;
    const Plan plan = test::plan_of(folder,
                                    "[explore]\noutputs = report.lost_deltas, F4\n"
                                    "[axes]\ntraffic.kind = idle, requests\nptc.tags = 512, 64\n");
    const auto outputs = outputs_of(plan);
    REQUIRE(outputs.size() == 2);
    CHECK(outputs[1].name == "F4");
    // Without one that can be simulated, those of a default card.
    CHECK(outputs_of(test::plan_of(folder, "[explore]\noutputs = F4\n[ptc]\ntags = 512\n")).size() == 1);
    CHECK(known_outputs(plan).size() > 200);
}

TEST_CASE("outputs say what the account says") {
    const std::string plan_text = "[run]\nduration = 200us\n[link]\nmps = 512B\n";
    const auto found =
        values(plan_text,
               "useful_rate, up.useful_rate, down.useful_rate, down.F4, down.F2, F2, up.F6, seconds, "
               "endpoint0.up.F1, endpoint3.up.F1, measured.reads, report.endpoint0.pcie_cycles");
    const test::TemporaryFolder folder;
    const Plan plan = test::plan_of(folder, plan_text);
    const auto card = PointRun(plan, plan.point(0)).parameters().parameters().card_config();
    const account::Outcome outcome = account::run_experiment(card, {100 * fs_per_us, 200 * fs_per_us});
    const auto& counts = outcome.counts[0];
    const account::Cascade up = account::measured(counts, counts.up, outcome.seconds);
    const account::Cascade down = account::measured(counts, counts.down, outcome.seconds);
    CHECK(found[0].get<double>() == Approx(up.useful + down.useful).epsilon(1e-12));
    CHECK(found[1] == up.useful);
    CHECK(found[2] == down.useful);
    CHECK(found[3] == down[account::Factor::window]);
    CHECK(found[4] == down[account::Factor::header]);
    CHECK(found[5] == (up.useful > down.useful ? up : down)[account::Factor::header]);
    CHECK(found[6] == up[account::Factor::demand]);
    CHECK(found[7].get<double>() == Approx(outcome.seconds));
    CHECK(found[8] == up[account::Factor::encoding]);
    CHECK(found[9] == nullptr);
    CHECK(found[10] == counts.reads);
    CHECK(found[11] == outcome.telemetry.endpoints[0].pcie_cycles);
}

TEST_CASE("a card without requests of its own has outputs of its telemetry") {
    const auto found = values("[run]\nduration = 100us\n[traffic]\nkind = idle\n",
                              "useful_rate, telemetry.dropped_deltas, report.endpoint0.dma_cycles");
    CHECK(found[0] == nullptr);
    CHECK(found[1] == 0);
    CHECK(found[2].get<double>() == Approx(20000).epsilon(0.1));
}

TEST_CASE("a measurement goes on until the rate is known well enough") {
    const std::string random =
        "[run]\nduration = 20us\n[traffic]\nrate = requests\nrequests_per_s = 5M/s\nspacing = exponential\n"
        "[traffic.read_size]\nkind = range\nmin = 64B\nmax = 4KiB\n";
    const std::string wanted = "useful_rate, useful_rate.error, useful_rate.batches, seconds";
    const auto of = [&](const char* precision) {
        return values("precision = " + std::string(precision) + "\n" + random, wanted);
    };
    const auto coarse = of("10%"), fine = of("2%");
    CHECK(coarse[1].get<double>() <= 0.1 * coarse[0].get<double>());
    CHECK(fine[1].get<double>() <= 0.021 * fine[0].get<double>());
    CHECK(fine[3].get<double>() > 4 * coarse[3].get<double>());
    CHECK(fine[2].get<double>() >= 20);
    // It gives up at the longest time.
    const auto hopeless = values("precision = 0.01%\nlongest = 200us\n" + random, wanted);
    CHECK(hopeless[3].get<double>() == Approx(200e-6).epsilon(0.06));
    CHECK(values(random, wanted)[1] == nullptr);
}

TEST_CASE("confidence intervals have the true rate as often as they say") {
    Random random(1, "batches");
    int inside = 0;
    constexpr int experiments = 2000;
    for (int i = 0; i < experiments; ++i) {
        account::BatchMeans means(0.5);
        for (int b = 0; b < 100; ++b) {
            double amount = 0;
            for (int n = 0; n < 12; ++n)
                amount += static_cast<double>(random.below(1000)) / 999;
            means.add(amount);
        }
        const account::Confidence confidence = means.confidence();
        CHECK(confidence.batches == 25);
        inside += std::abs(confidence.mean - 12) <= confidence.half_width ? 1 : 0;
    }
    CHECK(inside == Approx(0.95 * experiments).margin(0.02 * experiments));
}
