// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/nfb/libnfb_ext.hpp>

#include <catch2/catch.hpp>
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace tlmetry::test {

/// libtlmetry-nfb.so as libnfb loads it.
class LoadedLibrary {
public:
    LoadedLibrary() : m_handle(dlopen(TLMETRY_NFB_LIBRARY, RTLD_NOW)) {
        INFO("dlopen");
        REQUIRE(m_handle != nullptr);
        m_get_ops = reinterpret_cast<decltype(m_get_ops)>(dlsym(m_handle, "libnfb_ext_get_ops"));
        REQUIRE(m_get_ops != nullptr);
    }
    ~LoadedLibrary() { dlclose(m_handle); }
    LoadedLibrary(const LoadedLibrary&) = delete;
    LoadedLibrary& operator=(const LoadedLibrary&) = delete;

    const libnfb_ext_abi& version() const {
        return *static_cast<const libnfb_ext_abi*>(dlsym(m_handle, "libnfb_ext_abi_version"));
    }
    int get_ops(const char* devname, libnfb_ext_ops& ops) const { return m_get_ops(devname, &ops); }

private:
    void* m_handle;
    int (*m_get_ops)(const char*, libnfb_ext_ops*) = nullptr;
};

/// One open device with its bus.
class OpenDevice {
public:
    OpenDevice(const LoadedLibrary& library, const std::string& name) {
        REQUIRE(library.get_ops(name.c_str(), m_ops) > 0);
        void* fdt = nullptr;
        REQUIRE(m_ops.open(name.c_str(), 0, &m_device, &fdt) == 0);
        const auto* bytes = static_cast<const std::uint8_t*>(fdt);
        const std::size_t size =
            std::size_t{bytes[4]} << 24 | std::size_t{bytes[5]} << 16 | std::size_t{bytes[6]} << 8 | bytes[7];
        m_tree.assign(bytes, bytes + size);
        std::free(fdt);
        REQUIRE(m_ops.bus_open_mi(m_device, 1, 2, &m_bus, &m_bus_ops) == 0);
    }
    ~OpenDevice() {
        m_ops.bus_close_mi(m_bus);
        m_ops.close(m_device);
    }
    OpenDevice(const OpenDevice&) = delete;
    OpenDevice& operator=(const OpenDevice&) = delete;

    ssize_t read(void* data, std::size_t nbyte, off_t offset) const {
        return m_bus_ops.read(m_bus, data, nbyte, offset);
    }
    ssize_t write(const void* data, std::size_t nbyte, off_t offset) const {
        return m_bus_ops.write(m_bus, data, nbyte, offset);
    }
    const std::vector<std::uint8_t>& tree() const { return m_tree; }
    const libnfb_ext_ops& ops() const { return m_ops; }

private:
    libnfb_ext_ops m_ops = {};
    libnfb_bus_ext_ops m_bus_ops = {};
    void* m_device = nullptr;
    void* m_bus = nullptr;
    std::vector<std::uint8_t> m_tree;
};

}  // namespace tlmetry::test
