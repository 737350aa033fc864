//! Devices whose clock is in 1970, or ten years ahead.

use std::sync::Arc;

use field_runner::{clock::WallClock, work::FieldRunner};

use crate::{
    device::{TestDevice, job_id, signed},
    server::{JobPlace, now_s},
};

const YEAR: u64 = 365 * 24 * 60 * 60;

fn clocks() -> [(&'static str, u64); 2] {
    [("unset", 3600), ("ahead", now_s() + 10 * YEAR)]
}

fn fixed(time: u64) -> WallClock {
    Arc::new(move || time)
}

/// Turns until the job is over.
fn work(device: &TestDevice, wall: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut runner = FieldRunner::open(device.config.clone(), fixed(wall)).unwrap();
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
        work(&device, wall);
        assert_eq!(device.server.wait_over().0, "end");
        let hello = device.server.memory().hellos.last().unwrap().clone();
        assert_eq!(hello["clock"]["fault"], fault);
        // Good by the device's clock, or long over by it: the server's time says no.
        let mut late = device.manifest(number + 1, "true");
        late.issued -= 2 * YEAR;
        late.not_before = late.issued;
        late.approval.at = late.issued;
        late.expires = late.issued + 3600;
        late.claim_until = late.expires;
        device
            .server
            .queue(&job_id(number + 1), signed(&late, "true"));
        work(&device, wall);
        let (kind, code) = device.server.wait_over();
        assert_eq!((kind, code.as_str().unwrap()), ("refuse", "time_and_clock"));
    }
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
