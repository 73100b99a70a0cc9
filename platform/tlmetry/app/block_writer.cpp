// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/block_writer.hpp"

#include <cerrno>
#include <ostream>

namespace tlmetry::app {

namespace {

// Enough to bridge times in which the disk is busy.
constexpr std::size_t most_blocks = 12;

}  // namespace

BlockWriter::BlockWriter(std::ostream& stream, std::size_t block_bytes)
    : m_stream(stream), m_block_bytes(block_bytes), m_thread([this] { work(); }) {}

BlockWriter::~BlockWriter() {
    {
        const std::lock_guard lock(m_mutex);
        m_over = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

std::uint8_t* BlockWriter::take() {
    std::unique_lock lock(m_mutex);
    if (m_free.empty() && m_blocks.size() < most_blocks) {
        m_blocks.push_back(std::make_unique<std::uint8_t[]>(m_block_bytes));
        return m_blocks.back().get();
    }
    m_changed.wait(lock, [this] { return !m_free.empty(); });
    std::uint8_t* const block = m_free.back();
    m_free.pop_back();
    return block;
}

void BlockWriter::write(std::uint8_t* block, std::size_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back({block, bytes});
    }
    m_changed.notify_all();
}

void BlockWriter::finish() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_jobs.empty() && !m_writing; });
}

void BlockWriter::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return !m_jobs.empty() || m_over; });
        if (m_jobs.empty()) return;
        const Job job = m_jobs.front();
        m_jobs.pop_front();
        m_writing = true;
        lock.unlock();
        errno = 0;
        m_stream.write(reinterpret_cast<const char*>(job.block), static_cast<std::streamsize>(job.bytes));
        if (!m_stream && !m_failed) {
            m_error = errno;
            m_failed = true;
        }
        lock.lock();
        m_writing = false;
        m_free.push_back(job.block);
        m_changed.notify_all();
    }
}

}  // namespace tlmetry::app
