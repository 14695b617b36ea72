#include "session/own_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "catalog/place.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

/// `#define TS 16`
struct SourceMacro {
    std::string place;  ///< "mine.cl:3"
    std::string value;  ///< empty: none, or several
};

std::optional<SourceMacro> find_macro(const KernelFile& file, const std::string& name) {
    std::optional<SourceMacro> macro;
    const auto search = [&](const std::string& path, const std::string& text) {
        const std::string blanked = blank_comments(text);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "define" || leading_identifier(line.rest) != name) continue;
            const std::string_view rest = line.rest.substr(name.size());
            if (rest.starts_with('(')) continue;  // it takes arguments
            const std::string value(trim(rest));
            if (!macro)
                macro = SourceMacro{fmt::format("{}:{}", path, place_of(text, line.offset).line), value};
            else if (macro->value != value)
                macro->value.clear();  // which one counts, conditions tell
        }
    };
    search(file.spec.file, file.spec.source_text);
    for (const auto& include : file.includes)
        search((std::filesystem::path(file.spec.file).parent_path() / include.name).string(), include.value);
    return macro;
}

/// "W,H" for "WxH", if both are names or numbers that are known.
std::string separated(const std::string& name, const std::vector<std::string>& known) {
    const auto is_known = [&](const std::string& piece) {
        return std::find(known.begin(), known.end(), piece) != known.end() ||
               (!piece.empty() && piece.find_first_not_of("0123456789") == std::string::npos);
    };
    for (std::size_t at = name.find_first_of("xX"); at != std::string::npos;
         at = name.find_first_of("xX", at + 1)) {
        const std::string rest = name.substr(at + 1);
        if (!is_known(name.substr(0, at))) continue;
        if (is_known(rest)) return name.substr(0, at) + "," + rest;
        if (const std::string more = separated(rest, known); !more.empty())
            return name.substr(0, at) + "," + more;
    }
    return "";
}

class MisunderstoodNames {
public:
    MisunderstoodNames(const KernelFile& file, const std::vector<std::string>& known)
        : file_(file), known_(known) {}

    void check(const Written& written) const {
        if (written.option.empty()) return;
        for (const std::string& name : Expression::parse(written.text).names()) {
            if (name.find('.') != std::string::npos ||
                std::find(known_.begin(), known_.end(), name) != known_.end())
                continue;
            if (const std::string list = separated(name, known_); !list.empty())
                throw BadInput(fmt::format("{0} '{1}': separate expressions by commas: {0} {2}",
                                           written.option, written.text, list));
            const auto macro = find_macro(file_, name);
            if (!macro) continue;
            throw BadInput(fmt::format("{} '{}': {} is a #define of the source ({}); write its value{}",
                                       written.option, written.text, name, macro->place,
                                       macro->value.empty() ? "" : ", " + macro->value));
        }
    }

    void check(const std::vector<Written>& all) const {
        for (const Written& written : all) check(written);
    }

    void check(const NamedList<Written>& all) const {
        for (const auto& one : all) check(one.value);
    }

private:
    const KernelFile& file_;
    const std::vector<std::string>& known_;
};

}  // namespace

void refuse_misunderstood_names(const KernelFile& file, const std::vector<std::string>& known) {
    std::vector<std::string> all = known;
    for (const auto& define : file.spec.defines) all.push_back(define.name);
    for (const auto& param : file.spec.params) all.push_back(param.name);
    const MisunderstoodNames names(file, all);
    names.check(file.spec.defines);
    for (const LaunchSpec& launch : file.spec.launches) {
        names.check(launch.global);
        if (launch.local) names.check(*launch.local);
        names.check(launch.args);
        names.check(launch.local_mem);
    }
}

}  // namespace kwb
