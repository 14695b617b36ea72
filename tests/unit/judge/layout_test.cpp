// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "judge/verify/layout.hpp"
#include "judge/verify/stray_access.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

// --- judge/verify/layout.hpp ---

namespace {

KernelPlan plan_with_scratch(const std::string& name, std::uint64_t elements,
                             ElementType type = {Scalar::Float32, 1}) {
    KernelPlan plan;
    plan.scratch.push_back({name, {type, elements}});
    return plan;
}

ProblemInstance with_in_out() {
    ProblemInstance instance = matmul(4, 4, 4);
    instance.buffers.push_back({"H", {Scalar::Int32, 1}, Access::ReadWrite, {10}});
    return instance;
}

}  // namespace

TEST_CASE("guard zones are multiples of the device's alignment, so that payloads are aligned") {
    for (const std::uint64_t align : {1u, 4u, 128u, 4096u, 65536u, 100u}) {
        CAPTURE(align);
        DeviceInfo device = small_device();
        device.base_align_bytes = align;
        const Layout layout = make_layout(matmul(3, 5, 7), {}, device);
        for (const Slot& slot : layout.slots) {
            CHECK(slot.front_bytes % align == 0);
            CHECK(slot.front_bytes >= 65536);
            CHECK(slot.back_bytes >= 65536);
        }
    }
}

TEST_CASE("a device that claims an alignment of 0 is laid out all the same") {
    DeviceInfo device = small_device();
    device.base_align_bytes = 0;
    CHECK(make_layout(matmul(3, 5, 7), {}, device).slots.front().front_bytes == 65536);
}

TEST_CASE("allocations start on pages, follow each other without overlap, and fit the arena") {
    const KernelPlan one = plan_with_scratch("T", 1001);
    const KernelPlan two = plan_with_scratch("T", 17, {Scalar::Int8, 1});
    const Layout layout = make_layout(matmul(61, 127, 29), {&one, nullptr, &two}, small_device());
    REQUIRE(layout.slots.size() == 5);
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < layout.slots.size(); ++i) {
        const Slot& slot = layout.slots[i];
        CHECK(slot.id == i);
        CHECK(slot.offset % 4096 == 0);
        CHECK(slot.offset >= end);
        end = slot.offset + slot.whole_bytes();
        CHECK(slot.whole_bytes() == slot.front_bytes + slot.bytes() + slot.back_bytes);
    }
    CHECK(end <= layout.arena_bytes);
}

TEST_CASE("buffers of the problem are inputs and outputs with its sizes") {
    const Layout layout = make_layout(matmul(3, 5, 7), {}, small_device());
    REQUIRE(layout.slots.size() == 3);
    CHECK(layout.find("A", 0)->role == Slot::Role::Input);
    CHECK(layout.find("A", 0)->elements == 21);
    CHECK(layout.find("B", 0)->elements == 35);
    CHECK(layout.find("C", 0)->role == Slot::Role::Output);
    CHECK(layout.find("C", 0)->bytes() == 60);
    CHECK(layout.find("D", 0) == nullptr);
}

TEST_CASE("a scratch buffer belongs to one contestant, also where two have one of the same name") {
    const KernelPlan one = plan_with_scratch("T", 100);
    const KernelPlan two = plan_with_scratch("T", 200);
    const KernelPlan three;
    const Layout layout = make_layout(matmul(2, 2, 2), {&one, &two, &three}, small_device());
    REQUIRE(layout.find("T", 0) != nullptr);
    REQUIRE(layout.find("T", 1) != nullptr);
    CHECK(layout.find("T", 0)->elements == 100);
    CHECK(layout.find("T", 1)->elements == 200);
    CHECK(layout.find("T", 2) == nullptr);
    CHECK(layout.find("A", 2) != nullptr);
}

TEST_CASE("the first content of in-out buffers is kept, and of no others") {
    const ProblemInstance instance = with_in_out();
    const KernelPlan plan;
    const Layout layout = make_layout(instance, {&plan}, small_device());
    REQUIRE(layout.find_pristine("H") != nullptr);
    CHECK(layout.find_pristine("H")->bytes() == layout.find("H", 0)->bytes());
    CHECK(layout.find("H", 0)->role == Slot::Role::Output);
    CHECK(layout.find_pristine("A") == nullptr);
}

