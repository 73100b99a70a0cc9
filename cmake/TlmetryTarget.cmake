# SPDX-License-Identifier: BSD-3-Clause
# Warnings are private to this project's own targets and never forced on its users.
function(tlmetry_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(TLMETRY_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# tlmetry_library(name ROOT dir SOURCES files... [LINK libs...] [INTERNAL])
# Declares a static library and its alias tlmetry::name; ROOT holds the headers as <tlmetry/...>. An INTERNAL one is
# for this project's own programs and not installed.
function(tlmetry_library name)
  cmake_parse_arguments(ARG "INTERNAL" "ROOT" "SOURCES;LINK" ${ARGN})
  add_library(tlmetry_${name} STATIC ${ARG_SOURCES})
  add_library(tlmetry::${name} ALIAS tlmetry_${name})
  set_target_properties(tlmetry_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(tlmetry_${name} PUBLIC $<BUILD_INTERFACE:${ARG_ROOT}>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(tlmetry_${name} PUBLIC ${ARG_LINK})
  target_compile_features(tlmetry_${name} PUBLIC cxx_std_17)
  tlmetry_warnings(tlmetry_${name})
  if(ARG_INTERNAL)
    return()
  endif()
  install(TARGETS tlmetry_${name} EXPORT tlmetry)
  # The libraries of one root share its headers.
  get_property(roots GLOBAL PROPERTY TLMETRY_HEADER_ROOTS)
  if(NOT ARG_ROOT IN_LIST roots)
    set_property(GLOBAL APPEND PROPERTY TLMETRY_HEADER_ROOTS ${ARG_ROOT})
    install(DIRECTORY ${ARG_ROOT}/tlmetry TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
  endif()
endfunction()
