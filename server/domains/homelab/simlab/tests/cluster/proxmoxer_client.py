"""Drives the simulated cluster with proxmoxer, over HTTPS and with the cluster's CA. Facts about
the running cluster come in as JSON on standard input. The cluster's clock stands still until this
script says `advance SECONDS` on standard output."""

import json
import sys
import time
import types

import proxmoxer.tools.tasks
import requests
from proxmoxer import AuthenticationError, ProxmoxAPI, ResourceException
from proxmoxer.tools import Tasks

FACTS = json.loads(sys.stdin.readline())


def advance(seconds):
    print("advance", seconds, flush=True)
    assert sys.stdin.readline() == "advanced\n"


# Where proxmoxer waits for a task, the simulated time goes on instead.
proxmoxer.tools.tasks.time = types.SimpleNamespace(sleep=advance, monotonic=time.monotonic)


def with_token(name, **options):
    whole, secret = FACTS[name].split("=", 1)
    user, token = whole.split("!")
    options = {"verify_ssl": FACTS["ca"], "port": FACTS["port"], **options}
    return ProxmoxAPI(FACTS["host"], user=user, token_name=token, token_value=secret, **options)


def with_password(user, password):
    return ProxmoxAPI(FACTS["host"], port=FACTS["port"], user=user, password=password,
                      verify_ssl=FACTS["ca"])


def fails(status, phrase, call):
    """The call answers with this status, and with this text in the reason phrase."""
    try:
        answer = call()
    except ResourceException as error:
        assert error.status_code == status, f"{error.status_code} {error.content}"
        assert phrase in error.content, error.content
        return error
    raise AssertionError(f"expected {status} {phrase}, got {answer!r}")


def follow(api, upid):
    done = Tasks.blocking_status(api, upid, timeout=20, polling_interval=1)
    assert done is not None and done["status"] == "stopped", done
    node = Tasks.decode_upid(upid)["node"]
    log = Tasks.decode_log(api.nodes(node).tasks(upid).log.get(limit=500))
    return done["exitstatus"], log


def sign_in():
    admin = with_token("admin")
    assert admin.version.get()["version"].startswith("9.")
    ticket = with_password(FACTS["user"], FACTS["password"])
    assert ticket.version.get()["release"] == "9.1"
    cookie, csrf = ticket.get_tokens()
    assert cookie.startswith("PVE:jarvis@pve:") and csrf
    # Renewal: the live ticket is the password.
    ticket._backend.auth._get_new_tokens()
    assert ticket.nodes.get()

    try:
        with_password(FACTS["user"], "wrong")
        raise AssertionError("a wrong password signs in")
    except AuthenticationError:
        pass
    whole, secret = FACTS["admin"].split("=", 1)
    FACTS["wrong"] = whole + "=" + secret[::-1]
    FACTS["stranger"] = "nobody@pve!x=" + secret
    fails(401, "invalid token value!", with_token("wrong").version.get)
    fails(401, "no such", with_token("stranger").version.get)
    try:
        with_token("admin", verify_ssl=True).version.get()
        raise AssertionError("the certificate is trusted without its CA")
    except requests.exceptions.SSLError:
        pass

    # A write with a ticket needs the CSRF prevention token.
    ticket._backend.auth.csrf_prevention_token = "00000000:wrong"
    fails(401, "csrf", ticket.nodes("agent").lxc(232).status.start.post)


def reads():
    api = with_token("admin")
    status = api.cluster.status.get()
    assert [row["name"] for row in status] == ["homelab", "Home", "pve", "agent1", "agent"]
    assert {row["node"] for row in api.nodes.get()} == {"Home", "pve", "agent1", "agent"}
    node = api.nodes("pve").status.get()
    assert 0 < node["cpu"] < 1 and node["memory"]["used"] < node["memory"]["total"]
    vms = {row["vmid"]: row for row in api.nodes("pve").qemu.get(full=1)}
    assert vms[111]["status"] == "running" and vms[113]["status"] == "stopped"
    assert api.nodes("agent").qemu(130).status.current.get()["qmpstatus"] == "paused"
    assert api.nodes("Home").lxc(200).config.get()["hostname"] == "pihole"
    backups = api.nodes("pve").storage("pbs").content.get(content="backup", vmid=100)
    assert len(backups) == 7 and all(row["format"] == "pbs-vm" for row in backups)
    failed = api.nodes("pve").tasks.get(errors=1, typefilter="vzdump")
    assert [task["status"] for task in failed] == ["job errors"]
    log = Tasks.decode_log(api.nodes("pve").tasks(failed[0]["upid"]).log.get(limit=500))
    assert "ERROR: Backup of VM 211 failed" in log and "TASK ERROR: job errors" in log
    gaps = {row["vmid"] for row in api.cluster("backup-info").get("not-backed-up")}
    assert 112 in gaps and 100 not in gaps
    samples = api.nodes("pve").rrddata.get(timeframe="hour", cf="AVERAGE")
    assert len(samples) == 60 and "cpu" in samples[0] and "cpu" not in samples[-1]


