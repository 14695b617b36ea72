#include "session/source_text.hpp"

#include <string>

#include "catalog/choose_params.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

/// Values for the names in expressions that are known before sizes and a device are chosen.
Scope default_scope(const KernelFile& file) {
    Scope scope;
    const Problem* problem = file.own_problem ? file.own_problem.get() : find_problem(file.spec.problem);
    if (problem != nullptr)
        for (const auto& [name, value] : problem->default_sizes()) scope.set(name, value);
    for (const auto& [name, values] : file.spec.params) scope.set(name, to_value(values.front()));
    add_local(scope, {1, 1, 1});
    return scope;
}

/// The text of a macro's value. A value that cannot be evaluated yet, e.g. because it depends on the device,
/// becomes 1: any number is good enough to read the source.
std::string stand_in(const Written& macro, const Scope& scope) {
    try {
        return macro_text_of(Expression::parse(macro.text).evaluate(scope)).value_or("1");
    } catch (const ExpressionError&) {
        return "1";
    }
}

}  // namespace

SourceText source_text_of(const KernelFile& file) {
    SourceText source{file.spec.source_text, file.includes, {}, file.spec.build_options};
    for (const auto& [name, values] : file.spec.params)
        source.macros.push_back({name, to_string(values.front())});
    const Scope scope = default_scope(file);
    for (const auto& [name, macro] : file.spec.defines)
        source.macros.push_back({name, stand_in(macro, scope)});
    return source;
}

}  // namespace kwb
