// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/arrival.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/request.hpp>
#include <tlmetry/endpoint/up_plan_rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// The way of the requests ahead of a port up to RQ, as far as it depends on nothing but the requests before
/// them: each makes a group of its own, and nothing finite is short. What UpPort, TagManager and RqBus say of
/// it one by one is found here for many side by side.
///
/// The requests are cut into eight runs that go forward together, request by request. Each begins some
/// requests early, as if nothing had been before; by its own first request it has mostly forgotten that. What
/// it finds there is compared with what the run before it comes to in the end, and the plan ends where they
/// differ.
class UpPlan {
public:
    static constexpr std::size_t runs = up_plan::runs;
    /// Runs of an odd number of cache lines of numbers: their places are not those of each other in the
    /// first cache.
    static constexpr std::size_t most_requests = runs * std::size_t{8} * 15;

    /// Most cycles from a grant to the word on RQ, and most words of a frame on UP, for which crossings are
    /// certainly not full: what leaves them is seen long before.
    static cycle_t most_cycles(const Config& config, const Edges& pcie, const Edges& dma);

    /// Plans can be made for such an endpoint, on this processor: with AVX-512, without which they gain
    /// nothing.
    static bool is_possible(const Config& config, const Edges& pcie, const Edges& dma);
    UpPlan(const Config& config, const Edges& pcie, const Edges& dma);

    /// What the first request finds.
    struct State {
        cycle_t mvb_free = 0;      ///< first D cycle in which a header can be presented
        OpenWord up;               ///< D
        cycle_t last_grant = 0;    ///< P
        cycle_t last_headers = 0;  ///< P cycle in which the group before was available to RQ
        OpenWord rq;               ///< P
    };
    /// Makes a plan of as many of `count` requests as it can. `left(i)`: P cycle in which the i-th group
    /// before the first, from 1, left the queue before RQ.
    template <class Left>
    void make(const Request* requests, std::size_t count, const State& state, const Left& left) {
        for (std::size_t i = 1; i <= m_queue; ++i)
            m_left[m_queue - i] = left(i);
        make(requests, count, state);
    }
    void drop() { m_next = m_end = 0; }

    /// What was found of the requests, each in its place.
    const std::int64_t* row(up_plan::Row row) const { return m_numbers.data() + row * row_length; }

    bool empty() const { return m_next == m_end; }
    std::size_t size() const { return m_end - m_next; }
    /// Place of the next request in the plan.
    std::size_t next() const { return m_next; }
    void pass(std::size_t count) { m_next += count; }
    /// How many of the next requests present their header before D cycle `end`; not beyond the end of a run.
    std::size_t presented_before(cycle_t end) const {
        const std::size_t run_end = std::min(m_end, (m_next / m_run + 1) * m_run);
        std::size_t i = m_next;
        while (i != run_end && row(up_plan::presented_row)[i] < end)
            ++i;
        return i - m_next;
    }

    cycle_t presented(std::size_t i) const { return row(up_plan::presented_row)[i]; }
    cycle_t granted(std::size_t i) const { return row(up_plan::granted_row)[i]; }
    cycle_t available(std::size_t i) const { return row(up_plan::available_row)[i]; }

    /// The words that are last on the buses behind it.
    OpenWord up_word(std::size_t i) const {
        const cycle_t moved = row(up_plan::up_moved_row)[i];
        return {moved, moved,
                static_cast<std::uint32_t>(row(up_plan::used_row)[i] >> up_plan::up_used_shift)};
    }
    OpenWord rq_word(std::size_t i) const {
        const cycle_t moved = row(up_plan::moved_row)[i];
        return {moved, moved, static_cast<std::uint32_t>(row(up_plan::used_row)[i])};
    }

    /// What requests add up to.
    struct Needs {
        std::uint32_t bytes = 0;     ///< on the link
        std::uint32_t words = 0;     ///< of the storage FIFO
        std::uint32_t entries = 0;   ///< of completion headers
        std::uint32_t up_words = 0;  ///< that frames open on UP, and touch on RQ
        std::uint32_t rq_words = 0;
        FrameSum up, rq;  ///< their `end` and `frames` are left open
    };
    /// Payload of the next `count` requests, all in one run.
    std::uint64_t bytes(std::size_t count) const { return total(up_plan::payload_row, count); }
    /// Of the next `count` requests, all in one run; writes, their bytes, and the time of the last are left
    /// open.
    RequestSum lines(std::size_t count) const;
    /// Of the next `count` requests, all in one run.
    Needs needs(std::size_t count) const;

private:
    /// What a row of sums has grown by with the next `count` requests.
    std::uint64_t total(up_plan::Row row, std::size_t count) const {
        const std::int64_t* const sums = this->row(row);
        const std::int64_t end = sums[m_next + count - 1];
        return static_cast<std::uint64_t>(end - (m_next % m_run == 0 ? 0 : sums[m_next - 1]));
    }
    void make(const Request* requests, std::size_t count, const State& state);

    // As for runs.
    static constexpr std::size_t row_length = most_requests + std::size_t{8} * 3;

    up_plan::Rules m_rules;
    std::size_t m_queue;                  // groups that the queue before RQ takes
    std::vector<std::int64_t> m_left;     // when groups before the plan left it, the last one last
    std::vector<std::int64_t> m_numbers;  // row by row
    std::size_t m_run = 1;                // requests in a run
    std::size_t m_next = 0;
    std::size_t m_end = 0;
};

}  // namespace tlmetry::endpoint
