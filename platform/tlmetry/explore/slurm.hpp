// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Slurm through its own programs, which know where its controller is.
namespace tlmetry::explore::slurm {

/// What squeue knows of jobs of one name that have not ended.
struct Queue {
    std::map<std::string, std::uint64_t> tasks;  ///< how many are in each state, as in `RUNNING`
    std::string waits_for;                       ///< why the first pending one is, as in `Resources`
    bool collecting = false;                     ///< the collection is running

    /// `4 running, 12 pending (Resources)`; empty without tasks.
    std::string text() const;
};

/// The name of the job that brings together what the jobs of this one have done.
std::string collection_of(const std::string& name);

/// Of what squeue prints with `queue_format`. Throws UserError for anything else.
Queue parse_queue(const std::string& text, const std::string& name);
extern const char* const queue_format;

/// MaxArraySize in what `scontrol show config` prints. Throws UserError if there is none.
std::uint64_t parse_max_array_size(const std::string& text);

/// These throw UserError with the message of Slurm if it cannot be asked or refuses.
Queue queue(const std::string& name);
std::uint64_t max_array_size();
/// Number of the job. `words` are options of sbatch, the script and its arguments.
std::string submit(const std::vector<std::string>& words);
void cancel(const std::string& name);

}  // namespace tlmetry::explore::slurm
