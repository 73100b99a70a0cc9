// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// Processes of this program that work on tasks, one each at a time. One that dies is replaced. They die with
/// the process that has the pool, however that ends.
class WorkerPool {
public:
    /// Asks the process that has the pool, and returns its answer.
    using Ask = std::function<std::string(const std::string& question)>;
    /// Done by a worker: what comes of a task. It must catch its exceptions.
    using Work = std::function<std::string(const std::string& task, const Ask& ask)>;

    /// What a worker has to say.
    struct Event {
        enum Kind { question, result, death };
        Kind kind = result;
        std::size_t worker = 0;
        std::string text;  ///< question or result
        int status = 0;    ///< of waitpid(), of a death
    };

    /// Starts no worker before it has a task. The process must have no other thread.
    WorkerPool(std::size_t workers, Work work);
    /// Ends the workers, and what they do.
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    std::size_t size() const { return m_workers.size(); }
    bool busy(std::size_t worker) const { return m_workers[worker].busy; }
    std::size_t busy_workers() const;

    /// Gives a task to a worker that is not busy.
    void start(std::size_t worker, const std::string& task);
    void answer(std::size_t worker, const std::string& text);
    /// Ends a worker; its death is told by events().
    void kill(std::size_t worker);

    /// Waits until a worker has something to say, for `longest` at most or until a signal comes.
    std::vector<Event> events(std::chrono::milliseconds longest);

private:
    struct Worker {
        int pid = -1;
        int socket = -1;
        bool busy = false;
    };

    void launch(Worker& worker);
    [[noreturn]] void serve(int socket);
    int bury(Worker& worker);

    Work m_work;
    std::vector<Worker> m_workers;
};

}  // namespace tlmetry::explore
