// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/page/files.hpp>
#include <tlmetry/page/page.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace tlmetry::page;
using Catch::Contains;

namespace {

Table example() {
    return {"speeds",
            "Speeds <now>",
            {{"name", "who", "", 0},
             {"rate_GB_per_s", "rate", "GB/s", 2},
             {"more_percent", "more", "%", 1, false}},
            {{std::string("a, \"b\""), number(1.0 / 3), number(50)},
             {std::string("c"), number(std::numeric_limits<double>::infinity()), number(2)}}};
}

}  // namespace

TEST_CASE("a table for a terminal is aligned, and leaves out what has no room") {
    CHECK(table_text(example()) ==
          "Speeds <now>\n"
          "who     rate\n"
          "        GB/s\n"
          "------------\n"
          "a, \"b\"  0.33\n"
          "c          -\n");
}

TEST_CASE("rows that belong together stand together") {
    Table table = example();
    table.group_rows = 1;
    CHECK_THAT(table_text(table), Contains("0.33\n\nc "));
}

TEST_CASE("a table as CSV has all digits and quotes what it must") {
    CHECK(table_csv(example()) ==
          "name,rate_GB_per_s,more_percent\n\"a, \"\"b\"\"\",0.3333333333333333,50\nc,,2\n");
}

TEST_CASE("a table as JSON has integers, numbers and null") {
    const Json rows = table_json(example());
    CHECK(rows.dump() == R"([{"name":"a, \"b\"","rate_GB_per_s":0.3333333333333333,"more_percent":50},)"
                         R"({"name":"c","rate_GB_per_s":null,"more_percent":2}])");
}

TEST_CASE("bytes that are no text become a sign for that in a page") {
    Page page("a\xff.ini");
    page.text("\xc3\xa4 \xc3");
    const std::string html = page.html();
    CHECK_THAT(html, Contains("a\xef\xbf\xbd.ini"));
    CHECK_THAT(html, Contains("<p>\xc3\xa4 \xef\xbf\xbd</p>"));
}

TEST_CASE("a page shows texts as they are, and its charts cannot end its script") {
    Page page("A & B");
    page.heading("first", "Is a < b?");
    page.text("<b>no</b>");
    page.finding("\"yes\"");
    page.table(example());
    page.chart("over <time>", line_chart({"</script>", {"1"}, "GB/s"}, {{"s", {1.5}}}));
    page.fold("more", "x < y");
    const std::string html = page.html();
    CHECK_THAT(html, Contains("<title>A &amp; B</title>"));
    CHECK_THAT(html, Contains("<a href=\"#first\">Is a &lt; b?</a>"));
    CHECK_THAT(html, Contains("<p>&lt;b&gt;no&lt;/b&gt;</p>"));
    CHECK_THAT(html, Contains("<p class=\"finding\">&quot;yes&quot;</p>"));
    CHECK_THAT(html, Contains("<th class=\"number\">rate<small>GB/s</small></th>"));
    CHECK_THAT(html, Contains("<td class=\"number\">0.33</td>"));
    CHECK_THAT(html, Contains("<td class=\"number\">-</td>"));
    CHECK_THAT(html, Contains("aria-label=\"over &lt;time&gt;\""));
    CHECK_THAT(html, Contains("\\u003c/script>"));
    CHECK_THAT(html, Contains("<pre>x &lt; y</pre>"));
    CHECK_THAT(html, Contains(std::string(echarts_script())));
}

TEST_CASE("a page without charts does without their library") {
    Page page("Text");
    page.text("only");
    CHECK_THAT(page.html(), !Contains("<script"));
}

TEST_CASE("the library of the charts is a whole script") {
    const std::string script(echarts_script());
    CHECK(script.size() > 500'000);
    CHECK_THAT(script, Contains("echarts"));
    CHECK_THAT(script, !Contains("</script"));
}

TEST_CASE("charts have names, places, units and values") {
    const Json lines = line_chart({"size, B", {"64", "128"}, "GB/s", "ns"},
                                  {{"rate", {1, std::numeric_limits<double>::quiet_NaN()}},
                                   {"bound", {2, 3}, 0},
                                   {"latency", {500, 600}, -1, true}});
    CHECK(lines["xAxis"]["name"] == "size, B");
    CHECK(lines["xAxis"]["data"] == Json({"64", "128"}));
    CHECK(lines["yAxis"][0]["name"] == "GB/s");
    CHECK(lines["yAxis"][1]["name"] == "ns");
    CHECK(lines["series"][0]["data"] == Json({1.0, nullptr}));
    CHECK(lines["series"][1]["color"] == lines["series"][0]["color"]);
    CHECK(lines["series"][2]["yAxisIndex"] == 1);

    const Json map = heat_map("x", {"1", "2"}, "y", {"a"}, {{5, 10}}, "GB/s");
    CHECK(map["series"][0]["data"] == Json({{0, 0, 5.0}, {1, 0, 10.0}}));
    CHECK(map["visualMap"]["min"] == 5.0);
    CHECK(map["visualMap"]["max"] == 10.0);
}
