// SPDX-License-Identifier: Apache-2.0
#include "experiment/captured_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "capture/read_launch.hpp"
#include "capture/recording.hpp"
#include "experiment/captured_arrays.hpp"
#include "experiment/captured_source.hpp"
#include "experiment/captured_values.hpp"
#include "experiment/import_launches.hpp"
#include "model/declared_instance.hpp"
#include "model/image.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Numbers of one argument in front matter.
constexpr std::size_t kMostComponents = 64;

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) {
        return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
    };
    return !text.empty() && text.size() <= 256 && is_letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// What a kernel that is launched with an offset sees, for a launch without one.
std::string offset_lines(const std::vector<std::uint64_t>& offset) {
    const auto at = [&](std::size_t i) { return i < offset.size() ? offset[i] : 0; };
    return fmt::format(
        "// kwb capture: the global offset of the launch.\n"
        "static size_t kwb_offset(uint d) {{ return d == 0 ? {}ul : d == 1 ? {}ul : d == 2 ? {}ul : 0; }}\n"
        "static size_t kwb_global_id(uint d) {{ return get_global_id(d) + kwb_offset(d); }}\n"
        "#undef get_global_id\n#undef get_global_offset\n"
        "#define get_global_id(d) kwb_global_id(d)\n#define get_global_offset(d) kwb_offset(d)\n",
        at(0), at(1), at(2));
}

/// A pixel in memory; nullopt: front matter cannot express the format.
/// Source: OpenCL 3.0 API specification, "Image Format Descriptor".
std::optional<ElementType> pixel_of(const capture::RawImage& image, bool& is_normalized) {
    constexpr std::uint64_t kR = 0x10B0, kRG = 0x10B2, kRGBA = 0x10B5;
    // From CL_SNORM_INT8 on.
    static constexpr struct {
        std::uint64_t type;
        Scalar scalar;
        bool is_normalized;
    } kTypes[] = {
        {0x10D0, Scalar::Int8, true},    {0x10D1, Scalar::Int16, true},    {0x10D2, Scalar::UInt8, true},
        {0x10D3, Scalar::UInt16, true},  {0x10D7, Scalar::Int8, false},    {0x10D8, Scalar::Int16, false},
        {0x10D9, Scalar::Int32, false},  {0x10DA, Scalar::UInt8, false},   {0x10DB, Scalar::UInt16, false},
        {0x10DC, Scalar::UInt32, false}, {0x10DD, Scalar::Float16, false}, {0x10DE, Scalar::Float32, false}};
    const unsigned width = image.order == kR ? 1 : image.order == kRG ? 2 : image.order == kRGBA ? 4 : 0;
    for (const auto& known : kTypes)
        if (known.type == image.type && width > 0) {
            is_normalized = known.is_normalized;
            return ElementType{known.scalar, width};
        }
    return std::nullopt;
}

class LaunchWriter {
public:
    LaunchWriter(capture::RawLaunch launch, fs::path target)
        : raw_(std::move(launch)), target_(std::move(target)) {}

    CapturedLaunch write() {
        done_.kernel = printable_line(raw_.kernel);
        done_.launch = raw_.launch;
        if (!is_identifier(raw_.kernel)) return refused("its name is no identifier");
        if (!raw_.flaw.empty()) return refused(printable_line(raw_.flaw) + kept_binary());
        if (!raw_.is_complete) return refused("the program ended during its launch");
        if (raw_.global.empty() || raw_.global.size() > 3) return refused("its NDRange cannot be read");
        read_source_files();
        complete_parameters();
        if (const std::string flaw = declare(); !flaw.empty()) return refused(flaw);
        write_files();
        return std::move(done_);
    }

private:
    CapturedLaunch refused(std::string flaw) {
        done_.flaw = std::move(flaw);
        return std::move(done_);
    }

