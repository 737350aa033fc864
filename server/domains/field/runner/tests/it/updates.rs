//! Updates as processes: both services under a small service manager, which starts them again when they end.

use std::{
    fs,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread::{self, JoinHandle},
};

use field_package::{
    ids::Sha256Hex,
    release::{ReleaseVersion, RunnerRelease},
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    device::{TestDevice, job_id, pair},
    server::{When, now_s},
};

/// The key of updates in the device's root document.
const UPDATE: u8 = 21;

/// Keeps the services of a device running.
struct ServiceManager {
    stopping: Arc<AtomicBool>,
    launcher: KeptService,
    runner: KeptService,
}

/// The process of a service's starter.
#[derive(Clone, Default)]
struct ServicePid(Arc<AtomicI32>);

struct KeptService {
    pid: ServicePid,
    thread: Option<JoinHandle<()>>,
}

impl ServicePid {
    /// Kills the starter, and with it the program that it started.
    fn kill(&self) {
        if let Some(pid) = Pid::from_raw(self.0.load(Ordering::SeqCst)) {
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
}

impl KeptService {
    fn start(mut command: Command, stopping: &Arc<AtomicBool>) -> Self {
        let (pid, stopping) = (ServicePid::default(), Arc::clone(stopping));
        let number = Arc::clone(&pid.0);
        let thread = thread::spawn(move || {
            while !stopping.load(Ordering::SeqCst) {
                let mut starter = command.spawn().unwrap();
                number.store(starter.id().try_into().unwrap(), Ordering::SeqCst);
                starter.wait().unwrap();
                number.store(0, Ordering::SeqCst);
            }
        });
        Self {
            pid,
            thread: Some(thread),
        }
    }

    fn stop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        while !thread.is_finished() {
            self.pid.kill();
            thread::yield_now();
        }
        thread.join().unwrap();
    }
}

impl ServiceManager {
    fn start(device: &TestDevice) -> Self {
        let stopping = Arc::new(AtomicBool::new(false));
        let service = |word: &str| {
            let mut command = device.command("start");
            command.arg(word);
            KeptService::start(command, &stopping)
        };
        Self {
            launcher: service("launch"),
            runner: service("run"),
            stopping,
        }
    }
}

impl Drop for ServiceManager {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.runner.stop();
        self.launcher.stop();
    }
}

/// A script as a release that no server has yet.
struct SignedScript {
    sha256: Sha256Hex,
    envelope: Vec<u8>,
    program: Vec<u8>,
}

impl SignedScript {
    /// Makes it the newest release of the server.
    fn publish(self, device: &TestDevice) {
        device.server.memory().release = Some((self.envelope, self.program));
    }
}

/// Puts a script on the server as the newest release.
fn release(device: &TestDevice, minor: u32, script: &str) {
    signed(device, minor, script).publish(device);
}

fn signed(device: &TestDevice, minor: u32, script: &str) -> SignedScript {
    let lines = device.folder.path().join("lines");
    // The arguments are --config, its file, and the word of the service.
    let program = format!(
        "#!/bin/sh\necho \"{minor} $3\" >> {}\n{script}\n",
        lines.display()
    );
    let release = RunnerRelease {
        version: ReleaseVersion([9, minor, 0]),
        minimum: ReleaseVersion::default(),
        architecture: std::env::consts::ARCH.to_owned(),
        bytes: program.len() as u64,
        sha256: Sha256Hex::digest(program.as_bytes()),
        expires: now_s() + 3600,
    };
    SignedScript {
        envelope: release.sign(&[&pair(UPDATE)]),
        sha256: release.sha256,
        program: program.into_bytes(),
    }
}

/// A script that goes on as the packaged program.
fn works(device: &TestDevice) -> String {
    format!("exec {} \"$@\"", device.program.display())
}

