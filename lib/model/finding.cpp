#include "model/finding.hpp"

#include <utility>

namespace kwb {

double Finding::number(std::string_view name) const {
    const double* const found = find_named(numbers, name);
    return found != nullptr ? *found : 0;
}

const std::string& Finding::text(std::string_view name) const {
    static const std::string kNone;
    const std::string* const found = find_named(texts, name);
    return found != nullptr ? *found : kNone;
}

Finding remark(std::string sentence, FindingCode code) {
    return {.code = code, .texts = {{"sentence", std::move(sentence)}}};
}

}  // namespace kwb