    /// Of a program without a source.
    /// @return  a clause that names the file; empty: there is none
    std::string kept_binary() const {
        constexpr std::string_view kSpirV = "\x03\x02\x23\x07";  // its first number, little-endian
        std::error_code missing;
        const fs::path binary = raw_.folder / capture::kLaunchBinary;
        if (!fs::exists(binary, missing)) return "";
        const std::string content = read_file(binary, kMostContentBytes);
        const fs::path kept = target_ / (raw_.kernel + (content.starts_with(kSpirV) ? ".spv" : ".bin"));
        write_file(kept, content);
        return fmt::format("; {} is {}", kept.string(),
                           kept.extension() == ".spv" ? "its SPIR-V" : "the driver's binary");
    }

    fs::path before(std::size_t argument) const { return raw_.folder / fmt::format("{}.before", argument); }
    fs::path after(std::size_t argument) const { return raw_.folder / fmt::format("{}.after", argument); }
    /// An imported launch may have no result.
    bool has_after(std::size_t argument) const { return fs::exists(after(argument)); }

    void read_source_files() {
        std::vector<std::string> missing;
        plan_ = source_plan(raw_, &missing);
        if (std::ranges::any_of(raw_.offset, [](std::uint64_t extent) { return extent != 0; }))
            plan_.source_text.insert(0, offset_lines(raw_.offset));
        for (const std::string& name : missing)
            done_.notes.push_back(fmt::format("The header {} was not found.", printable_line(name)));
        types_.emplace(plan_);
    }

    /// Names and types that the driver did not report are those of the source.
    void complete_parameters() {
        const auto known = types_->parameters_of(raw_.kernel);
        const bool is_complete = known && known->size() == raw_.arguments.size();
        for (std::size_t i = 0; i < raw_.arguments.size(); ++i) {
            capture::RawArgument& argument = raw_.arguments[i];
            // PoCL renames parameters that have the name of a built-in function.
            constexpr std::string_view kRenamed = "_cl_";
            if (argument.name.starts_with(kRenamed) &&
                plan_.source_text.find(argument.name) == std::string::npos)
                argument.name.erase(0, kRenamed.size());
            if (!is_complete) continue;
            if (argument.name.empty()) argument.name = (*known)[i].name;
            if (argument.type.empty()) argument.type = (*known)[i].type_name;
        }
    }

    /// @return  a clause if the launch cannot be declared
    std::string declare() {
        std::set<std::string> names;
        for (const capture::RawArgument& argument : raw_.arguments)
            if (!is_identifier(argument.name) || !names.insert(argument.name).second)
                return "the driver does not report the names of its parameters";
        while (names.contains(size_name_)) size_name_ += "_";
        for (std::size_t i = 0; i < raw_.arguments.size(); ++i)
            if (raw_.arguments[i].buffer == i) {
                is_changed_[i] =
                    raw_.arguments[i].is_writable && has_after(i) && !is_unchanged(before(i), after(i));
                any_changed_ = any_changed_ || is_changed_[i];
            }
        for (std::size_t i = 0; i < raw_.arguments.size(); ++i)
            if (const std::string flaw = declare(i); !flaw.empty()) return flaw;
        if (buffers_.empty()) return "it takes no buffer";
        if (!has_output_) return "it has no buffer that it may write";
        return "";
    }

    std::string declare(std::size_t index) {
        const capture::RawArgument& argument = raw_.arguments[index];
        if (argument.is_null) {
            bind(argument.name, "null");
        } else if (argument.local_bytes) {
            const std::uint64_t element = types_->target_bytes(argument.type);
            local_mem_.push_back(
                fmt::format("{} = {}", argument.name, (*argument.local_bytes + element - 1) / element));
        } else if (argument.value) {
            return declare_value(argument);
        } else if (argument.sampler) {
            if (!parse_sampler(*argument.sampler))
                return fmt::format("its argument {} is a sampler that front matter cannot express",
                                   argument.name);
            bind(argument.name, *argument.sampler);
        } else if (argument.buffer && *argument.buffer < index) {
            return declare_same(argument, raw_.arguments[*argument.buffer]);
        } else if (argument.buffer == index) {
            return declare_buffer(index);
        } else {
            return "an argument could not be captured";
        }
        return "";
    }

