#include "judge/server.hpp"

#include "base/error.hpp"
#include "base/version.hpp"
#include "ipc/hello.hpp"
#include "judge/host.hpp"
#include "judge/run.hpp"
#include "problems/problem.hpp"

namespace kwb {

JudgeServer::JudgeServer(Channel channel, std::string runner_program)
    : face_(std::move(channel)), pool_(std::move(runner_program), face_) {}

void JudgeServer::serve() {
    face_.send(Outgoing{make_hello("kwb-judge"), ""});
    while (const std::optional<JudgeRequest> request = face_.wait_request()) {
        try {
            answer(*request);
        } catch (const EnvironmentError& error) {
            bench_.reset();
            probed_ = false;
            face_.send(ErrorEvent{error.what()});
        } catch (const StopRequested&) {  // while listing devices: nothing to show for it
            probed_ = false;
            face_.send(ErrorEvent{"stopped"});
        } catch (const FaceGone&) {
            throw;
        } catch (const ProtocolError&) {
            throw;
        } catch (const std::exception& error) {  // no memory, say: it costs this answer alone
            bench_.reset();
            probed_ = false;
            face_.send(ErrorEvent{error.what()});
        }
    }
}

void JudgeServer::answer(const JudgeRequest& request) {
    if (const auto* run_request = std::get_if<RunRequest>(&request)) return run(*run_request);
    list_devices();
}

void JudgeServer::list_devices() {
    bench_.reset();  // it holds on to a device of the old list
    probed_ = false;
    const DeviceList& list = pool_.probe();
    probed_ = true;
    face_.send(list);
}

DeviceBench* JudgeServer::bench_for(const RunRequest& request) {
    bool needed = false;
    for (const Contestant& contestant : request.contestants) needed = needed || contestant.kernel;
    if (!needed) return nullptr;
    if (!probed_) {
        pool_.probe();
        probed_ = true;
    }
    const DeviceInfo* device = pool_.find(request.device);
    if (device == nullptr) throw EnvironmentError("device '" + request.device + "' is not there any more");
    if (!bench_ || bench_->device().id != device->id) bench_ = std::make_unique<DeviceBench>(pool_, *device);
    return bench_.get();
}

Environment JudgeServer::environment(const DeviceBench* bench, const RunRequest& request) const {
    Environment environment;
    if (bench != nullptr) {
        const DeviceInfo& device = bench->device();
        environment.device = device.name;
        environment.platform = device.platform + ", " + device.platform_version;
        environment.driver = device.driver_version;
        environment.opencl_c = device.opencl_c;
    }
    environment.host_cpu = host_cpu_name() + ", " + find_solver(request.problem)->host_library();
    environment.kwb_version = kwb_version();
    environment.sandbox = "separate process, no file or network restrictions";
    return environment;
}

void JudgeServer::run(const RunRequest& request) {
    const ProblemInstance instance = get_problem(request.problem).at(request.sizes);
    if (find_solver(request.problem) == nullptr)
        throw EnvironmentError("kwb-judge has no reference for '" + request.problem + "'");
    DeviceBench* bench = bench_for(request);
    const Environment where = environment(bench, request);
    Run run(request, instance, bench, references_, face_);
    bool stopped = false;
    try {
        run.perform();
    } catch (const StopRequested&) {
        stopped = true;
    }
    std::vector<KernelResult> results = run.results(stopped);
    if (stopped) bench_.reset();  // its runner is in the middle of something
    for (std::size_t i = 0; i < results.size(); ++i)
        face_.send(ResultEvent{static_cast<std::uint32_t>(i), std::move(results[i])});
    face_.send(DoneEvent{where, stopped});
}

}  // namespace kwb
