//! Attempts to leave sandbox A, in a machine with systemd: each in a unit with the properties of a job.

use std::{collections::BTreeSet, path::Path};

use field_machine::DebianMachine;
use field_package::{ids::Fingerprint, manifest::NetworkClass};
use field_runner::{
    sandbox::{start, systemd::SystemdUnits},
    stage::StepLimits,
};

#[cfg(target_arch = "x86_64")]
use super::LEAST;
use super::{
    EndedScript, EscapeAttempt, MAY_LACK, MIB, NEIGHBOUR, NeighbourJob, attempts::UNDER_SYSTEMD,
    echo, plan,
};
use crate::device::manifest;

/// Attempts that are none here, each with the reason.
const ALLOWED: &[(&str, &str)] = &[(
    "interfaces",
    "a job measures the device's own network, and their names are no secret to it",
)];

#[test]
fn nothing_leaves_sandbox_a() {
    let Some(machine) = DebianMachine::boot() else {
        return;
    };
    machine.install(Path::new(env!("CARGO_BIN_EXE_jarvis-runner")));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    machine.run(&[
        "sh",
        "-c",
        "cd /var/lib/jarvis-runner; echo secret > key; : > journal",
    ]);
    // It stands for the launcher, which is root's as well.
    machine.run(&[
        "systemd-run",
        "--quiet",
        "--unit=other",
        "sleep",
        "infinity",
    ]);
    let other = machine.run(&[
        "systemctl",
        "show",
        "--property=MainPID",
        "--value",
        "other",
    ]);
    let values = [
        ("@SECRET@", "/var/lib/jarvis-runner/key".to_owned()),
        ("@JOURNAL@", "/var/lib/jarvis-runner/journal".to_owned()),
        ("@FOLDER@", "/var/lib/jarvis-fence".to_owned()),
        ("@PID@", other.trim().to_owned()),
        ("@PORT@", listener.local_addr().unwrap().port().to_string()),
        ("@ECHO@", echo("127.0.0.1").to_string()),
        ("@ECHO6@", echo("::1").to_string()),
    ];
    let units = SystemdUnits::new(Path::new("/usr/bin/jarvis-runner"));
    let key = Fingerprint::new(&"0".repeat(64)).unwrap();
    let begin = |number: u32, script: &str, seconds: u32| {
        let mut job = manifest(number, script, &key);
        // The network is there, and no address is allowed.
        job.net.class = NetworkClass::Local;
        job.timeout_s = seconds + 10;
        let unit = units.command(&job);
        let mut command = machine.command(&unit.get_program().to_string_lossy());
        command.args(unit.get_args());
        let limits = StepLimits {
            address_space: None,
            file: 8 * MIB,
            tasks: None,
            guard: false,
        };
        start(command, &plan(script, seconds, None, limits)).unwrap()
    };
    let run = |number, script: &str| EndedScript::of(begin(number, script, 20));
    let _neighbour = NeighbourJob::of(begin(999, NEIGHBOUR, 600));
    let works = run(1, "echo hello > f; cat f; pwd; echo $HOME $TMPDIR; id -u");
    let inside = works.text.lines().collect::<Vec<_>>();
    assert_eq!(
        inside[..3],
        ["hello", "/job", "/job /job"],
        "{}",
        works.text
    );
    assert!(inside[3] != "0" && works.how.is_some(), "{}", works.text);

    let (mut escaped, mut useless, mut tried) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (attempt, number) in EscapeAttempt::all(UNDER_SYSTEMD, &values)
        .into_iter()
        .zip(2..)
    {
        let name = attempt.name;
        if ALLOWED.iter().any(|(allowed, _)| *allowed == name) {
            continue;
        }
        let mut outside = machine.command("env");
        outside.args(["CARGO_MANIFEST_DIR=/", "sh"]);
        if !attempt.works_outside(outside) {
            useless.push(name);
            continue;
        }
        tried.insert(attempt.class());
        let EndedScript { text, how } = run(number, &attempt.inside());
        // A job that takes too much memory ends with its stage, where the kernel counts for the whole job.
        if text.contains("ESCAPED") || how.is_none() && name != "memory" {
            escaped.push(format!("{name}: {how:?} {text}"));
        }
    }
    eprintln!(
        "{} classes of attempts; without a control here: {useless:?}",
        tried.len()
    );
    assert_eq!(escaped, Vec::<String>::new());
    useless.retain(|name| !MAY_LACK.iter().any(|(lacks, _)| lacks == name));
    assert_eq!(useless, [""; 0], "controls must work outside");
    #[cfg(target_arch = "x86_64")]
    assert!(tried.len() >= LEAST, "only {tried:?} have a control");
}
