// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "base/half.hpp"
#include "base/npy.hpp"
#include "base/picture.hpp"

using namespace kwb;
using namespace std::string_literals;

// --- base/npy.hpp ---

namespace {

/// A file with this header text, version 1.0 by default.
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
    CHECK(says(complaint("hello"), "x.npy: not a .npy file; write one with numpy.save"));
    CHECK(says(complaint(""), "not a .npy file"));
    CHECK(says(complaint("\x93NUMPY"), "truncated"));
    CHECK(says(complaint(file_of(kFloats, data, 3)), "version is 3.0"));
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

// --- base/half.hpp ---

using kwb::Half;

namespace {

double value_of_half(unsigned bits) {
    return static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(bits)));
}

unsigned half_bits_of(double value) {
    return Half(value).bits();
}

}  // namespace

TEST_CASE("halves have the values that IEEE 754 gives them") {
    CHECK(value_of_half(0x0000) == 0);
    CHECK(std::signbit(value_of_half(0x8000)));
    CHECK(value_of_half(0x3c00) == 1);
    CHECK(value_of_half(0xc000) == -2);
    CHECK(value_of_half(0x3555) == 0x1.554p-2);
    CHECK(value_of_half(0x0001) == 0x1p-24);
    CHECK(value_of_half(0x03ff) == 0x1.ff8p-15);
    CHECK(value_of_half(0x0400) == 0x1p-14);
    CHECK(value_of_half(0x7bff) == 65504);
    CHECK(value_of_half(0x7c00) == INFINITY);
    CHECK(value_of_half(0xfc00) == -INFINITY);
    CHECK(std::isnan(value_of_half(0x7c01)));
    CHECK(std::isnan(value_of_half(0xffff)));
}

TEST_CASE("every half comes back as itself from the number that it is") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const double value = value_of_half(bits);
        if (std::isnan(value))
            CHECK(std::isnan(static_cast<double>(Half(value))));
        else
            CHECK(half_bits_of(value) == bits);
    }
}

TEST_CASE("between two halves the nearer one is taken, and the even one in the middle") {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        const double low = value_of_half(bits);
        const double high = bits == 0x7bff ? 65536 : value_of_half(bits + 1);  // 2^16 in place of infinity
        const double middle = (low + high) / 2;
        CHECK(half_bits_of(std::nextafter(middle, 0)) == bits);
        CHECK(half_bits_of(middle) == bits + (bits & 1));
        CHECK(half_bits_of(std::nextafter(middle, INFINITY)) == bits + 1);
        CHECK(half_bits_of(-middle) == ((bits + (bits & 1)) | 0x8000));
    }
}

TEST_CASE("a number is rounded to a half once, not by way of a float") {
    // Rounded to float first, this would be 1 + 2^-11, a tie that rounds to even, 1.
    CHECK(half_bits_of(1 + 0x1p-11 + 0x1p-40) == 0x3c01);
    CHECK(half_bits_of(std::int64_t{2049}) == half_bits_of(2048));
    CHECK(half_bits_of(1e300) == 0x7c00);
    CHECK(half_bits_of(-0x1p-1074) == 0x8000);
}

#if defined(__aarch64__) || (defined(__x86_64__) && defined(__FLT16_MAX__))
#ifdef __aarch64__
using OwnHalf = __fp16;  // on this platform g++ 12 supports _Float16 in C only
#else
using OwnHalf = _Float16;
#endif

TEST_CASE("halves agree with the compiler's own on all patterns and on random numbers") {
    const auto own_bits = [](auto value) {
        const auto half = static_cast<OwnHalf>(value);
        std::uint16_t bits = 0;
        std::memcpy(&bits, &half, sizeof bits);
        return bits;
    };
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto pattern = static_cast<std::uint16_t>(bits);
        OwnHalf half;
        std::memcpy(&half, &pattern, sizeof half);
        const auto expected = static_cast<double>(half);
        const double got = value_of_half(bits);
        CHECK((got == expected || (std::isnan(got) && std::isnan(expected))));
    }
    std::mt19937_64 random(1);
    std::uint64_t differences = 0;
    for (int i = 0; i < 2'000'000; ++i) {
        // A third of the numbers has any exponent, two thirds have exponents in the range of half.
        const std::uint64_t bits = random();
        const std::uint64_t near = (bits & 0x800fffffffffffff) | (std::uint64_t{1023 - 26} + bits % 44) << 52;
        const double value = std::bit_cast<double>(i % 3 == 0 ? bits : near);
        const auto narrow = static_cast<float>(value);
        if (std::isnan(value)) continue;
        differences += half_bits_of(value) != own_bits(value);
        differences += half_bits_of(static_cast<double>(narrow)) != own_bits(narrow);
    }
    CHECK(differences == 0);
}
#endif

// --- base/png.hpp ---