def tasks():
    api = with_token("admin")
    container = api.nodes("agent").lxc(231)
    upid = container.status.shutdown.post(timeout=30)
    assert Tasks.decode_upid(upid)["type"] == "vzshutdown"
    assert api.nodes("agent").tasks(upid).status.get()["status"] == "running"
    running = api.nodes("agent").tasks.get(source="active")
    assert [(task["upid"], task["status"]) for task in running] == [(upid, "RUNNING")]
    assert running[0]["user"] == "jarvis@pve" and running[0]["tokenid"] == "admin"
    exit_status, log = follow(api, upid)
    assert (exit_status, log) == ("OK", "TASK OK")
    assert container.status.current.get()["status"] == "stopped"
    fails(500, "CT 231 not running", container.status.stop.post)
    assert follow(api, container.status.start.post())[0] == "OK"
    assert container.status.current.get()["status"] == "running"
    fails(500, "CT 231 already running", container.status.start.post)

    old = api.nodes("agent").lxc(232)
    exit_status, log = follow(api, old.status.start.post())
    assert exit_status == "WARNINGS: 1" and "WARN: old systemd" in log
    assert old.status.current.get()["status"] == "running"

    windows = api.nodes("pve").qemu(113)
    assert follow(api, windows.status.start.post())[0] == "OK"
    exit_status, log = follow(api, windows.status.shutdown.post(timeout=20))
    assert exit_status == "VM quit/powerdown failed - got timeout", exit_status
    assert windows.status.current.get()["status"] == "running"
    upid = windows.status.shutdown.post(timeout=600)
    api.nodes("pve").tasks(upid).delete()
    assert follow(api, upid)[0] == "unexpected status"
    assert follow(api, windows.status.stop.post())[0] == "OK"
    assert windows.status.current.get()["status"] == "stopped"

    upid = api.nodes("agent1").services("chrony").restart.post()
    assert Tasks.decode_upid(upid)["type"] == "srvrestart"
    assert follow(api, upid)[0] == "OK"


def errors():
    api, auditor, bare = with_token("admin"), with_token("auditor"), with_token("bare")
    wrong = fails(400, "Parameter verification failed.",
                  lambda: api.nodes("pve").rrddata.get(timeframe="eon", x=1))
    assert sorted(wrong.errors) == ["timeframe", "x"], wrong.errors
    wrong = fails(400, "Parameter verification failed.", api.nodes("pve").rrddata.get)
    assert wrong.errors == {"timeframe": "property is missing and it is not optional"}
    fails(400, "Parameter", lambda: api.nodes("pve").qemu(113).status.start.post(skiplock=1))
    fails(403, "Permission check failed (/vms/113, VM.PowerMgmt)",
          auditor.nodes("pve").qemu(113).status.start.post)
    fails(403, "Permission check failed (/, Sys.Audit)", bare.cluster.status.get)
    fails(403, "(/storage/pbs, Datastore.Audit|Datastore.AllocateSpace)",
          bare.nodes("pve").storage("pbs").content.get)
    fails(500, "Configuration file 'nodes/pve/qemu-server/999.conf' does not exist",
          api.nodes("pve").qemu(999).status.current.get)
    fails(500, "hostname lookup 'nas' failed", api.nodes("nas").status.get)
    fails(501, "not implemented", api.nodes("pve").nothing.get)

    # The false "no backups" and the false "0 guests".
    assert auditor.nodes("pve").storage("pbs").content.get(content="backup") == []
    assert with_token("operator").nodes("pve").storage("pbs").content.get(content="backup")
    assert bare.access.permissions.get() == {}
    seen = bare.cluster.resources.get()
    assert {row["type"] for row in seen} == {"node"} and all("cpu" not in row for row in seen)


for part in (sign_in, reads, errors, tasks):
    part()
    print(part.__name__, "passed")
