//! The same in sandbox A, with the services of the Debian package in a machine with systemd.

use std::{
    path::Path,
    sync::{Arc, mpsc},
    time::Duration,
};

use field_machine::DebianMachine;
use field_package::{ids::JobId, levels::SandboxLevel};
use field_runner::{config::RunnerConfig, identity::EnrolledIdentity, sandbox::systemd::unit};
use serde_json::Value;

use super::{KillPoint, POINTS};
use crate::{
    device::{ROOT, SECRET, effect, job_id, manifest, pair, root_document, signed},
    server::{ScriptServer, When},
};

const RUNNER: &str = "jarvis-runner.service";
const LAUNCHER: &str = "jarvis-launcher.service";
/// Time in which a point is reached.
const PATIENCE: Duration = Duration::from_secs(60);
/// Some of the points for each run: a claim nobody heard of, a start nobody heard of, a job that runs.
const FEW: [usize; 3] = [1, 3, 4];

/// An enrolled device whose services run.
struct UnitDevice {
    machine: Arc<DebianMachine>,
    server: ScriptServer,
    identity: EnrolledIdentity,
}

impl UnitDevice {
    fn running() -> Option<Self> {
        let machine = DebianMachine::boot()?;
        machine.install(Path::new(env!("CARGO_BIN_EXE_jarvis-runner")));
        let server = ScriptServer::start(&root_document());
        let token = format!("jarvis-enrol-1.{SECRET}.{}", pair(ROOT).fingerprint());
        machine.run(&["jarvis-runner", "enrol", "--server", &server.url(), &token]);
        let config = RunnerConfig {
            settings: machine.inside("/etc/jarvis-runner"),
            ..RunnerConfig::default()
        };
        machine.start(&[LAUNCHER, RUNNER]);
        Some(Self {
            identity: EnrolledIdentity::load(&config).unwrap(),
            machine: Arc::new(machine),
            server,
        })
    }

    /// Queues a job for sandbox A.
    fn queue(&self, number: u32, script: &str) {
        let mut manifest = manifest(number, script, &self.identity.key);
        manifest.sandbox_min = SandboxLevel::Systemd;
        manifest.timeout_s = 300;
        let package = signed(&manifest, script);
        self.server.memory().effects = 0;
        self.server.queue(&job_id(number), package);
    }

    /// The end of a job, and its effects.
    fn end(&self) -> (&'static str, Value, u32) {
        let (kind, value) = self.server.wait_over();
        (kind, value, self.server.memory().effects)
    }

    /// Kills the runner at a point of a job, starts it again, and checks the end.
    fn check(&self, point: KillPoint, number: u32) {
        let KillPoint {
            word,
            when,
            kind,
            effects,
        } = point;
        // Its first claim is that of the job.
        self.machine.run(&["systemctl", "stop", RUNNER]);
        let (tell, killed) = mpsc::channel();
        let machine = Arc::clone(&self.machine);
        self.server.at(word, when, move || {
            machine.kill(RUNNER);
            tell.send(()).unwrap();
        });
        self.queue(number, &effect(self.server.port));
        self.machine.start(&[RUNNER]);
        let killed = killed.recv_timeout(PATIENCE);
        let journal = || self.machine.journal();
        assert_eq!(killed, Ok(()), "{word} {when:?}{}", journal());
        self.machine.start(&[RUNNER]);
        let (found, value, counted) = self.end();
        assert_eq!(
            (found, counted),
            (kind, effects),
            "{word} {when:?}: {value}{}",
            journal()
        );
    }
}

#[test]
fn the_runners_unit_killed_at_some_points_runs_a_job_once_at_most() {
    let Some(device) = UnitDevice::running() else {
        return;
    };
    for (number, index) in (1..).zip(FEW) {
        device.check(POINTS[index], number);
    }
}

