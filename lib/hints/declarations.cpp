#include "hints/declarations.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <string>

#include "hints/condition.hpp"
#include "hints/types.hpp"
#include "model/device_fit.hpp"

namespace kwb::hints {
namespace {

struct NotFollowed {};

constexpr int kMostNested = 20;  // of structs and sizeof within each other
constexpr Extent kPointer{8, 8};

bool is_local_word(std::string_view word) {
    return word == "local" || word == "__local";
}

bool begins_declaration(std::string_view word) {
    static constexpr std::array<std::string_view, 8> kWords{"typedef", "struct", "union",    "enum",
                                                            "const",   "static", "constant", "__constant"};
    return std::ranges::count(kWords, word) > 0;
}

template <class Names, class Value>
void note(Names& names, std::string_view name, std::optional<Value> value) {
    const auto [place, added] = names.emplace(name, value);
    if (!added && place->second != value) place->second = std::nullopt;
}

template <class Names>
auto find(const Names& names, std::string_view name) {
    const auto place = names.find(name);
    if (place == names.end() || !place->second) throw NotFollowed{};
    return *place->second;
}

}  // namespace

/// Reads from one place on; throws NotFollowed.
class Declarations::Reader {
public:
    Reader(Declarations& known, std::size_t at, int level = 0) : known_(known), at_(at), level_(level) {
        if (level > kMostNested) throw NotFollowed{};
    }

    std::vector<DeclaredObject> declaration() {
        const bool names_types = accept("typedef");
        const Base base = specifiers();
        std::vector<DeclaredObject> objects;
        while (!is(";")) {
            const DeclaredObject object = declarator(base, names_types);
            // Of a type that puts its variables into local memory nobody looks at the variables.
            if (names_types)
                note(known_.types_, object.name, object.local ? std::nullopt : std::optional(object.extent));
            else
                objects.push_back(object);
            if (!accept(",")) break;
        }
        expect(";");
        return objects;
    }

private:
    struct Base {
        Extent extent;
        bool local = false;
        bool constant = false;
        bool has_body = false;  ///< of a struct
        bool aligned = false;
    };

    bool is(std::string_view word) const {
        return at_ < known_.tokens_.size() && known_.tokens_[at_].is(word);
    }
    bool is_name() const { return at_ < known_.tokens_.size() && known_.tokens_[at_].is_name(); }
    std::string_view word() const { return known_.tokens_[at_].text; }
    bool accept(std::string_view word) {
        if (!is(word)) return false;
        ++at_;
        return true;
    }
    void expect(std::string_view word) {
        if (!accept(word)) throw NotFollowed{};
    }

    /// To behind what closes the bracket here.
    void skip_brackets() {
        int depth = 0;
        do {
            if (at_ >= known_.tokens_.size()) throw NotFollowed{};
            if (is("(") || is("[") || is("{")) ++depth;
            if (is(")") || is("]") || is("}")) --depth;
            ++at_;
        } while (depth > 0);
    }

    /// @return  were there any? They say how to align, else it throws
    bool attributes() {
        bool any = false;
        for (; accept("__attribute__"); any = true) {
            const std::size_t word = at_ + 2;
            if (!is("(") || word >= known_.tokens_.size() || !known_.tokens_[word].is("aligned"))
                throw NotFollowed{};
            skip_brackets();
        }
        return any;
    }

    Base specifiers() {
        Base base;
        bool typed = false;
        std::vector<std::string_view> words;
        for (; is_name(); ++at_) {
            if (word() == "__attribute__") {
                if (attributes()) base.aligned = true;
                --at_;
            } else if (is_qualifier(word())) {
                base.local = base.local || is_local_word(word());
                base.constant =
                    base.constant || word() == "const" || word() == "constant" || word() == "__constant";
            } else if (word() == "struct" || word() == "union") {
                base.extent = aggregate(base.has_body);
                typed = true;
                --at_;
            } else if (word() == "enum") {
                enumeration();
                base.extent = {4, 4};
                typed = true;
                --at_;
            } else if (is_integer_word(word()) && !typed) {
                words.push_back(word());
            } else if (!typed && words.empty()) {
                const auto builtin = builtin_extent(word());
                base.extent = builtin ? *builtin : find(known_.types_, word());
                typed = true;
            } else {
                break;
            }
        }
        if (!words.empty()) base.extent = integer_extent(words);
        if (!typed && words.empty()) throw NotFollowed{};
        return base;
    }

    Extent aggregate(bool& has_body) {
        const bool is_union = word() == "union";
        ++at_;
        std::string_view tag;
        if (is_name() && word() != "__attribute__") {
            tag = word();
            ++at_;
        }
        if (!is("{")) return find(known_.tags_, tag);
        Reader members(known_, at_ + 1, level_ + 1);
        std::optional<Extent> layout;
        try {
            layout = members.members(is_union);
        } catch (const NotFollowed&) {
            if (!tag.empty()) note<Names<Extent>, Extent>(known_.tags_, tag, std::nullopt);
            throw;
        }
        at_ = members.at_;
        if (is("__attribute__")) throw NotFollowed{};  // packed, aligned
        if (!tag.empty()) note(known_.tags_, tag, layout);
        has_body = true;
        return *layout;
    }

