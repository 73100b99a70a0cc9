// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/software_options.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/device/recording.hpp>
#include <tlmetry/software/program.hpp>

#include <memory>
#include <ostream>
#include <string_view>

// The examples of sw/examples, whose entries have these names here.
extern "C" int tlmetry_main_self_test(const struct tlmetry_card* t);
extern "C" int tlmetry_main_busy_hazard(const struct tlmetry_card* t);

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

constexpr std::string_view builtin = "builtin:";

software::Program find_program(const std::string& name) {
    if (name.compare(0, builtin.size(), builtin) != 0) return software::Program::load(name);
    const std::string rest = name.substr(builtin.size());
    if (rest == "self-test") return software::Program(tlmetry_main_self_test);
    if (rest == "busy-hazard") return software::Program(tlmetry_main_busy_hazard);
    throw UserError(
        "option --software: expected builtin:tool, builtin:self-test, builtin:busy-hazard or a shared "
        "object, "
        "found " +
        config::found(name));
}

SoftwareOptions::Software player(const std::string& file, std::ostream& out, std::ostream& err) {
    return [recording = device::Recording::read(file), &out, &err](device::CardAccess& card) -> int {
        const device::Played played = device::play(recording, card);
        out << "played " << played.accesses << " accesses, " << played.differences
            << " with another answer\n";
        if (played.differences == 0) return exit_ok;
        for (const std::string& difference : played.told)
            err << "play-accesses: " << difference << "\n";
        if (played.differences > played.told.size())
            err << "play-accesses: and " << played.differences - played.told.size() << " more\n";
        return exit_checks_failed;
    };
}

}  // namespace

void SoftwareOptions::add_to(po::options_description& description) {
    auto add = description.add_options();
    add("software", po::value(&m_name)->value_name("PROGRAM"),
        "run a shared object on the card instead of the telemetry tool (docs/driver-development.md), or "
        "builtin:tool, builtin:self-test, builtin:busy-hazard");
    add("software-argument", po::value(&m_argument)->value_name("TEXT"),
        "a text that the program can ask for");
    add("play-accesses", po::value(&m_play)->value_name("FILE"),
        "make the recorded accesses of --record-accesses instead, and compare their answers; exit code 1 on "
        "a "
        "difference");
}

void SoftwareOptions::validate() const {
    if (!m_play.empty() && !m_name.empty())
        throw UserError("options --software and --play-accesses: expected one of them");
    if (!m_argument.empty() && (tool() || !m_play.empty()))
        throw UserError("option --software-argument: expected a program of --software, found none");
}

SoftwareOptions::Software SoftwareOptions::load(const device::SimulatedCard::Config& config,
                                                const std::string& shape, std::ostream& out,
                                                std::ostream& err) const {
    if (!m_play.empty()) return player(m_play, out, err);
    const auto environment = std::make_shared<software::Program::Environment>(software::Program::Environment{
        m_argument, device::device_tree(config, shape), err, InterruptWatch::interrupted});
    return [program = find_program(m_name), environment](device::CardAccess& card) -> int {
        return program.run(card, *environment) == 0 ? exit_ok : exit_checks_failed;
    };
}

}  // namespace tlmetry::app
