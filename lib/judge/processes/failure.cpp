// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/failure.hpp"

#include <fmt/format.h>

#include <signal.h>

#include "base/text.hpp"

namespace kwb {
namespace {

bool is_compile(const Death& death) {
    return death.stage == kCompileStage;
}
bool is_first_launch(const Death& death) {
    return death.stage == kFirstLaunchStage;
}
/// True during the first launch, while the driver may still be compiling. The stage ends when the driver
/// reports that the kernel is running, which some drivers do late. In this stage the runner reports a fault
/// only if the kernel caused it.
bool is_unfinished(const Death& death) {
    return is_first_launch(death) && !death.fault;
}
bool is_launch(const Death& death) {
    return death.stage == kLaunchStage || is_first_launch(death);
}

Failure make_failure(Verdict verdict, const Death& death, std::string reason) {
    Failure failure{verdict, std::move(reason), {}, death.fault};
    if (!death.stage.empty()) failure.evidence.stage = death.stage;
    if (death.status && !death.status->code) failure.evidence.signal = signal_name(death.status->signal);
    return failure;
}

/// For a runner that the judge ended: neither the signal nor a fault is the kernel's.
Failure make_own(Verdict verdict, const Death& death, std::string reason) {
    Failure failure = make_failure(verdict, death, std::move(reason));
    failure.evidence.signal.reset();
    failure.fault.reset();
    return failure;
}

Verdict verdict_of_crash(const Death& death) {
    return is_compile(death) ? Verdict::CompilerCrashed : Verdict::KernelCrashed;
}

/// C++ and LLVM print one of these before they abort.
bool ran_out_of_memory(const std::string& words) {
    for (const char* sign : {"bad_alloc", "out of memory", "Out of memory", "bad alloc", "Allocation failed",
                             "cannot allocate memory", "Cannot allocate memory", "memory exhausted"})
        if (words.find(sign) != std::string::npos) return true;
    return false;
}

constexpr const char* kCompilerAdvice =
    "a macro that grows with every expansion, or a loop unrolled too far. Make the kernel smaller step by "
    "step to find the cause";

}  // namespace

Failure explain_death(const Death& death) {
    const std::string how = death.status ? death.status->describe() : "";
    const int signal = death.status && !death.status->code ? death.status->signal : 0;
    if (!death.status)
        return make_failure(
            verdict_of_crash(death), death,
            "the process that ran the kernel closed its end of the connection but kept running, and "
            "was ended: the kernel has probably closed files that it does not own");
    if (signal == SIGKILL && death.ran_out_of_memory)
        return make_failure(
            Verdict::Skipped, death,
            "the process that ran the kernel was killed (SIGKILL) while this machine's memory "
            "ran out, so the kernel could not be judged. Try again, or choose a smaller size");
    if (signal == SIGKILL)
        return make_failure(Verdict::Skipped, death,
                            "the process that ran the kernel was killed (SIGKILL), by another program or by "
                            "the kernel itself, so the kernel could not be judged. Try again");
    if (signal == SIGXCPU)
        return make_failure(Verdict::Timeout, death,
                            "the kernel used more CPU time than all cores have within the time limit "
                            "(SIGXCPU), because of a loop that never ends or too much work for this device. "
                            "Try a smaller size, or allow a longer time limit");
    if (signal == SIGXFSZ)
        return make_failure(
            verdict_of_crash(death), death,
            "a file exceeded the size limit for a runner's files (SIGXFSZ), and the process was "
            "ended");
    if (!death.stage.empty() && signal == SIGABRT && find_in_path("ld").empty())
        return make_failure(
            Verdict::CompilerCrashed, death,
            "the driver's compiler aborted (" + how +
                "), and the linker that PoCL needs (ld) is missing from PATH. Install it with "
                "apt-get install binutils");
    if (is_compile(death) && ran_out_of_memory(death.last_words))
        return make_failure(
            Verdict::CompilerCrashed, death,
            "the driver's compiler exceeded its memory limit (" + how + "): " + kCompilerAdvice);
    if (is_compile(death))
        return make_failure(Verdict::CompilerCrashed, death,
                            "the driver's compiler crashed on this source (" + how +
                                "): a compiler bug, usually triggered by unusual source. Make the kernel "
                                "simpler step by step to find the cause");
    if (is_first_launch(death) && ran_out_of_memory(death.last_words))
        return make_failure(
            Verdict::CompilerCrashed, death,
            "the driver exceeded its memory limit (" + how +
                ") at the first launch, which includes compilation for this work-group: " + kCompilerAdvice);
    if (is_unfinished(death))
        return make_failure(
            Verdict::CompilerCrashed, death,
            "the driver's compiler crashed (" + how +
                ") at the first launch, where it finishes the compilation for this work-group, "
                "before the kernel ran: a compiler bug, usually triggered by unusual source "
                "(recursion, jumps into loops, barriers in odd places, assembly). Make the kernel simpler "
                "step by step to find the cause");
    if (is_launch(death) && death.status->code)
        return make_failure(Verdict::KernelCrashed, death,
                            "the kernel ended its own process (" + how +
                                ") while it ran: a kernel may end only by returning");
    if (is_launch(death) && (signal == SIGILL || signal == SIGTRAP))
        return make_failure(Verdict::KernelCrashed, death,
                            "the kernel crashed (" + how +
                                ") while it ran: an instruction that this CPU does not have, or a trap "
                                "such as __builtin_trap() or code that can never be reached");
    if (is_launch(death) && signal == SIGABRT)
        return make_failure(
            Verdict::KernelCrashed, death,
            "the kernel crashed (" + how +
                ") while it ran: the kernel or the driver aborted the process. A driver does so when "
                "it finds its own data damaged, for example by an out-of-bounds write or by more local "
                "memory than the device has. The printed output may show the cause");
    if (is_launch(death) && signal == SIGSYS)
        return make_failure(Verdict::KernelCrashed, death,
                            "the kernel was ended (" + how +
                                ") while it ran: this signal means a system call that is not allowed");
    if (is_launch(death) && signal == SIGFPE)
        return make_failure(Verdict::KernelCrashed, death,
                            "the kernel crashed (" + how +
                                ") while it ran: this signal means an integer division by zero, or one whose "
                                "result does not fit");
    if (is_launch(death) && signal != SIGSEGV && signal != SIGBUS)
        return make_failure(
            Verdict::KernelCrashed, death,
            "the kernel was ended by a signal (" + how +
                ") while it ran; the system does not send this signal for what a kernel computes");
    if (is_launch(death))
        return make_failure(Verdict::KernelCrashed, death,
                            "the kernel crashed (" + how +
                                ") while it ran: an index far outside its buffers, a barrier that only some "
                                "work-items reach, or a very large private array are the usual causes");
    return make_failure(Verdict::LaunchError, death,
                        "the driver ended the runner (" + how + ") outside compilation and launches");
}

Failure explain_timeout(const Death& death, double timeout_ms) {
    const std::string limit = fmt::format("{:g} s", timeout_ms / 1000);
    std::string reason = "the driver did not answer within " + limit + ". Allow a longer time limit";
    if (is_compile(death))
        reason = "the compiler did not finish within " + limit + ". Allow a longer time limit";
    else if (is_first_launch(death))
        reason =
            "the first launch, which includes compilation, exceeded " + limit +
            ". Possible causes are a loop that never ends, a loop unrolled too far for the compiler, too "
            "much work for this device, or an out-of-bounds write that damaged the driver's data. Try a "
            "smaller size, or allow a longer time limit";
    else if (is_launch(death))
        reason = "a launch exceeded " + limit +
                 ". Possible causes are a loop that never ends, too much work for this device, or an "
                 "out-of-bounds write that damaged the driver's data. Try a smaller size, or allow a longer "
                 "time limit";
    return make_own(Verdict::Timeout, death, std::move(reason));
}

Failure explain_endless(const Death& death, double whole_ms) {
    return make_own(
        Verdict::Timeout, death,
        fmt::format("a request to the driver exceeded {:g} s in total, although each of its steps "
                    "began in time. Try a smaller size, or allow a longer time limit",
                    whole_ms / 1000));
}

static Failure explain_memory(const Death& death, const Excess& excess) {
    const std::string limit = format_bytes(excess.limit);
    const bool is_compilers = is_compile(death) || is_unfinished(death);
    std::string reason = "the process that ran the kernel exceeded " + limit +
                         " of memory, far more than its buffers, and was ended";
    if (excess.has_started_others && !is_compilers)
        reason = "the kernel started further processes, which together with its own exceeded " + limit +
                 " of memory, and all of them were ended";
    else if (is_compile(death))
        reason = "the compiler exceeded " + limit + " of memory and was ended: " + kCompilerAdvice;
    else if (is_first_launch(death))
        reason = "the first launch, which includes compilation for this work-group, exceeded " + limit +
                 " of memory and was ended: a loop unrolled too far, or very large private arrays";
    return make_own(is_compilers ? Verdict::CompilerCrashed : Verdict::KernelCrashed, death,
                    std::move(reason));
}

Failure explain_excess(const Death& death, const Excess& excess) {
    if (excess.of == Resource::Memory) return explain_memory(death, excess);
    const bool is_compilers = is_compile(death) || is_unfinished(death);
    std::string too_much;
    switch (excess.of) {
        case Resource::Processes:
            too_much = fmt::format("started more than {} processes", excess.limit);
            break;
        case Resource::Threads:
            too_much = fmt::format("started more than {} threads", excess.limit);
            break;
        case Resource::Files:
            too_much = fmt::format("made more than {} files, or folders nested without end", excess.limit);
            break;
        default:
            too_much = "filled its folders with more than " + format_bytes(excess.limit);
    }
    // Without a stage, what was asked ran no kernel.
    const Verdict verdict = is_compilers          ? Verdict::CompilerCrashed
                            : death.stage.empty() ? Verdict::LaunchError
                                                  : Verdict::KernelCrashed;
    const char* const who = is_compilers          ? "the compiler "
                            : death.stage.empty() ? "the driver, or a kernel that ran before, "
                                                  : "the kernel ";
    return make_own(verdict, death, who + too_much + " and was ended");
}

Failure explain_restless(const Death& death) {
    return make_own(Verdict::KernelCrashed, death,
                    "the kernel's processes kept working while they were stopped for the turns of others, "
                    "and were ended: their times would not have been their own");
}

Failure explain_left_behind(const Death& death, std::size_t processes) {
    return make_own(Verdict::KernelCrashed, death,
                    fmt::format("the kernel started {} that {} still running when it ended, and {} ended: a "
                                "kernel may work only in its work-items",
                                processes == 1 ? "a process" : fmt::format("{} processes", processes),
                                processes == 1 ? "was" : "were", processes == 1 ? "it was" : "they were"));
}

Failure explain_broken_launch(const Death& death, const std::string& driver) {
    return make_failure(Verdict::KernelCrashed, death,
                        "the device aborted the kernel after its launch, most often because of an index far "
                        "out of bounds. The driver reports: " +
                            driver);
}

Failure explain_damage(const Death& death, const std::string& finding) {
    return make_own(
        Verdict::KernelCrashed, death,
        "the kernel closed or damaged what its process needs (" + finding + "), and the process was ended");
}

Failure explain_garbage(const Death& death, const std::string& finding) {
    return make_own(verdict_of_crash(death), death,
                    "the process that ran the kernel sent invalid data (" + finding +
                        ") and was ended: the kernel has probably overwritten memory that it does not own");
}

}  // namespace kwb
