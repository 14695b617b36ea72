#include "ocl/parameter.hpp"

#include <doctest/doctest.h>

using namespace kwb;

TEST_CASE("type names lose qualifiers and take their short form") {
    CHECK(plain_type_name("const unsigned  int *") == "uint*");
    CHECK(plain_type_name("unsigned") == "uint");
    CHECK(plain_type_name("unsigned char") == "uchar");
    CHECK(plain_type_name("long int") == "long");
    CHECK(plain_type_name("unsigned long int") == "ulong");
    CHECK(plain_type_name("signed short") == "short");
    CHECK(plain_type_name("__global struct pair **") == "struct pair**");
    CHECK(plain_type_name("float4") == "float4");
    CHECK(plain_type_name("").empty());
}
