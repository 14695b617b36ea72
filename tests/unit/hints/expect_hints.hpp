// Expected hints, written as comments in the test kernels.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "expect_hints.hpp"
#include "hints/hints.hpp"

namespace kwb {

/// Find the hints of a source. Each line that ends in `// hint: words, words` must have one hint for each
/// comma-separated part, whose sentence contains it; there must be no other hints.
inline void expect_hints(const SourceText& source, const std::vector<std::uint64_t>& sizes = {}) {
    std::vector<Hint> hints = find_hints(source, sizes);
    const std::vector<std::string> lines = split_lines(source.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t mark = lines[i].find("// hint: ");
        if (mark == std::string::npos) continue;
        for (const std::string& piece : split(lines[i].substr(mark + 9), ',')) {
            const std::string word(trim(piece));
            const auto found = std::find_if(hints.begin(), hints.end(), [&](const Hint& hint) {
                return hint.line == i + 1 && hint.sentence.find(word) != std::string::npos;
            });
            CHECK_MESSAGE(found != hints.end(), "no hint with '", word, "' for line ", i + 1, ": ", lines[i]);
            if (found != hints.end()) hints.erase(found);
        }
    }
    for (const Hint& hint : hints) {
        const std::string line = hint.line <= lines.size() ? lines[hint.line - 1] : std::string();
        FAIL_CHECK("unexpected hint for line " << hint.line << ": " << line << "\n  " << hint.sentence);
    }
}

inline void expect_hints(const std::string& text) {
    expect_hints(SourceText{text, {}, {}, {}});
}

// Typical correct code, which must not get any hint.

struct CorrectKernel {
    const char* name;
    const char* text;
};

template <std::size_t N>
void expect_silence(const CorrectKernel (&kernels)[N]) {
    for (const CorrectKernel& kernel : kernels) {
        CAPTURE(kernel.name);
        expect_hints(kernel.text);
    }
}

}  // namespace kwb
