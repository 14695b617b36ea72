#include "hints/calls.hpp"

#include "hints/preprocessor.hpp"
#include "hints/syntax.hpp"

namespace kwb {

std::optional<std::uint32_t> find_first_call(const HintSource& source, std::string_view name) {
    const hints::Preprocessed text = hints::preprocess(source);
    if (!text.complete) return std::nullopt;
    const hints::Program program = hints::parse(text.tokens);
    for (const hints::Function& function : program.functions)
        for (std::int32_t at = function.body_from; at + 1 < function.body_to; ++at)
            if (program.token(at).is_name() && program.token(at).text == name &&
                program.token(at + 1).is("("))
                return program.token(at).line;
    return std::nullopt;
}

}  // namespace kwb
