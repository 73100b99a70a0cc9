// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/card.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/traffic/random_activity.hpp>

#include <cstdint>
#include <memory>

namespace tlmetry::device {

/// What moves the pins that a telemetry component observes: a card with requests of its own, or activity on
/// the pins alone.
class Stimulus {
public:
    struct Config {
        bool requests = true;  ///< the card's own; otherwise activity on the pins alone
        card::Config card;
        traffic::Config pins;  ///< PCIE_STATUS shows the settings of the card
        std::uint64_t seed = 1;

        /// Throws UserError naming the parameter, its value and the rule it breaks.
        void validate(const telemetry::Config& component) const;

        /// In what steps a long time is best worked out. Traffic is worked out as far as the component looks
        /// ahead, so that the steps bound the memory; how long they are changes no result.
        time_fs step_fs(std::uint32_t drain_period, const telemetry::Clocks& clocks) const;
    };

    /// The component must not be looked at after this object's end. Throws UserError like validate().
    Stimulus(const Config& config, telemetry::Telemetry& component);

    /// Null without requests of its own.
    const card::Card* card() const { return m_card.get(); }
    card::Card* card() { return m_card.get(); }

private:
    std::unique_ptr<card::Card> m_card;
    std::unique_ptr<traffic::RandomActivity> m_pins;
};

}  // namespace tlmetry::device