TEST_CASE("pictures are read as they were written, and none that is too large") {
    const std::vector<std::uint8_t> pixels = {1, 2, 3, 255, 5, 6, 7, 255, 9, 10, 11, 255};
    const std::string png = encode_png(pixels, 3, 1, 4);
    const DecodedPicture picture = decode_png("p.png", png, 4, 12);
    CHECK(picture.columns == 3);
    CHECK(picture.rows == 1);
    CHECK(picture.pixels == std::string(pixels.begin(), pixels.end()));
    const std::string grey = encode_png(pixels, 4, 3, 1);
    CHECK(decode_png("p.png", grey, 1, 12).pixels == picture.pixels);
    CHECK(decode_png("p.png", grey, 4, 48).pixels.substr(0, 8) == std::string("\1\1\1\xff\2\2\2\xff"));
    CHECK_THROWS_WITH_AS(
        decode_png("p.png", png, 4, 11),
        "p.png: its pixels take 12 bytes, but the limit is 11 bytes; choose a smaller picture", BadInput);
    CHECK_THROWS_AS(decode_png("p.png", "", 1, 100), BadInput);
    CHECK_THROWS_AS(encode_png(pixels, 3, 1, 1), ContractError);
    CHECK_THROWS_AS(encode_png({}, 0, 0, 4), ContractError);
    CHECK_THROWS_AS(encode_png({}, 1u << 16, 1u << 15, 1), ContractError);
}

// --- base/picture.hpp ---

TEST_CASE("pictures of Netpbm and BMP files are read as PNG pictures are") {
    const std::string red_green = "\xff\0\0\xff\0\xff\0\xff"s;
    CHECK(decode_picture("p.ppm", "P3 # colours\n2 1\n15\n15 0 0  0 15 0", 4, 8).pixels == red_green);
    CHECK(decode_picture("p.ppm", "P6\n2 1 255\n\xff\0\0\0\xff\0"s, 4, 8).pixels == red_green);
    CHECK(decode_picture("p.ppm", "P6\n2 1 65535\n\xff\xff\0\0\0\0\0\0\xff\xff\0\0"s, 4, 8).pixels ==
          red_green);
    const std::string grey = "\x01\x80"s;
    CHECK(decode_picture("p.pgm", "P2 1 2 255 1 128", 1, 2).pixels == grey);
    const DecodedPicture column = decode_picture("p.pgm", "P5 1 2 255\n\x01\x80"s, 1, 2);
    CHECK(column.rows == 2);
    CHECK(column.pixels == grey);
    CHECK(decode_picture("p.pgm", "P5 1 1 255\n\x80", 4, 4).pixels == "\x80\x80\x80\xff");
    // One luminance for all: that of libpng.
    const auto* const pixels = reinterpret_cast<const std::uint8_t*>(red_green.data());
    CHECK(decode_picture("p.ppm", "P6\n2 1 255\n\xff\0\0\0\xff\0"s, 1, 2).pixels ==
          decode_png("p.png", encode_png({pixels, 8}, 2, 1, 4), 1, 2).pixels);

    const std::string header = "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"s;
    const std::string one_by_two = "\1\0\0\0\2\0\0\0\1\0"s;
    const std::string rest(24, '\0');
    const std::string rows = "\1\2\3\0\4\5\6\0"s;  // the lower one first; blue, green, red
    CHECK(decode_picture("p.bmp", header + one_by_two + "\x18\0"s + rest + rows, 4, 8).pixels ==
          "\6\5\4\xff\3\2\1\xff");
    CHECK(
        decode_picture("p.bmp", header + "\1\0\0\0\xfe\xff\xff\xff\1\0\x20\0"s + rest + rows, 4, 8).pixels ==
        "\3\2\1\xff\6\5\4\xff");
}

TEST_CASE("a picture that is damaged, too large or of another kind is refused by its name") {
    const auto refusal = [](const std::string& bytes) -> std::string {
        try {
            decode_picture("p", bytes, 4, 400);
        } catch (const BadInput& error) {
            return error.what();
        }
        return "";
    };
    for (const char* text : {"P6", "P6\n2 1 255\nabc", "P6 0 1 255\n", "P6 2 1 0\n", "P3 1 1 9 9 9 10",
                             "P3 1 1 9 9 9", "P6 x 1 255\n", "P6 99999999999 1 255\n", "BM", "BMabc"}) {
        INFO(text);
        CHECK(refusal(text).find("p: ") != std::string::npos);
    }
    CHECK(
        refusal("P6 20 20 255\n").find("p: its pixels take more than 400 bytes; choose a smaller picture") !=
        std::string::npos);
    const std::string header = "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0\1\0"s;
    CHECK(refusal(header + "\x18\0\1\0\0\0"s + std::string(40, '\0')).find("without compression") !=
          std::string::npos);
    CHECK(refusal(header + "\x18\0"s + std::string(24, '\0')).find("damaged picture") != std::string::npos);
    CHECK(refusal("GIF89a").find("not a PNG picture") != std::string::npos);
}
