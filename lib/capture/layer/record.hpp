// SPDX-License-Identifier: Apache-2.0
// The recording of this process.
#pragma once

#include "capture/layer/driver.hpp"

namespace kwb::capture {

/// Protects the recording and the tables of objects and commands. Never held while a driver is called.
void lock();
void unlock();

class Lock {
public:
    Lock() { lock(); }
    ~Lock() { unlock(); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
};

/// Open the recording of this process if it has none yet, also after fork().
/// @return  nullptr: nothing is recorded, because nobody asked for it or the folder cannot be written
Recording* recording();

// With the lock held:

/// The recording, if it is open.
Recording* current();
/// @return  the text's place in the recording; 0 if there is no room
TextAt add_text(const char* text);
TextAt add_text(const char* text, uint32_t bytes);
/// As printf() writes it, at most 400 bytes.
__attribute__((format(printf, 1, 2))) TextAt format_text(const char* format, ...);

/// @param frames  return addresses, innermost first
RecordedPlace place_of(void* const* frames, int count);

/// The row of a fault with this code at this place, counted once more.
/// @return  nullptr: it has been reported before, or there is no room
FaultRow* add_fault(const char* code, const RecordedPlace& place);

void add_trace(const TracedEvent& event);

// Without the lock:

/// Of the calling thread, as the kernel counts it.
uint32_t thread_number();

inline constexpr int kMostAddresses = 24;
struct Addresses {
    void* frames[kMostAddresses];
    int count = 0;
};
/// Who called the layer.
Addresses caller();

/// A call of the program returned an error.
void record_error(const Call& call, cl_int code, TextAt detail);
/// Called before each call: does it go on with what failed before in this thread?
void note_use(unsigned function, const void* first);
/// The program looked at the last error of this thread, e.g. at the build log.
void forget_error();

}  // namespace kwb::capture
