//! Each row of the table in both sandboxes, with the arguments of a step as the stage runs them. Where its program is
//! installed that runs; on a device of tests the others get a stand-in, which prints its arguments.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::Child,
    thread,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_machine::DebianMachine;
use field_package::{
    ids::Fingerprint,
    manifest::{JobCaps, NetworkClass},
    steps::{AcceptedStep, CaptureFilter, ProbeStep, RowClass, RowName, accept},
};
use field_queue::report::JobEnding;
use field_runner::{
    config::RunnerConfig,
    sandbox::{
        bubblewrap::{Bubblewrap, HostNetwork},
        let_begin, start,
        systemd::SystemdUnits,
    },
    stage::{FrameStream, StageFrame, StagePlan, StagedStep, StepLimits},
};

use crate::device::{bubblewrap, manifest, program};

/// The target of what needs one: this machine.
const HOST: &str = "127.0.0.1";
const STAND_IN: &str = "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\"\n";

/// A step of a row, with the least that it takes.
fn step(row: RowName, url: &str) -> AcceptedStep {
    let own = |text: &str| Some(text.to_owned());
    let mut step = ProbeStep::new(row);
    match row {
        RowName::Ping | RowName::Mtr => {
            step.target = own(HOST);
            step.count = Some(1);
        }
        RowName::Trace => step.target = own(HOST),
        RowName::Throughput => {
            step.target = own(HOST);
            step.seconds = Some(1);
        }
        RowName::Dig => {
            step.name = own("example.org");
            step.server = own(HOST);
        }
        RowName::LinkInfo
        | RowName::LinkStats
        | RowName::WifiLink
        | RowName::WifiStations
        | RowName::WifiSeen => step.interface = own("lo"),
        RowName::HttpTiming | RowName::DownloadRate => step.url = own(url),
        RowName::Sweep => {
            step.interface = own("lo");
            step.network = own("192.0.2.0/24");
        }
        RowName::Capture => {
            step.interface = own("lo");
            step.filter = Some(CaptureFilter::Icmp);
            step.count = Some(1);
            step.seconds = Some(1);
        }
        RowName::Wait => step.seconds = Some(1),
        RowName::Addresses
        | RowName::Links
        | RowName::Routes
        | RowName::Neighbours
        | RowName::Rules
        | RowName::Sockets
        | RowName::DnsConfig
        | RowName::Power => {}
    }
    accept(&step).unwrap()
}

/// True for a row that succeeds on every machine where its program is: the others need a radio, a server, a cable.
fn succeeds(row: RowName) -> bool {
    match row {
        RowName::Addresses
        | RowName::Links
        | RowName::Routes
        | RowName::Neighbours
        | RowName::Rules
        | RowName::Sockets
        | RowName::LinkStats
        | RowName::HttpTiming
        | RowName::DownloadRate
        | RowName::DnsConfig
        | RowName::Wait => true,
        RowName::Ping => {
            let range = std::fs::read_to_string("/proc/sys/net/ipv4/ping_group_range").unwrap();
            let bounds: Vec<u64> = range.split_whitespace().flat_map(str::parse).collect();
            bounds[0] < bounds[1]
        }
        _ => false,
    }
}

/// Serves a small page for ever.
fn web_page() -> String {
    let listener = TcpListener::bind((HOST, 0)).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut request = [0; 1024];
            let read = client.read(&mut request);
            let answered = client.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
            drop((read, answered));
        }
    });
    url
}

fn plan(step: &AcceptedStep, cpu_pct: Option<u32>, limits: StepLimits) -> StagePlan {
    StagePlan {
        steps: vec![StagedStep {
            number: 1,
            run: step.row().name.word().to_owned(),
            argv: step.argv(),
            seconds: step.seconds(),
        }],
        stop_on_failure: true,
        script: None,
        cpu_pct,
        burst_ms: 300,
        limits,
    }
}

/// Both outputs of a step, and its end.
struct EndedStep {
    out: String,
    err: String,
    how: Option<JobEnding>,
}

