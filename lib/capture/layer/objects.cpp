// SPDX-License-Identifier: Apache-2.0
#include "capture/layer/objects.hpp"

#include <stdlib.h>
#include <string.h>

namespace kwb::capture {
namespace {

constexpr uint32_t kSlots = 1u << 16;
Object slots[kSlots];
uint32_t used = 0;

QueueState queues[kMostQueues];
uint32_t queues_used = 0;

constexpr const char* kKindNames[] = {"",        "context", "command queue", "buffer", "image",
                                      "sampler", "program", "kernel",        "event",  "SVM allocation"};

uint32_t home_of(const void* handle) {
    return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(handle) >> 4) * 0x9E3779B97F4A7C15u >> 48) %
           kSlots;
}

/// The row of a live object that the recording shows, if there is room for one.
uint32_t add_row(const void* handle, ObjectKind kind, uint64_t bytes, const RecordedPlace& place) {
    Recording* const into = current();
    static uint32_t last = 0;  // the free ones are likely after it
    for (uint32_t tries = 0; tries < 8 && into != nullptr; ++tries) {
        last = (last + 1) % kMostObjects;
        ObjectRow& row = into->object_rows[last];
        if (row.handle != 0) continue;
        row.kind = add_text(kKindNames[static_cast<uint32_t>(kind)]);
        row.bytes = bytes;
        row.place = place;
        row.handle = reinterpret_cast<uintptr_t>(handle);
        return last + 1;
    }
    return 0;
}

ObjectCount* count_of(ObjectKind kind) {
    Recording* const into = current();
    if (into == nullptr) return nullptr;
    ObjectCount& count = into->object_counts[static_cast<uint32_t>(kind)];
    if (count.kind == 0) count.kind = add_text(kKindNames[static_cast<uint32_t>(kind)]);
    return &count;
}

void free_all(Object& object) {
    ::free(object.kernel);
    ::free(object.source);
    ::free(object.options);
    object.kernel = nullptr;
    object.source = object.options = nullptr;
}

/// Close the gap that the object leaves, so that those behind it are still found.
void remove_slot(uint32_t hole) {
    slots[hole] = {};
    --used;
    for (uint32_t i = (hole + 1) % kSlots; slots[i].handle != nullptr; i = (i + 1) % kSlots) {
        const uint32_t home = home_of(slots[i].handle);
        if ((i - home) % kSlots < (i - hole) % kSlots) continue;
        slots[hole] = slots[i];
        slots[i] = {};
        hole = i;
    }
}

}  // namespace

Object* find_object(const void* handle) {
    if (handle == nullptr) return nullptr;
    for (uint32_t i = home_of(handle); slots[i].handle != nullptr; i = (i + 1) % kSlots)
        if (slots[i].handle == handle) return &slots[i];
    return nullptr;
}

Object* find_shared_memory(const void* address) {
    const auto wanted = reinterpret_cast<uintptr_t>(address);
    for (Object& object : slots) {
        const auto begin = reinterpret_cast<uintptr_t>(object.handle);
        if (object.kind == ObjectKind::SharedMemory && wanted >= begin && wanted - begin < object.bytes)
            return &object;
    }
    return nullptr;
}

Object* add_object(const void* handle, ObjectKind kind, uint64_t bytes, const RecordedPlace& place) {
    if (handle == nullptr) return nullptr;
    if (ObjectCount* const count = count_of(kind)) ++count->created;
    if (Object* const known = find_object(handle)) {  // its release was not seen
        free_all(*known);
        remove_slot(static_cast<uint32_t>(known - slots));
    }
    if (used > kSlots / 2) return nullptr;
    uint32_t i = home_of(handle);
    while (slots[i].handle != nullptr) i = (i + 1) % kSlots;
    ++used;
    slots[i] = {};
    slots[i].handle = handle;
    slots[i].kind = kind;
    slots[i].references = 1;
    slots[i].bytes = bytes;
    if (kind != ObjectKind::Event) slots[i].row = add_row(handle, kind, bytes, place);
    return &slots[i];
}

bool release_object(const void* handle) {
    Object* const object = find_object(handle);
    if (object == nullptr) return false;
    if (--object->references > 0) return true;
    if (ObjectCount* const count = count_of(object->kind)) ++count->released;
    Recording* const into = current();
    if (object->row != 0 && into != nullptr) into->object_rows[object->row - 1].handle = 0;
    if (object->queue != nullptr) object->queue->handle = nullptr;
    free_all(*object);
    remove_slot(static_cast<uint32_t>(object - slots));
    return true;
}

void keep_source(Object& program, const char* source, const char* options) {
    ::free(program.source);
    ::free(program.options);
    program.source = ::strdup(source);
    program.options = ::strdup(options != nullptr ? options : "");
}

QueueState* find_queue(uint32_t number) {
    return number == 0 || number > queues_used ? nullptr : &queues[number - 1];
}

QueueState* add_queue() {
    if (queues_used == kMostQueues) return nullptr;
    QueueState* const queue = &queues[queues_used++];
    queue->number = queues_used;
    return queue;
}

}  // namespace kwb::capture
