//! The faults of devices, and lost answers: at most once, and unknown is unknown.

use field::field_queue::report::{JobEnding, UnknownReason};
use field::ports::{
    DeviceAdministration as _, FieldMemory as _, FieldRuns as _, ResolveOrder, RunPhase,
    RunResolution,
};
use field_tables::{DeviceState, JobEventKind, JobState, LogStream};
use protocol::{CallId, Timestamp};
use serde_json::json;
use simfleet::{DeviceFault, DeviceTurn, FleetDevice, FleetError, OfficeDevice};

use crate::office::{ANN, Office, evidence, look};
use crate::ports::{ann, backend};
use crate::stranger::Stranger;

async fn turn(device: &mut FleetDevice) -> DeviceTurn {
    Box::pin(device.turn()).await.unwrap()
}

/// Times that the server said go, and that the device began.
async fn starts(office: &Office, job: &str) -> usize {
    let events = office
        .tables
        .job_events(Some(job), 0, 500)
        .await
        .unwrap()
        .events;
    events
        .iter()
        .filter(|it| it.kind == JobEventKind::Running)
        .count()
}

async fn faulty(fault: DeviceFault) -> (Office, FleetDevice, String, DeviceTurn) {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    device.switches().switch_on(fault);
    let job = office.queued(&device, &evidence()).await.id;
    let turn = turn(&mut device).await;
    (office, device, job, turn)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_and_chunks_that_come_twice_are_one_run() {
    for fault in [DeviceFault::RepeatsRequests, DeviceFault::DuplicatesChunks] {
        let (office, mut device, job, turn) = faulty(fault).await;
        assert_eq!(turn, DeviceTurn::Ended(job.clone()), "{fault:?}");
        let ended = office.job(&job).await;
        assert_eq!(
            (ended.state, ended.epoch),
            (JobState::Ended, 1),
            "{fault:?}"
        );
        assert_eq!(starts(&office, &job).await, 1, "{fault:?}");
        let ending = ended.ending.unwrap();
        assert_eq!(ending["streams"]["out"]["is_whole"], true, "each byte once");
        assert_eq!(office.steps(&job).await.len(), 4);
        let next = Box::pin(device.turn()).await.unwrap();
        assert_eq!(next, DeviceTurn::Idle);
    }
}

#[tokio::test]
async fn a_device_that_dies_after_started_leaves_an_unknown_outcome() {
    let (office, mut device, job, died) = faulty(DeviceFault::DiesAfterStarted).await;
    assert_eq!(died, DeviceTurn::Died(job.clone()));
    assert_eq!(office.job(&job).await.state, JobState::Running);
    assert_eq!(
        turn(&mut device).await,
        DeviceTurn::Idle,
        "it does not run again"
    );
    let unknown = office.job(&job).await;
    assert_eq!(unknown.state, JobState::Unknown);
    assert_eq!(unknown.ending.unwrap()["reason"], "rebooted");
    assert_eq!(starts(&office, &job).await, 1);
    assert_eq!(turn(&mut device).await, DeviceTurn::Idle);
}

/// Queues a short script for the call of this number.
async fn queued_by(office: &mut Office, device: &FleetDevice, number: u128) -> String {
    let mut order = office.order(device, &look()).await;
    order.call = CallId::new(Timestamp(5), number).to_string();
    order.about = json!({ "title": "Look", "steps": look(), "core": "c0" });
    office.dispatch.queue_job(&order).await.unwrap().id
}

/// Its device calls it an end. It is none: the step that had begun is named, and nothing is told as done.
#[tokio::test]
async fn a_lost_job_is_unknown_and_says_which_step_had_begun() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    device.switches().switch_on(DeviceFault::LosesItsSandbox);
    let backend = backend(&office).await;
    let id = queued_by(&mut office, &device, 1).await;
    assert_eq!(turn(&mut device).await, DeviceTurn::Ended(id.clone()));
    let stored = office.job(&id).await;
    assert_eq!(stored.state, JobState::Unknown);
    assert_eq!(stored.late, None);
    assert_eq!(stored.ending.unwrap()["report"]["how"], "lost");
    let run = backend.run(&id).await.unwrap().unwrap();
    assert_eq!(run.phase, RunPhase::Unknown(UnknownReason::Lost));
    assert_eq!((run.step, run.steps_ended, run.steps), (Some(2), 1, 2));
    let results = backend.results(&id).await.unwrap();
    let ends: Vec<_> = results.iter().map(|it| it.end).collect();
    assert_eq!(ends, [Some(JobEnding::Exit(0)), None]);
    assert_eq!(
        results[1].text, "",
        "half of its output would be half of a value"
    );
    assert_eq!(turn(&mut device).await, DeviceTurn::Idle);
}

