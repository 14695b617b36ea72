#include "source/tree.hpp"

#include <charconv>

#include "base/text.hpp"
#include "source/builder.hpp"

namespace kwb::source {
namespace {

std::uint32_t take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(':')) text.remove_prefix(1);
    return number;
}

/// "FILE:3:14: error: use of undeclared identifier 'TILE'"
std::vector<Fault> read_faults(const CompilerAnswer& answer, const Files& files) {
    std::vector<Fault> faults;
    for (const std::string& line : split_lines(answer.messages)) {
        if (!line.starts_with(answer.folder)) continue;
        const std::size_t file_end = line.find(':', answer.folder.size());
        if (file_end == std::string::npos) continue;
        Fault fault;
        fault.file = line.substr(0, file_end);
        std::string_view rest = std::string_view(line).substr(file_end + 1);
        fault.line = fault.file_line = take_number(rest);
        fault.column = take_number(rest);
        rest = trim(rest);
        if (rest.starts_with("fatal ")) rest.remove_prefix(6);
        if (!rest.starts_with("error: ")) continue;
        fault.message = rest.substr(7);
        fault.own = fault.file == answer.folder + kMainName;
        if (!fault.own) fault.line = files.include_line(fault.file);
        faults.push_back(std::move(fault));
    }
    return faults;
}

}  // namespace

const Function* Program::find_function(std::string_view name) const {
    const auto found = function_places.find(name);
    return found == function_places.end() || found->second >= functions.size() ? nullptr
                                                                               : &functions[found->second];
}

std::optional<Program> build_program(const SourceText& text, const CompilerAnswer& answer) {
    const auto strings = std::make_shared<Strings>();
    const auto nodes = read_nodes(answer.output, answer.folder, *strings);
    if (!nodes) return std::nullopt;
    Program program;
    program.strings = strings;
    const Files files(text, answer.folder, *strings);
    program.faults = read_faults(answer, files);
    Builder(program, files, *strings, *nodes).build();
    return program;
}

}  // namespace kwb::source
