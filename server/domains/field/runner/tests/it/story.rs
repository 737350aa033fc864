//! From enrolment to a result, as processes.

use std::process::Stdio;

use crate::{
    device::{TestDevice, job_id, wait_said},
    server::JobPlace,
};

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
    device.server.memory().collect = Some("00112233445566778899aabbccddeeff");
    device.run();
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
    assert!(device.server.memory().sections.contains_key("kernel"));
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
