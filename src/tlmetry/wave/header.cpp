// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/wave/header.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <tuple>
#include <utility>

namespace tlmetry::wave {
namespace {

constexpr std::uint64_t max_header_bytes = 256U << 20;
constexpr std::size_t max_scope_depth = 4096;

template <typename Number>
bool read_number(std::string_view s, Number& number) {
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), number);
    return error == std::errc() && end == s.data() + s.size();
}

// "3", "3:0", "3 downto 0", "0 to 3"
std::optional<Range> parse_range(const std::string& inside) {
    Range range;
    for (const std::string_view separator : {":", " downto ", " to "}) {
        const std::size_t at = inside.find(separator);
        if (at == std::string::npos) continue;
        const std::string_view all = inside;
        if (read_number(trimmed(all.substr(0, at)), range.left) &&
            read_number(trimmed(all.substr(at + separator.size())), range.right))
            return range;
        return std::nullopt;
    }
    if (!read_number(trimmed(inside), range.left)) return std::nullopt;
    range.right = range.left;
    return range;
}

// \name of Verilog ends with white space, \name\ of VHDL with its second backslash.
std::pair<std::string_view, std::string_view> split_escaped(std::string_view s) {
    for (std::size_t at = s.find('\\', 1); at != std::string_view::npos; at = s.find('\\', at + 1)) {
        const std::string_view behind = s.substr(at + 1);
        if (behind.empty() || behind[0] == ' ' || behind[0] == '[' || behind[0] == '(')
            return {s.substr(1, at - 1), behind};
    }
    const std::size_t end = std::min(s.find(' '), s.size());
    return {s.substr(1, end - 1), s.substr(end)};
}

void name_variable(Variable& variable, std::string_view declared) {
    std::string_view escaped;
    if (declared[0] == '\\') std::tie(escaped, declared) = split_escaped(declared);
    auto [plain, range] = split_index(declared);
    // One index on several bits picks an element of an array: part of the name.
    if (range && range->left == range->right && variable.width != 1) {
        plain = declared;
        range.reset();
    }
    variable.name = escaped;
    std::copy_if(plain.begin(), plain.end(), std::back_inserter(variable.name),
                 [](char c) { return c != ' '; });
    if (range && range->size() == variable.width) variable.range = range;
}

class HeaderParser {
public:
    HeaderParser(Scanner& scanner, IdTable& ids) : m_scanner(scanner), m_ids(ids) {}

    Header parse();

private:
    std::string_view word(const char* expected);
    void expect_end(const std::string& keyword);
    std::string rest(const std::string& keyword);
    void parse_timescale();
    void parse_scope();
    void parse_variable();

    Scanner& m_scanner;
    IdTable& m_ids;
    Header m_header;
    std::uint32_t m_scope = 0;
    std::size_t m_depth = 0;
};

std::string_view HeaderParser::word(const char* expected) {
    const std::string_view next = m_scanner.next_word();
    if (next.empty()) m_scanner.fail(expected, end_of_file);
    if (m_scanner.offset() > max_header_bytes)
        m_scanner.fail("a header of at most " + std::to_string(max_header_bytes >> 20) + " MiB",
                       "a longer one");
    return next;
}

void HeaderParser::expect_end(const std::string& keyword) {
    const std::string expected = "$end behind " + keyword;
    const std::string_view next = word(expected.c_str());
    if (next != "$end") m_scanner.fail(expected, shown(next));
}

// The words up to $end, joined with single spaces.
std::string HeaderParser::rest(const std::string& keyword) {
    const std::string expected = "$end behind " + keyword;
    std::string joined;
    for (;;) {
        const std::string_view next = word(expected.c_str());
        if (next == "$end") return joined;
        if (next == "$var" || next == "$scope" || next == "$upscope" || next == "$enddefinitions")
            m_scanner.fail(expected, shown(next));
        if (!joined.empty()) joined += ' ';
        joined += next;
    }
}

