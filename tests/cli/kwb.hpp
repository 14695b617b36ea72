// The real kwb, as a person starts it, on PoCL.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {

using Args = std::vector<std::string>;

/// How kwb is to be started: with a compiler cache in the build tree, no colours, UTF-8, the tests' driver,
/// and nothing that the person running the tests has set for it.
ProcessOptions kwb_command(const Args& args);

/// Run it to its end.
/// @param environment  added to, or replacing
Finished run_kwb(const Args& args, const NamedList<std::string>& environment = {});

/// Insist on the exit code, on nothing on standard error, and on JSON alone on standard output.
nlohmann::json kwb_json(const Args& args, int exit_code = 0);

/// Text of a kernel of the catalogue. @param file  e.g. "matmul/02_tiled.cl"
std::string kernel_source(const std::string& file);

/// `text` with the only occurrence of `from` replaced. @throws std::runtime_error  none, or several
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// The .icd file of the tests' driver.
std::filesystem::path pocl_icd();

/// Everything of `words` occurs in `text`.
#define CHECK_SAYS(text, ...)                                               \
    for (const std::string& word : std::vector<std::string>{__VA_ARGS__}) { \
        INFO("wanted: ", word, "\nsaid: ", (text));                         \
        CHECK((text).find(word) != std::string::npos);                      \
    }

/// It ended with this code, its complaint begins with the program's name and says all this, and standard
/// output holds nothing.
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

/// It ended with this code and its standard output says all this.
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