    std::string declare_value(const capture::RawArgument& argument) {
        const std::string bytes = bytes_of_digits(*argument.value);
        const auto type = types_->find(argument.type);
        const source::Record* const record = type ? nullptr : types_->find_record(argument.type);
        if (!type && record == nullptr)
            return fmt::format(
                "its argument {} is of the type {}, which is {}{}", argument.name,
                printable_line(argument.type),
                types_->failure().empty() ? "not captured by value" : "unknown: ", types_->failure());
        const std::vector<std::string> components =
            type ? component_texts(bytes, *type) : component_texts(bytes, *record);
        if (components.empty() || components.size() > kMostComponents)
            return fmt::format("its argument {} has a value that front matter cannot express", argument.name);
        bind(argument.name,
             type && type->width == 1 ? components.front() : "[" + join(components, ", ") + "]");
        return "";
    }

    std::string declare_same(const capture::RawArgument& argument, const capture::RawArgument& first) {
        const auto type = types_->target_of(argument.type), other = types_->target_of(first.type);
        if (type && other && type->scalar != other->scalar)
            return fmt::format("its arguments {} and {} are the same buffer, with different types",
                               argument.name, first.name);
        bind(argument.name, first.name);
        done_.notes.push_back(fmt::format("{} and {} are the same buffer.", argument.name, first.name));
        return "";
    }

    /// Of a pointer's target; uchar for structures. Vectors of three become numbers, because they take the
    /// space of four.
    ElementType element_of(const capture::RawArgument& argument) const {
        const auto type = types_->target_of(argument.type);
        if (!type) return {Scalar::UInt8, 1};
        return type->width == 3 || argument.bytes % type->bytes() != 0 ? ElementType{type->scalar, 1} : *type;
    }

    std::string declare_buffer(std::size_t index) {
        const capture::RawArgument& argument = raw_.arguments[index];
        ElementType type = element_of(argument);
        std::vector<std::uint64_t> shape;
        bool is_normalized = false;
        if (argument.image) {
            const auto pixel = pixel_of(*argument.image, is_normalized);
            if (!pixel)
                return fmt::format("its image {} has a format that front matter cannot express",
                                   argument.name);
            type = *pixel;
            shape = {argument.image->height, argument.image->width};
            if (shape[0] * shape[1] * type.bytes() != argument.bytes) return "its image cannot be read";
        } else {
            shape = {argument.bytes / type.bytes()};
        }
        // The first one gives the problem its size, so that no other size is tried.
        std::vector<std::string> extents;
        for (const std::uint64_t extent : shape) extents.push_back(std::to_string(extent));
        if (buffers_.empty()) {
            size_ = shape[0];
            extents[0] = in_quotes(size_name_);
        }
        const std::string file = raw_.kernel + "/" + argument.name;
        std::string text =
            fmt::format("{} = {{type = {}, shape = [{}], fill = {}", argument.name,
                        in_quotes(to_string(type)), join(extents, ", "), in_quotes(file + ".before.npy"));
        if (is_normalized) text += ", normalized = true";
        const std::string header = array_header(type, shape);
        arrays_.push_back({before(index), file + ".before.npy", header});
        content_bytes_ += argument.bytes;
        // What the launch has left unchanged is an input, unless nothing is changed.
        if (argument.is_writable && (is_changed_[index] || !any_changed_)) {
            text += ", output = true";
            has_output_ = true;
            if (has_after(index)) {
                text += fmt::format(", expected = {}, tolerance = \"exact\"", in_quotes(file + ".after.npy"));
                arrays_.push_back({after(index), file + ".after.npy", header});
                content_bytes_ += argument.bytes;
            }
        }
        buffers_.push_back(text + "}");
        bind(argument.name, argument.name);
        return "";
    }

    void bind(const std::string& argument, const std::string& value) {
        bindings_.push_back(argument + " = " + in_quotes(value));
    }

    static std::string list(const std::vector<std::uint64_t>& extents) {
        std::vector<std::string> texts;
        for (const std::uint64_t extent : extents) texts.push_back(std::to_string(extent));
        return "[" + join(texts, ", ") + "]";
    }

