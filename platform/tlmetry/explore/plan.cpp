// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/plan.hpp"

#include <tlmetry/app/parameter_kinds.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/random.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/digest.hpp>
#include <tlmetry/explore/model_digest.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tlmetry::explore {

namespace {

using config::Assignment;
using config::found;

constexpr std::string_view axes_section = "axes.";
constexpr std::uint64_t most_points = 1'000'000'000;
constexpr std::uint64_t most_checked_values = 1000;

bool in_section(const Assignment& line, std::string_view section) {
    return line.name.compare(0, section.size(), section) == 0;
}

std::vector<std::string> items(const std::string& list, char separator) {
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(separator, begin), list.size());
        result.emplace_back(trimmed(std::string_view(list).substr(begin, end - begin)));
        begin = end + 1;
    }
    return result;
}

}  // namespace

Points points_between(std::uint64_t first, std::uint64_t end) {
    return [next = first, end]() mutable -> std::optional<std::uint64_t> {
        if (next == end) return {};
        return next++;
    };
}

Plan Plan::load(const std::string& file, const std::vector<Assignment>& options,
                const Assignment* more_axis) {
    Plan plan;
    plan.m_file = file;
    const std::string text = config::read_file("plan", file);
    std::vector<Assignment> general, axes;
    for (Assignment& line : config::parse_ini(text, file)) {
        if (in_section(line, axes_section)) {
            line.name.erase(0, axes_section.size());
            axes.push_back(std::move(line));
        } else if (in_section(line, "page.")) {
            plan.m_page.push_back(std::move(line));
        } else if (in_section(line, "explore.") || in_section(line, "sample.")) {
            general.push_back(std::move(line));
        } else {
            plan.m_parameters.push_back(std::move(line));
        }
    }
    plan.m_parameters.insert(plan.m_parameters.end(), options.begin(), options.end());
    plan.read_general(general);
    plan.read_axes(axes, more_axis);
    plan.check_axes();
    plan.count_points();
    plan.make_digest(text, more_axis);
    return plan;
}

/// What the sections [explore] and [sample] say, as it is in them.
struct Plan::General {
    std::string base;
    std::string outputs = "useful_rate";
    std::uint64_t repetitions = 1;
    Fraction precision;
    time_fs longest_fs = 100 * fs_per_ms;
    time_fs timeout_fs = never;
    Sampling sampling = Sampling::grid;
    std::uint64_t samples = 0;
    std::uint64_t sample_seed = 1;

    void bind(config::Registry& registry) {
        registry.section("explore", "Of a plan: what is done with each point.")
            .add("base", base, config::text("configuration files"),
                 "Configurations, each of which meets every combination: a.ini, b.ini.",
                 "a.ini + b.ini is one configuration, of two files.")
            .add("outputs", outputs, config::text("names separated by commas"),
                 "What is told of each point: names of --list-outputs.")
            .add("repetitions", repetitions, config::integer(1, 1'000'000),
                 "Points with the same values and different seeds.")
            .add("precision", precision, config::fraction(),
                 "How well the useful rate is to be known, to each side; 0%: run.duration says how long.")
            .add("longest", longest_fs, config::time(1, 3600 * fs_per_s),
                 "Where a measurement ends that does not get precise enough.")
            .add("timeout", timeout_fs, app::time_or_never(1),
                 "How long the simulation of a point may take, of the host's time.");
        registry.section("sample", "Of a plan: which of all combinations are taken.")
            .add("kind", sampling,
                 config::choice<Sampling>({{"grid", Sampling::grid},
                                           {"random", Sampling::random},
                                           {"latin_hypercube", Sampling::latin_hypercube}}),
                 "All, some at random, or some that are evenly spread on each axis.")
            .add("points", samples, config::integer(0, most_points), "How many of them, of each base.")
            .add("seed", sample_seed, config::integer(0, ~std::uint64_t{0}), "What is drawn with.");
    }
};

std::string Plan::help() {
    General general;
    config::Registry registry;
    general.bind(registry);
    return config::help_text(registry, "explore") + "\n" + config::help_text(registry, "sample");
}

