// SPDX-License-Identifier: Apache-2.0
// Kernel files: any text is either parsed, with locations inside the text, and resolved to a plan, or
// rejected.
//
// A text without `/*+++` is also tried as the TOML of a side-car file.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/kernel_file.hpp"
#include "catalog/resolve.hpp"
#include "model/finding_words.hpp"
#include "model/json.hpp"
#include "problems/problem.hpp"
#include "properties.hpp"

namespace kwb::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder with files to include, removed at the end of the process.
class KernelFolder {
public:
    KernelFolder() : folder_(fs::temp_directory_path() / ("kwb-fuzz-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_ / "parts");
        put("tile.h", "#include \"parts/load.h\"\n#define WIDTH 4\n");
        put("parts/load.h", "#ifndef TILE\n#define TILE 16\n#endif\n");
    }
    ~KernelFolder() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    KernelFolder(const KernelFolder&) = delete;
    KernelFolder& operator=(const KernelFolder&) = delete;

    fs::path put(const std::string& name, std::string_view text) const {
        std::ofstream(folder_ / name, std::ios::binary | std::ios::trunc) << text;
        return folder_ / name;
    }

private:
    fs::path folder_;
};

/// Is (line, column), both from 1, the position of a character or of a line's end?
bool lies_within(std::string_view text, std::uint32_t line, std::uint32_t column) {
    const std::vector<std::string> lines = split(text, '\n');
    if (line < 1 || line > lines.size() || column < 1) return false;
    std::size_t characters = 0;
    for (const char c : lines[line - 1])
        if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u) ++characters;
    return column <= characters + 1;
}

void check_written(std::string_view text, const Written& written) {
    must(lies_within(text, written.line, written.column), "an expression's place lies within the file");
    must(!written.text.empty(), "an expression that was taken is not empty");
}

void check_list(std::string_view text, const NamedList<Written>& list) {
    for (const auto& item : list) check_written(text, item.value);
}

void check_places(std::string_view text, const KernelSpec& spec, const NamedList<Place>& places) {
    for (const auto& [key, place] : places)
        must(lies_within(text, place.line, place.column), "a key's place lies within the file");
    for (const LaunchSpec& launch : spec.launches) {
        must(!launch.kernel.empty(), "a launch has a kernel");
        must(!launch.global.empty() && launch.global.size() <= 3, "a launch has 1 to 3 extents");
        must(!launch.local || launch.local->size() == launch.global.size(), "local fits global");
        for (const Written& extent : launch.global) check_written(text, extent);
        check_list(text, launch.args);
        check_list(text, launch.local_mem);
        if (launch.repeat) check_written(text, *launch.repeat);
        if (launch.when) check_written(text, *launch.when);
    }
    for (const auto& param : spec.params) must(!param.value.empty(), "a parameter has a default");
    for (const auto& buffer : spec.scratch) check_written(text, buffer.value.elements);
    check_list(text, spec.defines);
    check_list(text, spec.require);
}

/// An error message that names a position in `file` names an existing one.
void check_refusal(const std::string& file, std::string_view text, std::string_view message) {
    must(to_utf8(message) == message || to_utf8(text) != text, "a message on UTF-8 is UTF-8");
    const std::string shown = printable_line(message);
    must(
        std::ranges::none_of(shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }),
        "what is shown has no control characters");
    must(printable_line(shown) == shown, "what was made printable stays so");
    if (!message.starts_with(file + ":")) return;
    message.remove_prefix(file.size() + 1);
    std::array<std::uint32_t, 2> place{};
    for (std::uint32_t& number : place) {
        const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), number);
        if (error != std::errc{}) return;  // a message without a position
        message.remove_prefix(std::min(message.size(), static_cast<std::size_t>(end - message.data()) + 1));
    }
    if (!lies_within(text, place[0], place[1]))
        std::fprintf(stderr, "line %u, column %u: %s\n", place[0], place[1], std::string(message).c_str());
    must(lies_within(text, place[0], place[1]), "a refusal's place lies within the file");
}

DeviceInfo small_device() {
    DeviceInfo device;
    device.max_work_group_size = 256;
    device.max_work_item_sizes = {256, 256, 64};
    device.local_mem_bytes = 32768;
    device.max_alloc_bytes = 1 << 20;
    return device;
}

void check_plan(const KernelFile& file, bool checking) {
    static const ProblemInstance problem = get_problem("matmul").at({{"M", 33}, {"N", 65}, {"K", 17}});
    KernelChoices choices;
    choices.checking = checking;
    const KernelPlan plan = resolve(file, problem, small_device(), choices);
    must(!plan.refusal || !sentence_of(*plan.refusal).empty(), "a refusal is a sentence");
    must(plan.params.size() == file.spec.params.size(), "every parameter has a value");
    for (const LaunchPlan& launch : plan.launches) {
        must(launch.global.size() >= 1 && launch.global.size() <= 3, "a planned launch has 1 to 3 extents");
        if (!launch.local || plan.refusal) continue;
        for (std::size_t i = 0; i < launch.global.size(); ++i)
            must(launch.local->at(i) > 0 && launch.global[i] % launch.local->at(i) == 0,
                 "local divides global, or the plan is refused");
    }
}

/// The evaluated form of a declared problem survives serialization.
void check_own_problem(const DeclaredProblem& own) {
    for (const Sizes& sizes : own.awkward_sizes(16))
        must(names_of(sizes) == own.size_names(), "awkward sizes are those of the problem");
    const auto declared = own.evaluate(own.default_sizes(), small_device());
    DeclaredInstance back = from_json<DeclaredInstance>(to_json(*declared));
    put_contents(back, join_contents(*declared));
    must(to_json(back) == to_json(*declared), "a declared problem survives its message");
}

void try_kernel_file(std::string_view text) {
    static const KernelFolder folder;
    const fs::path path = folder.put("k.cl", text);
    try {
        const KernelFile file = open_kernel_file(path, "matmul/k");
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // an editor's byte order mark
        must(file.spec.source_text == text, "the source is the file's text");
        check_places(text, file.spec, file.places);
        if (file.own_problem) check_own_problem(*file.own_problem);
        if (file.spec.launches.empty()) return;
        check_plan(file, false);
        check_plan(file, true);
    } catch (const BadInput& refusal) {
        check_refusal(path.string(), text, refusal.what());
    }
}

void try_side_car(std::string_view text) {
    const std::string name = "k.cl.toml";
    try {
        const KernelSpec spec = parse_front_matter(name, std::string(text));
        check_places(text, spec, find_places(name, std::string(text)));
    } catch (const BadInput& refusal) {
        check_refusal(name, text, refusal.what());
    }
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = kwb::fuzz::as_text(data, size);
    kwb::fuzz::try_kernel_file(text);
    if (text.find("/*+++") == std::string_view::npos) kwb::fuzz::try_side_car(text);
    return 0;
}
