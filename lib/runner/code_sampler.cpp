// SPDX-License-Identifier: Apache-2.0
#include "runner/code_sampler.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kwb {
namespace {

// The handler may only touch memory that is there already.
std::array<std::atomic<std::uintptr_t>, kMostCodePlaces> noted;
std::atomic<std::size_t> count = 0;

void note(int, siginfo_t*, void* state) {
    std::uintptr_t address = 0;
#if defined(__x86_64__)
    address = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(state)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    address = static_cast<ucontext_t*>(state)->uc_mcontext.pc;
#else
    (void)state;
    return;
#endif
    if (const std::size_t at = count.fetch_add(1); at < noted.size()) noted[at] = address;
}

void set_signal(int how) {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGPROF);
    ::pthread_sigmask(how, &signals, nullptr);
}

void set_timer(suseconds_t microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

CodeSampler::CodeSampler() {
    count = 0;
    struct sigaction action {};
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGPROF, &action, nullptr);
    set_signal(SIG_BLOCK);
    set_timer(1000);
}

CodeSampler::~CodeSampler() {
    end();
}

void CodeSampler::end() {
    set_timer(0);
    ::signal(SIGPROF, SIG_IGN);  // also drops one that is still pending
    set_signal(SIG_UNBLOCK);
}

std::vector<CodePlace> CodeSampler::take() {
    end();
    std::vector<CodePlace> places;
    for (std::size_t i = 0; i < std::min(count.load(), noted.size()); ++i) {
        Dl_info library{};
        if (::dladdr(reinterpret_cast<void*>(noted[i].load()), &library) == 0) continue;
        places.push_back({library.dli_fname, noted[i] - reinterpret_cast<std::uintptr_t>(library.dli_fbase)});
    }
    return places;
}

}  // namespace kwb
