// SPDX-License-Identifier: BSD-3-Clause
// Programs on a simulated card, and the ways of attaching software compared with one another.
#include "../support/shell.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace tlmetry;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using test::Result;
using test::shell;

namespace {

const std::string tlmetry_run = std::string(TLMETRY_PROGRAM) + " run ";
const std::string tool = TLMETRY_TOOL;
const std::string idle = std::string(TLMETRY_CONFIGS) + "/idle.ini";
const std::string pins = std::string(TLMETRY_CONFIGS) + "/random_pins.ini";
const std::string program = TLMETRY_TEST_PROGRAM;

Result run_program(const std::string& argument) {
    return shell(tlmetry_run + idle + " --software " + program +
                 (argument.empty() ? "" : " --software-argument '" + argument + "'"));
}

}  // namespace

TEST_CASE("a program in C reads, writes, sleeps and logs") {
    const Result result = run_program("");
    CHECK(result.code == 0);
    CHECK(result.out == "all is well\n");
    CHECK(result.err == "       100.000 us  version 1, argument ''\n");
}

TEST_CASE("a program says that something is wrong") {
    CHECK(run_program("fail").code == 1);
}

TEST_CASE("an exception of a program is one of its own") {
    const std::string throwing = tlmetry_run + idle + " --software " + TLMETRY_THROWING_PROGRAM;
    const Result result = shell(throwing);
    CHECK(result.code == 1);
    CHECK(result.err == "       100.000 us  the program has ended with an exception: boo\n");
    const Result number = shell(throwing + " --software-argument number");
    CHECK(number.code == 1);
    CHECK(number.err == "       100.000 us  the program has ended with an exception\n");
}

TEST_CASE("a program logs lines") {
    const std::string time = "       100.000 us  ";
    CHECK(run_program("lines").err == time + "version 1, argument 'lines'\n" + time + "one\n" + time +
                                          "two\n" + time + "\n" + time + "\n" + time + "four?\n" + time +
                                          "\n");
}

TEST_CASE("a refused access is an error of the program's own") {
    const Result result = run_program("refused");
    CHECK(result.code == 0);
    CHECK_THAT(result.err,
               Contains("MI read of 4 bytes at 0x10000: expected bytes within the component, 0 to "
                        "0xffff\n"));
}

TEST_CASE("a program has the stack of a process") {
    CHECK(run_program("stack").code == 0);
}

TEST_CASE("Ctrl-C ends the sleeps of a program") {
    const Result result =
        test::interrupted(tlmetry_run + pins + " --software " + program + " --software-argument sleep");
    CHECK(result.code == 128 + SIGINT);
}

TEST_CASE("Ctrl-C makes the accesses of a program fail") {
    const Result result =
        test::interrupted(tlmetry_run + pins + " --software " + program + " --software-argument poll");
    CHECK(result.code == 128 + SIGINT);
    CHECK_THAT(result.err, Contains("tlmetry: the run ends when the software does") &&
                               Contains("  the user ends the run, 0xffffffff\n") &&
                               Contains("interrupted after ") && EndsWith(" of simulated time\n"));
}

TEST_CASE("a second Ctrl-C ends a program that goes on, and the first one says so") {
    const test::TemporaryFolder folder;
    const std::string log = folder.path("log");
    const Result result = shell(test::in_background(tlmetry_run + pins + " --software " + program +
                                                        " --software-argument 'poll for ever' 2>" + log,
                                                    test::catches_interrupt) +
                                "sleep 0.2; kill -INT $pid; until grep -q 'Ctrl-C again ends it at once' " +
                                log + "; do sleep 0.02; done; kill -INT $pid; wait $pid");
    CHECK(result.code == 128 + SIGINT);
}

TEST_CASE("Ctrl-C ends the playing of a recording") {
    const test::TemporaryFolder folder;
    const std::string file = folder.path("accesses");
    std::ofstream(file) << "tlmetry.accesses/1\n4000000000000000000 r 0x0 4 = 00000000\n";
    const Result result = test::interrupted(tlmetry_run + pins + " --play-accesses " + file);
    CHECK(result.code == 128 + SIGINT);
    CHECK(result.out == "played 0 accesses, 0 with another answer\n");
    CHECK_THAT(result.err, Contains("interrupted after "));
}

TEST_CASE("simulated time ends in words") {
    const Result result = run_program("end of time");
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains(": expected an end by 4600s, the end of simulated time\n") &&
                               EndsWith("MI read of 4 bytes at 0x0: expected a time before 4600s, the end of "
                                        "simulated time\n"));
}

