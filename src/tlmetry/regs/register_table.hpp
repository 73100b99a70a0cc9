// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tlmetry::regs {

/// Who may do what with a register. A word that may not be read reads as zero; a write to one that may not be
/// written does nothing.
enum class Access { ro, wo, rw };

/// "RO", "WO" or "RW".
constexpr std::string_view access_name(Access access) {
    return access == Access::ro ? "RO" : access == Access::wo ? "WO" : "RW";
}

/// A bit field of a 32-bit register.
struct Field {
    std::string_view name;
    unsigned lsb = 0;
    unsigned width = 0;
    std::string_view doc;

    constexpr std::uint32_t max_value() const { return width >= 32 ? 0xFFFF'FFFFu : (1u << width) - 1; }
    constexpr std::uint32_t mask() const { return max_value() << lsb; }
    constexpr std::uint32_t extract(std::uint32_t word) const { return (word >> lsb) & max_value(); }

    /// `word` with this field replaced by `value`; bits that do not fit are cut off, as in the hardware.
    constexpr std::uint32_t insert(std::uint32_t word, std::uint32_t value) const {
        return (word & ~mask()) | ((value & max_value()) << lsb);
    }
    /// A word that holds `value` in this field and zero elsewhere.
    constexpr std::uint32_t make(std::uint32_t value) const { return insert(0, value); }
};

/// The fields of one register, lowest bit first.
class Fields {
public:
    static constexpr std::size_t capacity = 6;

    constexpr Fields() = default;
    constexpr Fields(std::initializer_list<Field> fields) {
        for (const Field& field : fields)
            m_fields[m_size++] = field;
    }
    constexpr const Field* begin() const { return m_fields.data(); }
    constexpr const Field* end() const { return m_fields.data() + m_size; }
    constexpr std::size_t size() const { return m_size; }

private:
    std::array<Field, capacity> m_fields{};
    std::size_t m_size = 0;
};

/// One line of a register map: a register, or `count` equal ones `stride` bytes apart.
struct Register {
    std::string_view name;
    std::uint32_t offset = 0;  ///< bytes from the base of the component
    Access access = Access::ro;
    std::uint32_t count = 1;
    std::uint32_t stride = 4;  ///< bytes from one to the next
    Fields fields;
    std::string_view value;  ///< constant or value after reset, in words
    std::string_view doc;

    constexpr std::uint32_t end() const { return offset + count * stride; }
};

/// True if every field has a name and lies inside 32 bits, and they neither overlap nor share a name.
constexpr bool fields_well_formed(const Fields& fields) {
    std::uint32_t used = 0;
    for (const Field& field : fields) {
        if (field.name.empty() || field.doc.empty() || field.width == 0) return false;
        if (field.lsb + field.width > 32 || (used & field.mask()) != 0 || (field.mask() - 1) < used)
            return false;
        used |= field.mask();
        for (const Field& other : fields)
            if (&other != &field && other.name == field.name) return false;
    }
    return true;
}

/// True if the registers are aligned, sorted by offset without overlap, uniquely named and documented.
template <std::size_t N>
constexpr bool table_well_formed(const std::array<Register, N>& table) {
    std::uint32_t free_from = 0;
    for (const Register& reg : table) {
        if (reg.name.empty() || reg.doc.empty() || reg.value.empty()) return false;
        if (reg.count == 0 || reg.stride == 0 || reg.stride % 4 != 0) return false;
        if (reg.offset % 4 != 0 || reg.offset < free_from || !fields_well_formed(reg.fields)) return false;
        free_from = reg.end();
        for (const Register& other : table)
            if (&other != &reg && other.name == reg.name) return false;
    }
    return true;
}

}  // namespace tlmetry::regs
