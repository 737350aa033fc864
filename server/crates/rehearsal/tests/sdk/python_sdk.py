"""The official Python SDK against the rehearsal model: BASE_URL and KEY come from the environment."""

import json
import os
import urllib.request

import anthropic
from anthropic import beta_tool

BASE, KEY = os.environ["BASE_URL"], os.environ["KEY"]
MODEL = "rehearsal-1"
client = anthropic.Anthropic(base_url=BASE, api_key=KEY, max_retries=2)
impatient = client.with_options(max_retries=0)


def script(*entries):
    body = json.dumps(list(entries)).encode()
    urllib.request.urlopen(urllib.request.Request(f"{BASE}/control/script", body, method="POST")).read()


def seen():
    return json.load(urllib.request.urlopen(f"{BASE}/control/requests"))


def raises(kind, call, contains=""):
    try:
        call()
    except kind as error:
        assert contains in str(error), error
        return error
    raise AssertionError(f"no {kind.__name__}")


def hello(who=impatient, **more):
    return who.messages.create(
        model=MODEL, max_tokens=500, messages=[{"role": "user", "content": "Hello"}], **more
    )


TOOLS = [
    {
        "name": "get_cluster_status",
        "description": "Nodes and quorum.",
        "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
    },
    {
        "name": "get_node_temperature",
        "description": "Temperatures of one node.",
        "input_schema": {
            "type": "object",
            "properties": {"node": {"type": "string"}},
            "required": ["node"],
            "additionalProperties": False,
        },
    },
]
RESULTS = {
    "get_cluster_status": {"quorate": True, "nodes": [{"node": "pve", "state": "online"}, {"node": "Home", "state": "online"}]},
    "get_node_temperature": {"sensors": [{"sensor": "Package", "celsius": 47.5}, {"sensor": "NVMe", "celsius": 38}]},
}


def models():
    listed = client.models.list()
    assert listed.data[0].id == MODEL and listed.data[0].display_name == "Rehearsal model"
    one = client.models.retrieve(MODEL)
    assert one.max_input_tokens == 200_000 and one.capabilities.thinking.types.adaptive.supported
    raises(anthropic.NotFoundError, lambda: client.models.retrieve("nope"))


def plain():
    message = hello()
    assert message.stop_reason == "end_turn" and "sir" in message.content[0].text, message
    assert message._request_id.startswith("req_")
    counted = client.messages.count_tokens(model=MODEL, messages=[{"role": "user", "content": "Hello"}])
    assert counted.input_tokens == message.usage.input_tokens > 0
    assert seen()[-1]["auth"] == "bearer" and seen()[-1]["version"] == "2026-10-21"


def streaming_with_tools_and_thinking():
    messages = [{"role": "user", "content": "How warm are the nodes?"}]
    common = dict(model=MODEL, max_tokens=4000, tools=TOOLS, thinking={"type": "adaptive", "display": "summarized"})
    steps = []
    for _ in range(4):
        with client.messages.stream(messages=messages, **common) as stream:
            events = [event.type for event in stream]
            message = stream.get_final_message()
        assert "thinking" in events and "signature" in events, events
        assert message.usage.output_tokens > 0
        messages.append({"role": "assistant", "content": message.content})
        if message.stop_reason != "tool_use":
            break
        uses = [block for block in message.content if block.type == "tool_use"]
        steps.append([(use.name, use.input) for use in uses])
        results = [
            {
                "type": "tool_result",
                "tool_use_id": use.id,
                "content": json.dumps({"source": f"homelab/{use.name}", "data": RESULTS[use.name]}),
            }
            for use in uses
        ]
        messages.append({"role": "user", "content": results})
    assert steps == [
        [("get_cluster_status", {})],
        [("get_node_temperature", {"node": "pve"}), ("get_node_temperature", {"node": "Home"})],
    ], steps
    assert message.stop_reason == "end_turn"
    answer = message.content[-1].text
    assert "47.5 °C" in answer and "38 °C" in answer, answer

    # The history as the SDK echoes it is accepted; any change before a thinking block is not.
    messages.append({"role": "user", "content": "Thank you"})
    impatient.messages.create(messages=messages, **common)
    changed = [{"role": "user", "content": "How warm are the nodes, sir?"}, *messages[1:]]
    raises(
        anthropic.BadRequestError,
        lambda: impatient.messages.create(messages=changed, **common),
        "has changed since",
    )


def tool_runner():
    @beta_tool
    def get_weather(location: str) -> str:
        """The weather in a city.

        Args:
            location: The city.
        """
        return json.dumps({"location": location, "outside_celsius": 21.5})

    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=1000,
        tools=[get_weather],
        messages=[{"role": "user", "content": "What is the weather in Zagreb?"}],
    )
    message = runner.until_done()
    assert "21.5 °C" in message.content[-1].text and "Zagreb" in message.content[-1].text, message

    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=1000,
        stream=True,
        tools=[get_weather],
        messages=[{"role": "user", "content": "What is the weather in Split?"}],
    )
    for stream in runner:
        message = stream.get_final_message()
    assert "21.5 °C" in message.content[-1].text, message


def errors_and_retries():
    stranger = anthropic.Anthropic(base_url=BASE, api_key="wrong", max_retries=0)
    raises(anthropic.AuthenticationError, lambda: hello(stranger))
    raises(anthropic.BadRequestError, lambda: hello(extra_body={"temperature": 0.5}), "temperature")
    script({"faults": [{"type": "rate_limit", "retry_after": {"seconds": 7}}]})
    limited = raises(anthropic.RateLimitError, hello)
    assert limited.response.headers["retry-after"] == "7"
    script({"faults": [{"type": "spend_cap"}]})
    capped = raises(anthropic.RateLimitError, hello)
    assert capped.body["error"]["details"]["error_code"] == "enforced_spend_limit_reached"
    script({"faults": [{"type": "overloaded"}]})
    assert raises(anthropic.APIStatusError, hello).status_code == 529
    before = len(seen())
    script(
        {"faults": [{"type": "rate_limit", "retry_after": {"milliseconds": 1}}]},
        {"faults": [{"type": "status", "status": 500, "should_retry": True}]},
    )
    assert hello(client).stop_reason == "end_turn"
    assert [entry["status"] for entry in seen()[before:]] == [429, 500, 200]
    script({"faults": [{"type": "html", "status": 502}]})
    raises(anthropic.InternalServerError, hello)


def stream_faults():
    def final():
        with impatient.messages.stream(
            model=MODEL, max_tokens=500, messages=[{"role": "user", "content": "Hello"}]
        ) as stream:
            return stream.get_final_message()

    whole = final()
    for harmless in ["pings", "one_byte", "crlf", "unknown", "several_message_deltas"]:
        script({"faults": [{"type": harmless}]})
        message = final()
        texts = [block.text for block in message.content if block.type == "text"]
        assert texts == [block.text for block in whole.content], harmless
    script({"faults": [{"type": "error_event", "after": 2}]})
    raises(anthropic.APIStatusError, final, "Asked for by the rehearsal")
    script({"faults": [{"type": "reset", "after": 2}]})
    raises(Exception, final)
    # This SDK takes an end without message_stop for an end.
    script({"faults": [{"type": "no_message_stop"}]})
    assert final().stop_reason == "end_turn"
    script({"faults": [{"type": "refusal"}]})
    assert final().stop_details.category == "cyber"


for check in [models, plain, streaming_with_tools_and_thinking, tool_runner, errors_and_retries, stream_faults]:
    check()
    print("ok", check.__name__)
