// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/command_line.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>

#include <set>
#include <sstream>

namespace tlmetry::config {
namespace po = boost::program_options;
namespace {

[[noreturn]] void refuse_unknown(const po::basic_option<char>& option, const po::options_description& own,
                                 const Registry& registry) {
    std::string name = option.original_tokens.empty() ? option.string_key : option.original_tokens.front();
    name = name.substr(0, name.find('='));
    std::vector<std::string> names;
    for (const auto& known : own.options()) {
        names.push_back("--" + known->long_name());
    }
    for (const Parameter& parameter : registry.parameters()) {
        names.push_back("--" + parameter.name);
    }
    const std::string best = closest(name, names);
    throw UserError("option " + shortened(name) + ": no option has this name" +
                    (best.empty() ? "" : ", did you mean " + best + "?"));
}

/// A value in a word of its own that is another option: the option before it was left without one.
void refuse_option_as_value(const po::basic_option<char>& option) {
    if (option.original_tokens.size() != 2) return;
    const std::string& value = option.original_tokens[1];
    const bool negative = value.size() > 1 && (value[1] == '.' || (value[1] >= '0' && value[1] <= '9'));
    if (value.size() < 2 || value[0] != '-' || negative) return;
    throw UserError("option --" + option.string_key + ": expected a value, found the option " + found(value) +
                    " (a value that begins with - goes behind =, as --" + option.string_key + "=" + value +
                    ")");
}

bool may_come_again(const po::options_description& own, const std::string& name) {
    const po::option_description* option = own.find_nothrow(name, false);
    return option != nullptr && option->semantic()->is_composing();
}

/// Takes the words `--NAME=` out, which boost refuses: an empty text is a value where a parameter can be one.
std::vector<std::string> without_empty_values(const std::vector<std::string>& words,
                                              const po::options_description& own, const Registry& registry,
                                              std::vector<Assignment>& parameters) {
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        const bool empty =
            word.size() > 3 && word.compare(0, 2, "--") == 0 && word.find('=') == word.size() - 1;
        const std::string name = empty ? word.substr(2, word.size() - 3) : "";
        if (empty && registry.find(name)) {
            parameters.push_back({name, "", "option --" + name});
            continue;
        }
        if (empty && own.find_nothrow(name, false) != nullptr)
            throw UserError("option --" + name + ": expected a value, found nothing");
        rest.push_back(word);
    }
    return rest;
}

/// An option whose value may be missing would take the next word for it, were it a file to be read: its value
/// is behind = only, and it goes where no word follows.
std::vector<std::string> bare_options_last(const std::vector<std::string>& words,
                                           const po::options_description& own) {
    std::vector<std::string> first;
    std::vector<std::string> last;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--") {
            // What is behind are arguments.
            first.insert(first.end(), last.begin(), last.end());
            first.insert(first.end(), word, words.end());
            return first;
        }
        const bool named =
            word->size() > 2 && word->compare(0, 2, "--") == 0 && word->find('=') == word->npos;
        const po::option_description* const option =
            named ? own.find_nothrow(word->substr(2), false) : nullptr;
        const bool may_lack = option != nullptr && option->semantic()->min_tokens() == 0 &&
                              option->semantic()->max_tokens() != 0;
        (may_lack ? last : first).push_back(*word);
    }
    first.insert(first.end(), last.begin(), last.end());
    return first;
}

}  // namespace

po::options_description own_options() {
    return po::options_description("Options", text_width);
}

std::string options_text(const po::options_description& options) {
    std::stringstream text;
    text << options;
    std::string result;
    for (std::string line; std::getline(text, line);) {
        result += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return result;
}

CommandLine parse_command_line(const std::vector<std::string>& words, const po::options_description& own,
                               const Registry& registry) {
    po::options_description all;
    all.add(own);
    for (const Parameter& parameter : registry.parameters()) {
        all.add_options()(parameter.name.c_str(), po::value<std::string>());
    }
    po::positional_options_description arguments;
    arguments.add("argument", -1);

    CommandLine result;
    try {
        const auto parsed =
            po::command_line_parser(
                bare_options_last(without_empty_values(words, own, registry, result.parameters), own))
                .options(all)
                .positional(arguments)
                .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                .allow_unregistered()
                .run();
        po::parsed_options rest(&own);
        std::set<std::string> seen;
        for (const Assignment& empty : result.parameters) {
            if (!seen.insert(empty.name).second)
                throw UserError("option --" + empty.name + " is given more than once");
        }
        for (const po::basic_option<char>& option : parsed.options) {
            if (option.position_key != -1) {
                result.arguments.push_back(option.value.front());
            } else if (option.unregistered) {
                refuse_unknown(option, own, registry);
            } else if (!seen.insert(option.string_key).second && !may_come_again(own, option.string_key)) {
                throw UserError("option --" + option.string_key + " is given more than once");
            } else if (refuse_option_as_value(option); !registry.find(option.string_key)) {
                if (!option.value.empty() && option.value.front().empty())
                    throw UserError("option --" + option.string_key + ": expected a value, found nothing");
                rest.options.push_back(option);
            } else {
                result.parameters.push_back(
                    {option.string_key, option.value.front(), "option --" + option.string_key});
            }
        }
        po::store(rest, result.options);
        po::notify(result.options);
    } catch (const po::error& error) {
        throw UserError(std::string("command line: ") + error.what());
    }
    return result;
}

void CommandLine::add_short(const std::string& option, const std::string& parameter) {
    if (options.count(option) == 0) return;
    for (const Assignment& given : parameters) {
        if (given.name == parameter)
            throw UserError("options --" + option + " and --" + parameter +
                            " set the same parameter, expected one of them");
    }
    parameters.push_back({parameter, options[option].as<std::string>(), "option --" + option});
}

}  // namespace tlmetry::config
