// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/account.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/shares.hpp>
#include <tlmetry/report/table.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tlmetry::account {

namespace {

using endpoint::TagManager;
using report::fixed;
using report::pad_left;
using report::pad_right;

constexpr double giga = 1e9;

// More endpoints than these are summed up.
constexpr std::size_t most_endpoints = 4;

/// Ceiling, factors, useful rate.
std::string row(const std::string& endpoint, const std::string& label,
                const std::vector<std::string>& cells) {
    std::string line = pad_right(endpoint, 6) + pad_right(label, 18);
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += pad_left(cells[i], i == 0 || i + 1 == cells.size() ? 9 : 7);
    return line + "\n";
}

std::string factor_row(const std::string& endpoint, const std::string& label, const Cascade& cascade) {
    std::vector<std::string> cells = {fixed(cascade.ceiling / giga, 3)};
    for (const double factor : cascade.factor)
        cells.push_back(fixed(factor, 4));
    cells.push_back(fixed(cascade.arrived, 4));
    cells.push_back(fixed(cascade.useful / giga, 3));
    return row(endpoint, label, cells);
}

/// What each factor takes of the ceiling behind those before it. The shares and the useful one are 100.
std::string loss_row(const Cascade& cascade) {
    std::vector<std::string> cells = {"100.00"};
    double left = 100;
    double printed = 100;
    const auto add = [&](double factor) {
        // Rounded so that what is printed adds up.
        left *= factor;
        const double after = std::round(left * 100) / 100;
        cells.push_back(fixed(after - printed, 2));
        printed = after;
    };
    for (const double factor : cascade.factor)
        add(factor);
    add(cascade.arrived);
    cells.push_back(fixed(printed, 2));
    return row("", "  % of the ceiling", cells);
}

std::string direction_rows(const std::string& endpoint, const char* direction, const EndpointCounts& counts,
                           const DirectionCounts& d, const Cascade* predicted, double seconds) {
    const Cascade cascade = measured(counts, d, seconds);
    std::string text = factor_row(endpoint, std::string(direction) + ", measured", cascade);
    if (predicted != nullptr) text += factor_row("", "  predicted", *predicted);
    return text + loss_row(cascade);
}

std::string grant_lines(const EndpointCounts& counts, std::uint32_t lowest, bool known, const IdleRead& idle,
                        double seconds) {
    const TagManager::Statistics& grants = counts.grants;
    const double cycles = static_cast<double>(std::max<std::uint64_t>(1, counts.cycles));
    const auto& waited = grants.waited;
    const std::pair<const char*, std::uint64_t> rows[] = {
        {"granting", grants.groups},
        {"waiting for tags", waited[TagManager::for_tags]},
        {"waiting for the ports of the tag FIFO", waited[TagManager::for_ports]},
        {"waiting for storage FIFO words", waited[TagManager::for_space]},
        {"waiting for completion headers", waited[TagManager::for_headers]},
        {"waiting for RQ and the link", waited[TagManager::for_queue]},
        {"waiting for payload on UP", waited[TagManager::for_payload]},
    };
    std::vector<double> parts;
    for (const auto& named : rows)
        parts.push_back(static_cast<double>(named.second));
    const report::Shares shares = report::Shares::with_rest(parts, static_cast<double>(counts.cycles));
    std::string text;
    const auto line = [&](const char* name, double percent) {
        text += "  " + pad_right(name, 40) + pad_left(fixed(percent, 2), 7) + " %\n";
    };
    for (std::size_t i = 0; i < parts.size(); ++i)
        line(rows[i].first, shares[i]);
    line("nothing asked for", shares[parts.size()]);
    const double wanted = std::accumulate(parts.begin(), parts.end(), 0.0);
    const double for_grant = std::accumulate(parts.begin() + 1, parts.begin() + 5, 0.0);
    if (wanted != 0)
        text +=
            "  F4 by stalls, 1 - stalled for a grant / wanted: " + fixed(1 - for_grant / wanted, 4) + "\n";
    if (counts.reads_done == 0) return text;
    const double hold_s =
        static_cast<double>(grants.hold_cycles) / static_cast<double>(counts.reads_done) * seconds / cycles;
    text += "  tags in use: " + fixed(static_cast<double>(grants.tag_cycles) / cycles, 1) + " of " +
            std::to_string(counts.tags) + " on average";
    if (known) text += ", " + std::to_string(counts.tags - lowest) + " at most";
    text += "; from grant to release " + fixed(hold_s * giga, 1) + " ns, " + fixed(idle.hold_s * giga, 1) +
            " ns when idle\n";
    return text;
}

/// What the factors are made from.
std::string byte_lines(const EndpointCounts& counts) {
    std::vector<report::Row> rows;
    const auto add = [&](const char* name, std::uint64_t up, std::uint64_t down) {
        rows.push_back({name, std::to_string(up), std::to_string(down)});
    };
    const auto capacity = [&](const char* name, double bytes) {
        add(name, static_cast<std::uint64_t>(std::llround(bytes)),
            static_cast<std::uint64_t>(std::llround(bytes)));
    };
    const auto each = [&](const char* name, std::uint64_t DirectionCounts::*count) {
        add(name, counts.up.*count, counts.down.*count);
    };
    capacity("that the lanes could carry", counts.capacity.raw);
    capacity("of them, behind the encoding", counts.capacity.data);
    each("on the lanes", &DirectionCounts::all_bytes);
    each("  of DLLPs", &DirectionCounts::dllp_bytes);
    each("  of TLPs sent in vain", &DirectionCounts::repeated_bytes);
    each("  of TLPs that came through", &DirectionCounts::first_bytes);
    if (counts.up.cpu_bytes + counts.down.cpu_bytes != 0)
        each("    of them, of the processor", &DirectionCounts::cpu_bytes);
    each("    of them, payload", &DirectionCounts::payload_bytes);
    each("payload at its destination", &DirectionCounts::useful_bytes);
    each("payload lost behind the link", &DirectionCounts::lost_bytes);
    rows.push_back({"payload under way, more than at the begin", std::to_string(counts.up.under_way_bytes),
                    std::to_string(counts.down.under_way_bytes)});
    return report::aligned_table({{"bytes", false}, {"up"}, {"down"}}, rows);
}

std::string limit_lines(const Prediction& prediction) {
    if (!prediction.known)
        return "  not known: the ports of the endpoint ask for different things, or the processor asks, "
               "too\n";
    std::vector<std::size_t> order(limits);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return prediction.rate[a] < prediction.rate[b]; });
    const double payload = prediction.mix.write_payload + prediction.mix.read_payload;
    std::vector<report::Row> rows;
    for (const std::size_t l : order) {
        const double rate = prediction.rate[l];
        if (!std::isfinite(rate)) continue;
        rows.push_back(
            {name_of(static_cast<Limit>(l)), fixed(rate / 1e6, 3), fixed(rate * payload / giga, 3)});
    }
    return report::aligned_table({{"limit", false}, {"M requests/s"}, {"payload GB/s"}}, rows);
}

}  // namespace

