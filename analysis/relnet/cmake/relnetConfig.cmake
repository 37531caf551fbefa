# SPDX-License-Identifier: GPL-2.0-only
#
# find_package(relnet): the target relnet::relnet has the compiled modules with ns-3, from a wheel or a clone.
# `python -m relnet.build --cmake` prints this folder, for relnet_DIR. In a build of type Debug, assertions and logs of
# ns-3 are on.

get_filename_component(_relnet_package "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
get_filename_component(_relnet_root "${_relnet_package}/../.." ABSOLUTE)
find_path(
  _relnet_modules
  NAMES include/ns3/messaging-module.h
  PATHS "$ENV{RELNET_BUILD}" "${_relnet_package}/modules" "${_relnet_root}/build"
  NO_DEFAULT_PATH NO_CACHE
)
file(GLOB _relnet_installed "${_relnet_package}/../ns3" "${_relnet_root}/.venv/lib/python3*/site-packages/ns3")
find_path(
  _relnet_ns3
  NAMES include/ns3/core-module.h
  PATHS ${_relnet_installed}
  NO_DEFAULT_PATH NO_CACHE
)

if(_relnet_modules AND _relnet_ns3)
  # The libraries of the test suites are apart, in lib/test.
  file(GLOB _relnet_libraries "${_relnet_modules}/lib/librelnet-*.so" "${_relnet_ns3}/lib*/libns3*.so")
  add_library(relnet::relnet INTERFACE IMPORTED)
  set_target_properties(
    relnet::relnet PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_relnet_modules}/include;${_relnet_ns3}/include"
  )
  target_compile_features(relnet::relnet INTERFACE cxx_std_20)
  target_compile_definitions(relnet::relnet INTERFACE $<$<CONFIG:Debug>:NS3_ASSERT_ENABLE;NS3_LOG_ENABLE>)
  target_link_libraries(relnet::relnet INTERFACE -Wl,--as-needed ${_relnet_libraries})
  set(relnet_FOUND TRUE)
else()
  set(relnet_FOUND FALSE)
  set(relnet_NOT_FOUND_MESSAGE
      "The compiled modules or ns-3 are missing beside ${_relnet_package}: run `make build`, or set RELNET_BUILD."
  )
endif()
