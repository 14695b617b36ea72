// SPDX-License-Identifier: Apache-2.0
// What the parser of the command line cannot say by itself: help on a verb, and a remedy for each error.
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
/// @throws BadInput  no such verb, or more than one
std::string help_on(const CLI::App& app, std::span<char* const> words);

/// @param words  of the command line, without the program
/// @throws BadInput  always: what is wrong, and what to do
[[noreturn]] void refuse(const CLI::ParseError& error, const CLI::App& app, std::span<char* const> words);

}  // namespace kwb::cli
