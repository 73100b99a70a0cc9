// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/goal.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/scale.hpp>
#include <tlmetry/explore/text.hpp>
#include <tlmetry/report/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tlmetry::explore {

namespace {

using config::found;

struct RelationName {
    std::string_view text;
    Goal::Relation relation;
};
// Longer ones first.
constexpr RelationName relation_names[] = {
    {">=", Goal::Relation::at_least}, {"<=", Goal::Relation::at_most}, {"!=", Goal::Relation::different},
    {">", Goal::Relation::above},     {"<", Goal::Relation::below},    {"=", Goal::Relation::equal},
};

bool cut_end(std::string_view& text, std::string_view end) {
    if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return false;
    text = trimmed(text.substr(0, text.size() - end.size()));
    return true;
}

const double* number(const Value& value) {
    return std::get_if<double>(&value);
}

bool known(const Value& value) {
    return !std::holds_alternative<std::monostate>(value);
}

}  // namespace

Goal Goal::parse(const std::string& expression, const std::string& place) {
    const auto refuse = [&]() -> UserError {
        return UserError(place +
                         ": expected OUTPUT, one of >= > <= < = !=, and a number, a part of max or min, "
                         "or a text, as in useful_rate>=0.99max, found " +
                         found(expression));
    };
    const std::size_t at = expression.find_first_of("<>=!");
    if (at == expression.npos) throw refuse();
    Goal goal;
    goal.expression = expression;
    goal.output = trimmed(std::string_view(expression).substr(0, at));
    const std::string_view rest = std::string_view(expression).substr(at);
    const auto* const relation =
        std::find_if(std::begin(relation_names), std::end(relation_names),
                     [&](const RelationName& name) { return rest.substr(0, name.text.size()) == name.text; });
    if (relation == std::end(relation_names) || goal.output.empty()) throw refuse();
    goal.relation = relation->relation;
    std::string_view amount = trimmed(rest.substr(relation->text.size()));
    if (amount.empty()) throw refuse();
    const bool of_texts = goal.relation == Relation::equal || goal.relation == Relation::different;
    goal.text = amount;
    if (cut_end(amount, "max")) goal.of = Of::greatest;
    if (cut_end(amount, "min")) goal.of = Of::least;
    // A factor may be above 1, as in 1.05min.
    double factor = 1;
    if (goal.of != Of::nothing) {
        cut_end(amount, "*");
        if (amount.empty()) amount = "1";
    }
    const std::string plain(amount);
    char* end = nullptr;
    factor = std::strtod(plain.c_str(), &end);
    if (*end != '\0' || !std::isfinite(factor)) {
        const auto value = number_of(amount);
        if (!value) {
            if (!of_texts) throw refuse();
            goal.of = Of::nothing;
            goal.is_text = true;
            return goal;
        }
        factor = value->value;
        goal.unit = amount.back() == '%' ? "%" : value->unit;
        if (goal.unit == "b/s") {
            goal.unit = "B/s";
            factor /= 8;
        }
    }
    goal.amount = factor;
    if (of_texts && goal.of == Of::nothing) return goal;
    goal.text.clear();
    return goal;
}

void Goal::check(const std::vector<Output>& outputs, const std::string& place) const {
    const auto found_output = std::find_if(outputs.begin(), outputs.end(),
                                           [&](const Output& candidate) { return candidate.name == output; });
    if (found_output == outputs.end()) return;  // said where it is looked for
    const std::string& counts_in = found_output->unit;
    const bool part = of != Of::nothing || counts_in.empty();
    if (is_text ? counts_in.empty() : unit.empty() || unit == (part ? "%" : counts_in)) return;
    const std::string wanted = of != Of::nothing   ? "a part of max or min without a unit"
                               : counts_in.empty() ? "a number without a unit"
                                                   : "a number in " + counts_in;
    throw UserError(place + ": expected " + wanted + " behind " + output + ", found " + found(expression));
}

