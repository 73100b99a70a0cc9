// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/software/program.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <ostream>
#include <string_view>

namespace tlmetry::software {

namespace {

constexpr int exception_result = 1;

/// What `platform` of the C interface points to. No exception may pass through the program, which may be C.
struct Context {
    device::CardAccess& card;
    const Program::Environment& environment;
    std::string error;
    std::exception_ptr failure;
};

Context& context_of(void* platform) {
    return *static_cast<Context*>(platform);
}

void require_going_on(const Context& context) {
    if (context.environment.interrupted()) throw device::AccessError("the user ends the run");
}

template <class Access>
int guarded(void* platform, const Access& access) {
    Context& context = context_of(platform);
    if (context.failure) return -1;
    try {
        require_going_on(context);
        access(context.card);
        context.error.clear();
        return 0;
    } catch (const device::AccessError& error) {
        context.error = error.what();
    } catch (const std::exception& error) {
        context.error = error.what();
        context.failure = std::current_exception();
    }
    return -1;
}

int read(void* platform, std::uint32_t address, void* data, std::uint32_t bytes) {
    return guarded(platform, [&](device::CardAccess& card) { card.read(address, data, bytes); });
}

int write(void* platform, std::uint32_t address, const void* data, std::uint32_t bytes) {
    return guarded(platform, [&](device::CardAccess& card) { card.write(address, data, bytes); });
}

int sleep_fs(void* platform, std::uint64_t duration_fs) {
    constexpr std::uint64_t longest = std::numeric_limits<time_fs>::max();
    const auto duration = static_cast<time_fs>(std::min(duration_fs, longest));
    return guarded(platform, [&](device::CardAccess& card) {
        card.sleep(duration);
        require_going_on(context_of(platform));
    });
}

std::uint64_t now_fs(void* platform) {
    return static_cast<std::uint64_t>(context_of(platform).card.now());
}

void log(void* platform, const char* text) {
    const Context& context = context_of(platform);
    char time[40];
    std::snprintf(time, sizeof time, "%14.3f us  ",
                  static_cast<double>(context.card.now()) / static_cast<double>(fs_per_us));
    std::string_view rest = text;
    if (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
    for (bool more = true; more;) {
        const std::size_t end = rest.find('\n');
        context.environment.log << time << config::printable(std::string(rest.substr(0, end))) << "\n";
        more = end != std::string_view::npos;
        if (more) rest.remove_prefix(end + 1);
    }
    context.environment.log << std::flush;
}

const char* error(void* platform) {
    return context_of(platform).error.c_str();
}

/// Whether a symbol that a shared object exports is one.
bool is_function(const void* address) {
    Dl_info object = {};
    void* entry = nullptr;
    // A variable of each thread is in no object.
    if (dladdr1(address, &object, &entry, RTLD_DL_SYMENT) == 0) return false;
    const auto* symbol = static_cast<const ElfW(Sym)*>(entry);
    // Null where an indirect function is one that is not exported itself.
    return symbol == nullptr || ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
}

}  // namespace

Program Program::load(const std::string& path) {
    // A bare name would be looked for in the folders of the system.
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    std::shared_ptr<void> library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle != nullptr) dlclose(handle);
    });
    if (library == nullptr) throw UserError("option --software: " + std::string(dlerror()));
    void* main = dlsym(library.get(), "tlmetry_main");
    if (main == nullptr || !is_function(main)) {
        throw UserError("option --software: " + path + ": expected a function tlmetry_main, found " +
                        (main == nullptr ? "none" : "a variable of this name"));
    }
    Program program(reinterpret_cast<Main>(main));
    program.m_library = std::move(library);
    return program;
}

int Program::run(device::CardAccess& card, const Environment& environment) const {
    Context context{card, environment, {}, {}};
    const struct ::tlmetry_card interface = {TLMETRY_SOFTWARE_VERSION,
                                             &context,
                                             environment.argument.c_str(),
                                             environment.device_tree.data(),
                                             environment.device_tree.size(),
                                             read,
                                             write,
                                             sleep_fs,
                                             now_fs,
                                             log,
                                             error};
    int result = exception_result;
    try {
        result = m_main(&interface);
    } catch (const std::exception& error) {
        log(&context, ("the program has ended with an exception: " + std::string(error.what())).c_str());
    } catch (...) {
        log(&context, "the program has ended with an exception");
    }
    if (context.failure) std::rethrow_exception(context.failure);
    return result;
}

}  // namespace tlmetry::software
