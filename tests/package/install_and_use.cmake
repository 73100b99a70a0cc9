# SPDX-License-Identifier: BSD-3-Clause
# Installs the build folder `build` below `work`, then builds and runs against it alone: the project `source`, and the
# one that the README below `root` shows with the program of docs/pins.md.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
function(build_with_it from to)
  run(${CMAKE_COMMAND} -S ${from} -B ${to} -G ${generator} -D CMAKE_BUILD_TYPE=Debug
      -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_PREFIX_PATH=${work}/prefix)
  run(${CMAKE_COMMAND} --build ${to})
endfunction()

build_with_it(${source} ${work}/build)
run(${work}/build/with_systemc)
run(${work}/build/without_systemc)

# The only block of this language on the page.
function(save_block page language file)
  file(READ ${page} text)
  set(begin "\n```${language}\n")
  string(FIND "${text}" "${begin}" at)
  string(LENGTH "${begin}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${text}" ${at} -1 text)
  string(FIND "${text}" "\n```\n" length)
  string(SUBSTRING "${text}" 0 ${length} block)
  file(WRITE ${file} "${block}\n")
endfunction()

save_block(${root}/README.md cmake ${work}/shown/CMakeLists.txt)
save_block(${root}/docs/pins.md cpp ${work}/shown/my_program.cpp)
build_with_it(${work}/shown ${work}/shown/build)
run(${work}/shown/build/my_program)
