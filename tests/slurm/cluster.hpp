// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../support/shell.hpp"
#include "daemon.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace tlmetry::test {

/// Waits for a condition, however long it takes.
void wait_until(const std::function<bool()>& condition);

/// A cluster of two nodes with two processors each, all on this machine: munged, slurmctld and slurmd of the
/// system on ports and in a folder of their own. While it lives, the programs of Slurm that the test runs ask
/// this one.
class Cluster {
public:
    static constexpr std::size_t nodes = 2;
    static constexpr int largest_array = 6;

    Cluster();
    ~Cluster() = default;
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// The node loses its power, and slurmctld has seen it when this returns: what ran there is to run again.
    void fail(std::size_t node);
    /// The node is there again.
    void repair(std::size_t node);
    /// What is to run again does so as soon as it can, and not after two minutes.
    static void hurry();

    /// Lines that squeue prints of jobs in these states, in this format.
    static std::string queue(const std::string& states, const std::string& format);
    /// How many tasks are in these states, as in `PENDING,RUNNING`.
    static int tasks(const std::string& states);
    /// No job is left.
    static void wait_for_the_end();

private:
    bool start();
    void write_configuration();
    void start_node(std::size_t node);
    std::string folder() const { return m_folder.path("slurm"); }

    TemporaryFolder m_folder;
    std::unique_ptr<Daemon> m_munged, m_controller;
    std::array<std::unique_ptr<Daemon>, nodes> m_nodes;
};

}  // namespace tlmetry::test
