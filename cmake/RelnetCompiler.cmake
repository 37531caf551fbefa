# SPDX-License-Identifier: GPL-2.0-only
#
# Language level, optimisation and warnings for every target of this project.

option(RELNET_NATIVE "Compile for this machine's CPU only; results stay the same, binaries do not travel" OFF)
option(RELNET_WERROR "Treat warnings in this project's sources as errors" ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(RELNET_HEADER_DIRECTORY "${PROJECT_BINARY_DIR}/include/ns3")

add_library(relnet-compiler INTERFACE)
target_compile_options(
  relnet-compiler
  INTERFACE
    -Wall
    -Wextra
    # As ns-3's own build has it.
    -Wpedantic
    $<$<BOOL:${RELNET_WERROR}>:-Werror>
    # A fused multiply-add rounds once where two operations round twice: the same seed must give the
    # same result on every processor and with every compiler.
    -ffp-contract=off
    # GCC 12 sees overlapping copies in the standard library's strings where there are none (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # Calls inside a shared library bind to it and can be inlined; clang does so by default.
    $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
    $<$<BOOL:${RELNET_NATIVE}>:-march=native>
)