    /// Up to behind the closing brace.
    Extent members(bool is_union) {
        Extent all;
        const auto round_up = [](std::uint64_t bytes, std::uint64_t to) {
            return add_bytes(bytes, to - 1) / to * to;
        };
        while (!accept("}")) {
            const Base base = specifiers();
            while (true) {
                const Extent member = declarator(base, true).extent;
                all.alignment = std::max(all.alignment, member.alignment);
                all.bytes = is_union ? std::max(all.bytes, member.bytes)
                                     : add_bytes(round_up(all.bytes, member.alignment), member.bytes);
                if (!accept(",")) break;
            }
            expect(";");
        }
        all.bytes = round_up(all.bytes, all.alignment);
        return all;
    }

    void enumeration() {
        ++at_;
        if (is_name()) ++at_;
        if (!accept("{")) return;
        std::optional<std::int64_t> next = 0;
        while (!accept("}")) {
            if (!is_name()) throw NotFollowed{};
            const std::string_view name = word();
            ++at_;
            if (accept("=")) next = initial_value();
            note(known_.constants_, name, next);
            if (next) next = *next + 1;
            if (!accept(",") && !is("}")) throw NotFollowed{};
        }
    }

    /// @param is_part  a type or a member: its alignment changes the size of others
    DeclaredObject declarator(const Base& base, bool is_part) {
        DeclaredObject object{{}, base.extent, base.local};
        while (is("*") || (is_name() && is_qualifier(word()))) {
            if (is("*")) object = {{}, kPointer, false};
            if (is_local_word(word())) object.local = true;
            ++at_;
        }
        const bool to_array = is("(");  // (*rows)[16]
        if (to_array) {
            ++at_;
            expect("*");
            object = {{}, kPointer, false};
        }
        if (!is_name()) throw NotFollowed{};
        object.name = word();
        ++at_;
        if (to_array) expect(")");
        const bool plain = !is("[");
        while (is("[")) {
            const std::size_t open = at_;
            skip_brackets();
            if (to_array) continue;
            const auto extent = evaluate(open + 1, at_ - 1);
            if (!extent || *extent < 1) throw NotFollowed{};
            object.extent.bytes = multiply_bytes(object.extent.bytes, static_cast<std::uint64_t>(*extent));
        }
        if ((attributes() || base.aligned) && (is_part || base.has_body)) throw NotFollowed{};
        if (accept("=")) {
            const auto value = initial_value();
            if (base.constant && plain) note(known_.constants_, object.name, value);
        }
        return object;
    }

    /// Up to the comma or semicolon behind it.
    std::optional<std::int64_t> initial_value() {
        const std::size_t from = at_;
        while (!is(",") && !is(";") && !is("}")) {
            if (is("(") || is("[") || is("{"))
                skip_brackets();
            else if (++at_ >= known_.tokens_.size())
                throw NotFollowed{};
        }
        return evaluate(from, at_);
    }

    /// The value of the constant expression between two places.
    std::optional<std::int64_t> evaluate(std::size_t from, std::size_t to) const {
        std::vector<Token> words;
        std::deque<std::string> texts;
        const auto push = [&](std::int64_t value) {
            Token number;
            number.kind = TokenKind::Number;
            number.text = texts.emplace_back(std::to_string(value));
            words.push_back(number);
        };
        for (std::size_t at = from; at < to; ++at) {
            const Token& token = known_.tokens_[at];
            if (token.is("sizeof")) {
                Reader type(known_, at + 1, level_ + 1);
                push(static_cast<std::int64_t>(type.size_of_type()));
                at = type.at_ - 1;
            } else if (token.is("(") && at + 1 < to && is_type_word(known_.tokens_[at + 1].text)) {
                while (at < to && !known_.tokens_[at].is(")")) ++at;  // a cast
            } else if (token.is_name() && token.text != "true" && token.text != "false") {
                const auto known = known_.constants_.find(token.text);
                if (known == known_.constants_.end() || !known->second) return std::nullopt;
                push(*known->second);
            } else {
                words.push_back(token);
            }
        }
        return evaluate_condition(words);
    }

    bool is_type_word(std::string_view word) const {
        return is_integer_word(word) || builtin_extent(word) || known_.types_.contains(word);
    }

    /// `(float4)`, `(int[4])`, `(struct s*)`; not of variables.
    std::uint64_t size_of_type() {
        expect("(");
        const Base base = specifiers();
        std::uint64_t bytes = base.extent.bytes;
        while (accept("*")) bytes = kPointer.bytes;
        expect(")");
        return bytes;
    }

    Declarations& known_;
    std::size_t at_;
    int level_;
};

Declarations::Declarations(std::span<const Token> tokens) : tokens_(tokens) {
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const bool starts =
            at == 0 || tokens[at - 1].is(";") || tokens[at - 1].is("{") || tokens[at - 1].is("}");
        if (starts && begins_declaration(tokens[at].text)) read(at);
    }
}

std::optional<std::vector<DeclaredObject>> Declarations::read(std::size_t from) try {
    return Reader(*this, from).declaration();
} catch (const NotFollowed&) {
    return std::nullopt;
}

}  // namespace kwb::hints
