// SPDX-License-Identifier: Apache-2.0
#include "source/fingerprint.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kwb::source {
namespace {

using Hash = std::uint64_t;

/// The finalizer of SplitMix64: G. Steele et al., "Fast splittable pseudorandom number generators", 2014.
constexpr Hash mix(Hash value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

constexpr Hash combine(Hash a, Hash b) {
    return mix(a ^ mix(b));
}

/// FNV-1a.
constexpr Hash hash_text(std::string_view text) {
    Hash hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mix(hash);
}

template <class Enum>
constexpr Hash hash_kind(Enum kind, Hash salt) {
    return mix(static_cast<Hash>(kind) + (salt << 32));
}

constexpr Hash kStatementSalt = 1;
constexpr Hash kExprSalt = 2;
constexpr Hash kNothing = 3;

/// Rounds after which two variables of one type are told apart by their uses: by those in a statement, by
/// those of the variables there, and by one step more.
constexpr int kRounds = 3;

/// One function. A variable is represented by its type, and by what `naming` adds.
class FunctionHasher {
public:
    enum class Naming {
        Types,   ///< nothing
        Places,  ///< the number of its declaration
        Uses,    ///< where it is used, whatever the order of the statements
    };
    FunctionHasher(const Program& program, const Function& function,
                   const std::unordered_map<std::string_view, Hash>& callees, Naming naming)
        : program_(program), function_(function), callees_(callees), naming_(naming) {
        name_variables();
    }

    Hash hash() {
        if (naming_ == Naming::Uses)
            for (int round = 0; round < kRounds; ++round) refine();
        return hash_function();
    }

    /// Of each statement; call it after hash().
    std::vector<Hash>& statements() { return statements_; }

private:
    void name_variables() {
        std::size_t number = 0;
        for (const SymbolId id : function_.parameters)
            names_[id] =
                combine(hash_symbol(id), ++number);  // the order of parameters is part of the problem
        for (const SymbolId id : function_.variables)
            names_[id] = combine(hash_symbol(id), naming_ == Naming::Places ? ++number : 0);
    }

    Hash hash_symbol(SymbolId id) const {
        const Symbol& symbol = program_.symbol(id);
        Hash hash = hash_text(symbol.type);
        hash = combine(hash, static_cast<Hash>(symbol.space) * 8 + (symbol.pointer ? 4u : 0u) +
                                 (symbol.array ? 2u : 0u) + (symbol.in_local ? 1u : 0u));
        for (const std::int64_t extent : symbol.extents) hash = combine(hash, static_cast<Hash>(extent));
        return hash;
    }

    Hash hash_function() {
        statements_.clear();
        Hash hash = function_.kernel ? Hash{1} : Hash{2};
        for (const SymbolId id : function_.parameters) hash = combine(hash, names_.at(id));
        return combine(hash, statement(function_.body));
    }

    /// Adds to each variable where it is used.
    void refine() {
        uses_.clear();
        hash_function();
        for (auto& [symbol, name] : names_)
            if (const auto used = uses_.find(symbol); used != uses_.end()) name = combine(name, used->second);
    }

    // Statements.

    Hash statement(StatementId id) {
        if (id == kNone) return kNothing;
        const Statement& s = program_.statement(id);
        if (s.kind == StatementKind::Block) return block(s);
        if (s.kind == StatementKind::Declaration) {
            Hash hash = hash_kind(s.kind, kStatementSalt);
            for (const SymbolId symbol : s.symbols) hash = combine(hash, declaration(symbol));
            return hash;
        }
        const Hash kind = hash_kind(s.kind, kStatementSalt);
        const Hash init = statement(s.init);
        const Hash head = note_hash(combine(combine(kind, expression(s.expr)), expression(s.step)));
        const Hash body = statement(s.body);
        return combine(combine(head, init), combine(body, statement(s.otherwise)));
    }

    /// `int x = 1, y;` is the same as two declarations, and braces around one statement mean nothing.
    Hash block(const Statement& s) {
        std::vector<Hash> parts;
        for (const StatementId id : s.children) {
            const Statement& child = program_.statement(id);
            if (child.kind == StatementKind::Declaration)
                for (const SymbolId symbol : child.symbols) parts.push_back(declaration(symbol));
            else if (!child.is_semicolon)
                parts.push_back(statement(id));
        }
        if (parts.size() == 1) return parts.front();
        if (naming_ != Naming::Places) std::ranges::sort(parts);
        Hash hash = hash_kind(s.kind, kStatementSalt);
        for (const Hash part : parts) hash = combine(hash, part);
        return hash;
    }

    Hash declaration(SymbolId id) {
        Hash hash = hash_kind(StatementKind::Declaration, kStatementSalt);
        hash = combine(hash, name_of(id, hash));
        hash = combine(hash, expression(program_.symbol(id).initial));
        return note_hash(hash);
    }

    /// Ends a statement: what was used in it is known to be used with this.
    Hash note_hash(Hash hash) {
        statements_.push_back(hash);
        for (const auto& [symbol, context] : used_here_) uses_[symbol] += combine(hash, context);
        used_here_.clear();
        return hash;
    }

    // Expressions.

    Hash expression(ExprId id, Hash context = 0) {
        if (id == kNone) return kNothing;
        const Expr& e = program_.expr(id);
        Hash hash = hash_kind(e.kind, kExprSalt);
        if (e.kind == ExprKind::Name && e.symbol != kNone) return combine(hash, name_of(e.symbol, context));
        if (e.kind == ExprKind::Call)
            hash = combine(hash, callee(e.op));
        else
            hash = combine(hash, hash_text(e.op));
        Hash inner = combine(context, hash);
        if (e.kind != ExprKind::Call)  // there, `a` is only the name
            hash = combine(hash, expression(e.a, inner = mix(inner)));
        hash = combine(hash, expression(e.b, inner = mix(inner)));
        hash = combine(hash, expression(e.c, inner = mix(inner)));
        for (const ExprId item : e.items) hash = combine(hash, expression(item, inner = mix(inner)));
        return hash;
    }

    Hash name_of(SymbolId id, Hash context) {
        used_here_.emplace_back(id, context);
        const auto known = names_.find(id);
        return known != names_.end() ? known->second : hash_symbol(id);  // a constant of the whole file
    }

    /// Functions of the source itself may have any name.
    Hash callee(std::string_view name) const {
        const auto own = callees_.find(name);
        return own != callees_.end() ? own->second : hash_text(name);
    }

    const Program& program_;
    const Function& function_;
    const std::unordered_map<std::string_view, Hash>& callees_;
    Naming naming_;
    std::unordered_map<SymbolId, Hash> names_;
    std::unordered_map<SymbolId, Hash> uses_;  ///< a sum, because it has no order
    std::vector<std::pair<SymbolId, Hash>> used_here_;
    std::vector<Hash> statements_;
};

using Naming = FunctionHasher::Naming;

/// Of the functions in the order of the source, which is also that of calls: OpenCL C has no recursion.
std::vector<Hash> hash_functions(const Program& program, Naming naming, std::vector<Hash>* statements) {
    std::unordered_map<std::string_view, Hash> known;
    std::vector<Hash> hashes;
    for (const Function& function : program.functions) {
        FunctionHasher hasher(program, function, known, naming);
        hashes.push_back(hasher.hash());
        known[function.name] = hashes.back();
        if (statements != nullptr)
            statements->insert(statements->end(), hasher.statements().begin(), hasher.statements().end());
    }
    return hashes;
}

Hash combine_all(const std::vector<Hash>& hashes) {
    Hash all = kNothing;
    for (const Hash hash : hashes) all = combine(all, hash);
    return all;
}

}  // namespace

std::optional<Fingerprint> fingerprint_of(const Program& program) {
    if (program.functions.empty() || !std::ranges::all_of(program.functions, &Function::readable))
        return std::nullopt;
    Fingerprint print;
    print.ordered = combine_all(hash_functions(program, Naming::Places, nullptr));
    std::vector<Hash> unordered = hash_functions(program, Naming::Uses, nullptr);
    std::ranges::sort(unordered);
    print.unordered = combine_all(unordered);
    hash_functions(program, Naming::Types, &print.statements);
    std::ranges::sort(print.statements);
    return print;
}

std::size_t count_own_statements(const Fingerprint& print, std::span<const std::uint64_t> given) {
    std::vector<Hash> own;
    std::ranges::set_difference(print.statements, given, std::back_inserter(own));
    return own.size();
}

}  // namespace kwb::source
