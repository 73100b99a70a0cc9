// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/results_page.hpp"

#include <tlmetry/explore/cuboids.hpp>
#include <tlmetry/explore/page_axis.hpp>
#include <tlmetry/explore/page_points.hpp>
#include <tlmetry/explore/page_scripts.hpp>
#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/sampling.hpp>
#include <tlmetry/explore/scatter.hpp>
#include <tlmetry/explore/summary.hpp>
#include <tlmetry/page/page.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

namespace tlmetry::explore {

namespace {

using page::Json;

constexpr std::uint64_t most_points = 5000;  // that are all in the page
constexpr std::uint64_t some_points = 2000;  // of more
constexpr std::size_t some_failed = 200;
constexpr std::size_t most_dimensions = 12;
constexpr std::size_t bins = 24;  // of a sampled axis

/// Dimensions of a scatter: numeric axes and outputs, as far as there is room.
std::vector<Scatter::Dimension> dimensions_of(const std::vector<PageAxis>& axes, std::size_t outputs) {
    std::vector<Scatter::Dimension> dimensions;
    constexpr double endless = std::numeric_limits<double>::infinity();
    for (std::size_t o = 0; o < outputs && dimensions.size() < most_dimensions; ++o)
        dimensions.push_back({true, o, false, endless, -endless});
    for (std::size_t a = 0; a < axes.size() && dimensions.size() < most_dimensions; ++a)
        if (axes[a].numeric()) dimensions.push_back({false, a, axes[a].logarithmic(), endless, -endless});
    return dimensions;
}

std::vector<double> numbers_of(const std::vector<Scatter::Dimension>& dimensions,
                               const std::vector<PageAxis>& axes, const Combination& combination) {
    std::vector<double> numbers;
    for (const Scatter::Dimension& dimension : dimensions) {
        if (!dimension.output) {
            numbers.push_back(axes[dimension.number].number(combination.point));
            continue;
        }
        const Tally& tally = combination.outputs[dimension.number].numbers();
        numbers.push_back(tally.count() == 0 ? std::nan("") : tally.mean());
    }
    return numbers;
}

}  // namespace

ResultsPage::ResultsPage(const Plan& plan, const std::vector<Output>& outputs, std::string command)
    : m_plan(plan),
      m_outputs(outputs),
      m_command(std::move(command)),
      m_settings(PageSettings::of(plan, outputs)) {}

Json ResultsPage::plots(const std::vector<PageAxis>& axes) const {
    Json all = Json::array();
    for (const Plot& plot : m_settings.plots) {
        Json json = {{"name", plot.name}};
        if (plot.kind == Plot::Kind::scatter) {
            const auto dimension = [](const Plot::Dimension& d) {
                const char* better = d.better == Plot::Better::greatest ? "max"
                                     : d.better == Plot::Better::least  ? "min"
                                                                        : "";
                return Json{{"output", d.output.has_value()},
                            {"number", d.output.value_or(d.axis)},
                            {"better", better}};
            };
            json["kind"] = "scatter";
            json["x"] = dimension(plot.right);
            json["y"] = dimension(plot.up);
        } else {
            json["kind"] = plot.kind == Plot::Kind::lines ? "lines" : "heat";
            json["outputs"] = plot.outputs;
            json["x"] = plot.x;
            json["by"] = plot.other ? Json(*plot.other) : Json();
            json["at"] = Json::object();
            for (const Plot::Fixed& fixed : plot.fixed)
                json["at"][std::to_string(fixed.axis)] = axes[fixed.axis].place_of_value(fixed.value);
        }
        all.push_back(json);
    }
    return all;
}

Json ResultsPage::head(const std::vector<PageAxis>& axes) const {
    Json bases = Json::array(), axes_json = Json::array(), outputs = Json::array();
    for (const Base& base : m_plan.bases()) {
        Json lines = Json::array();
        for (const auto& [name, text] : settings_of(m_plan, &base))
            lines.push_back({name, text});
        bases.push_back({{"name", base.name}, {"lines", lines}});
    }
    for (const PageAxis& axis : axes)
        axes_json.push_back(axis.json());
    for (const Output& output : m_outputs)
        outputs.push_back(
            {{"name", output.name}, {"unit", output.unit}, {"description", output.description}});
    return {{"version", TLMETRY_VERSION},
            {"command", m_command},
            {"planned", m_plan.points()},
            {"repetitions", m_plan.repetitions()},
            {"sampled", m_plan.sampling() != Sampling::grid},
            {"bases", bases},
            {"axes", axes_json},
            {"outputs", outputs},
            {"plots", plots(axes)}};
}

void ResultsPage::add_points(Json& to, Store& store, const std::vector<PageAxis>& axes) const {
    PagePoints points(m_plan, axes);
    store.each([&](std::uint64_t index, const Result& result) { points.add(index, result); });
    to["points"] = points.json();
}

/// Looks at all points twice: for what there is, and to put it together.
void ResultsPage::add_aggregates(Json& to, Store& store, const std::vector<PageAxis>& axes,
                                 std::size_t axes_each) const {
    std::set<std::uint64_t> chosen;
    std::vector<Scatter::Dimension> dimensions = dimensions_of(axes, m_outputs.size());
    each_combination(m_plan, store, [&](const Combination& combination) {
        const std::vector<double> numbers = numbers_of(dimensions, axes, combination);
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            if (!std::isfinite(numbers[d])) continue;
            dimensions[d].low = std::min(dimensions[d].low, numbers[d]);
            dimensions[d].high = std::max(dimensions[d].high, numbers[d]);
        }
        if (combination.failed != 0 && chosen.size() < some_failed)
            for (std::uint64_t r = 0; r < m_plan.repetitions(); ++r)
                chosen.insert(combination.point.index + r);
    });
    dimensions.erase(std::remove_if(dimensions.begin(), dimensions.end(),
                                    [](const Scatter::Dimension& d) { return d.low > d.high; }),
                     dimensions.end());
    Scatter scatter(dimensions);
    each_combination(m_plan, store, [&](const Combination& combination) {
        if (combination.succeeded != 0)
            scatter.add(combination.point.index, numbers_of(dimensions, axes, combination));
    });
    std::vector<std::size_t> sizes;
    sizes.reserve(axes.size());
    for (const PageAxis& axis : axes)
        sizes.push_back(axis.size());
    Cuboids cuboids(sizes, axes_each, m_outputs.size());
    std::vector<std::size_t> places(axes.size());
    store.each([&](std::uint64_t index, const Result& result) {
        if (!result.error.empty()) return;
        const Point point = m_plan.point(index);
        for (std::size_t a = 0; a < axes.size(); ++a)
            places[a] = axes[a].place(m_plan, point);
        cuboids.add(places, values_of(m_plan, result));
    });
    const Permutation drawn(m_plan.points(), 1, "page");
    for (std::uint64_t i = 0; i < some_points; ++i)
        chosen.insert(drawn(i));
    const std::vector<std::uint64_t> on_fronts = scatter.on_fronts();
    chosen.insert(on_fronts.begin(), on_fronts.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                             on_fronts.size(), some_points)));
    PagePoints points(m_plan, axes);
    for (const std::uint64_t index : chosen)
        if (const auto result = store.result(index)) points.add(index, *result);
    to["points"] = points.json();
    to["cuboids"] = cuboids.json();
    to["words"] = cuboids.words();
    to["scatter"] = scatter.json();
}

