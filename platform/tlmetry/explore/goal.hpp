// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// What an output is to be: `useful_rate >= 8GB/s`, `F4 > 0.95`, `useful_rate>=0.99max`, `verdict.first !=
/// tags`.
struct Goal {
    enum class Relation { at_least, above, at_most, below, equal, different };
    /// Of what the amount is a part.
    enum class Of { nothing, greatest, least };

    std::string output;
    Relation relation = Relation::at_least;
    Of of = Of::nothing;
    double amount = 0;
    std::string unit;        ///< of the amount: %, as in Number, or empty
    std::string text;        ///< of a relation between texts
    bool is_text = false;    ///< what it is compared with is no number
    std::string expression;  ///< all of it, as it was given

    /// Throws UserError, begun by `place`.
    static Goal parse(const std::string& expression, const std::string& place);
    /// Throws UserError, begun by `place`, unless it says something about the output of its name.
    void check(const std::vector<Output>& outputs, const std::string& place) const;
    /// For `reference`, the value that `of` means.
    bool holds(const Value& value, double reference) const;
};

/// Finds where on one axis a goal begins to hold, for every combination of the other axes and bases: by
/// bisection, which takes it that the goal holds from there to the end of the axis.
class GoalSearch {
public:
    /// Throws UserError, begun by `place`, unless `parameter` is an axis of the plan, which has a grid, and
    /// the plan has the output of the goal.
    GoalSearch(const Plan& plan, const std::string& parameter, Goal goal, const std::string& place);

    /// Whole, or how the work on one of its steps has ended.
    Outcome run(Engine& engine, Store& store, const Watch& watch);

    /// What was found, a row for each combination: as CSV, as JSON (docs/json.md), for people, and for a
    /// page. `outputs` are those of the plan.
    std::string csv() const;
    std::string json() const;
    std::string text(const std::vector<Output>& outputs) const;
    page::Table table(const std::vector<Output>& outputs) const;
    /// Combinations in which the goal holds nowhere, or a point failed.
    std::size_t missed() const;

private:
    /// One combination. Numbers are those of values of the axis.
    struct Search {
        std::uint64_t first = 0;  // index of its point with value 0
        bool ended = false;
        std::uint64_t holds = 0;  // where the goal holds
        std::uint64_t fails = 0;  // where it does not
        bool found = false;
        double reference = 0;
        std::string note;
        std::map<std::uint64_t, Value> values;  // looked at
        std::vector<std::uint64_t> wanted;      // to be looked at next
    };

    Outcome look(Engine& engine, Store& store, const Watch& watch);
    void read(Search& search, Store& store) const;
    static std::uint64_t middle_of(const Search& search);
    void decide(Search& search) const;
    void decide_ends(Search& search) const;
    std::string not_monotone(const Search& search) const;
    std::string axis_text(std::uint64_t value) const;
    /// The value that was looked at next to the one that was found does not reach the goal.
    bool is_beside(const Search& search) const;
    std::vector<std::string> columns() const;
    std::vector<Value> row(const Search& search) const;
    std::vector<std::string> texts(const Search& search, const std::string& unit) const;

    const Plan& m_plan;
    Goal m_goal;
    std::size_t m_axis = 0;
    std::size_t m_output = 0;
    std::vector<Search> m_searches;
    Progress m_progress;
};

}  // namespace tlmetry::explore
