// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/size.hpp"

#include "tlmetry/generator/range_check.hpp"

#include <tlmetry/base/alias_table.hpp>
#include <tlmetry/base/trimmed.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace tlmetry::generator {

namespace {

// Shares are computed with the four basic operations only, which give the same result on every machine.

/// x^n.
double power(double x, std::uint32_t n) {
    double result = 1;
    for (; n != 0; n >>= 1, x *= x)
        if ((n & 1) != 0) result *= x;
    return result;
}

template <class Number>
bool parse(std::string_view text, Number& number) {
    text = trimmed(text);
    if (text.empty() || text.front() < '0' || text.front() > '9') return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

std::vector<SizeBand> list_bands(const std::string& name, std::string_view list) {
    std::vector<SizeBand> bands;
    double total = 0;
    for (bool more = true; more;) {
        const std::size_t comma = list.find(',');
        const std::string_view entry = list.substr(0, comma);
        more = comma != std::string_view::npos;
        list.remove_prefix(more ? comma + 1 : list.size());

        const std::size_t colon = entry.find(':');
        std::uint32_t bytes = 0;
        double weight = 1;
        if (!parse(entry.substr(0, colon), bytes) ||
            (colon != std::string_view::npos && !parse(entry.substr(colon + 1), weight)) || weight > 1e9) {
            throw UserError(name + ": expected sizes with weights such as 64:0.4,256:0.6, found \"" +
                            std::string(entry) + "\"");
        }
        require_within(name, bytes, 1, max_operation_bytes, "bytes");
        if (weight > 0) bands.push_back({bytes, 1, 1, weight});
        total += weight;
    }
    if (bands.size() > max_size_bands) {
        throw UserError(name + ": expected at most " + std::to_string(max_size_bands) + " sizes, found " +
                        std::to_string(bands.size()));
    }
    if (!(total > 0)) throw UserError(name + ": expected a weight above 0, found none");
    return bands;
}

/// The values first, first + step, ... (points of them) in bands of equal width but the last; no weights yet.
std::vector<SizeBand> even_bands(std::uint32_t first, std::uint32_t step, std::uint32_t points) {
    const std::uint32_t width = (points + max_size_bands - 1) / max_size_bands;
    std::vector<SizeBand> bands;
    for (std::uint32_t k = 0; k < points; k += width)
        bands.push_back({first + k * step, step, std::min(width, points - k), 0});
    return bands;
}

double middle(const SizeBand& band) {
    return band.base + 0.5 * band.step * (band.count - 1);
}

std::vector<SizeBand> normal_bands(const Size& size, std::uint32_t points) {
    // Nothing worth a random number lies further out than this.
    const double reach = 7.0 * size.deviation_bytes;
    const auto index = [&](double bytes) {
        const double k = (bytes - size.min_bytes) / size.step_bytes;
        return static_cast<std::uint32_t>(std::clamp(k, 0.0, points - 1.0));
    };
    const std::uint32_t low = index(size.mean_bytes - reach);
    const std::uint32_t high = std::min(index(size.mean_bytes + reach) + 1, points - 1);
    std::vector<SizeBand> bands =
        even_bands(size.min_bytes + low * size.step_bytes, size.step_bytes, high - low + 1);
    for (SizeBand& band : bands) {
        const double z = (middle(band) - size.mean_bytes) / size.deviation_bytes;
        band.weight = band.count * exp_minus(z * z / 2);
    }
    return bands;
}

std::vector<SizeBand> geometric_bands(const Size& size, std::uint32_t points) {
    const double mean_step = static_cast<double>(size.mean_bytes - size.min_bytes) / size.step_bytes;
    // e^-32 of the operations would be larger still.
    const double worthwhile = 32 * (mean_step + 1) + 1;
    if (worthwhile < points) points = static_cast<std::uint32_t>(worthwhile);
    std::vector<SizeBand> bands = even_bands(size.min_bytes, size.step_bytes, points);
    double low = 0;
    double high = 1;
    for (int i = 0; i < 60; ++i) {
        const double factor = (low + high) / 2;
        double first = 1;  // weight of a band's first value
        for (SizeBand& band : bands) {
            const double next = first * power(factor, band.count);
            band.weight = first - next;  // of all its values, up to a common factor
            first = next;
        }
        (mean_bytes(bands) < size.mean_bytes ? low : high) = factor;
    }
    return bands;
}

}  // namespace

Size Size::fixed(std::uint32_t bytes) {
    Size size;
    size.bytes = bytes;
    return size;
}

Size Size::weighted(std::string list) {
    Size size;
    size.kind = SizeKind::list;
    size.list = std::move(list);
    return size;
}

void Size::validate(const std::string& name) const {
    bands(name);
}

std::vector<SizeBand> Size::bands(const std::string& name) const {
    if (kind == SizeKind::fixed) {
        require_within(name + ".bytes", bytes, 1, max_operation_bytes, "bytes");
        return {{bytes, 1, 1, 1}};
    }
    if (kind == SizeKind::list) return list_bands(name + ".list", list);

    require_within(name + ".min", min_bytes, 1, max_operation_bytes, "bytes");
    require_within(name + ".max", max_bytes, min_bytes, max_operation_bytes, "bytes");
    require_within(name + ".step", step_bytes, 1, max_operation_bytes, "bytes");
    const std::uint32_t points = (max_bytes - min_bytes) / step_bytes + 1;
    if (kind == SizeKind::range || points == 1) return {{min_bytes, step_bytes, points, 1}};

    const std::uint32_t last = min_bytes + (points - 1) * step_bytes;
    if (kind == SizeKind::normal) {
        require_within(name + ".mean", mean_bytes, min_bytes, last, "bytes");
        require_within(name + ".deviation", deviation_bytes, (step_bytes + 1) / 2, max_operation_bytes,
                       "bytes");
        return normal_bands(*this, points);
    }
    // Two values need an average of at least one byte more than the smaller.
    const std::uint32_t half = (last - min_bytes - 1) / 2;
    if (half == 0) return {{min_bytes, step_bytes, points, 1}};
    require_within(name + ".mean", mean_bytes, min_bytes + 1, min_bytes + half, "bytes");
    return geometric_bands(*this, points);
}

double mean_bytes(const std::vector<SizeBand>& bands) {
    double sum = 0;
    double total = 0;
    for (const SizeBand& band : bands) {
        sum += band.weight * middle(band);
        total += band.weight;
    }
    return sum / total;
}

std::uint32_t largest_bytes(const std::vector<SizeBand>& bands) {
    std::uint32_t largest = 0;
    for (const SizeBand& band : bands)
        largest = std::max(largest, band.base + band.step * (band.count - 1));
    return largest;
}

}  // namespace tlmetry::generator
