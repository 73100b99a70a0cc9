# SPDX-License-Identifier: BSD-3-Clause
# Installs the CMake package, so that find_package(tlmetry) gives tlmetry::base, tlmetry::config and the others.
include(CMakePackageConfigHelpers)
set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/tlmetry)

install(EXPORT tlmetry NAMESPACE tlmetry:: FILE tlmetryTargets.cmake DESTINATION ${destination})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tlmetryConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tlmetryConfig.cmake INSTALL_DESTINATION ${destination})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tlmetryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tlmetryConfig.cmake ${PROJECT_BINARY_DIR}/tlmetryConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindSystemC.cmake DESTINATION ${destination})
