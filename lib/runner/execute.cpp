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
          launches_(place.program, place.functions, place.queue, request.launches,
                    [&](std::uint32_t id) -> const DeviceBuffer& { return place.memory.at(id); }) {}

    double one() {
        place_.memory.change(request_.before_run);
        if (request_.turn)
            place_.memory.vary(request_.vary, has_own_inputs_ ? std::nullopt : std::optional(count_));
        place_.memory.clear_trace();
        if (is_after_long_run_) enter(kLaunchStage);
        const Stopwatch watch;
        const double time_ms = run_launches();
        ++count_;
        total_ms_ += time_ms;
        const double wall_ms = watch.ms();
        if (launch_ms_.empty()) first_wall_ms_ = wall_ms;
        // By the wall clock, because the first run may include a compilation, which the device's clock does
        // not show.
        is_after_long_run_ = request_.turn && wall_ms > request_.turn->long_ms;
        const auto& times_ms = launches_.launch_ms();
        launch_ms_.insert(launch_ms_.end(), times_ms.begin(), times_ms.end());
        return time_ms;
    }

    /// Reports the stage of the first run.
    void enter_first() { enter(is_new(request_.launches.front()) ? kFirstLaunchStage : kLaunchStage); }

    /// Called before the last run of a turn.
    void prepare_last() { has_own_inputs_ = request_.own_inputs_last; }

    double first_wall_ms() const { return first_wall_ms_; }
    std::uint32_t count() const { return count_; }
    /// Device time of all runs.
    double total_ms() const { return total_ms_; }

    /// For each launch the median over the last `recorded` runs.
    std::vector<double> launch_medians(std::size_t recorded) const {
        const std::size_t launches = request_.launches.size();
        const std::size_t begin = launch_ms_.size() - recorded * launches;
        std::vector<double> medians;
        for (std::size_t launch = 0; launch < launches; ++launch) {
            std::vector<double> times_ms;
            for (std::size_t i = begin + launch; i < launch_ms_.size(); i += launches)
                times_ms.push_back(launch_ms_[i]);
            medians.push_back(median(times_ms));
        }
        return medians;
    }

private:
    static FirstLaunches::value_type key(const Launch& launch) {
        return {launch.kernel, launch.global, launch.local};
    }

    bool is_new(const Launch& launch) const { return !place_.seen.contains(key(launch)); }

    /// Reports a stage only when it changes.
    void change_to(const char* stage) {
        if (stage_ != stage) enter(stage);
    }

    void enter(const char* stage) {
        stage_ = stage;
        place_.announce(stage);
    }

    double run_launches() {
        if (std::ranges::none_of(request_.launches, [&](const Launch& launch) { return is_new(launch); }))
            return launches_.run();
        const CompileWatch watch{[&](const Launch& launch) { return place_.seen.insert(key(launch)).second; },
                                 [&] { change_to(kFirstLaunchStage); }, [&] { change_to(kLaunchStage); }};
        return launches_.run(&watch);
    }

    const char* stage_ = "";
    const ExecuteRequest& request_;
    const Execution& place_;
    LaunchSequence launches_;
    std::vector<double> launch_ms_;  ///< ordered by run, then by launch
    double first_wall_ms_ = 0;
    std::uint32_t count_ = 0;
    double total_ms_ = 0;
    bool is_after_long_run_ = false;
    bool has_own_inputs_ = false;  ///< the inputs are not varied
};

}  // namespace

ExecutedReply execute(const ExecuteRequest& request, const Execution& place) {
    ExecutedReply reply;
    if (request.launches.empty()) {
        reply.download_ms = place.memory.download(request.download, place.arena);
        return reply;
    }
    Runs runs(request, place);
    runs.enter_first();
    try {
        place.memory.change(request.before_first);
        if (request.turn)
            reply.samples_ms = take_turn(
                *request.turn, [&] { return runs.one(); }, [&] { runs.prepare_last(); });
        else
            reply.samples_ms = {runs.one()};
        place.memory.vary(request.vary, std::nullopt);
        // The queued writes read from `request`, which the caller destroys after this call.
        place.queue.finish();
        reply.first_wall_ms = runs.first_wall_ms();
        reply.launch_ms = runs.launch_medians(reply.samples_ms.size());
        reply.download_ms = place.memory.download(request.download, place.arena);
    } catch (ClError& error) {
        if (runs.count() > 0) error.set_of_launch();
        throw;
    } catch (const cl::Error& error) {
        ClError explained = explain_status(error.what(), error.err());
        if (runs.count() > 0) explained.set_of_launch();
        throw explained;
    }
    reply.runs = runs.count();
    reply.all_runs_ms = runs.total_ms();
    return reply;
}

}  // namespace kwb
