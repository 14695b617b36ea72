// SPDX-License-Identifier: Apache-2.0
// Work that can wait in its middle while its caller goes on.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <exception>
#include <functional>

#include "xray/memory.hpp"

namespace kwb::xray {

/// Runs on a stack of its own. The work must end before the destructor.
class Pausable {
public:
    /// @throws std::bad_alloc
    explicit Pausable(std::function<void()> work);
    Pausable(const Pausable&) = delete;
    Pausable& operator=(const Pausable&) = delete;

    /// Begins the work, or lets it go on. @return  it has ended, else it waits
    /// @throws  what it has thrown
    bool resume();
    /// In the work, on whichever stack: returns after the next resume().
    void pause();
    bool is_over() const { return is_over_; }

private:
    static constexpr std::size_t kStackBytes = std::size_t{1} << 20;
    static void start(boost::context::detail::transfer_t from);

    std::function<void()> work_;
    LazyBytes stack_{kStackBytes};
    boost::context::detail::fcontext_t inside_, outside_ = nullptr;
    bool is_over_ = false;
    std::exception_ptr error_;
};

}  // namespace kwb::xray
