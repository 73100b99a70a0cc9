// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/compare.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/scale.hpp>
#include <tlmetry/explore/summary.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tlmetry::explore {

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

/// Repetitions of one point.
struct Repeated {
    std::vector<std::string> values;  // as they are written
    std::vector<Values> outputs;
    std::uint64_t succeeded = 0;
    std::string error;
};

struct Side {
    ResultsHead head;
    std::vector<std::string> others;  // parameters that are no part of the key
    std::vector<std::set<std::string>> other_values;
    std::map<std::vector<std::string>, Repeated> places;
    std::vector<std::vector<std::string>> order;
};

bool same_value(const std::string& a, const std::string& b) {
    if (a == b) return true;
    const auto x = number_of(a), y = number_of(b);
    return x && y && x->value == y->value;
}

/// The same text for the same value, however it is written.
std::string canonical(const std::string& text) {
    const auto number = number_of(text);
    return number ? report::shortest(number->value) + number->unit : text;
}

std::size_t position(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

ResultsHead head_of(const std::string& path) {
    struct Enough {
        ResultsHead head;
    };
    try {
        return read_results(
            path, [](const ResultsHead& head) { throw Enough{head}; }, [](const ResultsPoint&) {});
    } catch (const Enough& enough) {
        return enough.head;
    }
}

/// Points of a file by the values of `names`, "base" among them.
Side read_side(const std::string& path, const std::vector<std::string>& names, const Given& at) {
    Side side;
    side.head = head_of(path);
    const auto& parameters = side.head.parameters;
    for (const std::string& name : parameters)
        if (position(names, name) == names.size()) side.others.push_back(name);
    side.other_values.resize(side.others.size());
    const auto value = [&](const ResultsPoint& point, const std::string& name) {
        return name == "base" ? side.head.bases[point.base] : point.values[position(parameters, name)];
    };
    const auto wanted = [&](const ResultsPoint& point) {
        return std::all_of(at.begin(), at.end(), [&](const auto& given) {
            const bool known =
                given.first == "base" || position(parameters, given.first) != parameters.size();
            return !known || same_value(value(point, given.first), given.second);
        });
    };
    const auto nothing = [](const ResultsHead&) {};
    read_results(path, nothing, [&](const ResultsPoint& point) {
        if (!wanted(point)) return;
        for (std::size_t o = 0; o < side.others.size(); ++o)
            if (side.other_values[o].size() < 2) side.other_values[o].insert(value(point, side.others[o]));
        std::vector<std::string> key, values;
        key.reserve(names.size());
        values.reserve(names.size());
        for (const std::string& name : names) {
            values.push_back(value(point, name));
            key.push_back(canonical(values.back()));
        }
        const auto [place, is_new] = side.places.emplace(key, Repeated{});
        Repeated& repeated = place->second;
        if (is_new) {
            side.order.push_back(key);
            repeated.values = values;
        }
        repeated.outputs.resize(side.head.outputs.size());
        if (!point.error.empty()) {
            if (repeated.error.empty()) repeated.error = point.error;
            return;
        }
        ++repeated.succeeded;
        for (std::size_t o = 0; o < point.outputs.size(); ++o)
            repeated.outputs[o].add(point.outputs[o]);
    });
    return side;
}

void require_single(const Side& side, const std::string& other) {
    for (std::size_t o = 0; o < side.others.size(); ++o) {
        if (side.other_values[o].size() < 2) continue;
        throw UserError("results " + side.head.file + ": expected one value of " + side.others[o] +
                        ", an axis that " + other + " does not have, found several; choose one by --at " +
                        side.others[o] + "=" + *side.other_values[o].begin());
    }
}

const Values* values_of(const Side& side, const Repeated& repeated, const std::string& output) {
    for (std::size_t o = 0; o < side.head.outputs.size(); ++o)
        if (side.head.outputs[o].name == output) return &repeated.outputs[o];
    return nullptr;
}

/// Half the interval of a value: of its repetitions, or what the measurement itself says.
double interval_of(const Side& side, const Repeated& repeated, const std::string& output) {
    const Values* const values = values_of(side, repeated, output);
    if (values->numbers().count() > 1) return values->numbers().half_width();
    const Values* const error = values_of(side, repeated, output + ".error");
    return error == nullptr ? 0 : error->numbers().mean();
}

/// The value of `a` and of `b`, if they are to be told.
std::optional<Change> change_of(const Side& a, const Repeated& in_a, const Side& b, const Repeated& in_b,
                                const std::string& output, double tolerance, std::uint64_t& uncertain) {
    Change change;
    change.a = values_of(a, in_a, output)->value();
    change.b = values_of(b, in_b, output)->value();
    if (change.a == change.b) return {};
    const auto* const x = std::get_if<double>(&change.a);
    const auto* const y = std::get_if<double>(&change.b);
    if (x == nullptr || y == nullptr) return change;
    change.difference = *y - *x;
    if (*x != 0) change.relative = *change.difference / std::abs(*x);
    change.interval = std::hypot(interval_of(a, in_a, output), interval_of(b, in_b, output));
    const double distance = std::abs(*change.difference);
    if (distance <= tolerance * std::max(std::abs(*x), std::abs(*y))) return {};
    if (distance <= change.interval) {
        ++uncertain;
        return {};
    }
    return change;
}

double size_of(const Change& change) {
    if (!change.difference) return -1;
    return change.relative ? std::abs(*change.relative) : std::numeric_limits<double>::infinity();
}

std::vector<std::string> common_names(const ResultsHead& a, const ResultsHead& b) {
    std::vector<std::string> names;
    if (a.bases.size() != 1 || b.bases.size() != 1) names.emplace_back("base");
    for (const std::string& name : a.parameters)
        if (position(b.parameters, name) != b.parameters.size()) names.push_back(name);
    return names;
}

std::vector<Output> common_outputs(const ResultsHead& a, const ResultsHead& b,
                                   const std::vector<std::string>& wanted) {
    std::vector<Output> outputs;
    for (const Output& output : a.outputs) {
        const auto same = [&](const Output& other) { return other.name == output.name; };
        if (std::any_of(b.outputs.begin(), b.outputs.end(), same)) outputs.push_back(output);
    }
    if (outputs.empty())
        throw UserError("results " + b.file + ": expected an output of " + a.file + ", found none");
    if (wanted.empty()) return outputs;
    std::vector<Output> chosen;
    for (const std::string& name : wanted) {
        const auto known = std::find_if(outputs.begin(), outputs.end(),
                                        [&](const Output& output) { return output.name == name; });
        if (known == outputs.end())
            throw UserError("option --outputs: expected an output of " + a.file + " and " + b.file +
                            ", found " + config::found(name));
        chosen.push_back(*known);
    }
    return chosen;
}

/// Outputs of `there` that `here` does not have.
std::vector<std::string> missing_in(const ResultsHead& here, const ResultsHead& there) {
    std::vector<std::string> names;
    for (const Output& output : there.outputs) {
        const auto same = [&](const Output& other) { return other.name == output.name; };
        if (std::none_of(here.outputs.begin(), here.outputs.end(), same)) names.push_back(output.name);
    }
    return names;
}

/// What has one value for all points of a side that are looked at.
Given settled(const Side& side) {
    Given settled = side.head.settings;
    for (std::size_t o = 0; o < side.others.size(); ++o)
        if (!side.other_values[o].empty())
            settled.emplace_back(side.others[o], *side.other_values[o].begin());
    return settled;
}

std::vector<Comparison::Common> common_of(const Side& a, const Side& b) {
    const Given in_a = settled(a), in_b = settled(b);
    const auto find = [](const Given& given, const std::string& name) -> std::optional<std::string> {
        for (const auto& [known, value] : given)
            if (known == name) return value;
        return {};
    };
    std::vector<Comparison::Common> all;
    for (const auto& [name, value] : in_a) {
        const auto other = find(in_b, name);
        if (!other || !same_value(value, *other)) all.push_back({name, value, other});
    }
    for (const auto& [name, value] : in_b)
        if (!find(in_a, name)) all.push_back({name, {}, value});
    return all;
}

void check_given(const Given& at, const ResultsHead& a, const ResultsHead& b) {
    for (const auto& given : at) {
        const auto known = [&](const ResultsHead& head) {
            return position(head.parameters, given.first) != head.parameters.size();
        };
        if (given.first != "base" && !known(a) && !known(b))
            throw UserError("option --at: expected an axis of " + a.file + " or " + b.file + ", found " +
                            config::found(given.first));
    }
}

}  // namespace