void Plan::read_general(const std::vector<Assignment>& lines) {
    General general;
    config::Registry registry;
    general.bind(registry);
    registry.set(lines);

    const auto place = [&](const char* name) {
        const config::Parameter* parameter = registry.find(name);
        return parameter->place.empty() ? m_file + ": " + name : parameter->place;
    };
    m_repetitions = general.repetitions;
    m_method = {static_cast<double>(general.precision.parts) / static_cast<double>(Fraction::one),
                general.longest_fs, general.timeout_fs};
    m_sampling = general.sampling;
    m_samples = general.samples;
    m_sample_seed = general.sample_seed;
    if ((m_sampling == Sampling::grid) != (m_samples == 0)) {
        throw UserError(m_sampling == Sampling::grid
                            ? place("sample.points") +
                                  ": expected sample.kind = random or latin_hypercube with it, found grid"
                            : place("sample.kind") + ": expected sample.points above 0 with it, found " +
                                  (registry.find("sample.points")->place.empty() ? "nothing" : "0"));
    }
    m_outputs_place = place("explore.outputs");
    for (std::string& name : items(general.outputs, ',')) {
        if (name.empty())
            throw UserError(m_outputs_place + ": expected a name between two commas, found nothing");
        if (std::find(m_outputs.begin(), m_outputs.end(), name) != m_outputs.end())
            throw UserError(m_outputs_place + ": expected different names, found " + found(name) + " twice");
        m_outputs.push_back(std::move(name));
    }
    read_base(general.base, place("explore.base"));
}

/// Without files a base has the defaults of all parameters.
void Plan::read_base(const std::string& list, const std::string& place) {
    const std::filesystem::path folder = std::filesystem::path(m_file).parent_path();
    for (const std::string& name : items(list, ',')) {
        Base base{name.empty() ? "defaults" : name, {}};
        if (name.empty() && list.find(',') != list.npos)
            throw UserError(place + ": expected a file between two commas, found nothing");
        for (const std::string& file : items(name, '+')) {
            if (file.empty() && name.empty()) continue;
            if (file.empty()) throw UserError(place + ": expected a file on both sides of +, found nothing");
            const std::string path = (folder / file).string();
            for (Assignment& line : config::read_ini(path))
                base.parameters.push_back(std::move(line));
        }
        for (const Base& other : m_bases) {
            if (other.name == base.name)
                throw UserError(place + ": expected different configurations, found " + found(name) +
                                " twice");
        }
        m_bases.push_back(std::move(base));
    }
    for (const Base& base : m_bases) {
        PointParameters scratch;
        scratch.registry().set(base.parameters);
        scratch.registry().set(m_parameters);
    }
}

void Plan::read_axes(const std::vector<Assignment>& lines, const Assignment* more) {
    for (const Assignment& line : lines) {
        m_axes.emplace_back(line);
        if (m_sampling == Sampling::grid) m_axes.back().require_steps();
    }
    if (more == nullptr) return;
    Axis axis(*more);
    const auto same = std::find_if(m_axes.begin(), m_axes.end(),
                                   [&](const Axis& other) { return other.title() == axis.title(); });
    if (same != m_axes.end()) {
        *same = std::move(axis);
    } else {
        m_axes.push_back(std::move(axis));
    }
}

/// Names are parameters that nothing else sets, and each value by itself is one of its parameter. A long
/// range is looked at in places.
void Plan::check_axes() const {
    std::vector<std::pair<std::string, std::string>> set;  // and what sets it
    for (const Assignment& line : m_parameters)
        set.emplace_back(line.name, line.place);
    for (const Axis& axis : m_axes) {
        PointParameters scratch;
        const std::uint64_t step = (axis.size() + most_checked_values - 1) / most_checked_values;
        std::set<std::string> seen;
        for (std::uint64_t i = 0; i < axis.size(); i += step) {
            const auto values = axis.values(i);
            std::string all;
            for (std::size_t n = 0; n < values.size(); ++n) {
                scratch.registry().set({axis.names()[n], values[n], axis.place()});
                // The same value may be written in many ways; one with an argument is what is written.
                const config::Parameter* parameter = scratch.registry().find(axis.names()[n]);
                all += (n == 0 ? "" : " & ") + (parameter == nullptr ? values[n] : parameter->text());
            }
            // In a sample, what comes twice is taken twice as often.
            if (!seen.insert(all).second && m_sampling == Sampling::grid)
                throw UserError(axis.place() + ": expected different values, found " + found(all) + " twice");
        }
        if (axis.unbounded() && m_sampling == Sampling::grid) {
            throw UserError(
                axis.place() +
                ": expected a number of values behind log, as in 1us..100us log 9, where nothing is "
                "sampled, found none");
        }
        for (const std::string& name : axis.names()) {
            for (const auto& [other, place] : set) {
                if (other == name)
                    throw UserError(axis.place() + ": expected a parameter that nothing else sets, found " +
                                    name + ", which is set by " + place);
            }
            set.emplace_back(name, axis.place());
        }
    }
}

