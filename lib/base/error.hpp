// The ways in which things go wrong, told apart by who can mend them.
#pragma once

#include <stdexcept>
#include <string>

namespace kwb {

/// What a person typed or wrote cannot be used: says where, what was found, and what to do.
/// The faces print what() and exit with 2.
class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The machine lacks something: no device, no judge, a cache folder that cannot be written.
/// The faces print what() and exit with 3.
class EnvironmentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The peer on a pipe sent something that the protocol does not allow.
class ProtocolError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A caller inside the workbench broke a documented precondition: a bug here, not there.
class ContractError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// @throws ContractError with `what` unless `holds`
inline void expects(bool holds, const char* what) {
    if (!holds) throw ContractError(what);
}

}  // namespace kwb
