// SPDX-License-Identifier: Apache-2.0
#include "tune/space.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/resolve.hpp"

namespace kwb {
namespace {

KernelFile file_of(const std::string& toml) {
    KernelFile file;
    file.spec = parse_front_matter("k.cl", toml);
    file.spec.name = file.spec.file = file.declared_in = "k.cl";
    return file;
}

ProblemInstance matmul(std::int64_t edge) {
    ProblemInstance problem;
    problem.problem = "matmul";
    problem.sizes = {{"M", edge}, {"N", edge}, {"K", edge}};
    return problem;
}

DeviceInfo small_device() {
    DeviceInfo device;
    device.max_work_group_size = 256;
    device.max_work_item_sizes = {256, 256, 64};
    device.local_mem_bytes = 48 << 10;
    return device;
}

Space space_in(const std::string& toml, const KernelChoices& choices = {}) {
    return Space(space_of(file_of(toml), matmul(64), small_device(), choices));
}

std::string error_of(const std::string& toml, const KernelChoices& choices = {}) {
    try {
        space_in(toml, choices);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

std::uint64_t removed_by(const Space& space, const std::string& name) {
    std::uint64_t removed = 0;
    for (const Restriction& restriction : space.restrictions())
        if (restriction.name == name) removed += restriction.removed;
    return removed;
}

/// Kernel Tuner's example of a matrix product.
const std::string kTutorial =
    "[params]\nblock_size_x = [16, 32, 64]\nblock_size_y = [1, 2, 4, 8, 16, 32]\n"
    "tile_size_x = [1, 2, 4, 8]\ntile_size_y = [1, 2, 4, 8]\n"
    "[launch]\nkernel = \"f\"\nlocal = [\"block_size_x\", \"block_size_y\"]\n"
    "global = [\"round_up(N, block_size_x)\", \"round_up(M, block_size_y)\"]\n"
    "[require]\nsquare = \"block_size_x == block_size_y * tile_size_y\"\n";

}  // namespace

TEST_CASE("the tutorial's space has 44 valid combinations of 288, and the device's limits remove more") {
    DeviceInfo device = small_device();
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 64};
    const auto size = [&](const std::string& toml) {
        return Space(space_of(file_of(toml), matmul(64), device, {})).size();
    };
    CHECK(size(kTutorial) == 40);
    CHECK(size(kTutorial + "room = \"4 * block_size_x ** 2 * (1 + tile_size_x) <= 48 * 1024\"\n") == 36);
    device.max_work_group_size = 2048;
    const Space space(space_of(file_of(kTutorial), matmul(64), device, {}));
    CHECK(space.combinations() == 288);
    CHECK(space.size() == 44);
    CHECK(removed_by(space, "[require] square") == 244);
}

TEST_CASE("each combination is valid or removed by exactly one restriction, as planning one by one finds") {
    const std::string toml =
        "[params]\nA = [1, 2, 3, 8, 64]\nB = [4, 5, 64]\nC = [1, 2]\n[defines]\nTWICE = \"2 * B\"\n"
        "[[launch]]\nkernel = \"f\"\nlocal = [\"A\", \"B\"]\nglobal = [\"64 * local.x\", \"M\"]\n"
        "[[launch]]\nkernel = \"g\"\nlocal = [\"A * C\"]\nglobal = [\"24\"]\nwhen = \"C == 2\"\n"
        "[require]\nmacro = \"TWICE != 10 or C == 1\"\nlocal = \"local.x + C <= 65\"\n";
    const Space space = space_in(toml);
    const KernelFile file = file_of(toml);
    std::uint64_t removed = 0;
    for (const Restriction& restriction : space.restrictions()) removed += restriction.removed;
    CHECK(space.combinations() == 30);
    CHECK(removed + space.size() == 30);
    std::vector<ParamChoice> planned;
    for (const ParamValue& a : file.spec.params[0].value)
        for (const ParamValue& b : file.spec.params[1].value)
            for (const ParamValue& c : file.spec.params[2].value) {
                KernelChoices choices;
                choices.params = {{"A", to_string(a)}, {"B", to_string(b)}, {"C", to_string(c)}};
                const KernelPlan plan = resolve(file, matmul(64), small_device(), choices);
                if (!plan.refusal) planned.push_back(plan.params);
            }
    std::vector<ParamChoice> valid;
    for (std::size_t i = 0; i < space.size(); ++i) valid.push_back(space.at(i));
    CHECK(valid == planned);
    CHECK(!valid.empty());
}

TEST_CASE("--param leaves only the values wanted, in their order and once; others need --force") {
    KernelChoices choices;
    choices.params = {{"block_size_x", "64, 16,64"}, {"tile_size_y", "8"}};
    const Space space = space_in(kTutorial, choices);
    CHECK(space.combinations() == 2 * 6 * 4);
    CHECK(space.params()[0].value == std::vector<ParamValue>{64, 16});
    choices.params = {{"block_size_x", "48"}};
    CHECK(error_of(kTutorial, choices).find("48") != std::string::npos);
    choices.force_params = true;
    CHECK(space_in(kTutorial, choices).combinations() == 96);
}

TEST_CASE("--local removes the combinations with other work-groups") {
    KernelChoices choices;
    choices.local = {16, 8};
    const Space space = space_in(kTutorial, choices);
    CHECK(space.size() == 4);
    CHECK(removed_by(space, "work-groups other than --local") == 17 * 16);
}

TEST_CASE("bad input is told with its place") {
    const auto says = [](const std::string& error, const std::string& words) {
        INFO(error);
        CHECK(error.find(words) != std::string::npos);
    };
    const std::string start = "[params]\nTILE = [0, 8]\n[require]\n";
    says(error_of(start + "a = \"TIEL <= 8\"\n"), "k.cl:4:6: unknown name `TIEL`");
    says(error_of(start + "a = \"64 % TILE == 0\"\n"), "k.cl:4:9: division by zero");
    says(error_of(start + "a = \"TILE + 1\"\n"), "expected True or False");
    says(error_of("[launch]\nkernel = \"f\"\nglobal = [\"N\"]\n"), "has no parameters");
    KernelChoices choices;
    choices.params = {{"TIEL", "8"}};
    says(error_of(start, choices), "Did you mean TILE?");
    choices.params = {{"TILE", "8,,0"}};
    says(error_of(start, choices), "a value is empty");
    choices.params = {{"TILE", "8"}, {"TILE", "0"}};
    says(error_of(start, choices), "given twice");
}

TEST_CASE("a million combinations with five restrictions") {
    SpaceInput input;
    std::vector<ParamValue> values;
    for (std::int64_t i = 1; i <= 10; ++i) values.emplace_back(i);
    for (const char* name : {"A", "B", "C", "D", "E", "F"}) input.params.push_back({name, values});
    for (const char* condition : {"A % B == 0 or B % A == 0", "C * D <= 64", "(A + E) % 2 == 0",
                                  "C in [1, 2, 4, 8]", "A * C * F <= 400"})
        input.restrictions.push_back({condition, {condition}});
    const Space space(std::move(input));
    CHECK(space.combinations() == 1'000'000);
    CHECK(space.size() == 81'000);
}

TEST_CASE("a space that would not fit is refused, one whose first parameters rule most of it out is not") {
    std::vector<ParamValue> values;
    for (std::int64_t i = 0; i < 100; ++i) values.emplace_back(i);
    SpaceInput input;
    for (int i = 0; i < 12; ++i) input.params.push_back({"P" + std::to_string(i), values});
    SpaceInput narrow = input;
    CHECK_THROWS_AS(Space(std::move(input)), BadInput);
    for (int i = 0; i < 12; ++i) narrow.restrictions.push_back({"one", {"P" + std::to_string(i) + " == 7"}});
    CHECK(Space(std::move(narrow)).size() == 1);
}

}  // namespace kwb
