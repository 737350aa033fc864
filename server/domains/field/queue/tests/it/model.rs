//! Random lives of jobs: whatever happens, each is run once at most, and what is said of it is true.

use std::collections::BTreeSet;

use field_queue::{
    report::JobEnding,
    server::{FinalState, JobRefusal, ServerState, StartCheck},
};
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};

use crate::world::World;

const JOBS: usize = 3;
const DEVICES: usize = 2;
/// Ends of jobs, of which half are by a limit.
const ENDINGS: [JobEnding; 5] = [
    JobEnding::Exit(0),
    JobEnding::Exit(0),
    JobEnding::Memory,
    JobEnding::Memory,
    JobEnding::Lost,
];

#[derive(Debug, Clone)]
enum Event {
    Poll(usize),
    Deliver {
        at: usize,
        repeat: bool,
        crash: Option<usize>,
    },
    FailCheck {
        at: usize,
    },
    Lose(usize),
    Local {
        device: usize,
        crash: Option<usize>,
    },
    Tick {
        device: usize,
        ms: u64,
        crash: Option<usize>,
    },
    Finish {
        device: usize,
        how: JobEnding,
        crash: Option<usize>,
    },
    LoseUnit {
        device: usize,
        begun: bool,
    },
    FailUnit(usize),
    Pass(u64),
    Cancel(usize),
    Crash(usize),
    Restart {
        device: usize,
        reboot: bool,
    },
    Clone {
        from: usize,
        to: usize,
    },
}

fn event(clones: bool) -> impl Strategy<Value = Event> {
    let crash = || prop::option::weighted(0.15, 0..3_usize);
    let device = || 0..DEVICES;
    let at = || 0..64_usize;
    prop_oneof![
        6 => device().prop_map(Event::Poll),
        20 => (at(), prop::bool::weighted(0.2), crash())
            .prop_map(|(at, repeat, crash)| Event::Deliver { at, repeat, crash }),
        1 => at().prop_map(|at| Event::FailCheck { at }),
        3 => at().prop_map(Event::Lose),
        10 => (device(), crash()).prop_map(|(device, crash)| Event::Local { device, crash }),
        6 => (device(), prop::sample::select(vec![10_000_u64, 30_000, 90_000]), crash())
            .prop_map(|(device, ms, crash)| Event::Tick { device, ms, crash }),
        5 => (device(), prop::sample::select(ENDINGS.to_vec()), crash())
            .prop_map(|(device, how, crash)| Event::Finish { device, how, crash }),
        1 => (device(), any::<bool>()).prop_map(|(device, begun)| Event::LoseUnit { device, begun }),
        1 => device().prop_map(Event::FailUnit),
        4 => prop::sample::select(vec![1_u64, 10, 40, 200]).prop_map(Event::Pass),
        1 => (0..JOBS).prop_map(Event::Cancel),
        1 => device().prop_map(Event::Crash),
        4 => (device(), prop::bool::weighted(0.3))
            .prop_map(|(device, reboot)| Event::Restart { device, reboot }),
        1 => (device(), device()).prop_map(move |(from, to)| {
            if clones { Event::Clone { from, to } } else { Event::Crash(to) }
        }),
    ]
}

fn live(events: &[Event]) -> World {
    let mut world = World::new(JOBS, DEVICES);
    for event in events {
        match *event {
            Event::Poll(device) => world.poll(device),
            Event::Deliver { at, repeat, crash } => {
                world.deliver(at, repeat, StartCheck::Passed, crash);
            }
            Event::FailCheck { at } => {
                world.deliver(at, false, StartCheck::Failed("kill_switch"), None);
            }
            Event::Lose(at) => world.lose(at),
            Event::Local { device, crash } => world.local(device, crash),
            Event::Tick { device, ms, crash } => world.tick(device, ms, crash),
            Event::Finish { device, how, crash } => world.finish(device, how, crash),
            Event::LoseUnit { device, begun } => world.lose_unit(device, begun),
            Event::FailUnit(device) => world.fail_unit(device),
            Event::Pass(seconds) => world.pass(seconds),
            Event::Cancel(job) => world.cancel(job),
            Event::Crash(device) => world.crash(device),
            Event::Restart { device, reboot } => world.restart(device, reboot),
            Event::Clone { from, to } => world.clone_disk(from, to),
        }
    }
    world
}

/// Everything comes back and nothing is lost any longer: all jobs end.
fn settle(world: &mut World) {
    for device in 0..DEVICES {
        if world.devices[device].state.is_none() {
            world.restart(device, false);
        }
    }
    for _ in 0..60 {
        for device in 0..DEVICES {
            world.tick(device, 30_000, None);
            while !world.devices[device].local.is_empty() {
                world.local(device, None);
            }
            world.finish(device, JobEnding::Exit(0), None);
        }
        let mut left = 2_000;
        while !world.network.is_empty() && left > 0 {
            left -= 1;
            world.deliver(0, false, StartCheck::Passed, None);
        }
        world.pass(20);
    }
}

/// True of each job, in the words for the end that people read.
fn check(world: &World) -> BTreeSet<&'static str> {
    let mut seen = BTreeSet::new();
    for job in &world.jobs {
        let runs = world.runs.get(&job.job).copied().unwrap_or(0);
        assert!(runs <= 1, "{} ran {runs} times", job.job);
        let runs = if world.has_failed(&job.job) { 0 } else { runs };
        let ServerState::Final { state, late, .. } = &job.state else {
            panic!("{} has no end: {:?}", job.job, job.state);
        };
        if late.is_some() {
            seen.insert("late");
            assert_eq!(runs, 1, "a late result of a job that never ran");
        }
        let (word, expected) = match state {
            FinalState::Ended(_) => ("ended", Some(1)),
            FinalState::Cut(_) => ("cut", Some(1)),
            FinalState::NotDelivered => ("not delivered", Some(0)),
            FinalState::Cancelled => ("cancelled", Some(0)),
            FinalState::Refused(JobRefusal::NotStarted) => {
                // A copy of a disk may say this for a device that runs the job: the late result tells.
                ("not started", (!world.cloned).then_some(0))
            }
            FinalState::Refused(JobRefusal::Device(_)) => ("refused by the device", Some(0)),
            FinalState::Refused(JobRefusal::Server(_)) => ("refused by the server", Some(0)),
            FinalState::Unknown(_) => ("unknown", None),
        };
        seen.insert(word);
        if let Some(expected) = expected {
            assert_eq!(runs, expected, "{word} is not true of {}", job.job);
        }
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_job_runs_once_at_most_and_its_end_is_true(events in prop::collection::vec(event(false), 10..140)) {
        let mut world = live(&events);
        settle(&mut world);
        check(&world);
    }

    #[test]
    fn two_devices_with_one_key_run_a_job_once_at_most(events in prop::collection::vec(event(true), 10..140)) {
        let mut world = live(&events);
        settle(&mut world);
        check(&world);
    }
}

/// The random lives are worth something only if they reach every end.
#[test]
fn every_end_is_reached() {
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..600 {
        let events = prop::collection::vec(event(false), 10..140);
        let events = events.new_tree(&mut runner).expect("events").current();
        let mut world = live(&events);
        settle(&mut world);
        seen.extend(check(&world));
    }
    let all = [
        "cancelled",
        "cut",
        "ended",
        "late",
        "not delivered",
        "not started",
        "refused by the device",
        "refused by the server",
        "unknown",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}