impl EndedStep {
    fn of(mut child: Child) -> Self {
        let (mut out, mut err, mut how) = (Vec::new(), Vec::new(), None);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            match serde_json::from_str(&line.unwrap()).unwrap() {
                StageFrame::Data { stream, bytes, .. } => {
                    let bytes = BASE64_STANDARD.decode(bytes).unwrap();
                    match stream {
                        FrameStream::Out => out.extend(bytes),
                        FrameStream::Err => err.extend(bytes),
                    }
                }
                StageFrame::Done { how: end, .. } => how = Some(end),
                StageFrame::Begin { .. } => let_begin(&mut child).unwrap(),
                StageFrame::End { .. } => {}
            }
        }
        child.wait().unwrap();
        Self {
            out: String::from_utf8(out).unwrap(),
            err: String::from_utf8_lossy(&err).into_owned(),
            how,
        }
    }

    /// Checks the end of a step whose program is installed.
    fn check(&self, step: &AcceptedStep) {
        let row = step.row().name;
        let Self { out, err, how } = self;
        let about = format!("{}: {how:?} {out}{err}", row.word());
        // The stage's own complaint if a program does not start.
        assert!(!err.contains("the sandbox did not start"), "{about}");
        assert!(how.is_some(), "{about}");
        if succeeds(row) {
            assert_eq!(*how, Some(JobEnding::Exit(0)), "{about}");
            assert!(row == RowName::Wait || !out.is_empty(), "{about}");
            assert!(step.parse(out).is_ok(), "{about}");
        }
    }
}

fn tell(about: &str, rows: &[&str]) {
    if !rows.is_empty() {
        eprintln!("\n!!! {about}: {} !!!\n", rows.join(", "));
    }
}

#[test]
fn each_step_runs_in_sandbox_b() {
    let Some(found) = bubblewrap() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let config = RunnerConfig {
        bubblewrap: found,
        job_user: "nobody".to_owned(),
        ..RunnerConfig::default()
    };
    let wrap = Bubblewrap::new(&config, &program(folder.path())).unwrap();
    let (url, caps) = (web_page(), JobCaps::default());
    let mut missing = Vec::new();
    for row in RowName::ALL.iter().copied() {
        let step = step(row, &url);
        // Packet sockets are for sandbox A: such a job is refused before.
        if step.row().class == RowClass::Raw {
            continue;
        }
        if !Path::new(step.row().program).exists() {
            missing.push(row.word());
            continue;
        }
        let command = wrap.any(HostNetwork::Shared, caps.workspace, &BTreeMap::new());
        let limits = StepLimits {
            address_space: Some(caps.memory),
            file: caps.file,
            tasks: Some(caps.tasks),
            guard: true,
        };
        let child = start(command, &plan(&step, Some(caps.cpu_pct), limits)).unwrap();
        EndedStep::of(child).check(&step);
    }
    tell("NOT RUN in sandbox B, without their programs", &missing);
}

#[test]
fn each_step_runs_in_sandbox_a() {
    let Some(machine) = DebianMachine::boot() else {
        return;
    };
    machine.install(Path::new(env!("CARGO_BIN_EXE_jarvis-runner")));
    let units = SystemdUnits::new(Path::new("/usr/bin/jarvis-runner"));
    let key = Fingerprint::new(&"0".repeat(64)).unwrap();
    let url = web_page();
    let mut stand_ins = Vec::new();
    for (row, number) in RowName::ALL.iter().copied().zip(1..) {
        let step = step(row, &url);
        let file = step.row().program;
        let found = machine.command("test").args(["-x", file]).status();
        // Those of rows that came before count as well.
        let stands_in = stand_ins.contains(&file) || !found.unwrap().success();
        if stands_in && !stand_ins.contains(&file) {
            let inside = machine.inside(file);
            std::fs::write(&inside, STAND_IN).unwrap();
            std::fs::set_permissions(&inside, std::fs::Permissions::from_mode(0o755)).unwrap();
            stand_ins.push(file);
        }
        let mut job = manifest(number, "true", &key);
        job.net.class = NetworkClass::Any;
        job.raw = step.row().class == RowClass::Raw;
        let unit = units.command(&job);
        let mut command = machine.command(&unit.get_program().to_string_lossy());
        command.args(unit.get_args());
        let limits = StepLimits {
            address_space: None,
            file: job.caps.file,
            tasks: None,
            guard: false,
        };
        let ended = EndedStep::of(start(command, &plan(&step, None, limits)).unwrap());
        if stands_in {
            let argv = step.argv();
            let own = argv.iter().skip_while(|word| *word != file);
            let words: String = own.map(|word| format!("{word}\n")).collect();
            assert_eq!(ended.out, words, "{}: {}", row.word(), ended.err);
        } else {
            ended.check(&step);
        }
    }
    tell("Stand-ins in sandbox A, without the programs", &stand_ins);
}
