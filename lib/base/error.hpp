// SPDX-License-Identifier: Apache-2.0
// Exception classes, one for each party that can fix the problem.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace kwb {

/// A place in one of the user's files. Line and column are counted from 1.
struct FilePlace {
    std::string file;
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

/// Something the user typed or wrote in a file is invalid. what() names the place, what was found and how to
/// fix it. The front ends print what() and exit with status 2.
class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    /// what() is "file:line:column: what".
    BadInput(FilePlace place, const std::string& what)
        : std::runtime_error(place.file + ":" + std::to_string(place.line) + ":" +
                             std::to_string(place.column) + ": " + what),
          place_(std::make_shared<const FilePlace>(std::move(place))) {}

    /// nullptr: not in a file, or unknown.
    const FilePlace* place() const { return place_.get(); }

private:
    std::shared_ptr<const FilePlace> place_;  // shared, because copies of exceptions must not throw
};

/// The machine lacks something: no device, no judge, a cache folder that is not writable.
/// The front ends print what() and exit with status 3.
class EnvironmentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The peer on a pipe violated the protocol.
class ProtocolError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A caller inside the workbench violated a documented precondition: a bug in the workbench itself.
class ContractError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// @throws ContractError with `what` unless `holds`
inline void expects(bool holds, const char* what) {
    if (!holds) throw ContractError(what);
}

}  // namespace kwb
