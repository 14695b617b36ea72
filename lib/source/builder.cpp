// SPDX-License-Identifier: Apache-2.0
// Builds a Program; the part of Builder for declarations at file scope.
#include <algorithm>
#include <cctype>
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
        if (!fault.own) {
            fault.name = fault.file.substr(answer.folder.size());
            fault.line = files.include_line(fault.file);
        }
        faults.push_back(std::move(fault));
    }
    return faults;
}

bool is_kernel_attribute(std::string_view kind) {
    return kind == "OpenCLKernelAttr" || kind == "DeviceKernelAttr";  // the latter since clang 21
}

/// True if the record has attributes, some of which change its layout after it was printed.
bool is_laid_out_anew(const Node& record) {
    return std::ranges::any_of(record.inner, [](const Node& part) { return part.kind.ends_with("Attr"); });
}

bool calls_anything(const Node& node, const std::unordered_map<std::string_view, std::size_t>& functions) {
    if (node.kind == "DeclRefExpr" && node.target_kind == "FunctionDecl" &&
        (is_barrier(node.target_name) || functions.contains(node.target_name)))
        return true;
    return std::ranges::any_of(node.inner, [&](const Node& part) { return calls_anything(part, functions); });
}

}  // namespace

const Node& child(const Node& node, std::size_t at) {
    if (at >= node.inner.size()) throw Unreadable{};
    return node.inner[at];
}

void Builder::build() {
    const Node* before = nullptr;
    for (const Node& node : nodes_.declarations) {
        if (node.kind == "TypedefDecl") declare_type(node, before);
        if (node.kind == "RecordDecl" && is_laid_out_anew(node))
            types_.records.erase(std::string(node.tag) + " " + std::string(node.name));
        if (node.kind == "VarDecl") {
            try {
                const SymbolId id = declare(node);
                if (!node.inner.empty()) {
                    const ExprId initial = expression(node.inner.front());
                    program_.symbols[static_cast<std::size_t>(id)].initial = initial;
                }
            } catch (const Unreadable&) {
                // its initial value stays unknown
            }
        }
        if (node.kind == "FunctionDecl") add_function(node);
        before = &node;
    }
    program_.records = types_.records;
    for (const auto& [name, type] : types_.own) {
        if (const auto record = types_.records.find(type); record != types_.records.end())
            program_.records.emplace(name, record->second);
        const TypeParts parts = take_apart(type);
        const std::string plain = types_.plain_name(name);
        if (!parts.pointer && parts.extents.empty() && plain != name && !plain.starts_with("struct ") &&
            !plain.starts_with("union ") && plain.find('(') == std::string::npos)
            program_.typedefs.emplace(name, plain);
    }
    std::ranges::stable_sort(program_.statement_starts, {},
                             [](const StatementStart& start) { return std::pair(start.file, start.offset); });
}

/// @param before  the preceding declaration; may be the unnamed struct that this typedef names
void Builder::declare_type(const Node& node, const Node* before) {
    types_.own.insert_or_assign(std::string(node.name), node.type);
    if (before == nullptr || before->kind != "RecordDecl" || !before->name.empty() ||
        is_laid_out_anew(*before))
        return;
    const Location& at = before->place.expansion;
    const std::string end =
        " at " + std::string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ")";
    for (const auto& [name, record] : nodes_.records)
        if (name.ends_with(end)) {
            types_.records[std::string(node.name)] = record;
            types_.records[std::string(node.type)] = record;
        }
}