TEST_CASE("a recording beyond the end of simulated time is refused with its line") {
    const test::TemporaryFolder folder;
    const std::string file = folder.path("accesses");
    std::ofstream(file) << "tlmetry.accesses/1\n4600000000000000001 r 0x0 4 = 4d4c5450\n";
    const Result result = shell(tlmetry_run + idle + " --play-accesses " + file);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains(file + ":2: ") && Contains("the end of simulated time"));
}

TEST_CASE("software that cannot run is refused in one sentence") {
    const auto refused = [](const std::string& arguments) {
        const Result result = shell(tlmetry_run + idle + " " + arguments);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        return result.err;
    };
    CHECK_THAT(refused("--software /nowhere/x.so"),
               Contains("option --software: /nowhere/x.so: cannot open shared object file"));
    CHECK_THAT(refused("--software " + idle), Contains("option --software: "));
    CHECK_THAT(refused("--software " + std::string(TLMETRY_NO_PROGRAM)),
               EndsWith("expected a function tlmetry_main, found none\n"));
    CHECK_THAT(refused("--software builtin:x"), Contains("expected builtin:tool, builtin:self-test"));
    CHECK_THAT(refused("--software builtin:self-test --play-accesses x"), Contains("expected one of them"));
    CHECK_THAT(refused("--software builtin:self-test --json"),
               Contains("option --json: expected the telemetry tool to run, found --software"));
    CHECK_THAT(refused("--software-argument x"), Contains("expected a program of --software, found none"));
    CHECK_THAT(refused("--play-accesses /nowhere/x"), Contains("recording /nowhere/x cannot be read"));
    CHECK_THAT(refused("--record-accesses /nowhere/x"), Contains("/nowhere/x cannot be written"));
    CHECK_THAT(refused("--log-accesses /nowhere/x"), Contains("/nowhere/x cannot be written"));
    CHECK_THAT(refused("--log-accesses /nowhere/x.vcd"), Contains("/nowhere/x.vcd"));
}

TEST_CASE("the self-test finds nothing wrong with any kind of card") {
    for (const char* config : {"idle", "random_pins", "two_endpoints", "default", "sixteen_endpoints"}) {
        CAPTURE(config);
        const Result result =
            shell(tlmetry_run + TLMETRY_CONFIGS + "/" + config + ".ini --software builtin:self-test");
        CHECK(result.code == 0);
        CHECK_THAT(result.out, StartsWith("self-test: ") && EndsWith(" checks, 0 failed\n"));
        CHECK(result.err.empty());
    }
}

TEST_CASE("the self-test finds faults") {
    for (const char* fault : {"bad_magic=true", "wrong_version=true", "bit_errors=10%", "stuck_busy=true"}) {
        CAPTURE(fault);
        const Result result = shell(tlmetry_run + idle + " --software builtin:self-test --faults." + fault);
        CHECK(result.code == 1);
        CHECK_THAT(result.err, Contains("FAILED: "));
    }
}

TEST_CASE("an example as a shared object does what the one inside does") {
    const Result outside = shell(tlmetry_run + pins + " --software " + TLMETRY_SELF_TEST);
    CHECK(outside.code == 0);
    CHECK(outside.out == shell(tlmetry_run + pins + " --software builtin:self-test").out);
}

TEST_CASE("the busy hazard hits a driver that polls at once, and no other") {
    const Result result = shell(tlmetry_run + idle + " --software builtin:busy-hazard");
    CHECK(result.code == 0);
    CHECK(result.out == "a driver that polls at once finds 36863 cycles, one that reads in between 40960\n");
    const Result slow = shell(tlmetry_run + idle +
                              " --software builtin:busy-hazard --mi.request_latency=500ns "
                              "--mi.posted_writes=false");
    CHECK_THAT(slow.out, EndsWith("this bus hides the hazard\n"));
    const Result stuck =
        shell(tlmetry_run + idle + " --software builtin:busy-hazard --faults.stuck_busy=true");
    CHECK(stuck.code == 1);
    CHECK(stuck.out.empty());
    CHECK_THAT(stuck.err, Contains("STATUS is still busy after 100000 polls\n"));
}

TEST_CASE("the tool as software is the run without software") {
    const Result plain = shell(tlmetry_run + idle + " --duration 1ms");
    const Result named = shell(tlmetry_run + idle + " --duration 1ms --software builtin:tool");
    CHECK(plain.code == 0);
    CHECK(plain.out == named.out);
}

