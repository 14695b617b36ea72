// SPDX-License-Identifier: Apache-2.0
#include "judge/whatif/near_subscripts.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "model/element.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

/// Finds the subscripts of some variables in the text.
class Subscripts {
public:
    /// @param bytes  as for keep_subscripts_near()
    Subscripts(const std::string& text, const source::Program& program, std::uint64_t bytes)
        : text_(blank_comments(text)), program_(program), bytes_(bytes) {
        for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
            lines_.push_back(at + 1);
    }

    /// @return  why the symbol's uses are not all subscripts that can be changed; empty: they are, and are
    /// kept
    std::string add(source::SymbolId symbol) {
        std::set<source::ExprId> bases;
        for (const source::Expr& expr : program_.exprs)
            if (expr.kind == source::ExprKind::Index) bases.insert(expr.a);
        for (std::size_t i = 0; i < program_.exprs.size(); ++i) {
            const source::Expr& expr = program_.exprs[i];
            if (expr.kind != source::ExprKind::Name || expr.symbol != symbol) continue;
            const auto open = bases.contains(static_cast<source::ExprId>(i))
                                  ? find_bracket(program_.place(expr.place), expr.op)
                                  : std::nullopt;
            const auto close = open ? find_end(*open) : std::nullopt;
            if (!close)
                return fmt::format("{0} is used in another way than {0}[…], or inside a macro", expr.op);
            found_[*open + 1] = "(";
            found_[*close] = fmt::format(") & ({} / sizeof(*{}) - 1)", bytes_, expr.op);
        }
        return "";
    }

    /// What to insert at which offsets.
    const std::map<std::size_t, std::string, std::greater<>>& found() const { return found_; }

private:
    /// The bracket after a name, if the name stands there itself, and not a macro.
    std::optional<std::size_t> find_bracket(const source::Place& place, std::string_view name) const {
        if (!place.own || place.line == 0 || place.line > lines_.size()) return std::nullopt;
        const std::size_t begin = lines_[place.line - 1] + place.column - 1;
        if (begin >= text_.size() || leading_identifier(std::string_view(text_).substr(begin)) != name)
            return std::nullopt;
        const std::size_t at = text_.find_first_not_of(" \t\r\n", begin + name.size());
        return at != std::string::npos && text_[at] == '[' ? std::optional(at) : std::nullopt;
    }

    std::optional<std::size_t> find_end(std::size_t open) const {
        int depth = 0;
        for (std::size_t at = open; at < text_.size(); ++at) {
            if (text_[at] == '[') ++depth;
            if (text_[at] == ']' && --depth == 0) return at;
        }
        return std::nullopt;
    }

    std::string text_;
    const source::Program& program_;
    std::uint64_t bytes_;
    std::vector<std::size_t> lines_ = {0};
    std::map<std::size_t, std::string, std::greater<>> found_;
};

}  // namespace

ChangedKernel keep_subscripts_near(const KernelPlan& plan, const source::Program& program,
                                   const std::vector<BoundParameter>& parameters, std::uint64_t bytes) {
    Subscripts subscripts(plan.source_text, program, bytes);
    for (const BoundParameter& parameter : parameters) {
        const source::Function* function = program.find_function(parameter.kernel);
        if (function == nullptr || !function->readable || parameter.index >= function->parameters.size())
            return {.obstacle = fmt::format("the text of {} cannot be read", parameter.kernel)};
        const source::SymbolId symbol = function->parameters[parameter.index];
        if (!parse_element_type(program.symbol(symbol).type))
            return {.obstacle = fmt::format("{} points to {}", program.symbol(symbol).name,
                                            program.symbol(symbol).type)};
        if (std::string obstacle = subscripts.add(symbol); !obstacle.empty())
            return {.obstacle = std::move(obstacle)};
    }
    KernelPlan changed = plan;
    for (const auto& [at, text] : subscripts.found()) changed.source_text.insert(at, text);
    return {std::move(changed)};
}

}  // namespace kwb
