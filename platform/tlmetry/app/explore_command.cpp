// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/explore_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/explore_compare_command.hpp>
#include <tlmetry/app/explore_engine.hpp>
#include <tlmetry/app/interrupt.hpp>
#include <tlmetry/app/output_file.hpp>
#include <tlmetry/app/progress.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/goal.hpp>
#include <tlmetry/explore/plan_outputs.hpp>
#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/results_page.hpp>
#include <tlmetry/explore/summary.hpp>
#include <tlmetry/explore/text.hpp>
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/table.hpp>

#include <boost/program_options/options_description.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <ostream>

namespace tlmetry::app {

namespace {

namespace po = boost::program_options;
namespace ex = tlmetry::explore;  // explore() is the command
using ex::Plan;
using ex::Store;

struct Options {
    std::string output;
    std::string find;
    std::string until;
    std::string dump_config;
    bool dry_run = false;
    bool list_outputs = false;
    bool quiet = false;
    bool help = false;
};

po::options_description describe(Options& options, ExploreEngine& engine) {
    po::options_description description = config::own_options();
    auto add = description.add_options();
    const auto text = [](std::string& variable, const char* name) {
        return po::value(&variable)->value_name(name);
    };
    add("output,o", text(options.output, "FOLDER"),
        "where results go, and are taken up from (default: name of the plan and .results, in the current "
        "folder)");
    engine.add_options(description);
    add("dry-run", po::bool_switch(&options.dry_run),
        "only tell how many points there are and how long they would take, for which a few are looked at");
    add("find", text(options.find, "NAME[=VALUES]"),
        "find where on this axis --until begins to hold, for each combination of the others");
    add("until", text(options.until, "EXPRESSION"),
        "an output and what it is to be: useful_rate>=0.99max, F4>0.95, useful_rate>=8GB/s, "
        "verdict.first!=tags (goals on rates are sharper: a link or bus that is nearly full may be named)");
    add("list-outputs", po::bool_switch(&options.list_outputs),
        "list what can be asked of a point, and exit");
    add("dump-config", text(options.dump_config, "POINT"),
        "print the whole configuration of the point of this number, and exit");
    add("quiet,q", po::bool_switch(&options.quiet), "show no progress (which appears on a terminal only)");
    add("help,h", po::bool_switch(&options.help), "print this text and exit");
    return description;
}

void print_help(std::ostream& out, const po::options_description& options, const config::Registry& registry) {
    out << "Usage: tlmetry explore PLAN.ini [options] [--SECTION.KEY=VALUE ...]\n"
           "       tlmetry explore compare A B [options]\n\n"
        << config::wrapped(
               "Simulates every point of PLAN, which names configurations, the parameters that vary and what "
               "to "
               "tell of each point, in processes on all processors or jobs of a cluster. What has been "
               "simulated is kept: the "
               "same command "
               "goes on where it was ended, however that came, and a changed plan simulates what is new in "
               "it. See "
               "docs/explore.md.",
               "")
        << "\n"
        << config::options_text(options) << "\n"
        << config::wrapped(
               "Exit codes: 0 done, 1 some points failed or a goal was not reached, 2 a mistake in options, "
               "plan or "
               "files, 3 internal error, 130 interrupted or 143 ended by SIGTERM, with the results so far "
               "saved.",
               "")
        << "\nKeys of a plan:\n\n"
        << Plan::help() << "\n"
        << config::wrapped(
               "[axes] has a parameter and its values in each line, such as ptc.tags = 32..256 log2, and "
               "[page] "
               "title, text and plots of the page.",
               "")
        << "\nSections of parameters (tlmetry help SECTION lists them):\n"
        << config::list_sections(registry);
}

void list_outputs(const std::vector<ex::Output>& known, std::ostream& out) {
    std::vector<report::Row> rows;
    rows.reserve(known.size());
    for (const auto& output : known)
        rows.push_back({output.name, output.unit, output.description});
    out << report::format_table({"Output", "Unit", "Meaning"}, rows);
}

std::string duration_text(double seconds) {
    constexpr long minute = 60, hour = 60 * minute, day = 24 * hour;
    const long whole = std::lround(std::min(seconds, 1e15));
    if (whole == 0) return "less than 1 s";
    if (whole < 2 * minute) return std::to_string(whole) + " s";
    if (whole < 2 * hour) return std::to_string(whole / minute) + " min";
    if (whole < 2 * day) return std::to_string(whole / hour) + " h";
    return std::to_string(whole / day) + " days";
}

/// `[######......] 50 %  32 of 64 points, 1 failed, 12 s left`; of a search, whose end nobody knows, `32
/// points`.
class PointProgress {
public:
    /// 0 points: a search.
    PointProgress(std::ostream& err, bool shown, std::uint64_t points)
        : m_progress(err, shown), m_points(points), m_begin(std::chrono::steady_clock::now()) {}

