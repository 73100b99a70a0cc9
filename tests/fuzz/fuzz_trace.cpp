// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target of the trace decoder: whatever the bytes, they are decoded, printed and analysed or
// refused with UserError; a pipe gives what a file gives, every record is accounted for, and every header is
// a fixed point of its own encoding. The first byte chooses the format and what to print.

#include <tlmetry/base/error.hpp>
#include <tlmetry/trace/analysis.hpp>
#include <tlmetry/trace/print.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace {

using namespace tlmetry;

void require(bool condition, const char* what) {
    if (condition) return;
    std::cerr << what << '\n';
    std::abort();
}

struct Choice {
    std::optional<ptt::Format> format;
    bool analyse;
    const trace::Layout* layout;
};

Choice choice_of(std::uint8_t byte) {
    const trace::Layout* const layouts[] = {&trace::perf_layout, &trace::legacy_perf_layout,
                                            &trace::text_layout, &trace::json_layout, &trace::csv_layout};
    Choice choice = {std::nullopt, byte >= 192, layouts[byte / 4 % 5]};
    if (byte % 4 == 1) choice.format = ptt::Format::four_dwords;
    if (byte % 4 == 2) choice.format = ptt::Format::eight_dwords;
    return choice;
}

// Everything a user can see, up to and with the error.
std::string read_all(std::string_view bytes, bool as_pipe, const Choice& choice) {
    std::ostringstream out;
    trace::TextBuffer text(out);
    std::optional<trace::Analysis> analysis;
    if (choice.analyse) analysis.emplace(fs_per_ns, trace::DeviceLimits{256, 512});
    std::string error;
    try {
        ptt::TraceReader reader(ptt::AuxSource(ptt::ByteSource::from_memory("fuzz", bytes, as_pipe)),
                                choice.format);
        ptt::TracedTlp tlp;
        choice.layout->print_head(text);
        while (reader.next_buffer()) {
            choice.layout->print_buffer(text, reader.buffer_bytes());
            while (reader.next(tlp)) {
                const auto again = tlp::decode(tlp::encode(tlp.header));
                require(again && *again == tlp.header, "a header is not what its encoding says");
                choice.layout->print_tlp(text, tlp);
                if (analysis) analysis->add(tlp);
            }
        }
        const auto& counts = reader.counts();
        const std::size_t size = ptt::record_bytes(reader.format());
        if (bytes.substr(0, 8) != "PERFILE2" && !bytes.empty())
            require((counts.records + counts.damaged) * size + counts.left_over_bytes == bytes.size(),
                    "records are not accounted for");
    } catch (const UserError& mistake) {
        error = mistake.what();
    }
    text.flush();
    if (analysis) {
        out << analysis->violations().total() << ' ' << analysis->matcher().latency().count() << ' '
            << analysis->matcher().outstanding() << ' ' << analysis->ticks() << '\n';
    }
    return out.str() + error;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Choice choice = choice_of(data[0]);
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::string file = read_all(bytes, false, choice);
    const std::string pipe = read_all(bytes, true, choice);
    if (file == pipe) return 0;
    std::cerr << "file:\n" << file << "\npipe:\n" << pipe << '\n';
    std::abort();
}
