# SPDX-License-Identifier: GPL-2.0-only
#
# ns-3 from the wheel on PyPI. Its exported targets name include folders and libraries of the host that built
# the wheel; what does not exist here is removed, since CMake refuses an imported target with a missing path.

find_program(
  RELNET_PYTHON
  NAMES python3 python
  HINTS "${PROJECT_SOURCE_DIR}/.venv/bin"
  NO_DEFAULT_PATH
)
if(RELNET_PYTHON AND NOT EXISTS "${ns3_DIR}/ns3Config.cmake")
  execute_process(
    COMMAND "${RELNET_PYTHON}" -c "import sysconfig; print(sysconfig.get_path('purelib'))"
    OUTPUT_VARIABLE site_packages
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  file(GLOB ns3_configs "${site_packages}/ns3/lib*/cmake/ns3/ns3Config.cmake")
  if(ns3_configs)
    list(GET ns3_configs 0 ns3_config)
    get_filename_component(ns3_directory "${ns3_config}" DIRECTORY)
    set(ns3_DIR "${ns3_directory}" CACHE PATH "Folder of ns3Config.cmake" FORCE)
  endif()
endif()

find_package(ns3 QUIET CONFIG)
if(NOT ns3_FOUND)
  message(FATAL_ERROR "ns-3 was not found: run `make build`, which installs its wheel into .venv, "
                      "or give its CMake package with -Dns3_DIR=FOLDER."
  )
endif()

# Remove from a property of an imported target the absolute paths that do not exist on this machine.
function(relnet_scrub_property target property)
  get_target_property(paths ${target} ${property})
  if(NOT paths)
    return()
  endif()
  set(kept)
  foreach(path IN LISTS paths)
    if(NOT IS_ABSOLUTE "${path}" OR EXISTS "${path}")
      list(APPEND kept "${path}")
    endif()
  endforeach()
  # A plain /usr/include as a system folder would come ahead of the compiler's own and break #include_next.
  list(REMOVE_ITEM kept "/usr/include" "/usr/local" "/usr/local/include")
  set_target_properties(${target} PROPERTIES ${property} "${kept}")
endfunction()

get_property(imported_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(target IN LISTS imported_targets)
  if(target MATCHES "^ns3::(.+)$")
    set(lib${CMAKE_MATCH_1} ${target})
    relnet_scrub_property(${target} INTERFACE_INCLUDE_DIRECTORIES)
    relnet_scrub_property(${target} INTERFACE_LINK_LIBRARIES)
  endif()
endforeach()
