#include "model/element.hpp"

#include <doctest/doctest.h>

using namespace kwb;

TEST_CASE("every element type is read by the name that it writes") {
    for (int scalar = 0; scalar <= static_cast<int>(Scalar::Float64); ++scalar)
        for (const unsigned width : {1u, 2u, 3u, 4u, 8u, 16u}) {
            const ElementType type{static_cast<Scalar>(scalar), width};
            CHECK(parse_element_type(to_string(type)) == type);
        }
}

TEST_CASE("names as OpenCL C allows them") {
    CHECK(parse_element_type("unsigned int") == ElementType{Scalar::UInt32, 1});
    CHECK(parse_element_type("unsigned") == ElementType{Scalar::UInt32, 1});
    CHECK(parse_element_type("unsigned char") == ElementType{Scalar::UInt8, 1});
    CHECK(parse_element_type(" float4 ") == ElementType{Scalar::Float32, 4});
    for (const char* name :
         {"", "float5", "float44", "size_t", "floaty", "unsigned float", "int 4", "ufloat"})
        CHECK(!parse_element_type(name));
}

TEST_CASE("three components take the room of four") {
    CHECK(ElementType{Scalar::Float32, 3}.bytes() == 16);
    CHECK(ElementType{Scalar::Float32, 4}.bytes() == 16);
    CHECK(ElementType{Scalar::Float16, 1}.bytes() == 2);
    CHECK(ElementType{Scalar::UInt64, 16}.bytes() == 128);
}

TEST_CASE("floating types are told from integers") {
    CHECK(ElementType{Scalar::Float16, 1}.is_floating());
    CHECK(ElementType{Scalar::Float64, 2}.is_floating());
    CHECK(!ElementType{Scalar::UInt64, 1}.is_floating());
}