TEST_CASE("all allocations together are what the device must hold") {
    const Layout layout = make_layout(matmul(10, 10, 10), {}, small_device());
    std::uint64_t total_bytes = 0;
    for (const Slot& slot : layout.slots) total_bytes += slot.whole_bytes();
    CHECK(total_bytes == 3 * (400 + 2 * layout.slots.front().front_bytes));
}

TEST_CASE("against unreadable pages allocations are whole pages, and payloads touch the page's edge") {
    KernelPlan plan = plan_with_scratch("T", 77, {Scalar::Float32, 4});
    plan.scratch.push_back({"U", {{Scalar::Int8, 1}, 4095}});
    plan.scratch.push_back({"V", {{Scalar::Float32, 3}, 5}});
    for (const auto kind : {Placement::Kind::RightAligned, Placement::Kind::LeftAligned}) {
        const Layout layout = make_layout(matmul(3, 1003, 1024), {&plan}, small_device(), {kind});
        CHECK(layout.unreadable_pages);
        std::uint64_t end = 0;
        for (const Slot& slot : layout.slots) {
            CAPTURE(slot.name);
            CHECK(slot.whole_bytes() % 4096 == 0);
            CHECK(slot.whole_bytes() < slot.bytes() + 4096);
            CHECK(slot.front_bytes % slot.type.bytes() == 0);
            CHECK((kind == Placement::Kind::RightAligned ? slot.back_bytes : slot.front_bytes) == 0);
            CHECK(slot.offset >= end);
            end = slot.offset + slot.whole_bytes();
        }
        CHECK(end <= layout.arena_bytes);
    }
}

TEST_CASE("right-aligned at the device's alignment, less than that stays unwatched behind the end") {
    const Layout layout =
        make_layout(matmul(1003, 1003, 1003), {}, small_device(), {Placement::Kind::RightAligned, 128});
    for (const Slot& slot : layout.slots) {
        CHECK(slot.front_bytes % 128 == 0);
        CHECK(slot.back_bytes == 128 - 1003 * 1003 * 4 % 128);
    }
}

TEST_CASE("slots keep their numbers and names wherever payloads lie") {
    const KernelPlan plan = plan_with_scratch("T", 77);
    const Layout guarded = make_layout(with_in_out(), {&plan}, small_device());
    CHECK(!guarded.unreadable_pages);
    const Layout paged = make_layout(with_in_out(), {&plan}, small_device(), {Placement::Kind::LeftAligned});
    REQUIRE(paged.slots.size() == guarded.slots.size());
    for (std::size_t i = 0; i < paged.slots.size(); ++i) {
        CHECK(paged.slots[i].name == guarded.slots[i].name);
        CHECK(paged.slots[i].role == guarded.slots[i].role);
        CHECK(paged.slots[i].bytes() == guarded.slots[i].bytes());
    }
}

TEST_CASE("sizes beyond all memory do not wrap around") {
    Slot slot;
    slot.elements = UINT64_MAX / 2;
    CHECK(slot.bytes() >= std::uint64_t{1} << 55);
    CHECK(slot.whole_bytes() >= std::uint64_t{1} << 55);
}

// --- judge/verify/stray_access.hpp ---

namespace {

constexpr std::uint64_t kGuard = 65536;
constexpr std::uint64_t kSecret = 0x1234;

/// An allocation with intact guard zones.
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
    /// Change one byte of an element; the index counts from the start of the payload and may be outside.
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

TEST_CASE("guard bytes of another run, buffer or side are detected as damage") {
    Fixture fixture;
    CHECK(find_guard_damage(fixture.slot, kSecret + 1, fixture.bytes).has_value());
    Slot other = fixture.slot;
    other.id = 4;
    CHECK(find_guard_damage(other, kSecret, fixture.bytes).has_value());
    // Copying the front zone over the back zone is detected.
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
