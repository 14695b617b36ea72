#include "base/npy.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace kwb;

namespace {

/// A file of version 1.0 with this header text.
std::string file_of(const std::string& header, const std::string& data, char major = 1) {
    std::string file = "\x93NUMPY";
    file += {major, 0};
    file += {static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    if (major == 2) file += std::string(2, '\0');
    return file + header + data;
}

std::string complaint(const std::string& file) {
    try {
        read_npy("x.npy", file);
        return "";
    } catch (const BadInput& error) {
        return error.what();
    }
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string kFloats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

}  // namespace

TEST_CASE("every type and shape that is written is read again") {
    for (const NpyType type : {NpyType{'f', 2},
                               {'f', 4},
                               {'f', 8},
                               {'i', 1},
                               {'i', 2},
                               {'i', 4},
                               {'i', 8},
                               NpyType{'u', 1},
                               {'u', 2},
                               {'u', 4},
                               {'u', 8}})
        for (const std::vector<std::uint64_t>& shape :
             {std::vector<std::uint64_t>{}, {7}, {2, 3}, {1, 1, 4, 2}, {0, 5}}) {
            std::uint64_t elements = 1;
            for (const std::uint64_t extent : shape) elements *= extent;
            const std::string data(elements * type.item_bytes, 'x');
            const std::string file = make_npy(type, shape, data);
            CAPTURE(numpy_name(type));
            const NpyHeader header = read_npy("x.npy", file);
            CHECK(header.type == type);
            CHECK(header.shape == shape);
            CHECK(header.data_offset % 64 == 0);
            CHECK(file.substr(header.data_offset) == data);
        }
}

TEST_CASE("a file is written byte for byte as NumPy 1.24 writes it") {
    const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    std::string wanted = "\x93NUMPY";
    wanted += {1, 0, 118, 0};
    wanted += text + std::string(117 - text.size(), ' ') + "\n" + std::string(12, '\0');
    CHECK(make_npy({'f', 4}, {3}, std::string(12, '\0')) == wanted);
    CHECK(says(make_npy({'u', 1}, {2, 2}, "abcd"),
               "'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }"));
}

TEST_CASE("headers in other orders, spacing and quotes are read, and version 2.0") {
    const std::string data(24, '\0');
    CHECK(read_npy("x.npy", file_of("{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\"}", data))
              .shape == std::vector<std::uint64_t>{2, 3});
    CHECK(read_npy("x.npy", file_of(kFloats + "   \n", data, 2)).type == NpyType{'f', 4});
    CHECK(read_npy("x.npy", file_of("{'descr': '|i1', 'fortran_order': False, 'shape': (), }", "7"))
              .shape.empty());
}

TEST_CASE("what cannot be read is refused with the reason and a remedy") {
    const std::string data(24, '\0');
    CHECK(complaint(file_of(kFloats, data)) == "");
    CHECK(says(complaint("hello"), "x.npy: this is no .npy file; write one with numpy.save"));
    CHECK(says(complaint(""), "no .npy file"));
    CHECK(says(complaint("\x93NUMPY"), "cut short"));
    CHECK(says(complaint(file_of(kFloats, data, 3)), "version 3.0"));
    CHECK(says(complaint(file_of("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", data)),
               "big-endian; save array.astype('<f4')"));
    CHECK(says(complaint(file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", data)),
               "numpy.ascontiguousarray"));
    for (const char* type : {"<c8", "|b1", "<U4", "|O", "<f1", "<i3", "<f16", "|V8"})
        CHECK_MESSAGE(says(complaint(file_of(std::string("{'descr': '") + type +
                                                 "', 'fortran_order': False, 'shape': (2, 3), }",
                                             data)),
                           std::string("of type '") + type + "'"),
                      type);
    CHECK(says(complaint(file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }", data)),
               "records"));
    CHECK(says(complaint(file_of(kFloats, data + "x")), "2 x 3 of float32, 24 bytes, but 25 bytes follow"));
    CHECK(says(complaint(file_of(kFloats, data.substr(1))), "but 23 bytes follow"));
    for (const char* header :
         {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
          "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 3), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x"})
        CHECK_MESSAGE(says(complaint(file_of(header, data)), "its header cannot be read"), header);
    CHECK(says(complaint(file_of(
                   "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", data)),
               "more bytes than 64 bits can count"));
}
