// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/tlp/text.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace tlmetry::tlp {

namespace {

constexpr std::array<std::string_view, kinds> kind_names{
    "MRd",      "MRdLk", "MWr", "IORd", "IOWr", "CfgRd0", "CfgWr0", "CfgRd1", "CfgWr1", "DMWr",
    "FetchAdd", "Swap",  "CAS", "Msg",  "MsgD", "Cpl",    "CplD",   "CplLk",  "CplDLk"};
constexpr std::array<std::string_view, categories> category_names{"posted", "non-posted", "completion"};

constexpr std::uint32_t max_bus = 0xff;
constexpr std::uint32_t max_device = 0x1f;
constexpr std::uint32_t max_function = 7;

/// A hexadecimal number of one or two digits up to `highest`.
std::optional<std::uint32_t> hex(std::string_view text, std::uint32_t highest) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size() || text.size() > 2 || value > highest)
        return std::nullopt;
    return value;
}

}  // namespace

std::string_view name_of(Kind kind) {
    return kind_names[static_cast<unsigned>(kind)];
}

std::string_view name_of(Category category) {
    return category_names[static_cast<unsigned>(category)];
}

std::string_view status_name(std::uint8_t status) {
    switch (status) {
        case successful:
            return "SC";
        case unsupported_request:
            return "UR";
        case request_retry:
            return "CRS";
        case completer_abort:
            return "CA";
        default:
            return "reserved";
    }
}

std::string_view message_name(std::uint8_t code) {
    switch (code) {
        case 0x00:
            return "Unlock";
        case 0x01:
            return "Invalidate_Request";
        case 0x02:
            return "Invalidate_Completion";
        case 0x04:
            return "Page_Request";
        case 0x05:
            return "PRG_Response";
        case 0x10:
            return "LTR";
        case 0x12:
            return "OBFF";
        case 0x14:
            return "PM_Active_State_Nak";
        case 0x18:
            return "PM_PME";
        case 0x19:
            return "PME_Turn_Off";
        case 0x1b:
            return "PME_TO_Ack";
        case 0x20:
            return "Assert_INTA";
        case 0x21:
            return "Assert_INTB";
        case 0x22:
            return "Assert_INTC";
        case 0x23:
            return "Assert_INTD";
        case 0x24:
            return "Deassert_INTA";
        case 0x25:
            return "Deassert_INTB";
        case 0x26:
            return "Deassert_INTC";
        case 0x27:
            return "Deassert_INTD";
        case 0x30:
            return "ERR_COR";
        case 0x31:
            return "ERR_NONFATAL";
        case 0x33:
            return "ERR_FATAL";
        case 0x50:
            return "Set_Slot_Power_Limit";
        case 0x52:
            return "PTM_Request";
        case 0x53:
            return "PTM_Response";
        case 0x7e:
            return "Vendor_Defined_Type_0";
        case 0x7f:
            return "Vendor_Defined_Type_1";
        default:
            return {};
    }
}

std::string format_bdf(std::uint16_t id) {
    constexpr char digits[] = "0123456789abcdef";
    return {digits[id >> 12],         digits[id >> 8 & 15], ':',
            digits[id >> 7 & 1],      digits[id >> 3 & 15], '.',
            digits[id & max_function]};
}

std::optional<std::uint16_t> parse_bdf(std::string_view text) {
    constexpr std::string_view domain = "0000:";
    if (text.substr(0, domain.size()) == domain) text.remove_prefix(domain.size());
    const std::size_t colon = text.find(':');
    const std::size_t dot = text.find('.');
    if (colon == std::string_view::npos || dot == std::string_view::npos || dot < colon) return std::nullopt;
    const auto bus = hex(text.substr(0, colon), max_bus);
    const auto device = hex(text.substr(colon + 1, dot - colon - 1), max_device);
    const auto function = hex(text.substr(dot + 1), max_function);
    if (!bus || !device || !function) return std::nullopt;
    return static_cast<std::uint16_t>(*bus << 8 | *device << 3 | *function);
}

}  // namespace tlmetry::tlp
