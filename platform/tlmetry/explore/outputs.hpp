// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/experiment.hpp>
#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/page/table.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// Nothing, a number or a text that is known of a point.
using Value = page::Cell;

/// Something that can be asked of a point.
struct Output {
    std::string name;
    std::string unit;  ///< of a number: B, s, B/s, ...; empty for shares and texts
    std::string description;
};

/// What became of a point.
struct Measured {
    const app::RunParameters& parameters;
    const device::SimulatedCard::Config& card;
    const account::Outcome& outcome;
};

/// Takes an output and its value.
using Sink = std::function<void(const Output& output, Value value)>;

/// Tells everything that is known of a point. `wanted` is asked once with each kind that takes time to work
/// out, such as "predicted".
void tell(const Measured& measured, const std::function<bool(const std::string& kind)>& wanted,
          const Sink& sink);

/// Picks the outputs of these names.
class Picker {
public:
    explicit Picker(std::vector<std::string> names);

    /// An output of this kind, as in tell(), is among them.
    bool wants(const std::string& kind) const;
    /// By name; nothing where the card has no such thing.
    std::vector<Value> pick(const Measured& measured) const;

private:
    std::vector<std::string> m_names;
};

/// Everything that can be asked of points like this one, which is simulated for a moment; `wanted` as in
/// tell(). Throws UserError like run_experiment().
std::vector<Output> known_outputs(const app::RunParameters& parameters,
                                  const std::function<bool(const std::string& kind)>& wanted);

/// The output of this name, or that of another endpoint, port, region, brake or band; with its own name.
/// Throws UserError, begun by `place`, when there is none.
Output find_output(const std::vector<Output>& known, const std::string& name, const std::string& place);

}  // namespace tlmetry::explore
