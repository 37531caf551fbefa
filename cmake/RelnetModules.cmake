# SPDX-License-Identifier: GPL-2.0-only
#
# build_lib and build_lib_example with the keywords of ns-3's macros of the same names, so that the
# CMakeLists.txt of a module serves here and inside an ns-3 source tree without a change.

set(RELNET_ENABLED_MODULES "" CACHE STRING "Modules to build, with those that they need; all if empty")

# Find the modules below a folder and set lib<module> for each. Targets may be named before they exist, so no
# order among modules is needed.
function(relnet_declare_modules folder)
  file(GLOB lists CONFIGURE_DEPENDS "${folder}/*/CMakeLists.txt")
  set(modules)
  foreach(list_file IN LISTS lists)
    get_filename_component(directory "${list_file}" DIRECTORY)
    get_filename_component(module "${directory}" NAME)
    if(RELNET_ENABLED_MODULES AND NOT module IN_LIST RELNET_ENABLED_MODULES)
      continue()
    endif()
    list(APPEND modules ${module})
    set(lib${module} relnet-${module} PARENT_SCOPE)
  endforeach()
  set(RELNET_MODULES ${modules} PARENT_SCOPE)
endfunction()

# Stop with one sentence where a list names a file that is not there.
function(relnet_require_files owner)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
      message(FATAL_ERROR "${owner}: ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt lists ${file}, which does not exist.")
    endif()
  endforeach()
endfunction()

# Write a file only where its content changes, so that nothing that includes it is compiled again for nothing.
function(relnet_write_if_different file content)
  if(EXISTS "${file}")
    file(READ "${file}" present)
    if(present STREQUAL content)
      return()
    endif()
  endif()
  file(WRITE "${file}" "${content}")
endfunction()

# Make public headers available as ns3/<name>, by a header that includes the real one, as ns-3 itself does.
function(relnet_publish_headers module)
  set(umbrella "// SPDX-License-Identifier: GPL-2.0-only\n#pragma once\n\n")
  set(names)
  foreach(header IN LISTS ARGN)
    get_filename_component(name "${header}" NAME)
    if(TARGET ns3::core)
      get_target_property(folders ns3::core INTERFACE_INCLUDE_DIRECTORIES)
      foreach(folder IN LISTS folders)
        if(EXISTS "${folder}/ns3/${name}")
          message(FATAL_ERROR "${module}: ns-3 already has a public header ${name}; choose another name.")
        endif()
      endforeach()
    endif()
    relnet_write_if_different(
      "${RELNET_HEADER_DIRECTORY}/${name}" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"\n"
    )
    # Headers for tests include much that users of the module do not need.
    if(NOT header MATCHES "^test/")
      string(APPEND umbrella "#include \"ns3/${name}\"\n")
    endif()
    list(APPEND names "${name}")
  endforeach()
  relnet_write_if_different("${RELNET_HEADER_DIRECTORY}/${module}-module.h" "${umbrella}")
  set_property(GLOBAL APPEND PROPERTY RELNET_HEADERS ${names} "${module}-module.h")
endfunction()

# Let an installation, which a wheel is, have a library. It finds ours beside itself, and those of ns-3 where pip has put
# them: the folders relnet/modules/lib and ns3/lib64 have the same parent.
function(relnet_install_library target)
  get_filename_component(ns3_library_folder "${ns3_DIR}/../.." ABSOLUTE)
  get_filename_component(ns3_library_folder "${ns3_library_folder}" NAME)
  set_target_properties(
    ${target} PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../../../ns3/${ns3_library_folder}"
  )
  install(TARGETS ${target} LIBRARY DESTINATION modules/lib)
endfunction()

# Let it have a module: the library and its headers.
function(relnet_install_module target module)
  relnet_install_library(${target})
  install(FILES ${ARGN} "${RELNET_HEADER_DIRECTORY}/${module}-module.h" DESTINATION modules/include/ns3)
