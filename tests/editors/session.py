# SPDX-License-Identifier: Apache-2.0
"""A session of the Debug Adapter Protocol with `kwb debug --dap`, each message checked by the protocol's own schema."""

import json
import pathlib
import subprocess
import sys

import debugpy
import jsonschema

SCHEMA = json.loads(next(pathlib.Path(debugpy.__file__).parent.rglob("debugProtocol.json")).read_text())


def check(message: dict, definition: str) -> None:
    """Exits if a message is not what the schema says of it."""
    if definition not in SCHEMA["definitions"]:
        sys.exit(f"the schema has no {definition}: {message}")
    schema = {"$ref": f"#/definitions/{definition}", "definitions": SCHEMA["definitions"]}
    for error in jsonschema.Draft4Validator(schema).iter_errors(message):
        sys.exit(f"{definition}, {'/'.join(map(str, error.absolute_path))}: {error.message}\n{json.dumps(message, indent=1)}")


def definition_of(kind: str, name: str) -> str:
    return name[0].upper() + name[1:] + kind


class Client:
    def __init__(self, kwb: str):
        self.process = subprocess.Popen([kwb, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sequence = 0
        self.checked = 0
        self.events = []

    def send_raw(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self) -> dict:
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            byte = self.process.stdout.read(1)
            if not byte:
                sys.exit("kwb has ended")
            header += byte
        message = json.loads(self.process.stdout.read(int(header.split(b":")[1])))
        self.checked += 1
        if message["type"] == "event":
            check(message, definition_of("Event", message["event"]))
        elif message["success"]:
            check(message, definition_of("Response", message["command"]))
        else:
            check(message, "ErrorResponse")
        return message

    def answer(self) -> dict:
        while True:
            message = self.receive()
            if message["type"] == "response":
                return message
            self.events.append(message)

    def ask(self, command: str, is_good: bool = True, **arguments) -> dict:
        self.sequence += 1
        request = {"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}
        if is_good:
            check(request, definition_of("Request", command))
        text = json.dumps(request).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        answer = self.answer()
        assert answer["request_seq"] == self.sequence and answer["success"] == is_good, answer
        return answer.get("body", {})

    def wait_for(self, name: str) -> dict:
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    return event.get("body", {})
            self.events.append(self.receive())


def main() -> int:
    kwb, kernel = sys.argv[1], sys.argv[2]
    client = Client(kwb)
    client.ask("threads", is_good=False)
    client.ask("initialize", adapterID="kwb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    client.ask("launch", is_good=False, program="no/such/kernel")
    client.ask("launch", program=kernel, size=64, lane="5,3")
    client.wait_for("initialized")
    path = str(pathlib.Path(kernel).resolve())
    points = client.ask("setBreakpoints", source={"path": path},
                        breakpoints=[{"line": 53, "condition": "k == 9"}, {"line": 53, "condition": "k =="}, {"line": 9999}])
    assert [one["verified"] for one in points["breakpoints"]] == [True, False, False], points
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "matmul_tiled"}, {"name": "none"}])
    client.ask("setFunctionBreakpoints", breakpoints=[])
    client.ask("setExceptionBreakpoints", filters=[])
    client.ask("breakpointLocations", source={"path": path}, line=40, endLine=60)
    client.ask("configurationDone")
    assert client.wait_for("stopped")["reason"] == "entry"
    threads = client.ask("threads")["threads"]
    assert len(threads) == 256 and threads[53]["name"] == "work-item (5, 3)"
    client.ask("continue", threadId=54)
    assert client.wait_for("stopped")["reason"] == "breakpoint"
    for command in ("next", "stepIn", "stepBack", "reverseContinue", "continue", "stepBack", "pause"):
        client.ask(command, threadId=54)
        assert client.wait_for("stopped")["threadId"] == 54
    frames = client.ask("stackTrace", threadId=54, startFrame=0, levels=20)["stackFrames"]
    seen = 0
    for scope in client.ask("scopes", frameId=frames[0]["id"])["scopes"]:
        for variable in client.ask("variables", variablesReference=scope["variablesReference"])["variables"]:
            seen += 1
            if variable["variablesReference"]:
                client.ask("variables", variablesReference=variable["variablesReference"], start=3, count=5)
            client.ask("dataBreakpointInfo", variablesReference=scope["variablesReference"], name=variable["name"])
    assert seen > 20, seen
    for context in ("hover", "watch", "repl"):
        client.ask("evaluate", expression="sum", frameId=frames[0]["id"], context=context)
    client.ask("evaluate", is_good=False, expression="summ", frameId=frames[0]["id"], context="watch")
    client.ask("evaluate", expression="origins", frameId=frames[0]["id"], context="repl")
    watch = client.ask("dataBreakpointInfo", name="sum", frameId=frames[0]["id"])
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": watch["dataId"]}])
    client.ask("completions", text="print su", column=9, frameId=frames[0]["id"])
    client.ask("continue", threadId=54)
    assert client.wait_for("stopped")["reason"] == "data breakpoint"
    client.ask("stackTrace", threadId=1)
    client.send_raw(b"Content-Length: 99999999999\r\n\r\nrubbish Content-Length: 3\r\n\r\n{}}")
    assert not client.answer()["success"] and not client.answer()["success"]
    client.ask("source", source={"path": path}, sourceReference=0)
    client.ask("setDataBreakpoints", breakpoints=[])
    client.ask("setBreakpoints", source={"path": path}, breakpoints=[])
    client.ask("continue", threadId=54)
    client.wait_for("stopped")
    client.ask("continue", threadId=54)
    client.wait_for("terminated")
    client.ask("terminate")
    client.ask("disconnect")
    assert client.process.wait(timeout=60) == 0
    print(f"{client.checked} messages of kwb debug --dap are as the protocol's schema says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
