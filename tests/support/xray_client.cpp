// SPDX-License-Identifier: Apache-2.0
#include "xray_client.hpp"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "ipc/child.hpp"
#include "model/finding.hpp"
#include "source/compiler.hpp"
#include "source/kernels.hpp"
#include "temp_folder.hpp"

namespace kwb::test {

XrayJob& XrayJob::buffer(const std::string& name, ElementType type, std::uint64_t elements, bool is_set) {
    arguments.push_back(BufferArgument{static_cast<std::uint32_t>(buffers.size())});
    buffers.push_back({name, type, {elements}, std::nullopt});
    contents.push_back(is_set ? std::string(elements * type.bytes(), '\0') : std::string());
    return *this;
}

XrayJob& XrayJob::ints(const std::string& name, const std::vector<std::int32_t>& values) {
    buffer(name, {Scalar::Int32}, values.size());
    std::memcpy(contents.back().data(), values.data(), contents.back().size());
    return *this;
}

XrayJob& XrayJob::value(std::int32_t number) {
    std::vector<std::uint8_t> bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    arguments.push_back(ValueArgument{bytes});
    return *this;
}

XrayJob& XrayJob::local_memory(std::uint64_t bytes) {
    arguments.push_back(LocalArgument{bytes});
    return *this;
}

std::vector<std::string> XrayAnswer::codes() const {
    std::set<std::string> names;
    if (report)
        for (const Finding& finding : report->undefined) names.insert(to_string(finding.code));
    return {names.begin(), names.end()};
}

Finding XrayAnswer::find(FindingCode code) const {
    if (report)
        for (const Finding& finding : report->undefined)
            if (finding.code == code) return finding;
    return {};
}

XrayAnswer observe(const std::string& program, const XrayJob& job) {
    XrayAnswer answer;
    const TempFolder folder;
    Arena arena = Arena::create();
    ObserveRequest request;
    request.compiler = source::find_pocl_compiler().value_or("");
    request.folder = folder.path().string();
    request.file_name = "kernel.cl";
    request.source_text = job.source;
    request.options = job.options;
    request.xray = job.xray;
    request.buffers = job.buffers;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const std::uint64_t bytes = job.buffers[i].elements() * job.buffers[i].type.bytes();
        if (!job.contents[i].empty()) request.buffers[i].offset = end;
        request.download.push_back({static_cast<std::uint32_t>(i), end});
        end += (bytes + 4095) / 4096 * 4096;
    }
    arena.grow(std::max<std::size_t>(end, 4096));
    for (std::size_t i = 0; i < job.buffers.size(); ++i)
        if (!job.contents[i].empty())
            std::memcpy(arena.range(*request.buffers[i].offset, job.contents[i].size()).data(),
                        job.contents[i].data(), job.contents[i].size());
    if (const auto kernels = find_kernel_functions({job.source, {}, {}, job.options}))
        for (const SourceKernel& kernel : *kernels)
            request.functions.push_back({kernel.name, kernel.parameters, {}, {}});
    request.launches.push_back({job.kernel, job.global, job.local, job.arguments, 1, std::nullopt});
    request.launches.insert(request.launches.end(), job.more_launches.begin(), job.more_launches.end());

    ChildOptions options;
    options.command = {program, "--arena"};
    options.over_sockets = true;
    options.keep_fd = arena.fd();
    Child child = Child::spawn(options);
    child.channel().send(to_json(request));
    while (true) {
        while (std::optional<Message> message = child.channel().take()) {
            if (message->type == "hello") continue;
            RunnerReply reply = runner_reply_from_json(message->json);
            if (auto* observed = std::get_if<ObservedReply>(&reply)) {
                answer.report = std::move(observed->report);
                for (std::size_t i = 0; i < request.download.size(); ++i) {
                    const auto bytes = job.buffers[i].elements() * job.buffers[i].type.bytes();
                    const auto place = arena.range(request.download[i].offset, bytes);
                    answer.downloads.emplace_back(reinterpret_cast<const char*>(place.data()), bytes);
                }
                return answer;
            }
            if (const auto* failed = std::get_if<FailedReply>(&reply)) {
                answer.failure = failed->describe();
                return answer;
            }
        }
        if (child.channel().closed()) {
            const auto status = child.wait(deadline_after_ms(kPatienceMs));
            answer.failure = "it ended with " + (status ? status->describe() : "nothing");
            return answer;
        }
        pollfd ready{child.channel().read_fd(), POLLIN, 0};
        ::poll(&ready, 1, -1);
        child.channel().read_available();
    }
}

}  // namespace kwb::test
