// Exception classes, one for each party that can fix the problem.
#pragma once

#include <stdexcept>
#include <string>

namespace kwb {

/// Something the user typed or wrote in a file is invalid. what() says where, what was found and how to fix
/// it. The front ends print what() and exit with status 2.
class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
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
