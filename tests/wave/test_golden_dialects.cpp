// SPDX-License-Identifier: BSD-3-Clause
// One simulation, recorded by three writers.

#include "history.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace tlmetry::wave;
using namespace tlmetry::wave::test;

namespace {

const std::string data = TLMETRY_TEST_DATA;

std::vector<std::string> pin_names() {
    const VcdReader reader(Input::open(data + "/waves/prof_stall/wave.vcd.gz"));
    std::vector<std::string> names;
    for (const Variable& variable : reader.header().variables)
        names.push_back(variable.name);
    return names;
}

}  // namespace

TEST_CASE("the golden recording and its dialects have the same histories") {
    const std::vector<std::string> names = pin_names();
    REQUIRE(names.size() == 36);
    VcdReader original(Input::open(data + "/waves/prof_stall/wave.vcd.gz"));
    const auto expected = read_histories(original, names);
    std::size_t changes = 0;
    for (const auto& history : expected)
        changes += history.size();
    CHECK(changes > 90'000);
    CHECK(original.consumed_bytes() == original.total_bytes());

    const std::string dialect = GENERATE("bitblast", "icarus");
    CAPTURE(dialect);
    VcdReader reader(Input::open(data + "/dialects/" + dialect + ".vcd.gz"));
    const auto found = read_histories(reader, names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        CAPTURE(names[i]);
        CHECK(found[i] == expected[i]);
    }
}

TEST_CASE("packed or not, and however it is cut into pieces, a recording reads the same") {
    std::ifstream file(data + "/dialects/icarus.vcd.gz", std::ios::binary);
    std::stringstream packed;
    packed << file.rdbuf();
    Input unpack = Input::from_memory("icarus.vcd.gz", packed.str());
    std::string text(2'000'000, '\0');
    text.resize(unpack.read(reinterpret_cast<Byte*>(text.data()), text.size()));
    REQUIRE(text.size() > 1'000'000);
    const std::vector<std::string> names = pin_names();
    const auto expected = read_histories(text, names);
    CHECK(read_histories(packed.str(), names) == expected);
    const std::size_t middle = text.size() / 3;
    const auto first = std::string_view(text).substr(0, middle);
    const auto second = std::string_view(text).substr(middle);
    CHECK(read_histories(gzip(first) + gzip("") + gzip(second) + std::string(512, '\0'), names) == expected);
    for (const std::size_t chunk_bytes : {7U, 64U, 4096U})
        CHECK(read_histories(text, names, chunk_bytes) == expected);
}
