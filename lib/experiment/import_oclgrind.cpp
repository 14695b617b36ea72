// SPDX-License-Identifier: Apache-2.0
// Source: Oclgrind's wiki, "Running kernels in isolation" (oclgrind-kernel): the program's file, the kernel,
// the NDRange, the work-group, then an argument each: "<size=1024 float fill=0>", or "<size=4> 256".
#include <charconv>
#include <cstring>
#include <optional>

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

/// The words of a .sim file; "<…>" is one word.
class SimWords {
public:
    explicit SimWords(const fs::path& file) : file_(file), text_(read_file(file)) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw BadInput(file_.string() + ":" + std::to_string(line_) + ": " + what);
    }

    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }

    std::string next(const char* what) {
        if (at_end()) refuse(std::string("the file ends where ") + what + " is expected");
        const bool is_header = text_[at_] == '<';
        const std::size_t begin = at_;
        const auto is_end = [&](char c) {
            return is_header ? c == '>' || c == '\n' : c == ' ' || is_control(c) || c == '#' || c == '<';
        };
        while (at_ < text_.size() && !is_end(text_[at_])) ++at_;
        if (is_header && (at_ == text_.size() || text_[at_++] != '>'))
            refuse("the argument's header has no '>'");
        return text_.substr(begin, at_ - begin);
    }

    std::uint64_t next_whole(const char* what) {
        const std::string word = next(what);
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc() || end != word.data() + word.size())
            refuse("'" + word + "' is no whole number");
        return number;
    }

private:
    void skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '#')
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            else if (text_[at_] == ' ' || is_control(text_[at_]))
                line_ += text_[at_++] == '\n' ? 1 : 0;
            else
                break;
        }
    }

    fs::path file_;
    std::string text_;
    std::size_t at_ = 0, line_ = 1;
};

/// "<size=1024 float fill=0>"
struct SimHeader {
    std::optional<std::uint64_t> bytes;
    std::optional<Scalar> type;
    std::string fill, range;
    bool is_hexadecimal = false, is_null = false;
};

SimHeader read_header(SimWords& words, const std::string& parameter) {
    const std::string text = words.next(("the argument " + parameter).c_str());
    if (!text.starts_with('<'))
        words.refuse("the argument " + parameter + " begins with a header, as in <size=4>");
    SimHeader header;
    for (const std::string& word : split(text.substr(1, text.size() - 2), ' ')) {
        const auto type = parse_element_type(word);
        if (type && type->width == 1) {
            header.type = type->scalar;
        } else if (word.starts_with("size=")) {
            std::uint64_t bytes = 0;
            const auto [end, error] = std::from_chars(word.data() + 5, word.data() + word.size(), bytes);
            if (error != std::errc() || end != word.data() + word.size() || bytes == 0 ||
                bytes > kMostContentBytes)
                words.refuse(word + " is no size from 1 byte to " + format_bytes(kMostContentBytes));
            header.bytes = bytes;
        } else if (word.starts_with("fill=")) {
            header.fill = word.substr(5);
        } else if (word.starts_with("range=")) {
            header.range = word.substr(6);
        } else if (word == "hex" || word == "null") {
            (word == "hex" ? header.is_hexadecimal : header.is_null) = true;
        } else if (!word.empty() && word != "dump") {
            words.refuse("'" + word + "' is unknown in an argument's header");
        }
    }
    if (!header.bytes && !header.is_null) words.refuse("the argument " + parameter + " has no size=");
    return header;
}

template <class T>
void append(std::string& bytes, T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
}

/// A number of a type, as one is written in a .sim file.
class SimNumber {
public:
    SimNumber(Scalar scalar, bool is_hexadecimal, const SimWords& words)
        : scalar_(scalar), is_hexadecimal_(is_hexadecimal), words_(words) {}

    /// Of whole numbers, the sum wraps.
    struct Value {
        std::uint64_t whole = 0;
        double number = 0;
    };

    Value parse(std::string_view text) const {
        Value value;
        const bool is_negative = text.starts_with('-');
        std::string_view digits = text;
        if (text.starts_with('-') || text.starts_with('+')) digits.remove_prefix(1);
        const bool has_prefix = digits.starts_with("0x") || digits.starts_with("0X");
        if (has_prefix && is_hexadecimal_) digits.remove_prefix(2);
        const char* const end = digits.data() + digits.size();
        const auto [stop, error] =
            is_floating() ? std::from_chars(digits.data(), end, value.number)
                          : std::from_chars(digits.data(), end, value.whole, is_hexadecimal_ ? 16 : 10);
        if (error != std::errc() || stop != end || digits.empty())
            words_.refuse("'" + std::string(text) + "' is no number of the argument's type");
        if (is_negative) value = {0 - value.whole, -value.number};
        return value;
    }

