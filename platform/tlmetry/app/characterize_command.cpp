// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/characterize_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/card_file.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/jobs.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/progress.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/characterize/study.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/text.hpp>

#include <boost/program_options/options_description.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;

struct Options {
    std::string parts;
    std::string jobs;
    std::string csv;
    std::string json;
    std::string html;
    bool quick = false;
    bool quiet = false;
    bool help = false;
};

po::options_description describe(Options& options) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("parts", text(options.parts, "PART[,...]"), "measure these parts only");
    add("quick", po::bool_switch(&options.quick), "fewer sizes");
    add("jobs", text(options.jobs, "N"), "threads (default: as many as processors); changes no result");
    add("csv", text(options.csv, "DIR|FILE.csv"),
        "also save all tables: one file each in a folder, or all in one file");
    add("json", text(options.json, "FILE.json"), "also save all tables as JSON");
    add("html", text(options.html, "FILE.html"), "also save a page with charts, which needs no network");
    add("quiet,q", po::bool_switch(&options.quiet), "show no progress (which appears on a terminal only)");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry characterize CONFIG.ini [MORE.ini ...] [options]\n"
           "                            [--SECTION.KEY=VALUE ...]\n\n"
        << config::wrapped(
               "Measures the card that CONFIG describes with traffic of its own choice, instead of the "
               "configured one, in many short simulations, and prints what to expect of it. See "
               "docs/characterize.md.",
               "")
        << "\n"
        << config::options_text(options) << "\nParts:\n";
    for (const characterize::PartName& part : characterize::part_names) {
        const std::string key = part.key;
        out << "  " << key << std::string(13 - key.size(), ' ') << part.summary << "\n";
    }
    out << "\n"
        << config::wrapped(
               "Exit codes: 0 done, 2 a mistake in options, configuration or files (also one that cannot be "
               "read or written), 3 internal error, 130 interrupted, after the parts that were done.",
               "")
        << "\nSections of parameters (tlmetry help SECTION lists them):\n"
        << config::list_sections(registry);
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; !list.empty() && begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

bool is_one_file(const std::string& csv) {
    return std::filesystem::path(csv).extension() == ".csv";
}

/// The files of a study; whether they can be written is looked at at once.
class Outputs {
public:
    explicit Outputs(const Options& options)
        : m_csv("csv", is_one_file(options.csv) ? options.csv : ""),
          m_json("json", options.json),
          m_html("html", options.html) {
        if (options.csv.empty() || is_one_file(options.csv)) return;
        m_folder = options.csv;
        std::error_code error;
        std::filesystem::create_directories(m_folder, error);
        if (!std::filesystem::is_directory(m_folder))
            throw UserError("option --csv: cannot make the folder " + config::found(options.csv) +
                            (error ? ": " + error.message() : ""));
    }

    void save(const characterize::Study& study, const config::Registry& registry) const {
        if (m_csv.wanted()) m_csv.save(characterize::csv_text(study));
        if (!m_folder.empty()) {
            for (const auto& [key, text] : characterize::csv_files(study))
                OutputFile("csv", (m_folder / (key + ".csv")).string()).save(text);
        }
        if (m_json.wanted()) {
            const page::Json parameters = page::Json::parse(config::dump_json(registry))["parameters"];
            m_json.save(characterize::study_json(study, parameters));
        }
        if (m_html.wanted()) m_html.save(characterize::study_html(study, config::dump_ini(registry)));
    }

private:
    OutputFile m_csv;
    OutputFile m_json;
    OutputFile m_html;
    std::filesystem::path m_folder;
};

/// No result replaces another one, or what it comes from.
void require_own_files(const Options& options, const card::Config& card,
                       const std::vector<std::string>& configurations) {
    std::vector<NamedFile> read;
    read.reserve(configurations.size() + card.traffic.size() + 1);
    for (const std::string& file : configurations)
        read.push_back({"a configuration", file});
    for (const generator::Config& traffic : card.traffic)
        read.push_back({"traffic.trace", traffic.trace_file});
    read.push_back({"host.latency_file", card.host.latency_file});
    app::require_own_files(read, {{"option --csv", is_one_file(options.csv) ? options.csv : ""},
                                  {"option --json", options.json},
                                  {"option --html", options.html}});
}

std::string name_of(const std::vector<std::string>& configurations) {
    std::string name;
    for (const std::string& file : configurations)
        name += (name.empty() ? "" : " + ") + std::filesystem::path(file).filename().string();
    return name;
}

}  // namespace

int characterize(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    Options options;
    CardFile file;
    const po::options_description own = describe(options);
    const config::CommandLine line = config::parse_command_line(words, own, file.registry());
    if (options.help) {
        print_help(out, own, file.registry());
        return exit_ok;
    }
    if (line.arguments.empty()) {
        throw UserError(
            "characterize: expected a configuration file, found none; see tlmetry characterize --help");
    }
    const std::vector<characterize::PartName> parts = characterize::parts_named(split(options.parts));
    const std::uint32_t jobs = parse_jobs(options.jobs);
    file.load(line.arguments, line.parameters);
    const device::SimulatedCard::Config card = file.parameters().card_config();
    require_own_files(options, card.card, line.arguments);
    const characterize::Subject subject(card, options.quick);
    const Outputs outputs(options);

    const InterruptWatch watch;
    Progress progress(err, !options.quiet && stderr_is_terminal());
    characterize::Runner runner(jobs, [&](const std::string& part, std::size_t done, std::size_t all) {
        if (progress.due()) {
            progress.show(part + ": " + std::to_string(done) + " of " + std::to_string(all) +
                          " measurements");
        }
        return !InterruptWatch::interrupted();
    });
    characterize::Study study{name_of(line.arguments), options.quick, subject.caveat(), {}};
    if (!study.caveat.empty()) err << "warning: " << study.caveat << "\n";
    bool interrupted = false;
    for (const characterize::PartName& part : parts) {
        try {
            runner.begin(std::to_string(study.parts.size() + 1) + "/" + std::to_string(parts.size()) + " " +
                         part.key);
            study.parts.push_back(part.measure(subject, runner));
        } catch (const characterize::Interrupted&) {
            interrupted = true;
            break;
        }
        progress.clear();
        out << (study.parts.size() == 1 ? "" : "\n") << characterize::part_text(study.parts.back())
            << std::flush;
    }
    progress.clear();
    if (!study.parts.empty()) outputs.save(study, file.registry());
    if (!interrupted) return exit_ok;
    err << "interrupted after " << study.parts.size() << " of " << parts.size() << " parts\n";
    return exit_interrupted;
}

}  // namespace tlmetry::app
