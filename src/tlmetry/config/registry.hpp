// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/kind.hpp>

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tlmetry::config {

/// One of the texts of a parameter that has any number of them, each with an argument.
struct Entry {
    std::string argument;
    std::string text;
    std::string place;  ///< as in Assignment, with the argument
};

/// One named parameter and the access to the variable it is bound to.
struct Parameter {
    std::string name;          ///< section and key: telemetry.drain_period
    std::string doc;           ///< one line
    std::string explanation;   ///< more for those who ask; may be empty
    std::string expected;      ///< what values are legal, with unit and range
    std::string default_text;  ///< value of the variable when it was bound
    std::string place;         ///< what set the value, as in Assignment; empty for the default
    bool json_literal = false;
    bool list = false;
    std::vector<Entry>* entries = nullptr;  ///< of a parameter with arguments

    std::function<bool(std::string_view)> assign;  ///< false, and no change, when the text is not legal
    std::function<std::string()> text;             ///< the value; assign() reads it back as it is

    std::string_view section() const { return std::string_view(name).substr(0, name.rfind('.')); }
    std::string_view key() const { return std::string_view(name).substr(name.rfind('.') + 1); }
};

/// A value for a parameter as some source gives it.
struct Assignment {
    std::string name;
    std::string text;
    std::string place;  ///< begins the error message: `a.ini:3: telemetry.cnt_width`, `option
                        ///< --telemetry.cnt_width`
};

/// All parameters of a program. Variables stay where they are, in plain structs: the registry refers to them,
/// and they must outlive it. What a variable holds when it is added is its default.
class Registry {
public:
    struct SectionInfo {
        std::string name;
        std::string doc;
    };

    /// Adds parameters to one section, each in one line:
    /// `section.add("drain_period", config.drain_period, power_of_two(32, 65536, "cycles"), "Cycles between
    /// ...");`
    class Section {
    public:
        /// Throws std::logic_error when the name is taken or badly formed, or the default is not legal
        /// itself: mistakes of the program.
        template <class T>
        Section& add(const std::string& key, T& variable, const std::common_type_t<Kind<T>>& kind,
                     std::string doc, std::string explanation = {}) {
            Parameter parameter;
            parameter.name = m_name + "." + key;
            parameter.doc = std::move(doc);
            parameter.explanation = std::move(explanation);
            parameter.expected = kind.expected;
            parameter.json_literal = kind.json_literal;
            parameter.list = kind.list;
            parameter.default_text = kind.print(variable);
            parameter.text = [&variable, print = kind.print] { return print(variable); };
            parameter.assign = [&variable, parse = kind.parse](std::string_view text) {
                auto value = parse(text);
                if (value) variable = std::move(*value);
                return value.has_value();
            };
            m_registry.add(std::move(parameter));
            return *this;
        }

        /// Adds a parameter with arguments. A file gives some of its texts in each line `key ARGUMENT = TEXT,
        /// TEXT`, which come behind those that are there. Its value as a whole is `ARGUMENT TEXT, ARGUMENT
        /// TEXT`, or `none`.
        Section& add_entries(const std::string& key, std::vector<Entry>& entries, std::string expected,
                             std::string doc, std::string explanation);

    private:
        friend class Registry;
        Section(Registry& registry, std::string name) : m_registry(registry), m_name(std::move(name)) {}
        Registry& m_registry;
        std::string m_name;
    };

    /// Opens a section, new or known already.
    Section section(const std::string& name, const std::string& doc);

    /// Throws UserError, one sentence, when there is no such parameter or the text is no legal value of it.
    void set(const Assignment& assignment);
    void set(const std::vector<Assignment>& assignments);

    /// Null when there is none.
    const Parameter* find(std::string_view name) const;

    /// `, did you mean telemetry.drain_period?`, or empty when nothing comes near.
    std::string suggestion(std::string_view name) const;

    /// In the order in which they were added.
    const std::deque<Parameter>& parameters() const { return m_parameters; }
    const std::vector<SectionInfo>& sections() const { return m_sections; }

private:
    void add(Parameter parameter);
    bool add_to_entries(const Assignment& assignment);

    std::deque<Parameter> m_parameters;
    std::vector<SectionInfo> m_sections;
};

}  // namespace tlmetry::config