void Plan::count_points() {
    m_points = m_bases.size() * m_repetitions;
    const auto multiply = [&](std::uint64_t by) {
        if (m_points > most_points / by)
            throw UserError(m_file + ": expected at most " + std::to_string(most_points) +
                            " points, found more");
        m_points *= by;
    };
    if (m_sampling != Sampling::grid) return multiply(m_samples);
    for (const Axis& axis : m_axes)
        multiply(axis.size());
}

void Plan::make_digest(const std::string& text, const Assignment* more_axis) {
    forget_files();
    Digest digest;
    digest.add("plan 1").add(TLMETRY_VERSION).add(model_digest()).add(text);
    for (const Base& base : m_bases) {
        for (const Assignment& line : base.parameters)
            digest.add_parameter(line.name, line.text);
    }
    for (const Assignment& line : m_parameters)
        digest.add_parameter(line.name, line.text);
    for (const Axis& axis : m_axes) {
        for (std::size_t n = 0; n < axis.names().size(); ++n) {
            if (!names_a_file(axis.names()[n])) continue;
            for (std::uint64_t i = 0; i < axis.size(); ++i)
                digest.add_parameter(axis.names()[n], axis.values(i)[n]);
        }
    }
    if (more_axis != nullptr) digest.add(more_axis->name).add(more_axis->text);
    m_digest = digest.hex();
}

Point Plan::point(std::uint64_t index) const {
    Point point;
    point.index = index;
    point.repetition = index % m_repetitions;
    std::uint64_t rest = index / m_repetitions;
    std::vector<std::vector<std::string>> texts(m_axes.size());
    if (m_sampling == Sampling::grid) {
        for (std::size_t a = m_axes.size(); a-- > 0;) {
            texts[a] = m_axes[a].values(rest % m_axes[a].size());
            rest /= m_axes[a].size();
        }
        point.base = rest;
    } else {
        point.base = rest / m_samples;
        for (std::size_t a = 0; a < m_axes.size(); ++a)
            texts[a] = m_axes[a].sample(
                sample_part(m_sampling, rest % m_samples, m_samples, m_sample_seed, m_axes[a].title()));
    }
    for (std::size_t a = 0; a < m_axes.size(); ++a) {
        for (std::size_t n = 0; n < texts[a].size(); ++n)
            point.values.emplace_back(m_axes[a].names()[n], std::move(texts[a][n]));
    }
    return point;
}

/// How far points are apart whose values of an axis are neighbours.
std::uint64_t Plan::stride(std::size_t axis) const {
    std::uint64_t stride = m_repetitions;
    for (std::size_t a = m_axes.size() - 1; a > axis; --a)
        stride *= m_axes[a].size();
    return stride;
}

std::uint64_t Plan::value(std::uint64_t index, std::size_t axis) const {
    return index / stride(axis) % m_axes[axis].size();
}

std::uint64_t Plan::moved(std::uint64_t index, std::size_t axis, std::uint64_t value) const {
    return index + (value - this->value(index, axis)) * stride(axis);
}

std::vector<Assignment> Plan::assignments(const Point& point) const {
    std::vector<Assignment> lines = m_bases.at(point.base).parameters;
    lines.insert(lines.end(), m_parameters.begin(), m_parameters.end());
    for (const auto& [name, value] : point.values)
        lines.push_back({name, value, "point " + std::to_string(point.index) + ": " + name});
    if (point.repetition == 0) return lines;
    std::uint64_t seed = app::RunParameters().seed;
    for (const Assignment& line : lines) {
        if (line.name == "run.seed") seed = parse_unsigned(line.text).value_or(seed);
    }
    Random random(seed, "repetition " + std::to_string(point.repetition));
    lines.push_back({"run.seed", std::to_string(random.next()), "explore.repetitions"});
    return lines;
}

void Plan::configure(const Point& point, PointParameters& to) const {
    to.registry().set(assignments(point));
    to.parameters().complete(to.registry());
}

}  // namespace tlmetry::explore
