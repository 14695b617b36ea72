# SPDX-License-Identifier: Apache-2.0
# Compiler options of every target of the workbench.

add_library(kwb_options INTERFACE)
target_compile_features(kwb_options INTERFACE cxx_std_20)
target_compile_options(kwb_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 wrongly reports an overlap in `std::string + const char*` (GCC bug 105329, fixed in 13).
  target_compile_options(kwb_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ takes an included source for a header, and warns about members whose types are private to that file.
  target_compile_options(kwb_options INTERFACE -Wno-subobject-linkage)
endif()
# Not every compiler driver says this by itself: a program names only those libraries that it really uses.
target_link_options(kwb_options INTERFACE -Wl,--as-needed)
if(KWB_WARNINGS_AS_ERRORS)
  target_compile_options(kwb_options INTERFACE -Werror)
endif()
if(KWB_SANITIZE STREQUAL "address")
  target_compile_definitions(kwb_options INTERFACE KWB_SANITIZE_ADDRESS)  # clang++ predefines no macro for it
  target_compile_options(kwb_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(kwb_options INTERFACE -fsanitize=address,undefined)
elseif(KWB_SANITIZE STREQUAL "thread")
  target_compile_definitions(kwb_options INTERFACE KWB_SANITIZE_THREAD)
  target_compile_options(kwb_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(kwb_options INTERFACE -fsanitize=thread)
elseif(KWB_SANITIZE)
  message(FATAL_ERROR "KWB_SANITIZE is '${KWB_SANITIZE}'; give 'address', 'thread' or nothing")
endif()
if(KWB_FUZZ AND NOT KWB_SANITIZE STREQUAL "address")
  message(FATAL_ERROR "KWB_FUZZ needs KWB_SANITIZE=address")
endif()

# Hot code (what a run, a frame or X-ray waits for) is optimised. The rest prepares requests and words results; leaving it
# unoptimised halves its compile time. Under the address sanitizer the hot code is optimised a little, because the runner's own processor
# time counts as the kernel's.
set(kwb_hot_options "$<$<STREQUAL:${KWB_SANITIZE},address>:-O1>")
set(kwb_cold_options "$<$<CONFIG:Release>:-O0>")

# precompiled.hpp for each, because compilers accept it only with the options that it was compiled with.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/CMakeFiles/precompiled.cpp" CONTENT "// Only its header matters.\n")
foreach(speed hot cold)
  add_library(kwb_precompiled_${speed} OBJECT "${PROJECT_BINARY_DIR}/CMakeFiles/precompiled.cpp")
  target_link_libraries(kwb_precompiled_${speed} PUBLIC kwb_options nlohmann_json::nlohmann_json fmt::fmt)
  target_compile_options(kwb_precompiled_${speed} PRIVATE ${kwb_${speed}_options})
  target_precompile_headers(kwb_precompiled_${speed} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp")
endforeach()

# Compile a target as hot or cold code, with the precompiled header for it.
#   kwb_compile_as(cold kwb)
function(kwb_compile_as speed target)
  target_compile_options(${target} PRIVATE ${kwb_${speed}_options})
  target_precompile_headers(${target} REUSE_FROM kwb_precompiled_${speed})
endfunction()

# Build one folder of lib/ as the static library `kwb_<name>`.
#   kwb_library(stats HOT SOURCES interval.cpp DEPENDS base LINK Boost::headers LINK_PRIVATE fmt::fmt)
# DEPENDS names other folders of lib/; keep it equal to the list in tests/layers. HOT_SOURCES are the hot ones of a cold
# library.
function(kwb_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT" "" "SOURCES;HOT_SOURCES;DEPENDS;LINK;LINK_PRIVATE")
  add_library(kwb_${name} STATIC ${arg_SOURCES})
  if(arg_HOT)
    kwb_compile_as(hot kwb_${name})
  else()
    kwb_compile_as(cold kwb_${name})
  endif()
  target_include_directories(kwb_${name} PUBLIC "${PROJECT_SOURCE_DIR}/lib")
  list(TRANSFORM arg_DEPENDS PREPEND kwb_)
  target_link_libraries(kwb_${name} PUBLIC kwb_options ${arg_DEPENDS} ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
  if(arg_HOT_SOURCES)
    add_library(kwb_${name}_hot OBJECT ${arg_HOT_SOURCES})
    kwb_compile_as(hot kwb_${name}_hot)
    target_include_directories(kwb_${name}_hot PRIVATE "${PROJECT_SOURCE_DIR}/lib")
    target_link_libraries(kwb_${name}_hot PRIVATE kwb_options ${arg_DEPENDS} ${arg_LINK} ${arg_LINK_PRIVATE})
    target_sources(kwb_${name} PRIVATE $<TARGET_OBJECTS:kwb_${name}_hot>)
  endif()
endfunction()
