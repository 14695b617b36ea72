// SPDX-License-Identifier: Apache-2.0
// Places in the user's files, and errors that report them.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/syntax.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Convert a column of an expression to a place in its file; the beginning of the expression if it contains
/// escapes.
Place place_in(const Written& written, std::uint32_t column);

/// "file:line:column", or only "file" if the place is unknown.
std::string describe_place(const std::string& file, const Written& written);

/// @throws BadInput "file:line:column: what"
[[noreturn]] void refuse_at(const std::string& file, Place place, const std::string& what);

/// The same for a written value. If it came from an option: "--global 'M,N' for file: what"; if it was
/// guessed: "file: what. " and the text of the guess; if it has no place: "file: what".
[[noreturn]] void refuse_at(const std::string& file, const Written& written, const std::string& what);

/// Run `compute`, which parses or evaluates `written`.
/// @throws BadInput with the place in `file` in place of any ExpressionError
template <typename Compute>
auto located(const std::string& file, const Written& written, const Compute& compute) {
    try {
        return compute();
    } catch (const ExpressionError& error) {
        if (!written.option.empty() || !written.guess.empty()) refuse_at(file, written, error.what());
        if (written.line == 0) throw BadInput(file + ": in `" + written.text + "`, " + error.what());
        refuse_at(file, place_in(written, error.column()), error.message());
    }
}

}  // namespace kwb
