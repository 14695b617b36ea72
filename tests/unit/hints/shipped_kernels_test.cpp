// No false alarm for the kernels that come along.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "expect_hints.hpp"

using namespace kwb;

/// Shipped because it is wrong: there a hint may be right.
static bool is_wrong_on_purpose(const std::string& source) {
    return source.find("[expect]") != std::string::npos;
}

TEST_CASE("the shipped kernels get no hints at any value of their parameters") {
    int kernels = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(KWB_KERNELS)) {
        if (entry.path().extension() != ".cl") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        if (is_wrong_on_purpose(text.str())) continue;
        for (const char* value : {"", "1", "4", "8", "16", "32"}) {
            SourceText source{text.str()};
            // whatever the parameters are called
            if (*value != '\0')
                for (const char* name : {"TILE", "WPT", "WIDTH", "CHAINS", "TS"})
                    if (source.text.find(name) != std::string::npos) source.macros.push_back({name, value});
            if (*value != '\0' && source.macros.empty()) continue;
            CAPTURE(entry.path().string());
            expect_hints(source, {512, 512, 512});
        }
        ++kernels;
    }
    CHECK(kernels >= 2);
}
