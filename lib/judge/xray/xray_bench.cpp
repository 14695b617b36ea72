// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/xray_bench.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "judge/xray/plausible_report.hpp"

namespace kwb {
namespace {

/// kwb-xray counts processor time. How long that takes depends on what else the machine does.
constexpr double kLoadedMachine = 8;

double timeout_ms_of(const XrayJob& job) {
    return kLoadedMachine * job.request.xray.most_ms + job.timeout_ms;
}

}  // namespace

void XrayBench::post(XrayJob job) {
    send(jobs_.emplace_back(Posted{std::move(job), 0, std::nullopt}));
}

void XrayBench::send(Posted& posted) {
    const XrayJob& job = posted.job;
    try {
        if (!process_ || !process_->alive()) {
            process_ = pool_.start_xray(compiler_);
            is_confined_ = !pool_.has_sandbox();
            used_bytes_ = buffer_bytes_ = 0;
        }
        posted.base = used_bytes_;
        used_bytes_ += job.arena_bytes;
        for (const ObserveRequest::Buffer& buffer : job.request.buffers)
            buffer_bytes_ += buffer.elements() * buffer.type.bytes();
        if (used_bytes_ > 0) process_->arena().grow(used_bytes_);
        process_->limit_memory({.buffer_bytes = buffer_bytes_, .arena_bytes = used_bytes_});
        for (const auto& [offset, content] : job.contents)
            std::ranges::copy(content, process_->arena().range(posted.base + offset, content.size()).begin());
        ObserveRequest request = job.request;
        for (ObserveRequest::Buffer& buffer : request.buffers)
            if (buffer.offset) *buffer.offset += posted.base;
        for (Transfer& transfer : request.download) transfer.offset += posted.base;
        request.compiler = compiler_;
        const std::filesystem::path folder = process_->folder() / "xray";
        std::filesystem::create_directory(folder);
        request.folder = folder.string();
        process_->post(request, timeout_ms_of(job));
    } catch (const std::runtime_error& error) {  // no process, no memory, no folder
        posted.failure = Failure{Verdict::Skipped, error.what(), {}};
    }
}

void XrayBench::send_all() {
    for (Posted& posted : jobs_)
        if (!posted.failure) send(posted);
}

Answer<Observed> XrayBench::receive() {
    expects(!jobs_.empty(), "XrayBench: nothing was asked");
    Posted& oldest = jobs_.front();
    Answer<Observed> answer = oldest.failure ? Answer<Observed>(*oldest.failure) : read_answer(oldest);
    jobs_.pop_front();
    if (jobs_.empty()) used_bytes_ = buffer_bytes_ = 0;
    if (!process_ || !process_->alive()) {
        process_.reset();
        send_all();
    }
    return answer;
}

Answer<Observed> XrayBench::read_answer(Posted& posted) {
    try {
        if (!std::exchange(is_confined_, true)) {
            Answer<ConfinedReply> confined = process_->receive_as<ConfinedReply>(kXrayStartMs);
            if (auto* failure = std::get_if<Failure>(&confined)) {
                process_->end();
                return std::move(*failure);
            }
        }
        Answer<ObservedReply> answer = process_->receive_as<ObservedReply>(timeout_ms_of(posted.job));
        if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
        auto& reply = std::get<ObservedReply>(answer);
        Observed observed{std::move(reply.report), {}, std::move(reply.recording)};
        require_plausible(observed.report, posted.job.request);
        // It answers with what it has seen, and dies.
        if (std::ranges::find(observed.report.remarks, FindingCode::XrayCrashed, &Finding::code) !=
            observed.report.remarks.end())
            process_->end();
        for (const Transfer& transfer : posted.job.request.download) {
            const ObserveRequest::Buffer& buffer = posted.job.request.buffers[transfer.buffer];
            const auto range = process_->arena().range(posted.base + transfer.offset,
                                                       buffer.elements() * buffer.type.bytes());
            observed.outputs.emplace_back(range.begin(), range.end());
        }
        return observed;
    } catch (const ProtocolError& error) {
        process_->end();
        return Failure{Verdict::Skipped, std::string("kwb-xray sent ") + error.what(), {}};
    } catch (const EnvironmentError& error) {  // of another version, or it does not greet
        process_->end();
        return Failure{Verdict::Skipped, error.what(), {}};
    }
}

}  // namespace kwb
