// SPDX-License-Identifier: BSD-3-Clause
// Every study has its plan, its page with plots, and a line in the index.
#include "../sw/files.hpp"

#include <filesystem>
#include <regex>

using namespace tlmetry;
using Catch::Contains;

TEST_CASE("studies are complete") {
    const std::filesystem::path docs = TLMETRY_DOCS "/studies", plans = TLMETRY_CONFIGS "/studies";
    const std::string index = test::read_file((docs / "README.md").string());
    std::size_t pages = 0;
    for (const auto& file : std::filesystem::directory_iterator(docs)) {
        if (file.path().extension() != ".md" || file.path().filename() == "README.md") continue;
        const std::string name = file.path().stem().string();
        CAPTURE(name);
        ++pages;
        CHECK(std::filesystem::exists(plans / (name + ".ini")));
        CHECK_THAT(index, Contains("](" + name + ".md)"));
        const std::string page = test::read_file(file.path().string());
        CHECK_THAT(page, Contains("    tlmetry explore configs/studies/" + name + ".ini\n"));
        const std::regex image("!\\[[^\\]]+\\]\\(([^)]+)\\)");
        std::size_t plots = 0;
        for (std::sregex_iterator i(page.begin(), page.end(), image), end; i != end; ++i, ++plots)
            CHECK(std::filesystem::exists(docs / (*i)[1].str()));
        CHECK(plots >= 1);
    }
    CHECK(pages == 7);
}
