// SPDX-License-Identifier: BSD-3-Clause
// Random histories, written in every way the tools have, read back as they were.

#include "history.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace tlmetry;
using namespace tlmetry::wave;
using namespace tlmetry::wave::test;

namespace {

struct Recorded {
    std::string name;
    std::uint32_t width;
    bool ascending;
    History history;  // digits 0, 1, x
};

class Writer {
public:
    explicit Writer(unsigned seed) : m_random(seed) {
        m_blast = chance(3);
        m_shorten = chance(2);
        m_crlf = chance(3);
        m_upper = chance(4);
        m_foreign = chance(2);
        m_code_start = chance(2) ? 0 : chance(2) ? 90 : 8'900;
        make_histories();
    }

    const std::vector<Recorded>& recorded() const { return m_recorded; }

    std::string text() {
        m_text =
            "$date now $end" + newline() + "$timescale 1" + (chance(2) ? " " : "") + "ps $end" + newline();
        declare();
        write_changes();
        return m_text;
    }

private:
    struct Variable {
        std::string code;
        std::size_t signal;
        std::uint32_t lsb;
        std::uint32_t width;
        std::string last;
    };

    bool chance(unsigned one_in) { return m_random() % one_in == 0; }
    std::string newline() const { return m_crlf ? "\r\n" : "\n"; }

    std::string next_code() {
        std::string code;
        for (unsigned n = m_code_start++ + 1; n > 0; n = (n - 1) / 94)
            code += static_cast<char>('!' + (n - 1) % 94);
        return code;
    }

    std::string random_value(std::uint32_t width) {
        const unsigned kind = static_cast<unsigned>(m_random() % 4);
        std::string value(width, '0');
        for (char& c : value)
            c = kind == 0 ? "01x"[m_random() % 3] : kind == 1 ? 'x' : "01"[m_random() % 2];
        if (kind == 3) std::fill_n(value.begin(), m_random() % (width + 1), '0');
        return value;
    }

    void make_histories() {
        const std::size_t signals = 1 + m_random() % 8;
        for (std::size_t i = 0; i < signals; ++i) {
            constexpr std::uint32_t widths[] = {1, 2, 7, 8, 9, 31, 63, 64, 65, 128, 200};
            const std::uint32_t width = widths[m_random() % std::size(widths)];
            m_recorded.push_back({"sig" + std::to_string(i), width, width > 1 && !m_blast && chance(3), {}});
        }
        for (time_fs time = 0; time < 200 * fs_per_ps;
             time += fs_per_ps * static_cast<time_fs>(m_random() % 5 + 1))
            for (Recorded& signal : m_recorded) {
                const std::string last =
                    signal.history.empty() ? std::string(signal.width, 'x') : signal.history.back().second;
                const std::string value = random_value(signal.width);
                if (chance(3) && value != last) signal.history.emplace_back(time, value);
            }
    }

    void declare_variable(std::size_t signal, std::uint32_t lsb, std::uint32_t width,
                          const std::string& index) {
        m_variables.push_back({next_code(), signal, lsb, width, std::string(width, 'x')});
        m_text += "$var " + std::string(chance(2) ? "wire " : "reg ") + std::to_string(width) + " " +
                  m_variables.back().code + " " + m_recorded[signal].name + index + " $end" + newline();
    }

    void declare() {
        m_text += "$scope module tb $end" + newline();
        for (std::size_t i = 0; i < m_recorded.size(); ++i) {
            const Recorded& signal = m_recorded[i];
            const std::string blank = chance(2) ? " " : "";
            if (signal.width == 1) {
                declare_variable(i, 0, 1, chance(2) ? "" : blank + "[0]");
            } else if (m_blast) {
                for (std::uint32_t bit = signal.width; bit-- > 0;)
                    declare_variable(i, bit, 1, blank + "[" + std::to_string(bit) + "]");
            } else {
                const std::string msb = std::to_string(signal.width - 1);
                const std::string range =
                    chance(2) ? (signal.ascending ? "[0:" + msb + "]" : "[" + msb + ":0]")
                              : (signal.ascending ? "(0 to " + msb + ")" : "(" + msb + " downto 0)");
                declare_variable(i, 0, signal.width, blank + range);
            }
            if (chance(4)) m_text += "$comment $var in a comment $enddefinitions $end" + newline();
        }
        if (m_foreign) {
            m_real = next_code();
            m_string = next_code();
            m_text +=
                "$var real 64 " + m_real + " level $end $var string 1 " + m_string + " word $end" + newline();
        }
        m_text += "$upscope $end" + newline() + "$enddefinitions $end" + newline();
    }