    /// False when the work is to end.
    bool operator()(const ex::Progress& now) {
        if (m_progress.due()) m_progress.show(text(now));
        return !InterruptWatch::interrupted();
    }

private:
    std::string text(const ex::Progress& now) const {
        const std::uint64_t done = now.simulated + now.known;
        std::string text;
        if (m_points != 0) {
            constexpr std::uint64_t width = 24;
            const std::uint64_t marks = done * width / m_points;
            text = "[" + std::string(marks, '#') + std::string(width - marks, '.') + "] " +
                   std::to_string(done * 100 / m_points) + " %  ";
        }
        text += m_points == 0 ? ex::counted(done, "point")
                              : std::to_string(done) + " of " + ex::counted(m_points, "point");
        if (now.failed != 0) text += ", " + std::to_string(now.failed) + " failed";
        if (!now.workers.empty()) text += "; " + now.workers;
        if (m_points == 0) return text;
        if (now.simulated == 0) return text;
        const double passed =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
        return text + ", " +
               duration_text(passed / static_cast<double>(now.simulated) *
                             static_cast<double>(m_points - done)) +
               " left";
    }

    Progress m_progress;
    std::uint64_t m_points;
    std::chrono::steady_clock::time_point m_begin;
};

/// Points whose results are in a folder already.
struct Known {
    std::uint64_t points = 0;
    bool exact = true;
};

/// Of many points some are looked at.
Known known_points(const Plan& plan, const std::string& folder) {
    if (!std::filesystem::exists(std::filesystem::path(folder) / "results.sqlite")) return {};
    constexpr std::uint64_t looks = 2000;
    Store store(folder);
    const std::uint64_t count = std::min(looks, plan.points());
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const ex::PointRun point(plan, plan.point(i * plan.points() / count));
        if (store.has_settled(point.key())) ++found;
    }
    return {found * plan.points() / count, count == plan.points()};
}

void print_dry_run(const Plan& plan, const Known& known, std::size_t jobs, std::ostream& out) {
    const auto line = [&](const std::string& name, const std::string& count, const std::string& what) {
        out << "  " << report::pad_left(count, 10) << "  " << name << what << "\n";
    };
    out << plan.file() << ": " << ex::counted(plan.points(), "point");
    if (known.points != 0) out << (known.exact ? ", " : ", about ") << known.points << " already there";
    out << "\n";
    std::string bases;
    for (const auto& base : plan.bases())
        bases += (bases.empty() ? ": " : ", ") + base.name;
    const auto named = [](std::uint64_t count, const std::string& what) {
        return what + (count == 1 ? "" : "s");
    };
    line(named(plan.bases().size(), "configuration"), std::to_string(plan.bases().size()), bases);
    for (const auto& axis : plan.axes()) {
        const auto joined = [](const std::vector<std::string>& texts) {
            std::string text;
            for (const std::string& part : texts)
                text += (text.empty() ? "" : " & ") + part;
            return text;
        };
        line(axis.title(), axis.unbounded() ? "any" : std::to_string(axis.size()),
             ": " + joined(axis.sample(0)) + (axis.size() == 1 ? "" : " to " + joined(axis.sample(1))));
    }
    if (plan.sampling() != ex::Sampling::grid)
        line("sampled", std::to_string(plan.points() / plan.bases().size() / plan.repetitions()),
             " of each configuration");
    line(named(plan.repetitions(), "repetition"), std::to_string(plan.repetitions()), "");
    const std::uint64_t rest = plan.points() - known.points;
    if (rest == 0 && known.exact) {
        out << "Nothing is left to be simulated.\n";
        return;
    }
    const InterruptWatch watch;
    const auto estimate =
        ex::estimate(plan, jobs, [](const auto&) { return !InterruptWatch::interrupted(); });
    if (estimate.point_s == 0) {
        out << "None of the points that were looked at can be simulated: " << estimate.looked_at << " of "
            << plan.points() << ".\n";
        return;
    }
    out << "About " << report::fixed(estimate.point_s, 3) << " s a point"
        << (plan.method().precision != 0 ? " at least" : "") << ", "
        << duration_text(estimate.point_s * static_cast<double>(rest) / static_cast<double>(jobs))
        << (known.points == 0 ? "" : " for the rest") << " with " << jobs
        << (jobs == 1 ? " process" : " processes") << ", by " << ex::counted(estimate.looked_at, "point")
        << " looked at"
        << (estimate.failed == 0 ? "" : ", of which " + std::to_string(estimate.failed) + " failed") << ".\n";
}

/// The files of results in the folder of a store.
class Files {
public:
    explicit Files(const std::string& folder) : m_folder(folder) {}

