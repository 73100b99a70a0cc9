# SPDX-License-Identifier: BSD-3-Clause
# cmake -DREADELF=... -DPROGRAM=... -P: fails if the program asks for libsystemc or holds any of its symbols.
foreach(option "-d" "-sW")
  execute_process(COMMAND ${READELF} ${option} ${PROGRAM} OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
  if(NOT listing MATCHES "NEEDED|FUNC")
    message(FATAL_ERROR "${READELF} ${option} shows nothing of ${PROGRAM}")
  endif()
  if(listing MATCHES "libsystemc|sc_core")
    message(FATAL_ERROR "${PROGRAM} depends on SystemC: ${CMAKE_MATCH_0}")
  endif()
endforeach()
