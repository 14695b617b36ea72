// SPDX-License-Identifier: Apache-2.0
#include "process/xray/xray_client.hpp"

#include <poll.h>

#include <algorithm>
#include <cstring>

#include "source/compiler.hpp"
#include "source/kernels.hpp"
#include "support/patience.hpp"

namespace kwb::test {

Argument XrayJob::buffer(const std::string& name, ElementType type, std::uint64_t elements,
                         const std::optional<std::vector<std::int32_t>>& values) {
    const auto place = static_cast<std::uint32_t>(buffers.size());
    buffers.push_back({name, type, {elements}, std::nullopt});
    std::string& content = contents.emplace_back();
    if (values) {
        content.resize(elements * type.bytes());
        for (std::size_t at = 0; at < content.size(); at += sizeof(std::int32_t))
            std::memcpy(content.data() + at, &(*values)[at / sizeof(std::int32_t) % values->size()],
                        std::min(sizeof(std::int32_t), content.size() - at));
    }
    return BufferArgument{place};
}

XrayProcess::XrayProcess() {
    ChildOptions options;
    options.command = {KWB_XRAY_PROGRAM, "--arena"};
    options.over_sockets = true;
    options.keep_fd = arena_.fd();
    child_ = Child::spawn(options);
}

ObserveRequest XrayProcess::request_for(const XrayJob& job) {
    ObserveRequest request;
    request.compiler = source::find_pocl_compiler().value_or("");
    request.folder = folder_.path().string();
    request.file_name = "kernel.cl";
    request.source_text = job.source;
    request.options = job.options;
    request.xray = job.xray;
    request.xray.most_ms = kPatienceMs;
    request.buffers = job.buffers;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const std::uint64_t bytes = job.buffers[i].elements() * job.buffers[i].type.bytes();
        if (!job.contents[i].empty()) request.buffers[i].offset = end;
        request.download.push_back({static_cast<std::uint32_t>(i), end});
        end += (bytes + 4095) / 4096 * 4096;
    }
    arena_.grow(std::max<std::size_t>(end, 4096));
    for (std::size_t i = 0; i < job.buffers.size(); ++i)
        if (!job.contents[i].empty())
            std::memcpy(arena_.range(*request.buffers[i].offset, job.contents[i].size()).data(),
                        job.contents[i].data(), job.contents[i].size());
    if (const auto kernels = find_kernel_functions({job.source, {}, {}, job.options}))
        for (const SourceKernel& kernel : *kernels)
            request.functions.push_back({kernel.name, kernel.parameters, {}, {}});
    request.launches = job.launches;
    return request;
}

XrayAnswer XrayProcess::observe(const XrayJob& job) {
    XrayAnswer answer;
    const ObserveRequest request = request_for(job);
    child_->channel().send(to_json(request));
    while (true) {
        while (std::optional<Message> message = child_->channel().take()) {
            if (message->type == "hello") continue;
            RunnerReply reply = runner_reply_from_json(message->json, message->attachment);
            if (auto* observed = std::get_if<ObservedReply>(&reply)) {
                answer.report = std::move(observed->report);
                answer.recording = std::move(observed->recording);
                if (answer.recording)
                    put_recorded_bytes(*answer.recording, std::exchange(answer.recording->packed, {}));
                for (std::size_t i = 0; i < request.download.size(); ++i) {
                    const auto bytes = job.buffers[i].elements() * job.buffers[i].type.bytes();
                    const auto place = arena_.range(request.download[i].offset, bytes);
                    answer.downloads.emplace_back(reinterpret_cast<const char*>(place.data()), bytes);
                }
                return answer;
            }
            if (const auto* failed = std::get_if<FailedReply>(&reply)) {
                answer.failure = failed->describe();
                return answer;
            }
        }
        if (child_->channel().closed()) {
            const auto status = child_->wait(deadline_after_ms(kPatienceMs));
            answer.failure = "it ended with " + (status ? status->describe() : "nothing");
            return answer;
        }
        pollfd ready{child_->channel().read_fd(), POLLIN, 0};
        ::poll(&ready, 1, -1);
        child_->channel().read_available();
    }
}

XrayAnswer observe(const XrayJob& job) {
    return XrayProcess().observe(job);
}

}  // namespace kwb::test
