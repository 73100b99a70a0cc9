// SPDX-License-Identifier: BSD-3-Clause
// What moved between two results.
#include "plans.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/compare.hpp>
#include <tlmetry/explore/result_files.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>

using namespace tlmetry;
using namespace tlmetry::explore;
using Catch::Contains;

namespace {

using Json = nlohmann::json;
using Given = std::vector<std::pair<std::string, std::string>>;
/// The JSON array of the outputs of a point; empty: it fails.
using Make = std::function<std::string(const Point&)>;

class Folders {
public:
    /// Results of a plan of this text.
    std::string results(const std::string& name, const std::string& text, const Make& make) const {
        const Plan plan = test::plan_of(m_folder, text);
        Store store(m_folder.path(name));
        store.begin(plan);
        std::vector<Output> outputs;
        for (const std::string& output : plan.outputs())
            outputs.push_back({output, output == "useful_rate" ? "B/s" : "", ""});
        for (std::uint64_t i = 0; i < plan.points(); ++i) {
            Result result;
            result.values = make(plan.point(i));
            if (result.values.empty()) result.error = "cannot be";
            store.put(i, std::to_string(i), result);
        }
        std::ofstream file(m_folder.path(name + "/results.json"));
        write_json(file, plan, outputs, store);
        return m_folder.path(name);
    }
    const test::TemporaryFolder& folder() const { return m_folder; }

private:
    test::TemporaryFolder m_folder;
};

const std::string two = "[explore]\noutputs = useful_rate, verdict.first\n[axes]\nptc.tags = 32, 64, 128\n";

/// 1000 for 32 tags, and so on; the last one changed.
Make rates(double last, const std::string& verdict = "tags") {
    return [=](const Point& point) {
        const double rate = 1000.0 * static_cast<double>(point.index + 1);
        return "[" + std::to_string(point.index == 2 ? last : rate) + ",\"" +
               (point.index == 2 ? verdict : "tags") + "\"]";
    };
}

}  // namespace

TEST_CASE("equal results are equal") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000)), b = folders.results("b", two, rates(3000));
    const Comparison same = compare(a, b + "/results.json", 0, {});
    CHECK(same.equal());
    CHECK(same.compared == 3);
    CHECK_THAT(comparison_text(same, 0, 10), Contains("\nequal: 0 of 3 points moved\n"));
}

TEST_CASE("what moved is told, and what moved most comes first") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000));
    const std::string b = folders.results("b", two, [](const Point& point) -> std::string {
        if (point.index == 0) return "[1010,\"tags\"]";
        if (point.index == 1) return "[1000,\"link_down_full\"]";
        return "[3000,\"tags\"]";
    });
    const Comparison moved = compare(a, b, 0, {});
    CHECK_FALSE(moved.equal());
    CHECK(moved.moved == 2);
    REQUIRE(moved.changes.size() == 3);
    CHECK(*moved.changes[0].relative == Approx(-0.5));
    CHECK(*moved.changes[0].difference == Approx(-1000));
    CHECK(moved.changes[0].values == std::vector<std::string>{"64"});
    CHECK(*moved.changes[1].relative == Approx(0.01));
    CHECK(moved.changes[2].output == 1);  // a text has no size
    CHECK_THAT(comparison_text(moved, 0, 10),
               Contains("2 kB/s  ") && Contains("-50.00 %") && Contains("+1.00 %") &&
                   Contains("useful_rate: 2 of 3 moved, by -50.00 % to +1.00 %") &&
                   Contains("different: 2 of 3 points moved\n"));
    CHECK_THAT(comparison_text(moved, 0, 1), Contains("and 2 more, with --csv FILE"));
    const Json json = Json::parse(comparison_json(moved, 0));
    CHECK(json["schema"] == "tlmetry.explore.compare/1");
    CHECK(json["changes"][0]["b"] == 1000);
    CHECK(json["equal"] == false);
    CHECK_THAT(comparison_csv(moved),
               Contains("what,ptc.tags,output,a,b,difference,relative,interval,error\n") &&
                   Contains("moved,64,useful_rate,2000,1000,-1000,-0.5,,\n"));
}

TEST_CASE("values are the same however they are written") {
    const Folders folders;
    const auto make = [](const Point& point) { return "[" + std::to_string(point.index + 1) + "]"; };
    const auto plan = [](const std::string& latencies, const std::string& sizes) {
        return "[axes]\nhost.latency = " + latencies + "\ntraffic.read_size.bytes = " + sizes + "\n";
    };
    const Comparison c = compare(folders.results("a", plan("1us, 2us", "1KiB, 512B"), make),
                                 folders.results("b", plan("1000ns, 2000ns", "1024B, 512B"), make), 0, {});
    CHECK(c.compared == 4);
    CHECK(c.equal());
}

