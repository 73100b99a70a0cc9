// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/worker_pool.hpp"

#include <tlmetry/base/error.hpp>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace tlmetry::explore {

namespace {

// What a message of a worker begins with.
constexpr char question_mark = '?';
constexpr char result_mark = '=';
// Longest message.
constexpr std::size_t most_bytes = std::size_t{160} << 10;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// False if nobody is there any more.
bool send_message(int socket, const std::string& text) {
    ssize_t sent = 0;
    do {
        sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0 && errno != EPIPE && errno != ECONNRESET) fail("send");
    return sent >= 0;
}

/// False if nobody is there any more.
bool receive_message(int socket, std::string& text) {
    text.resize(most_bytes);
    ssize_t received = 0;
    do {
        received = recv(socket, text.data(), text.size(), 0);
    } while (received < 0 && errno == EINTR);
    if (received < 0 && errno != ECONNRESET) fail("recv");
    text.resize(received > 0 ? static_cast<std::size_t>(received) : 0);
    return received > 0;
}

}  // namespace

WorkerPool::WorkerPool(std::size_t workers, Work work) : m_work(std::move(work)), m_workers(workers) {}

WorkerPool::~WorkerPool() {
    for (Worker& worker : m_workers) {
        if (worker.pid < 0) continue;
        ::kill(worker.pid, SIGKILL);
        bury(worker);
    }
}

std::size_t WorkerPool::busy_workers() const {
    return static_cast<std::size_t>(
        std::count_if(m_workers.begin(), m_workers.end(), [](const Worker& worker) { return worker.busy; }));
}

void WorkerPool::launch(Worker& worker) {
    // A message is received as a whole or not at all.
    int ends[2];
    const auto refuse = [&](const char* what) {
        throw UserError("option --jobs: expected room for " + std::to_string(m_workers.size()) +
                        " processes, found " + what + ": " + std::strerror(errno));
    };
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) refuse("no socket for one of them");
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) refuse("that one of them cannot be begun");
    if (pid == 0) {
        // It must end with its parent, and Ctrl-C on the terminal is the matter of the parent.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_DFL);
        // Nothing of the parent's stays open here: neither files nor the ends of other workers.
        if (ends[1] > 3) close_range(3, static_cast<unsigned>(ends[1]) - 1, 0);
        close_range(static_cast<unsigned>(ends[1]) + 1, ~0U, 0);
        serve(ends[1]);
    }
    close(ends[1]);
    worker.pid = pid;
    worker.socket = ends[0];
}

void WorkerPool::serve(int socket) {
    // Nothing may come out of here by an exception, and nothing of the parent's is to be destroyed.
    try {
        std::string task;
        while (receive_message(socket, task)) {
            const Ask ask = [socket](const std::string& question) {
                std::string answer;
                if (!send_message(socket, question_mark + question) || !receive_message(socket, answer))
                    _exit(0);
                return answer;
            };
            if (!send_message(socket, result_mark + m_work(task, ask))) break;
        }
    } catch (...) {
        std::abort();
    }
    _exit(0);
}

/// Waits for the end of a worker, and says how it came.
int WorkerPool::bury(Worker& worker) {
    int status = 0;
    while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(worker.socket);
    worker = Worker();
    return status;
}

void WorkerPool::start(std::size_t number, const std::string& task) {
    Worker& worker = m_workers.at(number);
    if (worker.pid < 0) launch(worker);
    worker.busy = true;
    send_message(worker.socket, task);  // its death, if it is dead, is told later
}

void WorkerPool::answer(std::size_t number, const std::string& text) {
    send_message(m_workers.at(number).socket, text);
}

void WorkerPool::kill(std::size_t number) {
    ::kill(m_workers.at(number).pid, SIGKILL);
}

std::vector<WorkerPool::Event> WorkerPool::events(std::chrono::milliseconds longest) {
    std::vector<pollfd> waiting;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        if (m_workers[i].pid < 0) continue;
        waiting.push_back({m_workers[i].socket, POLLIN, 0});
        numbers.push_back(i);
    }
    if (poll(waiting.data(), waiting.size(), static_cast<int>(longest.count())) < 0) {
        if (errno == EINTR) return {};
        fail("poll");
    }
    std::vector<Event> events;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (waiting[i].revents == 0) continue;
        Worker& worker = m_workers[numbers[i]];
        Event event;
        event.worker = numbers[i];
        std::string text;
        if (receive_message(worker.socket, text)) {
            event.kind = text[0] == question_mark ? Event::question : Event::result;
            event.text = text.substr(1);
            if (event.kind == Event::result) worker.busy = false;
        } else {
            const bool had_a_task = worker.busy;
            event.kind = Event::death;
            event.status = bury(worker);
            if (!had_a_task) continue;
        }
        events.push_back(std::move(event));
    }
    return events;
}

}  // namespace tlmetry::explore
