// SPDX-License-Identifier: Apache-2.0
// Source: OpenCL Intercept Layer, docs/capture_single_kernels.md and scripts/run.py (2023 to 2026).
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "capture/recording.hpp"
#include "catalog/edited_texts.hpp"
#include "experiment/captured_arrays.hpp"
#include "experiment/captured_source.hpp"
#include "experiment/captured_values.hpp"
#include "experiment/import_launches.hpp"
#include "model/declared_instance.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostInterceptArguments = 64;
constexpr std::size_t kMostInterceptFiles = 4096;

class InterceptFolder {
public:
    InterceptFolder(const fs::path& folder, const fs::path& staging) : folder_(folder), staging_(staging) {
        launch_.folder = staging;
        launch_.working_folder = fs::absolute(folder).string();
        launch_.is_foreign = launch_.is_complete = true;
        launch_.device = "another device, by the OpenCL Intercept Layer";
        launch_.launch = 1;
    }

    capture::RawLaunch read() {
        launch_.kernel = line_of(exists("kernelName.txt") ? "kernelName.txt" : "knlName.txt");
        if (exists("enqueueNumber.txt"))
            launch_.launch = std::max<std::uint64_t>(number_of("enqueueNumber.txt"), 1);
        if (exists("buildOptions.txt")) launch_.options = line_of("buildOptions.txt");
        read_work_sizes();
        if (!exists("kernel.cl")) {
            launch_.flaw = "its program was made from a binary or IL, so that there is no source";
            return std::move(launch_);
        }
        write_file(staging_ / capture::kLaunchSource, text_of("kernel.cl"));
        const auto parameters = SourceTypes(source_plan(launch_)).parameters_of(launch_.kernel);
        if (!parameters) {
            launch_.flaw = "its source cannot be compiled, or has no such kernel";
            return std::move(launch_);
        }
        for (std::size_t i = 0; i < parameters->size() && i < kMostInterceptArguments; ++i)
            read_argument(i, (*parameters)[i]);
        return std::move(launch_);
    }

private:
    bool exists(const std::string& name) const {
        std::error_code error;
        return fs::is_regular_file(folder_ / name, error) && lies_within(folder_, name);
    }
    std::string text_of(const std::string& name) const {
        if (!exists(name)) throw BadInput((folder_ / name).string() + " is missing");
        return read_file(folder_ / name);
    }
    std::vector<std::string> lines_of(const std::string& name) const { return split_lines(text_of(name)); }
    std::string line_of(const std::string& name) const {
        const std::vector<std::string> lines = lines_of(name);
        return lines.empty() ? "" : std::string(trim(lines.front()));
    }
    std::uint64_t number_of(const std::string& name) const {
        const std::vector<std::uint64_t> numbers = capture::read_numbers(line_of(name));
        if (numbers.size() != 1) throw BadInput((folder_ / name).string() + " has no whole number");
        return numbers.front();
    }

    /// Three lines of up to three numbers, or nine lines for x, y and z (2023).
    void read_work_sizes() {
        const std::vector<std::string> lines = lines_of("worksizes.txt");
        std::vector<std::uint64_t>* const lists[] = {&launch_.global, &launch_.local, &launch_.offset};
        const bool is_old = lines.size() >= 9;
        for (std::size_t i = 0; i < (is_old ? 9u : 3u) && i < lines.size(); ++i)
            for (const std::uint64_t size : capture::read_numbers(lines[i])) lists[i % 3]->push_back(size);
        if (std::ranges::all_of(launch_.local, [](std::uint64_t size) { return size == 0; }))
            launch_.local.clear();
    }

    /// "Pre/Enqueue_0001_Kernel_scale_Arg_0_Buffer.bin" or "Buffer0.bin"; empty: there is none.
    std::string content_of(std::size_t index, const char* when, const char* older, const char* suffix) const {
        const std::string part = "_Arg_" + std::to_string(index) + "_";
        std::error_code error;
        std::size_t seen = 0;
        for (const auto& entry : fs::directory_iterator(folder_ / when, error)) {
            if (++seen > kMostInterceptFiles) break;
            const std::string name = std::string(when) + "/" + entry.path().filename().string();
            if (name.find(part) != std::string::npos && name.ends_with(suffix) && exists(name)) return name;
        }
        const std::string name = older + std::to_string(index) + suffix;
        return *older != '\0' && exists(name) ? name : "";
    }

