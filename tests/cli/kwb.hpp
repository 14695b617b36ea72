// SPDX-License-Identifier: Apache-2.0
// The real kwb program, started as by a user, on PoCL.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

namespace kwb::test {

using Args = std::vector<std::string>;

/// Options to start kwb: with a compiler cache in the build tree, no colours, UTF-8 and the tests' driver;
/// variables that the user has set for kwb are removed.
ProcessOptions kwb_command(const Args& args);

/// Run kwb to its end.
/// @param environment  variables added or replaced
Finished run_kwb(const Args& args, const NamedList<std::string>& environment = {});

/// Run kwb and parse its standard output as JSON. Requires this exit code and an empty standard error.
nlohmann::json kwb_json(const Args& args, int exit_code = 0);

/// Source of a kernel in the catalogue. @param file  e.g. "matmul/02_tiled.cl"
std::string kernel_source(const std::string& file);

/// The .icd file of the tests' driver.
std::filesystem::path pocl_icd();

/// Check that `text` says each of the other arguments, however its lines break.
#define CHECK_SAYS(text, ...)                                               \
    for (const std::string& word : std::vector<std::string>{__VA_ARGS__}) { \
        INFO("wanted: ", word, "\nsaid: ", (text));                         \
        CHECK(::kwb::test::says(text, word));                               \
    }

/// Check the exit code, that standard error begins with the program's name and contains the other arguments,
/// and that standard output is empty.
#define CHECK_REFUSED(finished, code, ...)               \
    do {                                                 \
        const ::kwb::test::Finished refused_ = finished; \
        INFO("stdout: ", refused_.out);                  \
        INFO("stderr: ", refused_.err);                  \
        CHECK(refused_.exit_code == (code));             \
        CHECK(refused_.out == "");                       \
        CHECK(refused_.err.rfind("kwb: ", 0) == 0);      \
        CHECK_SAYS(refused_.err, __VA_ARGS__)            \
    } while (false)

/// Check the exit code, that standard output contains the other arguments, and that standard error is empty.
#define CHECK_TELLS(finished, code, ...)              \
    do {                                              \
        const ::kwb::test::Finished told_ = finished; \
        INFO("stdout: ", told_.out);                  \
        INFO("stderr: ", told_.err);                  \
        CHECK(told_.exit_code == (code));             \
        CHECK(told_.err == "");                       \
        CHECK_SAYS(told_.out, __VA_ARGS__)            \
    } while (false)

}  // namespace kwb::test
