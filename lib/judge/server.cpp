// SPDX-License-Identifier: Apache-2.0
#include "judge/server.hpp"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "base/version.hpp"
#include "ipc/channel.hpp"
#include "ipc/child.hpp"
#include "judge/build/device_code.hpp"
#include "judge/face_link.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/processes/machine.hpp"
#include "judge/reference/declared_solver.hpp"
#include "judge/reference/host_blas.hpp"
#include "judge/run.hpp"
#include "judge/xray/wrong_output.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

/// How often the face is informed about drivers that are still starting.
constexpr double kLookMs = 1000;

/// Between requests: after this time without another one, the user is probably reading the answer.
constexpr double kQuietMs = 200;
/// How often to look whether a runner is ready.
constexpr double kWarmUpLookMs = 50;

/// For each step of what shows the machine code.
constexpr double kMostCodeMs = 10'000;

TrustDomain domain_of_first(const RunRequest& request) {
    for (std::size_t i = 0; i < request.contestants.size(); ++i)
        if (request.contestants[i].kernel && request.contestants[i].kernel->trust != Trust::Foreign)
            return domain_of(request, i);
    return {Trust::Shipped, ""};
}

/// The reference of a declared problem shares nothing with a contestant, even if it is the same kernel.
TrustDomain domain_of_reference(const DeclaredInstance& declared) {
    return domain_of(*declared.reference, "reference-");
}

/// Where X-ray's answers are kept; empty: nowhere, for want of a cache folder.
std::filesystem::path xray_cache_folder() {
    try {
        return cache_folder() / "xray";
    } catch (const EnvironmentError&) {  // reported once a runner needs it
        return {};
    }
}

class JudgeServer {
public:
    JudgeServer(Channel channel, const PoolOptions& options)
        : face_(std::move(channel)),
          pool_(options, face_),
          xray_(pool_, XrayCache(xray_cache_folder(), {options.xray_program, "/proc/self/exe"})) {}

    /// Sends the greeting, then answers requests until end of file.
    /// @throws FaceGone  the face closed the connection
    /// @throws ProtocolError  the face does not speak the protocol
    void serve() {
        face_.send(Outgoing{make_hello("kwb-judge"), ""});
        while (std::optional<JudgeRequest> request = next_request()) {
            try {
                if (auto* run_request = std::get_if<RunRequest>(&*request)) {
                    if (!run_request->seed) run_request->seed = seed_;
                    run(*run_request);
                } else if (const auto* xray_request = std::get_if<XrayRequest>(&*request))
                    xray(*xray_request);
                else if (const auto* expected = std::get_if<ExpectRuns>(&*request))
                    pool_.expect_runs(expected->device);
                else
                    list_devices();
            } catch (const StopRequested&) {  // while devices were being listed
                probed_ = false;
                face_.send(ErrorEvent{"stopped"});
            } catch (const FaceGone&) {
                throw;
            } catch (const ProtocolError&) {
                throw;
            } catch (
                const std::exception& error) {  // no runner starts, memory is out: only this request fails
                forget_devices();
                face_.send(ErrorEvent{error.what()});
            }
        }
    }

private:
    /// The next one may come at once, and a run that times must not wait for a warm-up.
    std::optional<JudgeRequest> next_request() {
        if (pool_.expects_runs() && !face_.has_request_by(deadline_after_ms(kQuietMs)))
            while (pool_.keep_ready() && !face_.has_request_by(deadline_after_ms(kWarmUpLookMs))) {
            }
        return face_.wait_request();
    }

    /// Called after the judge or a runner failed: the next request probes for its device again.
    void forget_devices() {
        benches_.clear();
        pool_.abandon_probe();
        probed_ = false;
    }

    void list_devices() {
        benches_.clear();  // they refer to devices of the old list
        probed_ = false;
        pool_.begin_probe();
        probed_ = true;
        DeviceList list;
        const auto tell = [&] {
            list.free_memory_bytes = available_memory_bytes();
            face_.send(list);
        };
        try {
            do {
                list = pool_.collect_by(deadline_after_ms(kLookMs));
                tell();
            } while (!list.is_whole);
        } catch (const StopRequested&) {  // answer with what is known; the other drivers continue to start
            list = pool_.list();
            list.is_whole = true;
            tell();
        }
    }

    const DeviceInfo& find_device(const RunRequest& request, const std::string& id) {
        return find_device(id, domain_of_first(request));
    }

