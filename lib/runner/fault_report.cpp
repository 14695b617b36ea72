// SPDX-License-Identifier: Apache-2.0
#include "runner/fault_report.hpp"

#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <concepts>
#include <cstring>
#include <string_view>
#include <system_error>

#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/cl.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

struct Slot {
    std::atomic<bool> is_used;
    std::atomic<std::uint32_t> id;
    std::atomic<std::uint64_t> begin;
    std::atomic<std::uint64_t> end;
    std::atomic<std::uint64_t> payload;
};

struct Code {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// The code of all libraries that were loaded before the driver may have started to compile.
struct LoadedCode {
    std::array<Code, 2048> ranges;
    std::atomic<std::size_t> count;
    std::atomic<bool> is_whole;
};

// Global, because a signal handler gets no other data. Everything is lock-free.
std::array<Slot, WatchedBuffer::kMost> slots;
LoadedCode loaded;
std::atomic<FaultScope> told_scope{FaultScope::Nothing};
std::atomic<bool> is_tracing{false};
std::atomic<bool> is_taken{false};  ///< a thread is sending the note
std::atomic<bool> is_sent{false};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// Text in a fixed buffer, without allocation or locale. The buffer is large enough; longer text would be
/// truncated.
class NoteText {
public:
    template <class... Pieces>
    void put(const Pieces&... pieces) {
        (put_one(pieces), ...);
    }
    /// Writes the header of ipc/channel.hpp.
    void close_frame() {
        constexpr std::string_view kMagic = "KWB\x01";
        std::memcpy(bytes_.data(), kMagic.data(), kMagic.size());
        const std::size_t text_bytes = size_ - kHeaderBytes;
        for (std::size_t i = 0; i < 4; ++i)
            bytes_[kMagic.size() + i] = static_cast<char>((text_bytes >> (8 * i)) & 0xFFu);
    }
    const char* data() const { return bytes_.data(); }
    std::size_t size() const { return size_; }

private:
    void put_one(std::string_view text) {
        for (const char c : text)
            if (size_ < bytes_.size()) bytes_[size_++] = c;
    }
    template <std::integral T>
    void put_one(T number) {
        char digits[20];
        const auto written = std::to_chars(std::begin(digits), std::end(digits), number);
        put_one(std::string_view(digits, static_cast<std::size_t>(written.ptr - digits)));
    }

