// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/trace_reader.hpp>
#include <tlmetry/trace/text_buffer.hpp>

namespace tlmetry::trace {

/// How a trace is printed: what stands at its head, at that of each buffer and for each TLP.
struct Layout {
    void (*print_head)(TextBuffer& out);
    void (*print_buffer)(TextBuffer& out, std::uint64_t buffer_bytes);
    void (*print_tlp)(TextBuffer& out, const ptt::TracedTlp& tlp);
};

/// `perf report -D`: every dword, its most significant byte first.
extern const Layout perf_layout;

/// The same as older versions of perf had it, bytes as they lie in memory. Those took the fields of the first
/// dword of a 4DW record from wrong bits; here they are right.
extern const Layout legacy_perf_layout;

/// One line a TLP, to be read.
extern const Layout text_layout;

/// One JSON object a line.
extern const Layout json_layout;

/// Comma-separated values behind a line with their names.
extern const Layout csv_layout;

}  // namespace tlmetry::trace
