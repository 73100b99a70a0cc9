// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>

// What libnfb expects of a library that brings devices of its own: version 1.0 of that interface, written
// from its description. Names, order and types of members are fixed by it.

extern "C" {

struct nfb_comp;
struct nfb_device;
struct ndp_queue;

struct libnfb_ext_abi {
    std::uint32_t major;
    std::uint32_t minor;
};

/// Accesses to one component; the offset includes the base of the component. The number of bytes, or -1 and
/// errno.
struct libnfb_bus_ext_ops {
    ssize_t (*read)(void* bus_priv, void* buffer, size_t nbyte, off_t offset);
    ssize_t (*write)(void* bus_priv, const void* buffer, size_t nbyte, off_t offset);
};

struct libnfb_ext_ops {
    /// 0 when it is open. `*fdt` comes from malloc and is freed by libnfb.
    int (*open)(const char* devname, int oflag, void** priv, void** fdt);
    void (*close)(void* priv);
    /// 0 when it is open.
    int (*bus_open_mi)(void* dev_priv, int bus_node, int comp_node, void** bus_priv,
                       struct libnfb_bus_ext_ops* ops);
    void (*bus_close_mi)(void* bus_priv);
    /// 1 when it is taken.
    int (*comp_lock)(const struct nfb_comp* comp, std::uint32_t features);
    void (*comp_unlock)(const struct nfb_comp* comp, std::uint32_t features);
    // Null where there are no DMA queues.
    int (*ndp_queue_open)(struct nfb_device* device, void* dev_priv, unsigned index, int direction, int flags,
                          struct ndp_queue** queue);
    int (*ndp_queue_close)(struct ndp_queue* queue);
};

/// Looked up by name.
extern const struct libnfb_ext_abi libnfb_ext_abi_version;

/// Above 0: `devname` is a device of this library, and `ops`, all zero before, are filled in. 0: it is not.
/// Below 0: an error.
int libnfb_ext_get_ops(const char* devname, struct libnfb_ext_ops* ops);

}  // extern "C"
