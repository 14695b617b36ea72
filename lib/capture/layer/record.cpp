// SPDX-License-Identifier: Apache-2.0
#include "capture/layer/record.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/layer/commands.hpp"

namespace kwb::capture {

cl_icd_dispatch next;
Function functions[kMostFunctions];

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Recording* mapped = nullptr;
/// The begin of glibc's link_map; <link.h> brings all of ELF.
struct LoadedFile {
    uintptr_t added;   ///< to its addresses
    const char* name;  ///< empty: the program itself
};

enum class Opening { NotYet, Done, Failed };
Opening opening = Opening::NotYet;

constexpr uint32_t kTextSlots = 1u << 14;
TextAt text_slots[kTextSlots];

constexpr uint32_t kAddressSlots = 1u << 10;
struct KnownAddress {
    void* address;
    TextAt module;
    uint64_t offset;
    bool is_below;  ///< the layer itself, or the loader
};
KnownAddress known_addresses[kAddressSlots];

/// The error of this thread that the program may yet go on with; -1: none.
thread_local int open_error = -1;
thread_local const void* open_object = nullptr;
thread_local unsigned open_function = 0;

thread_local uint32_t own_thread = 0;  ///< 0: not asked for yet

uint64_t hash_bytes(const char* bytes, uint32_t count) {
    uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (uint32_t i = 0; i < count; ++i)
        hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 1099511628211u;
    return hash;
}

/// Leaves a file whose name is the reason why there is no recording.
void leave_reason(const char* folder, int error) {
    char path[4096];
    ::snprintf(path, sizeof path, "%s/%d.failed-%d", folder, static_cast<int>(::getpid()), error);
    const int file = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) ::close(file);
}

Recording* map_file(const char* folder) {
    char path[4096];
    int file = -1;
    // An earlier process may have had this number.
    for (int attempt = 0; attempt < 100 && file < 0; ++attempt) {
        ::snprintf(path, sizeof path, "%s/%d-%d%s", folder, static_cast<int>(::getpid()), attempt,
                   kRecordingSuffix);
        file = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST) break;
    }
    if (file < 0) return nullptr;
    // With all its blocks: a page of a full disk would kill the program.
    const int error = ::posix_fallocate(file, 0, sizeof(Recording));
    void* const memory = error == 0
                             ? ::mmap(nullptr, sizeof(Recording), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
    ::close(file);
    if (memory != MAP_FAILED) return static_cast<Recording*>(memory);
    ::unlink(path);
    leave_reason(folder, error != 0 ? error : errno);
    return nullptr;
}

void start_recording() {
    opening = Opening::Failed;
    const char* const folder = ::getenv(kFolderVariable);
    if (folder == nullptr) return;
    mapped = map_file(folder);
    if (mapped == nullptr) return;
    opening = Opening::Done;
    ::memset(text_slots, 0, sizeof text_slots);
    ::memset(known_addresses, 0, sizeof known_addresses);
    mapped->bytes = sizeof(Recording);
    mapped->pid = ::getpid();
    mapped->begin_ns = now_ns();
    mapped->trace_stride = 1;
    mapped->texts_used = 1;  // 0 is the empty text
    char program[1024];
    const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program);
    if (length > 0) mapped->program = add_text(program, static_cast<uint32_t>(length));
    for (uint32_t i = 0; i < kMostFunctions; ++i)
        if (functions[i].name != nullptr)
            functions[i].text = mapped->function_names[i] = add_text(functions[i].name);
    ::memcpy(mapped->magic, kRecordingMagic, sizeof kRecordingMagic);  // complete
}

/// The child of fork() has a recording of its own, from its first call on.
void forget_parent() {
    mapped = nullptr;
    opening = Opening::NotYet;
    own_thread = 0;
    forget_commands();
    ::pthread_mutex_unlock(&mutex);
}

bool is_same(const RecordedPlace& a, const RecordedPlace& b) {
    return a.count == b.count && ::memcmp(a.offsets, b.offsets, sizeof a.offsets) == 0 &&
           ::memcmp(a.modules, b.modules, sizeof a.modules) == 0;
}

/// Not dladdr(), which waits for libraries that other threads load, and they may wait for the layer.
const LoadedFile* file_of(void* address) {
    dl_find_object found{};
    return ::_dl_find_object(address, &found) == 0 ? reinterpret_cast<LoadedFile*>(found.dlfo_link_map)
                                                   : nullptr;
}

KnownAddress look_up(void* address) {
    KnownAddress& slot = known_addresses[(reinterpret_cast<uintptr_t>(address) >> 1) % kAddressSlots];
    if (slot.address == address) return slot;
    KnownAddress found{address, 0, 0, false};
    if (const LoadedFile* const file = file_of(address)) {
        found.module = file->name[0] != '\0' ? add_text(file->name) : mapped->program;
        found.offset = reinterpret_cast<uintptr_t>(address) - file->added;
        found.is_below = file == file_of(reinterpret_cast<void*>(&now_ns)) ||
                         ::strstr(file->name, "libOpenCL.so") != nullptr;
    }
    return slot = found;
}

}  // namespace

uint64_t now_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

void lock() {
    ::pthread_mutex_lock(&mutex);
}

void unlock() {
    ::pthread_mutex_unlock(&mutex);
}

