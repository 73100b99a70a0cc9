// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/timeline_parameters.hpp"

#include "tlmetry/app/card_parameters.hpp"
#include "tlmetry/app/host_parameters.hpp"
#include "tlmetry/app/root_port_parameters.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tlmetry::app {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view lost_reads = "host.lost_reads";  // counted from the start of the run
constexpr std::string_view actions =
    "set PARAMETER VALUE, link down for TIME, reset for TIME, reset pcie for TIME or reset dma for TIME";
constexpr std::string_view speed_of_link[] = {"link.generation", "link.lanes"};
// Together with the longest run far below `never`.
constexpr time_fs latest = 4000 * fs_per_s;

/// Takes the first word off a text.
std::string_view take_word(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text = trimmed(text.substr(word.size()));
    return word;
}

/// Takes these words off a text, if it begins so.
bool take_words(std::string_view& text, std::string_view words) {
    std::string_view rest = text;
    while (!words.empty()) {
        if (take_word(rest) != take_word(words)) return false;
    }
    text = rest;
    return true;
}

/// Takes the beginning of a reset off a text, if it begins so.
std::optional<endpoint::ResetDomain> take_reset(std::string_view& text) {
    if (take_words(text, "reset for")) return endpoint::ResetDomain::both;
    if (take_words(text, "reset pcie for")) return endpoint::ResetDomain::pcie;
    if (take_words(text, "reset dma for")) return endpoint::ResetDomain::dma;
    return {};
}

time_fs time_of(std::string_view text, const std::string& place, const char* what) {
    const std::optional<std::int64_t> time = parse_quantity(text, time_units);
    if (time && *time >= 1 && *time <= latest) return *time;
    throw UserError(place + ": expected " + what + " with its unit such as 2.5us, from 1fs to 4000s, found " +
                    config::found(text));
}

bool is_speed_of_link(std::string_view name) {
    return std::find(std::begin(speed_of_link), std::end(speed_of_link), name) != std::end(speed_of_link);
}

std::optional<endpoint::TuneEvent> tune_event_of(std::string_view name) {
    for (std::size_t k = 0; k < ptt::tune_events.size(); ++k) {
        if (name == std::string("tune.") + ptt::tune_events[k].name)
            return static_cast<endpoint::TuneEvent>(k);
    }
    return {};
}

/// A card whose parameters change one by one.
class ChangingCard {
public:
    explicit ChangingCard(const card::Config& card) : m_card(card) {
        bind_card(m_registry, m_shape, m_card);
        bind_host(m_registry, m_card.host);
        bind_tune(m_registry, m_card);
    }
    ChangingCard(const ChangingCard&) = delete;
    ChangingCard& operator=(const ChangingCard&) = delete;

    /// The event that sets parameter and value in `text`.
    card::Event set(time_fs at, std::string_view text, const std::string& place) {
        const std::string name(take_word(text));
        const bool of_host = name.compare(0, 5, "host.") == 0 && name != lost_reads;
        const std::optional<endpoint::TuneEvent> event = tune_event_of(name);
        if (!of_host && !event && !is_speed_of_link(name)) {
            throw UserError(place +
                            ": expected link.generation, link.lanes, a level of tune or a parameter of host "
                            "other than " +
                            std::string(lost_reads) + " to change during a run, found " +
                            config::found(name));
        }
        m_registry.set({name, std::string(text), place + ": " + name});
        if (event) return {at, card::TuneChange{*event, m_card.endpoint.tuning[*event]}, place};
        if (of_host) return {at, card::HostChange{m_card.host}, place};
        return {at, card::LinkChange{m_card.link.generation, m_card.link.lanes}, place};
    }

private:
    card::Config m_card;
    std::string m_shape = "open";  // that of a card has had its say
    config::Registry m_registry;
};

}  // namespace

void bind_timeline(config::Registry& registry, std::vector<config::Entry>& entries) {
    registry.section("timeline", "What changes during a run, and when.")
        .add_entries(
            "at", entries,
            "actions separated by commas, each a time from the start of the run and " + std::string(actions) +
                ", or none",
            "Changes of parameters, links that go down and resets, each at its time.",
            "In a file each time has a line of its own, such as at 3ms = set host.latency 2us, link down for "
            "1ms. "
            "set: requests that arrive at the host from then on meet a parameter of host (all but "
            "host.lost_reads); TLPs that come to the links from then on are sent with link.generation and "
            "link.lanes; what the root ports decide from then on follows a level of tune (not tune.timeout "
            "and "
            "tune.batch_time). No other parameter can change. link down: the links of all endpoints; what is "
            "on "
            "them "
            "gets lost, what waits is sent afterwards. reset: all endpoints, with the probes of both clock "
            "domains, or (reset pcie, reset dma) of one. An action concerns what is decided at its time or "
            "later; what has been decided stays.");
}

card::Timeline read_timeline(const std::vector<config::Entry>& entries, const card::Config& card) {
    std::vector<std::pair<time_fs, const config::Entry*>> in_order;
    in_order.reserve(entries.size());
    for (const config::Entry& entry : entries)
        in_order.emplace_back(time_of(entry.argument, entry.place, "a time"), &entry);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    ChangingCard changing(card);
    card::Timeline timeline;
    for (const auto& [at, entry] : in_order) {
        std::string_view text = entry->text;
        if (take_words(text, "set")) {
            timeline.push_back(changing.set(at, text, entry->place));
        } else if (take_words(text, "link down for")) {
            timeline.push_back(
                {at, card::LinkDown{time_of(text, entry->place, "a time for the links to be down")},
                 entry->place});
        } else if (const auto domain = take_reset(text)) {
            timeline.push_back({at, card::Reset{time_of(text, entry->place, "a time for the reset"), *domain},
                                entry->place});
        } else {
            throw UserError(entry->place + ": expected " + std::string(actions) + ", found " +
                            config::found(entry->text));
        }
    }
    return timeline;
}

}  // namespace tlmetry::app
