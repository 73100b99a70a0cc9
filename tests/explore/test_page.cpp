// SPDX-License-Identifier: BSD-3-Clause
// What the page of results is made of.
#include "plans.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/cuboids.hpp>
#include <tlmetry/explore/page_axis.hpp>
#include <tlmetry/explore/page_plots.hpp>
#include <tlmetry/explore/results_page.hpp>
#include <tlmetry/explore/scatter.hpp>
#include <tlmetry/explore/summary.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <sstream>

using namespace tlmetry;
using namespace tlmetry::explore;
using Catch::Contains;

namespace {

using Json = nlohmann::ordered_json;

const std::string axes = "[axes]\nptc.tags = 32..256 log2\ntraffic.read_size.bytes = 64B, 256B, 512B\n";

std::vector<Output> outputs_named(const Plan& plan) {
    std::vector<Output> outputs;
    for (const std::string& name : plan.outputs())
        outputs.push_back({name, name == "useful_rate" ? "B/s" : "", ""});
    return outputs;
}

PageSettings settings_of(const std::string& page, const std::string& more = axes) {
    const test::TemporaryFolder folder;
    const Plan plan = test::plan_of(
        folder, "[explore]\noutputs = useful_rate, F4, verdict.first\n" + more + "[page]\n" + page);
    return PageSettings::of(plan, outputs_named(plan));
}

/// The document of a page.
Json document_of(const std::string& html) {
    const std::string begin = "id=\"results\">";
    const std::size_t at = html.find(begin) + begin.size();
    return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

void put(Store& store, const Plan& plan, const std::function<std::string(const Point&)>& values) {
    store.begin(plan);
    for (std::uint64_t i = 0; i < plan.points(); ++i) {
        Result result;
        result.values = values(plan.point(i));
        if (result.values.empty()) result.error = "cannot be";
        store.put(i, std::to_string(i), result);
    }
}

}  // namespace

TEST_CASE("a plan says what its page shows") {
    const PageSettings settings = settings_of(
        "title = Tags\ntext = How many?\n"
        "plot.rates = useful_rate over ptc.tags by traffic.read_size.bytes\n"
        "plot.one = F4 over ptc.tags at traffic.read_size.bytes = 256B\n"
        "plot.map = verdict.first over ptc.tags and traffic.read_size.bytes\n"
        "plot.front = useful_rate max against ptc.tags min\n");
    CHECK(settings.title == "Tags");
    CHECK(settings.text == "How many?");
    REQUIRE(settings.plots.size() == 4);
    CHECK(settings.plots[0].name == "rates");
    CHECK(settings.plots[0].kind == Plot::Kind::lines);
    CHECK(settings.plots[0].x == 0);
    CHECK(settings.plots[0].other == 1);
    CHECK(settings.plots[1].outputs == std::vector<std::size_t>{1});
    REQUIRE(settings.plots[1].fixed.size() == 1);
    CHECK(settings.plots[1].fixed[0].axis == 1);
    CHECK(settings.plots[1].fixed[0].value == 1);
    CHECK(settings.plots[2].kind == Plot::Kind::heat_map);
    CHECK(settings.plots[3].kind == Plot::Kind::scatter);
    CHECK(settings.plots[3].up.output == 0);
    CHECK(settings.plots[3].up.better == Plot::Better::greatest);
    CHECK_FALSE(settings.plots[3].right.output.has_value());
    CHECK(settings.plots[3].right.better == Plot::Better::least);
}

TEST_CASE("mistakes in what a page shows are told in a sentence") {
    const auto refuses = [](const std::string& line, const std::string& message) {
        CAPTURE(line);
        CHECK_THROWS_WITH(settings_of(line), Contains("plan.ini:7: page.") && Contains(message));
    };
    refuses("plot.a = useful_rat over ptc.tags", "expected an output of the plan, found 'useful_rat'");
    refuses("plot.a = useful_rate over ptc.tag", "expected an axis of the plan, found 'ptc.tag'");
    refuses("plot.a = useful_rate by ptc.tags", "expected over");
    refuses("plot.a = useful_rate over", "found the end");
    refuses("plot.a = useful_rate over ptc.tags by ptc.tags", "expected different axes");
    refuses("plot.a = useful_rate, F4 over ptc.tags", "expected outputs of one unit in one plot, found 'F4'");
    refuses("plot.a = useful_rate over ptc.tags at traffic.read_size.bytes=65B",
            "expected a value of traffic");
    refuses("plot.a = useful_rate over ptc.tags log", "expected nothing more");
    refuses("plot.a = useful_rate max against F4", "expected max or min behind both");
    refuses("plot.A = useful_rate over ptc.tags", "expected plot.NAME of small letters");
    refuses("colour = red", "expected title, text or plot.NAME");
}

TEST_CASE("the place of a point is that of its values") {
    const test::TemporaryFolder folder;
    for (const std::string kind : {"", "[sample]\nkind = random\npoints = 300\n"}) {
        const Plan plan = test::plan_of(folder, axes + kind);
        const auto all = PageAxis::all(plan, 100, 24);
        REQUIRE(all.size() == 2);
        CHECK(all[0].logarithmic());
        for (std::uint64_t i = 0; i < plan.points(); ++i) {
            const Point point = plan.point(i);
            CHECK(all[0].json()["labels"][all[0].place(plan, point)] == point.values[0].second);
            CHECK(all[1].json()["labels"][all[1].place(plan, point)] == point.values[1].second);
        }
    }
}

TEST_CASE("values of a long axis share places, in their order") {
    const test::TemporaryFolder folder;
    const Plan grid = test::plan_of(folder, "[axes]\nptc.tags = 1..1000\n");
    const PageAxis joined(grid, 0, 7);
    REQUIRE(joined.size() == 7);
    std::vector<std::size_t> counts(7);
    std::size_t before = 0;
    for (std::uint64_t i = 0; i < grid.points(); ++i) {
        const std::size_t place = joined.place(grid, grid.point(i));
        CHECK((place == before || place == before + 1));
        before = place;
        ++counts[place];
    }
    CHECK(*std::min_element(counts.begin(), counts.end()) >= 142);
    CHECK(joined.json()["labels"][6] == "859 … 1000");
    CHECK(joined.json()["numbers"][6] == 929.5);

    const Plan sampled = test::plan_of(
        folder, "[axes]\nhost.latency = 100ns..10us log\n[sample]\nkind = latin_hypercube\npoints = 240\n");
    const PageAxis bins(sampled, 0, 24);
    std::vector<std::size_t> each(24);
    for (std::uint64_t i = 0; i < sampled.points(); ++i)
        ++each[bins.place(sampled, sampled.point(i))];
    CHECK(*std::min_element(each.begin(), each.end()) >= 9);  // equal parts of the logarithm
    CHECK(*std::max_element(each.begin(), each.end()) <= 11);
}

TEST_CASE("a front is what a comparison of all with all leaves") {
    std::mt19937 random(1);
    for (const bool greatest_x : {false, true}) {
        for (const bool greatest_y : {false, true}) {
            std::vector<Front::Entry> points;
            Front front(greatest_x, greatest_y);
            for (std::uint64_t i = 0; i < 300; ++i) {
                points.push_back({static_cast<double>(random() % 40), static_cast<double>(random() % 40), i});
                front.add(points.back());
            }
            std::vector<std::uint64_t> expected, found;
            const auto as_good = [](double a, double b, bool greatest) { return greatest ? a >= b : a <= b; };
            for (const Front::Entry& p : points) {
                const bool beaten = std::any_of(points.begin(), points.end(), [&](const Front::Entry& other) {
                    const bool equal = other.x == p.x && other.y == p.y;
                    return as_good(other.x, p.x, greatest_x) && as_good(other.y, p.y, greatest_y) &&
                           (!equal || other.index < p.index);
                });
                if (!beaten) expected.push_back(p.index);
            }
            for (const Front::Entry& entry : front.entries(300))
                found.push_back(entry.index);
            std::sort(found.begin(), found.end());
            CHECK(found == expected);
        }
    }
}

TEST_CASE("of a long front both ends and what lies between are told") {
    Front front(true, true);
    for (std::uint64_t i = 0; i < 1000; ++i)
        front.add({static_cast<double>(i), static_cast<double>(1000 - i), i});
    CHECK(front.size() == 1000);
    const auto entries = front.entries(11);
    REQUIRE(entries.size() == 11);
    CHECK(entries[0].index == 999);
    CHECK(entries[5].index == Approx(500).margin(1));
    CHECK(entries[10].index == 0);
}

TEST_CASE("cuboids have the numbers of their points") {
    Cuboids cuboids({2, 3, 2}, 2, 2);
    for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            for (std::size_t c = 0; c < 2; ++c)
                cuboids.add({a, b, c}, {static_cast<double>(100 * a + 10 * b + c),
                                        c == 0 ? Value("tags") : Value("words")});
    const auto json = cuboids.json();
    REQUIRE(json.size() == 3);
    CHECK(json[0]["axes"] == Json({0, 1}));
    CHECK(json[0]["count"][5] == 2);
    CHECK(json[0]["outputs"][0]["mean"][5] == 120.5);
    CHECK(json[0]["outputs"][0]["least"][5] == 120);
    CHECK(json[0]["outputs"][0]["most"][5] == 121);
    CHECK(json[0]["outputs"][1]["words"][5] == Json({1, 1}));
    CHECK(json[2]["axes"] == Json({1, 2}));
    CHECK(json[2]["outputs"][0]["mean"][0] == 50);
    CHECK(cuboids.words()[1] == std::vector<std::string>{"tags", "words"});
}

TEST_CASE("cuboids fit into a page") {
    for (const std::size_t axes_count : {1, 2, 3, 4, 6, 10}) {
        const std::vector<std::uint64_t> sizes(axes_count, 1000);
        const CuboidShape shape = cuboid_shape(sizes, 3);
        CAPTURE(axes_count, shape.axes, shape.places);
        CHECK(shape.axes >= std::min<std::size_t>(axes_count, 2));
        CHECK(shape.places >= 8);
    }
    CHECK(cuboid_shape({10, 10, 10}, 3).axes == 3);
    CHECK(cuboid_shape({18, 18, 18, 18}, 3).axes == 3);
}

TEST_CASE("repetitions become a mean with its interval") {
    const test::TemporaryFolder folder;
    const Plan plan = test::plan_of(
        folder,
        "[explore]\noutputs = useful_rate, verdict.first\nrepetitions = 4\n[axes]\nptc.tags = 32, 64\n");
    Store store(folder.path("store"));
    put(store, plan, [](const Point& point) -> std::string {
        if (point.index == 7) return "";
        return "[" + std::to_string(10 * point.repetition + (point.index < 4 ? 0 : 100)) + ",\"" +
               (point.repetition == 1 ? "words" : "tags") + "\"]";
    });
    std::ostringstream csv;
    write_summary_csv(csv, plan, store);
    std::istringstream lines(csv.str());
    std::string head, first, second;
    std::getline(lines, head);
    std::getline(lines, first);
    std::getline(lines, second);
    CHECK(head ==
          "point,base,ptc.tags,repetitions,failed,useful_rate,useful_rate.deviation,useful_rate.interval,"
          "verdict.first,verdict.first.deviation,verdict.first.interval");
    // 0, 10, 20, 30: t of 3 degrees of freedom is 3.182.
    CHECK_THAT(first,
               Contains("0,defaults,32,4,0,15,12.9099444873") && Contains(",20.5") && Contains(",tags,,"));
    CHECK_THAT(second, Contains("4,defaults,64,3,1,110,10,24.8"));  // t of 2 is 4.303
}

TEST_CASE("a page has all of some points, and what many have in common") {
    const test::TemporaryFolder folder;
    const std::string begin = "[explore]\noutputs = useful_rate, verdict.first\n[axes]\n";
    const auto values = [](const Point& point) -> std::string {
        if (point.index == 3) return "";
        return "[" + std::to_string(point.index) + ",\"tags\"]";
    };
    {
        const Plan plan = test::plan_of(folder, begin + "ptc.tags = 1..4\nlink.mps = 128B, 256B\n");
        Store store(folder.path("some"));
        put(store, plan, values);
        const auto outputs = outputs_named(plan);
        const Json json = document_of(ResultsPage(plan, outputs, "dump").html(store));
        CHECK(json["whole"] == true);
        CHECK(json["failed"] == 1);
        CHECK(json["points"]["index"].size() == 8);
        CHECK(json["points"]["errors"]["3"] == "cannot be");
        CHECK(json["points"]["outputs"][0][5] == 5);
    }
    {
        const Plan plan =
            test::plan_of(folder, begin + "ptc.tags = 1..200\nhost.latency = 1us..100us step 1us\n");
        Store store(folder.path("many"));
        put(store, plan, values);
        const auto outputs = outputs_named(plan);
        const std::string html = ResultsPage(plan, outputs, "dump").html(store);
        const Json json = document_of(html);
        CHECK(json["whole"] == false);
        CHECK(json["done"] == 20000);
        CHECK(json["points"]["index"].size() >= 2000);
        CHECK(json["points"]["index"].size() < 4500);
        REQUIRE(json["cuboids"].size() == 1);
        std::uint64_t points = 0;
        for (const Json& count : json["cuboids"][0]["count"])
            points += count.get<std::uint64_t>();
        CHECK(points == 19999);
        // The best of all points is on the front, the last one with the most tags.
        const Json fronts = json["scatter"]["pairs"][0]["fronts"][0];
        CHECK(fronts["size"] == 1);
        CHECK(fronts["entries"][0] == Json({19999, 200, 19999}));
    }
}
