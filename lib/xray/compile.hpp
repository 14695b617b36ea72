// SPDX-License-Identifier: Apache-2.0
// Compiles a kernel for observation and loads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "model/finding.hpp"
#include "xray/hooks.hpp"

namespace kwb::xray {

/// A kernel that is loaded into this process.
class Program {
public:
    /// @throws std::runtime_error  it cannot be loaded: the sentence names what it needs
    explicit Program(const std::filesystem::path& file);

    /// Calls a kernel function with the addresses of its arguments.
    using Call = void (*)(const std::uintptr_t* arguments);
    Call find_call(const std::string& kernel) const;

    std::uintptr_t base() const { return base_; }
    std::uint64_t bytes() const { return bytes_; }
    const std::vector<ProgramVariable>& variables() const { return variables_; }
    /// True if the program may write there: a constant cannot be written.
    bool is_writable(std::uintptr_t address) const;

private:
    struct Closer {
        void operator()(void* handle) const;
    };
    struct Range {
        std::uintptr_t begin = 0;
        std::uint64_t bytes = 0;
    };
    std::unique_ptr<void, Closer> handle_;
    std::uintptr_t base_ = 0;
    std::uint64_t bytes_ = 0;
    std::vector<Range> writable_;
    std::vector<ProgramVariable> variables_;
};

struct Compiled {
    std::filesystem::path file;  ///< empty: the compiler rejected the source
    std::string messages;        ///< of the compiler
    /// Variables that are used before they have a value, as the compiler warns.
    struct Unset {
        std::string name;
        XrayPlace place;
    };
    std::vector<Unset> unset;
};

/// Blocks while the compiler runs; there is no time limit but that of the whole process.
/// @throws std::runtime_error  PoCL's declarations and library are not installed; a file cannot be written
Compiled compile(const ObserveRequest& request);

}  // namespace kwb::xray