bool Goal::holds(const Value& value, double reference) const {
    const double* const found = number(value);
    if (found == nullptr) {
        const auto* const word = std::get_if<std::string>(&value);
        const bool same = word != nullptr && *word == text;
        return known(value) && (relation == Relation::equal       ? same
                                : relation == Relation::different ? !same
                                                                  : false);
    }
    const double target = of == Of::nothing ? amount : amount * reference;
    switch (relation) {
        case Relation::at_least:
            return *found >= target;
        case Relation::above:
            return *found > target;
        case Relation::at_most:
            return *found <= target;
        case Relation::below:
            return *found < target;
        case Relation::equal:
            return *found == target;
        case Relation::different:
            return *found != target;
    }
    return false;
}

GoalSearch::GoalSearch(const Plan& plan, const std::string& parameter, Goal goal, const std::string& place)
    : m_plan(plan), m_goal(std::move(goal)) {
    if (plan.sampling() != Sampling::grid)
        throw UserError(place + ": expected a plan without a section [sample], found one in " + plan.file());
    const auto axis = std::find_if(plan.axes().begin(), plan.axes().end(),
                                   [&](const Axis& candidate) { return candidate.title() == parameter; });
    if (axis == plan.axes().end()) {
        throw UserError(place +
                        ": expected an axis of the plan, or NAME=VALUES such as ptc.tags=1..1024, found " +
                        found(parameter));
    }
    m_axis = static_cast<std::size_t>(axis - plan.axes().begin());
    const auto output = std::find(plan.outputs().begin(), plan.outputs().end(), m_goal.output);
    if (output == plan.outputs().end()) {
        throw UserError("option --until: expected an output of " + plan.file() + ", found " +
                        found(m_goal.output));
    }
    m_output = static_cast<std::size_t>(output - plan.outputs().begin());
    const std::uint64_t combinations = plan.points() / axis->size() / plan.repetitions();
    constexpr std::uint64_t most = 1'000'000;
    if (combinations > most)
        throw UserError(place + ": expected at most " + std::to_string(most) +
                        " combinations of the other axes, found " + std::to_string(combinations));
    // Points of one combination are this far apart.
    const std::uint64_t stride = axis->size() == 1 ? 1 : plan.moved(0, m_axis, 1);
    for (std::uint64_t c = 0; c < combinations; ++c) {
        const std::uint64_t index = c * plan.repetitions();
        m_searches.emplace_back().first = index / stride * stride * axis->size() + index % stride;
    }
    for (Search& search : m_searches) {
        search.wanted = {0};
        if (axis->size() > 1) search.wanted.push_back(axis->size() - 1);
    }
}

Outcome GoalSearch::run(Engine& engine, Store& store, const Watch& watch) {
    const auto open = [](const Search& search) { return !search.ended; };
    while (std::any_of(m_searches.begin(), m_searches.end(), open)) {
        if (const Outcome step = look(engine, store, watch); step != Outcome::whole) return step;
        for (Search& search : m_searches) {
            if (search.ended) continue;
            read(search, store);
            if (!search.ended) decide(search);
        }
    }
    return Outcome::whole;
}

/// Runs what all searches want to know next.
Outcome GoalSearch::look(Engine& engine, Store& store, const Watch& watch) {
    std::size_t search = 0, wanted = 0;
    std::uint64_t repetition = 0;
    const Points points = [&]() -> std::optional<std::uint64_t> {
        for (; search < m_searches.size(); ++search, wanted = 0) {
            const Search& s = m_searches[search];
            if (s.ended || wanted == s.wanted.size()) continue;
            const std::uint64_t index = m_plan.moved(s.first, m_axis, s.wanted[wanted]) + repetition;
            if (++repetition == m_plan.repetitions()) {
                repetition = 0;
                ++wanted;
            }
            return index;
        }
        return {};
    };
    Progress now;
    const Outcome outcome = engine.run(m_plan, points, store, [&](const Progress& round) {
        now = round;
        now += m_progress;
        return !watch || watch(now);
    });
    m_progress = now;
    m_progress.workers.clear();
    return outcome;
}