    std::string raw_of(const std::string& name) {
        const std::string bytes = read_file(folder_ / name, kMostContentBytes);
        content_bytes_ += bytes.size();
        if (content_bytes_ > kMostContentBytes)
            throw BadInput(folder_.string() + ": the arrays take more than " +
                           format_bytes(kMostContentBytes));
        return bytes;
    }

    void read_argument(std::size_t index, const KernelParameter& parameter) {
        capture::RawArgument& argument = launch_.arguments.emplace_back();
        const std::string number = std::to_string(index);
        argument.name = parameter.name;
        argument.type = parameter.type_name;
        const std::string value =
            exists("Argument" + number + ".bin") ? raw_of("Argument" + number + ".bin") : "";
        if (parameter.is_local()) {
            argument.local_bytes = number_of("Local" + number + ".txt");
        } else if (parameter.is_sampler()) {
            argument.sampler = sampler_of(text_of("Sampler" + number + ".txt"));
        } else if (parameter.is_buffer()) {
            read_memory(index, parameter, value, argument);
        } else {
            argument.value = digits_of_bytes(value);
        }
    }

    void read_memory(std::size_t index, const KernelParameter& parameter, const std::string& handle,
                     capture::RawArgument& argument) {
        const std::string number = std::to_string(index);
        const char* const suffix = parameter.is_image() ? ".raw" : ".bin";
        const std::string name = content_of(index, "Pre", parameter.is_image() ? "Image" : "Buffer", suffix);
        if (name.empty()) {
            const bool is_null = handle.find_first_not_of('\0') == std::string::npos;
            argument.is_null = !handle.empty() && is_null;
            return;
        }
        if (exists("SVM_Arg_Offset" + number + ".txt") &&
            number_of("SVM_Arg_Offset" + number + ".txt") != 0) {
            launch_.flaw = "an argument points into shared virtual memory";
            return;
        }
        argument.is_writable = !parameter.is_const && parameter.space != AddressSpace::Constant;
        const std::size_t first = handle.empty() ? index : handles_.emplace(handle, index).first->second;
        argument.buffer = first;
        if (first != index) {
            launch_.arguments[first].is_writable |= argument.is_writable;
            return;
        }
        const std::string bytes = raw_of(name);
        argument.bytes = bytes.size();
        write_raw_array(staging_ / (number + ".before"), bytes);
        if (const std::string after = content_of(index, "Post", "", suffix); !after.empty())
            write_raw_array(staging_ / (number + ".after"), raw_of(after));
        if (parameter.is_image()) read_image(number, argument);
    }

    void read_image(const std::string& number, capture::RawArgument& argument) {
        std::vector<std::uint64_t> numbers;
        for (const std::string& line : lines_of("Image_MetaData_" + number + ".txt"))
            for (const std::uint64_t one : capture::read_numbers(line)) numbers.push_back(one);
        constexpr std::uint64_t kImage2D = 0x10F1;
        if (numbers.size() < 9 || numbers[8] != kImage2D) {
            launch_.flaw = "an argument is an image of another kind than image2d_t";
            return;
        }
        argument.image = {numbers[0], numbers[1], numbers[7], numbers[6]};
    }

    static std::string sampler_of(const std::string& words) {
        const auto has = [&](const char* word) { return words.find(word) != std::string::npos; };
        return std::string(has("LINEAR") ? "linear_" : "nearest_") +
               (has("CLAMP_TO_EDGE") ? "edge"
                : has("CLAMP")       ? "clamp"
                : has("MIRRORED")    ? "mirror"
                : has("REPEAT")      ? "repeat"
                                     : "none") +
               (has("TRUE") ? "_normalized" : "");
    }

    fs::path folder_, staging_;
    capture::RawLaunch launch_;
    std::map<std::string, std::size_t> handles_;  ///< of buffers → the first argument
    std::uint64_t content_bytes_ = 0;
};

}  // namespace

capture::RawLaunch import_intercept(const fs::path& folder, const fs::path& staging) {
    return InterceptFolder(folder, staging).read();
}

}  // namespace kwb
