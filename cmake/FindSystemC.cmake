# SPDX-License-Identifier: BSD-3-Clause
# Finds Accellera SystemC as Debian ships it (pkg-config, shared library) and defines SystemC::systemc.
find_package(PkgConfig REQUIRED QUIET)
pkg_check_modules(SYSTEMC_PC QUIET IMPORTED_TARGET systemc>=2.3.4)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SYSTEMC_PC_FOUND VERSION_VAR SYSTEMC_PC_VERSION
                                  REASON_FAILURE_MESSAGE "install the package libsystemc-dev (2.3.4)")
if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC_PC)
  # A program linked against a SystemC of another C++ dialect fails with a mangled symbol; say it in words.
  if(NOT DEFINED TLMETRY_SYSTEMC_LINKS)
    file(WRITE "${CMAKE_BINARY_DIR}/systemc_links.cpp"
         "#include <systemc>\nint sc_main(int, char**) { sc_core::sc_time t(1, sc_core::SC_NS); return t.value() == 0; }\n")
    try_compile(TLMETRY_SYSTEMC_LINKS "${CMAKE_BINARY_DIR}/systemc_links" "${CMAKE_BINARY_DIR}/systemc_links.cpp"
                LINK_LIBRARIES PkgConfig::SYSTEMC_PC CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  endif()
  if(NOT TLMETRY_SYSTEMC_LINKS)
    message(FATAL_ERROR "The SystemC library found does not link with C++17 code: it was built for another C++ "
                        "standard. Use Debian 12's libsystemc-dev, or a SystemC built with C++17.")
  endif()
endif()
