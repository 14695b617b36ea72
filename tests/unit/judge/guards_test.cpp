#include "judge/verify/stray_access.hpp"

#include <doctest/doctest.h>

#include "sample.hpp"

using namespace kwb;

namespace {

constexpr std::uint64_t kGuard = 16384;
constexpr std::uint64_t kSecret = 0x1234;

/// One allocation with clean guards.
struct Fixture {
    explicit Fixture(ElementType type = {Scalar::Float32, 1}, std::uint64_t elements = 100) {
        slot.id = 3;
        slot.name = "C";
        slot.type = type;
        slot.elements = elements;
        slot.front_bytes = slot.back_bytes = kGuard;
        bytes.resize(slot.bytes() + 2 * kGuard);
        fill_guards(slot, kSecret, bytes);
    }
    /// Change one byte of an element, counted from the payload's first.
    void touch(std::int64_t element, std::size_t byte = 0) {
        const auto width = static_cast<std::int64_t>(slot.type.bytes());
        bytes[static_cast<std::size_t>(static_cast<std::int64_t>(kGuard) + element * width) + byte] ^=
            std::byte{0x40};
    }
    std::optional<GuardDamage> find() const { return find_guard_damage(slot, kSecret, bytes); }

    Slot slot;
    std::vector<std::byte> bytes;
};

}  // namespace

TEST_CASE("guards that nobody touched are whole, whatever the payload holds") {
    Fixture fixture;
    for (std::int64_t i = 0; i < 100; ++i) fixture.touch(i);
    CHECK(!fixture.find());
}

TEST_CASE("a write behind the buffer names the element, however far it strayed") {
    for (const std::int64_t distance : {0, 1, 2, 10, 100, 4095}) {
        CAPTURE(distance);
        Fixture fixture;
        fixture.touch(100 + distance, 3);
        const auto damage = fixture.find();
        REQUIRE(damage);
        CHECK(damage->element == 100 + distance);
        CHECK(damage->changed_bytes == 1);
    }
}

TEST_CASE("a write before the buffer names the element with a negative number") {
    for (const std::int64_t distance : {1, 2, 10, 100, 4096}) {
        CAPTURE(distance);
        Fixture fixture;
        fixture.touch(-distance, 0);
        CHECK(fixture.find()->element == -distance);
    }
}

TEST_CASE("of many changed elements the nearest to the payload is named and all bytes are counted") {
    Fixture behind;
    for (const std::int64_t element : {350, 120, 104}) behind.touch(element);
    CHECK(behind.find()->element == 104);
    CHECK(behind.find()->changed_bytes == 3);

    Fixture before;
    for (const std::int64_t element : {-50, -7, -300}) before.touch(element);
    CHECK(before.find()->element == -7);

    Fixture both;
    both.touch(100);
    both.touch(-1);
    REQUIRE(both.find());
    CHECK(both.find()->changed_bytes == 2);
}

TEST_CASE("element numbers count elements of the buffer's type") {
    for (const ElementType type : {ElementType{Scalar::Int8, 1}, ElementType{Scalar::Float64, 1},
                                   ElementType{Scalar::Float32, 4}, ElementType{Scalar::Float32, 3}}) {
        CAPTURE(to_string(type));
        Fixture fixture(type, 17);
        fixture.touch(17 + 5);
        CHECK(fixture.find()->element == 22);
        Fixture before(type, 17);
        before.touch(-3);
        CHECK(before.find()->element == -3);
    }
}

TEST_CASE("a single changed bit anywhere in the zones is found") {
    Fixture fixture;
    for (std::size_t at = 0; at < fixture.bytes.size(); at += 61) {
        const bool payload = at >= kGuard && at < fixture.bytes.size() - kGuard;
        fixture.bytes[at] ^= std::byte{1};
        CHECK(fixture.find().has_value() == !payload);
        fixture.bytes[at] ^= std::byte{1};
    }
}

TEST_CASE("guards of another run, another buffer or the other side do not pass as one's own") {
    Fixture fixture;
    CHECK(find_guard_damage(fixture.slot, kSecret + 1, fixture.bytes).has_value());
    Slot other = fixture.slot;
    other.id = 4;
    CHECK(find_guard_damage(other, kSecret, fixture.bytes).has_value());
    // A kernel that copies the front zone over the back zone is seen.
    std::copy_n(fixture.bytes.begin(), kGuard, fixture.bytes.end() - kGuard);
    CHECK(fixture.find().has_value());
}

TEST_CASE("the sentence tells element, valid range and distance") {
    const Slot& slot = Fixture().slot;
    CHECK(describe({100, 4}, slot) ==
          "wrote element 100 of C (valid 0 … 99), one past the end; 4 bytes around the buffer were changed");
    CHECK(describe({100, 1}, slot).ends_with("; 1 byte around the buffer was changed"));
    CHECK(describe({107, 4}, slot).find("8 past the end") != std::string::npos);
    CHECK(describe({-1, 4}, slot).find("element -1 of C (valid 0 … 99), one before the first") !=
          std::string::npos);
    CHECK(describe({-12, 4}, slot).find("12 before the first") != std::string::npos);
}
