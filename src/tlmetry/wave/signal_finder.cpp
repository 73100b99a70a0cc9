// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/signal_finder.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace tlmetry::wave {
namespace {

std::size_t leaf_hash(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return std::hash<std::string>()(lower(dot == std::string_view::npos ? name : name.substr(dot + 1)));
}

bool is_last_part(std::string_view part, std::string_view path) {
    return path.size() > part.size() && path.substr(path.size() - part.size()) == part &&
           path[path.size() - part.size() - 1] == '.';
}

Range declared_range(const Variable& variable) {
    return variable.range.value_or(Range{static_cast<std::int32_t>(variable.width - 1), 0});
}

std::string range_text(const Range& range) {
    const std::string left = std::to_string(range.left);
    return range.left == range.right ? left : left + ":" + std::to_string(range.right);
}

}  // namespace

SignalFinder::SignalFinder(const Header& header) : m_header(header) {
    m_by_leaf.reserve(header.variables.size());
    for (const Variable& variable : header.variables)
        m_by_leaf.emplace_back(leaf_hash(variable.name), static_cast<std::uint32_t>(m_by_leaf.size()));
    std::sort(m_by_leaf.begin(), m_by_leaf.end());
}

Signal SignalFinder::find(std::string_view name, std::uint32_t width) const {
    std::optional<Signal> signal = look_up(name);
    if (!signal) fail(name, "a signal of this name", "none");
    if (width != 0 && signal->width != width)
        fail(name, std::to_string(width) + " bits",
             std::to_string(signal->width) + " (" + signal->name + ")");
    return *std::move(signal);
}

std::optional<Signal> SignalFinder::look_up(std::string_view name) const {
    Variables variables = matches(name);
    std::optional<Range> wanted;
    if (variables.empty()) {
        const IndexedName indexed = split_index(name);
        if (!indexed.range) return std::nullopt;
        variables = matches(indexed.name);
        wanted = indexed.range;
        if (variables.empty()) return std::nullopt;
    }
    std::map<std::string, Variables> by_path;
    for (const std::uint32_t v : variables)
        by_path[m_header.path(m_header.variables[v])].push_back(v);
    std::vector<Signal> found;
    for (const auto& [path, group] : by_path) {
        Signal signal = assemble(path, group);
        const auto is_alias = [&](const Signal& other) { return same_bits(other, signal); };
        if (std::none_of(found.begin(), found.end(), is_alias)) found.push_back(std::move(signal));
    }
    if (found.size() > 1) {
        constexpr std::size_t max_shown = 8;
        std::string candidates;
        for (std::size_t i = 0; i < found.size() && i < max_shown; ++i)
            candidates += (i == 0 ? "" : ", ") + found[i].name;
        if (found.size() > max_shown) candidates += ", ...";
        fail(name, "one signal of this name (give its full path or more of it)",
             std::to_string(found.size()) + " different ones: " + candidates);
    }
    return wanted ? slice(found.front(), *wanted) : found.front();
}

// The variables whose names fit best: of equal rank, see the class comment.
SignalFinder::Variables SignalFinder::matches(std::string_view name) const {
    const std::string name_lower = lower(name);
    const std::size_t hash = leaf_hash(name);
    Variables best;
    int best_rank = 4;
    for (auto entry = std::lower_bound(m_by_leaf.begin(), m_by_leaf.end(), std::make_pair(hash, 0U));
         entry != m_by_leaf.end() && entry->first == hash; ++entry) {
        const std::string path = m_header.path(m_header.variables[entry->second]);
        const std::string path_lower = lower(path);
        const int rank = path == name                           ? 0
                         : is_last_part(name, path)             ? 1
                         : path_lower == name_lower             ? 2
                         : is_last_part(name_lower, path_lower) ? 3
                                                                : 4;
        if (rank > best_rank || rank == 4) continue;
        if (rank < best_rank) best.clear();
        best_rank = rank;
        best.push_back(entry->second);
    }
    return best;
}

