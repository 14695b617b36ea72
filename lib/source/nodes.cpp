// SPDX-License-Identifier: Apache-2.0
#include "source/nodes.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/json.hpp"
#include "base/text.hpp"

namespace kwb::source {
namespace {

constexpr std::size_t kMostNodes = 200'000;
constexpr std::size_t kMostDepth = 700;  // limited because the tree is walked by recursion

/// Processes the events of a JSON parser. A location contains its file and line only if they differ from
/// those of the previous location in the output, so all locations are processed in order, even those of
/// skipped nodes.
class Reader final : public nlohmann::json_sax<Json> {
public:
    Reader(std::string_view folder, Strings& strings) : folder_(folder), strings_(strings) {}

    Nodes take() { return std::move(nodes_); }
    bool complete() const { return complete_; }

    bool null() override { return true; }
    bool boolean(bool value) override {
        constexpr std::pair<std::string_view, bool Node::*> kFlags[] = {
            {"isPostfix", &Node::postfix},   {"hasElse", &Node::has_else}, {"hasInit", &Node::has_init},
            {"hasVar", &Node::has_variable}, {"isUsed", &Node::used},      {"isReferenced", &Node::used}};
        if (top() == Frame::Expansion && key_ == "isMacroArgExpansion") spot().argument = value;
        if (top() == Frame::Node && value)
            for (const auto& [name, flag] : kFlags)
                if (key_ == name) open_.back().*flag = true;
        return true;
    }
    bool number_integer(number_integer_t value) override {
        return number_unsigned(static_cast<number_unsigned_t>(value));
    }
    bool number_unsigned(number_unsigned_t value) override {
        const auto small = static_cast<std::uint32_t>(value);
        if (top() == Frame::Node && key_ == "value")
            open_.back().value = strings_.keep(std::to_string(value));
        if (!in_location()) return true;
        if (key_ == "line") line_ = small;
        if (key_ == "col") here_.column = small;
        if (key_ == "tokLen") here_.length = small;
        if (key_ == "offset") {
            here_.offset = small;
            here_set_ = true;
        }
        return true;
    }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool binary(binary_t&) override { return false; }

    bool string(string_t& value) override {
        struct Text {
            Frame frame;
            std::string_view key;
            std::string_view Node::*field;
        };
        constexpr Text kTexts[] = {{Frame::Node, "kind", &Node::kind},
                                   {Frame::Node, "name", &Node::name},
                                   {Frame::Node, "opcode", &Node::opcode},
                                   {Frame::Node, "value", &Node::value},
                                   {Frame::Node, "id", &Node::id},
                                   {Frame::Node, "tagUsed", &Node::tag},
                                   {Frame::Node, "declId", &Node::target},
                                   {Frame::Node, "targetLabelDeclId", &Node::target},
                                   {Frame::Type, "qualType", &Node::type},
                                   {Frame::Target, "id", &Node::target},
                                   {Frame::Target, "kind", &Node::target_kind},
                                   {Frame::Target, "name", &Node::target_name}};
        if (in_location() && key_ == "file") file_ = strings_.keep(value);
        for (const Text& text : kTexts)
            if (top() == text.frame && key_ == text.key) open_.back().*text.field = strings_.keep(value);
        return true;
    }

    bool start_object(std::size_t) override {
        Frame frame = Frame::Ignored;
        if (top() == Frame::Inner) {
            frame = Frame::Node;
            open_.emplace_back();
            if (open_.size() > kMostDepth || ++count_ > kMostNodes) return false;
        } else if (top() == Frame::Node) {
            frame = key_ == "loc"              ? Frame::Place
                    : key_ == "range"          ? Frame::Range
                    : key_ == "type"           ? Frame::Type
                    : key_ == "referencedDecl" ? Frame::Target
                                               : Frame::Ignored;
        } else if (top() == Frame::Range) {
            frame = key_ == "begin" ? Frame::Begin : Frame::End;
        } else if (is_spot(top())) {
            frame = key_ == "spellingLoc"    ? Frame::Spelling
                    : key_ == "expansionLoc" ? Frame::Expansion
                                             : Frame::Ignored;
        }
        frames_.push_back(frame);
        if (in_location()) here_ = {}, here_set_ = false;
        return true;
    }

    bool key(string_t& name) override {
        key_ = name;
        return true;
    }

    bool end_object() override {
        if (top() == Frame::Node) end_node();
        if (in_location() && here_set_) {
            here_.file = file_;
            here_.line = line_;
            Spot& spot = this->spot();
            if (top() != Frame::Expansion) spot.spelling = here_;
            if (top() != Frame::Spelling) spot.expansion = here_;
            spot.macro = spot.macro || top() == Frame::Expansion;
            here_set_ = false;
        }
        frames_.pop_back();
        return true;
    }

