// SPDX-License-Identifier: BSD-3-Clause
#include "../sw/files.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/json.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tlmetry;
using Catch::StartsWith;

namespace {

/// What reading a file with this text says, without the name of the file: it begins with the line where it
/// tells one. Empty if it is read.
std::string refusal_of(const std::string& text) {
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a.json", text);
    try {
        config::read_json_object("sample", path);
    } catch (const UserError& error) {
        const std::string message = error.what();
        REQUIRE(message.find(path + ":") == 0);
        CHECK(message.find('\n') == std::string::npos);
        const std::string behind = message.substr(path.size() + 1);
        return behind.front() == ' ' ? behind.substr(1) : behind;
    }
    return "";
}

}  // namespace

TEST_CASE("a JSON object is read") {
    const test::TemporaryFolder folder;
    const auto object = config::read_json_object("sample", folder.write("a.json", R"({"b": 1, "a": [2]})"));
    CHECK(object.dump() == R"({"b":1,"a":[2]})");
}

TEST_CASE("a key may stand once in each object") {
    CHECK(refusal_of(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]})") == "");
    const std::string twice = "key 'a': expected once, found a second time";
    CHECK(refusal_of(R"({"a": 1, "a": 1})") == twice);
    CHECK(refusal_of(R"({"a": 1, "b": {"c": 1}, "a": 2})") == twice);
    CHECK(refusal_of(R"({"b": [0, {"a": {}, "\u0061": {}}]})") == twice);
    CHECK(refusal_of(R"({"a\nb": 1, "a\nb": 2})") == "key 'a?b': expected once, found a second time");
}

TEST_CASE("what is no JSON object is refused") {
    CHECK(refusal_of("") == "1: expected JSON, found an error at byte 1 of the line");
    CHECK(refusal_of("hello\nworld") == "1: expected JSON, found an error at byte 1 of the line");
    CHECK(refusal_of("{\n\"a\": 1,\n  oops}") == "3: expected JSON, found an error at byte 3 of the line");
    CHECK(refusal_of("{\n\n") == "3: expected JSON, found an error at byte 1 of the line");
    CHECK(refusal_of("[1, 2]") == "expected a JSON object, found array");
    CHECK(refusal_of("{\"a\": NaN}") == "1: expected JSON, found an error at byte 7 of the line");
    CHECK(refusal_of("{\"a\": 1e999}") == "expected JSON that can be read, found a number that is too large");
    CHECK_THAT(refusal_of("{\"a\": {\"\xFF\": 1}}"), StartsWith("1: expected JSON, found an error at byte "));
    const std::string deep(100'000, '[');
    CHECK(refusal_of(deep) == "1: expected JSON, found an error at byte 100001 of the line");
    CHECK(refusal_of("{\"a\": " + deep + std::string(deep.size(), ']') + "}") == "");
}

TEST_CASE("what is no readable file is refused") {
    const test::TemporaryFolder folder;
    CHECK_THROWS_WITH(config::read_json_object("sample", folder.path("none")),
                      "sample " + folder.path("none") + " cannot be opened: No such file or directory");
    CHECK_THROWS_WITH(config::read_json_object("sample", folder.path("")),
                      "sample " + folder.path("") + " cannot be read");
    CHECK_THROWS_WITH(config::read_json_object("sample", "/dev/zero"),
                      "sample /dev/zero: expected at most 16 MiB, found more");
}
