# SPDX-License-Identifier: BSD-3-Clause
# tlmetry_model_digest(library EXCEPT libraries...)
# Adds explore::model_digest() to a library: 64 hexadecimal digits that stand for the content of its sources, of those of
# all libraries of this project that it links, and of the headers that they include, but for EXCEPT. They are the same in
# all builds of the same sources, whoever builds them where and when.

# Adds a library and all that it links to the list `result`.
function(tlmetry_linked_libraries target except result)
  set(found ${${result}})
  get_target_property(name ${target} ALIASED_TARGET)
  if(NOT name)
    set(name ${target})
  endif()
  if(name IN_LIST found OR name IN_LIST except)
    return()
  endif()
  list(APPEND found ${name})
  get_target_property(links ${name} LINK_LIBRARIES)
  foreach(link IN LISTS links)
    if(link MATCHES "^tlmetry::")
      tlmetry_linked_libraries(${link} "${except}" found)
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(tlmetry_model_digest library)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  list(JOIN ARG_EXCEPT "|" except_headers)
  list(TRANSFORM ARG_EXCEPT PREPEND tlmetry_)
  set(libraries "")
  tlmetry_linked_libraries(tlmetry_${library} "${ARG_EXCEPT}" libraries)
  set(files "")
  foreach(name IN LISTS libraries)
    get_target_property(folder ${name} SOURCE_DIR)
    get_target_property(sources ${name} SOURCES)
    foreach(source IN LISTS sources)
      get_filename_component(source ${source} ABSOLUTE BASE_DIR ${folder})
      list(APPEND files ${source})
    endforeach()
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${library}_digest)
  file(CONFIGURE OUTPUT ${generated}.txt CONTENT "${files}" @ONLY)
  set(script ${PROJECT_SOURCE_DIR}/cmake/ModelDigest.cmake)
  add_custom_command(OUTPUT ${generated}.cpp DEPENDS ${generated}.txt ${script} ${files} DEPFILE ${generated}.d VERBATIM
                     COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D SOURCES=${generated}.txt
                             -D "EXCEPT=^tlmetry/(${except_headers})/" -D OUTPUT=${generated}.cpp
                             -D DEPFILE=${generated}.d -P ${script})
  target_sources(tlmetry_${library} PRIVATE ${generated}.cpp)
endfunction()
