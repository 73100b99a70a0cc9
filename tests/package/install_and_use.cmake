# SPDX-License-Identifier: BSD-3-Clause
# Installs the build folder `build` below `work`, then builds and runs the project `source` against it alone.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator} -D CMAKE_BUILD_TYPE=Debug
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/with_systemc)
run(${work}/build/without_systemc)
