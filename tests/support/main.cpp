// The main function of all tests. Tests use their own OpenCL driver and its caches, whatever a person has chosen.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <stdlib.h>

int main(int count, char** arguments) {
    ::setenv("OCL_ICD_VENDORS", KWB_TEST_VENDORS, 1);
    ::unsetenv("POCL_CACHE_DIR");
    return doctest::Context(count, arguments).run();
}