/// The state of the folder of programs.
fn state(device: &TestDevice) -> Value {
    let bytes = fs::read(device.config.programs.join("state.json"));
    let bytes = bytes.unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn wait_reported(device: &TestDevice, minor: u32) {
    device.server.wait("report of the version", |_| {
        let state = state(device);
        state["version"] == json!([9, minor, 0]) && state["trial"].is_null()
    });
}

/// The program that the newest hello names.
fn reported_program(device: &TestDevice) -> Value {
    let hello = device.server.memory().hellos.last().unwrap().clone();
    hello["program"].clone()
}

/// Starts of a version as one service.
fn starts(device: &TestDevice, line: &str) -> usize {
    let text = fs::read_to_string(device.folder.path().join("lines")).unwrap_or_default();
    text.lines().filter(|it| *it == line).count()
}

#[test]
fn both_services_become_the_release_and_jobs_go_on() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    release(&device, 1, &works(&device));
    let services = ServiceManager::start(&device);
    wait_reported(&device, 1);
    device
        .server
        .queue(&job_id(1), device.package(1, &device.effect()));
    assert_eq!(device.server.wait_over().0, "end");
    assert_eq!(device.server.memory().effects, 1);
    assert!(starts(&device, "1 launch") > 0 && starts(&device, "1 run") > 0);
    // An older one that is signed just as well changes nothing.
    release(&device, 0, &works(&device));
    let hellos = device.server.memory().hellos.len();
    services.runner.pid.kill();
    device
        .server
        .wait("hello", |state| state.hellos.len() > hellos);
    device
        .server
        .queue(&job_id(2), device.package(2, &device.effect()));
    assert_eq!(device.server.wait_over().0, "end");
    assert_eq!(starts(&device, "0 launch") + starts(&device, "0 run"), 0);
    assert_eq!(state(&device)["version"], json!([9, 1, 0]));
}

#[test]
fn a_release_that_never_reports_is_given_up_and_a_newer_one_is_tried() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    release(&device, 1, "exit 1");
    let services = ServiceManager::start(&device);
    let failed = |state: &Value| state["failed"] == json!([9, 1, 0]) && state["trial"].is_null();
    device.server.wait("way back", |_| failed(&state(&device)));
    assert_eq!(starts(&device, "1 launch"), 3);
    // The packaged program works, although the release is still there.
    device
        .server
        .queue(&job_id(1), device.package(1, &device.effect()));
    assert_eq!(device.server.wait_over().0, "end");
    assert_eq!(starts(&device, "1 launch"), 3);
    let failed = json!({ "version": "9.1.0", "reason": "no_start", "tries": 1, "retried": false });
    assert_eq!(
        reported_program(&device),
        json!({ "version": env!("CARGO_PKG_VERSION"), "failed": failed })
    );
    release(&device, 2, &works(&device));
    services.runner.pid.kill();
    wait_reported(&device, 2);
    assert_eq!(
        reported_program(&device),
        json!({ "version": "9.2.0", "failed": null })
    );
    assert_eq!(state(&device)["failed"], json!([9, 1, 0]));
}

#[test]
fn killed_at_each_point_of_a_download_it_is_installed_in_the_end() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    let services = ServiceManager::start(&device);
    let points = [
        (true, false, When::Arrives),
        (true, false, When::IsTaken),
        (true, true, When::Arrives),
        (true, true, When::IsTaken),
        (false, true, When::IsTaken),
    ];
    for ((is_runner, is_program, when), minor) in points.into_iter().zip(1..) {
        let release = signed(&device, minor, &works(&device));
        let word: &'static str = if is_program {
            release.sha256.to_string().leak()
        } else {
            "device/update"
        };
        let victim = if is_runner {
            services.runner.pid.clone()
        } else {
            services.launcher.pid.clone()
        };
        device.server.at(word, when, move || victim.kill());
        // Only now: the life that is running may ask at any time.
        release.publish(&device);
        // A new life asks at once.
        services.runner.pid.kill();
        wait_reported(&device, minor);
        assert!(!device.server.is_armed(), "{minor}: {when:?}");
    }
}
