#include "ipc/output_capture.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/fd.hpp"

using namespace kwb;

namespace {

struct Source {
    Pipe pipe = make_pipe();

    Source() { ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK); }
    void print(const std::string& text) {
        REQUIRE(::write(pipe.write.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
};

}  // namespace

TEST_CASE("output is kept in order and handed out once") {
    Source source;
    OutputCapture capture;
    source.print("one\n");
    capture.drain(source.pipe.read.get());
    source.print("two\n");
    capture.drain(source.pipe.read.get());
    CHECK(capture.take() == "one\ntwo\n");
    CHECK(capture.take() == "");
}

TEST_CASE("nothing to read, a closed pipe and no pipe are all quiet") {
    Source source;
    OutputCapture capture;
    capture.drain(source.pipe.read.get());
    source.pipe.write.reset();
    capture.drain(source.pipe.read.get());
    capture.drain(-1);
    CHECK(capture.take() == "");
}

TEST_CASE("beyond the cap output is counted, not kept, and never left in the pipe") {
    Source source;
    OutputCapture capture;
    for (int i = 0; i < 5; ++i) {
        source.print(std::string(30'000, static_cast<char>('a' + i)));
        capture.drain(source.pipe.read.get());
    }
    char byte = 0;
    CHECK(::read(source.pipe.read.get(), &byte, 1) < 0);
    const std::string text = capture.take();
    const std::size_t cut = 150'000 - OutputCapture::kKeptBytes;
    CHECK(text.substr(0, OutputCapture::kKeptBytes).find_first_not_of("abc") == std::string::npos);
    CHECK(text.substr(OutputCapture::kKeptBytes) ==
          "\n[… " + std::to_string(cut) + " more bytes of output were not kept]\n");
    CHECK(capture.take() == "");
    source.print("again");
    capture.drain(source.pipe.read.get());
    CHECK(capture.take() == "again");
}

TEST_CASE("a single byte too many is one byte") {
    Source source;
    OutputCapture capture;
    for (const std::size_t bytes : {OutputCapture::kKeptBytes / 2, OutputCapture::kKeptBytes / 2 + 1}) {
        source.print(std::string(bytes, 'a'));
        capture.drain(source.pipe.read.get());
    }
    CHECK(capture.take().ends_with("a\n[… 1 more byte of output was not kept]\n"));
}

TEST_CASE("many captures together keep no more than one") {
    Source source;
    OutputCapture all;
    for (int i = 0; i < 4; ++i) {
        OutputCapture capture;
        source.print(std::string(20'000, static_cast<char>('a' + i)));
        capture.drain(source.pipe.read.get());
        all.append(std::move(capture));
    }
    const std::string text = all.take();
    CHECK(text.find('d') == 60'000);
    CHECK(text.substr(OutputCapture::kKeptBytes) == "\n[… " +
                                                        std::to_string(80'000 - OutputCapture::kKeptBytes) +
                                                        " more bytes of output were not kept]\n");
}

TEST_CASE("bytes that are no UTF-8 are replaced") {
    Source source;
    OutputCapture capture;
    source.print("a\xFFz");
    capture.drain(source.pipe.read.get());
    CHECK(capture.take() == "a\xEF\xBF\xBDz");
}
