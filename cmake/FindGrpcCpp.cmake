# SPDX-License-Identifier: BSD-3-Clause
# Finds gRPC for C++ without TLS, and the compilers of its services, as Debian ships them (pkg-config), and defines
# GrpcCpp::grpcpp and the function grpc_services.
find_package(PkgConfig REQUIRED QUIET)
pkg_check_modules(GRPCCPP_PC QUIET IMPORTED_TARGET grpc++_unsecure>=1.51 protobuf>=3.21)
find_program(PROTOC protoc)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GrpcCpp REQUIRED_VARS GRPCCPP_PC_FOUND PROTOC GRPC_CPP_PLUGIN REASON_FAILURE_MESSAGE
                                  "install the packages libgrpc++-dev and protobuf-compiler-grpc")
if(GrpcCpp_FOUND AND NOT TARGET GrpcCpp::grpcpp)
  add_library(GrpcCpp::grpcpp INTERFACE IMPORTED)
  # The list of pkg-config is longer than what any program uses.
  target_link_options(GrpcCpp::grpcpp INTERFACE -Wl,--as-needed)
  target_link_libraries(GrpcCpp::grpcpp INTERFACE PkgConfig::GRPCCPP_PC)
endif()

# grpc_services(target files.proto...): a static library of the messages and services of these files. Their strings
# are compiled as bytes, which is the same on the wire: of text that is not UTF-8 libprotobuf would make log lines
# and calls that fail without a word.
function(grpc_services target)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target})
  file(MAKE_DIRECTORY ${generated})
  set(sources "")
  foreach(proto ${ARGN})
    get_filename_component(proto ${proto} ABSOLUTE)
    get_filename_component(name ${proto} NAME_WE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${proto})
    file(READ ${proto} text)
    string(REPLACE "  string " "  bytes " text "${text}")
    file(CONFIGURE OUTPUT ${generated}/${name}.proto CONTENT "${text}" @ONLY)
    set(outputs ${generated}/${name}.pb.cc ${generated}/${name}.pb.h ${generated}/${name}.grpc.pb.cc
                ${generated}/${name}.grpc.pb.h)
    add_custom_command(OUTPUT ${outputs} DEPENDS ${generated}/${name}.proto VERBATIM
                       COMMAND ${PROTOC} --proto_path=${generated} --cpp_out=${generated} --grpc_out=${generated}
                               --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN} ${generated}/${name}.proto)
    list(APPEND sources ${outputs})
  endforeach()
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_CLANG_TIDY "")
  target_include_directories(${target} SYSTEM PUBLIC ${generated})
  target_link_libraries(${target} PUBLIC GrpcCpp::grpcpp)
endfunction()
