// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tlmetry::app {

/// Writes blocks of memory to a stream, one behind the other, in a thread of its own: who fills them goes on
/// in others meanwhile, and none is copied.
class BlockWriter {
public:
    /// The stream must live as long as this, and nobody else write to it.
    BlockWriter(std::ostream& stream, std::size_t block_bytes);
    /// Writes what there is.
    ~BlockWriter();
    BlockWriter(const BlockWriter&) = delete;
    BlockWriter& operator=(const BlockWriter&) = delete;

    /// A block that is free. Waits for one while all that there are wait to be written.
    std::uint8_t* take();
    /// Has the first `bytes` of a block from take() written; then it is free again.
    void write(std::uint8_t* block, std::size_t bytes);
    /// Waits until everything is written.
    void finish();
    /// Something could not be written.
    bool failed() const { return m_failed; }
    /// errno of that; 0 as long as nothing has failed.
    int error() const { return m_error; }

private:
    struct Job {
        std::uint8_t* block;
        std::size_t bytes;
    };
    void work();

    std::ostream& m_stream;
    std::size_t m_block_bytes;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::unique_ptr<std::uint8_t[]>> m_blocks;
    std::vector<std::uint8_t*> m_free;
    std::deque<Job> m_jobs;
    bool m_writing = false;
    bool m_over = false;
    std::atomic<int> m_error{0};
    std::atomic<bool> m_failed{false};
    std::thread m_thread;
};

}  // namespace tlmetry::app
