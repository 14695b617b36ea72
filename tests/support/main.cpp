// The main function of all tests. Tests use their own OpenCL driver, whatever else is installed.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <stdlib.h>

int main(int count, char** arguments) {
    ::setenv("OCL_ICD_VENDORS", KWB_TEST_VENDORS, 1);
    return doctest::Context(count, arguments).run();
}
