// All of kwb-judge except main(): serves one face until it closes its end.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "judge/face_link.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/processes/device_pool.hpp"
#include "judge/reference/declared_solver.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {

class JudgeServer {
public:
    JudgeServer(Channel channel, PoolOptions options);

    /// Sends the greeting, then answers requests until end of file.
    /// @throws FaceGone  the face closed the connection
    /// @throws ProtocolError  the face does not speak the protocol
    void serve();

private:
    void answer(const JudgeRequest& request);
    /// Called after the judge or a runner failed: the next request probes for its device again.
    void forget_devices();
    void list_devices();
    void run(const RunRequest& request);
    /// @return  null if no contestant needs a device
    const DeviceInfo* device_for(const RunRequest& request);
    /// The bench for a device and a trust domain; kept between runs as long as the device stays the same.
    DeviceBench& bench(const DeviceInfo& device, const TrustDomain& domain);
    std::unique_ptr<const DeclaredSolver> own_solver(const RunRequest& request, const DeviceInfo* device);
    Environment environment(const DeviceInfo* device) const;

    FaceLink face_;
    DevicePool pool_;
    bool probed_ = false;
    std::map<TrustDomain, std::unique_ptr<DeviceBench>> benches_;  ///< all for the same device
    ReferenceCache references_;
};

/// Serves the face at the other end of stdin and stdout until it closes them.
/// @throws ProtocolError  the face does not speak the protocol
/// @throws std::system_error  stdin and stdout are unusable
void run_judge(const PoolOptions& options);

}  // namespace kwb
