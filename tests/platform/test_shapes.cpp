// SPDX-License-Identifier: BSD-3-Clause
// The shapes of cards: what they set, that whatever is given wins, and that a dump says all of it.
#include <tlmetry/app/card_shapes.hpp>
#include <tlmetry/app/platform_config.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/ini.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;

namespace {

struct Fixture {
    Fixture() { parameters.bind(registry); }
    void set(const std::string& ini) { registry.set(config::parse_ini(ini, "a.ini")); }
    std::string value(const std::string& name) const { return registry.find(name)->text(); }
    std::string dump() {
        parameters.complete(registry);
        return config::dump_ini(registry);
    }

    app::RunParameters parameters;
    config::Registry registry;
};

}  // namespace

TEST_CASE("every shape is a card that can be built") {
    for (const app::CardShape& shape : app::card_shapes()) {
        CAPTURE(shape.name);
        Fixture f;
        f.set("[card]\nshape = " + std::string(shape.name) + "\n");
        f.parameters.complete(f.registry);
        app::platform_config(f.parameters);
        for (const auto& [name, value] : shape.values)
            CHECK(f.registry.find(name) != nullptr);
    }
}

TEST_CASE("shapes are those of the table of cards") {
    struct Row {
        const char* shape;
        std::uint32_t endpoints, ports, rq, rc, up, down;
        const char* pcie_clock;
        std::uint32_t generation, lanes, one_start;
    };
    const Row rows[] = {
        {"gen3x16_htile", 1, 1, 2, 2, 2, 2, "250MHz", 3, 16, 1},
        {"gen4x16_ptile", 1, 1, 2, 2, 2, 2, "400MHz", 4, 16, 0},
        {"gen4x8x8_ptile", 2, 1, 1, 1, 2, 2, "400MHz", 4, 8, 0},
        {"gen5x16_rtile", 1, 1, 4, 4, 2, 2, "400MHz", 5, 16, 1},
        {"gen5x16_rtile_2port", 1, 2, 4, 4, 2, 2, "400MHz", 5, 16, 1},
        {"gen5x8x8_rtile", 2, 1, 2, 2, 2, 2, "500MHz", 5, 8, 1},
        {"gen3x16_usp", 1, 1, 2, 4, 2, 4, "250MHz", 3, 16, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.shape);
        Fixture f;
        f.set("[card]\nshape = " + std::string(row.shape) + "\n");
        f.parameters.complete(f.registry);
        const telemetry::Config& t = f.parameters.telemetry.component;
        CHECK(t.pcie_endpoints == row.endpoints);
        CHECK(t.dma_ports == row.ports);
        CHECK(t.pcie_rq_mfb_regions == row.rq);
        CHECK(t.pcie_rc_mfb_regions == row.rc);
        CHECK(t.dma_up_mfb_regions == row.up);
        CHECK(t.dma_down_mfb_regions == row.down);
        CHECK(f.value("telemetry.pcie_clock") == row.pcie_clock);
        CHECK(f.value("telemetry.dma_clock") == "200MHz");
        CHECK(f.parameters.card.link.generation == row.generation);
        CHECK(f.parameters.card.link.lanes == row.lanes);
        CHECK(f.parameters.card.endpoint.buses.one_start == (row.one_start != 0));
        CHECK(f.parameters.card.endpoint.buses.mvb_up_items == row.up);
        CHECK(f.parameters.card.endpoint.buses.mvb_down_items >= row.rc);
    }
}

TEST_CASE_METHOD(Fixture, "what is given wins over the shape, before it and after it") {
    set("[telemetry]\ndma_ports = 2\n");
    set("[card]\nshape = gen3x16_htile\none_start = false\n");
    set("[link]\nlanes = 8\n");
    parameters.complete(registry);
    CHECK(value("telemetry.dma_ports") == "2");
    CHECK(value("card.one_start") == "false");
    CHECK(value("link.lanes") == "8");
    CHECK(value("link.generation") == "3");
    CHECK(value("card.rc_header") == "3");
}

TEST_CASE_METHOD(Fixture, "capacities of the telemetry follow from the PTC") {
    set("[ptc]\nstorage_words = 2000\n[link]\nextended_tag = false\n[card]\nshape = open\n");
    parameters.complete(registry);
    CHECK(value("ptc.tags") == "32");
    CHECK(value("telemetry.tag_capacity") == "32");
    CHECK(value("telemetry.stfifo_capacity") == "2000");
}

TEST_CASE("a dump of any shape reads back as it was") {
    for (const app::CardShape& shape : app::card_shapes()) {
        CAPTURE(shape.name);
        Fixture first;
        first.set("[card]\nshape = " + std::string(shape.name) + "\n[ptc]\ntags = 200\n");
        const std::string dump = first.dump();
        Fixture second;
        second.set(dump);
        CHECK(second.dump() == dump);
    }
}

TEST_CASE_METHOD(Fixture, "ports take one value for all or one each") {
    set("[card]\nshape = gen5x16_rtile_2port\n[traffic]\nread_share = 100%, 25%\nrequests_per_s = 2M/s\n"
        "[traffic.read_size]\nbytes = 64, 128\n");
    parameters.complete(registry);
    const auto traffic = app::platform_config(parameters).card.traffic;
    REQUIRE(traffic.size() == 2);
    CHECK(traffic[0].read_ppm == 1'000'000);
    CHECK(traffic[1].read_ppm == 250'000);
    CHECK(traffic[0].read_size.bytes == 64);
    CHECK(traffic[1].read_size.bytes == 128);
    CHECK(traffic[1].requests_per_s == 2'000'000);
    set("[traffic]\nread_share = 1%, 2%, 3%\n");
    CHECK_THROWS_WITH(
        app::platform_config(parameters),
        "traffic.read_share: expected one value, or one for each of the 2 DMA ports, found 3 values");
}

TEST_CASE_METHOD(Fixture, "a mistake names the parameter, its unit and what was found") {
    const auto message = [&](const std::string& ini) {
        try {
            set(ini);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message("[traffic]\nrequests_per_s = 58M\n") ==
          "a.ini:2: traffic.requests_per_s: expected one or more values separated by commas, each a rate "
          "such as "
          "58M/s, from 1/s to 1000G/s, found '58M'");
    CHECK(message("[card]\ndown_mfb_ready = 5/4\n") ==
          "a.ini:2: card.down_mfb_ready: expected ready cycles of all cycles such as 3/4 or 1/1, integers up "
          "to "
          "1000000, found '5/4'");
    CHECK(message("[host]\nlost_reads = 1,x\n") ==
          "a.ini:2: host.lost_reads: expected different integers separated by commas, or none, found '1,x'");
    CHECK(
        message("[link]\nup_damaged = 7,1,7\n") ==
        "a.ini:2: link.up_damaged: expected different integers separated by commas, or none, found '7,1,7'");
    CHECK(message("[host]\ncache_added = --5ns\n") ==
          "a.ini:2: host.cache_added: expected a time with its unit and maybe a minus such as 100ns or "
          "-50ns, at "
          "most 1s, found '--5ns'");
    CHECK(message("[host]\ncache_added = -50ns\nmemory_rate = unlimited\n[traffic]\nstop = never\n") == "");
    CHECK(value("host.cache_added") == "-50ns");
    CHECK(value("traffic.stop") == "never");
}
