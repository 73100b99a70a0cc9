// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::generator {

/// How the sizes of operations are spread.
enum class SizeKind {
    fixed,      ///< always `bytes`
    list,       ///< the sizes of `list` by their weights
    range,      ///< evenly over min_bytes, min_bytes + step_bytes, ... up to max_bytes
    normal,     ///< the same values, weighted by a bell curve of mean_bytes and deviation_bytes
    geometric,  ///< the same values, each less frequent than the one before by the same factor
};

/// Equally likely sizes base, base + step, ... (count of them), and how often one of them comes.
struct SizeBand {
    std::uint32_t base;
    std::uint32_t step;
    std::uint32_t count;
    double weight;
};

/// The size of the operations of one direction, in bytes.
struct Size {
    SizeKind kind = SizeKind::fixed;
    std::uint32_t bytes = 256;
    std::string list = "64:0.4,256:0.5,1500:0.1";  ///< size:weight, ...; a weight left out is 1
    std::uint32_t min_bytes = 64;
    std::uint32_t max_bytes = 4096;
    std::uint32_t step_bytes = 1;
    /// Of normal: where the bell is highest; cutting it at the limits moves the average if it is not in
    /// their middle. Of geometric: the average, exactly; it lies below the middle of the limits.
    std::uint32_t mean_bytes = 256;
    std::uint32_t deviation_bytes = 64;  ///< of normal, before cutting

    /// A size that is always the same.
    static Size fixed(std::uint32_t bytes);
    /// Sizes by weight, as in `list`.
    static Size weighted(std::string list);

    /// Throws UserError for a value out of its limits; `name` is the parameter that the message names, as in
    /// `generator.read_size`.
    void validate(const std::string& name) const;

    /// The distribution as at most max_size_bands bands. Throws UserError like validate().
    std::vector<SizeBand> bands(const std::string& name) const;

    bool operator==(const Size& other) const;
};

/// Average and largest size of a distribution.
double mean_bytes(const std::vector<SizeBand>& bands);
std::uint32_t largest_bytes(const std::vector<SizeBand>& bands);

inline constexpr std::uint32_t max_operation_bytes = std::uint32_t{1} << 24;
inline constexpr std::uint32_t max_size_bands = 1024;

}  // namespace tlmetry::generator
