// The runner's side of the conversation: one reply for each request.
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

    /// Greet, then answer requests one by one until the judge closes its end.
    /// @throws ProtocolError  a message that is no request
    void serve();

private:
    struct BuiltProgram {
        cl::Program program;
        std::vector<KernelFunction> functions;
        FirstLaunches seen;
    };
    /// A descriptor, and the file that it should mean.
    struct OpenFile {
        int fd = -1;
        dev_t device = 0;
        ino_t number = 0;
    };
    /// What belongs to the opened device.
    struct Opened {
        cl::Device device;
        cl::Context context;
        cl::CommandQueue queue;
        DeviceMemory memory;
        std::map<std::uint32_t, BuiltProgram> programs;
    };

    /// Do what `request` asks and return the reply; failures become FailedReply.
    Json answer(const RunnerRequest& request);

    /// @throws std::runtime_error  a descriptor that this process lives by is closed, or is another file
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
    std::vector<OpenFile> lives_by_;
    std::optional<FoundDevices> found_;
    std::optional<Opened> opened_;
    bool is_confined_ = false;
    Fd question_fd_;         ///< the judge takes a copy; no kernel may answer its own questions
    bool is_alone_ = false;  ///< the judge is gone
};

}  // namespace kwb