/// Means over repetitions; of texts the first one.
void GoalSearch::read(Search& search, Store& store) const {
    for (const std::uint64_t value : search.wanted) {
        const std::uint64_t first = m_plan.moved(search.first, m_axis, value);
        Value read;
        double sum = 0;
        for (std::uint64_t r = 0; r < m_plan.repetitions(); ++r) {
            const std::optional<Result> result = store.result(first + r);
            if (!result || !result->error.empty()) {
                search.ended = true;
                search.note =
                    "point " + std::to_string(first + r) + ": " + (result ? result->error : "unknown");
                return;
            }
            const auto json = nlohmann::json::parse(result->values).at(m_output);
            if (json.is_string() && r == 0) read = json.get<std::string>();
            if (!json.is_number()) continue;
            sum += json.get<double>();
            read = sum / static_cast<double>(r + 1);
        }
        search.values[value] = read;
    }
    search.wanted.clear();
}

std::uint64_t GoalSearch::middle_of(const Search& search) {
    const auto [low, high] = std::minmax(search.holds, search.fails);
    return low + (high - low) / 2;
}

void GoalSearch::decide(Search& search) const {
    if (search.values.size() <= 2 && !search.found) {
        decide_ends(search);
    } else {
        const std::uint64_t middle = middle_of(search);
        (m_goal.holds(search.values.at(middle), search.reference) ? search.holds : search.fails) = middle;
    }
    if (search.ended) return;
    const std::uint64_t middle = middle_of(search);
    if (search.values.count(middle) == 0) {
        search.wanted = {middle};
        return;
    }
    search.ended = true;
    search.note = not_monotone(search);
}

/// The first look is at both ends of the axis.
void GoalSearch::decide_ends(Search& search) const {
    const auto [first, first_value] = *search.values.begin();
    const auto [last, last_value] = *search.values.rbegin();
    const double* const a = number(first_value);
    const double* const b = number(last_value);
    if (!known(first_value) || !known(last_value)) {
        search.ended = true;
        search.note = "the points have no " + m_goal.output;
        return;
    }
    if (m_goal.of != Goal::Of::nothing && (a == nullptr || b == nullptr)) {
        search.ended = true;
        search.note = m_goal.output + " is no number";
        return;
    }
    if (m_goal.of == Goal::Of::greatest) search.reference = std::max(*a, *b);
    if (m_goal.of == Goal::Of::least) search.reference = std::min(*a, *b);
    const bool at_first = m_goal.holds(first_value, search.reference);
    const bool at_last = m_goal.holds(last_value, search.reference);
    search.found = at_first || at_last;
    search.holds = at_first && !at_last ? first : last;
    search.fails = at_first ? last : first;
    if (at_first == at_last) {
        search.ended = true;
        search.note = at_first ? "holds at both ends" : "not reached at either end";
        if (!at_first && a != nullptr && b != nullptr) {
            const bool down =
                m_goal.relation == Goal::Relation::at_most || m_goal.relation == Goal::Relation::below;
            search.holds = (*a < *b) == down ? first : last;  // the better end
        }
    }
}

/// Where the output goes the other way than from end to end, by more than noise.
std::string GoalSearch::not_monotone(const Search& search) const {
    constexpr double noise = 0.005;
    const double* before = nullptr;
    std::uint64_t before_value = 0;
    const double* const first = number(search.values.begin()->second);
    const double* const last = number(search.values.rbegin()->second);
    if (first == nullptr || last == nullptr) return "";
    const double direction = *last >= *first ? 1 : -1;
    for (const auto& [value, output] : search.values) {
        const double* const now = number(output);
        if (now == nullptr) return "";
        if (before != nullptr && direction * (*now - *before) < -noise * std::abs(*before)) {
            return "not monotone: between " + axis_text(before_value) + " and " + axis_text(value) +
                   " it goes the other way";
        }
        before = now;
        before_value = value;
    }
    return "";
}

std::string GoalSearch::axis_text(std::uint64_t value) const {
    std::string text;
    for (const std::string& part : m_plan.axes()[m_axis].values(value))
        text += (text.empty() ? "" : " & ") + part;
    return text;
}

std::size_t GoalSearch::missed() const {
    return static_cast<std::size_t>(std::count_if(m_searches.begin(), m_searches.end(),
                                                  [](const Search& search) { return !search.found; }));
}

}  // namespace tlmetry::explore