/// However many runs came after it: until then its notice is there, too.
#[tokio::test]
async fn an_unknown_outcome_is_shown_until_a_person_resolves_it() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    device.switches().switch_on(DeviceFault::LosesItsSandbox);
    let unknown = queued_by(&mut office, &device, 1).await;
    turn(&mut device).await;
    for number in 2..=102 {
        let newer = queued_by(&mut office, &device, number).await;
        let cancelled = office.dispatch.cancel_job(&newer, "Not now.", ANN).await;
        cancelled.unwrap();
    }
    let backend = backend(&office).await;
    let is_shown = || backend.snapshot().borrow().run(&unknown).is_some();
    assert!(is_shown());
    let order = ResolveOrder {
        run: unknown.clone(),
        finding: RunResolution::CannotTell,
        reason: "Its lamp was off.".to_owned(),
        person: ann(),
    };
    backend.resolve(&order).await.unwrap();
    assert!(!is_shown(), "a hundred are newer");
}

/// The runner sends the code of its check alone.
#[tokio::test]
async fn a_refusal_of_a_device_is_told_in_words() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let mut order = office.order_for(&device.id, &device.key.fingerprint());
    order.call = CallId::new(Timestamp(5), 1).to_string();
    let id = office.dispatch.queue_job(&order).await.unwrap().id;
    let claimed = device.claim(1, 0).await.unwrap();
    let refusal = json!({ "epoch": claimed.epoch, "claim": claimed.secret, "code": "sandbox" });
    let refusal = serde_json::from_value(refusal).unwrap();
    let session = &device.session;
    let refused = office.dispatch.refuse_job(session, &id, &refusal).await;
    refused.unwrap();
    let run = backend(&office).await.run(&id).await.unwrap().unwrap();
    let RunPhase::Refused {
        by_device,
        code,
        reason,
    } = run.phase
    else {
        panic!("it was refused");
    };
    assert_eq!((by_device, code.as_str()), (true, "sandbox"));
    assert!(reason.contains(". Run the check on the device"), "{reason}");
}

#[tokio::test]
async fn a_device_that_never_starts_gives_its_job_back() {
    let (office, mut device, job, dropped) = faulty(DeviceFault::NeverStarts).await;
    assert_eq!(dropped, DeviceTurn::NotStarted(job.clone()));
    assert_eq!(office.job(&job).await.state, JobState::Claimed);
    office.clock.advance(31);
    device.switches().switch_off(DeviceFault::NeverStarts);
    device.restart();
    assert_eq!(turn(&mut device).await, DeviceTurn::Ended(job.clone()));
    let ended = office.job(&job).await;
    assert_eq!((ended.state, ended.epoch), (JobState::Ended, 2));
    assert_eq!(starts(&office, &job).await, 1);
}

#[tokio::test]
async fn clocks_of_devices_decide_nothing() {
    for fault in [DeviceFault::ClockAt1970, DeviceFault::ClockTenYearsBack] {
        let (mut office, mut device, job, ended) = faulty(fault).await;
        assert_eq!(ended, DeviceTurn::Ended(job.clone()), "{fault:?}");
        assert_eq!(office.job(&job).await.state, JobState::Ended);
        // By the device's clock this one has years to go; by the server's its time is over.
        let late = office.queued(&device, &look()).await;
        office.clock.advance(601);
        assert_eq!(turn(&mut device).await, DeviceTurn::Idle, "{fault:?}");
        assert_eq!(office.job(&late.id).await.state, JobState::NotDelivered);
        let id = office.id_of(&device).await;
        device.restart();
        turn(&mut device).await;
        let facts = office.dispatch.device(&id).await.unwrap().unwrap().facts;
        assert!(facts["clock"]["wall_ms"].is_u64(), "people see it: {facts}");
    }
}

#[tokio::test]
async fn a_lie_about_the_exit_is_the_devices_word_and_its_output_contradicts_it() {
    let (office, _, job, ended) = faulty(DeviceFault::LiesAboutExit).await;
    assert_eq!(ended, DeviceTurn::Ended(job.clone()));
    let ending = office.job(&job).await.ending.unwrap();
    assert_eq!(ending["by"], "device");
    assert_eq!(ending["report"]["how"], json!({ "exit": 0 }));
    assert_eq!(ending["streams"]["out"]["is_whole"], true);
}