// Puts the variables of one path together to one signal.
Signal SignalFinder::assemble(const std::string& path, const Variables& variables) const {
    struct Part {
        Range range;
        std::uint32_t variable;
    };
    std::vector<Part> parts;
    for (const std::uint32_t v : variables) {
        const Variable& variable = m_header.variables[v];
        if (variable.kind != VariableKind::bits || variable.width == 0)
            fail(path, "a variable made of bits", "one without (a real, string or event, or of width 0)");
        if (variable.width > max_signal_bits) fail_width(path, variable.width);
        parts.push_back({declared_range(variable), v});
    }
    const auto id_of = [&](const Part& part) { return m_header.variables[part.variable].id; };
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::make_pair(a.range.low(), -a.range.high()) <
               std::make_pair(b.range.low(), -b.range.high());
    });
    bool ascending = false;
    std::vector<Part> chain;
    for (const Part& part : parts) {
        if (chain.empty() || part.range.low() == chain.back().range.high() + 1) {
            chain.push_back(part);
            ascending = ascending || part.range.left < part.range.right;
            continue;
        }
        const Range& last = chain.back().range;
        if (part.range.low() > last.high() + 1)
            fail(path, "bit " + std::to_string(last.high() + 1), "no variable that holds it");
        const bool same = part.range.low() == last.low() && part.range.high() == last.high();
        // A part of the one vector that holds everything says nothing new.
        if (same ? id_of(part) != id_of(chain.back()) : part.range.high() > last.high() || chain.size() > 1)
            fail(path, "one variable for each bit",
                 "two of this path for bit " + std::to_string(part.range.low()));
    }
    Signal signal{path, 0, {}};
    if (ascending) std::reverse(chain.begin(), chain.end());
    for (const Part& part : chain) {
        const std::uint32_t width = m_header.variables[part.variable].width;
        signal.pieces.push_back({part.variable, 0, signal.width, width});
        signal.width += width;
        if (signal.width > max_signal_bits) fail_width(path, signal.width);
    }
    return signal;
}

// Bit numbers of a signal from assemble().
Range SignalFinder::bits_of(const Signal& signal) const {
    const auto left = declared_range(m_header.variables[signal.pieces.back().variable]).left;
    const auto right = declared_range(m_header.variables[signal.pieces.front().variable]).right;
    return {left, right};
}

Signal SignalFinder::slice(const Signal& whole, const Range& wanted) const {
    const Range all = bits_of(whole);
    const std::string name = whole.name + "[" + range_text(wanted) + "]";
    if (wanted.low() < all.low() || wanted.high() > all.high())
        fail(name, "bits within " + range_text(all), range_text(wanted));
    if (wanted.size() > 1 && all.size() > 1 && (wanted.left < wanted.right) != (all.left < all.right))
        fail(name, "bits in the direction of " + range_text(all), range_text(wanted));
    const std::int64_t skipped = all.left < all.right ? all.right - wanted.high() : wanted.low() - all.right;
    const auto lsb = static_cast<std::uint32_t>(skipped);
    const auto width = static_cast<std::uint32_t>(wanted.size());
    Signal result{name, width, {}};
    for (const Piece& piece : whole.pieces) {
        const std::uint32_t begin = std::max(piece.signal_lsb, lsb);
        const std::uint32_t end = std::min(piece.signal_lsb + piece.width, lsb + width);
        if (begin < end)
            result.pieces.push_back({piece.variable, begin - piece.signal_lsb, begin - lsb, end - begin});
    }
    return result;
}

bool SignalFinder::same_bits(const Signal& a, const Signal& b) const {
    return std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(),
                      [&](const Piece& p, const Piece& q) {
                          return m_header.variables[p.variable].id == m_header.variables[q.variable].id &&
                                 p.width == q.width;
                      });
}

void SignalFinder::fail_width(std::string_view name, std::uint32_t width) const {
    fail(name, "at most " + std::to_string(max_signal_bits) + " bits", std::to_string(width));
}

void SignalFinder::fail(std::string_view name, const std::string& expected, const std::string& found) const {
    throw UserError(m_header.source + ": signal " + shown(name) + ": expected " + expected + ", found " +
                    found);
}

}  // namespace tlmetry::wave