    void save(const std::string& name, const std::function<void(std::ostream&)>& write) const {
        const OutputFile file("output", path(name));
        OutputFile::Writer writer(file);
        write(writer.stream());
        writer.finish();
    }
    std::string path(const std::string& name) const {
        return (std::filesystem::path(m_folder) / name).string();
    }

private:
    std::string m_folder;
};

void save(const Plan& plan, const std::vector<ex::Output>& outputs, const ex::ResultsPage& page,
          Store& store) {
    const Files files(store.folder());
    files.save("results.csv", [&](std::ostream& file) { ex::write_csv(file, plan, store); });
    files.save("results.json", [&](std::ostream& file) { ex::write_json(file, plan, outputs, store); });
    if (plan.repetitions() > 1)
        files.save("summary.csv", [&](std::ostream& file) { ex::write_summary_csv(file, plan, store); });
    files.save("results.html", [&](std::ostream& file) { file << page.html(store); });
}

void save(const ex::GoalSearch& search, const std::vector<ex::Output>& outputs, const ex::ResultsPage& page,
          Store& store) {
    const Files files(store.folder());
    files.save("find.csv", [&](std::ostream& file) { file << search.csv(); });
    files.save("find.json", [&](std::ostream& file) { file << search.json(); });
    const page::Table found = search.table(outputs);
    files.save("find.html", [&](std::ostream& file) { file << page.html(store, &found); });
}

int print(const Plan& plan, const std::vector<ex::Output>& outputs, Store& store, std::ostream& out) {
    constexpr std::uint64_t few = 40;
    if (plan.points() <= few) out << points_text(plan, outputs, store);
    const Files files(store.folder());
    const std::uint64_t failed = store.count().failed;
    out << ex::counted(plan.points(), "point") << ", " << failed << " failed: " << files.path("results.html")
        << ", " << files.path("results.csv") << ", " << files.path("results.json") << "\n";
    return failed == 0 ? exit_ok : exit_checks_failed;
}

void dump_config(const Plan& plan, const std::string& number, std::ostream& out) {
    const auto index = parse_unsigned(number);
    if (!index || *index >= plan.points()) {
        throw UserError("option --dump-config: expected the number of a point, from 0 to " +
                        std::to_string(plan.points() - 1) + ", found " + config::found(number));
    }
    const ex::PointRun point(plan, plan.point(*index));
    if (!point.error().empty()) throw UserError(point.error());
    out << config::dump_ini(point.parameters().registry());
}

/// What --find says: an axis of the plan, or, with a text, one of its own.
config::Assignment found_axis(const std::string& option) {
    const std::size_t sign = std::min(option.find('='), option.size());
    const std::string_view text = option;
    return {std::string(trimmed(text.substr(0, sign))),
            std::string(trimmed(text.substr(std::min(sign + 1, text.size())))), "option --find"};
}

/// The command that prints the configuration of a point, without its number.
std::string dump_command(const config::CommandLine& line, const Options& options) {
    const auto quoted = [](const std::string& word) {
        if (word.find_first_of(" '\"\\$&<>|;*?()!#~`") == word.npos) return word;
        std::string result = "'";
        for (const char c : word)
            result += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return result + "'";
    };
    std::string command = "tlmetry explore " + quoted(line.arguments.front());
    for (const config::Assignment& parameter : line.parameters)
        command += " " + quoted("--" + parameter.name + "=" + parameter.text);
    if (!options.find.empty())
        command += " --find " + quoted(options.find) + " --until " + quoted(options.until);
    return command + " --dump-config";
}

std::string default_folder(const std::string& plan) {
    return std::filesystem::path(plan).stem().string() + ".results";
}

/// As a task of a cluster. Whoever watches it tells what comes of it.
int run_task(const Plan& plan, const std::string& folder, const ExploreEngine& where) {
    const InterruptWatch interrupts("", InterruptWatch::Of::ctrl_c_and_sigterm);
    const bool whole = ex::run_task(plan, folder, where.task(), where.jobs(),
                                    [](const ex::Progress&) { return !InterruptWatch::interrupted(); });
    return whole ? exit_ok : InterruptWatch::exit_code();
}

}  // namespace

