//! From enrolment to a result, as processes.

use std::{
    os::unix::fs::PermissionsExt as _,
    process::{Command, Stdio},
};

use field_runner::{identity::EnrolledIdentity, launch::LaunchAsk};

use crate::{
    device::{ROOT, TestDevice, job_id, pair, wait_said},
    server::JobPlace,
};

/// Whoever stands between a device and its server has no signature of the root key that the token names.
#[test]
fn a_server_without_the_root_key_of_the_token_gets_no_device() {
    let Some(device) = TestDevice::new() else {
        return;
    };
    let refused = device.enrol(&pair(9).fingerprint());
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success(), "{said}");
    assert!(said.contains("(root_untrusted)"), "{said}");
    assert!(EnrolledIdentity::load(&device.config).is_err());
    let run = device.command("run").output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("(not_enrolled)"), "{said}");
    // Nothing of it is left that the right token would trip over.
    assert!(device.enrol(&pair(ROOT).fingerprint()).status.success());
}

#[test]
fn check_starts_each_sandbox_and_says_what_it_found() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    let checked = device.command("check").output().unwrap();
    let said = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.status.success(), "{said}");
    let works = |name: &str| {
        let mut lines = said.lines();
        let line = lines.find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name}: {said}"))
            .split_whitespace()
            .next()
            .map(str::to_owned)
    };
    assert_eq!(works("sandbox B (bubblewrap)").as_deref(), Some("yes"));
    assert_eq!(works("state folder").as_deref(), Some("yes"));
    for name in ["sandbox A (systemd)", "memory controller", "Landlock"] {
        let found = works(name);
        assert!(matches!(found.as_deref(), Some("yes" | "no")), "{said}");
    }
}

/// The server's word reaches what runs, with the runner's next renewal.
#[test]
fn a_job_that_is_cancelled_ends_and_says_so() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    device.run();
    let script = format!("({}); sleep 300", device.effect());
    let package = {
        let mut manifest = device.manifest(1, &script);
        manifest.timeout_s = 300;
        crate::device::signed(&manifest, &script)
    };
    device.server.queue(&job_id(1), package);
    device.server.wait("effect", |state| state.effects == 1);
    device.server.memory().cancel = true;
    let (kind, end) = device.server.wait_over();
    assert_eq!(
        (kind, &end["report"]["how"]),
        ("end", &"cancelled".into()),
        "{end}"
    );
    assert!(device.server.log("out").contains("effect done"));
    assert_eq!(device.server.memory().effects, 1);
    // The launcher is free again.
    device.server.memory().cancel = false;
    device.server.queue(&job_id(2), device.package(2, "true"));
    let (kind, end) = device.server.wait_over();
    assert_eq!((kind, &end["report"]["how"]["exit"]), ("end", &0.into()));
}

#[test]
fn a_job_is_run_and_its_output_arrives() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    let script = "echo hello; echo password=hunter2-and-more; echo warning >&2; id -u; exit 3";
    device.server.queue(&job_id(1), device.package(1, script));
    device.run();
    let (kind, end) = device.server.wait_over();
    assert_eq!(
        (kind, &end["report"]["how"]["exit"]),
        ("end", &3.into()),
        "{end}"
    );
    assert_eq!(end["sandbox"], "bubblewrap");
    let out = device.server.log("out");
    assert!(
        out.starts_with("hello\n") && !out.contains("hunter2"),
        "{out}"
    );
    assert!(!out.ends_with("\n0\n"), "never as root: {out}");
    assert_eq!(device.server.log("err"), "warning\n");
    let steps = device.server.log("step");
    let steps: Vec<serde_json::Value> = steps
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let [begun, step] = steps.as_slice() else {
        panic!("not one step: {steps:?}");
    };
    assert_eq!((&begun["step"], &begun["run"]), (&1.into(), &"sh".into()));
    assert!(begun["end"].is_null(), "{begun}");
    assert_eq!(
        (&step["run"], &step["end"]["exit"]),
        (&"sh".into(), &3.into())
    );
    assert_eq!(step["out"]["bytes"], out.len());
    let sums = &end["streams"]["out"];
    assert_eq!(sums["kept"], out.len());
    assert_eq!(
        device.server.memory().hellos[0]["facts"]["simulated"],
        false
    );
}

