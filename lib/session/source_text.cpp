#include "session/source_text.hpp"

#include <string>

namespace kwb {

SourceText source_text_of(const KernelFile& file) {
    SourceText source{file.spec.source_text, file.includes, {}, file.spec.build_options};
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
