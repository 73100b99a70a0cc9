// SPDX-License-Identifier: BSD-3-Clause
#include "dma_sc/initiator.hpp"
#include "endpoint/expand.hpp"
#include "endpoint/scenario.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/dma_sc/dma_port.hpp>
#include <tlmetry/dma_sc/endpoint_engine.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

using namespace tlmetry;
using test::Initiator;

namespace {

/// All requests from the start, and when reads are done.
class Listed : public endpoint::RequestSource {
public:
    std::vector<endpoint::Request> requests;
    std::map<std::uint64_t, time_fs> done;

    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs) override {
        std::size_t count = 0;
        for (; count < most && m_next != requests.size(); ++count)
            out[count] = requests[m_next++];
        return count;
    }
    void read_done(std::uint64_t number, time_fs t) override { done[number] = t; }
    /// A DmaPort learns of it with its next edge.
    void read_lost(std::uint64_t number, time_fs t) override {
        done[number] = dma->time_of(dma->first_after(t));
    }
    const ClockDomain* dma = nullptr;

private:
    std::size_t m_next = 0;
};

/// The same requests twice: told to the engine from the start, and through sockets at their times.
struct Pair {
    static constexpr std::size_t not_asked = ~std::size_t{0};
    test::Scenario scenario;
    ClockDomain pcie;
    ClockDomain dma;
    time_fs end;
    std::vector<Listed> listed;
    std::vector<Listed> beside;  // sources in SystemC that are no DmaPort
    std::vector<std::unique_ptr<dma_sc::DmaPort>> ports;
    std::vector<std::unique_ptr<Initiator>> initiators;
    std::vector<std::vector<std::size_t>> asked;  ///< by port: the number of each request
    test::ListedHost host;
    test::ListedHost sc_host;
    std::unique_ptr<endpoint::Endpoint> expected;
    std::unique_ptr<dma_sc::EndpointEngine> found;
    dma_sc::HostMemory memory;

    explicit Pair(std::uint64_t seed)
        : scenario(test::random_scenario(seed)),
          pcie(scenario.reference.p_period_fs, scenario.reference.p_phase_fs),
          dma(scenario.reference.d_period_fs, scenario.reference.d_phase_fs),
          end(pcie.time_of(scenario.cycles)),
          listed(scenario.config.ports),
          beside(scenario.config.ports),
          ports(scenario.config.ports),
          asked(scenario.config.ports),
          host(scenario),
          sc_host(scenario) {
        for (std::size_t p = 0; p < listed.size(); ++p)
            listed[p].dma = beside[p].dma = &dma;
        for (const auto& r : scenario.requests) {
            endpoint::Request request;
            request.arrival = r.arrival_fs;
            request.address = r.address;
            request.length = static_cast<std::uint32_t>(r.length);
            request.read = r.read;
            listed[static_cast<std::size_t>(r.port)].requests.push_back(request);
        }
        std::vector<endpoint::RequestSource*> sources;
        std::vector<endpoint::RequestSource*> sc_sources;
        for (std::size_t p = 0; p < listed.size(); ++p) {
            sources.push_back(&listed[p]);
            if (p == 1 && seed % 2 == 0) {
                beside[p].requests = listed[p].requests;
                sc_sources.push_back(&beside[p]);
                continue;
            }
            ports[p] = std::make_unique<dma_sc::DmaPort>(sc_core::sc_gen_unique_name("port"),
                                                         dma_sc::DmaPort::Config{false});
            sc_sources.push_back(ports[p].get());
            initiators.push_back(
                std::make_unique<Initiator>(sc_core::sc_gen_unique_name("initiator"),
                                            [this, p, seed](Initiator& i) { ask_all(i, p, seed); }));
            initiators.back()->socket.bind(ports[p]->socket);
        }
        expected = std::make_unique<endpoint::Endpoint>(scenario.config, pcie, dma, sources);
        endpoint::System({expected.get()}, host).advance(end);
        found = std::make_unique<dma_sc::EndpointEngine>(
            sc_core::sc_gen_unique_name("engine"), scenario.config, pcie, dma, sc_sources, sc_host, memory);
        found->on_step([](time_fs) {});  // leaves everything in the logs
    }
    /// Calls some time before the requests arrive, now and then for a later one first.
    void ask_all(Initiator& initiator, std::size_t port, std::uint64_t seed) {
        const std::vector<endpoint::Request>& requests = listed[port].requests;
        std::vector<std::size_t>& numbers = asked[port];
        numbers.assign(requests.size(), not_asked);
        Random random(seed, "ahead");
        const auto ask = [&](std::size_t n, time_fs ahead) {
            const endpoint::Request& r = requests[n];
            initiator.wait_until(r.arrival - ahead);
            numbers[n] = initiator.ask(r.read, r.address, std::vector<std::uint8_t>(r.length), r.arrival);
        };
        const auto some_time = [&] { return random.chance(1, 2) ? 0 : random.below(60'000) * fs_per_ps; };
        for (std::size_t n = 0; n < requests.size(); ++n) {
            if (n + 1 < requests.size() && requests[n].arrival < requests[n + 1].arrival &&
                random.chance(1, 3)) {
                ask(n + 1, requests[n + 1].arrival - requests[n].arrival + some_time());
                ask(n, 0);
                ++n;
            } else {
                ask(n, some_time());
            }
        }
    }
};

bool same(const std::vector<reference::BusCycle>& a, const std::vector<reference::BusCycle>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.src_rdy == y.src_rdy && x.dst_rdy == y.dst_rdy && x.sof == y.sof && x.eof == y.eof &&
               x.data == y.data && x.items == y.items && x.eof_pos == y.eof_pos;
    });
}
bool same(const std::vector<reference::HeaderCycle>& a, const std::vector<reference::HeaderCycle>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.src_rdy == y.src_rdy && x.dst_rdy == y.dst_rdy && x.items == y.items;
    });
}

}  // namespace

