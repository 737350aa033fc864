//! Devices whose clock is in 1970, ten years ahead, or stepped while a job runs.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::ids::JobId;
use field_runner::{
    clock::WallClock,
    launch::{LaunchAsk, LaunchOrder},
    work::FieldRunner,
};

use crate::{
    device::{TestDevice, job_id, kill, signed},
    server::{JobPlace, When, now_s},
};

const YEAR: u64 = 365 * 24 * 60 * 60;

fn clocks() -> [(&'static str, u64); 2] {
    [("unset", 3600), ("ahead", now_s() + 10 * YEAR)]
}

fn fixed(time: u64) -> WallClock {
    Arc::new(move || time)
}

/// Turns until the job is over.
fn work(device: &TestDevice, wall: WallClock) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut runner = FieldRunner::open(device.config.clone(), wall).unwrap();
        runner.set_wait(0);
        for _ in 0..1000 {
            let pause = runner.turn().await.unwrap();
            let over = matches!(
                device.server.memory().job.as_ref().unwrap().state,
                JobPlace::Over(..)
            );
            if over {
                return;
            }
            tokio::time::sleep(pause).await;
        }
        panic!("not over");
    });
}

/// A package that is two years too late is refused, and the clock is named.
fn refuses_late(device: &TestDevice, number: u32, wall: WallClock) {
    let mut late = device.manifest(number, "true");
    late.issued -= 2 * YEAR;
    late.not_before = late.issued;
    late.approval.at = late.issued;
    late.expires = late.issued + 3600;
    late.claim_until = late.expires;
    let package = signed(&late, "true");
    device.server.queue(&job_id(number), package);
    work(device, wall);
    let (kind, code) = device.server.wait_over();
    assert_eq!((kind, code.as_str().unwrap()), ("refuse", "time_and_clock"));
}

#[test]
fn the_servers_time_decides_and_the_wrong_clock_is_named() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    for ((fault, wall), number) in clocks().into_iter().zip([1, 3]) {
        device
            .server
            .queue(&job_id(number), device.package(number, "true"));
        work(&device, fixed(wall));
        assert_eq!(device.server.wait_over().0, "end");
        let hello = device.server.memory().hellos.last().unwrap().clone();
        assert_eq!(hello["clock"]["fault"], fault);
        // Good by the device's clock, or long over by it: the server's time says no.
        refuses_late(&device, number + 1, fixed(wall));
    }
}

/// The clock moves while the job has its effect: the job ends as itself, and a package that only the stepped
/// clock would call good is refused.
#[test]
fn a_clock_that_is_stepped_while_a_job_runs_changes_nothing() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    let steps = [now_s() + 10 * YEAR, now_s() - 2 * YEAR, 3600];
    for (stepped, number) in steps.into_iter().zip([1, 3, 5]) {
        device.server.memory().effects = 0;
        let time = Arc::new(AtomicU64::new(now_s()));
        let moved = Arc::clone(&time);
        device.server.at("effect", When::Arrives, move || {
            moved.store(stepped, Ordering::SeqCst);
        });
        let wall: WallClock = Arc::new(move || time.load(Ordering::SeqCst));
        device
            .server
            .queue(&job_id(number), device.package(number, &device.effect()));
        work(&device, Arc::clone(&wall));
        assert_eq!(wall(), stepped, "stepped while it ran");
        let (kind, end) = device.server.wait_over();
        assert_eq!((kind, device.server.memory().effects), ("end", 1), "{end}");
        // Measured by the clock that nobody sets: no step of years is in it.
        let took = end["report"]["wall_ms"].as_u64();
        assert!(took.is_none_or(|ms| ms < 1000 * YEAR), "{end}");
        assert_ne!(end["report"]["how"], "timeout", "{end}");
        refuses_late(&device, number + 1, wall);
    }
}

/// Whoever has the runner chooses what it says about the time; the launcher remembers better, over a restart too.
#[test]
fn the_launcher_keeps_the_time_whatever_the_runner_says_after_a_restart() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    let hour = 60 * 60;
    let mut late = device.manifest(1, "true");
    late.issued -= 4 * hour;
    late.not_before = late.issued;
    late.approval.at = late.issued;
    late.expires = late.issued + hour;
    late.claim_until = late.expires;
    let package = signed(&late, "true");
    let then = late.issued + 1;
    let order = |number, package: &[u8], time| LaunchOrder {
        job: JobId::new(&job_id(number)).unwrap(),
        package: BASE64_STANDARD.encode(package),
        time: Some(time),
    };
    let ask = |ask: LaunchAsk| {
        let answer = device.client().ask(&ask);
        answer.map_err(|error| error.code().to_owned())
    };
    let kept = device.config.fence.join("time");
    // A launcher that knows no time takes it: the refusals below are by what is kept.
    std::fs::remove_file(&kept).unwrap();
    device.launch();
    ask(LaunchAsk::Check(order(1, &package, then))).unwrap();
    let good = device.package(2, "true");
    ask(LaunchAsk::Launch(order(2, &good, now_s()))).unwrap();
    for restarted in [false, true] {
        if restarted {
            kill(&device.launcher);
            device.launch();
        }
        for time in [0, then, now_s() - hour] {
            let refused = ask(LaunchAsk::Check(order(1, &package, time))).unwrap_err();
            assert_eq!(refused, "clock", "{time}, restarted: {restarted}");
        }
        let refused = ask(LaunchAsk::Check(order(1, &package, now_s()))).unwrap_err();
        assert_eq!(refused, "expired", "restarted: {restarted}");
    }
    assert!(kept.is_file());
}

/// In 1970 every certificate is wrong, and nobody can tell why: the message says clock.
#[test]
fn without_an_answer_a_wrong_clock_is_the_reason_that_is_shown() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    let mut identity = device.identity();
    identity.url = "http://127.0.0.1:9".to_owned();
    let path = device.config.settings.join("device.json");
    std::fs::write(&path, serde_json::to_vec(&identity).unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let code = |wall| {
        runtime.block_on(async {
            let mut runner = FieldRunner::open(device.config.clone(), fixed(wall)).unwrap();
            runner.turn().await.unwrap_err().code().to_owned()
        })
    };
    for (_, wall) in clocks() {
        assert_eq!(code(wall), "clock");
    }
    assert_eq!(code(now_s() + 60), "no_answer");
}
