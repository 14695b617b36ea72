// SPDX-License-Identifier: Apache-2.0
// Additions to the command-line parser: help on a verb, and a remedy for each error.
#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace kwb::cli {

/// `kwb help`, `kwb help run`
/// @param words  what follows `help`
/// @throws BadInput if there is no such verb, or more than one word
std::string help_on(const CLI::App& app, std::span<char* const> words);

/// @param words  of the command line, without the program
/// @throws BadInput always, with what is wrong and what to do
[[noreturn]] void refuse(const CLI::ParseError& error, const CLI::App& app, std::span<char* const> words);

}  // namespace kwb::cli