TEST_CASE("outputs that only one side has are told") {
    const Folders folders;
    const auto one = [](const Point&) { return std::string("[1]"); };
    const std::string a = folders.results("a", two, rates(3000));
    const std::string b = folders.results("b", "[axes]\nptc.tags = 32, 64, 128\n", one);
    const Comparison c = compare(a, b, 1, {});
    CHECK(c.only_outputs[0] == std::vector<std::string>{"verdict.first"});
    CHECK(c.only_outputs[1].empty());
    CHECK_FALSE(c.equal());
    CHECK_THAT(comparison_text(c, 1, 10), Contains("output only in A: verdict.first\n"));
    CHECK(Json::parse(comparison_json(c, 1))["outputs_only_in_a"] == Json({"verdict.first"}));
    CHECK(compare(a, b, 1, {}, {"useful_rate"}).equal());
}

TEST_CASE("outputs can be chosen") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000)),
                      b = folders.results("b", two, rates(3000, "storage"));
    CHECK(compare(a, b, 0, {}, {"useful_rate"}).equal());
    CHECK(compare(a, b, 0, {}, {"verdict.first"}).changes.size() == 1);
    CHECK_THROWS_WITH(compare(a, b, 0, {}, {"F4"}),
                      Contains("option --outputs: expected an output of ") && Contains("found 'F4'"));
}

TEST_CASE("what differs for all points is told") {
    const Folders folders;
    folders.folder().write("x.ini", "[link]\nlanes = 8\n");
    const auto with = [](const std::string& lines) {
        return "[explore]\nbase = x.ini\n[axes]\nptc.tags = 32, 64\n" + lines;
    };
    const auto one = [](const Point&) { return std::string("[1]"); };
    const std::string a = folders.results(
        "a", with("[host]\nlatency = 1us\n[run]\nduration = 20us\n[link]\nextended_tag = true\n"), one);
    const std::string b = folders.results(
        "b", with("[host]\nlatency = 1000ns\n[run]\nduration = 30us\n[link]\nlanes = 4\n"), one);
    const Comparison c = compare(a, b, 0, {});
    CHECK(c.equal());
    CHECK_THAT(comparison_text(c, 0, 10),
               Contains("\ndiffers for all points: link.lanes 8 -> 4\n"
                        "differs for all points: run.duration 20us -> 30us\n"
                        "differs for all points: link.extended_tag true -> not set\n\n"));
    const Json json = Json::parse(comparison_json(c, 0));
    CHECK(json["differs_for_all"][2] == Json{{"name", "link.extended_tag"}, {"a", "true"}, {"b", nullptr}});
    const std::string axis =
        folders.results("axis", with("host.latency = 1us, 2us\n[run]\nduration = 20us\n"), one);
    CHECK_THAT(comparison_text(compare(a, axis, 0, Given{{"host.latency", "2us"}}), 0, 10),
               Contains("differs for all points: host.latency 1us -> 2us\n"));
}

TEST_CASE("nothing is said within the tolerance") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000)), b = folders.results("b", two, rates(3030));
    CHECK(compare(a, b, 0.01, {}).equal());  // 30 of 3030
    CHECK_FALSE(compare(a, b, 0.0099, {}).equal());
}

TEST_CASE("of repetitions the interval counts") {
    const Folders folders;
    const std::string plan = "[explore]\nrepetitions = 4\n[axes]\nptc.tags = 32, 64\n";
    // Of four values 10 apart the mean is known to 20.5 to each side, and the difference of two to 29.05.
    const auto around = [](double moved) {
        return [moved](const Point& point) {
            return "[" + std::to_string(10.0 * static_cast<double>(point.repetition) + moved) + "]";
        };
    };
    const std::string a = folders.results("a", plan, around(1000));
    const Comparison within = compare(a, folders.results("b", plan, around(1029)), 0, {});
    CHECK(within.equal());
    CHECK(within.uncertain == 2);
    const Comparison beyond = compare(a, folders.results("c", plan, around(1029.2)), 0, {});
    CHECK(beyond.changes.size() == 2);
    CHECK(beyond.changes[0].interval == Approx(29.05).epsilon(0.001));
}

TEST_CASE("the interval of a measurement counts") {
    const Folders folders;
    const std::string plan =
        "[explore]\noutputs = useful_rate, useful_rate.error\n[axes]\nptc.tags = 32, 64\n";
    const auto known_to = [](double rate) {
        return [rate](const Point&) { return "[" + std::to_string(rate) + ",3]"; };
    };
    const std::string a = folders.results("a", plan, known_to(1000));
    CHECK(compare(a, folders.results("b", plan, known_to(1004.2)), 0, {}).equal());
    CHECK_FALSE(compare(a, folders.results("c", plan, known_to(1004.3)), 0, {}).equal());
}

