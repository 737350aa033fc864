//! Runner and launcher killed at each named point: a job has one effect at most, and what is said of it is true
//! or unknown.

mod units;

use std::{os::unix::fs::PermissionsExt as _, path::PathBuf, process::Stdio, sync::Arc};

use serde_json::Value;

use crate::{
    device::{TestDevice, job_id, kill, wait_said},
    server::{JobPlace, When},
};

/// Kills the runner at a request, starts it again, and returns the end.
fn killed_at(
    device: &TestDevice,
    number: u32,
    word: &'static str,
    when: When,
) -> (&'static str, Value) {
    let runner = Arc::clone(&device.runner);
    device.server.at(word, when, move || kill(&runner));
    device
        .server
        .queue(&job_id(number), device.package(number, &device.effect()));
    device.run();
    while device.server.is_armed() || device.runner.lock().unwrap().is_some() {
        std::thread::yield_now();
    }
    device.run();
    let end = device.server.wait_over();
    kill(&device.runner);
    end
}

#[test]
fn the_runner_killed_at_each_point_runs_a_job_once_at_most() {
    kill_at_each_point(1);
}

/// The fence remembers in which life of the device a job passed it.
#[test]
fn the_power_goes_while_a_job_runs_and_nobody_knows() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    device.run();
    let script = format!("({}); sleep 300", device.effect());
    device.server.queue(&job_id(1), device.package(1, &script));
    device.server.wait("effect", |state| state.effects == 1);
    // What ran dies with its launcher, as it does with the device.
    kill(&device.runner);
    kill(&device.launcher);
    let fence = device.config.fence.join("started").join(job_id(1));
    std::fs::write(fence, "00000000-0000-4000-8000-000000000000\n").unwrap();
    device.launch();
    device.run();
    let (kind, reason) = device.server.wait_over();
    assert_eq!((kind, reason), ("unknown", "rebooted".into()));
    let steps = device.server.log("step");
    let is_open = steps.contains("\"step\":1") && !steps.contains("\"end\"");
    assert!(is_open, "it had begun, and has no end: {steps}");
    assert_eq!(device.server.memory().effects, 1);
}

/// A launcher that lost its memory does not say of what ran that it never started.
#[test]
fn a_job_whose_fence_was_removed_is_unknown() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    device.run();
    let script = format!("({}); sleep 300", device.effect());
    device.server.queue(&job_id(1), device.package(1, &script));
    device.server.wait("effect", |state| state.effects == 1);
    kill(&device.launcher);
    std::fs::remove_dir_all(device.config.fence.join("started")).unwrap();
    device.launch();
    let (kind, reason) = device.server.wait_over();
    assert_eq!((kind, reason), ("unknown", "lost".into()));
    assert_eq!(device.server.memory().effects, 1);
}

#[test]
fn the_launcher_killed_at_each_point_leaves_no_job_behind() {
    kill_the_launcher(1);
}

#[test]
#[ignore = "long: cargo xtask test long"]
fn the_launcher_killed_twenty_times_at_each_point_leaves_no_job_behind() {
    kill_the_launcher(20);
}

#[test]
fn the_launcher_killed_before_its_fence_ran_nothing() {
    kill_before_the_fence(1);
}

#[test]
#[ignore = "long: cargo xtask test long"]
fn the_launcher_killed_twenty_times_before_its_fence_ran_nothing() {
    kill_before_the_fence(20);
}

/// Behind the server's go, and before the fence: nothing ran, and nothing ever will.
fn kill_before_the_fence(times: u32) {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    for number in 1..=times {
        device.launch();
        let launcher = Arc::clone(&device.launcher);
        device
            .server
            .at("start", When::IsTaken, move || kill(&launcher));
        let package = device.package(number, &device.effect());
        device.server.queue(&job_id(number), package);
        let mut runner = device.command("run").stderr(Stdio::piped()).spawn();
        wait_said(runner.as_mut().unwrap(), "no answer to a start", 1);
        *device.runner.lock().unwrap() = runner.ok();
        device.launch();
        let (kind, code) = device.server.wait_over();
        assert_eq!((kind, code), ("refuse", "did_not_run".into()));
        assert_eq!(device.server.log("step"), "", "no step had begun");
        kill(&device.runner);
        assert_eq!(launched_again(&device, number), "already_started");
        assert_eq!(device.server.memory().effects, 0);
        kill(&device.launcher);
    }
}

/// The code by which the launcher refuses the package of the last job once more, from whoever has the runner.
fn launched_again(device: &TestDevice, number: u32) -> String {
    let order = field_runner::launch::LaunchOrder {
        job: field_package::ids::JobId::new(&job_id(number)).unwrap(),
        package: base64::Engine::encode(
            &base64::prelude::BASE64_STANDARD,
            &device.server.memory().job.as_ref().unwrap().package,
        ),
        time: Some(crate::server::now_s()),
    };
    let again = device
        .client()
        .ask(&field_runner::launch::LaunchAsk::Launch(order));
    again.unwrap_err().code().to_owned()
}

