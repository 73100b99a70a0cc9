// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/page_plots.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/page_axis.hpp>
#include <tlmetry/explore/scale.hpp>

#include <algorithm>
#include <sstream>

namespace tlmetry::explore {

namespace {

using config::found;

constexpr const char* forms =
    "OUTPUT over AXIS [by AXIS], OUTPUT over AXIS and AXIS, or OUTPUT max against OUTPUT min";

/// Blanks and commas between words; a comma is a word of its own, and NAME = VALUE is one.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::string spaced;
    for (const char c : text)
        spaced += c == ',' ? std::string(" , ") : std::string(1, c);
    std::istringstream stream(spaced);
    for (std::string word; stream >> word;) {
        if (!words.empty() && (words.back().back() == '=' || word.front() == '=')) {
            words.back() += word;
        } else {
            words.push_back(word);
        }
    }
    return words;
}

class Reader {
public:
    Reader(const Plan& plan, const std::vector<Output>& outputs, const config::Assignment& line)
        : m_plan(plan), m_outputs(outputs), m_line(line), m_words(words_of(line.text)) {}

    Plot plot(const std::string& name) {
        Plot plot;
        plot.name = name;
        const bool scatter = std::find(m_words.begin(), m_words.end(), "against") != m_words.end();
        if (scatter) {
            plot.kind = Plot::Kind::scatter;
            plot.up = dimension();
            expect("against");
            plot.right = dimension();
        } else {
            do
                plot.outputs.push_back(output(next()));
            while (take(","));
            expect("over");
            plot.x = axis(next());
            if (take("and")) {
                plot.kind = Plot::Kind::heat_map;
                plot.other = axis(next());
            } else if (take("by")) {
                plot.other = axis(next());
            }
            if (take("at")) {
                do
                    plot.fixed.push_back(fixed());
                while (take(","));
            }
        }
        if (m_next != m_words.size()) refuse("nothing more, or at AXIS=VALUE");
        check(plot);
        return plot;
    }

private:
    [[noreturn]] void refuse(const std::string& expected) const {
        throw UserError(m_line.place + ": expected " + expected + ", found " +
                        (m_next < m_words.size() ? found(m_words[m_next]) : "the end"));
    }

    std::string next() {
        if (m_next == m_words.size()) refuse(forms);
        return m_words[m_next++];
    }

    bool take(const char* word) {
        if (m_next == m_words.size() || m_words[m_next] != word) return false;
        ++m_next;
        return true;
    }

    void expect(const char* word) {
        if (!take(word)) refuse(std::string(word) + " as in " + forms);
    }

    std::optional<std::size_t> find_output(const std::string& name) const {
        const auto at = std::find_if(m_outputs.begin(), m_outputs.end(),
                                     [&](const Output& output) { return output.name == name; });
        if (at == m_outputs.end()) return {};
        return static_cast<std::size_t>(at - m_outputs.begin());
    }

    std::size_t output(const std::string& name) {
        if (const auto number = find_output(name)) return *number;
        --m_next;
        refuse("an output of the plan");
    }

    std::optional<std::size_t> find_axis(const std::string& name) const {
        const std::size_t bases = bases_are_an_axis(m_plan) ? 1 : 0;
        if (bases == 1 && name == "base") return 0;
        for (std::size_t a = 0; a < m_plan.axes().size(); ++a) {
            const auto& names = m_plan.axes()[a].names();
            if (std::find(names.begin(), names.end(), name) != names.end()) return a + bases;
        }
        return {};
    }

    std::size_t axis(const std::string& name) {
        if (const auto number = find_axis(name)) return *number;
        --m_next;
        refuse("an axis of the plan");
    }

    Plot::Dimension dimension() {
        Plot::Dimension dimension;
        const std::string name = next();
        dimension.output = find_output(name);
        if (!dimension.output) {
            const auto number = find_axis(name);
            if (!number) {
                --m_next;
                refuse("an output or an axis of the plan");
            }
            dimension.axis = *number;
        }
        if (take("max")) dimension.better = Plot::Better::greatest;
        if (take("min")) dimension.better = Plot::Better::least;
        return dimension;
    }

