// SPDX-License-Identifier: Apache-2.0
#include "gpu/assembly.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/text.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace {

/// The number after `key`, if the text has one there.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = trim(text.substr(at + key.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return error == std::errc{} && end != rest.data() ? std::optional(value) : std::nullopt;
}

/// The number right before `words`: "8 bytes spill stores" has 8 before " bytes spill stores".
std::optional<std::uint64_t> number_before(std::string_view text, std::string_view words) {
    const std::size_t end = text.find(words);
    if (end == std::string_view::npos) return std::nullopt;
    std::size_t begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
    return number_after(text.substr(begin, end - begin), "");
}

/// The text with each run of blanks and tabs replaced by one blank.
std::string in_one_blank(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const char sign = c == '\t' ? ' ' : c;
        if (sign != ' ' || (!out.empty() && out.back() != ' ')) out += sign;
    }
    return out;
}

/// `.loc`, but not `.local`.
bool is_place(std::string_view line) {
    return line.starts_with(".loc ") || line.starts_with(".loc\t");
}

/// The files of `.file` directives, which PTX has after the code, and the current place of `.loc` directives.
class LineTable {
public:
    LineTable(const std::vector<std::string>& lines, std::string folder) : folder_(std::move(folder)) {
        for (const std::string& whole : lines)
            if (const std::string_view line = trim(whole); line.starts_with(".file")) take_file(line);
    }

    /// @return  false: the line is not `.loc`
    bool take(std::string_view line) {
        if (!is_place(line)) return false;
        here_ = {};
        const std::vector<std::string> words = split(in_one_blank(line), ' ');
        if (words.size() < 4) return true;
        const auto number = [&](std::size_t i) { return number_after(words[i], "").value_or(0); };
        // Line 0 is code that belongs to no line. Files outside the folder are those of built-in functions.
        const auto file = files_.find(number(1));
        if (file == files_.end()) return true;
        here_.file = file->second;
        here_.line = static_cast<std::uint32_t>(number(2));
        here_.column = static_cast<std::uint32_t>(number(3));
        return true;
    }
    const XrayPlace& here() const { return here_; }
    void reset() { here_ = {}; }

private:
    /// .file 1 "name", or .file 1 "folder" "name"
    void take_file(std::string_view line) {
        const auto number = number_after(line, ".file");
        const std::vector<std::string> parts = split(line, '"');
        if (!number || parts.size() < 3) return;
        std::string file = parts[1];
        if (parts.size() >= 5) file = parts[3].starts_with('/') ? parts[3] : file + "/" + parts[3];
        if (!file.starts_with(folder_)) return;
        file.erase(0, folder_.size());
        files_[*number] = file == source::kMainName ? "" : file;
    }

    std::string folder_;
    std::map<std::uint64_t, std::string> files_;
    XrayPlace here_;
};

/// Lines without comments of this kind at their end, which both assemblers' languages have.
std::string_view without_comment(std::string_view line, std::string_view sign) {
    return trim(line.substr(0, line.find(sign)));
}

void add_line(MachineCode& code, std::string_view text, const LineTable& lines) {
    const bool is_label = text.ends_with(':');
    code.instructions += is_label ? 0 : 1;
    code.assembly.push_back({in_one_blank(text), is_label ? XrayPlace{} : lines.here(), is_label});
}

/// Labels that only debug information uses.
bool is_of_debugger(std::string_view label) {
    for (const char* prefix : {".Ltmp", ".Lfunc_", "$L__tmp", "$L__func_"})
        if (label.starts_with(prefix)) return true;
    return false;
}

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

/// Whether an operand names this function.
bool names(std::string_view text, std::string_view function) {
    for (std::size_t at = text.find(function); at != text.npos; at = text.find(function, at + 1)) {
        const std::size_t end = at + function.size();
        if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end])))
            return true;
    }
    return false;
}

/// Appends to each kernel the functions that it calls, and those that they call, each below its name.
void add_called(std::vector<MachineCode>& kernels, const std::vector<MachineCode>& functions) {
    for (MachineCode& kernel : kernels) {
        std::vector<const MachineCode*> left;
        for (const MachineCode& function : functions) left.push_back(&function);
        for (std::size_t i = 0; i < kernel.assembly.size(); ++i) {
            const auto called = std::ranges::find_if(left, [&](const MachineCode* function) {
                return !kernel.assembly[i].is_label && names(kernel.assembly[i].text, function->kernel);
            });
            if (called == left.end()) continue;
            const MachineCode& function = **called;
            left.erase(called);
            kernel.assembly.push_back({function.kernel + ":", {}, true});
            kernel.assembly.insert(kernel.assembly.end(), function.assembly.begin(), function.assembly.end());
            kernel.instructions += function.instructions;
        }
    }
}