#[tokio::test]
async fn a_silent_device_is_unknown_and_its_late_result_is_kept_beside() {
    let (office, mut device, job, silent) = faulty(DeviceFault::GoesSilent).await;
    assert_eq!(silent, DeviceTurn::Silent);
    let before = office.log(&job, LogStream::Out).await.len();
    office.clock.advance(600);
    let unknown = office.job(&job).await;
    assert_eq!(unknown.state, JobState::Unknown);
    assert_eq!(unknown.ending.unwrap()["code"], "no_result_in_time");
    device.switches().switch_off(DeviceFault::GoesSilent);
    assert_eq!(turn(&mut device).await, DeviceTurn::Idle);
    let late = office.job(&job).await;
    assert_eq!(late.state, JobState::Unknown, "what people were told stays");
    assert_eq!(late.late.unwrap().state, JobState::Ended);
    assert!(
        office.log(&job, LogStream::Out).await.len() > before,
        "the rest came"
    );
    assert_eq!(starts(&office, &job).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_devices_with_one_key_are_noticed_and_suspended() {
    let mut office = Office::open().await;
    let mut first = office.adopted(OfficeDevice::MeetingRoom).await;
    let mut second = FleetDevice::clone_of(&first).unwrap();
    let job = office.queued(&first, &look()).await;
    assert_eq!(turn(&mut first).await, DeviceTurn::Ended(job.id.clone()));
    // The clone takes over; then the first one comes back, which only two runners can do.
    let next = office.queued(&first, &look()).await;
    assert_eq!(turn(&mut second).await, DeviceTurn::Ended(next.id.clone()));
    let last = office.queued(&first, &look()).await;
    let refused = Box::pin(first.turn()).await;
    assert!(
        matches!(&refused, Err(FleetError::Refused { status: 403, code }) if code == "device_suspended"),
        "{refused:?}"
    );
    let id = office.id_of(&first).await;
    let device = office.dispatch.device(&id).await.unwrap().unwrap();
    assert_eq!(device.state, DeviceState::Suspended);
    assert!(device.state_reason.unwrap().contains("Two runners"));
    for device in [&mut first, &mut second] {
        assert!(Box::pin(device.turn()).await.is_err());
    }
    for job in [&job, &next] {
        assert_eq!(starts(&office, &job.id).await, 1);
    }
    assert_eq!(
        starts(&office, &last.id).await,
        0,
        "nothing starts on a suspect"
    );
}

/// The lines of the kill table in which the server's answer is lost behind its effect.
#[tokio::test]
async fn an_answer_that_is_lost_is_given_again() {
    for path in [
        "/claim", "/start", "/end", "/log/out", "/hello", "/session", "/enrol",
    ] {
        let mut office = Office::open().await;
        if ["/enrol", "/hello", "/session"].contains(&path) {
            office.lose(path, 1);
        }
        let mut device = office.adopted(OfficeDevice::GatewayProbe).await;
        let job = office.queued(&device, &look()).await;
        office.lose(path, 1);
        assert_eq!(
            turn(&mut device).await,
            DeviceTurn::Ended(job.id.clone()),
            "{path}"
        );
        let ended = office.job(&job.id).await;
        assert_eq!((ended.state, ended.epoch), (JobState::Ended, 1), "{path}");
        assert_eq!(starts(&office, &job.id).await, 1, "{path}");
        let events = office
            .tables
            .job_events(Some(&job.id), 0, 50)
            .await
            .unwrap()
            .events;
        let ends = events.iter().filter(|it| it.kind == JobEventKind::Ended);
        assert_eq!(ends.count(), 1, "{path}");
        assert_eq!(ended.late, None, "{path}");
    }
}

/// The server never says go twice: if no answer to a start comes, the job did not run and is over.
#[tokio::test]
async fn a_start_without_any_answer_ends_as_not_started() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::GatewayProbe).await;
    let job = office.queued(&device, &look()).await;
    office.lose("/start", 2);
    assert_eq!(turn(&mut device).await, DeviceTurn::Unsent(job.id.clone()));
    assert_eq!(office.job(&job.id).await.state, JobState::Running);
    assert_eq!(turn(&mut device).await, DeviceTurn::Idle);
    let refused = office.job(&job.id).await;
    assert_eq!(refused.state, JobState::Refused);
    assert_eq!(refused.ending.unwrap()["code"], "did_not_run");
    assert_eq!(starts(&office, &job.id).await, 1);
    assert!(office.steps(&job.id).await.is_empty());
}
