// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/counts.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::account {

/// What stands between the signalling rate of a link and the payload that is of use. The useful share of the
/// raw rate is the product of all.
enum class Factor : std::size_t {
    encoding,  ///< F1: data / raw; SKP included
    header,    ///< F2: payload / TLPs that came through
    retry,     ///< F3: TLPs that came through / these and those sent in vain
    dllp,      ///< TLPs / TLPs and DLLPs
    window,    ///< F4: the link was busy / busy, or idle while requests waited for tags, space or headers
    path,      ///< F5: these / these, or idle while requests waited for RQ or the other direction
    demand,    ///< F6: these / all of the time: nothing was there in the rest, or its payload not yet
};
inline constexpr std::size_t factors = 7;
struct FactorName {
    const char* symbol;
    const char* name;
    const char* short_name;
};
inline constexpr std::array<FactorName, factors> factor_names{{{"F1", "encoding", "coding"},
                                                               {"F2", "header", "header"},
                                                               {"F3", "retry", "retry"},
                                                               {"FD", "DLLP", "DLLP"},
                                                               {"F4", "window", "window"},
                                                               {"F5", "path", "path"},
                                                               {"F6", "demand", "demand"}}};

/// The factors of one direction.
struct Cascade {
    double ceiling = 0;  ///< raw rate, bytes per second
    std::array<double, factors> factor{};
    double arrived = 1;  ///< useful payload / payload sent in the same time, the rest is under way or lost
    double useful = 0;   ///< payload, bytes per second

    double operator[](Factor f) const { return factor[static_cast<std::size_t>(f)]; }
    double& operator[](Factor f) { return factor[static_cast<std::size_t>(f)]; }
    /// What they say together, bytes per second.
    double product() const;
};

/// Of one direction in `seconds`; a factor of nothing is 1.
Cascade measured(const EndpointCounts& counts, const DirectionCounts& direction, double seconds);

/// Something that must be, and whether it is.
struct Identity {
    std::string name;
    std::string numbers;  ///< both sides of it
    bool holds = true;
};
/// Of one endpoint.
std::vector<Identity> identities(const EndpointCounts& counts, double seconds);

}  // namespace tlmetry::account
