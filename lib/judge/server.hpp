// The judge's life: serve one face until it closes its end.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "judge/face_link.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/processes/device_pool.hpp"
#include "judge/reference/declared_solver.hpp"
#include "judge/reference/reference_cache.hpp"

namespace kwb {

class JudgeServer {
public:
    JudgeServer(Channel channel, PoolOptions options);

    /// Greets, then answers requests until end of file.
    /// @throws FaceGone, ProtocolError  there is nobody to answer, or nobody who can be understood
    void serve();

private:
    void answer(const JudgeRequest& request);
    /// Something is wrong with judge or runners: the next request finds its device anew.
    void forget_devices();
    void list_devices();
    void run(const RunRequest& request);
    /// @return  null if no contestant needs a device
    const DeviceInfo* device_for(const RunRequest& request);
    /// The bench of a device and a domain; it lives on from run to run while the device is the same.
    DeviceBench& bench(const DeviceInfo& device, const Domain& domain);
    std::unique_ptr<const DeclaredSolver> own_solver(const RunRequest& request, const DeviceInfo* device);
    Environment environment(const DeviceInfo* device) const;

    FaceLink face_;
    DevicePool pool_;
    bool probed_ = false;
    std::map<Domain, std::unique_ptr<DeviceBench>> benches_;  ///< all of one device
    ReferenceCache references_;
};

}  // namespace kwb