/// Behind the fence, and while the job runs, in sandbox B. The runner lives.
fn kill_the_launcher(times: u32) {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    device.run();
    let effect = device.effect();
    let queue = |number: u32, script: &str| {
        device.server.memory().effects = 0;
        let package = device.package(number, script);
        device.server.queue(&job_id(number), package);
    };
    let unknown = |what: &str, effects: u32, reasons: &[&str]| {
        kill(&device.launcher);
        device.launch();
        let (kind, reason) = device.server.wait_over();
        let counted = device.server.memory().effects;
        assert_eq!((kind, counted), ("unknown", effects), "{what}: {reason}");
        let is_told = reasons.iter().any(|it| reason == *it);
        assert!(is_told, "{what}: {reason}");
    };
    for number in (0..times).map(|round| round * 3 + 1) {
        let fence = device.config.fence.join("started").join(job_id(number));
        queue(number, &format!("sleep 20; {effect}"));
        while !fence.exists() {
            std::thread::yield_now();
        }
        // The test may be late, and the script sleeps by then.
        unknown("behind the fence", 0, &["interrupted_at_start", "lost"]);

        queue(number + 1, &format!("({effect}); sleep 20"));
        device.server.wait("effect", |state| state.effects == 1);
        unknown("while it runs", 1, &["lost"]);
        let steps = device.server.log("step");
        let is_open = steps.contains("\"step\":1") && !steps.contains("\"end\"");
        assert!(is_open, "it had begun, and has no end: {steps}");

        // And the device works.
        queue(number + 2, &effect);
        let (kind, end) = device.server.wait_over();
        assert_eq!((kind, &end["report"]["how"]["exit"]), ("end", &0.into()));
        assert_eq!(device.server.memory().effects, 1, "{end}");
    }
}

#[test]
#[ignore = "long: cargo xtask test long"]
fn the_runner_killed_twenty_times_at_each_point_runs_a_job_once_at_most() {
    kill_at_each_point(20);
}

/// A request at which the runner is killed, and what is known of its job afterwards.
#[derive(Clone, Copy)]
struct KillPoint {
    word: &'static str,
    when: When,
    kind: &'static str,
    effects: u32,
}

impl KillPoint {
    const fn new(word: &'static str, when: When, kind: &'static str, effects: u32) -> Self {
        Self {
            word,
            when,
            kind,
            effects,
        }
    }
}

const POINTS: [KillPoint; 9] = [
    // Nothing is in the journal: the lease lapses, and the job is claimed again.
    KillPoint::new("claim", When::Arrives, "end", 1),
    KillPoint::new("claim", When::IsTaken, "end", 1),
    // Claimed and journaled, not started on the server: it did not run, and is queued again.
    KillPoint::new("start", When::Arrives, "end", 1),
    // The server said go, and nobody heard it: it never runs.
    KillPoint::new("start", When::IsTaken, "did_not_run", 0),
    // It runs: the launcher goes on, and the end is found.
    KillPoint::new("effect", When::Arrives, "end", 1),
    KillPoint::new("log", When::Arrives, "end", 1),
    KillPoint::new("log", When::IsTaken, "end", 1),
    KillPoint::new("end", When::Arrives, "end", 1),
    KillPoint::new("end", When::IsTaken, "end", 1),
];

fn kill_at_each_point(times: usize) {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    let rounds = std::iter::repeat_n(POINTS, times).flatten();
    for (point, number) in rounds.zip(1..) {
        let KillPoint {
            word,
            when,
            kind,
            effects,
        } = point;
        device.server.memory().effects = 0;
        let (found, value) = killed_at(&device, number, word, when);
        let counted = device.server.memory().effects;
        assert_eq!(
            (found, counted),
            (kind, effects),
            "{word} {when:?}: {value}"
        );
    }
}

