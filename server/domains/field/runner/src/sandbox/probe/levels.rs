//! The probes of both sandboxes. A limit holds if a process ran into it, or the kernel has it for that process.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::Command,
    thread,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::abilities::{LevelAbilities, MemoryLimit};
use field_queue::report::JobEnding;

use crate::{
    config::{RunnerConfig, is_root},
    error::RunnerError,
    sandbox::{
        bubblewrap::{Bubblewrap, HostNetwork},
        confinement::Confinement,
        let_begin, own_program, start,
        systemd::{
            PROBE_CPU_PCT, PROBE_MEMORY, PROBE_TASKS, PROBE_WORKSPACE, SystemdUnits, UnitProbe,
            probe_properties,
        },
    },
    stage::{STAGE, StageFrame, StagePlan, StagedStep, StepLimits},
    texts,
};

/// Memory of a job in sandbox B at most: each process gets that much address space.
const ADDRESS_SPACE: u64 = 512 * 1024 * 1024;
/// Share of a core that the probe of it gets.
const SHARE: u32 = 10;
/// Starts of that probe: on a busy device a process may get less than its share without any limit.
const SHARE_STARTS: usize = 2;
/// Seconds of one probe.
const SECONDS: u32 = 5;
/// Bytes of a probe's file at most.
const FILE: u64 = 1024 * 1024;
/// Bytes of a probe's output at most.
const MOST: u64 = 256 * 1024;

/// The abilities of sandbox B.
pub(super) fn bubblewrap(config: &RunnerConfig) -> Result<LevelAbilities, RunnerError> {
    let wrap = Bubblewrap::new(config, &own_program()?)?;
    closed(&wrap)?;
    let limits = |address_space, tasks| StepLimits {
        address_space,
        file: FILE,
        tasks,
        guard: true,
    };
    let ask = |arguments: &[&str], cpu_pct, limits| {
        let command = wrap.any(HostNetwork::None, PROBE_WORKSPACE, &BTreeMap::new());
        answer(command, &plan(STAGE, arguments, cpu_pct, limits))
    };
    // One limit at a time, where the other would hide it: each thread needs address space.
    let counted = ask(&["confinement"], None, limits(None, Some(8)))?;
    let mut held = false;
    let mut bound = None;
    for _ in 0..SHARE_STARTS {
        let limits = limits(Some(ADDRESS_SPACE), None);
        let found = ask(&["confinement", "--spin"], Some(SHARE), limits)?;
        bound = found.address_space;
        held = found.held;
        if held {
            break;
        }
    }
    Ok(LevelAbilities {
        memory: if bound == Some(ADDRESS_SPACE) {
            MemoryLimit::AddressSpace(ADDRESS_SPACE)
        } else {
            MemoryLimit::None
        },
        cpu: held,
        tasks: counted.threads.is_some(),
        workspace: keeps_workspace(&counted),
        no_network: counted.alone,
        listed_network: false,
        raw: false,
    })
}

/// Checks what every job in sandbox B relies on.
fn closed(wrap: &Bubblewrap) -> Result<(), RunnerError> {
    let command = wrap.any(HostNetwork::None, PROBE_WORKSPACE, &BTreeMap::new());
    let limits = StepLimits {
        address_space: Some(64 * 1024 * 1024),
        file: FILE,
        tasks: Some(8),
        guard: true,
    };
    let files = ["/proc/self/status", "/proc/net/dev"];
    let text = output(command, &plan("/usr/bin/cat", &files, Some(100), limits))?;
    let failed = |reason: &str| Err(RunnerError::Sandbox(reason.to_owned()));
    for (field, value) in [
        ("NoNewPrivs:", "1"),
        ("Seccomp:", "2"),
        ("CapEff:", "0000000000000000"),
    ] {
        let found = text.lines().find_map(|line| line.strip_prefix(field));
        if found.map(str::trim) != Some(value) {
            return failed(if field == "Seccomp:" {
                texts::NO_SECCOMP
            } else {
                field
            });
        }
    }
    let interfaces = text.lines().filter(|line| {
        line.split_once(':').is_some_and(|(_, rest)| {
            let figures = rest.split_whitespace();
            figures.clone().count() == 16 && figures.clone().all(|it| it.parse::<u64>().is_ok())
        })
    });
    let others = interfaces.filter(|line| !line.trim_start().starts_with("lo:"));
    if others.count() > 0 {
        return failed(texts::NETWORK_LEFT);
    }
    Ok(())
}

