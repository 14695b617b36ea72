// SPDX-License-Identifier: Apache-2.0
#include "ipc/judge_messages.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/error.hpp"

using namespace kwb;

namespace {

ResultEvent partial_result() {
    ResultEvent event{2, {}, false, 40};
    event.result.kernel = "matmul/tiled";
    event.result.judged = false;
    event.result.samples_ms = {5.25, 0};
    event.result.median_ms = 5.5;
    return event;
}

Message received(const JudgeEvent& event) {
    Outgoing sent = to_outgoing(event);
    return {sent.json.at("type"), sent.json, sent.attachment};
}

}  // namespace

TEST_CASE("a partial result comes back as it was sent") {
    const auto event = std::get<ResultEvent>(judge_event_from(received(partial_result())));
    CHECK(event.index == 2);
    CHECK(!event.is_final);
    CHECK(event.samples_before == 40);
    CHECK(!event.result.judged);
    CHECK(event.result.kernel == "matmul/tiled");
    CHECK(event.result.samples_ms == std::vector<double>{5.25, 0});
    CHECK(event.result.median_ms == 5.5);
}

TEST_CASE("a result says whether it is final, whether it is judged and where its samples belong") {
    const auto refuses = [](const std::string& key, const Json& value) {
        Message message = received(partial_result());
        message.json[Json::json_pointer(key)] = value;
        CAPTURE(key);
        CHECK_THROWS_AS(judge_event_from(message), ProtocolError);
    };
    refuses("/index", -1);
    refuses("/index", "a");
    refuses("/final", Json());
    refuses("/final", true);  // a final result needs a verdict
    refuses("/judged", 1);
    refuses("/samples_before", -1);
    refuses("/samples_before", 0.5);
    refuses("/result", 7);
    refuses("/result/samples_ms", 5.25);
    refuses("/result/samples_ms/0", Json());
    refuses("/result/samples_ms/0", "nan");
    refuses("/result/samples_ms/0", -1e-3);
}

TEST_CASE("a final result is accepted with any number of samples, because front ends can show them") {
    ResultEvent event = partial_result();
    event.is_final = event.result.judged = true;
    event.samples_before = 0;
    event.result.samples_ms = {std::nan(""), -1};
    CHECK(std::get<ResultEvent>(judge_event_from(received(event))).result.samples_ms.size() == 2);
}
