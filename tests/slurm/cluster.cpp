// SPDX-License-Identifier: BSD-3-Clause
#include "cluster.hpp"

#include <tlmetry/explore/child_program.hpp>

#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tlmetry::test {

namespace {

namespace fs = std::filesystem;

std::string printed(const std::vector<std::string>& words) {
    return explore::run_program(words).out;
}

/// Different TCP ports that nobody uses.
std::vector<int> free_ports(std::size_t count) {
    std::vector<int> sockets, ports;
    for (std::size_t i = 0; i < count; ++i) {
        sockets.push_back(socket(AF_INET, SOCK_STREAM, 0));
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        if (bind(sockets.back(), any, size) != 0 || getsockname(sockets.back(), any, &size) != 0)
            throw std::runtime_error("no free port");
        ports.push_back(ntohs(address.sin_port));
    }
    for (const int socket : sockets)
        close(socket);
    return ports;
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string node_name(std::size_t node) {
    return "node" + std::to_string(node);
}

bool is_idle(const std::string& states) {
    return !states.empty() &&
           std::count(states.begin(), states.end(), '\n') == std::ptrdiff_t{Cluster::nodes} &&
           states.find_first_not_of("idle\n") == states.npos;
}

}  // namespace

void wait_until(const std::function<bool()>& condition) {
    while (!condition())
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

Cluster::Cluster() {
    // Somebody else may take a port before its daemon does.
    for (int attempt = 0; attempt < 5; ++attempt) {
        if (start()) return;
        for (auto& node : m_nodes)
            node.reset();
        m_controller.reset();
        m_munged.reset();
    }
    throw std::runtime_error("the daemons of Slurm do not start:\n" +
                             printed({"sh", "-c", "tail -n 5 " + folder() + "/log/*"}));
}

bool Cluster::start() {
    fs::remove_all(folder());
    for (const char* name : {"state", "spool", "log"})
        fs::create_directories(folder() + "/" + name);
    write_configuration();
    setenv("SLURM_CONF", (folder() + "/slurm.conf").c_str(), 1);
    // Sanitizers look for leaks in a process that a test would take for a worker, and end.
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);

    std::ofstream(folder() + "/key") << std::string(1024, 'k');
    fs::permissions(folder() + "/key", fs::perms::owner_read);
    const std::string socket = folder() + "/munge";
    m_munged = std::make_unique<Daemon>(
        std::vector<std::string>{
            "/usr/sbin/munged", "--foreground", "--force", "--key-file=" + folder() + "/key",
            "--socket=" + socket, "--pid-file=" + folder() + "/munged.pid",
            "--log-file=" + folder() + "/log/munged", "--seed-file=" + folder() + "/seed"},
        folder() + "/log/munged.out");
    wait_until([&] { return fs::exists(socket) || m_munged->ended(); });
    m_controller = std::make_unique<Daemon>(
        std::vector<std::string>{"/usr/sbin/slurmctld", "-D", "-c", "-f", folder() + "/slurm.conf"},
        folder() + "/log/slurmctld.out");
    for (std::size_t node = 0; node < nodes; ++node)
        start_node(node);
    bool idle = false;
    wait_until([&] {
        idle = is_idle(printed({"sinfo", "--noheader", "--Node", "--format=%T"}));
        const bool all =
            !m_munged->ended() && !m_controller->ended() && !m_nodes[0]->ended() && !m_nodes[1]->ended();
        return idle || !all;
    });
    return idle;
}

void Cluster::write_configuration() {
    const std::vector<int> ports = free_ports(1 + nodes);
    const passwd* const user = getpwuid(getuid());
    std::ofstream file(folder() + "/slurm.conf");
    file << "ClusterName=test\n"
         << "SlurmctldHost=" << host_name() << "(127.0.0.1)\n"
         << "SlurmctldPort=" << ports[0] << "\n"
         << "SlurmUser=" << user->pw_name << "\nSlurmdUser=" << user->pw_name << "\n"
         << "AuthType=auth/munge\nAuthInfo=socket=" << folder() << "/munge\n"
         << "StateSaveLocation=" << folder() << "/state\n"
         << "SlurmdSpoolDir=" << folder() << "/spool/%n\n"
         << "SlurmctldPidFile=" << folder() << "/slurmctld.pid\nSlurmdPidFile=" << folder() << "/%n.pid\n"
         << "SlurmctldLogFile=" << folder() << "/log/slurmctld\nSlurmdLogFile=" << folder() << "/log/%n\n"
         << "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\nSwitchType=switch/"
            "none\n"
         << "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
         << "ReturnToService=2\n"
         // So that a node that does not answer is soon taken for dead.
         << "SlurmdTimeout=4\nMessageTimeout=3\nTCPTimeout=1\nKillWait=2\n"
         << "SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0\n"
         << "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSlurmdParameters=config_overrides\n"
         << "MaxArraySize=" << largest_array << "\n";
    for (std::size_t node = 0; node < nodes; ++node)
        file << "NodeName=" << node_name(node) << " NodeHostname=" << host_name()
             << " NodeAddr=127.0.0.1 Port=" << ports[1 + node] << " CPUs=2 State=UNKNOWN\n";
    file << "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
}

void Cluster::start_node(std::size_t node) {
    m_nodes[node] =
        std::make_unique<Daemon>(std::vector<std::string>{"/usr/sbin/slurmd", "-D", "-N", node_name(node),
                                                          "-f", folder() + "/slurm.conf"},
                                 folder() + "/log/" + node_name(node) + ".out");
}

void Cluster::fail(std::size_t node) {
    m_nodes.at(node)->end();
    wait_until([&] {
        return printed({"sinfo", "--noheader", "--nodes=" + node_name(node), "--format=%T"}).substr(0, 4) ==
               "down";
    });
}

void Cluster::repair(std::size_t node) {
    start_node(node);
    wait_until([&] {
        return printed({"sinfo", "--noheader", "--nodes=" + node_name(node), "--format=%T"}) == "idle\n";
    });
}

void Cluster::hurry() {
    std::istringstream jobs(queue("PENDING", "%A"));
    for (std::string job; jobs >> job;)
        printed({"scontrol", "update", "JobId=" + job, "StartTime=now"});
}

std::string Cluster::queue(const std::string& states, const std::string& format) {
    return printed({"squeue", "--noheader", "--array", "--states=" + states, "--format=" + format});
}

int Cluster::tasks(const std::string& states) {
    const std::string lines = queue(states, "%i");
    return static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
}

void Cluster::wait_for_the_end() {
    wait_until([] {
        const explore::Ended ended = explore::run_program({"squeue", "--noheader"});
        return ended.code == 0 && ended.out.empty();
    });
}

}  // namespace tlmetry::test
