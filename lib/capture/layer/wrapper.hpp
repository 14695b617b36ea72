// SPDX-License-Identifier: Apache-2.0
// One wrapper for each function of the dispatch table: it calls the hooks, measures and records.
#pragma once

#include <string.h>

#include "capture/layer/hooks.hpp"

namespace kwb::capture {

template <class A, class B>
inline constexpr bool kIsSame = false;
template <class A>
inline constexpr bool kIsSame<A, A> = true;

/// The last argument of this type; nullptr: there is none.
template <class Wanted>
Wanted* last_of() {
    return nullptr;
}
template <class Wanted, class First, class... Others>
Wanted* last_of(First& first, Others&... others) {
    if (Wanted* const later = last_of<Wanted>(others...)) return later;
    if constexpr (kIsSame<Wanted, First>) return &first;
    return nullptr;
}

/// The kind of object that a function of this result makes; kernels, queues and memory have hooks of their
/// own.
template <class Result>
inline constexpr ObjectKind kMakes = ObjectKind::None;
template <>
inline constexpr ObjectKind kMakes<cl_context> = ObjectKind::Context;
template <>
inline constexpr ObjectKind kMakes<cl_sampler> = ObjectKind::Sampler;
template <>
inline constexpr ObjectKind kMakes<cl_program> = ObjectKind::Program;
template <>
inline constexpr ObjectKind kMakes<cl_event> = ObjectKind::Event;

template <class Argument>
const void* handle_of(Argument) {
    return &next;  // no object
}
inline const void* handle_of(cl_context one) {
    return one;
}
inline const void* handle_of(cl_command_queue one) {
    return one;
}
inline const void* handle_of(cl_mem one) {
    return one;
}
inline const void* handle_of(cl_sampler one) {
    return one;
}
inline const void* handle_of(cl_program one) {
    return one;
}
inline const void* handle_of(cl_kernel one) {
    return one;
}
inline const void* handle_of(cl_event one) {
    return one;
}

template <class First, class... Others>
const void* first_object(First first, Others...) {
    return handle_of(first);
}
inline const void* first_object() {
    return &next;
}

inline bool begins(const char* name, const char* with) {
    return ::strncmp(name, with, ::strlen(with)) == 0;
}

/// The call has returned: count it, and record its error.
template <auto Member, class... Arguments>
void finish(Call& call, cl_int code, Arguments... arguments) {
    call.end_ns = now_ns();
    Recording* const into = current();
    if (into == nullptr) return;
    FunctionRow& row = into->functions[call.function];
    __atomic_fetch_add(&row.calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&row.host_ns, call.end_ns - call.begin_ns, __ATOMIC_RELAXED);
    if (code < 0) record_error(call, code, explain(At<Member>{}, code, arguments...));
}

inline void trace_call(const Call& call) {
    const Function& function = functions[call.function];
    if (!function.is_traced) return;
    const Lock locked;
    if (current() == nullptr) return;
    TracedEvent event{};
    event.name = function.text;
    event.thread = thread_number();
    event.host_ns = call.begin_ns;
    event.host_duration_ns = call.end_ns - call.begin_ns;
    add_trace(event);
}

/// A command was enqueued.
/// @param event  of the program; nullptr: it asked for none
/// @param own    the event that the layer asked for instead
template <auto Member, class... Arguments>
void follow_command(const Call& call, Command command, cl_event event, cl_event own, Arguments... arguments) {
    cl_command_queue* const queue = last_of<cl_command_queue>(arguments...);
    const cl_event** const waits = last_of<const cl_event*>(arguments...);
    const cl_uint* const count = last_of<cl_uint>(arguments...);
    bool is_profiled = false;
    lock();
    if (Recording* const into = current()) {
        ++into->enqueued;
        if (event != nullptr) add_object(event, ObjectKind::Event, 0, {});
        Accepted accepted_command{queue != nullptr ? *queue : nullptr, event, {}, command, 0};
        if (waits != nullptr && count != nullptr) accepted_command.waits = {*count, *waits};
        Object* const object = find_object(accepted_command.queue);
        if (object != nullptr && object->queue != nullptr) {
            accepted_command.number = note_command(*object->queue, event, accepted_command.waits);
            command.queue = object->queue->number;
            command.device = object->queue->device;
            is_profiled = object->queue->is_profiled;
        }
        if (command.kind != CommandKind::None && command.kind != CommandKind::Kernel) {
            TransferRow& row = into->transfers[static_cast<uint32_t>(command.kind)];
            ++row.count;
            row.bytes += command.bytes;
        }
        accepted(At<Member>{}, accepted_command, arguments...);
    }
    unlock();
    if (is_profiled && command.kind != CommandKind::None && (event != nullptr || own != nullptr))
        follow(command, event != nullptr ? event : own, event == nullptr, call);
    else if (own != nullptr)
        next.clReleaseEvent(own);
}

template <auto Member>
struct Wrapper;

template <class Result, class... Arguments, Result (CL_API_CALL* cl_icd_dispatch::*Member)(Arguments...)>
struct Wrapper<Member> {
    static unsigned index() {
        return static_cast<unsigned>(
            (reinterpret_cast<const char*>(&(next.*Member)) - reinterpret_cast<const char*>(&next)) /
            static_cast<long>(sizeof(void*)));
    }