std::string ResultsPage::html(Store& store, const page::Table* found) const {
    const Store::Count count = store.count();
    const bool whole = count.done <= most_points;
    CuboidShape shape{0, some_points};
    if (!whole) {
        std::vector<std::uint64_t> sizes;
        if (bases_are_an_axis(m_plan)) sizes.push_back(m_plan.bases().size());
        for (const Axis& axis : m_plan.axes())
            sizes.push_back(axis.unbounded() ? bins : axis.size());
        shape = cuboid_shape(sizes, m_outputs.size());
    }
    const std::vector<PageAxis> axes = PageAxis::all(m_plan, shape.places, bins);
    Json document = head(axes);
    document["done"] = count.done;
    document["failed"] = count.failed;
    document["whole"] = whole;
    document["goal"] = found != nullptr;
    if (whole) {
        add_points(document, store, axes);
    } else {
        add_aggregates(document, store, axes, shape.axes);
    }
    const std::string file = std::filesystem::path(m_plan.file()).filename().string();
    page::Page page(m_settings.title.empty() ? file : m_settings.title);
    if (!m_settings.text.empty()) page.text(m_settings.text);
    if (found != nullptr) {
        page.heading("goal", "Goal");
        page.table(*found);
    }
    page.part(results_body());
    page.data("results", document);
    page.add_style(results_style());
    page.add_script(results_script());
    return page.html();
}

}  // namespace tlmetry::explore
