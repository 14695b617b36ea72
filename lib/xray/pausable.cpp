// SPDX-License-Identifier: Apache-2.0
#include "xray/pausable.hpp"

#include <utility>

namespace kwb::xray {
namespace context = boost::context::detail;

Pausable::Pausable(std::function<void()> work)
    : work_(std::move(work)),
      inside_(context::make_fcontext(stack_.data() + kStackBytes, kStackBytes, &Pausable::start)) {}

bool Pausable::resume() {
    inside_ = context::jump_fcontext(inside_, this).fctx;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return is_over_;
}

void Pausable::pause() {
    outside_ = context::jump_fcontext(outside_, nullptr).fctx;
}

void Pausable::start(context::transfer_t from) {
    auto* const self = static_cast<Pausable*>(from.data);
    self->outside_ = from.fctx;
    try {
        self->work_();
    } catch (...) {  // no exception may leave the function that a context starts with
        self->error_ = std::current_exception();
    }
    self->is_over_ = true;
    self->pause();
}

}  // namespace kwb::xray