    /// `ptc.tags=64`; the same number in another unit is the same value.
    Plot::Fixed fixed() {
        const std::string word = next();
        const std::size_t sign = std::min(word.find('='), word.size());
        const std::string name = word.substr(0, sign);
        const std::string text = word.substr(std::min(sign + 1, word.size()));
        Plot::Fixed fixed;
        fixed.axis = axis(name);
        const auto value = value_of(fixed.axis, name, text);
        if (!value) {
            --m_next;
            refuse("a value of " + name + " in the plan");
        }
        fixed.value = *value;
        return fixed;
    }

    std::optional<std::uint64_t> value_of(std::size_t page_axis, const std::string& name,
                                          const std::string& text) const {
        const std::size_t bases = bases_are_an_axis(m_plan) ? 1 : 0;
        if (page_axis < bases) {
            for (std::uint64_t b = 0; b < m_plan.bases().size(); ++b)
                if (m_plan.bases()[b].name == text) return b;
            return {};
        }
        const Axis& axis = m_plan.axes()[page_axis - bases];
        if (axis.unbounded()) return {};
        const auto at = static_cast<std::size_t>(std::find(axis.names().begin(), axis.names().end(), name) -
                                                 axis.names().begin());
        const auto wanted = number_of(text);
        for (std::uint64_t i = 0; i < axis.size(); ++i) {
            const std::string value = axis.values(i)[at];
            if (value == text) return i;
            const auto number = number_of(value);
            if (wanted && number && number->value == wanted->value) return i;
        }
        return {};
    }

    void check(const Plot& plot) const {
        const auto refuse_plot = [&](const std::string& expected, const std::string& found_text) {
            throw UserError(m_line.place + ": expected " + expected + ", found " + found(found_text));
        };
        if (plot.kind == Plot::Kind::heat_map && plot.outputs.size() > 1)
            refuse_plot("one output of a heat map", m_outputs[plot.outputs[1]].name + " as well");
        for (const std::size_t o : plot.outputs) {
            if (m_outputs[o].unit != m_outputs[plot.outputs.front()].unit)
                refuse_plot("outputs of one unit in one plot", m_outputs[o].name);
        }
        std::vector<std::size_t> axes = {plot.x};
        if (plot.other) axes.push_back(*plot.other);
        for (const Plot::Fixed& fixed : plot.fixed)
            axes.push_back(fixed.axis);
        std::sort(axes.begin(), axes.end());
        if (plot.kind != Plot::Kind::scatter && std::adjacent_find(axes.begin(), axes.end()) != axes.end())
            refuse_plot("different axes", m_line.text);
        if ((plot.right.better == Plot::Better::unknown) != (plot.up.better == Plot::Better::unknown))
            refuse_plot("max or min behind both sides of against, or behind none", m_line.text);
    }

    const Plan& m_plan;
    const std::vector<Output>& m_outputs;
    const config::Assignment& m_line;
    std::vector<std::string> m_words;
    std::size_t m_next = 0;
};

}  // namespace

PageSettings PageSettings::of(const Plan& plan, const std::vector<Output>& outputs) {
    constexpr std::string_view section = "page.", plot = "page.plot.";
    PageSettings settings;
    for (const config::Assignment& line : plan.page()) {
        if (line.name == "page.title") {
            settings.title = line.text;
        } else if (line.name == "page.text") {
            settings.text = line.text;
        } else if (line.name.compare(0, plot.size(), plot) == 0) {
            const std::string name = line.name.substr(plot.size());
            if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != name.npos)
                throw UserError(line.place + ": expected plot.NAME of small letters, digits and _, found " +
                                found(line.name.substr(section.size())));
            settings.plots.push_back(Reader(plan, outputs, line).plot(name));
        } else {
            throw UserError(line.place + ": expected title, text or plot.NAME in the section page, found " +
                            found(line.name.substr(section.size())));
        }
    }
    return settings;
}

}  // namespace tlmetry::explore
