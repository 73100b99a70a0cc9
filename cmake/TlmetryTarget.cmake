# SPDX-License-Identifier: BSD-3-Clause
# Warnings are private to this project's own targets and never forced on its users.
function(tlmetry_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(TLMETRY_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# tlmetry_library(name ROOT dir SOURCES files... [LINK libs...])
# Declares a static library and its alias tlmetry::name; ROOT holds the headers as <tlmetry/...>.
function(tlmetry_library name)
  cmake_parse_arguments(ARG "" "ROOT" "SOURCES;LINK" ${ARGN})
  add_library(tlmetry_${name} STATIC ${ARG_SOURCES})
  add_library(tlmetry::${name} ALIAS tlmetry_${name})
  set_target_properties(tlmetry_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(tlmetry_${name} PUBLIC $<BUILD_INTERFACE:${ARG_ROOT}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(tlmetry_${name} PUBLIC ${ARG_LINK})
  target_compile_features(tlmetry_${name} PUBLIC cxx_std_17)
  tlmetry_warnings(tlmetry_${name})
  install(TARGETS tlmetry_${name} EXPORT tlmetry)
  install(DIRECTORY ${ARG_ROOT}/tlmetry DESTINATION include FILES_MATCHING PATTERN "*.hpp")
endfunction()