void drop_labels_at_end(MachineCode& code) {
    while (!code.assembly.empty() && code.assembly.back().is_label) code.assembly.pop_back();
}

}  // namespace

std::vector<MachineCode> read_amd_assembly(std::string_view text, const std::string& folder) {
    std::vector<MachineCode> kernels, functions;
    const std::vector<std::string> whole_lines = split_lines(text);
    LineTable lines(whole_lines, folder);
    MachineCode current;
    bool is_inside = false;
    bool is_kernel = false;  // or a function that one calls
    bool is_header = false;  // of a kernel: figures for the loader
    for (const std::string& whole : whole_lines) {
        const std::string_view line = trim(whole);
        if (line.starts_with(".type") && line.find("@function") != std::string_view::npos) {
            current = {};
            current.kernel = std::string(trim(line.substr(5, line.find(',') - 5)));
        } else if (!is_inside && !current.kernel.empty() && line.starts_with(current.kernel + ":")) {
            is_inside = true;
            lines.reset();
        } else if (line.starts_with(".amd_kernel_code_t") || line.starts_with(".end_amd_kernel_code_t")) {
            is_header = line.starts_with(".amd");
        } else if (is_header) {
            continue;
        } else if (is_inside && line.starts_with(".section")) {
            is_inside = false;
        } else if (line.starts_with(".size") || line.starts_with(".Lfunc_end")) {
            is_inside = false;
            drop_labels_at_end(current);
        } else if (line.starts_with("; Kernel info:") || line.starts_with("; Function info:")) {
            is_kernel = line.starts_with("; Kernel");
            if (!is_kernel) functions.push_back(std::exchange(current, {}));
        } else if (line.starts_with(';')) {
            const auto take = [&](std::string_view key, auto& figure) {
                using Figure = typename std::remove_cvref_t<decltype(figure)>::value_type;
                if (line.starts_with(key))
                    if (const auto value = number_after(line, key)) figure = static_cast<Figure>(*value);
            };
            take("; NumVgprs:", current.registers);
            take("; TotalNumVgprs:", current.registers);  // with accumulation registers: gfx90a
            take("; NumSgprs:", current.scalar_registers);
            take("; TotalNumSgprs:", current.scalar_registers);  // clang 17 on
            take("; LDSByteSize:", current.local_bytes);
            take("; ScratchSize:", current.scratch_bytes);
            if (line.starts_with("; Occupancy:")) {
                take("; Occupancy:", current.sub_groups_per_simd);
                if (is_kernel) kernels.push_back(std::exchange(current, {}));
            }
        } else if (lines.take(line) || line.starts_with('.') || !is_inside) {
            const std::string_view label = without_comment(line, ";");
            if (is_inside && label.ends_with(':') && !is_of_debugger(label)) add_line(current, label, lines);
        } else if (const std::string_view code = without_comment(line, ";"); !code.empty()) {
            add_line(current, code, lines);
        }
    }
    add_called(kernels, functions);
    return kernels;
}

