// SPDX-License-Identifier: BSD-3-Clause
// libtlmetry-nfb.so: a whole card inside a process that uses libnfb, by the device path
// libnfb-ext:libtlmetry-nfb.so:FILE.ini[,OPTION...].
#include <tlmetry/config/text.hpp>
#include <tlmetry/device/bus_address.hpp>
#include <tlmetry/nfb/device_name.hpp>
#include <tlmetry/nfb/libnfb_ext.hpp>
#include <tlmetry/nfb/open_card.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

namespace {

using namespace tlmetry;

constexpr int lock_taken = 1;

/// What libnfb holds of an open device.
struct Handle {
    std::shared_ptr<nfb::OpenCard> card;
};

/// Libnfb has no words for errors.
void complain(const std::string& text) {
    std::fprintf(stderr, "libtlmetry-nfb: %s\n", config::printable(text).c_str());
}

int open_device(const char* devname, int, void** priv, void** fdt) {
    try {
        auto handle = std::make_unique<Handle>(Handle{nfb::OpenCard::find_or_open(devname)});
        const std::vector<std::uint8_t>& tree = handle->card->device_tree();
        *fdt = std::malloc(tree.size());
        if (*fdt == nullptr) return -ENOMEM;
        std::memcpy(*fdt, tree.data(), tree.size());
        *priv = handle.release();
        return 0;
    } catch (const std::exception& error) {
        complain(error.what());
        errno = EINVAL;
        return -EINVAL;
    }
}

void close_device(void* priv) {
    delete static_cast<Handle*>(priv);
}

/// Makes an access of `nbyte` bytes with `access(card, offset in the component)`.
template <class Access>
ssize_t transfer(void* bus_priv, size_t nbyte, off_t offset, const Access& access) {
    if (nbyte == 0) return 0;
    nfb::OpenCard& card = *static_cast<Handle*>(bus_priv)->card;
    try {
        if (offset < 0 || nbyte > std::numeric_limits<std::uint32_t>::max()) {
            errno = EINVAL;
            return -1;
        }
        const std::uint32_t address = device::component_offset(static_cast<std::uint64_t>(offset), nbyte);
        access(card.access(), address);
        return static_cast<ssize_t>(nbyte);
    } catch (const device::AccessError&) {
        errno = EFAULT;
    } catch (const std::exception& error) {
        if (card.first_failure()) complain(error.what());
        errno = EIO;
    }
    return -1;
}

ssize_t read_bus(void* bus_priv, void* buffer, size_t nbyte, off_t offset) {
    return transfer(bus_priv, nbyte, offset, [&](device::CardAccess& card, std::uint32_t address) {
        card.read(address, buffer, static_cast<std::uint32_t>(nbyte));
    });
}

ssize_t write_bus(void* bus_priv, const void* buffer, size_t nbyte, off_t offset) {
    return transfer(bus_priv, nbyte, offset, [&](device::CardAccess& card, std::uint32_t address) {
        card.write(address, buffer, static_cast<std::uint32_t>(nbyte));
    });
}

int open_bus(void* dev_priv, int, int, void** bus_priv, libnfb_bus_ext_ops* ops) {
    *bus_priv = dev_priv;  // one bus, which needs nothing of its own
    ops->read = read_bus;
    ops->write = write_bus;
    return 0;
}

void close_bus(void*) {}

// Nobody outside the process can reach the card.
int lock_component(const nfb_comp*, std::uint32_t) {
    return lock_taken;
}

void unlock_component(const nfb_comp*, std::uint32_t) {}

}  // namespace

const libnfb_ext_abi libnfb_ext_abi_version = {1, 0};

int libnfb_ext_get_ops(const char* devname, libnfb_ext_ops* ops) {
    if (devname == nullptr || ops == nullptr) return -EINVAL;
    if (!nfb::DeviceName::is_one(devname)) return 0;
    ops->open = open_device;
    ops->close = close_device;
    ops->bus_open_mi = open_bus;
    ops->bus_close_mi = close_bus;
    ops->comp_lock = lock_component;
    ops->comp_unlock = unlock_component;
    return 1;
}
