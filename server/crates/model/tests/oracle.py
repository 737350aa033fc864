"""Writes the expected messages of the streaming fixtures with the vendor's own package.

Run as `python tests/oracle.py FIXTURES`, where FIXTURES is the unpacked source distribution of
`anthropic` 2.12.0 and the same version is installed.
"""

import http.server
import json
import pathlib
import sys
import threading

import anthropic

OUT = pathlib.Path(__file__).parent.parent / "src" / "reader" / "expected"


class Replay(http.server.BaseHTTPRequestHandler):
    body = b""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(Replay.body)))
        self.end_headers()
        self.wfile.write(Replay.body)

    def log_message(self, *args):
        pass


def expected(client):
    try:
        with client.beta.messages.stream(
            model="m", max_tokens=1, messages=[{"role": "user", "content": "x"}]
        ) as stream:
            message = stream.get_final_message().to_dict(mode="json")
    except ValueError as error:
        return {"raises": str(error).split(".")[0]}
    return {key: message[key] for key in ("content", "stop_reason", "usage")}


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Replay)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = anthropic.Anthropic(
        api_key="none", base_url=f"http://127.0.0.1:{server.server_port}", max_retries=0
    )
    root = pathlib.Path(sys.argv[1])
    files = sorted([*root.rglob("*_response.txt"), *root.rglob("*.sse")])
    OUT.mkdir(exist_ok=True)
    for file in files:
        # Most files end without the blank line that ends the last event.
        Replay.body = file.read_bytes() + b"\n\n"
        out = OUT / f"{file.stem.removesuffix('_response')}.json"
        out.write_text(json.dumps(expected(client), indent=2, ensure_ascii=False) + "\n")
    print(f"{len(files)} files from anthropic {anthropic.__version__}")


main()