    void write_change(Variable& variable, std::string value) {
        variable.last = value;
        if (m_upper)
            for (char& c : value)
                if (c == 'x') c = chance(2) ? 'X' : 'Z';
        if (variable.width == 1 && !chance(5)) {
            m_text += value + variable.code + newline();
            return;
        }
        if (m_shorten && value[0] != '1') {
            std::size_t same = 0;
            while (same + 1 < value.size() && value[same + 1] == value[0])
                ++same;
            if (value[0] == '0' && same + 1 < value.size() && value[same + 1] == '1') ++same;
            value.erase(0, same);
        }
        m_text += (m_upper ? "B" : "b") + value + (chance(20) ? newline() : " ") + variable.code + newline();
    }

    void write_changes() {
        for (time_fs time = 0; time < 210 * fs_per_ps; time += fs_per_ps) {
            bool stamped = time == 0 && chance(2);  // the first stamp may be missing
            const auto stamp = [&] {
                if (!stamped || chance(50)) m_text += "#" + std::to_string(time / fs_per_ps) + newline();
                stamped = true;
            };
            std::vector<Variable*> order;
            for (Variable& variable : m_variables)
                order.push_back(&variable);
            std::shuffle(order.begin(), order.end(), m_random);
            for (Variable* const variable : order) {
                const Recorded& signal = m_recorded[variable->signal];
                const auto entry = std::find_if(signal.history.begin(), signal.history.end(),
                                                [&](const auto& e) { return e.first == time; });
                if (entry == signal.history.end()) continue;
                const std::string value =
                    entry->second.substr(signal.width - variable->lsb - variable->width, variable->width);
                if (value == variable->last && !chance(10)) continue;
                stamp();
                if (chance(20)) {  // a glitch within the time stamp
                    write_change(*variable, random_value(variable->width));
                }
                write_change(*variable, value);
                if (m_foreign && chance(5)) m_text += "r1.5e-3 " + m_real + newline();
                if (m_foreign && chance(5)) m_text += "sa b\\040c " + m_string + newline();
                if (chance(40)) m_text += "$comment #999999 1! $end" + newline();
                if (chance(40)) m_text += "$dumpall " + newline() + " $end" + newline();
            }
        }
    }

    std::mt19937_64 m_random;
    bool m_blast, m_shorten, m_crlf, m_upper, m_foreign;
    unsigned m_code_start;
    std::vector<Recorded> m_recorded;
    std::vector<Variable> m_variables;
    std::string m_real;
    std::string m_string;
    std::string m_text;
};

}  // namespace

TEST_CASE("random histories survive being written and read") {
    for (unsigned seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Writer writer(seed);
        const std::string text = writer.text();
        std::vector<std::string> names;
        for (const auto& signal : writer.recorded())
            names.push_back("tb." + signal.name);
        const std::size_t chunk_bytes = seed % 3 == 0 ? 1 + seed : VcdReader::default_chunk_bytes;
        const auto found = read_histories(seed % 2 == 0 ? text : gzip(text), names, chunk_bytes);
        for (std::size_t i = 0; i < names.size(); ++i) {
            CAPTURE(names[i]);
            REQUIRE(found[i] == writer.recorded()[i].history);
        }
    }
}

TEST_CASE("a slice is the slice of the whole") {
    for (unsigned seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        Writer writer(seed);
        const std::string text = writer.text();
        std::mt19937 random(seed);
        for (const auto& signal : writer.recorded()) {
            const auto width = static_cast<unsigned>(1 + random() % signal.width);
            const auto lsb = static_cast<unsigned>(random() % (signal.width - width + 1));
            const auto index = [&](unsigned position) {
                return signal.ascending ? signal.width - 1 - position : position;
            };
            const std::string name = signal.name + "[" + std::to_string(index(lsb + width - 1)) + ":" +
                                     std::to_string(index(lsb)) + "]";
            CAPTURE(name);
            History expected;
            std::string last(width, 'x');
            for (const auto& [time, value] : signal.history) {
                const std::string part = value.substr(signal.width - lsb - width, width);
                if (part != last) expected.emplace_back(time, part);
                last = part;
            }
            CHECK(read_histories(text, {name})[0] == expected);
        }
    }
}
