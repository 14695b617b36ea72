// SPDX-License-Identifier: Apache-2.0
#include "model/argument_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.hpp"

namespace kwb {
namespace {

using Words = std::vector<std::string>;

bool contains(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Split into lower-case words: "matA" → mat, a; "num_elements" → num, elements; "d_A" → d, a.
Words split_name(std::string_view name) {
    Words words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool begins =
            i > 0 && std::isupper(c) != 0 && std::isupper(static_cast<unsigned char>(name[i - 1])) == 0;
        if ((c == '_' || begins) && !words.back().empty()) words.emplace_back();
        if (c != '_') words.back() += static_cast<char>(std::tolower(c));
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

/// Whether a word only describes the kind of the argument ("buf", "device") and can be dropped from its name.
bool is_decoration(std::string_view word) {
    constexpr std::array<std::string_view, 20> kDecorations = {
        "d",   "g",   "p",     "dev",    "device", "global", "gpu", "cl",  "buf", "buffer",
        "mat", "vec", "array", "matrix", "vector", "arr",    "ptr", "mem", "arg", "the"};
    return std::find(kDecorations.begin(), kDecorations.end(), word) != kDecorations.end();
}

/// "amat" → a, "bvec" → b: one letter followed by a decoration; other words unchanged.
std::string letter_of(const std::string& word) {
    const bool decorated = word.size() > 3 && is_decoration(std::string_view(word).substr(1));
    return decorated ? word.substr(0, 1) : word;
}

/// The name without decorations, in lower case; the whole name if it consists only of decorations.
std::string core_of(std::string_view name) {
    std::string core;
    for (const std::string& word : split_name(name))
        if (!is_decoration(word)) core += letter_of(word);
    return core.empty() ? to_lower(name) : core;
}

/// Alternative spellings of the problem's names.
class Synonyms {
public:
    Synonyms(const ProblemInstance& problem, const Spellings& spellings) : problem_(problem) {
        add_buffers();
        add_sizes();
        for (const auto& [name, words] : spellings) add(name, words);
    }

    /// The problem's names that `argument` may stand for.
    std::vector<std::string> meanings(const NamedArgument& argument) const {
        const std::string core = core_of(argument.name);
        std::vector<std::string> found;
        const auto take = [&](const std::string& name) {
            const bool is_buffer = problem_.find_buffer(name) != nullptr;
            if (is_buffer == argument.is_pointer && !contains(found, name)) found.push_back(name);
        };
        for (const std::string& name : problem_.argument_names())
            if (core_of(name) == core) take(name);
        for (const auto& [name, words] : spellings_)
            if (contains(words, core)) take(name);
        return found;
    }

private:
    void add(const std::string& name, Words words) {
        if (problem_.find_buffer(name) != nullptr || problem_.find_scalar(name) != nullptr)
            spellings_.push_back({name, std::move(words)});
    }

    /// Generic names for the only input, the only output, and the two operands of a binary operation.
    void add_buffers() {
        const BufferSpec* input = nullptr;
        const BufferSpec* output = nullptr;
        int inputs = 0;
        int outputs = 0;
        for (const BufferSpec& buffer : problem_.buffers) {
            if (buffer.access == Access::Read) input = &buffer, ++inputs;
            if (buffer.access != Access::Read) output = &buffer, ++outputs;
        }
        if (inputs == 1)
            add(input->name, {"in", "input", "src", "source", "from", "idata", "data", "inputdata", "old",
                              "x", "values", "read"});
        if (outputs == 1)
            add(output->name, {"out", "output", "dst", "dest", "destination", "target", "to", "odata",
                               "result", "results", "res", "outputdata", "new", "y", "written"});
        if (inputs == 2 && outputs == 1) {  // left and right operand, in the order of the buffers
            std::array<Words, 2> words = {Words{"in1", "input1", "src1", "lhs", "left", "first", "x"},
                                          Words{"in2", "input2", "src2", "rhs", "right", "second", "y"}};
            std::size_t i = 0;
            for (const BufferSpec& buffer : problem_.buffers)
                if (buffer.access == Access::Read) add(buffer.name, words[i++]);
        }
    }

    void add_sizes() {
        const Words lengths = {"n",     "len",   "length", "size",    "count",    "num",     "numelements",
                               "numel", "total", "nelem",  "numelem", "elements", "npoints", "nitems"};
        if (problem_.sizes.size() == 1) add(problem_.sizes.front().name, lengths);
    }

    const ProblemInstance& problem_;
    Spellings spellings_;
};

bool fits(const ProblemInstance& problem, const std::string& name, const NamedArgument& argument) {
    return (problem.find_buffer(name) != nullptr) == argument.is_pointer;
}

/// All possible bindings of an argument without a recognised name.
std::vector<std::string> candidates(const NamedArgument& argument, const ProblemInstance& problem,
                                    const std::vector<std::string>& scratch) {
    std::vector<std::string> names;
    if (argument.is_pointer) {
        for (const BufferSpec& buffer : problem.buffers)
            if (argument.type && argument.type->scalar == buffer.type.scalar &&
                (!argument.is_const || buffer.access == Access::Read))
                names.push_back(buffer.name);
        names.insert(names.end(), scratch.begin(), scratch.end());
    } else if (argument.type && argument.type->width == 1 && !speaks_of_no_size(argument.name)) {
        for (const ScalarSpec& scalar : problem.scalars)
            if (scalar.type.is_floating() == argument.type->is_floating()) names.push_back(scalar.name);
    }
    return names;
}

}  // namespace

bool speaks_of_no_size(std::string_view name) {
    constexpr std::array<std::string_view, 30> kBeginnings = {
        "off",  "ld",   "stride", "inc",   "pitch", "start",  "begin", "first",  "shift",  "pad",
        "seed", "step", "tile",   "block", "group", "wg",     "iter",  "level",  "stage",  "pass",
        "half", "halo", "radius", "per",   "bits",  "anchor", "chunk", "border", "margin", "unroll"};
    return std::ranges::any_of(split_name(name), [&](const std::string& word) {
        return std::ranges::any_of(kBeginnings,
                                   [&](std::string_view start) { return word.starts_with(start); });
    });
}

NamedArgument named_argument(const KernelParameter& parameter) {
    // By its type's name, because a pointer has no address space if the source hides it in a macro.
    const std::string_view type = trim(parameter.type_name);
    const bool is_pointer = type.ends_with('*');
    return {parameter.name, is_pointer || parameter.is_image(),
            parameter.is_const || parameter.space == AddressSpace::Constant,
            parse_element_type(is_pointer ? type.substr(0, type.size() - 1) : type)};
}

std::vector<std::optional<MatchedArgument>> match_arguments(const std::vector<NamedArgument>& arguments,
                                                            const ProblemInstance& problem,
                                                            const std::vector<std::string>& scratch,
                                                            const Spellings& spellings) {
    std::vector<std::optional<MatchedArgument>> matches(arguments.size());
    std::vector<std::string> taken;
    const std::vector<std::string> known = problem.argument_names();
    const auto match = [&](NameMatch how, const auto& meanings) {
        std::vector<std::vector<std::string>> found(arguments.size());
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (!matches[i])
                for (const std::string& name : meanings(arguments[i]))
                    if (!contains(taken, name)) found[i].push_back(name);
        std::vector<std::string> claimed;
        for (const auto& names : found)
            if (names.size() == 1) claimed.push_back(names.front());
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (found[i].size() == 1 && std::count(claimed.begin(), claimed.end(), found[i].front()) == 1) {
                matches[i] = MatchedArgument{found[i].front(), how};
                taken.push_back(found[i].front());
            }
    };
    const auto same = [&](const NamedArgument& argument) {
        return contains(known, argument.name) || contains(scratch, argument.name)
                   ? std::vector<std::string>{argument.name}
                   : std::vector<std::string>{};
    };
    const auto same_but_for_case = [&](const NamedArgument& argument) {
        std::vector<std::string> names;
        for (const std::string& name : known)
            if (to_lower(name) == to_lower(argument.name) && fits(problem, name, argument))
                names.push_back(name);
        return names;
    };
    const Synonyms synonyms(problem, spellings);
    match(NameMatch::Exact, same);
    match(NameMatch::OtherCase, same_but_for_case);
    match(NameMatch::Synonym, [&](const NamedArgument& argument) { return synonyms.meanings(argument); });
    return matches;
}

void match_by_elimination(const std::vector<NamedArgument>& arguments,
                          std::vector<std::optional<MatchedArgument>>& matches,
                          const ProblemInstance& problem, const std::vector<std::string>& scratch,
                          std::vector<std::string> taken) {
    for (const auto& match : matches)
        if (match) taken.push_back(match->name);
    for (const bool pointers : {true, false}) {
        std::vector<Words> open(arguments.size());
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (!matches[i] && arguments[i].is_pointer == pointers)
                open[i] = candidates(arguments[i], problem, scratch);
        std::vector<std::optional<MatchedArgument>> found = matches;
        for (bool again = true; again;) {
            for (Words& names : open)
                std::erase_if(names, [&](const std::string& name) { return contains(taken, name); });
            again = false;
            for (std::size_t i = 0; i < open.size() && !again; ++i) {
                again = open[i].size() == 1 && std::ranges::count(open, open[i]) == 1;
                if (!again) continue;
                found[i] = MatchedArgument{open[i].front(), NameMatch::Elimination};
                taken.push_back(open[i].front());
            }
        }
        // If anything is left over, another argument may have been bound wrongly: nothing is proven.
        if (std::ranges::all_of(open, &Words::empty)) matches = std::move(found);
    }
}

}  // namespace kwb
