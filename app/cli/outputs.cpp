// SPDX-License-Identifier: Apache-2.0
#include "outputs.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/npy.hpp"
#include "base/png.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "experiment/side_car.hpp"
#include "model/element.hpp"
#include "model/image.hpp"
#include "report/html.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

/// "matmul_tiled" for matmul/tiled, "mine" for ../mine.cl; contains only letters, digits, -, _ and dots.
std::string file_stem(const std::optional<KernelFile>& contestant) {
    std::string name = contestant ? contestant->spec.name : kHostBlasName;
    if (name.ends_with(".cl")) name = fs::path(name).stem().string();
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
    return name;
}

std::vector<std::string> file_stems(const OpenedExperiment& experiment) {
    std::vector<std::string> stems;
    for (const auto& contestant : experiment.contestants) {
        const std::string stem = file_stem(contestant);
        std::string name = stem;
        for (int i = 2; std::find(stems.begin(), stems.end(), name) != stems.end(); ++i)
            name = fmt::format("{}-{}", stem, i);
        stems.push_back(name);
    }
    return stems;
}

fs::path file_in(const fs::path& folder, const std::string& stem, const std::string& buffer,
                 const char* ending) {
    return folder / (stem + "." + buffer + ending);
}

void refuse_large(const char* option, const BufferSpec& buffer) {
    if (buffer.bytes() > kMostAttachmentBytes)
        throw BadInput(fmt::format("{}: {} takes {}, but at most {} can be saved; choose a smaller --size",
                                   option, buffer.name, format_bytes(buffer.bytes()),
                                   format_bytes(kMostAttachmentBytes)));
}

/// Writing through a link would change a file that the user did not name; a pipe would block until there is a
/// reader.
void refuse_taken(const char* option, const fs::path& file) {
    std::error_code missing;
    const fs::file_status status = fs::symlink_status(file, missing);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    const char* what = fs::is_symlink(status)     ? "is a link"
                       : fs::is_directory(status) ? "is a folder"
                                                  : "is not a regular file";
    throw BadInput(fmt::format("{}: {} {}; remove it, or give another folder", option, file.string(), what));
}

void refuse_other_use(const OutputOptions& outputs, const OpenedExperiment& experiment,
                      const char* array_option, const fs::path& file) {
    for (const auto& [option, output] : outputs.files())
        if (is_same_file(file, output))
            throw BadInput(fmt::format("{} {} and {} of {} are the same file; rename the first one", option,
                                       output, file.string(), array_option));
    for (const auto& contestant : experiment.contestants)
        if (contestant)
            refuse_replacing(fmt::format("{}: {}", array_option, file.string()), file, *contestant);
}

void make_folder(const char* option, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error))
        throw BadInput(fmt::format("{} {}: cannot make this folder{}", option, folder.string(),
                                   error ? ": " + error.message() : "; the name is already taken"));
}

void write_array(const fs::path& file, const WrittenOutput& output) {
    std::vector<std::uint64_t> shape = output.buffer.shape;
    if (output.buffer.type.width > 1) shape.push_back(output.buffer.type.width);
    write_file(file, make_npy(npy_type(output.buffer.type), shape, *output.content));
}

/// A longer row or column of pixels is data rather than a picture, and no reader of PNG files takes it.
bool fits_png(const BufferSpec& buffer) {
    constexpr std::uint64_t kMostPixels = 1'000'000;
    return is_picture(buffer) && std::max(buffer.shape[0], buffer.shape[1]) <= kMostPixels;
}

void write_picture(const fs::path& file, const WrittenOutput& output) {
    const ImageShape image = *image_shape(output.buffer);
    const auto* const pixels = reinterpret_cast<const std::uint8_t*>(output.content->data());
    write_file(file, encode_png({pixels, output.content->size()}, static_cast<std::uint32_t>(image.width),
                                static_cast<std::uint32_t>(image.height), image.pixel.width));
}

/// All arrays of a problem together, with some space for their headers.
constexpr std::uint64_t kMostFrozenBytes = kMostContentBytes - (std::uint64_t{1} << 16);

fs::path frozen_declaration(const fs::path& folder, const Problem& problem) {
    return folder / (problem.name() + ".toml");
}

