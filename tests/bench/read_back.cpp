// Part 3: reading 16 MiB back into the judge, which is two copies: device to arena, arena to judge.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ipc/arena.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

constexpr std::size_t kBytes = 16u << 20;

/// The judge's own copy, which nobody sees from outside: do the same here. Somebody else (another mapping)
/// has written the arena; this mapping has not touched it yet.
double copy_out_ms() {
    Arena owner = Arena::create();
    owner.grow(kBytes);
    Arena borrower = Arena::adopt(Fd(::fcntl(owner.fd(), F_DUPFD_CLOEXEC, 0)));
    borrower.require(kBytes);
    std::ranges::fill(borrower.range(0, kBytes), std::byte{1});
    const auto start = std::chrono::steady_clock::now();
    const auto place = owner.range(0, kBytes);
    const std::vector<std::byte> copy(place.begin(), place.end());
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    return copy.back() == std::byte{1} ? wall.count() : 0;
}

}  // namespace

std::vector<Row> measure_read_back(const Setting& setting, LiveJudge& judge) {
    announce("reading 16 MiB back");
    // C has 2048 x 2048 floats; with K = 1 the inputs, which a check reads back too, are small.
    RunRequest request =
        judge.request_for(setting.kernel("01_naive.cl"), {{"M", 2048}, {"N", 2048}, {"K", 1}});
    request.mode = RunRequest::Mode::Check;
    request.rounds.reset();
    judge.ask(request);
    std::vector<double> total_ms;
    std::vector<double> download_ms;
    for (int i = 0; i < setting.repetitions(20, 6); ++i) {
        download_ms.push_back(judge.ask(request).result.download_ms.value());
        total_ms.push_back(download_ms.back() + copy_out_ms());
    }
    return {
        {"3. 16 MiB from the device to the judge (download_ms, and a copy out of the arena as the judge "
         "does it)",
         "10 ms",
         fmt::format("{}; of it download_ms {:.3g}", describe(total_ms, "ms"), stats::median(download_ms)),
         stats::median(total_ms) <= 10}};
}

}  // namespace kwb::bench