TEST_CASE("requests through sockets are on the buses when listed requests are, and done when they are") {
    std::vector<std::unique_ptr<Pair>> pairs;
    for (std::uint64_t seed = 1; pairs.size() < 24; ++seed)
        pairs.push_back(std::make_unique<Pair>(seed));
    time_fs longest = 0;
    for (const auto& pair : pairs)
        longest = std::max(longest, pair->end);
    // Each is looked at when its own time is over.
    std::vector<std::size_t> by_end(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        by_end[i] = i;
    std::sort(by_end.begin(), by_end.end(), [&](auto a, auto b) { return pairs[a]->end < pairs[b]->end; });
    std::size_t reads = 0;
    std::size_t writes = 0;
    std::size_t beside = 0;
    for (const std::size_t i : by_end) {
        Pair& pair = *pairs[i];
        if (pair.end > kernel_now()) sc_core::sc_start(to_sc_time(pair.end - kernel_now()));
        pair.found->advance();
        CAPTURE(i);
        const endpoint::Config& c = pair.scenario.config;
        endpoint::Endpoint& a = *pair.expected;
        endpoint::Endpoint& b = pair.found->endpoint();
        const cycle_t p_cycles = pair.scenario.cycles;
        const cycle_t d_cycles = pair.dma.first_at_or_after(pair.end);
        const auto mfb = [&](endpoint::MfbLog& x, endpoint::MfbLog& y, std::uint32_t regions,
                             std::uint32_t items, cycle_t cycles) {
            return same(test::expand(x, regions, items, cycles), test::expand(y, regions, items, cycles));
        };
        CHECK(mfb(a.rq(), b.rq(), c.buses.rq_regions, c.buses.up_region_items, p_cycles));
        CHECK(mfb(a.rc(), b.rc(), c.buses.rc_regions, c.buses.down_region_items, p_cycles));
        std::size_t initiator = 0;
        for (std::uint32_t p = 0; p < c.ports; ++p) {
            CAPTURE(p);
            CHECK(mfb(a.up(p).mfb, b.up(p).mfb, c.buses.up_regions, c.buses.up_region_items, d_cycles));
            CHECK(
                mfb(a.down(p).mfb, b.down(p).mfb, c.buses.down_regions, c.buses.down_region_items, d_cycles));
            CHECK(same(test::expand(a.up(p).mvb, d_cycles), test::expand(b.up(p).mvb, d_cycles)));
            CHECK(same(test::expand(a.down(p).mvb, d_cycles), test::expand(b.down(p).mvb, d_cycles)));
            if (pair.ports[p] == nullptr) {
                beside += pair.beside[p].done.size();
                CHECK(pair.beside[p].done == pair.listed[p].done);
                continue;
            }
            const Initiator& user = *pair.initiators[initiator++];
            CHECK(user.mistakes == std::vector<std::string>());
            // When writes have moved, header and payload.
            std::vector<cycle_t> headers;
            for (std::size_t h = 0; h < a.up(p).mvb.size(); ++h)
                headers.insert(headers.end(), a.up(p).mvb[h].items, a.up(p).mvb[h].moved);
            std::vector<cycle_t> payloads;
            for (std::size_t m = 0; m < a.up(p).mfb.size(); ++m) {
                const endpoint::Piece& piece = a.up(p).mfb[m];
                const std::uint32_t last = piece.first_region + piece.regions - 1;
                if (piece.eof()) payloads.push_back(piece.moved + last / c.buses.up_regions);
            }
            std::size_t wrong = 0;
            std::size_t write = 0;
            const std::vector<std::size_t>& numbers = pair.asked[p];
            for (std::size_t r = 0; r < numbers.size(); ++r) {
                const endpoint::Request& request = pair.listed[p].requests[r];
                time_fs expected = -1;
                if (request.read) {
                    const auto done = pair.listed[p].done.find(r);
                    if (done != pair.listed[p].done.end()) expected = done->second;
                    reads += expected >= 0;
                } else {
                    if (r < headers.size() && write < payloads.size()) {
                        expected = pair.dma.time_of(std::max(headers[r], payloads[write]) + 1);
                        ++writes;
                    }
                    ++write;
                }
                // What comes later has not come yet.
                if (expected >= pair.end) expected = -1;
                const time_fs responded =
                    numbers[r] == Pair::not_asked ? -1 : user.all[numbers[r]]->responded;
                if (responded >= pair.end) continue;
                wrong += responded != expected;
            }
            CHECK(wrong == 0);
        }
    }
    CHECK(reads > 1000);
    CHECK(writes > 1000);
    CHECK(beside > 100);
}

TEST_CASE("who asks again as soon as it has been answered gets the times of a closed loop in the engine") {
    constexpr std::uint64_t total = 3000;
    constexpr std::uint64_t window = 7;
    const auto length = [](std::uint64_t n) { return static_cast<std::uint32_t>(1 + n * 37 % 512); };
    const auto address = [](std::uint64_t n) { return n * 4096 + n * 13 % 1024; };
    class Loop : public endpoint::RequestSource {
    public:
        std::vector<endpoint::Request> asked;
        std::vector<time_fs> done;
        std::function<void(time_fs)> ask;
        std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs) override {
            std::size_t count = 0;
            for (; count < most && m_next != asked.size(); ++count)
                out[count] = asked[m_next++];
            return count;
        }
        void read_done(std::uint64_t, time_fs t) override {
            done.push_back(t);
            ask(t);
        }

    private:
        std::size_t m_next = 0;
    } loop;
    loop.ask = [&](time_fs t) {
        const std::uint64_t n = loop.asked.size();
        if (n < total) loop.asked.push_back({t, address(n), length(n), true, 0});
    };
    for (std::uint64_t n = 0; n < window; ++n)
        loop.ask(0);
    endpoint::Config config;
    config.link.up_byte_time = config.link.down_byte_time = std::uint64_t{50'000} << 16;
    const ClockDomain pcie(2500 * fs_per_ps, 700);
    const ClockDomain dma(4321 * fs_per_ps, 99);
    test::Scenario latencies;
    latencies.latencies_fs = {500 * fs_per_ns, 750 * fs_per_ns, 611'123'456, 500'000'001};
    test::ListedHost host(latencies);
    test::ListedHost sc_host(latencies);
    endpoint::Endpoint alone(config, pcie, dma, {&loop});
    endpoint::System({&alone}, host).advance(fs_per_ms);
    REQUIRE(loop.done.size() == total);

    dma_sc::HostMemory memory;
    dma_sc::DmaPort port("port");
    dma_sc::EndpointEngine engine("engine", config, pcie, dma, {&port}, sc_host, memory);
    Initiator initiator("initiator", [&](Initiator& i) {
        std::uint64_t n = 0;
        for (; n < window; ++n)
            i.ask(true, address(n), std::vector<std::uint8_t>(length(n)), 0);
        while (i.order.size() < total) {
            i.wait_for_one();
            for (; n < std::min<std::uint64_t>(total, window + i.order.size()); ++n)
                i.ask(true, address(n), std::vector<std::uint8_t>(length(n)), kernel_now());
        }
    });
    initiator.socket.bind(port.socket);
    sc_core::sc_start();
    std::vector<time_fs> responded;
    for (const std::size_t n : initiator.order)
        responded.push_back(initiator.all[n]->responded);
    CHECK(responded == loop.done);
    CHECK(initiator.mistakes == std::vector<std::string>());
}

TEST_CASE("a blocking transport returns when the read is done") {
    endpoint::Config config;
    const ClockDomain pcie(2500 * fs_per_ps, 0);
    const ClockDomain dma(5 * fs_per_ns, 1 * fs_per_ns);
    class Host : public endpoint::HostModel {
        time_fs read(std::uint32_t, const endpoint::Arrival& arrival) override {
            return arrival.at + 700 * fs_per_ns;
        }
        void write(std::uint32_t, const endpoint::Arrival&) override {}
    } host;
    dma_sc::HostMemory memory;
    dma_sc::DmaPort port("port");
    dma_sc::EndpointEngine engine("engine", config, pcie, dma, {&port}, host, memory);
    const time_fs start = 3'333 * fs_per_ns;
    const time_fs ahead = 41 * fs_per_ns;
    time_fs read_done = 0;
    time_fs write_done = 0;
    time_fs write_asked = 0;
    Initiator initiator("initiator", [&](Initiator& i) {
        std::uint8_t data[256] = {};
        tlm::tlm_generic_payload p;
        p.set_command(tlm::TLM_READ_COMMAND);
        p.set_address(0x1000);
        p.set_data_ptr(data);
        p.set_data_length(256);
        p.set_streaming_width(256);
        i.wait_until(start);
        sc_core::sc_time delay = to_sc_time(ahead);
        i.socket->b_transport(p, delay);
        CHECK(delay == sc_core::SC_ZERO_TIME);
        read_done = kernel_now();
        p.set_command(tlm::TLM_WRITE_COMMAND);
        i.wait_until(kernel_now() + 2 * fs_per_ns);
        write_asked = kernel_now();
        i.socket->b_transport(p, delay);
        write_done = kernel_now();
    });
    initiator.socket.bind(port.socket);
    sc_core::sc_start();

    Listed listed;
    listed.requests.push_back({start + ahead, 0x1000, 256, true, 0});
    endpoint::Endpoint alone(config, pcie, dma, {&listed});
    endpoint::System({&alone}, host).advance(start + 10 * fs_per_us);
    REQUIRE(listed.done.size() == 1);
    CHECK(read_done == listed.done[0]);
    CHECK(read_done - start - ahead > 700 * fs_per_ns);
    // 256 bytes are four words of UP; presented in the first edge at or after the call.
    CHECK(write_done == dma.time_of(dma.first_at_or_after(write_asked) + 4));
}
