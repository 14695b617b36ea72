// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of profiles.
#pragma once

#include "base/record.hpp"
#include "capture/profile.hpp"

namespace kwb::capture {

template <class Fields>
void describe(Fields& f, CallPlace& place) {
    f("file", place.file, "Source file of the call; empty without debug information.");
    f("line", place.line);
    f("function", place.function);
    f("module", place.module, "The program or library that contains the call.");
}

template <class Fields>
void describe(Fields& f, LaunchShape& shape) {
    f("global", shape.global);
    f("local", shape.local, "Empty: the driver chose.");
    f("launches", shape.launches);
    f("total_ms", shape.total_ms);
    f("median_ms", shape.median_ms);
}

template <class Fields>
void describe(Fields& f, ProfiledKernel& kernel) {
    f("name", kernel.name);
    f("device", kernel.device, "Index in `devices`.");
    f("launches", kernel.launches);
    f("timed", kernel.timed, "Launches whose times are known.");
    f("total_ms", kernel.total_ms);
    f("median_ms", kernel.median_ms);
    f("least_ms", kernel.least_ms);
    f("most_ms", kernel.most_ms);
    f("is_sampled", kernel.is_sampled, "The median is of a random sample of the launches.");
    f("share", kernel.share, "Of the time of all kernels.");
    f("shapes", kernel.shapes);
    f("place", kernel.place, "Of the first launch.");
}

template <class Fields>
void describe(Fields& f, ProfiledTransfers& transfers) {
    f("kind", transfers.kind);
    f("count", transfers.count);
    f("bytes", transfers.bytes);
    f("total_ms", transfers.total_ms);
    f("gb_per_s", transfers.gb_per_s);
}

template <class Fields>
void describe(Fields& f, ProfiledBuild& build) {
    f("call", build.call);
    f("options", build.options);
    f("code", build.code);
    f("code_name", build.code_name);
    f("ms", build.ms);
    f("is_background", build.is_background, "It went on after the call.");
    f("place", build.place);
}

template <class Fields>
void describe(Fields& f, ProfiledError& error) {
    f("call", error.call);
    f("code", error.code);
    f("code_name", error.code_name);
    f("words", error.words);
    f("detail", error.detail);
    f("count", error.count);
    f("is_unseen", error.is_unseen, "The program did not ask for the code.");
    f("next", error.next, "The call that went on with the same object; empty: none did.");
    f("place", error.place);
    f("next_place", error.next_place);
}

template <class Fields>
void describe(Fields& f, ProfiledFault& fault) {
    f("code", fault.code);
    f("words", fault.words);
    f("count", fault.count);
    f("place", fault.place);
}

template <class Fields>
void describe(Fields& f, Unreleased& objects) {
    f("kind", objects.kind);
    f("count", objects.count);
    f("bytes", objects.bytes);
    f("place", objects.place, "Where they were made.");
}

template <class Fields>
void describe(Fields& f, ProfiledDevice& device) {
    f("name", device.name);
    f("commands", device.commands);
    f("span_ms", device.span_ms, "From the first start to the last end.");
    f("busy_ms", device.busy_ms);
    f("host_gaps", device.host_gaps,
      "Times at which it had nothing to do until the host enqueued a command.");
    f("host_gap_ms", device.host_gap_ms);
    f("longest_gap_ms", device.longest_gap_ms);
    f("longest_gap_before", device.longest_gap_before, "The command that ended the longest gap.");
}

template <class Fields>
void describe(Fields& f, ProfiledFunction& function) {
    f("name", function.name);
    f("calls", function.calls);
    f("host_ms", function.host_ms);
}

template <class Fields>
void describe(Fields& f, Profile& profile) {
    f("program", profile.program);
    f("pid", profile.pid);
    f("is_complete", profile.is_complete, "Its exit handlers ran.");
    f("span_ms", profile.span_ms, "From the first OpenCL call to the end.");
    f("commands", profile.commands);
    f("devices", profile.devices);
    f("kernels", profile.kernels);
    f("transfers", profile.transfers);
    f("builds", profile.builds);
    f("errors", profile.errors);
    f("faults", profile.faults);
    f("unreleased", profile.unreleased);
    f("functions", profile.functions);
    f("untimed", profile.untimed, "Commands whose times could not be read.");
    f("unprofiled_queues", profile.unprofiled_queues);
    f("lost_rows", profile.lost_rows, "Rows for which the recording had no room.");
    f("trace_stride", profile.trace_stride, "Every n-th event is in the trace.");
    f("trace_seen", profile.trace_seen);
}

/// What --json writes.
struct ProfileDocument {
    std::string kind = "profile";
    std::uint32_t format = 1;
    std::string kwb_version;
    std::vector<Profile> processes;
};

template <class Fields>
void describe(Fields& f, ProfileDocument& document) {
    f.record("profile", "What the processes of a program did with OpenCL.");
    f("kind", document.kind, "\"profile\".");
    f("format", document.format, "Increases when a key is removed, or its meaning changes.");
    f("kwb_version", document.kwb_version);
    f("processes", document.processes, "Those that called OpenCL.");
}

}  // namespace kwb::capture
