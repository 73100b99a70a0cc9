// SPDX-License-Identifier: BSD-3-Clause
// Processor time to make one request, in blocks, for the usual kinds of traffic.
#include "measure.hpp"

#include <tlmetry/generator/request_stream.hpp>

#include <array>
#include <cstdint>
#include <string>

using namespace tlmetry;

namespace {

constexpr int rounds = 5;
constexpr int blocks = 20'000;
constexpr std::size_t block = 64;

void measure(const char* name, const generator::Config& config) {
    generator::RequestStream stream(config, 1, "bench");
    std::array<generator::Request, block> requests;
    std::uint64_t bytes = 0;
    const double seconds = bench::best_seconds(rounds, [&] {
        for (int i = 0; i < blocks; ++i) {
            stream.fill(requests.data(), block);
            bytes += requests[block - 1].length;
        }
    });
    if (bytes == 0) std::fprintf(stderr, "%s made no bytes\n", name);
    bench::result((std::string("requests: ") + name).c_str(), seconds / blocks / block * 1e9, "ns");
}

}  // namespace

int main() {
    generator::Config fixed = generator::half_and_half(256);
    measure("fixed size, random addresses", fixed);
    fixed.pattern = generator::Pattern::sequential;
    measure("fixed size, sequential", fixed);

    generator::Config list;
    list.read_size = list.write_size = generator::Size::weighted("64:0.4,256:0.5,512:0.1");
    measure("weighted list, split", list);
    measure("reference load", generator::reference_load());

    generator::Config range;
    range.read_size.kind = range.write_size.kind = generator::SizeKind::range;
    measure("range 64 to 4096 B, split", range);
    range.rate = generator::Rate::payload;
    measure("range 64 to 4096 B, split, payload rate", range);

    generator::Config normal = generator::reference_load();
    normal.read_size.kind = normal.write_size.kind = generator::SizeKind::normal;
    normal.spacing = generator::Spacing::exponential;
    measure("normal sizes, exponential spacing", normal);
}
