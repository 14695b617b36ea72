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

# Build one folder of lib/ as the static library `kwb_<name>`.
#   kwb_library(stats SOURCES interval.cpp DEPENDS base LINK Boost::headers LINK_PRIVATE fmt::fmt)
# DEPENDS names other folders of lib/; keep it equal to the list in tests/layers.
function(kwb_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;LINK;LINK_PRIVATE")
  add_library(kwb_${name} STATIC ${arg_SOURCES})
  target_include_directories(kwb_${name} PUBLIC "${PROJECT_SOURCE_DIR}/lib")
  list(TRANSFORM arg_DEPENDS PREPEND kwb_)
  target_link_libraries(kwb_${name} PUBLIC kwb_options ${arg_DEPENDS} ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
endfunction()
