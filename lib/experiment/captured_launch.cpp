// SPDX-License-Identifier: Apache-2.0
#include "experiment/captured_launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/file.hpp"
#include "base/npy.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "capture/read_launch.hpp"
#include "capture/recording.hpp"
#include "model/declared_instance.hpp"
#include "model/element.hpp"
#include "model/plan.hpp"
#include "source/read.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostHeaders = 64;

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) {
        return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
    };
    return !text.empty() && text.size() <= 256 && is_letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// Values.

/// The bytes of "00ff".
std::string bytes_of(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

template <class T>
T value_at(std::string_view bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// An expression of front matter that has exactly this value; empty: there is none.
template <class T>
std::string floating_text(T value) {
    if (!std::isfinite(value) || (value == 0 && std::signbit(value))) return "";
    // A decimal number of few digits is evaluated with one rounding, as a compiler reads it.
    const std::string decimal = fmt::format("{}", value);
    const std::size_t exponent = decimal.find('e');
    const std::string digits = decimal.substr(0, exponent);
    const int scale = exponent == std::string::npos ? 0 : std::atoi(decimal.c_str() + exponent + 1);
    const auto significant =
        static_cast<int>(std::ranges::count_if(digits, [](char c) { return c >= '0' && c <= '9'; }));
    if (significant <= 15 && std::abs(scale) + significant <= 18) return decimal;
    int power = 0;
    const double fraction = std::frexp(static_cast<double>(value), &power);
    auto whole = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    power -= 53;
    while (whole % 2 == 0) whole /= 2, ++power;
    if (power < -62) return "";
    if (power < 0) return fmt::format("{} / 2 ** {}", whole, -power);
    return std::fabs(static_cast<double>(value)) < 0x1p62 ? fmt::format("{} * 2 ** {}", whole, power) : "";
}

/// One component of a number or vector; empty: front matter cannot express it.
std::string component_text(std::string_view bytes, std::size_t offset, Scalar scalar) {
    switch (scalar) {
        case Scalar::Int8:
            return std::to_string(value_at<std::int8_t>(bytes, offset));
        case Scalar::UInt8:
            return std::to_string(value_at<std::uint8_t>(bytes, offset));
        case Scalar::Int16:
            return std::to_string(value_at<std::int16_t>(bytes, offset));
        case Scalar::UInt16:
            return std::to_string(value_at<std::uint16_t>(bytes, offset));
        case Scalar::Int32:
            return std::to_string(value_at<std::int32_t>(bytes, offset));
        case Scalar::UInt32:
            return std::to_string(value_at<std::uint32_t>(bytes, offset));
        case Scalar::Int64:
            return std::to_string(value_at<std::int64_t>(bytes, offset));
        case Scalar::UInt64: {
            const auto value = value_at<std::uint64_t>(bytes, offset);
            return value <= INT64_MAX ? std::to_string(value) : "";
        }
        case Scalar::Float32:
            return floating_text(value_at<float>(bytes, offset));
        case Scalar::Float64:
            return floating_text(value_at<double>(bytes, offset));
        default:
            return "";
    }
}

/// What the compiler knows about the types of a source; without the compiler, only OpenCL C's own.
class SourceTypes {
public:
    explicit SourceTypes(const KernelPlan& plan) : reading_(read_source(source_text_of(plan))) {}

    std::optional<ElementType> find(std::string_view name) const {
        if (const auto type = parse_element_type(name)) return type;
        if (!reading_.program) return std::nullopt;
        const auto known = reading_.program->typedefs.find(std::string(trim(name)));
        return known != reading_.program->typedefs.end() ? parse_element_type(known->second) : std::nullopt;
    }

    /// A structure of only numbers; nullptr: another type.
    const source::Record* find_record(std::string_view name) const {
        if (!reading_.program) return nullptr;
        for (const std::string& known : {std::string(trim(name)), "struct " + std::string(trim(name))})
            if (const auto record = reading_.program->records.find(known);
                record != reading_.program->records.end() && !record->second.numbers.empty())
                return &record->second;
        return nullptr;
    }

    /// Of a pointer's target; uchar for structures. Vectors of three become numbers, because they take the
    /// space of four.
    ElementType target_of(const capture::RawArgument& argument) const {
        std::string_view name = trim(argument.type);
        while (name.ends_with('*')) name = trim(name.substr(0, name.size() - 1));
        const auto type = find(name);
        if (!type) return {Scalar::UInt8, 1};
        if (type->width == 3) return {type->scalar, 1};
        return argument.bytes % type->bytes() == 0 || argument.local_bytes ? *type
                                                                           : ElementType{type->scalar, 1};
    }

    /// The size of what a pointer points to.
    std::uint64_t target_bytes(const capture::RawArgument& argument) const {
        std::string_view name = trim(argument.type);
        while (name.ends_with('*')) name = trim(name.substr(0, name.size() - 1));
        if (const auto type = find(name)) return type->bytes();
        const source::Record* const record = find_record(name);
        return record != nullptr ? std::max<std::uint64_t>(record->bytes, 1) : 1;
    }

private:
    Reading reading_;
};

// Arrays.

/// The header of an array that leaves its elements where the layer has written them.
std::string array_header(const ElementType& type, std::uint64_t elements) {
    const NpyType npy = npy_type(type);
    std::string shape = std::to_string(elements) + ",";
    if (type.width > 1) shape += fmt::format(" {},", type.width);
    std::string text = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   npy.item_bytes == 1 ? '|' : '<', npy.kind, npy.item_bytes, shape);
    constexpr std::size_t kPrefix = 10;  // magic, version, length
    expects(text.size() + kPrefix < capture::kArrayHeaderBytes,
            "the header of an array of one or two extents fits");
    text.resize(capture::kArrayHeaderBytes - kPrefix - 1, ' ');
    text.push_back('\n');
    std::string header = "\x93NUMPY";
    header +=
        std::string{'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return header + text;
}

void finish_array(const fs::path& from, const fs::path& to, const std::string& header) {
    const Fd file(::open(from.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (::pwrite(file.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
        throw BadInput(to.string() + " cannot be written: " + std::strerror(errno));
    fs::rename(from, to);
}

/// True if both files hold the same elements.
bool is_unchanged(const fs::path& before, const fs::path& after) {
    const Fd a(::open(before.c_str(), O_RDONLY | O_CLOEXEC)), b(::open(after.c_str(), O_RDONLY | O_CLOEXEC));
    std::vector<char> first(1u << 20), second(1u << 20);
    for (;;) {
        const ssize_t read = ::read(a.get(), first.data(), first.size());
        const ssize_t same = ::read(b.get(), second.data(), second.size());
        if (read != same || read < 0) return false;
        if (read == 0) return true;
        if (std::memcmp(first.data(), second.data(), static_cast<std::size_t>(read)) != 0) return false;
    }
}

// Headers.

/// The folders of -I, and the options without them and without what the layer has added.
std::string split_options(const std::string& options, std::vector<fs::path>& folders,
                          const fs::path& working) {
    std::vector<std::string> kept;
    const std::vector<std::string> words = split(options, ' ');
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string word = words[i];
        if (word.empty() || word == "-cl-kernel-arg-info") continue;
        if (!word.starts_with("-I")) {
            kept.push_back(word);
            continue;
        }
        word = word.size() == 2 && i + 1 < words.size() ? words[++i] : word.substr(2);
        if (word.size() > 1 && (word.front() == '"' || word.front() == '\''))
            word = word.substr(1, word.size() - 2);
        folders.push_back(working / word);
    }
    folders.push_back(working);
    return join(kept, " ");
}

/// Collects the files that a source includes, and lets it name them in quotes, as files next to it.
class HeaderFinder {
public:
    explicit HeaderFinder(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

    std::string with_headers(const std::string& source) {
        std::string text;
        for (const std::string& line : split_lines(source)) text += with_header(line) + "\n";
        return text;
    }

    std::vector<std::string> missing;
    NamedList<std::string> headers;  ///< relative path → text

private:
    std::string with_header(const std::string& line) {
        std::string_view rest = trim(line);
        if (!rest.starts_with('#')) return line;
        rest = trim(rest.substr(1));
        if (!rest.starts_with("include")) return line;
        rest = trim(rest.substr(7));
        if (rest.empty() || (rest.front() != '"' && rest.front() != '<')) return line;
        const std::size_t end = rest.find(rest.front() == '"' ? '"' : '>', 1);
        if (end == std::string_view::npos) return line;
        const std::string name(rest.substr(1, end - 1));
        return find(name) ? "#include \"" + name + "\"" : line;
    }

    bool find(const std::string& name) {
        const fs::path relative = fs::path(name).lexically_normal();
        if (relative.is_absolute() || relative.empty() || *relative.begin() == "..") {
            missing.push_back(name);
            return false;
        }
        if (!known_.insert(relative.string()).second) return true;
        for (const fs::path& folder : folders_) {
            std::error_code error;
            if (known_.size() > kMostHeaders || !fs::is_regular_file(folder / relative, error)) continue;
            const std::string text = with_headers(read_file(folder / relative));
            headers.push_back({relative.string(), text});
            return true;
        }
        missing.push_back(name);
        return false;
    }

    std::vector<fs::path> folders_;
    std::set<std::string> known_;
};

// The declaration.

class LaunchWriter {
public:
    LaunchWriter(capture::RawLaunch launch, fs::path target)
        : raw_(std::move(launch)), target_(std::move(target)) {}

    CapturedLaunch write() {
        done_.kernel = printable_line(raw_.kernel);
        done_.launch = raw_.launch;
        if (!is_identifier(raw_.kernel)) return refused("its name is no identifier");
        if (!raw_.flaw.empty()) return refused(printable_line(raw_.flaw));
        if (!raw_.is_complete) return refused("the program ended during its launch");
        if (raw_.global.empty() || raw_.global.size() > 3) return refused("its NDRange cannot be read");
        if (std::ranges::any_of(raw_.offset, [](std::uint64_t extent) { return extent != 0; }))
            return refused("it is launched with a global offset, which front matter cannot express");
        read_source_files();
        // PoCL renames parameters that have the name of a built-in function.
        constexpr std::string_view kRenamed = "_cl_";
        for (capture::RawArgument& argument : raw_.arguments)
            if (argument.name.starts_with(kRenamed) &&
                plan_.source_text.find(argument.name) == std::string::npos)
                argument.name.erase(0, kRenamed.size());
        if (const std::string flaw = declare(); !flaw.empty()) return refused(flaw);
        write_files();
        return std::move(done_);
    }

private:
    CapturedLaunch refused(std::string flaw) {
        done_.flaw = std::move(flaw);
        return std::move(done_);
    }

    fs::path before(std::size_t argument) const { return raw_.folder / fmt::format("{}.before", argument); }
    fs::path after(std::size_t argument) const { return raw_.folder / fmt::format("{}.after", argument); }

    void read_source_files() {
        std::vector<fs::path> folders;
        plan_.build_options = split_options(raw_.options, folders, raw_.working_folder);
        HeaderFinder finder(std::move(folders));
        const std::string source = read_file(raw_.folder / "source.cl");
        plan_.source_text =
            source.find("include") != std::string::npos ? finder.with_headers(source) : source;
        plan_.includes = std::move(finder.headers);
        for (const std::string& name : finder.missing)
            done_.notes.push_back(fmt::format("The header {} was not found.", printable_line(name)));
        types_.emplace(plan_);
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
                is_changed_[i] = raw_.arguments[i].is_writable && !is_unchanged(before(i), after(i));
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
            const std::uint64_t element = types_->target_bytes(argument);
            local_mem_.push_back(
                fmt::format("{} = {}", argument.name, (*argument.local_bytes + element - 1) / element));
        } else if (argument.value) {
            return declare_value(argument);
        } else if (argument.buffer && *argument.buffer < index) {
            bind(argument.name, raw_.arguments[*argument.buffer].name);
            done_.notes.push_back(fmt::format("{} and {} are the same buffer.", argument.name,
                                              raw_.arguments[*argument.buffer].name));
        } else if (argument.buffer == index) {
            declare_buffer(index);
        } else {
            return "an argument could not be captured";
        }
        return "";
    }

    std::string declare_value(const capture::RawArgument& argument) {
        const std::string bytes = bytes_of(*argument.value);
        const auto type = types_->find(argument.type);
        const source::Record* const record = type ? nullptr : types_->find_record(argument.type);
        std::vector<std::string> components;
        if (type && type->bytes() <= bytes.size())
            for (unsigned i = 0; i < type->width; ++i)
                components.push_back(component_text(bytes, i * scalar_bytes(type->scalar), type->scalar));
        if (record != nullptr)
            for (const auto& [offset, scalar] : record->numbers)
                if (offset + scalar_bytes(scalar) <= bytes.size())
                    components.push_back(component_text(bytes, offset, scalar));
        if (components.empty())
            return fmt::format("its argument {} is of the type {}, which is not captured by value",
                               argument.name, printable_line(argument.type));
        if (std::ranges::find(components, "") != components.end())
            return fmt::format("its argument {} has a value that front matter cannot express exactly",
                               argument.name);
        bind(argument.name,
             type && type->width == 1 ? components.front() : "[" + join(components, ", ") + "]");
        return "";
    }

    void declare_buffer(std::size_t index) {
        const capture::RawArgument& argument = raw_.arguments[index];
        const ElementType type = types_->target_of(argument);
        const std::uint64_t elements = argument.bytes / type.bytes();
        // The first one gives the problem its size, so that no other size is tried.
        const std::string extent = buffers_.empty() ? in_quotes(size_name_) : std::to_string(elements);
        if (buffers_.empty()) size_ = elements;
        const std::string file = raw_.kernel + "/" + argument.name;
        std::string text = fmt::format("{} = {{type = {}, shape = [{}], fill = {}", argument.name,
                                       in_quotes(to_string(type)), extent, in_quotes(file + ".before.npy"));
        arrays_.push_back({before(index), file + ".before.npy", array_header(type, elements)});
        content_bytes_ += argument.bytes;
        // What the launch has left unchanged is an input, unless nothing is changed.
        if (argument.is_writable && (is_changed_[index] || !any_changed_)) {
            text += fmt::format(", output = true, expected = {}, tolerance = \"exact\"",
                                in_quotes(file + ".after.npy"));
            arrays_.push_back({after(index), file + ".after.npy", array_header(type, elements)});
            content_bytes_ += argument.bytes;
            has_output_ = true;
        }
        buffers_.push_back(text + "}");
        bind(argument.name, argument.name);
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
            done_.flaw = "another process has launched a kernel of the same name";
            return;
        }
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

std::vector<CapturedLaunch> finish_captures(const fs::path& folder) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with(capture::kLaunchFolderPrefix))
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    std::vector<CapturedLaunch> launches;
    for (const fs::path& one : folders) {
        try {
            launches.push_back(LaunchWriter(capture::read_launch(one), folder).write());
        } catch (const fs::filesystem_error& error) {
            throw BadInput(folder.string() + ": " + error.code().message());
        }
        std::error_code ignored;
        fs::remove_all(one, ignored);
    }
    return launches;
}

}  // namespace kwb