    std::string declaration() const {
        std::string text = fmt::format(
            "# Launch {} of {} on {}, written by 'kwb capture'. The expected values are what that launch "
            "wrote.\n"
            "[problem]\nname = {}\ntitle = {}\nsizes = {{{} = "
            "{}}}\n\n[problem.buffers]\n{}\n\n[launch]\nkernel = "
            "{}\nglobal = {}\n",
            raw_.launch, raw_.kernel, raw_.device, in_quotes("captured_" + raw_.kernel),
            in_quotes(fmt::format("{}, launch {}, as captured", raw_.kernel, raw_.launch)), size_name_, size_,
            join(buffers_, "\n"), in_quotes(raw_.kernel), list(raw_.global));
        text += "local = " + (raw_.local.empty() ? in_quotes("auto") : list(raw_.local)) + "\n";
        if (!bindings_.empty()) text += "args = {" + join(bindings_, ", ") + "}\n";
        if (!local_mem_.empty()) text += "local_mem = {" + join(local_mem_, ", ") + "}\n";
        if (!plan_.build_options.empty())
            text += "\n[build]\noptions = " + in_quotes(plan_.build_options) + "\n";
        return text;
    }

    void write_files() {
        if (content_bytes_ > kMostContentBytes)
            done_.notes.push_back(fmt::format("Its arrays take {}; at most {} can be run.",
                                              format_bytes(content_bytes_), format_bytes(kMostContentBytes)));
        done_.file = target_ / (raw_.kernel + ".cl");
        std::error_code exists;
        if (fs::exists(done_.file, exists)) {
            done_.file.clear();
            done_.flaw = "another launch of a kernel of this name is kept";
            return;
        }
        try {
            put_files();
        } catch (const std::exception& error) {
            std::error_code ignored;
            fs::remove_all(target_ / raw_.kernel, ignored);
            fs::remove(done_.file, ignored);
            done_.file.clear();
            done_.flaw = std::string("its files cannot be written: ") + error.what();
        }
    }

    void put_files() const {
        fs::create_directory(target_ / raw_.kernel);
        for (const auto& [from, to, header] : arrays_) finish_array(from, target_ / to, header);
        write_file(done_.file, plan_.source_text);
        for (const auto& [name, text] : plan_.includes) {
            fs::create_directories((target_ / name).parent_path());
            if (!fs::exists(target_ / name)) write_file(target_ / name, text);  // else that of another kernel
        }
        write_file(target_ / (raw_.kernel + ".cl.toml"), declaration());
    }

    struct Array {
        fs::path from;
        std::string to;  ///< relative to the target
        std::string header;
    };

    capture::RawLaunch raw_;
    fs::path target_;
    KernelPlan plan_;  ///< only its source
    std::optional<SourceTypes> types_;
    CapturedLaunch done_;
    std::string size_name_ = "ELEMENTS";
    std::uint64_t size_ = 0, content_bytes_ = 0;
    bool has_output_ = false, any_changed_ = false;
    std::map<std::size_t, bool> is_changed_;
    std::vector<std::string> buffers_, bindings_, local_mem_;
    std::vector<Array> arrays_;
};

}  // namespace

namespace {

struct Staging {
    explicit Staging(fs::path at) : path(std::move(at)) { fs::create_directory(path); }
    ~Staging() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    const fs::path path;
};

/// @throws BadInput  a file cannot be written
CapturedLaunch finish_capture(capture::RawLaunch launch, const fs::path& folder) {
    try {
        return LaunchWriter(std::move(launch), folder).write();
    } catch (const fs::filesystem_error& error) {
        throw BadInput(folder.string() + ": " + error.code().message());
    }
}

}  // namespace

std::vector<CapturedLaunch> finish_captures(const fs::path& folder) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with(capture::kLaunchFolderPrefix))
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    std::vector<CapturedLaunch> launches;
    for (const fs::path& one : folders) {
        launches.push_back(finish_capture(capture::read_launch(one), folder));
        std::error_code ignored;
        fs::remove_all(one, ignored);
    }
    return launches;
}

std::vector<CapturedLaunch> import_captures(const fs::path& from, const fs::path& folder) {
    const Staging staging(folder / (std::string(capture::kLaunchFolderPrefix) + "import"));
    std::vector<CapturedLaunch> launches;
    for (capture::RawLaunch& launch : import_launches(from, staging.path))
        launches.push_back(finish_capture(std::move(launch), folder));
    return launches;
}

}  // namespace kwb
