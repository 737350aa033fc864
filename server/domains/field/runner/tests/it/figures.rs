//! Figures of a device: the program's size, its memory when nothing happens, and starts of both sandboxes.
//! `docs/PERFORMANCE.md` has the command.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use field_machine::DebianMachine;
use field_package::{ids::Fingerprint, manifest::NetworkClass};
use field_runner::{
    sandbox::{
        bubblewrap::{Bubblewrap, HostNetwork},
        let_begin, start,
        systemd::SystemdUnits,
    },
    stage::{StageFrame, StagePlan, StagedStep, StepLimits},
};

use crate::{
    device::{TestDevice, manifest},
    server::ServerMemory,
};

const MIB: u64 = 1024 * 1024;
const STARTS: u32 = 40;
/// Time after which nothing happens any longer.
const SETTLE: Duration = Duration::from_secs(5);

#[test]
#[ignore = "figures, of a release build"]
fn what_the_services_and_sandbox_b_take() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    let size = fs::metadata(&device.program).unwrap().len();
    eprintln!("program: {:.1} MiB", size as f64 / MIB as f64);
    device.launch();
    device.run();
    let greeted = |state: &ServerMemory| !state.hellos.is_empty();
    device.server.wait("hello", greeted);
    thread::sleep(SETTLE);
    eprintln!("runner, idle: {}", memory(&device.runner));
    eprintln!("launcher, idle: {}", memory(&device.launcher));

    let wrap = Bubblewrap::new(&device.config, &device.program).unwrap();
    let limits = StepLimits {
        address_space: Some(64 * MIB),
        file: MIB,
        tasks: Some(8),
        guard: true,
    };
    let plan = plan(Some(100), limits);
    shown("sandbox B", |_| {
        begun(wrap.any(HostNetwork::None, MIB, &BTreeMap::new()), &plan)
    });
}

#[test]
#[ignore = "figures, of a release build"]
fn what_sandbox_a_takes() {
    let Some(machine) = DebianMachine::boot() else {
        return;
    };
    machine.install(Path::new(env!("CARGO_BIN_EXE_jarvis-runner")));
    let units = SystemdUnits::new(Path::new("/usr/bin/jarvis-runner"));
    let key = Fingerprint::new(&"0".repeat(64)).unwrap();
    let limits = StepLimits {
        address_space: None,
        file: MIB,
        tasks: None,
        guard: false,
    };
    let plan = plan(None, limits);
    // With the way into the machine's namespaces.
    shown("sandbox A", |number| {
        let mut job = manifest(number, "true", &key);
        job.net.class = NetworkClass::Local;
        let unit = units.command(&job);
        let mut command = machine.command(&unit.get_program().to_string_lossy());
        command.args(unit.get_args());
        begun(command, &plan)
    });
}

/// The plan of a step that does nothing.
fn plan(cpu_pct: Option<u32>, limits: StepLimits) -> StagePlan {
    StagePlan {
        steps: vec![StagedStep {
            number: 1,
            run: "true".to_owned(),
            argv: vec!["/usr/bin/true".to_owned()],
            seconds: 5,
        }],
        stop_on_failure: true,
        script: None,
        cpu_pct,
        burst_ms: 0,
        limits,
    }
}

/// Time from the start of a sandbox until its stage begins the step.
fn begun(command: Command, plan: &StagePlan) -> Duration {
    let began = Instant::now();
    let mut child = start(command, plan).unwrap();
    let mut time = None;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let frame: StageFrame = serde_json::from_str(&line.unwrap()).unwrap();
        if matches!(frame, StageFrame::Begin { .. }) {
            time = Some(began.elapsed());
            let_begin(&mut child).unwrap();
        }
    }
    child.wait().unwrap();
    time.unwrap()
}

/// Shows the median and the longest of some starts.
fn shown(what: &str, mut one: impl FnMut(u32) -> Duration) {
    let mut times: Vec<_> = (1..=STARTS).map(&mut one).collect();
    times.sort_unstable();
    let [middle, last] = [times.len() / 2, times.len() - 1].map(|at| times[at].as_secs_f64() * 1e3);
    eprintln!("{what} started: {middle:.1} ms, at most {last:.1} ms");
}

/// The resident memory of a process, as the kernel tells it.
fn memory(process: &Mutex<Option<Child>>) -> String {
    let pid = process.lock().unwrap().as_ref().unwrap().id();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.unwrap().trim().to_owned()
}
