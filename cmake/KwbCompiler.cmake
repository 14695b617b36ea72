# SPDX-License-Identifier: Apache-2.0
# The compiler, unless -DCMAKE_CXX_COMPILER or CXX names one: the newest clang++ from 15 on that finds a standard library,
# else CMake's default. PoCL brings such a clang++, and it needs less than half of g++'s processor time.
# Included before project().
if(DEFINED CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
  return()
endif()
foreach(version RANGE 30 15 -1)
  find_program(KWB_CLANGXX_${version} clang++-${version})
  mark_as_advanced(KWB_CLANGXX_${version})
  if(NOT KWB_CLANGXX_${version})
    continue()
  endif()
  # A gcc without its C++ library beside a complete one can mislead clang++.
  file(WRITE "${CMAKE_BINARY_DIR}/CMakeFiles/finds_library.cpp" "#include <string>\n")
  execute_process(
    COMMAND "${KWB_CLANGXX_${version}}" -std=c++20 -fsyntax-only "${CMAKE_BINARY_DIR}/CMakeFiles/finds_library.cpp"
    RESULT_VARIABLE outcome OUTPUT_QUIET ERROR_QUIET)
  if(outcome EQUAL 0)
    set(CMAKE_CXX_COMPILER "${KWB_CLANGXX_${version}}")
    return()
  endif()
endforeach()