/// @return  the files that --freeze will write; none exists
std::vector<fs::path> prepare_freezing(const OpenedExperiment& experiment, const Problem& problem,
                                       const Sizes& sizes, const fs::path& folder) {
    if (experiment.contestants.size() != 1 || !experiment.contestants.front())
        throw BadInput("--freeze keeps the outputs of one kernel; name only one");
    const auto frozen = problem.freeze(sizes, 0);
    if (!frozen)
        throw BadInput(
            fmt::format("--freeze: {} already defines what is correct; to save outputs, use --save-outputs",
                        problem.name()));
    if (experiment.seed.value_or(0) > INT64_MAX)
        throw BadInput(
            fmt::format("--freeze: a seed above {} cannot be written into a declaration", INT64_MAX));
    std::uint64_t bytes = 0;
    for (const BufferSpec& buffer : problem.at(sizes).buffers)
        if (find_named(frozen->outputs, buffer.name) != nullptr) bytes += buffer.bytes();
    std::error_code unreadable;
    for (const auto& array : frozen->arrays) bytes += fs::file_size(array.value, unreadable);
    if (bytes > kMostFrozenBytes)
        throw BadInput(fmt::format(
            "--freeze: these arrays take {}, but a problem can have at most {}; choose a smaller --size",
            format_bytes(bytes), format_bytes(kMostFrozenBytes)));
    std::vector<fs::path> files = {frozen_declaration(folder, problem)};
    for (const auto& output : frozen->outputs) files.push_back(folder / output.value);
    for (const auto& array : frozen->arrays) files.push_back(folder / array.name);
    for (const fs::path& file : files) {
        std::error_code missing;
        if (fs::exists(fs::symlink_status(file, missing)))
            throw BadInput(fmt::format(
                "--freeze: {} already exists and is not replaced; move it away, or give another folder",
                file.string()));
    }
    return files;
}

/// @return  the files written, the declaration last
/// @throws BadInput  there is nothing worth keeping, or a file cannot be written
std::vector<std::string> freeze(const fs::path& folder, const Problem& problem, const KernelResult& result,
                                const std::vector<WrittenOutput>& outputs) {
    const bool repeats = std::ranges::none_of(
        result.warnings, [](const Finding& warning) { return warning.code == FindingCode::NotRepeatable; });
    if (result.verdict != Verdict::Ran || !repeats || !result.seed)
        throw BadInput(fmt::format("--freeze: nothing was saved, because {}",
                                   result.verdict != Verdict::Ran
                                       ? "the verdict is " + kwb::to_string(result.verdict)
                                       : "two runs with the same inputs gave different values"));
    const auto frozen = problem.freeze(result.size, *result.seed);
    std::vector<std::string> written;
    const auto add = [&](const fs::path& file) { return written.emplace_back(file.string()); };
    try {
        for (const WrittenOutput& output : outputs)
            write_array(add(folder / *find_named(frozen->outputs, output.buffer.name)), output);
        for (const auto& [name, source] : frozen->arrays)
            write_file(add(folder / name), read_file(source, kMostFrozenBytes));
        write_file(add(frozen_declaration(folder, problem)), frozen->declaration);
    } catch (const BadInput&) {
        // None of them existed before, and leftovers would block the next attempt.
        std::error_code missing;
        for (const std::string& file : written) fs::remove(file, missing);
        throw;
    }
    return written;
}

/// The source texts of a contestant, its own file first.
NamedList<std::string> source_texts(const std::optional<KernelFile>& contestant) {
    NamedList<std::string> texts;
    if (!contestant) return texts;
    const std::filesystem::path file = contestant->spec.file;
    texts.push_back({file.filename().string(), contestant->spec.source_text});
    texts.insert(texts.end(), contestant->includes.begin(), contestant->includes.end());
    return texts;
}

}  // namespace

void OutputWriter::show(const std::string& text) {
    if (!outputs_.data_on_stdout()) attempt([&] { print(text); });
}

void OutputWriter::add_failure(std::string sentence) {
    if (!sentence.empty()) failures_.push_back(std::move(sentence));
}

std::string OutputWriter::failures() const {
    return join(failures_, "\nkwb: ");
}

void OutputWriter::finish(const std::string& error) const {
    const std::string others = failures();
    if (!error.empty()) throw EnvironmentError(error + (others.empty() ? "" : "\nkwb: " + others));
    if (!others.empty()) throw BadInput(others);
}

void refuse_outputs_over(const OutputOptions& outputs, const KernelFile& kernel) {
    for (const auto& [option, output] : outputs.files())
        refuse_replacing(option + " " + output, output, kernel);
}

