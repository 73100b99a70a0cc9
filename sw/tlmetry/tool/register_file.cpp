// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/json.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/layout.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/tool/register_file.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <ostream>

namespace tlmetry::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::uint32_t value, int digits) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%0*x", digits, value);
    return text;
}

/// What a message shows of a value found: short, and on one line whatever the file holds.
std::string shown(const Json& value) {
    if (value.is_structured()) return std::string("an ") + value.type_name();
    return config::shortened(value.dump(-1, ' ', true, Json::error_handler_t::replace));
}

/// One JSON document and the messages about it.
class Document {
public:
    explicit Document(const std::string& path)
        : m_path(path), m_root(config::read_json_object("register file", path)) {}

    [[noreturn]] void fail(const std::string& what) const { throw UserError(m_path + ": " + what); }

    /// `key` is what it is called in the file.
    [[noreturn]] void refuse(const std::string& key, const std::string& expected, const Json& found) const {
        fail("key " + key + ": expected " + expected + ", found " + shown(found));
    }

    /// nullptr where the file has no such key.
    const Json* find(const char* key) const {
        const auto found = m_root.find(key);
        return found == m_root.end() ? nullptr : &*found;
    }

    const Json& at(const char* key) const {
        const Json* value = find(key);
        if (value == nullptr) fail("key \"" + std::string(key) + "\" is missing");
        return *value;
    }

    const std::string& path() const { return m_path; }

private:
    std::string m_path;
    Json m_root;
};

/// "0x" and hexadecimal digits of at most 32 bits.
std::optional<std::uint32_t> parse_hex(std::string_view text) {
    if (text.size() < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) return std::nullopt;
    std::uint32_t value = 0;
    const auto result = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

driver::RegisterValues read_registers(const Document& document, const std::string& key, const Json& object) {
    const std::string quoted = "\"" + key + "\"";
    if (!object.is_object()) document.refuse(quoted, "an object of registers", object);
    driver::RegisterValues values;
    for (const auto& [name, value] : object.items()) {
        const auto offset = parse_hex(name);
        if (!offset || *offset % 4 != 0 || *offset >= regs::component_bytes)
            document.refuse(quoted, "register offsets such as \"0x0008\"", name);
        const auto word = value.is_string() ? parse_hex(value.get_ref<const std::string&>()) : std::nullopt;
        if (!word)
            document.refuse(quoted + " \"" + name + "\"", "32 bits as a string such as \"0x00020000\"",
                            value);
        if (!values.emplace(*offset, *word).second) document.refuse(quoted, "each register once", name);
    }
    return values;
}

std::vector<std::uint64_t> read_counters(const Document& document, const std::string& key, const Json& array,
                                         const driver::Layout& layout) {
    if (!array.is_array()) document.refuse(key, "an array of counters", array);
    if (array.size() != layout.counters)
        document.fail("key " + key + ": expected " + std::to_string(layout.counters) +
                      " counters as CFG_LAYOUT says, found " + std::to_string(array.size()));
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - layout.counter_width);
    std::vector<std::uint64_t> counters;
    counters.reserve(array.size());
    for (const Json& value : array) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
            document.refuse(key + "[" + std::to_string(counters.size()) + "]",
                            "an integer of " + std::to_string(layout.counter_width) + " bits", value);
        counters.push_back(value.get<std::uint64_t>());
    }
    return counters;
}

void check_schema(const Document& document) {
    const Json* schema = document.find("schema");
    if (schema != nullptr && *schema != Json(RegisterFile::schema))
        document.refuse("\"schema\"", "\"" + std::string(RegisterFile::schema) + "\"", *schema);
}

void read_seconds(const Document& document, RegisterFile& file) {
    const Json* seconds = document.find("seconds");
    file.has_seconds = seconds != nullptr;
    if (seconds == nullptr || seconds->is_null()) return;
    const double value = seconds->is_number() ? seconds->get<double>() : 0;
    if (!(value >= driver::shortest_interval_s && value <= driver::longest_interval_s))
        document.refuse("\"seconds\"", "a number from 1e-18 to 1e9, or null for totals", *seconds);
    file.seconds = value;
}

}  // namespace

RegisterFile read_register_file(const std::string& path) {
    const Document document(path);
    check_schema(document);

    RegisterFile file;
    file.registers = read_registers(document, "registers", document.at("registers"));
    if (const Json* second = document.find("registers_at_second_snapshot"))
        file.second_registers = read_registers(document, "registers_at_second_snapshot", *second);
    const driver::Layout layout(file.registers, path);
    for (std::uint32_t endpoint = 0; endpoint < layout.endpoints; ++endpoint)
        for (const std::uint32_t base :
             {regs::status, regs::pcie_status, regs::pcie_tags, regs::pcie_stfifo}) {
            const std::uint32_t offset = base == regs::status ? base : base + 4 * endpoint;
            if (file.registers.count(offset) == 0)
                document.fail("register " + std::string(regs::find_register(offset)->name) + " (" +
                              hex(offset, 4) + ") is missing");
        }

    if (const Json* window = document.find("counter_window")) {
        const auto base =
            window->is_string() ? parse_hex(window->get_ref<const std::string&>()) : std::nullopt;
        if (base != layout.counter_base)
            document.refuse("\"counter_window\"", "\"" + hex(layout.counter_base, 4) + "\" as CNT_BASE says",
                            *window);
    }
    read_seconds(document, file);

    const Json& snapshots = document.at("snapshots");
    if (!snapshots.is_array())
        document.refuse("\"snapshots\"", "an array of one or two snapshots", snapshots);
    if (snapshots.empty() || snapshots.size() > 2)
        document.fail("key \"snapshots\": expected one or two snapshots, found " +
                      std::to_string(snapshots.size()));
    for (std::size_t i = 0; i < snapshots.size(); ++i)
        file.snapshots.push_back(
            read_counters(document, "\"snapshots\"[" + std::to_string(i) + "]", snapshots[i], layout));
    if (file.seconds && file.snapshots.size() == 1)
        document.fail(
            "key \"snapshots\": expected two, the start and the end of the interval that \"seconds\" gives, "
            "found one");
    return file;
}

RegisterFile make_register_file(const driver::RegisterValues& configuration,
                                const driver::Recording& recording) {
    RegisterFile file;
    file.registers = configuration;
    file.registers.insert(recording.first.registers.begin(), recording.first.registers.end());
    file.snapshots.push_back(recording.first.counters);
    if (recording.second) {
        for (const auto& [offset, value] : recording.second->registers)
            if (file.registers.at(offset) != value) file.second_registers[offset] = value;
        file.snapshots.push_back(recording.second->counters);
    }
    file.has_seconds = true;
    file.seconds = recording.seconds();
    return file;
}

void write_register_file(std::ostream& out, const RegisterFile& file) {
    const auto registers = [](const driver::RegisterValues& values) {
        Json object = Json::object();
        for (const auto& [offset, value] : values)
            object[hex(offset, 4)] = hex(value, 8);
        return object.dump();
    };
    out << "{\n \"schema\": " << Json(RegisterFile::schema);
    if (file.has_seconds) out << ",\n \"seconds\": " << (file.seconds ? Json(*file.seconds) : Json());
    out << ",\n \"registers\": " << registers(file.registers);
    out << ",\n \"registers_at_second_snapshot\": " << registers(file.second_registers);
    out << ",\n \"snapshots\": [";
    for (std::size_t i = 0; i < file.snapshots.size(); ++i)
        out << (i == 0 ? "\n  " : ",\n  ") << Json(file.snapshots[i]);
    out << "\n ]\n}\n";
}

}  // namespace tlmetry::tool