endfunction()

# Delete published headers that no module lists any more.
function(relnet_remove_stale_headers)
  get_property(known GLOBAL PROPERTY RELNET_HEADERS)
  file(GLOB present RELATIVE "${RELNET_HEADER_DIRECTORY}" "${RELNET_HEADER_DIRECTORY}/*")
  foreach(header IN LISTS present)
    if(NOT header IN_LIST known)
      file(REMOVE "${RELNET_HEADER_DIRECTORY}/${header}")
    endif()
  endforeach()
endfunction()

# The headers that most sources include, compiled once for all libraries and programs. Not behind a launcher, such as ccache, which
# cannot share between folders what was compiled so.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(RELNET_PRECOMPILE "Precompile the headers that most sources include" ${precompile})
# One for optimised code, one for code that is not: a compiler takes what was precompiled only where it optimises likewise.
if(RELNET_PRECOMPILE)
  # Written once: a new configuration would compile everything anew.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cc" CONTENT "")
  foreach(kind IN ITEMS models programs)
    add_library(relnet-precompiled-${kind} OBJECT "${PROJECT_BINARY_DIR}/precompiled.cc")
    target_link_libraries(relnet-precompiled-${kind} PRIVATE ${libnetwork} relnet-compiler)
    target_precompile_headers(relnet-precompiled-${kind} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/RelnetPrecompiled.h")
  endforeach()
  target_compile_options(relnet-precompiled-programs PRIVATE $<$<CONFIG:Release>:-O0>)
endif()

# Let a target of a kind use them; gcc takes them only where code is as independent of its place as theirs.
function(relnet_precompile target kind)
  if(RELNET_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM relnet-precompiled-${kind})
    target_compile_options(${target} PRIVATE -fPIC)
    # gcc 12 forgets that std::string is of a system header, and sees its short buffer overrun where it is not;
    # a build without precompiled headers has these warnings.
    target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
endfunction()

# Compile a test or an example, which runs for seconds, as fast as possible: half of all processor time of a build went into
# tests.
function(relnet_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  relnet_precompile(${target} programs)
endfunction()

# Compile up to some sources of a target as one, so that what they include is read once: relnet_unite(TARGET COUNT). A name of one
# source could then hide that of a header in others; clang, which reads each alone, and ns-3's own build do without.
# Each source keeps a log component of its own.
set(RELNET_UNITE 12 CACHE STRING "Sources of a model to compile as one; 0 for each alone, which is faster after a change of one")
function(relnet_unite target count)
  if(count)
    set_target_properties(
      ${target} PROPERTIES
      UNITY_BUILD ON
      UNITY_BUILD_BATCH_SIZE ${count}
      UNITY_BUILD_UNIQUE_ID RELNET_SOURCE
      UNITY_BUILD_CODE_BEFORE_INCLUDE "#undef g_log\n#define g_log RELNET_SOURCE"
    )
    # gcc takes a source that another one includes for a header, whose types others would see.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# What a run from Python needs: the modules' libraries, without their tests, examples and benchmarks.
add_custom_target(relnet-modules)

# The programs of the modules' examples.
add_custom_target(relnet-programs)

# A module: library, published headers, test library, examples.
function(build_lib)
  cmake_parse_arguments(
    LIB
    "IGNORE_PCH;GENERATE_EXPORT_HEADER"
    "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES;DEPRECATED_HEADER_FILES;MODULE_ENABLED_FEATURES;PRIVATE_HEADER_FILES"
    ${ARGN}
  )
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  if(NOT LIB_LIBNAME STREQUAL folder)
    message(FATAL_ERROR "contrib/${folder}: LIBNAME is ${LIB_LIBNAME}; it has to be the name of the folder.")
  endif()
  relnet_require_files(${LIB_LIBNAME} ${LIB_SOURCE_FILES} ${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES} ${LIB_TEST_SOURCES})

  set(target relnet-${LIB_LIBNAME})
  add_library(${target} SHARED ${LIB_SOURCE_FILES})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(${target} PUBLIC ${LIB_LIBRARIES_TO_LINK} PRIVATE relnet-compiler)
  # A library that a module uses without naming it would only fail in whoever links the module. Calls inside a library are direct.
  target_link_options(${target} PRIVATE -Wl,-z,defs -Wl,-Bsymbolic-functions)
  relnet_precompile(${target} models)
  relnet_unite(${target} ${RELNET_UNITE})
  relnet_publish_headers(${LIB_LIBNAME} ${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES})
  relnet_install_module(${target} ${LIB_LIBNAME} ${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES})
  set_property(GLOBAL APPEND PROPERTY RELNET_LIBRARIES ${target})
  add_dependencies(relnet-modules ${target})

  if(LIB_TEST_SOURCES)
    add_library(${target}-test SHARED ${LIB_TEST_SOURCES})
    # Apart from the modules' own libraries, so that whoever loads all of those does not load tests.
    set_target_properties(${target}-test PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/test")
    target_link_libraries(${target}-test PRIVATE ${target} relnet-compiler)
    relnet_compile_fast(${target}-test)
    relnet_unite(${target}-test 12)
    set_property(GLOBAL APPEND PROPERTY RELNET_TEST_LIBRARIES ${target}-test)
  endif()
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt")
    add_subdirectory(examples)
  endif()
endfunction()

# An example program of a module.
function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "IGNORE_PCH" "NAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK" ${ARGN})
  relnet_require_files(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES} ${EXAMPLE_HEADER_FILES})
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE ${EXAMPLE_LIBRARIES_TO_LINK} relnet-compiler)
  target_include_directories(${EXAMPLE_NAME} PRIVATE "${PROJECT_BINARY_DIR}/include")
  relnet_compile_fast(${EXAMPLE_NAME})
  add_dependencies(relnet-programs ${EXAMPLE_NAME})