TEST_CASE("points that are not in both, or failed in one, are told") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000));
    const std::string b = folders.results(
        "b", "[explore]\noutputs = verdict.first, useful_rate\n[axes]\nptc.tags = 64, 128, 256\n",
        [](const Point& point) -> std::string {
            return point.index == 1 ? "" : "[\"tags\"," + std::to_string(1000 * (point.index + 2)) + "]";
        });
    const Comparison c = compare(a, b, 0, {});
    CHECK(c.compared == 2);
    CHECK(c.moved == 0);
    REQUIRE(c.only[0].size() == 1);
    CHECK(c.only[0][0].values == std::vector<std::string>{"32"});
    REQUIRE(c.only[1].size() == 1);
    CHECK(c.only[1][0].values == std::vector<std::string>{"256"});
    REQUIRE(c.failed[1].size() == 1);
    CHECK(c.failed[1][0].error == "cannot be");
    CHECK_THAT(
        comparison_text(c, 0, 10),
        Contains("only in A: ptc.tags=32\n") && Contains("failed in B only: ptc.tags=128: cannot be\n") &&
            Contains("different: 0 of 2 points moved, 1 only in A, 1 only in B, 1 failed in B only\n"));
    CHECK_THAT(comparison_csv(c), Contains("failed_in_b,128,,,,,,,cannot be\n"));
}

TEST_CASE("an axis of one side has one value") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000));
    const std::string plan =
        "[explore]\noutputs = useful_rate\n[axes]\nptc.tags = 32, 64, 128\nhost.latency = 1us, 2us\n";
    const std::string b = folders.results("b", plan, [](const Point& point) {
        return "[" + std::to_string(1000 * (point.index / 2 + 1) + point.index % 2) + "]";
    });
    CHECK_THROWS_WITH(compare(a, b, 0, {}), Contains("expected one value of host.latency") &&
                                                Contains("choose one by --at host.latency=1us"));
    CHECK(compare(a, b, 0, Given{{"host.latency", "1000ns"}}, {"useful_rate"}).equal());
    CHECK(compare(b, a, 0, Given{{"host.latency", "2us"}}).changes.size() == 3);
    CHECK_THROWS_WITH(compare(a, b, 0, Given{{"host.lat", "2us"}}),
                      Contains("option --at: expected an axis"));
}

TEST_CASE("with several bases their names count") {
    const Folders folders;
    folders.folder().write("x.ini", "[ptc]\n");
    folders.folder().write("y.ini", "[ptc]\n");
    const auto one = [](const Point&) { return std::string("[1]"); };
    const auto plan = [](const std::string& bases) {
        return "[explore]\nbase = " + bases + "\n[axes]\nptc.tags = 32, 64\n";
    };
    const std::string a = folders.results("a", plan("x.ini"), one),
                      b = folders.results("b", plan("y.ini"), one);
    CHECK(compare(a, b, 0, {}).equal());
    const std::string both = folders.results("both", plan("x.ini, y.ini"), one);
    CHECK(compare(a, both, 0, {}).only[1].size() == 2);
}

TEST_CASE("files that are no results are refused in a sentence") {
    const Folders folders;
    const std::string a = folders.results("a", two, rates(3000));
    const auto refuses = [&](const std::string& text, const std::string& message) {
        CAPTURE(text);
        const std::string file = folders.folder().write("other.json", text);
        CHECK_THROWS_WITH(compare(a, file, 0, {}), Contains("other.json") && Contains(message));
    };
    refuses("", "found something else");
    refuses("[1, 2", "found something else");
    refuses("[1, 2]", "found another document");
    refuses("{\"schema\": \"tlmetry.bench/1\", \"points\": []}", "found 'tlmetry.bench/1'");
    refuses("{\"schema\": \"tlmetry.explore/1\", \"points\": []}", "found something else");
    refuses(R"({"schema": "tlmetry.explore/1", "bases": [], "parameters": [], "axes": [],
                "outputs": [{"name": "useful_rate", "unit": "", "description": ""}],
                "points": [{"point": 0, "base": 1, "values": [], "outputs": [], "error": null}]})",
            "a point that does not fit its head");
    CHECK_THROWS_WITH(compare(a, folders.folder().path("nothing"), 0, {}), Contains("which cannot be read"));
    CHECK_THROWS_WITH(compare(folders.folder().path(""), a, 0, {}), Contains("without a results.json"));
}