    static constexpr std::size_t kHeaderBytes = 16;
    std::array<char, 512> bytes_{};  ///< zero-initialized: the attachment size stays 0
    std::size_t size_ = kHeaderBytes;
};

struct Fault {
    bool has_address = false;
    std::uint64_t address = 0;
    std::string_view access = "unknown";
};

/// "read" or "write" if the CPU reports it, else "unknown".
std::string_view access_of(const ucontext_t& context) {
#if defined(__x86_64__)
    constexpr greg_t kPageFault = 14;
    constexpr greg_t kWriteBit = 2;  // page-fault error code: Intel SDM volume 3, "Page-Fault Exception"
    if (context.uc_mcontext.gregs[REG_TRAPNO] != kPageFault) return "unknown";
    return (context.uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0 ? "write" : "read";
#elif defined(__aarch64__)
    // One of the records after the registers contains the syndrome: Linux, asm/sigcontext.h.
    constexpr std::uint32_t kEsrMagic = 0x45535201;
    constexpr std::uint64_t kWriteBit = 1u << 6;  // WnR of a data abort: Arm ARM, ESR_EL1
    const unsigned char* const records = context.uc_mcontext.__reserved;
    for (std::size_t at = 0; at + 16 <= sizeof(context.uc_mcontext.__reserved);) {
        std::uint32_t head[2];  // magic, size
        std::memcpy(head, records + at, sizeof(head));
        if (head[0] == kEsrMagic) {
            std::uint64_t syndrome = 0;
            std::memcpy(&syndrome, records + at + 8, sizeof(syndrome));
            return (syndrome & kWriteBit) != 0 ? "write" : "read";
        }
        if (head[0] == 0 || head[1] == 0) break;
        at += head[1];
    }
    return "unknown";
#else
    (void)context;
    return "unknown";
#endif
}

/// False for a signal that a process sent.
bool is_caused(const siginfo_t& info) {
    return info.si_code > 0;
}

/// A general protection fault (a misaligned vector, a non-canonical address) has si_code SI_KERNEL and no
/// address.
Fault read_fault(const siginfo_t& info, const void* context) {
    if (info.si_code == SI_KERNEL) return {};
    return {true, reinterpret_cast<std::uint64_t>(info.si_addr),
            access_of(*static_cast<const ucontext_t*>(context))};
}

std::uint64_t instruction_of(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

int note_code(dl_phdr_info* object, std::size_t, void*) {
    for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        const std::size_t at = loaded.count;
        if (at == loaded.ranges.size()) return 1;
        const std::uint64_t begin = object->dlpi_addr + segment.p_vaddr;
        loaded.ranges[at] = {begin, begin + segment.p_memsz};
        loaded.count = at + 1;
    }
    return 0;
}

void note_loaded_code() {
    loaded.is_whole = false;
    loaded.count = 0;
    loaded.is_whole = ::dl_iterate_phdr(note_code, nullptr) == 0;
}

/// True if the faulting code was compiled after note_loaded_code(). False if the faulting address is the
/// instruction itself: then a jump failed, which any code may have caused.
bool is_of_new_code(const Fault& fault, const void* context) {
    const std::uint64_t instruction = instruction_of(*static_cast<const ucontext_t*>(context));
    if (!loaded.is_whole || instruction == 0 || (fault.has_address && fault.address == instruction))
        return false;
    return std::none_of(loaded.ranges.begin(), loaded.ranges.begin() + loaded.count, [&](const Code& code) {
        return code.begin <= instruction && instruction < code.end;
    });
}

const Slot* find_buffer(std::uint64_t address) {
    for (const Slot& slot : slots)
        if (slot.is_used && address >= slot.begin && address < slot.end) return &slot;
    return nullptr;
}

void put_work_item(NoteText& text) {
    const auto* record = reinterpret_cast<const volatile TraceRecord*>(kTraceAddress);
    if (!is_tracing || record->is_valid != 1) return text.put("null");
    text.put("[", record->global_id[0], ",", record->global_id[1], ",", record->global_id[2], "]");
}

/// Writes the same text as to_json(FaultNote).
void send_note(const Fault& fault, const Slot* buffer) {
    static constinit NoteText text;  // static, because the stack may be nearly full
    text.put(R"({"type":"fault","access":")", fault.access, R"(","buffer":)");
    if (buffer != nullptr)
        text.put(buffer->id.load());
    else
        text.put("null");
    text.put(R"(,"offset":)",
             static_cast<std::int64_t>(buffer != nullptr ? fault.address - buffer->payload : 0),
             R"(,"address_unknown":)", fault.has_address ? "false" : "true", R"(,"address":)", fault.address,
             R"(,"work_item":)");
    put_work_item(text);
    text.put("}");
    text.close_frame();
    emergency_send(text.data(), text.size());
}

void take_default_action() {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(SIGSEGV, &action, nullptr);
    ::sigaction(SIGBUS, &action, nullptr);
}

/// Finally raises the signal again: it is blocked now and is delivered with the default action when this
/// function returns. If it cannot be raised, the faulting instruction faults again, also with the default
/// action.
void on_fault(int signal, siginfo_t* info, void* context) {
    const bool is_first = !is_taken.exchange(true);
    if (is_first && is_caused(*info)) {
        const Fault fault = read_fault(*info, context);
        const Slot* buffer = fault.has_address ? find_buffer(fault.address) : nullptr;
        if (told_scope == FaultScope::All || buffer != nullptr || is_of_new_code(fault, context))
            send_note(fault, buffer);
    }
    if (is_first) is_sent = true;
    while (!is_sent) ::sched_yield();  // exiting now would interrupt the other thread's note
    take_default_action();
    if (::raise(signal) != 0 && !is_caused(*info)) ::_exit(128 + signal);
}

}  // namespace

void report_faults(FaultScope scope) {
    told_scope = scope;
    if (scope == FaultScope::Nothing) return take_default_action();
    if (scope == FaultScope::Kernels) note_loaded_code();
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    ::sigemptyset(&action.sa_mask);
    ::sigaddset(&action.sa_mask, SIGSEGV);  // a fault in the handler itself ends the process
    ::sigaddset(&action.sa_mask, SIGBUS);
    ::sigaction(SIGSEGV, &action, nullptr);
    ::sigaction(SIGBUS, &action, nullptr);
}

WatchedBuffer::WatchedBuffer(std::uint32_t id, std::uint64_t begin, std::uint64_t end, std::uint64_t payload)
    : slot_(0) {
    while (slot_ < kMost && slots[slot_].is_used) ++slot_;
    if (slot_ == kMost)
        throw ClError::refusal(
            "the kernel needs more than " + std::to_string(kMost) + " buffers between unreadable pages",
            "Check without unreadable pages");
    Slot& slot = slots[slot_];
    slot.id = id;
    slot.begin = begin;
    slot.end = end;
    slot.payload = payload;
    slot.is_used = true;
}

WatchedBuffer::~WatchedBuffer() {
    slots[slot_].is_used = false;
}

TracePage::TracePage() {
    void* const wanted = reinterpret_cast<void*>(kTraceAddress);
    void* const page = ::mmap(wanted, kPageBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page == MAP_FAILED || page != wanted) {
        const std::string why =
            page == MAP_FAILED ? std::generic_category().message(errno) : "the address is not available";
        // Kernels before 4.17 ignore MAP_FIXED_NOREPLACE and treat the address as a hint.
        if (page != MAP_FAILED) ::munmap(page, kPageBytes);
        throw ClError("mmap", CL_OUT_OF_HOST_MEMORY, "cannot map the page for the work-item's trace: " + why,
                      "Check without tracing the work-item");
    }
    is_tracing = true;
}

TracePage::~TracePage() {
    is_tracing = false;
    ::munmap(reinterpret_cast<void*>(kTraceAddress), kPageBytes);
}

void TracePage::clear() {
    std::memset(reinterpret_cast<void*>(kTraceAddress), 0, sizeof(TraceRecord));
}

}  // namespace kwb
