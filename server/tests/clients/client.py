"""A client that openapi-python-client makes of the description, through a conversation with a card and a call of its
own. Reads one JSON object from standard input, { url, token, folder, say, order, gone }, and prints what it read. The
package is made below `folder`."""

import contextlib
import importlib
import json
import sys
from pathlib import Path

import httpx
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

task = json.load(sys.stdin)
folder = Path(task["folder"])


def make():
    """Makes the package from what the server says of itself; returns what the generator finds wrong with it."""
    answer = httpx.get(
        task["url"] + "/api/v1/openapi.json",
        headers={"Authorization": f"Bearer {task['token']}"},
        trust_env=False,
    )
    document = folder / "openapi.json"
    document.write_bytes(answer.raise_for_status().content)
    config = Config.from_sources(
        ConfigFile(post_hooks=[]),
        MetaType.NONE,
        document_source=document,
        file_encoding="utf-8",
        overwrite=True,
        output_path=folder / "jarvis_client",
    )
    # It says what it makes on the output.
    with contextlib.redirect_stdout(sys.stderr):
        return [f"{wrong.header} {wrong.detail}" for wrong in generate(config=config)]


warnings = make()
sys.path.insert(0, str(folder))
from jarvis_client import AuthenticatedClient  # noqa: E402
from jarvis_client.models import Decision, NewConversation, NewDecision, NewMessage, NewRun, RunInput  # noqa: E402


def operation(name):
    return importlib.import_module(f"jarvis_client.api.default.{name}")


client = AuthenticatedClient(
    base_url=task["url"],
    token=task["token"],
    raise_on_unexpected_status=True,
    httpx_args={"trust_env": False},
)


def follow(address, after, last):
    """Reads the events of the journal after one, to the first of a type; returns them, by their numbers."""
    headers = {"Accept": "text/event-stream"}
    if after:
        headers["Last-Event-ID"] = after
    events, number, data = {}, "", ""
    with client.get_httpx_client().stream("GET", address, headers=headers) as answer:
        answer.raise_for_status()
        for line in answer.iter_lines():
            field, _, value = line.partition(":")
            if field == "id":
                number = value.strip()
            elif field == "data":
                data += value.strip()
            elif not line and data:
                event = json.loads(data)
                if number:
                    events[number] = event
                if event.get("type") == last:
                    return events
                number, data = "", ""
    raise EOFError(f"the stream ended before {last}")


begun = operation("start_conversation").sync(
    client=client, body=NewConversation(message=task["say"]), idempotency_key="first-message"
)
first = follow(begun.events, None, "turn_finished")
head = list(first)[-1]
sent = operation("send_message").sync(begun.conversation, client=client, body=NewMessage(message=task["order"]))
second = follow(begun.events, head, "confirmation_requested")
cards = operation("list_confirmations").sync(client=client).confirmations
feed = operation("read_feed").sync(client=client, limit=20).entries
gone = operation("read_conversation").sync_detailed(task["gone"], client=client)

ordered = operation("start_run").sync(
    client=client,
    body=NewRun(tool="start_container", input_=RunInput.from_dict({"node": "pve", "vmid": 213})),
    idempotency_key="first-run",
)
run = operation("read_run").sync(ordered.id, client=client)
while run.state == "running":
    run = operation("read_run").sync(ordered.id, client=client)
card = operation("read_confirmation").sync(run.call, client=client)
refused = operation("decide_confirmation").sync(
    run.call, client=client, body=NewDecision(decision=Decision.APPROVE, digest=card.card.digest)
)

print(
    json.dumps(
        {
            "warnings": warnings,
            "conversation": begun.conversation,
            "sent": sent.conversation,
            "first": list(first.values()),
            "head": int(head),
            "second": [int(number) for number in second],
            "cards": [waits.to_dict() for waits in cards],
            "feed": [entry.to_dict() for entry in feed],
            "gone": gone.parsed.to_dict(),
            "gone_id": gone.headers["x-request-id"],
            "tools": [tool.name for tool in operation("list_tools").sync(client=client).tools],
            "systems": [system.to_dict() for system in operation("list_systems").sync(client=client).systems],
            "audit": operation("read_audit_head").sync(client=client).to_dict(),
            "run": run.to_dict(),
            "card": card.to_dict(),
            "refused": refused.to_dict(),
        }
    )
)