    /// @param domain  whose kernels will run first
    const DeviceInfo& find_device(const std::string& id, const TrustDomain& domain) {
        if (!probed_) {
            pool_.begin_probe(domain);
            probed_ = true;
        }
        while (pool_.find(id) == nullptr && !pool_.collect_by(deadline_after_ms(kLookMs)).is_whole) {
        }
        const DeviceInfo* device = pool_.find(id);
        if (device == nullptr) throw EnvironmentError("device '" + id + "' is no longer available");
        return *device;
    }

    /// The devices of all kernels, without repetitions; none if only cpu:blas takes part.
    std::vector<DeviceInfo> devices_of(const RunRequest& request) {
        std::vector<DeviceInfo> devices;
        for (const Contestant& contestant : request.contestants) {
            if (!contestant.kernel) continue;
            const DeviceInfo& device = find_device(request, device_of(request, *contestant.kernel));
            if (std::ranges::find(devices, device.id, &DeviceInfo::id) == devices.end())
                devices.push_back(device);
        }
        return devices;
    }

    /// The bench for a device and a trust domain; kept between runs as long as they use the device.
    DeviceBench& bench(const DeviceInfo& device, const TrustDomain& domain) {
        std::unique_ptr<DeviceBench>& bench = benches_[{domain, device.id}];
        if (!bench) bench = std::make_unique<DeviceBench>(pool_, device, domain);
        pool_.prepare(device.id, domain);
        return *bench;
    }

    /// Ends the runners of some trust domains.
    template <class IsDone>
    void end_benches(const IsDone& is_done) {
        std::set<TrustDomain> done;
        std::erase_if(benches_, [&](const auto& entry) {
            return is_done(entry.first.first) && (done.insert(entry.first.first), true);
        });
        for (const TrustDomain& domain : done) pool_.forget(domain);
    }

    void end_foreign() {
        end_benches([](const TrustDomain& domain) { return domain.trust == Trust::Foreign; });
    }

    /// Ends the runners of devices and own kernels that do not take part: they keep their processes from size
    /// to size, but earlier versions of an edited file would remain for ever.
    void end_absent(const RunRequest& request, const std::vector<DeviceInfo>& devices) {
        std::erase_if(benches_, [&](const auto& entry) {
            return std::ranges::find(devices, entry.first.second, &DeviceInfo::id) == devices.end();
        });
        std::set<TrustDomain> present;
        for (std::size_t i = 0; i < request.contestants.size(); ++i)
            if (request.contestants[i].kernel) present.insert(domain_of(request, i));
        end_benches([&](const TrustDomain& domain) {
            return domain.trust == Trust::Own && !present.contains(domain);
        });
    }

    /// What several devices have in common is named once.
    static Environment environment(const std::vector<DeviceInfo>& devices) {
        Environment environment;
        const auto all = [&](const auto& text_of) {
            std::vector<std::string> texts;
            for (const DeviceInfo& device : devices)
                if (std::string text = text_of(device); std::ranges::find(texts, text) == texts.end())
                    texts.push_back(std::move(text));
            return join(texts, "; ");
        };
        environment.device = all(std::mem_fn(&DeviceInfo::name));
        environment.platform =
            all([](const DeviceInfo& device) { return device.platform + ", " + device.platform_version; });
        environment.driver = all(std::mem_fn(&DeviceInfo::driver_version));
        environment.opencl_c = all(std::mem_fn(&DeviceInfo::opencl_c));
        environment.host_cpu = host_cpu_name() + ", " + host_blas_name();
        environment.kwb_version = kwb_version();
        environment.sandbox =
            devices.empty() ? "none needed: no kernel was run" : all(std::mem_fn(&DeviceInfo::sandbox));
        return environment;
    }

    /// The reference kernel of a problem that the user declares gets its own bench.
    /// @param declared    nullptr: the problem is a shipped one
    /// @param device      on which the reference runs
    /// @param first       whose kernels run first
    std::unique_ptr<const DeclaredSolver> own_solver(const DeclaredInstance* declared,
                                                     const std::string& device, const TrustDomain& first,
                                                     double timeout_ms) {
        if (declared == nullptr) return nullptr;
        const auto make_bench = [this, declared, device, first, timeout_ms] {
            auto bench = std::make_unique<DeviceBench>(pool_, find_device(device, first),
                                                       domain_of_reference(*declared));
            bench->set_timeout_ms(timeout_ms);
            return bench;
        };
        return std::make_unique<const DeclaredSolver>(*declared, make_bench);
    }