    bool start_array(std::size_t) override {
        const bool nodes = top() == Frame::Node && (key_ == "inner" || key_ == "array_filler");
        frames_.push_back(nodes ? Frame::Inner : Frame::Ignored);
        return true;
    }
    bool end_array() override {
        frames_.pop_back();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    enum class Frame { Node, Inner, Place, Range, Begin, End, Spelling, Expansion, Type, Target, Ignored };

    Frame top() const { return frames_.back(); }
    static bool is_spot(Frame frame) {
        return frame == Frame::Place || frame == Frame::Begin || frame == Frame::End;
    }
    bool in_location() const {
        return is_spot(top()) || top() == Frame::Spelling || top() == Frame::Expansion;
    }

    /// The spot of the innermost open node to which the current location belongs.
    Spot& spot() {
        Frame frame = top();
        if (!is_spot(frame)) frame = frames_[frames_.size() - 2];
        Node& node = open_.back();
        return frame == Frame::Place ? node.place : frame == Frame::Begin ? node.begin : node.end;
    }

    void end_node() {
        Node node = std::move(open_.back());
        open_.pop_back();
        if (open_.empty()) {
            complete_ = true;
        } else if (open_.size() > 1) {
            open_.back().inner.push_back(std::move(node));
        } else if (node.place.expansion.file.starts_with(folder_)) {
            nodes_.declarations.push_back(std::move(node));
        } else if (node.kind == "TypedefDecl") {
            nodes_.header_types.emplace(node.name, node.type);
        }
    }

    std::string_view folder_;
    Strings& strings_;
    Nodes nodes_;
    std::vector<Frame> frames_{Frame::Inner};  // the tree is the only element of a list
    std::vector<Node> open_;
    std::string key_;
    Location here_;
    bool here_set_ = false;
    std::string_view file_;
    std::uint32_t line_ = 0;
    std::size_t count_ = 0;
    bool complete_ = false;
};

/// Adds the numbers of a member such as "float4 v" or "double[3] d".
/// @return  false if it is anything else
bool add_numbers(Record& record, std::string_view offset, std::string_view member) {
    constexpr std::size_t kMostNumbers = 64;
    std::uint64_t at = 0;
    const auto [end, error] = std::from_chars(offset.data(), offset.data() + offset.size(), at);
    if (error != std::errc{} || end != offset.data() + offset.size()) return false;  // a bit field: "4:0-3"
    const std::string_view type = member.substr(0, member.rfind(' '));
    const auto element = parse_element_type(type.substr(0, type.find('[')));
    if (!element) return false;
    std::uint64_t times = 1;
    for (std::size_t open = type.find('['); open != std::string_view::npos; open = type.find('[', open + 1)) {
        std::uint64_t extent = 0;
        std::from_chars(type.data() + open + 1, type.data() + type.size(), extent);
        if (extent == 0 || extent > kMostNumbers) return false;
        times *= extent;
    }
    if (record.numbers.size() + times * element->width > kMostNumbers) return false;
    for (std::uint64_t i = 0; i < times; ++i)
        for (unsigned c = 0; c < element->width; ++c)
            record.numbers.push_back(
                {at + i * element->bytes() + c * scalar_bytes(element->scalar), element->scalar});
    return true;
}

/// Parses layouts such as "   0 | struct P", "   0 |   short s" … "     | [sizeof=10, align=2]".
std::map<std::string, Record> read_layouts(std::string_view text) {
    // Structures of a few numbers may be aligned to many thousands of bytes, and every launch would pass
    // them.
    constexpr std::uint64_t kMostRecordBytes = 4096;
    std::map<std::string, Record> records;
    std::string name;
    Record record;
    bool holds_numbers = true;
    const std::vector<std::string> lines = split_lines(text);
    const auto indent_of = [&](std::size_t line) {
        const std::size_t bar = line < lines.size() ? lines[line].find(" | ") : std::string::npos;
        return bar == std::string::npos ? 0 : lines[line].find_first_not_of(' ', bar + 3) - bar;
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (line.find("*** Dumping AST Record Layout") != std::string::npos) {
            name.clear();
            record = {};
            holds_numbers = true;
        }
        const std::size_t bar = line.find(" | ");
        if (bar == std::string::npos) continue;
        const std::string rest = line.substr(bar + 3);
        constexpr std::string_view kSize = "[sizeof=";
        if (name.empty()) {
            name = rest;
            holds_numbers = rest.starts_with("struct ");
        } else if (rest.starts_with(kSize)) {
            const auto [end, error] =
                std::from_chars(rest.data() + kSize.size(), rest.data() + rest.size(), record.bytes);
            const bool inside = std::ranges::all_of(record.numbers, [&](const Record::Number& number) {
                return number.offset + scalar_bytes(number.scalar) <= record.bytes;
            });
            if (!holds_numbers || !inside || record.bytes > kMostRecordBytes) record.numbers.clear();
            if (error == std::errc{} && *end == ',') records.insert_or_assign(name, record);
        } else if (indent_of(i + 1) > indent_of(i)) {  // a structure, whose members follow
            holds_numbers = holds_numbers && !trim(rest).starts_with("union ");
        } else {
            holds_numbers = holds_numbers && add_numbers(record, trim(line.substr(0, bar)), trim(rest));
        }
    }
    return records;
}

}  // namespace

std::optional<Nodes> read_nodes(std::string_view printed, std::string_view folder, Strings& strings) {
    std::size_t start = printed.starts_with("{") ? 0 : printed.find("\n{");
    if (start == std::string_view::npos) return std::nullopt;
    if (start > 0) ++start;
    Reader reader(folder, strings);
    const std::string_view tree = printed.substr(start);
    if (!Json::sax_parse(tree.begin(), tree.end(), &reader) || !reader.complete()) return std::nullopt;
    Nodes nodes = reader.take();
    nodes.records = read_layouts(printed.substr(0, start));
    return nodes;
}

}  // namespace kwb::source
