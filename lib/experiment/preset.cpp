// SPDX-License-Identifier: Apache-2.0
#include "experiment/preset.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/toml_record.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostPresetBytes = 1u << 20;

constexpr const char* kPresetHeading =
    "# An experiment of Kernel Workbench. Open it from the window's File menu, or drop it onto the window.\n";

struct PresetRecord {
    int version = kPresetVersion;
    Experiment experiment;
};

template <class Fields>
void describe(Fields& f, PresetRecord& preset) {
    f("version", preset.version, between(1, 1'000'000));
    describe(f, preset.experiment);
}

/// The lines of the keys, and of the items of `kernels`.
void note_places(const toml::table& root, Preset& preset) {
    for (auto&& [key, node] : root)
        preset.lines.push_back({std::string(key.str()), node.source().begin.line});
    if (const toml::array* kernels = root["kernels"].as_array())
        for (const toml::node& kernel : *kernels) preset.kernel_lines.push_back(kernel.source().begin.line);
}

}  // namespace

Preset read_preset(const fs::path& path) {
    const std::string text = read_file(path, kMostPresetBytes);
    const auto refuse = [&](std::size_t line, const std::string& why) {
        return BadInput(fmt::format("{}:{}: {}", path.string(), line, why));
    };
    try {
        const toml::table root = parse_toml(text);
        if (!root.contains("version"))
            throw refuse(1,
                         "not an experiment of Kernel Workbench, because it has no version; choose a file "
                         "that was saved with File, Save experiment");
        Preset preset;
        PresetRecord record;
        std::vector<std::string> findings;
        TomlRecordReader reader(root, findings);
        describe(reader, record);
        note_places(root, preset);
        // Another version may have other keys and values, so this comes first.
        if (record.version != kPresetVersion)
            throw refuse(*find_named(preset.lines, "version"),
                         fmt::format("this experiment has version {}, but this program reads version {}; "
                                     "open it with a newer Kernel Workbench",
                                     record.version, kPresetVersion));
        reader.refuse_unknown();
        if (!findings.empty())
            throw BadInput(path.string() + ":" + findings.front() +
                           (findings.size() > 1 ? fmt::format(", and {} more like it", findings.size() - 1)
                                                : std::string()) +
                           "; correct the file, and reopen it");
        preset.experiment = std::move(record.experiment);
        for (std::size_t i = 0; i < preset.experiment.contestants.size(); ++i)
            if (preset.experiment.contestants[i].kernel.empty())
                throw refuse(preset.kernel_lines[i],
                             "this kernel has no name; add name = \"matmul/tiled\", "
                             "or remove the table");
        return preset;
    } catch (const toml::parse_error& error) {
        throw refuse(error.source().begin.line,
                     fmt::format("invalid TOML: {}; correct the file, and reopen it", error.description()));
    }
}

std::string preset_text(Experiment experiment, const fs::path& path) {
    PresetRecord record;
    record.experiment = std::move(experiment);
    const auto name_from_here = [&](std::string& kernel) {
        const fs::path file = kernel, folder = path.parent_path();
        if (!file.is_absolute()) return;
        if (std::next(file.begin()) == file.end() || std::next(folder.begin()) == folder.end()) return;
        if (*std::next(file.begin()) == *std::next(folder.begin()))
            kernel = file.lexically_relative(folder).string();
    };
    for (Experiment::Contestant& contestant : record.experiment.contestants)
        name_from_here(contestant.kernel);
    for (auto& own : record.experiment.own) name_from_here(own.name);
    TomlRecordWriter writer(kPresetHeading);
    describe(writer, record);
    return writer.text();
}

}  // namespace kwb