/// Puts a script in the place of bubblewrap, which does this first once the file that is returned is there.
fn in_place_of_bubblewrap(device: &mut TestDevice, act: &str) -> PathBuf {
    let wrap = device.config.bubblewrap.clone();
    let folder = device.folder.path().to_owned();
    let (script, armed) = (folder.join("wrap"), folder.join("armed"));
    let text = format!(
        "#!/bin/sh\n[ -e {0} ] && {act}\nexec {1} \"$@\"\n",
        armed.display(),
        wrap.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    device.config.bubblewrap = script;
    device.write_config();
    armed
}

/// bubblewrap's place is taken by a script that kills the launcher: behind the fence, before the job.
#[test]
fn the_launcher_killed_behind_its_fence_never_starts_the_job() {
    let Some(mut device) = TestDevice::enrolled() else {
        return;
    };
    let armed = in_place_of_bubblewrap(&mut device, "kill -9 $PPID");
    device.launch();
    if rustix_is_root() {
        // The user of jobs may not kill root's launcher, so the test does, when the fence is there.
        let fence = device.config.fence.join("started").join(job_id(1));
        let launcher = Arc::clone(&device.launcher);
        std::fs::write(&armed, "").unwrap();
        device.server.queue(
            &job_id(1),
            device.package(1, &format!("sleep 20; {}", device.effect())),
        );
        device.run();
        while !fence.exists() {
            std::thread::yield_now();
        }
        kill(&launcher);
    } else {
        std::fs::write(&armed, "").unwrap();
        device
            .server
            .queue(&job_id(1), device.package(1, &device.effect()));
        device.run();
        device
            .launcher
            .lock()
            .unwrap()
            .as_mut()
            .unwrap()
            .wait()
            .unwrap();
    }
    std::fs::remove_file(&armed).unwrap();
    device.launch();
    let (kind, reason) = device.server.wait_over();
    assert_eq!(kind, "unknown", "{reason}");
    // The test may be late, and the script sleeps by then.
    let late = rustix_is_root() && reason == "lost";
    assert!(late || reason == "interrupted_at_start", "{reason}");
    assert_eq!(device.server.memory().effects, 0);
    // The fence and the memory both refuse.
    let code = launched_again(&device, 1);
    assert!(
        ["replayed", "old_sequence", "already_started"].contains(&&*code),
        "{code}"
    );
}

/// bubblewrap's place is taken by a script that takes the plan and ends: the launcher has seen that no step began.
#[test]
fn a_sandbox_that_dies_before_its_first_step_ran_nothing() {
    let Some(mut device) = TestDevice::enrolled() else {
        return;
    };
    let armed = in_place_of_bubblewrap(&mut device, "read -r plan && exit 1");
    device.launch();
    std::fs::write(&armed, "").unwrap();
    let effect = device.effect();
    device.server.queue(&job_id(1), device.package(1, &effect));
    device.run();
    let (kind, code) = device.server.wait_over();
    assert_eq!((kind, code), ("refuse", "no_step_began".into()));
    assert_eq!(device.server.log("step"), "", "no step had begun");
    assert_eq!(device.server.memory().effects, 0);
    // And the device works.
    std::fs::remove_file(&armed).unwrap();
    device.server.queue(&job_id(2), device.package(2, &effect));
    let (kind, end) = device.server.wait_over();
    assert_eq!((kind, &end["report"]["how"]["exit"]), ("end", &0.into()));
    assert_eq!(device.server.memory().effects, 1);
}

/// A refusal by the launcher after the server's go is certain: nothing ran, and nothing ever will.
#[test]
fn a_refusal_behind_the_go_is_told_as_one() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    // A veto that can't be read refuses everything, and it comes between the launcher's check and the start.
    let veto = device.config.settings.join("veto.toml");
    device.server.at("start", When::IsTaken, move || {
        std::fs::write(veto, "not a veto").unwrap();
    });
    device
        .server
        .queue(&job_id(1), device.package(1, &device.effect()));
    device.run();
    let (kind, code) = device.server.wait_over();
    assert_eq!((kind, code), ("refuse", "config".into()));
    assert_eq!(device.server.memory().effects, 0);
    assert_eq!(device.server.log("step"), "", "no step had begun");
}

fn rustix_is_root() -> bool {
    field_runner::config::is_root()
}

/// A tail that was not written whole is cut, and a damaged middle refuses everything.
#[test]
fn a_damaged_journal_stops_the_runner() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    device
        .server
        .queue(&job_id(1), device.package(1, &device.effect()));
    device.run();
    device.server.wait_over();
    device.server.wait("settled", |state| state.job.is_some());
    kill(&device.runner);
    let path = device.config.state.join("journal");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&whole[..], &[7, 0]].concat()).unwrap();
    device
        .server
        .queue(&job_id(2), device.package(2, &device.effect()));
    device.run();
    assert_eq!(device.server.wait_over().0, "end", "a torn tail is cut");
    kill(&device.runner);
    let mut damaged = std::fs::read(&path).unwrap();
    damaged[30] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    device
        .server
        .queue(&job_id(3), device.package(3, &device.effect()));
    let output = device.command("run").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && said.contains("(journal)"),
        "{said}"
    );
    let state = device.server.memory().job.as_ref().unwrap().state.clone();
    assert_eq!(state, JobPlace::Queued);
}