TEST_CASE("the card inside the tool takes options behind its name") {
    const test::TemporaryFolder folder;
    const Result faulty = shell(tool + " -d " + idle + ",faults.bad_magic=true");
    CHECK(faulty.code == 2);
    CHECK_THAT(faulty.err, Contains("MAGIC is 0xafabb3b2"));
    const Result paced = shell(tool + " -d " + idle + ",step=1us");
    CHECK(paced.code == 2);
    CHECK_THAT(paced.err, EndsWith("expected no speed, free-run or step: the time of the tool is simulated, "
                                   "too\n"));
    CHECK_THAT(shell(tool + " -d " + idle + ",foo=1").err,
               EndsWith("option foo: no parameter has this name\n"));
    const std::string recording = folder.path("accesses");
    const std::string latency = "mi.request_latency=100ns";
    CHECK(shell(tool + " -d " + idle + "," + latency + ",record-accesses=" + recording + " -t 0.001").code ==
          0);
    const Result played = shell(tlmetry_run + idle + " --" + latency + " --play-accesses " + recording);
    CHECK(played.out == "played 35 accesses, 0 with another answer\n");
}

TEST_CASE("a recording takes the place of no file that the card is read from") {
    const test::TemporaryFolder folder;
    const std::string text = "[traffic]\nkind = idle\n";
    const std::string config = folder.write("keep.ini", text);
    const std::string link = folder.path("link");
    std::filesystem::create_hard_link(config, link);
    for (const std::string& file : {config, link}) {
        for (const std::string& command : {tool + " -d " + config + ",record-accesses=" + file + " -t 0.001",
                                           tlmetry_run + config + " --duration 1ms --record-accesses " + file,
                                           tlmetry_run + config + " --duration 1ms --log-accesses " + file}) {
            CAPTURE(command);
            const Result result = shell(command);
            CHECK(result.code == 2);
            CHECK_THAT(result.err, EndsWith("-accesses: expected a file of its own, found " + file +
                                            ", that of a configuration\n"));
            CHECK(test::read_file(config) == text);
        }
    }
}

TEST_CASE("accesses recorded in a platform give the same answers again") {
    const test::TemporaryFolder folder;
    for (const char* config : {"random_pins", "default"}) {
        CAPTURE(config);
        const std::string file = std::string(TLMETRY_CONFIGS) + "/" + config + ".ini";
        const std::string recording = folder.path("accesses");
        const Result recorded = shell(tlmetry_run + file + " --duration 1ms --record-accesses " + recording);
        REQUIRE(recorded.code == 0);
        const Result played = shell(tlmetry_run + file + " --play-accesses " + recording);
        CHECK(played.code == 0);
        CHECK(played.out == "played 35 accesses, 0 with another answer\n");
        const Result differs = shell(tlmetry_run + file + " --seed 7 --play-accesses " + recording);
        CHECK(differs.code == 1);
        CHECK_THAT(differs.err, StartsWith("play-accesses: " + recording));
    }
}

TEST_CASE("a log of the bus has every access of a run") {
    const test::TemporaryFolder folder;
    const std::string log = folder.path("log");
    REQUIRE(shell(tlmetry_run + idle + " --duration 1ms --log-accesses " + log).code == 0);
    const std::string text = test::read_file(log);
    CHECK_THAT(text, Contains("      100000.000  read    0x00000000  0x50544c4d  1111     MAGIC\n"));
    CHECK_THAT(text, Contains("write   0x00000020  0x00000001  1111     COMMAND\n"));
    CHECK_THAT(text, Contains("read    0x000081fc  0x00000000  1111     counter 63 high\n"));
    REQUIRE(shell(tlmetry_run + idle + " --software " + program +
                  " --software-argument refused --log-accesses " + log)
                .code == 0);
    CHECK_THAT(test::read_file(log), Contains("      100000.000  read    0x00010000  refused     4 bytes\n"));
}

TEST_CASE("an entry that is no function is refused") {
    const Result result = shell(tlmetry_run + idle + " --software " + TLMETRY_VARIABLE_PROGRAM);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err == "tlmetry: option --software: " + std::string(TLMETRY_VARIABLE_PROGRAM) +
                            ": expected a function tlmetry_main, found a variable of this name\n");
}

TEST_CASE("a program inside ends with the first access that fails") {
    const test::TemporaryFolder folder;
    const std::string recording = folder.path("accesses");
    const std::string cause =
        "option --record-accesses: " + recording + " cannot be written: File too large\n";
    for (const std::string name : {"self-test", "busy-hazard"}) {
        CAPTURE(name);
        const Result result = shell("trap '' XFSZ; ulimit -f 3; " + tlmetry_run + idle +
                                    " --software builtin:" + name + " --record-accesses " + recording);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, EndsWith("tlmetry: " + cause));
        int told = 0;
        for (std::size_t at = result.err.find(cause); at != std::string::npos; ++told)
            at = result.err.find(cause, at + 1);
        CHECK(told == 2);  // by the program, and by tlmetry
    }
}
