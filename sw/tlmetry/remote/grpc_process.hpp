// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <grpc/grpc.h>
#include <grpc/support/log.h>

namespace tlmetry::remote {

/// To be called before anything of gRPC is used. It stays there until the process ends: taking it down can
/// wait ten seconds for a thread of its own.
inline void keep_grpc() {
    [[maybe_unused]] static const bool once = [] {
        gpr_set_log_function([](gpr_log_func_args*) {});  // errors come back from its functions
        grpc_init();
        return true;
    }();
}

}  // namespace tlmetry::remote