void SavingOptions::add(CLI::App& verb) {
    add_text(verb, "--save-outputs", save, "DIR",
             "also write each kernel's outputs to this folder, as .npy files for NumPy, and pictures as .png "
             "too");
    add_text(verb, "--freeze", freeze, "DIR",
             "for a problem without a reference: write the outputs to this folder, as what later runs are "
             "compared with")
        ->excludes("--save-outputs");
}

void prepare_saving(const SavingOptions& options, const OutputOptions& outputs,
                    const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes) {
    const char* const option = options.option();
    if (option == nullptr) return;
    const fs::path folder = options.freeze ? *options.freeze : *options.save;
    const ProblemInstance instance = problem.at(sizes);
    std::vector<fs::path> files;
    for (const BufferSpec& buffer : instance.buffers) {
        if (buffer.access == Access::Read) continue;
        refuse_large(option, buffer);
        if (options.freeze) continue;
        for (const std::string& stem : file_stems(experiment)) {
            files.push_back(file_in(folder, stem, buffer.name, ".npy"));
            if (fits_png(buffer)) files.push_back(file_in(folder, stem, buffer.name, ".png"));
        }
    }
    if (options.freeze) files = prepare_freezing(experiment, problem, sizes, folder);
    for (const fs::path& file : files) {
        refuse_taken(option, file);
        refuse_other_use(outputs, experiment, option, file);
    }
    make_folder(option, folder);
    for (const fs::path& file : files) require_writable(file);
}

SavedOutputs save_outputs(const SavingOptions& options, const OpenedExperiment& experiment,
                          const Problem& problem, const std::vector<KernelResult>& results,
                          const std::vector<WrittenOutput>& outputs) {
    SavedOutputs saved;
    if (options.option() == nullptr) return saved;
    const std::vector<std::string> stems = file_stems(experiment);
    std::vector<std::string> written;
    try {
        if (options.freeze && !results.empty())
            written = freeze(*options.freeze, problem, results.front(), outputs);
        for (const WrittenOutput& output : options.freeze ? std::vector<WrittenOutput>() : outputs) {
            const auto write = [&](const char* ending, const auto& write_to) {
                const fs::path file =
                    file_in(*options.save, stems.at(output.contestant), output.buffer.name, ending);
                refuse_taken("--save-outputs", file);
                write_to(file, output);
                written.push_back(file.string());
            };
            write(".npy", write_array);
            if (fits_png(output.buffer)) write(".png", write_picture);
        }
    } catch (const BadInput& error) {
        saved.error = error.what();
    }
    if (!written.empty()) saved.sentence = "Outputs written: " + enumerate(written);
    if (options.freeze && !written.empty())
        saved.sentence += fmt::format("; to compare with them, use --problem {}",
                                      quote_for_shell(printable_line(written.back())));
    return saved;
}

std::string html_page(const OpenedExperiment& experiment, const Problem& problem,
                      const std::vector<Sizes>& sizes, const std::vector<PlaceResults>& places,
                      const std::string& error) {
    HtmlReport report;
    const std::size_t contestants = experiment.contestants.size();
    std::vector<std::string> devices;
    for (const auto& [device, place, environment, results] : places) {
        HtmlSection section;
        const std::string name =
            fmt::format("{} ({}){}", device.name, device.id, place.empty() ? "" : ", at " + place);
        devices.push_back(name);
        if (places.size() > 1) section.heading = name;
        section.lead = error;
        section.cache_bytes = device.second_level_cache_bytes;
        section.environment = environment;
        if (section.environment.device.empty()) section.environment.device = device.name;
        const std::span<const KernelResult> all = results;
        for (std::size_t first = 0; first < all.size(); first += contestants) {
            section.results.push_back(all.subspan(first, std::min(contestants, all.size() - first)));
            section.sizes.push_back(section.results.back().front().size);
        }
        for (std::size_t i = contestants; i-- > 0;) {  // of several with the baseline's name the first counts
            const auto& contestant = experiment.contestants[i];
            if (experiment.baseline == (contestant ? contestant->spec.name : kHostBlasName))
                section.baseline = i;
        }
        for (const auto& contestant : experiment.contestants)
            section.sources.push_back(source_texts(contestant));
        report.sections.push_back(std::move(section));
    }

    report.title = fmt::format(
        "{}, {}", problem.title(),
        sizes.size() == 1 ? "size " + to_string(sizes.front()) : fmt::format("{} sizes", sizes.size()));
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    report.made = fmt::format("{:%Y-%m-%d %H:%M} UTC, on {}", fmt::gmtime(now), enumerate(devices));
    return html_report(report);
}

}  // namespace kwb::cli