    static Result CL_API_CALL call(Arguments... arguments) {
        const At<Member> at;
        Call call;
        call.function = index();
        const Function& function = functions[call.function];
        const bool is_recorded = recording() != nullptr;
        if (!is_recorded) return (next.*Member)(arguments...);
        call.first = first_object(arguments...);
        note_use(call.function, call.first);
        if (begins(function.name, "clRelease")) released(call.first, function.name);
        before(at, arguments...);

        Command command;
        command.kind = function.kind;
        command.name = function.text;
        cl_event own_event = nullptr;
        cl_event** const event = last_of<cl_event*>(arguments...);
        const bool has_event = event != nullptr && *event != nullptr;
        if (function.kind != CommandKind::None) {
            describe(at, command, arguments...);
            if (event != nullptr && !has_event) *event = &own_event;
        }
        cl_int own_code = CL_SUCCESS;
        cl_int** const code_at = last_of<cl_int*>(arguments...);
        if constexpr (!kIsSame<Result, cl_int>)
            if (code_at != nullptr && *code_at == nullptr) {
                call.is_unseen = true;
                *code_at = &own_code;
            }

        call.begin_ns = now_ns();
        if constexpr (kIsSame<Result, void>) {
            (next.*Member)(arguments...);
            finish<Member>(call, CL_SUCCESS, arguments...);
        } else {
            Result result = (next.*Member)(arguments...);
            cl_int code = CL_SUCCESS;
            if constexpr (kIsSame<Result, cl_int>)
                code = result;
            else if (code_at != nullptr)
                code = **code_at;
            finish<Member>(call, code, arguments...);
            if (code == CL_SUCCESS)
                succeed(call, result, command, has_event ? **event : nullptr, own_event, arguments...);
            finished(at, code, arguments...);
            if (function.is_waiting) read_times(Reading::All);
            note_build(call, code, arguments...);
            return result;
        }
    }

    template <class Returned>
    static void succeed(const Call& call, Returned result, const Command& command, cl_event event,
                        cl_event own_event, Arguments... arguments) {
        const Function& function = functions[call.function];
        trace_call(call);
        if constexpr (kMakes<Returned> != ObjectKind::None) made(result, kMakes<Returned>);
        if (begins(function.name, "clRetain")) retained(call.first);
        if (begins(function.name, "clEnqueue")) {
            follow_command<Member>(call, command, event, own_event, arguments...);
            if (function.kind != CommandKind::None && !function.is_waiting) read_times(Reading::Few);
        }
        after(At<Member>{}, result, arguments...);
    }

    static void note_build(const Call& call, cl_int code, Arguments... arguments) {
        if constexpr (kIsBuild) {
            const char** const options = last_of<const char*>(arguments...);
            void(CL_CALLBACK * * const notify)(cl_program, void*) =
                last_of<void(CL_CALLBACK*)(cl_program, void*)>(arguments...);
            record_build(call, code, options != nullptr ? *options : nullptr,
                         notify != nullptr && *notify != nullptr);
        } else {
            static_cast<void>(call);
            static_cast<void>(code);
            (static_cast<void>(arguments), ...);
        }
    }
    // Their callbacks have a type that no other function has.
    static constexpr bool kIsBuild =
        (kIsSame<Arguments, void(CL_CALLBACK*)(cl_program, void*)> || ...) &&
        !kIsSame<Result(CL_API_CALL*)(Arguments...), decltype(cl_icd_dispatch::clSetProgramReleaseCallback)>;
};

/// Called once.
/// @param target  what the program's calls go to; its first `known` entries are set
/// @return  what the program is to call
const cl_icd_dispatch& intercept_all(const cl_icd_dispatch& target, cl_uint known);

}  // namespace kwb::capture
