// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/report/report.hpp>
#include <tlmetry/tool/device.hpp>
#include <tlmetry/tool/run.hpp>
#include <tlmetry/tool/screen.hpp>

#include <unistd.h>

#include <chrono>
#include <exception>
#include <functional>
#include <ostream>
#include <thread>

namespace tlmetry::tool {
namespace {

constexpr const char* tool_name = "nfb-pcie-telemetry";

void print(std::ostream& out, const std::string& text) {
    out << text << std::flush;
    if (!out) throw UserError("the output cannot be written");
}

/// Whether a card kept to real time during an interval.
class PaceWatch {
public:
    PaceWatch(Device* device, bool measures) : m_device(measures ? device : nullptr) {}

    void begin() { m_first = ask(); }
    /// The warning about the time since begin().
    std::string end() {
        const std::optional<Pace> second = ask();
        return m_first && second ? pace_warning(*m_first, *second) : std::string();
    }

private:
    std::optional<Pace> ask() { return m_device == nullptr ? std::nullopt : m_device->pace(); }

    Device* m_device;
    std::optional<Pace> m_first;
};

void measure(const ToolOptions& options, driver::MiBus& bus, driver::Clock& clock, Device* device,
             std::ostream& out, std::ostream& err, const OnRecording& on_recording) {
    options.validate();
    driver::Telemetry telemetry(bus, clock);
    if (options.clear) {
        telemetry.clear();
        return;
    }
    // Nobody can read faster what a simulation makes within microseconds.
    constexpr auto shortest_view = std::chrono::milliseconds(100);
    const auto report = options.json ? report::format_json : report::format_text;
    auto next_view = std::chrono::steady_clock::now();
    PaceWatch pace(device, options.interval != 0);
    for (bool first = true; first || options.watch; first = false) {
        pace.begin();
        const driver::Recording recording = telemetry.record(options.interval);
        const std::string warning = pace.end();
        if (on_recording) on_recording(telemetry.configuration(), recording);
        const std::string text = report(driver::evaluate(telemetry.layout(), recording));
        if (options.in_place) {
            std::this_thread::sleep_until(next_view);
            next_view = std::chrono::steady_clock::now() + shortest_view;
            const std::string head = warning.empty() ? "" : config::wrapped(warning, "") + "\n";
            print(out, in_place(head + text, window_size(STDOUT_FILENO)));
            continue;
        }
        print(out, (first ? "" : "\n") + text);
        if (!warning.empty()) err << tool_name << ": " << warning << "\n" << std::flush;
    }
}

/// Runs `action` and turns what it throws into a sentence and an exit code.
int guarded(const std::string& program, std::ostream& err, const std::function<void()>& action) {
    try {
        action();
        return 0;
    } catch (const UserError& error) {
        err << program << ": " << config::printable(error.what()) << "\n";
        return 2;
    } catch (const std::exception& error) {
        err << program << ": internal error: " << config::printable(error.what()) << "\n";
        return 3;
    }
}

}  // namespace

int run_tool(const std::string& program, const ToolOptions& options, driver::MiBus& bus, driver::Clock& clock,
             std::ostream& out, std::ostream& err, const OnRecording& on_recording) {
    return guarded(program, err, [&] { measure(options, bus, clock, nullptr, out, err, on_recording); });
}

int tool_main(int argc, const char* const* argv, const std::vector<DeviceOpener>& openers, std::ostream& out,
              std::ostream& err, bool terminal) {
    return guarded(tool_name, err, [&] {
        ToolOptions options = parse_options(argc, argv);
        if (options.help) return print(out, usage());
        if (options.version) return print(out, std::string(tool_name) + " " TLMETRY_VERSION "\n");
        options.validate();
        const std::unique_ptr<Device> device = open_device(options.device, options.index, openers);
        if (!device->live() && (options.watch || options.clear))
            throw UserError(std::string("option --") + (options.clear ? "clear" : "watch") +
                            ": needs a device, found the saved register file " + options.device);
        options.in_place = options.watch && !options.json && terminal;
        options.interval = device->recorded_interval().value_or(options.interval);
        measure(options, device->bus(), device->clock(), device.get(), out, err, {});
    });
}

}  // namespace tlmetry::tool