SymbolId Builder::declare(const Node& node) {
    TypeParts parts = take_apart(node.type);
    Symbol symbol;
    symbol.name = node.name;
    symbol.pointer = parts.pointer;
    symbol.space = parts.pointer ? parts.pointee_space : parts.space;
    symbol.in_local = parts.space == Space::Local;
    symbol.array = !parts.extents.empty();
    symbol.used = node.used;
    symbol.bytes = types_.bytes_of(node.type);
    std::string plain = types_.plain_name(parts.element);
    // An undefined type, perhaps a macro that the host program would define.
    for (const Fault& fault : program_.faults) {
        constexpr std::string_view kUnknown = "unknown type name '";
        const Place at = files_.place_of(node.begin);
        if (fault.line != at.line || fault.own != at.own || !fault.message.starts_with(kUnknown)) continue;
        const std::string unknown = fault.message.substr(
            kUnknown.size(), fault.message.find('\'', kUnknown.size()) - kUnknown.size());
        if (files_.text_between(node.begin.expansion, node.end.expansion).find(unknown) !=
            std::string_view::npos) {
            plain = unknown;
            symbol.bytes = std::nullopt;
        }
    }
    symbol.type = strings_.keep(plain);
    symbol.aggregate = types_.is_record(parts.element);
    const bool is_image = std::string_view(parts.element).starts_with("image");
    symbol.is_const =
        (symbol.pointer || is_image) && (parts.element_const || symbol.space == Space::Constant);
    symbol.extents = std::move(parts.extents);
    program_.symbols.push_back(std::move(symbol));
    const auto id = static_cast<SymbolId>(program_.symbols.size() - 1);
    symbols_.insert_or_assign(node.id, id);
    return id;
}

bool Builder::has_fault(const Node& node) const {
    return std::ranges::any_of(program_.faults, [&](const Fault& fault) {
        return Files::encloses(node, fault.file, fault.file_line);
    });
}

/// Reads `__attribute__((reqd_work_group_size(TILE, 4, 1)))` from the source text: the tree gives only its
/// position.
void Builder::read_attributes(const Node& node, Function& function) const {
    for (const Node& part : node.inner) {
        if (is_kernel_attribute(part.kind)) function.kernel = true;
        if (part.kind != "ReqdWorkGroupSizeAttr") continue;
        std::string_view text = files_.text_between(part.begin.spelling, part.end.spelling);
        const std::size_t open = text.find('(');
        if (open == std::string_view::npos || !text.ends_with(')')) continue;
        text = text.substr(open + 1, text.size() - open - 2);
        std::array<std::uint64_t, 3> sizes{};
        const std::vector<std::string> pieces = split(text, ',');
        bool known = pieces.size() == sizes.size();
        for (std::size_t i = 0; known && i < sizes.size(); ++i) {
            std::string piece(trim(pieces[i]));
            for (int follow = 0;
                 follow < 4 && !piece.empty() && std::isdigit(static_cast<unsigned char>(piece[0])) == 0;
                 ++follow)
                piece = files_.macro_value(piece);
            const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), sizes[i]);
            known = error == std::errc{} && end == piece.data() + piece.size();
        }
        if (known) function.work_group = sizes;
    }
}

/// Collects labels that are followed by neither barriers nor calls: a jump there leaves the function.
void Builder::note_ends(const Node& body) {
    ends_.clear();
    for (std::size_t i = body.inner.size(); i-- > 0;) {
        const Node& part = body.inner[i];
        if (calls_anything(part, program_.function_places)) return;
        for (const Node* label = &part; label->kind == "LabelStmt" && !label->inner.empty();
             label = &label->inner.front())
            ends_.insert(label->target);
    }
}

void Builder::add_function(const Node& node) {
    const auto body = std::ranges::find(node.inner, "CompoundStmt", &Node::kind);
    if (body == node.inner.end()) return;
    Function function{.name = node.name};
    function.place = place(node.place);
    read_attributes(node, function);
    for (const Node& part : node.inner)
        if (part.kind == "ParmVarDecl") {
            const SymbolId id = declare(part);
            if (!part.name.empty()) function.parameters.push_back(id);
        }
    program_.function_places.emplace(function.name, program_.functions.size());
    note_ends(*body);
    function_ = &function;
    try {
        const StatementId id = statement(*body);
        function.body = id;
        function.readable = !has_fault(node);
    } catch (const Unreadable&) {
        function.calls.clear();
        function.variables.clear();
        note_unfollowed(*body);
    }
    function_ = nullptr;
    program_.functions.push_back(std::move(function));
}

const Function* Program::find_function(std::string_view name) const {
    const auto found = function_places.find(name);
    // A function is known by its name before it is complete.
    if (found == function_places.end() || found->second >= functions.size()) return nullptr;
    return &functions[found->second];
}

bool Program::ends_in_jump(StatementId id) const {
    while (id != kNone && statement(id).kind == StatementKind::Block && !statement(id).children.empty())
        id = statement(id).children.back();
    return id != kNone && statement(id).is_jump();
}

bool is_barrier(std::string_view function) {
    return function == "barrier" || function == "work_group_barrier";
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
