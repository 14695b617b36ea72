// All of kwb-runner except main(): sends one reply to each request of the judge.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/channel.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/device.hpp"
#include "ocl/program.hpp"
#include "runner/device_memory.hpp"
#include "runner/execute.hpp"

namespace kwb {

class Server {
public:
    Server(Channel channel, std::optional<Arena> arena);

    /// Sends the greeting, then answers requests one by one until the judge closes its end.
    /// @throws ProtocolError  a message is not a request
    void serve();

private:
    struct BuiltProgram {
        cl::Program program;
        std::vector<FunctionInfo> functions;
        FirstLaunches seen;
    };
    /// A descriptor and the file that it should refer to.
    struct OpenFile {
        int fd = -1;
        dev_t device = 0;
        ino_t number = 0;
    };
    /// The opened device and everything that belongs to it.
    struct Opened {
        cl::Device device;
        cl::Context context;
        cl::CommandQueue queue;
        DeviceMemory memory;
        std::map<std::uint32_t, BuiltProgram> programs;
    };

    /// Performs `request` and returns the reply; failures become FailedReply.
    Json answer(const RunnerRequest& request);

    /// @throws std::runtime_error  a descriptor that this process needs was closed or replaced
    void require_descriptors() const;

    Json handle(const ConfineRequest& request);
    Json handle(const DevicesRequest& request);
    Json handle(const OpenRequest& request);
    Json handle(const BuildRequest& request);
    Json handle(const BuffersRequest& request);
    Json handle(const UploadRequest& request);
    Json handle(const ExecuteRequest& request);

    const FoundDevices& found();
    Opened& opened();
    void announce(const char* stage);
    void send(const Json& message);

    Channel channel_;
    std::optional<Arena> arena_;
    std::vector<OpenFile> needed_files_;
    std::optional<FoundDevices> found_;
    std::optional<Opened> opened_;
    bool is_confined_ = false;
    Fd question_fd_;  ///< the judge has a copy; closed before a kernel could use it to answer notifications
                      ///< itself
    bool is_alone_ = false;  ///< the judge has closed the connection
};

/// Serves the judge at the other end of stdin and stdout until it closes them. See ipc/protocol_pipes.hpp for
/// what happens to the standard descriptors, and ipc/runner_messages.hpp for the messages.
/// @param has_arena  the judge passes shared memory
/// @throws ProtocolError  a message is not a request; std::system_error  stdin and stdout are unusable
void run_runner(bool has_arena);

}  // namespace kwb