/// The abilities of sandbox A.
pub(super) fn systemd() -> Result<LevelAbilities, String> {
    if !is_root() || !Path::new("/run/systemd/system").exists() {
        return Err(texts::NO_SYSTEMD.to_owned());
    }
    let program = own_program().map_err(|error| error.to_string())?;
    let program = program.as_path();
    let probes = [
        ("look", UnitProbe::Look),
        ("none", UnitProbe::NoNetwork),
        ("raw", UnitProbe::Packets),
    ];
    // At once: each takes a fifth of a second.
    let [look, none, packets] = thread::scope(|scope| {
        let started =
            probes.map(|(word, probe)| scope.spawn(move || in_unit(program, word, probe)));
        started.map(|probe| {
            let found = probe.join();
            found.unwrap_or_else(|_| Err(texts::PROBE_LOST.to_owned()))
        })
    });
    let look = look?;
    if look.packets {
        return Err(texts::PACKETS_LEFT.to_owned());
    }
    let holds = |found: Result<Confinement, String>, kept: fn(&Confinement) -> bool| match found {
        Ok(found) => kept(&found),
        Err(error) => {
            tracing::warn!(%error, "a probe of sandbox A failed");
            false
        }
    };
    Ok(LevelAbilities {
        memory: if look.memory == Some(PROBE_MEMORY) {
            MemoryLimit::Controller
        } else {
            MemoryLimit::None
        },
        cpu: look.cpu_pct == Some(PROBE_CPU_PCT),
        tasks: look.tasks == Some(PROBE_TASKS),
        workspace: keeps_workspace(&look),
        no_network: holds(none, |it| it.alone),
        // With every address denied, nothing may be reached.
        listed_network: !look.reaches,
        raw: holds(packets, |it| it.packets),
    })
}

fn in_unit(program: &Path, word: &str, probe: UnitProbe) -> Result<Confinement, String> {
    let unit = format!("jarvis-probe-{word}-{}.service", std::process::id());
    let properties = probe_properties(probe);
    let command = SystemdUnits::new(program).any(&unit, &properties, &BTreeMap::new());
    let limits = StepLimits {
        address_space: None,
        file: FILE,
        tasks: None,
        guard: false,
    };
    let program = program.to_string_lossy();
    let found = answer(command, &plan(&program, &["confinement"], None, limits));
    let _forgotten = SystemdUnits::result(&unit);
    found.map_err(|error| error.to_string())
}

fn keeps_workspace(found: &Confinement) -> bool {
    found.workspace.is_some_and(|it| it <= PROBE_WORKSPACE)
}

fn plan(program: &str, arguments: &[&str], cpu_pct: Option<u32>, limits: StepLimits) -> StagePlan {
    let mut argv = vec![program.to_owned()];
    argv.extend(arguments.iter().map(|it| (*it).to_owned()));
    StagePlan {
        steps: vec![StagedStep {
            number: 1,
            run: "probe".to_owned(),
            argv,
            seconds: SECONDS,
        }],
        stop_on_failure: true,
        script: None,
        cpu_pct,
        burst_ms: 0,
        limits,
    }
}

/// The findings of a process in a sandbox.
fn answer(command: Command, plan: &StagePlan) -> Result<Confinement, RunnerError> {
    let text = output(command, plan)?;
    serde_json::from_str(&text).map_err(|error| RunnerError::Sandbox(error.to_string()))
}

/// Runs one step in a sandbox and returns its output.
fn output(command: Command, plan: &StagePlan) -> Result<String, RunnerError> {
    let mut child = start(command, plan)?;
    let mut text = Vec::new();
    let mut how = None;
    if let Some(pipe) = child.stdout.take() {
        let mut pipe = BufReader::new(pipe.take(MOST));
        let mut line = Vec::new();
        while let Ok(1..) = pipe.read_until(b'\n', &mut line) {
            match serde_json::from_slice(&line) {
                Ok(StageFrame::Begin { .. }) => {
                    let _gone = let_begin(&mut child);
                }
                Ok(StageFrame::Data { bytes, .. }) => {
                    text.extend(BASE64_STANDARD.decode(bytes).unwrap_or_default());
                }
                Ok(StageFrame::Done { how: end, .. }) => how = Some(end),
                _ => {}
            }
            line.clear();
        }
    }
    let mut complaint = String::new();
    if let Some(pipe) = child.stderr.take() {
        let _read = pipe.take(1024).read_to_string(&mut complaint);
    }
    let _reaped = child.wait();
    let text = String::from_utf8_lossy(&text).into_owned();
    match how {
        Some(JobEnding::Exit(0)) => Ok(text),
        Some(_) => Err(RunnerError::Sandbox(text.trim().escape_debug().to_string())),
        None => Err(RunnerError::Sandbox(
            complaint.trim().escape_debug().to_string(),
        )),
    }
}