std::string account_text(const Account& account) {
    std::string text = "Where the bandwidth went in " + fixed(account.seconds * 1e3, 3) + " ms\n\n";
    std::vector<std::string> symbols = {"ceiling"};
    std::vector<std::string> names = {"GB/s"};
    for (const FactorName& factor : factor_names) {
        symbols.emplace_back(factor.symbol);
        names.emplace_back(factor.short_name);
    }
    symbols.emplace_back("FA");
    names.emplace_back("arrive");
    symbols.emplace_back("useful");
    names.emplace_back("GB/s");
    const std::string heads = row("", "direction", symbols);
    text += heads + row("", "", names) + std::string(heads.size() - 1, '-') + "\n";
    EndpointCounts total;
    for (const EndpointCounts& counts : account.counts)
        total += counts;
    const std::size_t count = account.counts.size();
    const auto rows = [&](const std::string& name, const EndpointCounts& counts,
                          const Prediction* prediction) {
        std::string result;
        if (counts.up.payload_bytes != 0)
            result += direction_rows(name, "up", counts, counts.up,
                                     prediction == nullptr || !prediction->known ? nullptr : &prediction->up,
                                     account.seconds);
        if (counts.down.payload_bytes != 0)
            result += direction_rows(
                result.empty() ? name : "", "down", counts, counts.down,
                prediction == nullptr || !prediction->known ? nullptr : &prediction->down, account.seconds);
        if (result.empty()) result = row(name, "no payload", {});
        return result;
    };
    if (count <= most_endpoints) {
        for (std::size_t e = 0; e < count; ++e)
            text += rows(std::to_string(e), account.counts[e], &account.predictions[e]);
    }
    if (count > 1) text += rows("total", total, nullptr);

    text += "\nThe tag manager, in % of the PCIe clock cycles\n";
    for (std::size_t e = 0; e < count && e < most_endpoints; ++e) {
        if (count > 1) text += " endpoint " + std::to_string(e) + "\n";
        const bool known = !account.tags_lowest.empty();
        text += grant_lines(account.counts[e], known ? account.tags_lowest[e] : 0, known, account.idle,
                            account.seconds);
    }
    text += "\nThe counts behind the factors";
    text += count > 1 ? ", of all endpoints\n" : "\n";
    text += byte_lines(total);
    text += "\nWhat each part would allow by itself (arithmetic";
    text += count > 1 ? ", endpoint 0)\n" : ")\n";
    text += limit_lines(account.predictions.front());

    std::size_t checked = 0;
    for (const EndpointCounts& counts : account.counts)
        checked += identities(counts, account.seconds).size();
    const std::string broken = account.broken_identity();
    text += "\n" +
            (broken.empty() ? "All " + std::to_string(checked) + " identities of the counts hold."
                            : "An identity is broken: " + broken) +
            "\n";
    return text;
}

}  // namespace tlmetry::account