void HeaderParser::parse_timescale() {
    const std::string declared = rest("$timescale");
    const std::size_t digits = std::min(declared.find_first_not_of("0123456789"), declared.size());
    time_fs tick_fs = 0;
    const bool numeric = read_number(std::string_view(declared).substr(0, digits), tick_fs);
    const std::string unit = lower(trimmed(std::string_view(declared).substr(digits)));
    constexpr std::array<std::pair<const char*, time_fs>, 6> units{{{"fs", 1},
                                                                    {"ps", fs_per_ps},
                                                                    {"ns", fs_per_ns},
                                                                    {"us", fs_per_us},
                                                                    {"ms", fs_per_ms},
                                                                    {"s", fs_per_s}}};
    const auto* const found =
        std::find_if(units.begin(), units.end(), [&](const auto& entry) { return unit == entry.first; });
    if (!numeric || (tick_fs != 1 && tick_fs != 10 && tick_fs != 100) || found == units.end())
        m_scanner.fail("a timescale of 1, 10 or 100 fs, ps, ns, us, ms or s", shown(declared));
    tick_fs *= found->second;
    if (m_header.tick_fs != 0 && m_header.tick_fs != tick_fs)
        m_scanner.fail("one timescale", "a second, different one of " + shown(declared));
    m_header.tick_fs = tick_fs;
}

void HeaderParser::parse_scope() {
    std::string declared = rest("$scope");
    if (declared.empty()) m_scanner.fail("a scope type behind $scope", "'$end'");
    declared.erase(0, std::min(declared.find(' '), declared.size()));
    std::string_view name = trimmed(declared);
    if (!name.empty() && name[0] == '\\') name = split_escaped(name).first;
    if (++m_depth > max_scope_depth)
        m_scanner.fail("at most " + std::to_string(max_scope_depth) + " nested scopes", "one more");
    m_header.scopes.push_back({m_scope, std::string(name)});
    m_scope = static_cast<std::uint32_t>(m_header.scopes.size() - 1);
}

void HeaderParser::parse_variable() {
    Variable variable;
    const std::string type = lower(word("a variable type behind $var"));
    if (type == "real" || type == "realtime" || type == "string" || type == "event")
        variable.kind = VariableKind::other;
    const std::string_view width = word("the width of the variable");
    if (!read_number(width, variable.width)) m_scanner.fail("the width of the variable", shown(width));
    const std::string_view id = word("the identifier code of the variable");
    if (id == "$end") m_scanner.fail("the identifier code of the variable", shown(id));
    variable.id = m_ids.insert(id);
    variable.scope = m_scope;
    const std::string declared = rest("$var");
    if (declared.empty()) m_scanner.fail("the name of the variable", "'$end'");
    name_variable(variable, declared);
    m_header.variables.push_back(std::move(variable));
}

Header HeaderParser::parse() {
    m_header.source = m_scanner.input().name();
    m_header.scopes.emplace_back();
    for (;;) {
        const std::string keyword(word("$enddefinitions"));
        if (keyword == "$enddefinitions") break;
        if (keyword == "$var") {
            parse_variable();
        } else if (keyword == "$scope") {
            parse_scope();
        } else if (keyword == "$upscope") {
            if (m_depth-- == 0) m_scanner.fail("a $scope for every $upscope", "one $upscope more");
            m_scope = m_header.scopes[m_scope].parent;
            expect_end(keyword);
        } else if (keyword == "$timescale") {
            parse_timescale();
        } else if (keyword[0] == '$' && keyword != "$end") {
            m_scanner.skip_section(keyword);
        } else {
            m_scanner.fail("a VCD declaration such as $var or $enddefinitions", shown(keyword));
        }
    }
    expect_end("$enddefinitions");
    if (m_header.tick_fs == 0) m_scanner.fail("a $timescale before $enddefinitions", "none");
    m_header.ids = m_ids.size();
    return std::move(m_header);
}

}  // namespace

IndexedName split_index(std::string_view s) {
    s = trimmed(s);
    if (s.empty() || (s.back() != ']' && s.back() != ')')) return {s, std::nullopt};
    const std::size_t open = s.rfind(s.back() == ']' ? '[' : '(');
    if (open == std::string_view::npos) return {s, std::nullopt};
    const auto range = parse_range(lower(s.substr(open + 1, s.size() - open - 2)));
    if (!range) return {s, std::nullopt};
    return {trimmed(s.substr(0, open)), range};
}

std::string Header::path(const Variable& variable) const {
    std::vector<const std::string*> names{&variable.name};
    for (std::uint32_t scope = variable.scope; scope != 0; scope = scopes[scope].parent)
        if (!scopes[scope].name.empty()) names.push_back(&scopes[scope].name);
    std::string result = *names.back();
    for (std::size_t i = names.size() - 1; i-- > 0;)
        (result += '.') += *names[i];
    return result;
}

Header parse_header(Scanner& scanner, IdTable& ids) {
    return HeaderParser(scanner, ids).parse();
}

}  // namespace tlmetry::wave
