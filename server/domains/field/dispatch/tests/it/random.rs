//! Many sessions of one device with faults, lost answers, restarts, cancellations and time that passes: the
//! simulated device and the server agree about each job. The long form has 10,000 of them.

use std::ops::Range;

use field_tables::{JobEvent, JobEventKind, JobRecord, JobState};
use serde_json::{Value, json};
use simfleet::{DeviceFault, DeviceTurn, FleetDevice, OfficeDevice};

use crate::office::{Office, look};

/// Sessions of a usual run.
const SESSIONS: u64 = 40;
/// Ends of paths whose answers get lost.
const PATHS: [&str; 8] = [
    "/claim",
    "/start",
    "/renew",
    "/end",
    "/log/out",
    "/log/step",
    "/hello",
    "/session",
];

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

struct RandomSession<'a> {
    office: &'a mut Office,
    device: &'a mut FleetDevice,
    dice: Dice,
    /// Jobs that the device says have ended.
    ended: Vec<String>,
}

impl RandomSession<'_> {
    async fn turn(&mut self) {
        // Errors are what lost answers lead to; the next turn goes on.
        if let Ok(DeviceTurn::Ended(job)) = Box::pin(self.device.turn()).await {
            self.ended.push(job);
        }
    }

    /// One job, from the queue to its end.
    async fn run(&mut self) -> (JobRecord, Value) {
        let long = json!([{ "run": "wait", "seconds": 25 }, { "run": "links" }, { "run": "wait", "seconds": 8 }]);
        let steps = if self.dice.one_in(2) { look() } else { long };
        let fault = DeviceFault::ALL.get(self.dice.below(12)).copied();
        if let Some(fault) = fault {
            self.device.switches().switch_on(fault);
        }
        if self.dice.one_in(3) {
            let path = PATHS[self.dice.below(PATHS.len())];
            self.office.lose(path, 1 + self.dice.below(3) as u32);
        }
        let job = self.office.queued(self.device, &steps).await.id;
        if self.dice.one_in(10) {
            self.office
                .dispatch
                .cancel_job(&job, "no", "ann")
                .await
                .unwrap();
        }
        // Now and then nobody asks for so long that the order expires.
        if self.dice.one_in(50) {
            self.office.clock.advance(3_600);
        }
        for round in 0..6 {
            self.turn().await;
            if round == 1 {
                if let Some(fault) = fault {
                    self.device.switches().switch_off(fault);
                }
                self.office.served.losses.lock().unwrap().clear();
            }
            if self.dice.one_in(5) {
                self.device.restart();
            }
            self.office
                .clock
                .advance([0, 0, 5, 31, 31, 200][self.dice.below(6)]);
            if self.dice.one_in(2) {
                self.office.dispatch.upkeep().await.unwrap();
            }
        }
        // After the longest time that anything may take, it is over, and stays so.
        self.office.clock.advance(3_600);
        self.turn().await;
        let over = self.office.job(&job).await;
        assert!(over.state.is_over(), "{:?} with {fault:?}", over.state);
        self.turn().await;
        assert_eq!(self.office.job(&job).await.state, over.state);
        (over, steps)
    }
}

fn count(events: &[JobEvent], kinds: &[JobEventKind]) -> usize {
    events.iter().filter(|it| kinds.contains(&it.kind)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn device_and_server_agree_about_each_job() {
    Box::pin(agree(0..SESSIONS, &["ended", "unknown", "cancelled"])).await;
}

/// A thousand sessions for each name, which begin at a seed of its own: one test would take too long.
macro_rules! thousands {
    ($($name:ident: $seeds:expr),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[ignore = "long: cargo xtask test long"]
            async fn $name() {
                // Rare ends come in a long run alone.
                let all = ["ended", "unknown", "cancelled", "refused", "not_delivered"];
                Box::pin(agree($seeds, &all)).await;
            }
        )*
    };
}

thousands! {
    agree_about_the_first_thousand: 0..1_000,
    agree_about_the_second_thousand: 1_000..2_000,
    agree_about_the_third_thousand: 2_000..3_000,
    agree_about_the_fourth_thousand: 3_000..4_000,
    agree_about_the_fifth_thousand: 4_000..5_000,
    agree_about_the_sixth_thousand: 5_000..6_000,
    agree_about_the_seventh_thousand: 6_000..7_000,
    agree_about_the_eighth_thousand: 7_000..8_000,
    agree_about_the_ninth_thousand: 8_000..9_000,
    agree_about_the_tenth_thousand: 9_000..10_000,
}

/// Runs the sessions of these seeds, in which each of the expected ends has to come.
async fn agree(seeds: Range<u64>, expected: &[&str]) {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::GatewayProbe).await;
    let mut seen = std::collections::BTreeMap::new();
    for seed in seeds.clone() {
        let mut session = RandomSession {
            office: &mut office,
            device: &mut device,
            dice: Dice(seed),
            ended: Vec::new(),
        };
        let (job, steps) = session.run().await;
        let ended = session.ended;
        *seen.entry(job.state.word()).or_insert(0) += 1;
        let events = office
            .tables
            .job_events(Some(&job.id), 0, 500)
            .await
            .unwrap()
            .events;
        let starts = count(&events, &[JobEventKind::Running]);
        let lost = count(&events, &[JobEventKind::Lapsed, JobEventKind::GivenBack]);
        assert!(starts <= 1, "seed {seed}: started {starts} times");
        assert_eq!(job.epoch, 1 + lost as u64, "seed {seed}");
        let done = office.steps(&job.id).await;
        let numbers: Vec<_> = done.iter().map(|it| it["step"].as_u64().unwrap()).collect();
        let in_order: Vec<_> = (1..=numbers.len() as u64).collect();
        assert_eq!(numbers, in_order, "seed {seed}: each step once");
        let all = numbers.len() == steps.as_array().unwrap().len();
        match job.state {
            // Certain: nothing of it ran.
            JobState::NotDelivered | JobState::Cancelled => {
                assert_eq!((starts, numbers.len()), (0, 0), "seed {seed}");
            }
            JobState::Refused => assert!(numbers.is_empty(), "seed {seed}"),
            JobState::Ended => assert!(starts == 1 && all, "seed {seed}"),
            JobState::Cut | JobState::Unknown => assert_eq!(starts, 1, "seed {seed}"),
            open => panic!("seed {seed}: {open:?}"),
        }
        if ended.contains(&job.id) {
            let known = matches!(
                job.state,
                JobState::Ended | JobState::Cut | JobState::Unknown
            );
            assert!(
                known,
                "seed {seed}: the device ended it, and it is {:?}",
                job.state
            );
        }
    }
    for state in expected {
        assert!(seen.contains_key(state), "no {state}: {seen:?}");
    }
    eprintln!("sessions {seeds:?}: {seen:?}");
}