int explore(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    if (!words.empty() && words.front() == "compare")
        return explore_compare({words.begin() + 1, words.end()}, out);
    Options options;
    ExploreEngine where;
    ex::PointParameters known;
    const po::options_description own = describe(options, where);
    const config::CommandLine line = config::parse_command_line(words, own, known.registry());
    if (options.help) {
        print_help(out, own, known.registry());
        return exit_ok;
    }
    if (options.list_outputs && line.arguments.empty()) {
        RunParameters& defaults = known.parameters();
        defaults.complete(known.registry());
        list_outputs(ex::known_outputs(defaults, [](const std::string&) { return true; }), out);
        return exit_ok;
    }
    if (line.arguments.size() != 1) {
        throw UserError("explore: expected one plan, found " + std::to_string(line.arguments.size()) +
                        " files; see tlmetry explore --help");
    }
    if (options.find.empty() != options.until.empty())
        throw UserError(options.find.empty() ? "option --until: expected --find with it, found none"
                                             : "option --find: expected --until with it, found none");
    where.check(words, !options.find.empty());
    const config::Assignment axis = found_axis(options.find);
    const bool more_axis = options.find.find('=') != options.find.npos;
    const Plan plan = Plan::load(line.arguments.front(), line.parameters, more_axis ? &axis : nullptr);
    if (options.list_outputs) {
        list_outputs(ex::known_outputs(plan), out);
        return exit_ok;
    }
    if (!options.dump_config.empty()) {
        dump_config(plan, options.dump_config, out);
        return exit_ok;
    }
    const std::vector<ex::Output> outputs = ex::outputs_of(plan);
    const std::string folder = options.output.empty() ? default_folder(plan.file()) : options.output;
    if (options.dry_run) {
        print_dry_run(plan, known_points(plan, folder), where.jobs(), out);
        return exit_ok;
    }
    std::optional<ex::GoalSearch> search;
    if (!options.find.empty()) {
        const ex::Goal goal = ex::Goal::parse(options.until, "option --until");
        goal.check(outputs, "option --until");
        search.emplace(plan, axis.name, goal, axis.place);
    }

    const ex::ResultsPage page(plan, outputs, dump_command(line, options));
    if (where.is_task()) return run_task(plan, folder, where);
    const std::unique_ptr<Store> opened = where.open(folder);
    Store& store = *opened;
    if (where.is_collection()) {
        if (ex::collect(plan, store) && !search) save(plan, outputs, page, store);
        return exit_ok;
    }
    store.begin(plan);
    const InterruptWatch interrupts("", InterruptWatch::Of::ctrl_c_and_sigterm);
    const ex::Outcome outcome = [&] {
        PointProgress progress(err, !options.quiet && stderr_is_terminal(), search ? 0 : plan.points());
        const ex::Watch watch = [&](const ex::Progress& now) { return progress(now); };
        return search ? search->run(where.engine(), store, watch)
                      : where.engine().run(plan, ex::points_between(0, plan.points()), store, watch);
    }();
    if (search) {
        save(*search, outputs, page, store);
    } else {
        save(plan, outputs, page, store);
    }
    where.tell(outcome, store, search ? 0 : plan.points(), out, err);
    if (outcome == ex::Outcome::stopped) return InterruptWatch::exit_code();
    if (outcome == ex::Outcome::lost) return exit_checks_failed;
    if (outcome == ex::Outcome::submitted) return exit_ok;
    if (!search) return print(plan, outputs, store, out);
    out << search->text(outputs);
    return search->missed() == 0 ? exit_ok : exit_checks_failed;
}

}  // namespace tlmetry::app