Recording* recording() {
    if (__atomic_load_n(&mapped, __ATOMIC_ACQUIRE) != nullptr) return mapped;
    const Lock locked;
    if (opening == Opening::NotYet) {
        static bool is_watching = false;
        if (!is_watching) ::pthread_atfork(lock, unlock, forget_parent);
        is_watching = true;
        void* frame = nullptr;
        ::backtrace(&frame, 1);  // its first call loads a library
        start_recording();
    }
    return mapped;
}

Recording* current() {
    return mapped;
}

TextAt add_text(const char* text, uint32_t bytes) {
    if (mapped == nullptr || bytes == 0) return 0;
    uint64_t slot = hash_bytes(text, bytes) % kTextSlots;
    for (uint32_t tries = 0; tries < 64; ++tries, slot = (slot + 1) % kTextSlots) {
        const TextAt known = text_slots[slot];
        if (known == 0) break;
        const char* const other = mapped->texts + known;
        if (::strncmp(other, text, bytes) == 0 && other[bytes] == '\0') return known;
    }
    const uint32_t at = mapped->texts_used;
    if (bytes >= kMostTextBytes - at) return 0;
    ::memcpy(mapped->texts + at, text, bytes);
    mapped->texts[at + bytes] = '\0';
    mapped->texts_used = at + bytes + 1;
    return text_slots[slot] = at;
}

TextAt add_text(const char* text) {
    return text == nullptr ? 0 : add_text(text, static_cast<uint32_t>(::strnlen(text, 4096)));
}

TextAt format_text(const char* format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    ::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return add_text(text);
}

RecordedPlace place_of(void* const* frames, int count) {
    RecordedPlace place{};
    if (mapped == nullptr) return place;
    bool is_outside = false;
    for (int i = 0; i < count && place.count < kMostFrames; ++i) {
        const KnownAddress known = look_up(frames[i]);
        if (known.module == 0) continue;
        is_outside = is_outside || !known.is_below;
        if (!is_outside) continue;
        place.modules[place.count] = known.module;
        place.offsets[place.count++] = known.offset;
    }
    return place;
}

FaultRow* add_fault(const char* code, const RecordedPlace& place) {
    if (mapped == nullptr) return nullptr;
    const TextAt text = add_text(code);
    for (uint32_t i = 0; i < mapped->faults; ++i) {
        FaultRow& row = mapped->fault_rows[i];
        if (row.code != text || !is_same(row.place, place)) continue;
        ++row.count;
        return nullptr;
    }
    if (mapped->faults == kMostFaults) {
        ++mapped->lost_faults;
        return nullptr;
    }
    FaultRow& row = mapped->fault_rows[mapped->faults];
    row = {.code = text, .detail = 0, .count = 1, .place = place, .other = {}};
    ++mapped->faults;
    return &row;
}

void add_trace(const TracedEvent& event) {
    if (mapped->trace_seen++ % mapped->trace_stride != 0) return;
    if (mapped->traced == kMostTraced) {
        // Full: keep every second event, from now on as well.
        for (uint32_t i = 0; i < kMostTraced / 2; ++i) mapped->trace[i] = mapped->trace[2 * i];
        mapped->traced = kMostTraced / 2;
        mapped->trace_stride *= 2;
        if ((mapped->trace_seen - 1) % mapped->trace_stride != 0) return;
    }
    mapped->trace[mapped->traced] = event;
    ++mapped->traced;
}

uint32_t thread_number() {
    if (own_thread == 0) own_thread = static_cast<uint32_t>(::syscall(SYS_gettid));
    return own_thread;
}

Addresses caller() {
    Addresses addresses;
    addresses.count = ::backtrace(addresses.frames, kMostAddresses);
    return addresses;
}

void record_error(const Call& call, cl_int code, TextAt detail) {
    const Addresses addresses = caller();
    const Lock locked;
    if (mapped == nullptr) return;
    const RecordedPlace place = place_of(addresses.frames, addresses.count);
    const TextAt function = functions[call.function].text;
    uint32_t at = 0;
    while (at < mapped->errors &&
           (mapped->error_rows[at].function != function || mapped->error_rows[at].code != code ||
            !is_same(mapped->error_rows[at].place, place)))
        ++at;
    if (at == kMostErrors) {
        ++mapped->lost_errors;
        return;
    }
    ErrorRow& row = mapped->error_rows[at];
    if (at == mapped->errors) {
        row = {.function = function,
               .code = code,
               .count = 0,
               .is_unseen = call.is_unseen,
               .next = 0,
               .detail = detail,
               .place = place,
               .next_place = {}};
        ++mapped->errors;
    }
    ++row.count;
    open_error = static_cast<int>(at);
    open_object = call.first;
    open_function = call.function;
}

void note_use(unsigned function, const void* first) {
    if (open_error < 0 || functions[function].is_query) return;
    const int at = open_error;
    // An object that could not be created is null afterwards.
    const bool is_related = first == open_object || first == nullptr;
    // The same call again is a second attempt, unless it sets the next argument or enqueues the next command.
    const bool is_retry = function == open_function && functions[function].kind == CommandKind::None &&
                          ::strcmp(functions[function].name, "clSetKernelArg") != 0;
    open_error = -1;
    if (!is_related || is_retry || functions[function].name == nullptr) return;
    const Addresses addresses = caller();
    const Lock locked;
    if (mapped == nullptr || static_cast<uint32_t>(at) >= mapped->errors) return;
    ErrorRow& row = mapped->error_rows[at];
    if (row.next != 0) return;
    row.next_place = place_of(addresses.frames, addresses.count);
    row.next = functions[function].text;
}

void forget_error() {
    open_error = -1;
}

}  // namespace kwb::capture
