// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/config/registry.hpp>
#include <tlmetry/explore/axis.hpp>
#include <tlmetry/explore/sampling.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::explore {

/// A configuration that points begin with.
struct Base {
    std::string name;  ///< as in the plan
    std::vector<config::Assignment> parameters;
};

/// One of a plan's points.
struct Point {
    std::uint64_t index = 0;
    std::uint64_t base = 0;  ///< in Plan::bases()
    std::uint64_t repetition = 0;
    /// Name and value of every parameter of an axis, axis by axis.
    std::vector<std::pair<std::string, std::string>> values;
};

/// Indices of points one after the other; nothing behind the last one.
using Points = std::function<std::optional<std::uint64_t>()>;

/// The points of a plan from `first` to before `end`.
Points points_between(std::uint64_t first, std::uint64_t end);

/// All parameters of a point, and those that its axes and its repetition have set; not yet checked against
/// one another.
class PointParameters {
public:
    PointParameters() { m_parameters.bind(m_registry); }
    PointParameters(const PointParameters&) = delete;
    PointParameters& operator=(const PointParameters&) = delete;

    app::RunParameters& parameters() { return m_parameters; }
    const app::RunParameters& parameters() const { return m_parameters; }
    config::Registry& registry() { return m_registry; }
    const config::Registry& registry() const { return m_registry; }

private:
    app::RunParameters m_parameters;
    config::Registry m_registry;
};

/// What a plan says of the measurement of each point, besides `run.*`.
struct Method {
    double precision = 0;        ///< account::Method
    time_fs longest_fs = 0;      ///< account::Method
    time_fs timeout_fs = never;  ///< of the processor's own clock
};

/// What to simulate (docs/explore.md): base configurations, axes, sampling, repetitions, outputs. Points are
/// worked out from their index, and never stand in memory together.
class Plan {
public:
    /// Reads a plan; `options` are parameters of all points from the command line. An axis of the text
    /// `more_axis`, `NAME = VALUES`, comes in the place of the one of that name, or behind all. Throws
    /// UserError, naming file and line or option.
    static Plan load(const std::string& file, const std::vector<config::Assignment>& options = {},
                     const config::Assignment* more_axis = nullptr);

    /// What the sections [explore] and [sample] can say.
    static std::string help();

    const std::string& file() const { return m_file; }
    const std::vector<Base>& bases() const { return m_bases; }
    const std::vector<Axis>& axes() const { return m_axes; }
    const std::vector<std::string>& outputs() const { return m_outputs; }
    /// What begins the error message for an output.
    const std::string& outputs_place() const { return m_outputs_place; }
    Sampling sampling() const { return m_sampling; }
    std::uint64_t repetitions() const { return m_repetitions; }
    const Method& method() const { return m_method; }

    /// How many points there are.
    std::uint64_t points() const { return m_points; }
    /// The base changes slowest, then the first axis, ..., then the repetition.
    Point point(std::uint64_t index) const;
    /// In a grid, the index of the point where the axis with this number has another value.
    std::uint64_t moved(std::uint64_t index, std::size_t axis, std::uint64_t value) const;

    /// In a grid, the number of the value of an axis that the point of this index has.
    std::uint64_t value(std::uint64_t index, std::size_t axis) const;

    /// Of all points: those of the plan, then those of the command line.
    const std::vector<config::Assignment>& parameters() const { return m_parameters; }
    /// Everything that the plan says about a point, in its order; what comes later replaces what came before.
    std::vector<config::Assignment> assignments(const Point& point) const;
    /// Sets it. Throws UserError.
    void configure(const Point& point, PointParameters& parameters) const;

    /// Lines of the section [page].
    const std::vector<config::Assignment>& page() const { return m_page; }

    /// Of everything that decides what the points are: the plan, files that it names, the program.
    const std::string& digest() const { return m_digest; }

private:
    struct General;
    Plan() = default;
    void read_general(const std::vector<config::Assignment>& lines);
    void read_base(const std::string& list, const std::string& place);
    void read_axes(const std::vector<config::Assignment>& lines, const config::Assignment* more);
    void check_axes() const;
    void count_points();
    std::uint64_t stride(std::size_t axis) const;
    void make_digest(const std::string& text, const config::Assignment* more_axis);

    std::string m_file;
    std::vector<Base> m_bases;
    std::vector<config::Assignment> m_parameters;  // of all points: of the plan, then of the command line
    std::vector<config::Assignment> m_page;
    std::vector<Axis> m_axes;
    std::vector<std::string> m_outputs;
    std::string m_outputs_place;
    Sampling m_sampling = Sampling::grid;
    std::uint64_t m_samples = 0;
    std::uint64_t m_sample_seed = 1;
    std::uint64_t m_repetitions = 1;
    Method m_method;
    std::uint64_t m_points = 0;
    std::string m_digest;
};

}  // namespace tlmetry::explore
