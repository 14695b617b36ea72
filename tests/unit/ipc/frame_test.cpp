#include "ipc/frame.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "base/error.hpp"

using namespace kwb;

namespace {

std::string frame(const std::string& json, const std::string& attachment = "") {
    return frame_header(json.size(), attachment.size()) + json + attachment;
}

std::string every_byte() {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    return bytes;
}

}  // namespace

TEST_CASE("a frame comes back as it was sent, also empty and with any byte") {
    FrameDecoder decoder;
    decoder.feed(frame("{}", every_byte()) + frame("", "") + frame("{\"a\":1}"));
    auto first = decoder.next();
    REQUIRE(first.has_value());
    CHECK(first->json == "{}");
    CHECK(first->attachment == every_byte());
    auto second = decoder.next();
    REQUIRE(second.has_value());
    CHECK(second->json.empty());
    auto third = decoder.next();
    REQUIRE(third.has_value());
    CHECK(third->json == "{\"a\":1}");
    CHECK(!decoder.next());
    CHECK(!decoder.in_frame());
}

TEST_CASE("a frame may come byte by byte") {
    const std::string bytes = frame("{\"x\":2}", "data");
    FrameDecoder decoder;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        decoder.feed(bytes.substr(i, 1));
        CHECK(!decoder.next());
        CHECK(decoder.in_frame());
    }
    decoder.feed(bytes.substr(bytes.size() - 1));
    CHECK(decoder.next()->attachment == "data");
    CHECK(!decoder.in_frame());
}

TEST_CASE("junk is refused at its first byte, with what came") {
    FrameDecoder decoder;
    decoder.feed("Segmentation fault");
    CHECK_THROWS_WITH_AS(decoder.next(), "not a message of this protocol: 'Segmentation fault'",
                         ProtocolError);
    FrameDecoder one_byte;
    one_byte.feed("x");
    CHECK_THROWS_AS(one_byte.next(), ProtocolError);
    FrameDecoder binary;
    binary.feed("KWB\x02");  // another version of the framing
    CHECK_THROWS_AS(binary.next(), ProtocolError);
}

TEST_CASE("junk after a whole frame is refused after that frame") {
    FrameDecoder decoder;
    decoder.feed(frame("{}") + "junk");
    CHECK(decoder.next().has_value());
    CHECK_THROWS_AS(decoder.next(), ProtocolError);
}

TEST_CASE("a frame above the limits is refused by its header alone") {
    const FrameLimits limits{100, 1000};
    const auto refused = [&](std::size_t json_bytes, std::size_t attachment_bytes) {
        FrameDecoder decoder(limits);
        decoder.feed(frame_header(json_bytes, attachment_bytes));
        try {
            return decoder.next().has_value();
        } catch (const ProtocolError&) {
            return true;
        }
    };
    CHECK(!refused(100, 1000));
    CHECK(refused(101, 0));
    CHECK(refused(0, 1001));
    CHECK(refused(UINT32_MAX, SIZE_MAX));
    CHECK(refused(0, SIZE_MAX - 16));  // whose sum would wrap around
}

TEST_CASE("a cut frame is seen as cut") {
    const std::string bytes = frame("{\"x\":2}", "data");
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        FrameDecoder decoder;
        decoder.feed(bytes.substr(0, length));
        CHECK(!decoder.next());
        CHECK(decoder.in_frame());
    }
}

TEST_CASE("many frames in a row do not pile up") {
    FrameDecoder decoder;
    const std::string bytes = frame("{}", std::string(100'000, 'x'));
    for (int i = 0; i < 200; ++i) {
        decoder.feed(bytes + bytes.substr(0, 3));
        REQUIRE(decoder.next().has_value());
        REQUIRE(!decoder.next());
        decoder.feed(bytes.substr(3));
        REQUIRE(decoder.next().has_value());
    }
    CHECK(!decoder.in_frame());
}

TEST_CASE("damaged streams give whole frames or a protocol error, and nothing beyond the limits") {
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t end) { return random() % end; };
    const FrameLimits limits{64, 64};
    std::size_t frames = 0;
    std::size_t errors = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes;
        for (int i = 0; i < 3; ++i)
            bytes += frame(std::string(below(20), 'j'), every_byte().substr(0, below(20)));
        for (std::size_t damage = below(4); damage > 0; --damage) {
            const std::size_t at = below(bytes.size());
            if (below(3) == 0)
                bytes.erase(at, 1 + below(4));
            else if (below(2) == 0)
                bytes.insert(at, 1, static_cast<char>(below(256)));
            else
                bytes[at] = static_cast<char>(below(256));
        }
        FrameDecoder decoder(limits);
        try {
            while (!bytes.empty()) {
                const std::size_t piece = 1 + below(30);
                decoder.feed(bytes.substr(0, piece));
                bytes.erase(0, piece);
                while (const auto next = decoder.next()) {
                    ++frames;
                    REQUIRE(next->json.size() <= limits.json_bytes);
                    REQUIRE(next->attachment.size() <= limits.attachment_bytes);
                }
            }
        } catch (const ProtocolError&) {
            ++errors;
        }
    }
    CHECK(frames > 20'000);  // the loop did exercise both outcomes
    CHECK(errors > 2'000);
}
