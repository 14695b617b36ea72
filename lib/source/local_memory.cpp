#include "source/local_memory.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "model/device_fit.hpp"
#include "source/directives.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

using Bytes = std::map<std::string, std::uint64_t>;

std::optional<std::uint64_t> add_up(const source::Program& program, const source::Function& function) {
    std::uint64_t sum = 0;
    for (const source::SymbolId id : function.variables) {
        const source::Symbol& variable = program.symbol(id);
        if (!variable.in_local) continue;
        if (!variable.bytes) return std::nullopt;
        if (variable.used) sum = add_bytes(sum, *variable.bytes);
    }
    return sum;
}

Bytes read_once(const SourceText& source) {
    const Reading reading = read_source(source);
    Bytes found;
    if (!reading.program || !reading.program->faults.empty()) return found;
    for (const source::Function& function : reading.program->functions)
        if (const auto bytes = function.kernel ? add_up(*reading.program, function) : std::nullopt)
            found.emplace(function.name, *bytes);
    return found;
}

bool is_reserved(std::string_view name) {
    return name.starts_with("_") || name.starts_with("CL_") || name.starts_with("cl_");
}

/// Names in preprocessor conditions that the compiler, not the source, defines.
std::set<std::string> find_compiler_names(const SourceText& source) {
    std::set<std::string> asked, defined;
    const auto look_through = [&](const std::string& text) {
        const std::string blanked = blank_comments(text);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword == "define") defined.emplace(leading_identifier(line.rest));
            if (!line.keyword.starts_with("if") && line.keyword != "elif") continue;
            for (std::string_view rest = line.rest; !rest.empty();) {
                const std::string_view word = leading_identifier(rest);
                if (is_reserved(word)) asked.emplace(word);
                rest.remove_prefix(std::max<std::size_t>(1, word.size()));
            }
        }
    };
    look_through(source.text);
    for (const auto& [name, text] : source.includes) look_through(text);
    for (const auto& [name, value] : source.macros) defined.insert(name);
    for (const std::string& name : defined) asked.erase(name);
    return asked;
}

void keep_equal(Bytes& found, const Bytes& other) {
    std::erase_if(found, [&](const auto& entry) {
        const auto same = other.find(entry.first);
        return same == other.end() || same->second != entry.second;
    });
}

}  // namespace

std::map<std::string, std::uint64_t> find_local_memory(const SourceText& source) {
    const auto speaks_of_it = [](const std::string& text) { return text.find("local") != std::string::npos; };
    if (!speaks_of_it(source.text) &&
        std::ranges::none_of(source.includes, [&](const auto& file) { return speaks_of_it(file.value); }))
        return {};
    Bytes found = read_once(source);
    const std::set<std::string> names = find_compiler_names(source);
    if (names.empty()) return found;
    std::string with, without;
    for (const std::string& name : names) {
        const bool everywhere = name.starts_with("__OPENCL_");
        with += "#define " + name + " 300\n";
        without += everywhere ? "#define " + name + " 110\n" : "#undef " + name + '\n';
    }
    for (const std::string& prefix : {with, without}) {
        SourceText other = source;
        other.text.insert(0, prefix);
        keep_equal(found, read_once(other));
    }
    return found;
}

}  // namespace kwb