bool Comparison::equal() const {
    return only_outputs[0].empty() && only_outputs[1].empty() && changes.empty() && only[0].empty() &&
           only[1].empty() && failed[0].empty() && failed[1].empty();
}

Comparison compare(const std::string& a_path, const std::string& b_path, double tolerance, const Given& at,
                   const std::vector<std::string>& outputs) {
    const ResultsHead a_head = head_of(a_path), b_head = head_of(b_path);
    check_given(at, a_head, b_head);
    Comparison result;
    result.a = a_head.file;
    result.b = b_head.file;
    result.names = common_names(a_head, b_head);
    result.outputs = common_outputs(a_head, b_head, outputs);
    if (outputs.empty()) result.only_outputs = {missing_in(b_head, a_head), missing_in(a_head, b_head)};
    const Side a = read_side(a_path, result.names, at), b = read_side(b_path, result.names, at);
    require_single(a, b.head.file);
    require_single(b, a.head.file);
    if (a.places.empty() && b.places.empty())
        throw UserError("results " + a_head.file + ": expected points to compare, found none");
    result.common = common_of(a, b);
    for (const auto& key : a.order) {
        const Repeated& in_a = a.places.at(key);
        const auto found = b.places.find(key);
        if (found == b.places.end()) {
            result.only[0].push_back({in_a.values, in_a.error});
            continue;
        }
        const Repeated& in_b = found->second;
        ++result.compared;
        if (in_a.error.empty() != in_b.error.empty())
            result.failed[in_a.error.empty() ? 1 : 0].push_back({in_a.values, in_a.error + in_b.error});
        if (in_a.succeeded == 0 || in_b.succeeded == 0) continue;
        const std::size_t before = result.changes.size();
        for (std::size_t o = 0; o < result.outputs.size(); ++o) {
            auto change = change_of(a, in_a, b, in_b, result.outputs[o].name, tolerance, result.uncertain);
            if (!change) continue;
            change->output = o;
            change->values = in_a.values;
            result.changes.push_back(*change);
        }
        if (result.changes.size() != before) ++result.moved;
    }
    for (const auto& key : b.order) {
        const Repeated& in_b = b.places.at(key);
        if (a.places.count(key) == 0) result.only[1].push_back({in_b.values, in_b.error});
    }
    std::stable_sort(result.changes.begin(), result.changes.end(),
                     [](const Change& one, const Change& other) { return size_of(one) > size_of(other); });
    return result;
}

}  // namespace tlmetry::explore
