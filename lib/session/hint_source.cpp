#include "session/hint_source.hpp"

#include <string>

namespace kwb {

HintSource hint_source_of(const KernelFile& file) {
    HintSource source{file.spec.source_text, file.includes, {}, {}};
    for (const auto& [name, values] : file.spec.params)
        source.macros.push_back({name, to_string(values.front())});
    for (const auto& [name, written] : file.spec.defines) {
        std::string text = written.text;
        if (text.size() > 1 && text.front() == '"' && text.back() == '"')
            text = text.substr(1, text.size() - 2);
        source.macros.push_back({name, text});
    }
    return source;
}

}  // namespace kwb