    void write(const Value& value, std::string& bytes) const {
        if (scalar_ == Scalar::Float32) return append(bytes, static_cast<float>(value.number));
        if (scalar_ == Scalar::Float64) return append(bytes, value.number);
        switch (scalar_bytes(scalar_)) {
            case 1:
                return append(bytes, static_cast<std::uint8_t>(value.whole));
            case 2:
                return append(bytes, static_cast<std::uint16_t>(value.whole));
            case 4:
                return append(bytes, static_cast<std::uint32_t>(value.whole));
            default:
                return append(bytes, value.whole);
        }
    }

    bool is_floating() const { return scalar_ >= Scalar::Float16; }

private:
    Scalar scalar_;
    bool is_hexadecimal_;
    const SimWords& words_;
};

/// The argument's bytes.
std::string read_content(SimWords& words, const SimHeader& header, Scalar scalar) {
    const std::size_t size = scalar_bytes(scalar);
    if (*header.bytes % size != 0) words.refuse("the size is no multiple of the type's");
    const std::uint64_t count = *header.bytes / size;
    const SimNumber number(scalar, header.is_hexadecimal, words);
    std::string bytes;
    if (!header.fill.empty()) {
        const auto value = number.parse(header.fill);
        for (std::uint64_t i = 0; i < count; ++i) number.write(value, bytes);
    } else if (!header.range.empty()) {
        const std::vector<std::string> parts = split(header.range, ':');
        if (parts.size() != 3) words.refuse("a range is range=FIRST:STEP:LAST");
        auto value = number.parse(parts[0]);
        const auto step = number.parse(parts[1]);
        for (std::uint64_t i = 0; i < count; ++i) {
            number.write(value, bytes);
            value = {value.whole + step.whole, value.number + step.number};
        }
    } else {
        for (std::uint64_t i = 0; i < count; ++i) number.write(number.parse(words.next("a number")), bytes);
    }
    return bytes;
}

}  // namespace

capture::RawLaunch import_oclgrind(const fs::path& file, const fs::path& staging) {
    SimWords words(file);
    capture::RawLaunch launch;
    launch.folder = staging;
    launch.working_folder = fs::absolute(file).parent_path().string();
    launch.is_foreign = launch.is_complete = true;
    launch.launch = 1;
    launch.device = "Oclgrind";
    const std::string program = words.next("the program's file");
    launch.kernel = words.next("the kernel's name");
    for (int i = 0; i < 3; ++i) launch.global.push_back(words.next_whole("the NDRange"));
    for (int i = 0; i < 3; ++i) launch.local.push_back(words.next_whole("the work-group"));
    if (!lies_within(launch.working_folder, program))
        words.refuse(program + " is in another folder than this file, or a link that leads there");
    write_file(staging / capture::kLaunchSource, read_file(fs::path(launch.working_folder) / program));
    const auto parameters = SourceTypes(source_plan(launch)).parameters_of(launch.kernel);
    if (!parameters) words.refuse(program + " cannot be compiled, or has no kernel " + launch.kernel);
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < parameters->size(); ++i) {
        const KernelParameter& parameter = (*parameters)[i];
        const SimHeader header = read_header(words, parameter.name);
        capture::RawArgument& argument = launch.arguments.emplace_back();
        argument.name = parameter.name;
        argument.type = parameter.type_name;
        if (header.is_null) {
            argument.is_null = true;
        } else if (parameter.is_local()) {
            argument.local_bytes = header.bytes;
        } else {
            all += *header.bytes;
            if (all > kMostContentBytes)
                words.refuse("the arguments take more than " + format_bytes(kMostContentBytes));
            const auto own = parse_element_type(parameter.element_type());
            const Scalar scalar = header.type ? *header.type : own ? own->scalar : Scalar::UInt8;
            const std::string bytes = read_content(words, header, scalar);
            if (parameter.is_value()) {
                argument.value = digits_of_bytes(bytes);
            } else {
                argument.buffer = i;
                argument.bytes = bytes.size();
                argument.is_writable = !parameter.is_const && parameter.space == AddressSpace::Global;
                write_raw_array(staging / (std::to_string(i) + ".before"), bytes);
            }
        }
    }
    if (!words.at_end()) words.refuse("there are more values than arguments");
    return launch;
}

}  // namespace kwb