endfunction()

# The library of the Python layer. Its name is none of a module's, since nothing else loads it.
function(relnet_add_support)
  add_library(relnet-support SHARED "${PROJECT_SOURCE_DIR}/cmake/support.cc")
  set_target_properties(relnet-support PROPERTIES PREFIX "")
  target_link_options(relnet-support PRIVATE -Wl,--no-as-needed)
  target_link_libraries(relnet-support PRIVATE ${libcore} ${CMAKE_DL_LIBS} relnet-compiler)
  add_dependencies(relnet-modules relnet-support)
  relnet_install_library(relnet-support)
endfunction()

# A program linked with every module: relnet_add_program(NAME SOURCE...).
function(relnet_add_program name)
  get_property(libraries GLOBAL PROPERTY RELNET_LIBRARIES)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${libraries} relnet-compiler)
endfunction()

# Each file of a scratch folder is a program of its own, as in ns-3.
function(relnet_add_scratch_programs folder)
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cc")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    # A target of its own kind, since a program may be called like a module's library.
    relnet_add_program(scratch-${name} "${source}")
    set_target_properties(scratch-${name} PROPERTIES OUTPUT_NAME ${name})
    relnet_compile_fast(scratch-${name})
  endforeach()
endfunction()

# One runner for the test suites of all modules. They register themselves when their library is loaded, so the
# linker has to keep libraries that nothing refers to.
function(relnet_add_test_runner)
  get_property(libraries GLOBAL PROPERTY RELNET_LIBRARIES)
  get_property(tests GLOBAL PROPERTY RELNET_TEST_LIBRARIES)
  add_executable(relnet-test-runner "${PROJECT_SOURCE_DIR}/cmake/test-runner.cc")
  target_link_options(relnet-test-runner PRIVATE -Wl,--no-as-needed)
  target_link_libraries(relnet-test-runner PRIVATE ${tests} ${libraries} ${libcore} relnet-compiler)
endfunction()
