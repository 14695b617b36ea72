// All of kwb-judge except main(): serve one face until it closes its end.
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

    /// Greet, then answer requests until end of file.
    /// @throws FaceGone, ProtocolError  the face has gone, or does not speak the protocol
    void serve();

private:
    void answer(const JudgeRequest& request);
    /// After a failure of judge or runners: the next request looks for its device again.
    void forget_devices();
    void list_devices();
    void run(const RunRequest& request);
    /// @return  null if no contestant needs a device
    const DeviceInfo* device_for(const RunRequest& request);
    /// The bench of a device and a trust domain, kept from run to run while the device stays the same.
    DeviceBench& bench(const DeviceInfo& device, const TrustDomain& domain);
    std::unique_ptr<const DeclaredSolver> own_solver(const RunRequest& request, const DeviceInfo* device);
    Environment environment(const DeviceInfo* device) const;

    FaceLink face_;
    DevicePool pool_;
    bool probed_ = false;
    std::map<TrustDomain, std::unique_ptr<DeviceBench>> benches_;  ///< all of one device
    ReferenceCache references_;
};

/// Serve the face at the other end of stdin and stdout until it closes them.
/// @throws ProtocolError  a face that does not speak the protocol; std::system_error  no usable descriptors
void run_judge(const PoolOptions& options);

}  // namespace kwb
