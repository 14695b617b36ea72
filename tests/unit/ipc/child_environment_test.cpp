#include "ipc/child.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

using namespace kwb;

TEST_CASE("drivers see what finds and steers them, and nothing personal") {
    for (const char* name : {"PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "OCL_ICD_VENDORS",
                             "POCL_DEVICES", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                             "ZE_AFFINITY_MASK", "ASAN_OPTIONS", "UBSAN_OPTIONS", "KWB_FAKE_RUNNER_MODE"})
        CHECK_MESSAGE(is_for_drivers(name), name);
    for (const char* name :
         {"HOME", "TMPDIR", "USER", "SSH_AUTH_SOCK", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DISPLAY",
          "XAUTHORITY", "LD_PRELOAD", "KWB_CACHE_DIR", "PATHS", "MY_PATH", ""})
        CHECK_MESSAGE(!is_for_drivers(name), name);
}

TEST_CASE("the drivers' part of our environment keeps its values, with whatever is in them") {
    ::setenv("POCL_TEST", "a=b c", 1);
    ::setenv("TEST_TOKEN", "secret", 1);
    const NamedList<std::string> kept = driver_environment();
    REQUIRE(find_named(kept, "POCL_TEST") != nullptr);
    CHECK(*find_named(kept, "POCL_TEST") == "a=b c");
    CHECK(find_named(kept, "TEST_TOKEN") == nullptr);
    ::unsetenv("POCL_TEST");
    ::unsetenv("TEST_TOKEN");
}
