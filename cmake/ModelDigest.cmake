# SPDX-License-Identifier: BSD-3-Clause
# Writes OUTPUT, the source of explore::model_digest(), and DEPFILE. The digest is that of the sources that the file
# SOURCES lists and of all headers of this project that they include, but for those that match EXCEPT. See
# TlmetryModelDigest.
cmake_minimum_required(VERSION 3.25)
file(READ ${SOURCES} files)
file(GLOB roots ${ROOT}/*/tlmetry)
list(TRANSFORM roots REPLACE "/tlmetry$" "")
set(open ${files})
while(open)
  list(POP_FRONT open file)
  file(STRINGS ${file} includes REGEX "^#include [<\"]tlmetry/")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include [<\"]([^>\"]*).*" "\\1" include "${include}")
    foreach(root IN LISTS roots)
      set(header ${root}/${include})
      if(EXISTS ${header} AND NOT header IN_LIST files AND NOT include MATCHES "${EXCEPT}")
        list(APPEND files ${header})
        list(APPEND open ${header})
      endif()
    endforeach()
  endforeach()
endwhile()
list(SORT files)
set(all "")
set(depends "")
foreach(file IN LISTS files)
  file(SHA256 ${file} digest)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(APPEND all "${name} ${digest}\n")
  string(REPLACE " " "\\ " name "${file}")
  string(APPEND depends " \\\n ${name}")
endforeach()
string(SHA256 digest "${all}")
file(WRITE ${OUTPUT} "// Made by cmake/ModelDigest.cmake.
#include <tlmetry/explore/model_digest.hpp>

namespace tlmetry::explore {

const char* model_digest() {
    return \"${digest}\";
}

}  // namespace tlmetry::explore
")
string(REPLACE " " "\\ " output "${OUTPUT}")
file(WRITE ${DEPFILE} "${output}:${depends}\n")