/// The digest of what was approved leads from the device's log to the server's audit.
#[test]
fn the_device_logs_the_approval_of_a_job() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    let mut command = device.command("launch");
    let mut launcher = command.stderr(Stdio::piped()).spawn().unwrap();
    while device.client().ask(&LaunchAsk::Abilities).is_err() {
        std::thread::yield_now();
    }
    device.server.queue(&job_id(1), device.package(1, "true"));
    device.run();
    let approval = device.manifest(1, "true").approval.digest;
    wait_said(&mut launcher, approval.as_str(), 1);
    *device.launcher.lock().unwrap() = Some(launcher);
    assert_eq!(device.server.wait_over().0, "end");
}

#[test]
fn endless_output_endless_time_and_daemons_are_ended() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    device.run();
    let over = |number, script: &str, seconds: u32, output: u64| {
        let mut manifest = device.manifest(number, script);
        manifest.timeout_s = seconds;
        manifest.caps.output = output;
        let package = crate::device::signed(&manifest, script);
        device.server.queue(&job_id(number), package);
        let (kind, end) = device.server.wait_over();
        assert_eq!(kind, "end", "{end}");
        end["report"]["how"].clone()
    };
    assert_eq!(
        over(1, "trap '' TERM; (setsid sleep 300 &) ; sleep 300", 1, 4096),
        "timeout"
    );
    assert_eq!(over(2, "yes", 30, 4096), "output");
    let out = device.server.log("out");
    assert!(
        out.contains(" bytes left out]") && out.len() < 4096 + 128,
        "{}",
        out.len()
    );
    // A daemon that holds the pipes ends with its step.
    assert_eq!(
        over(3, "(setsid sleep 300 &); echo done", 30, 4096)["exit"],
        0
    );
}

#[test]
fn diagnostics_leave_without_their_secrets() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    // Planted where a collector reads: bubblewrap lays it over the resolver's file, for the runner alone.
    let planted = device.folder.path().join("resolv.conf");
    let text = "nameserver 192.0.2.53\n# password=hunter2-and-more\n\
        -----BEGIN PRIVATE KEY-----\nMIIBplantedkey\n-----END PRIVATE KEY-----\n";
    std::fs::write(&planted, text).unwrap();
    std::fs::set_permissions(&planted, std::fs::Permissions::from_mode(0o644)).unwrap();
    let runner = device.command("run");
    let mut wrapped = Command::new(&device.config.bubblewrap);
    wrapped
        .args(["--die-with-parent", "--bind", "/", "/"])
        .args(["--dev-bind", "/dev", "/dev", "--ro-bind"])
        .arg(&planted)
        .arg(std::fs::canonicalize("/etc/resolv.conf").unwrap())
        .arg(runner.get_program())
        .args(runner.get_args());
    device.server.memory().collect = Some("00112233445566778899aabbccddeeff");
    *device.runner.lock().unwrap() = Some(wrapped.spawn().unwrap());
    device.server.wait("bundle", |state| {
        let announced = state.announced["sections"].as_array();
        announced.is_some_and(|all| {
            all.iter().all(|section| {
                let name = section["name"].as_str().unwrap();
                let bytes = state.sections.get(name).map_or(0, Vec::len);
                section["bytes"] == bytes
            })
        })
    });
    let state = device.server.memory();
    assert!(state.sections.contains_key("kernel"));
    let resolver = String::from_utf8_lossy(&state.sections["dns_config"]);
    assert!(
        resolver.starts_with("nameserver 192.0.2.53\n"),
        "{resolver}"
    );
    for (name, bytes) in &state.sections {
        let text = String::from_utf8_lossy(bytes);
        for secret in ["hunter2", "MIIBplantedkey"] {
            assert!(!text.contains(secret), "{name}: {text}");
        }
    }
    let dropped = state.announced["dropped"]["secrets"].as_u64().unwrap();
    assert!(dropped >= 2, "people see that there were some: {dropped}");
}

#[test]
fn a_device_without_its_launcher_claims_nothing() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.server.queue(&job_id(1), device.package(1, "true"));
    let mut runner = device
        .command("run")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_said(&mut runner, "will try again", 2);
    assert_eq!(runner.try_wait().unwrap(), None, "it waits");
    assert_eq!(
        device.server.memory().job.as_ref().unwrap().state,
        JobPlace::Queued
    );
    runner.kill().unwrap();
    runner.wait().unwrap();
}
