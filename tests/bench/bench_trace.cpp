// SPDX-License-Identifier: BSD-3-Clause
// Speed of trace decoding on one core, in processor time: records read and filtered, printed in each layout,
// and analysed, from a trace made up in memory or from a file.

#include "measure.hpp"

#include <tlmetry/trace/analysis.hpp>
#include <tlmetry/trace/filter.hpp>
#include <tlmetry/trace/print.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <streambuf>
#include <string>

namespace {

using namespace tlmetry;

constexpr int rounds = 3;

/// Takes everything and keeps nothing.
class NullBuffer : public std::streambuf {
    std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
    int overflow(int c) override { return c; }
};

/// Reads with their completions between writes of two devices.
std::string made_up_trace(ptt::Format format, std::size_t bytes) {
    std::mt19937_64 random(1);
    std::string trace;
    trace.reserve(bytes + 64);
    std::array<std::uint8_t, 32> record{};
    std::uint32_t time = 0;
    const auto add = [&](const tlp::Header& header) {
        ptt::Record r;
        r.header = tlp::encode(header);
        r.time = time += static_cast<std::uint32_t>(random() % 16);
        ptt::put_record(format, r, record.data());
        trace.append(reinterpret_cast<const char*>(record.data()), ptt::record_bytes(format));
    };
    for (unsigned tag = 0; trace.size() < bytes; tag = (tag + 1) % 256) {
        tlp::Header h;
        h.four_dwords = true;
        h.length_dwords = 64;
        h.requester = static_cast<std::uint16_t>(0x0100 + random() % 2);
        h.tag = static_cast<std::uint16_t>(tag);
        h.first_be = h.last_be = 0xf;
        h.address = (random() % (1U << 20) << 20) + 0x1'0000'0000 + random() % 8 * 256;
        add(h);
        tlp::Header answer;
        answer.kind = tlp::Kind::completion_data;
        answer.length_dwords = 64;
        answer.requester = h.requester;
        answer.tag = h.tag;
        answer.byte_count = 256;
        add(answer);
        h.kind = tlp::Kind::memory_write;
        add(h);
        h.address += 1024;
        add(h);
    }
    return trace;
}

ptt::TraceReader reader_of(const std::string& trace) {
    return ptt::TraceReader(ptt::AuxSource(ptt::ByteSource::from_memory("trace", trace)));
}

template <class Use>
std::uint64_t for_all(const std::string& trace, Use&& use) {
    ptt::TraceReader reader = reader_of(trace);
    ptt::TracedTlp tlp;
    while (reader.next_buffer()) {
        while (reader.next(tlp))
            use(tlp);
    }
    return reader.counts().records;
}

void measure(const std::string& trace) {
    const std::string format =
        ptt::name_of(ptt::detect_format(reinterpret_cast<const std::uint8_t*>(trace.data())));
    trace::Filter filter;
    filter.categories = {false, true, false};
    filter.requesters = {0x0100};
    std::uint64_t records = 0;
    std::uint64_t chosen = 0;
    const double filtered = bench::best_seconds(rounds, [&] {
        records = for_all(trace, [&](const ptt::TracedTlp& tlp) { chosen += filter.accepts(tlp) ? 1 : 0; });
    });
    if (chosen == 0 || chosen >= rounds * records) std::cerr << "nothing to choose from\n";
    bench::result(("trace " + format + ", decoded and filtered").c_str(),
                  static_cast<double>(trace.size()) / 1e6 / filtered, "MB/s");

    NullBuffer nothing;
    std::ostream out(&nothing);
    const std::pair<const char*, const trace::Layout*> layouts[] = {{"JSON", &trace::json_layout},
                                                                    {"CSV", &trace::csv_layout},
                                                                    {"text", &trace::text_layout},
                                                                    {"perf", &trace::perf_layout}};
    for (const auto& [name, layout] : layouts) {
        const double seconds = bench::best_seconds(rounds, [&, print = layout->print_tlp] {
            trace::TextBuffer text(out);
            for_all(trace, [&](const ptt::TracedTlp& tlp) { print(text, tlp); });
            text.flush();
        });
        bench::result(("trace " + format + ", as " + name).c_str(),
                      static_cast<double>(records) / 1e6 / seconds, "M TLPs/s");
    }
    const double analysed = bench::best_seconds(rounds, [&] {
        trace::Analysis analysis(fs_per_ns, {});
        for_all(trace, [&](const ptt::TracedTlp& tlp) { analysis.add(tlp); });
    });
    bench::result(("trace " + format + ", analysed").c_str(), static_cast<double>(records) / 1e6 / analysed,
                  "M TLPs/s");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc > 1) {
            std::ifstream file(argv[1], std::ios::binary);
            measure({std::istreambuf_iterator<char>(file), {}});
            return EXIT_SUCCESS;
        }
        constexpr std::size_t bytes = 128'000'000;
        measure(made_up_trace(ptt::Format::eight_dwords, bytes));
        measure(made_up_trace(ptt::Format::four_dwords, bytes));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
