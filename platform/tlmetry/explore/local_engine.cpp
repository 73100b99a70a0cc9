// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/explore/engine.hpp>
#include <tlmetry/explore/worker_pool.hpp>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <map>
#include <vector>

namespace tlmetry::explore {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr auto look_interval = std::chrono::milliseconds(100);
// Deaths of one point.
constexpr int most_crashes = 2;
constexpr int most_kills = 20;

// Answers to the question whether the point of a key is to be simulated.
const std::string yes = "y";
const std::string no = "n";

std::string message_of(const Result& result) {
    return Json{{"error", result.error},
                {"settled", result.settled},
                {"values", result.values},
                {"wall_s", result.wall_s}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result result_of(const std::string& message) {
    const Json json = Json::parse(message);
    return {json["error"], json["settled"], json["values"], json["wall_s"]};
}

/// What a worker does with the index of a point. Without a result it was there already.
std::string work(const Plan& plan, const std::string& task, const WorkerPool::Ask& ask) {
    const PointRun point(plan, plan.point(std::stoull(task)));
    if (ask(point.key()) == no) return "";
    return message_of(point.run());
}

/// A signal that comes from somebody else, and not from what the process does.
bool from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGQUIT;
}

std::string death(int status) {
    if (WIFSIGNALED(status))
        return "its process was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "its process ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// One call of LocalEngine::run().
class Run {
public:
    Run(const Plan& plan, const Points& points, Store& store, std::size_t jobs)
        : m_plan(plan),
          m_points(points),
          m_store(store),
          m_pool(jobs, [&plan](const std::string& task,
                               const WorkerPool::Ask& ask) { return work(plan, task, ask); }),
          m_tasks(jobs) {}

    bool go(const Watch& watch) {
        for (;;) {
            hand_out();
            if (m_pool.busy_workers() == 0) return true;
            for (const WorkerPool::Event& event : m_pool.events(look_interval))
                take(event);
            end_late_ones();
            if (watch && !watch(m_progress)) return false;
        }
    }

private:
    /// What a worker is about.
    struct Task {
        std::uint64_t index = 0;
        std::string key;
        Clock::time_point begun;
        bool late = false;
    };

    void hand_out() {
        for (std::size_t worker = 0; worker < m_pool.size(); ++worker) {
            if (m_pool.busy(worker)) continue;
            const std::optional<std::uint64_t> index = next();
            if (!index) return;
            m_tasks[worker] = {*index, "", Clock::now()};
            m_pool.start(worker, std::to_string(*index));
        }
    }

    std::optional<std::uint64_t> next() {
        if (!m_again.empty()) {
            const std::uint64_t index = m_again.back();
            m_again.pop_back();
            return index;
        }
        std::optional<std::uint64_t> index = m_points();
        for (; index && m_store.has_point(*index); index = m_points())
            ++m_progress.known;
        return index;
    }

    void take(const WorkerPool::Event& event) {
        Task& task = m_tasks[event.worker];
        switch (event.kind) {
            case WorkerPool::Event::question:
                task.key = event.text;
                m_pool.answer(event.worker, m_store.has_key(task.key) ? no : yes);
                return;
            case WorkerPool::Event::result:
                if (event.text.empty()) {
                    m_store.place(task.index, task.key);
                    ++m_progress.known;
                } else {
                    done(task, result_of(event.text));
                }
                return;
            case WorkerPool::Event::death:
                return died(task, event.status);
        }
    }

    void died(const Task& task, int status) {
        Result result;
        result.settled = false;
        if (task.late) {
            result.error = "its simulation took longer than explore.timeout = " +
                           format_time(m_plan.method().timeout_fs);
            return done(task, result);
        }
        Deaths& deaths = m_deaths[task.index];
        const bool killed = WIFSIGNALED(status) && from_outside(WTERMSIG(status));
        if (killed ? ++deaths.kills < most_kills : ++deaths.crashes < most_crashes) {
            m_again.push_back(task.index);
            return;
        }
        result.error = death(status);
        done(task, result);
    }

    void done(const Task& task, const Result& result) {
        // Before it has told its key, a point has one of this plan only.
        const std::string key =
            task.key.empty() ? m_plan.digest() + " " + std::to_string(task.index) : task.key;
        m_store.put(task.index, key, result);
        m_deaths.erase(task.index);
        ++m_progress.simulated;
        if (!result.error.empty()) ++m_progress.failed;
    }

    void end_late_ones() {
        if (m_plan.method().timeout_fs == never) return;
        const std::chrono::duration<double> most(static_cast<double>(m_plan.method().timeout_fs) / 1e15);
        for (std::size_t worker = 0; worker < m_pool.size(); ++worker) {
            Task& task = m_tasks[worker];
            if (!m_pool.busy(worker) || task.late || Clock::now() - task.begun < most) continue;
            task.late = true;
            m_pool.kill(worker);
        }
    }

    struct Deaths {
        int crashes = 0;
        int kills = 0;
    };

    const Plan& m_plan;
    const Points& m_points;
    Store& m_store;
    WorkerPool m_pool;
    std::vector<Task> m_tasks;
    std::vector<std::uint64_t> m_again;  // whose process has died
    std::map<std::uint64_t, Deaths> m_deaths;
    Progress m_progress;
};

}  // namespace

Outcome LocalEngine::run(const Plan& plan, const Points& points, Store& store, const Watch& watch) {
    return Run(plan, points, store, m_jobs).go(watch) ? Outcome::whole : Outcome::stopped;
}

Estimate estimate(const Plan& plan, std::size_t jobs, const Watch& watch) {
    constexpr std::uint64_t looks = 8;
    constexpr double enough_s = 0.1;
    constexpr time_fs shortest = 20 * fs_per_us;
    // Answers with the seconds that the whole point would take, or nothing.
    const auto look = [&plan](const std::string& task, const WorkerPool::Ask&) -> std::string {
        const PointRun point(plan, plan.point(std::stoull(task)));
        const app::RunParameters& p = point.parameters().parameters();
        for (time_fs duration = shortest;; duration *= 2) {
            duration = std::min(duration, p.duration_fs);
            const Result result = point.run(duration);
            if (!result.error.empty()) return "";
            if (result.wall_s < enough_s && duration < p.duration_fs) continue;
            const time_fs simulated = duration + std::min(p.warmup_fs, duration);
            return std::to_string(result.wall_s * static_cast<double>(p.warmup_fs + p.duration_fs) /
                                  static_cast<double>(simulated));
        }
    };
    WorkerPool pool(jobs, look);
    Estimate result;
    const std::uint64_t count = std::min(looks, plan.points());
    std::uint64_t next = 0;
    double seconds = 0;
    for (;;) {
        for (std::size_t worker = 0; worker < pool.size() && next < count; ++worker) {
            if (pool.busy(worker)) continue;
            pool.start(worker, std::to_string((2 * next + 1) * plan.points() / (2 * count)));
            ++next;
        }
        if (pool.busy_workers() == 0) break;
        for (const WorkerPool::Event& event : pool.events(look_interval)) {
            ++result.looked_at;
            if (event.kind == WorkerPool::Event::death || event.text.empty()) {
                ++result.failed;
            } else {
                seconds += std::stod(event.text);
            }
        }
        if (watch && !watch({})) break;
    }
    if (result.looked_at != result.failed)
        result.point_s = seconds / static_cast<double>(result.looked_at - result.failed);
    return result;
}

}  // namespace tlmetry::explore