namespace {

/// "read_imagef" of "_Z11read_imagef14ocl_image2d_roDv2_i"
std::string without_signature(std::string symbol) {
    std::size_t letters = 0;
    if (!symbol.starts_with("_Z")) return symbol;
    const char* const end = symbol.data() + symbol.size();
    const auto [name, error] = std::from_chars(symbol.data() + 2, end, letters);
    if (error != std::errc{} || letters > static_cast<std::size_t>(end - name)) return symbol;
    return std::string(name, letters);
}

void add_once(std::vector<std::string>& names, std::string name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

}  // namespace

std::vector<std::string> undefined_functions(std::string_view amd_assembly) {
    // The lower half of an address that the linker fills in: "f@rel32@lo+4" (clang 15), "f@abs32@lo" (clang
    // 18).
    constexpr std::string_view kReference = "32@lo";
    std::vector<std::string> names;
    for (std::size_t at = amd_assembly.find(kReference); at != amd_assembly.npos;
         at = amd_assembly.find(kReference, at + 1)) {
        const std::size_t end = amd_assembly.rfind('@', at);
        std::size_t begin = end;
        while (begin != amd_assembly.npos && begin > 0 && is_of_name(amd_assembly[begin - 1])) --begin;
        if (end == amd_assembly.npos || begin == end) continue;
        const std::string symbol(amd_assembly.substr(begin, end - begin));
        if (amd_assembly.find("\n" + symbol + ":") != amd_assembly.npos ||
            amd_assembly.find(".amdgpu_lds " + symbol + ",") != amd_assembly.npos)
            continue;
        add_once(names, without_signature(symbol));
    }
    return names;
}

namespace {

/// The name in ".visible .entry k(" or ".func  (.param .b32 func_retval0) helper("; empty: it begins no
/// function.
std::string ptx_function(std::string_view line) {
    constexpr std::string_view kEntry = ".entry ", kFunction = ".func ";
    if (line.starts_with(".extern") || line.ends_with(';')) return "";
    std::size_t at = line.find(kEntry);
    if (at == line.npos) at = line.find(kFunction);
    if (at == line.npos) return "";
    std::string_view rest = trim(line.substr(line.find(' ', at)));
    if (rest.starts_with('(')) rest = trim(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
    return std::string(rest.substr(0, rest.find_first_of("( ")));
}

}  // namespace

std::vector<std::string> undefined_ptx_functions(std::string_view text) {
    constexpr std::string_view kExtern = ".extern ";
    // Both have the form ".func f", "(…)", and then ";" or "{", each on its own line.
    std::vector<std::string> declared, defined;
    std::string current;
    for (const std::string& whole : split_lines(text)) {
        std::string_view line = without_comment(trim(whole), "//");
        if (line.starts_with(kExtern)) line.remove_prefix(kExtern.size());
        if (std::string name = ptx_function(line); !name.empty())
            current = std::move(name);
        else if (!current.empty() && (line == ";" || line == "{"))
            add_once(line == ";" ? declared : defined, std::exchange(current, ""));
    }
    std::vector<std::string> names;
    for (const std::string& name : declared)
        if (std::ranges::find(defined, name) == defined.end()) add_once(names, without_signature(name));
    return names;
}

std::vector<MachineCode> read_ptx(std::string_view text, const std::string& folder) {
    std::vector<MachineCode> kernels, functions;
    MachineCode* current = nullptr;
    const std::vector<std::string> whole_lines = split_lines(text);
    LineTable lines(whole_lines, folder);
    bool is_inside = false;
    bool has_body = false;
    for (const std::string& whole : whole_lines) {
        const std::string_view line = without_comment(trim(whole), "//");
        if (const std::string name = ptx_function(line); !name.empty()) {
            std::vector<MachineCode>& found = line.find(".entry ") != line.npos ? kernels : functions;
            current = &found.emplace_back(MachineCode{.kernel = name});
            current->local_bytes = 0;
            is_inside = true;
            has_body = false;
            lines.reset();
        } else if (is_inside && !has_body && line == ";") {  // only declared
            functions.pop_back();
            current = nullptr;
            is_inside = false;
        } else if (is_inside && line == "{") {
            has_body = true;
        } else if (is_inside && line == "}") {
            is_inside = false;
            drop_labels_at_end(*current);
        } else if (is_inside && line.starts_with(".shared ")) {
            // ".shared .align 4 .b8 k_$_tile[1024];"
            current->local_bytes = *current->local_bytes + number_after(line, "[").value_or(0);
        } else if (lines.take(line) || line.empty() || line.starts_with('.') || !is_inside || !has_body) {
            continue;
        } else if (line.ends_with(':')) {
            if (!is_of_debugger(line)) add_line(*current, line, lines);
        } else if (line != "(" && line != ")" && line != ");") {
            add_line(*current, line, lines);
        }
    }
    add_called(kernels, functions);
    return kernels;
}

namespace {

/// A line of objdump: "    1082:\tjle    23b0 <_pocl_kernel_k_workgroup+0x13b0>"
struct Disassembled {
    std::uint64_t address = 0;
    std::string text;
    XrayPlace place;
};

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The target of a jump or call: "jle 23b0 <k+0x13b0>" is at 0x23b0, in k, and begins with "jle ".
struct Jump {
    std::string before;
    std::uint64_t target = 0;
    std::string function;
};
std::optional<Jump> jump_of(const std::string& text) {
    const std::size_t name = text.find(" <");
    const std::size_t end = text.find('>', name);
    if (name == std::string::npos || end == std::string::npos) return std::nullopt;
    const std::size_t blank = text.find_last_of(" ,", name - 1);
    if (blank == std::string::npos) return std::nullopt;
    const auto target = hexadecimal(std::string_view(text).substr(blank + 1, name - blank - 1));
    if (!target) return std::nullopt;
    const std::string place = text.substr(name + 2, end - name - 2);
    return Jump{text.substr(0, blank + 1), *target, place.substr(0, place.find('+'))};
}

std::vector<Disassembled> lines_of_function(const std::vector<std::string>& lines,
                                            const std::string& function, const std::string& file,
                                            const std::string& folder) {
    std::vector<Disassembled> found;
    XrayPlace here;
    bool is_inside = false;
    for (const std::string& line : lines) {
        if (line.ends_with(">:")) {
            is_inside = line.ends_with(" <" + function + ">:");
            here = {};
        }
        if (!is_inside || line.empty() || line.ends_with(':')) continue;
        const std::size_t tab = line.find('\t');
        const std::string_view head = trim(std::string_view(line).substr(0, tab));
        if (tab != std::string::npos && head.ends_with(':')) {
            const auto address = hexadecimal(head.substr(0, head.size() - 1));
            const std::string text = in_one_blank(without_comment(line.substr(tab + 1), "#"));
            if (address && !text.empty()) found.push_back({*address, text, here});
            continue;
        }
        const std::size_t colon = line.rfind(':');
        if (colon == std::string::npos) continue;
        here = {};
        std::string name = line.substr(0, colon);
        const auto number = number_after(line, name + ":");
        const std::size_t at = name.rfind(folder);
        if (name != file && at != std::string::npos)
            name.erase(0, at + folder.size());
        else if (name != file)
            continue;  // of built-in functions
        here.file = name == file ? "" : name;
        here.line = static_cast<std::uint32_t>(number.value_or(0));
    }
    return found;
}

}  // namespace

MachineCode read_pocl_assembly(std::string_view text, const std::string& kernel, const std::string& file,
                               const std::string& folder) {
    MachineCode code;
    code.kernel = kernel;
    const std::vector<std::string> lines = split_lines(text);
    // PoCL runs a copy of this function that takes its arguments from memory, "…_workgroup", where the places
    // are lost.
    std::vector<std::string> functions = {"_pocl_kernel_" + kernel};
    std::size_t labels_so_far = 0;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const std::string function = functions[i];
        const std::vector<Disassembled> found = lines_of_function(lines, function, file, folder);
        std::map<std::uint64_t, std::string> labels;
        for (const Disassembled& line : found)
            if (const auto jump = jump_of(line.text); jump && jump->function == function)
                labels[jump->target];
        for (auto& [address, label] : labels) label = ".L" + std::to_string(++labels_so_far);
        if (i > 0 && !found.empty()) code.assembly.push_back({function + ":", {}, true});
        for (const Disassembled& line : found) {
            if (const auto label = labels.find(line.address); label != labels.end())
                code.assembly.push_back({label->second + ":", {}, true});
            std::string instruction = line.text;
            if (const auto jump = jump_of(line.text)) {
                const bool is_inside = jump->function == function;
                instruction = jump->before + (is_inside ? labels.at(jump->target) : jump->function);
                if (!is_inside && std::ranges::find(functions, jump->function) == functions.end())
                    functions.push_back(jump->function);
            }
            code.assembly.push_back({std::move(instruction), line.place, false, line.address});
            ++code.instructions;
        }
    }
    return code;
}

void add_ptxas_figures(std::string_view messages, std::vector<MachineCode>& kernels) {
    MachineCode* current = nullptr;
    for (const std::string& line : split_lines(messages)) {
        constexpr std::string_view kEntry = "Compiling entry function '";
        if (const std::size_t at = line.find(kEntry); at != std::string::npos) {
            const std::string name = line.substr(at + kEntry.size());
            const auto found =
                std::ranges::find(kernels, name.substr(0, name.find('\'')), &MachineCode::kernel);
            current = found == kernels.end() ? nullptr : &*found;
        }
        if (current == nullptr) continue;
        if (const auto stack = number_before(line, " bytes stack frame")) {
            current->scratch_bytes = *stack;
            current->spilled_bytes = number_before(line, " bytes spill stores").value_or(0) +
                                     number_before(line, " bytes spill loads").value_or(0);
        }
        if (const auto registers = number_before(line, " registers")) {
            current->registers = static_cast<std::uint32_t>(*registers);
            current->local_bytes = number_before(line, " bytes smem").value_or(0);
        }
    }
}

std::string ptx_for_ptxas(std::string_view text) {
    std::string out;
    for (const std::string& whole : split_lines(text)) {
        const std::string_view line = trim(whole);
        if (line.starts_with(".section")) break;  // only debug information follows
        // clang puts some of the debugger's labels in the middle of calls, where ptxas knows no labels.
        if (is_place(line) || line.starts_with(".file") || is_of_debugger(line)) continue;
        out += line.starts_with(".target") ? std::string(line.substr(0, line.find(','))) : whole;
        out += '\n';
    }
    return out;
}

}  // namespace kwb