#[test]
#[ignore = "long: cargo xtask test long"]
fn the_runners_unit_killed_twenty_times_at_each_point_runs_a_job_once_at_most() {
    let Some(device) = UnitDevice::running() else {
        return;
    };
    let rounds = std::iter::repeat_n(POINTS, 20).flatten();
    for (number, point) in (1..).zip(rounds) {
        device.check(point, number);
    }
}

#[test]
fn the_launchers_unit_killed_leaves_no_job_behind() {
    kill_the_launcher(1);
}

#[test]
#[ignore = "long: cargo xtask test long"]
fn the_launchers_unit_killed_twenty_times_leaves_no_job_behind() {
    kill_the_launcher(20);
}

fn kill_the_launcher(times: u32) {
    let Some(device) = UnitDevice::running() else {
        return;
    };
    let (machine, server) = (&device.machine, &device.server);
    let effect = effect(server.port);
    let unknown = |what: &str, effects: u32, reasons: &[&str]| {
        let (kind, reason, counted) = device.end();
        assert_eq!(
            (kind, counted),
            ("unknown", effects),
            "{what}: {reason}{}",
            machine.journal()
        );
        let is_told = reasons.iter().any(|it| reason == *it);
        assert!(is_told, "{what}: {reason}{}", machine.journal());
    };
    for number in (1..=times).map(|round| round * 4) {
        // Between the server's go and the fence: nothing ran, and nothing ever will.
        let (tell, killed) = mpsc::channel();
        let killer = Arc::clone(machine);
        server.at("start", When::IsTaken, move || {
            killer.kill(LAUNCHER);
            tell.send(()).unwrap();
        });
        device.queue(number, &effect);
        assert_eq!(
            killed.recv_timeout(PATIENCE),
            Ok(()),
            "{}",
            machine.journal()
        );
        let id = job_id(number);
        let in_vain = |line: &str| line.contains("no answer to a start") && line.contains(&id);
        while !machine.journal().lines().any(in_vain) {
            std::thread::yield_now();
        }
        machine.start(&[LAUNCHER]);
        let (kind, code, effects) = device.end();
        let told = (kind, code.as_str(), effects);
        assert_eq!(
            told,
            ("refuse", Some("did_not_run"), 0),
            "{}",
            machine.journal()
        );

        // Behind the fence, before or after the unit began: never again, and nothing goes on.
        let number = number + 1;
        let fence = format!("/var/lib/jarvis-fence/started/{}", job_id(number));
        device.queue(number, &format!("sleep 5; {effect}"));
        while !machine.inside(&fence).exists() {
            std::thread::yield_now();
        }
        machine.kill(LAUNCHER);
        machine.start(&[LAUNCHER]);
        // By then the script may be asleep.
        unknown("behind the fence", 0, &["interrupted_at_start", "lost"]);
        let job = |number| unit(&JobId::new(&job_id(number)).unwrap());
        assert!(!machine.is_active(&job(number)));

        // While it runs: it goes on without its launcher, and the next one ends it.
        let number = number + 1;
        device.queue(number, &format!("({effect}); sleep 300"));
        server.wait("effect", |state| state.effects == 1);
        machine.kill(LAUNCHER);
        assert!(machine.is_active(&job(number)), "it outlives its launcher");
        machine.start(&[LAUNCHER]);
        unknown("while it runs", 1, &["lost"]);
        let steps = server.log("step");
        let is_open = steps.contains("\"step\":1") && !steps.contains("\"end\"");
        assert!(is_open, "it had begun, and has no end: {steps}");
        assert!(!machine.is_active(&job(number)));

        // And the device works.
        device.queue(number + 1, &effect);
        let (kind, end, effects) = device.end();
        assert_eq!((kind, effects), ("end", 1), "{end}{}", machine.journal());
        assert_eq!(end["report"]["how"]["exit"], 0, "{end}");
        assert_eq!(end["sandbox"], "systemd", "{end}");
    }
}