    void xray(const XrayRequest& request) {
        const ProblemInstance instance =
            request.declared ? request.declared->instance : get_problem(request.problem).at(request.sizes);
        const std::unique_ptr<const DeclaredSolver> own =
            own_solver(request.declared.get(), request.device, {Trust::Shipped, ""}, RunRequest{}.timeout_ms);
        const ReferenceSolver* const solver = own ? own.get() : find_solver(request.problem);
        if (solver == nullptr)
            throw EnvironmentError("kwb-judge has no inputs for '" + request.problem + "'");
        face_.begin_step({"X-ray", request.kernel.name, 0, 0, std::nullopt, std::nullopt});
        const DeviceInfo& device = find_device(request.device, {Trust::Shipped, ""});
        try {
            const auto look = [this] { face_.checkpoint(); };
            const XraySubject subject{request.kernel, instance, *solver, device};
            RecordedWrong found;
            if (request.find_wrong)
                found = record_wrong(xray_, subject, request.options, look);
            else
                found.observed = observe_once(xray_, subject, request.options, look);
            if (request.find_wrong && request.declared && request.declared->reference)
                pool_.forget(domain_of_reference(*request.declared));
            XrayEvent event{std::move(found.observed.report),
                            {},
                            std::move(found.observed.recording),
                            std::move(found.wrong)};
            if (request.machine_code)
                event.machine_code =
                    code_of_device(pool_, device, request.kernel, instance, *solver, kMostCodeMs, look);
            face_.send(std::move(event));
        } catch (const StopRequested&) {  // the devices are still known
            face_.send(ErrorEvent{"stopped"});
        }
    }

    void run(const RunRequest& request) {
        const ProblemInstance instance =
            request.declared ? request.declared->instance : get_problem(request.problem).at(request.sizes);
        const std::vector<DeviceInfo> devices = devices_of(request);
        const std::unique_ptr<const DeclaredSolver> own =
            own_solver(request.declared.get(), request.device, domain_of_first(request), request.timeout_ms);
        const ReferenceSolver* const solver = own ? own.get() : find_solver(request.problem);
        if (solver == nullptr)
            throw EnvironmentError("kwb-judge has no reference for '" + request.problem + "'");
        const Environment where = environment(devices);
        const BenchFor bench_for = [&](const std::string& device, const TrustDomain& domain) -> DeviceBench& {
            return bench(find_device(request, device), domain);
        };
        end_absent(request, devices);
        if (pool_.expects_runs() && !devices.empty()) pool_.expect_runs(devices.front().id);
        if (request.submission != std::exchange(submission_, request.submission)) {
            end_foreign();
            xray_.end_others({});
        }
        Run run(request, instance, *solver, bench_for, references_, xray_, face_);
        bool stopped = false;
        std::string failure;
        try {
            run.perform();
        } catch (const StopRequested&) {
            stopped = true;
        } catch (const EnvironmentError& error) {  // runners no longer start: keep what is known
            failure = error.what();
        }
        for (OutputEvent& output : run.take_outputs()) face_.send(std::move(output));
        std::vector<KernelResult> results = run.results(stopped, failure);
        if (stopped) benches_.clear();  // a runner may be in the middle of a launch
        if (!failure.empty()) forget_devices();
        if (request.submission.empty()) end_foreign();
        if (request.declared && request.declared->reference)
            pool_.forget(domain_of_reference(*request.declared));
        for (std::string& warning : pool_.take_warnings())
            if (!results.empty()) results.front().warnings.push_back(remark(std::move(warning)));
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!request.send_maps) results[i].error_map.reset();
            face_.send(ResultEvent{static_cast<std::uint32_t>(i), std::move(results[i])});
        }
        face_.send(DoneEvent{where, stopped});
    }

    FaceLink face_;
    DevicePool pool_;
    XrayRoom xray_;
    bool probed_ = false;
    std::string submission_;  ///< RunRequest::submission of the last run
    /// By domain and DeviceInfo::id.
    std::map<std::pair<TrustDomain, std::string>, std::unique_ptr<DeviceBench>> benches_;
    /// Of all runs that ask for none: what one run's kernels learn about the inputs ends with their
    /// processes, and references are computed only once.
    const std::uint64_t seed_ = draw_seed();
    ReferenceCache references_;
};

}  // namespace

void run_judge(const PoolOptions& options) {
    ::signal(SIGPIPE, SIG_IGN);  // send() reports a closed connection
    try {
        JudgeServer(take_protocol_pipes(false).channel, options).serve();
    } catch (const FaceGone&) {
        // The normal end: no face is left to answer.
    }
}

}  // namespace kwb
