#include "runner/execute.hpp"

#include <algorithm>

#include "ocl/errors.hpp"
#include "ocl/launch.hpp"

namespace kwb {
namespace {

/// Sorts `values`; for an even number of values, the mean of the middle two.
double median(std::vector<double>& values) {
    std::ranges::sort(values);
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// Performs the runs of one request and records their times.
class Runs {
public:
    Runs(const ExecuteRequest& request, const Execution& place)
        : request_(request),
          place_(place),
          launches_(place.program.program, place.program.functions, place.queue, request.launches,
                    [&](std::uint32_t id) -> const DeviceBuffer& { return place.memory.at(id); }) {}

    ExecutedReply perform() {
        enter(is_new(request_.launches.front()) ? kFirstLaunchStage : kLaunchStage);
        // An error after a run is that run's: the call only reports it.
        const auto attributed = [this](ClError error) {
            error.failure.is_of_launch |= reply_.runs > 0;
            return error;
        };
        try {
            place_.memory.change(request_.before_first);
            if (request_.turn)
                reply_.samples_ms = take_turn(
                    *request_.turn, [&] { return run(); },
                    [&] { has_original_inputs_ = request_.original_inputs_last; });
            else
                reply_.samples_ms = {run()};
            place_.memory.vary(request_.vary, std::nullopt);
            // The queued writes read from the request, which does not outlive this call.
            place_.queue.finish();
            reply_.launch_ms = launch_medians();
            reply_.download_ms = place_.memory.download(request_.download, place_.arena);
        } catch (const ClError& error) {
            throw attributed(error);
        } catch (const cl::Error& error) {
            throw attributed(explain_status(error.what(), error.err()));
        }
        return std::move(reply_);
    }

private:
    static FirstLaunches::value_type key(const Launch& launch) {
        return {launch.kernel, launch.global, launch.local};
    }

    bool is_new(const Launch& launch) const { return !place_.program.seen.contains(key(launch)); }

    void enter(const char* stage) {
        stage_ = stage;
        place_.announce(stage);
    }

    /// Reports a stage only when it changes.
    void change_to(const char* stage) {
        if (stage_ != stage) enter(stage);
    }

    double run() {
        place_.memory.change(request_.before_run);
        if (request_.turn)
            place_.memory.vary(request_.vary,
                               has_original_inputs_ ? std::nullopt : std::optional(reply_.runs));
        place_.memory.clear_trace();
        if (is_after_long_run_) enter(kLaunchStage);
        const Stopwatch watch;
        const double time_ms = run_launches();
        const double wall_ms = watch.ms();
        if (reply_.runs++ == 0) reply_.first_wall_ms = wall_ms;
        reply_.all_runs_ms += time_ms;
        // By the wall clock, because the first run may include a compilation, which the device's clock does
        // not show.
        is_after_long_run_ = request_.turn && wall_ms > request_.turn->long_ms;
        const auto& times_ms = launches_.launch_ms();
        launch_ms_.insert(launch_ms_.end(), times_ms.begin(), times_ms.end());
        return time_ms;
    }

    double run_launches() {
        if (std::ranges::none_of(request_.launches, [&](const Launch& launch) { return is_new(launch); }))
            return launches_.run();
        const CompileWatch watch{
            [&](const Launch& launch) { return place_.program.seen.insert(key(launch)).second; },
            [&] { change_to(kFirstLaunchStage); }, [&] { change_to(kLaunchStage); }};
        return launches_.run(&watch);
    }

    /// For each launch the median over the recorded runs, which are the last.
    std::vector<double> launch_medians() const {
        const std::size_t launches = request_.launches.size();
        const std::size_t begin = launch_ms_.size() - reply_.samples_ms.size() * launches;
        std::vector<double> medians;
        for (std::size_t launch = 0; launch < launches; ++launch) {
            std::vector<double> times_ms;
            for (std::size_t i = begin + launch; i < launch_ms_.size(); i += launches)
                times_ms.push_back(launch_ms_[i]);
            medians.push_back(median(times_ms));
        }
        return medians;
    }

    const ExecuteRequest& request_;
    const Execution& place_;
    LaunchSequence launches_;
    ExecutedReply reply_;
    std::vector<double> launch_ms_;  ///< ordered by run, then by launch
    const char* stage_ = "";
    bool is_after_long_run_ = false;
    bool has_original_inputs_ = false;  ///< the inputs are not varied
};

}  // namespace

ExecutedReply execute(const ExecuteRequest& request, const Execution& place) {
    if (!request.launches.empty()) return Runs(request, place).perform();
    ExecutedReply reply;
    reply.download_ms = place.memory.download(request.download, place.arena);
    return reply;
}

}  // namespace kwb
