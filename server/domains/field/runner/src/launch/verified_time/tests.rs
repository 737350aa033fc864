//! Clocks in 1970, ten years ahead and stepped, over restarts; and how often anything is written.

use std::{
    fs,
    sync::atomic::{AtomicU64, Ordering},
};

use field_package::clock::ClockFault;

use super::*;

const NOW: u64 = 1_790_000_000;
const DAY: u64 = 24 * 60 * 60;
const YEAR: u64 = 365 * DAY;

/// The launcher's folder, and the seconds that have passed since its start.
struct LauncherFolder {
    folder: tempfile::TempDir,
    passed: Arc<AtomicU64>,
}

impl LauncherFolder {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            passed: Arc::default(),
        }
    }

    fn started(&self) -> Result<VerifiedTime, RunnerError> {
        let passed = Arc::clone(&self.passed);
        let steady = move || Duration::from_secs(passed.load(Ordering::SeqCst));
        VerifiedTime::load_with(self.folder.path(), Arc::new(steady))
    }

    fn pass(&self, seconds: u64) {
        self.passed.fetch_add(seconds, Ordering::SeqCst);
    }

    fn kept(&self) -> Option<u64> {
        let text = fs::read_to_string(self.folder.path().join("time")).ok()?;
        Some(text.parse().unwrap())
    }
}

#[test]
fn after_a_reboot_no_clock_leads_back_behind_what_was_signed() {
    let device = LauncherFolder::new();
    device.started().unwrap().raise(NOW).unwrap();
    let mut time = device.started().unwrap();
    let mut at = |wall: u64, server: Option<u64>| time.clock(wall, server).unwrap().time();
    for (about, wall) in [("1970", 3_600), ("stepped back", NOW - 2 * YEAR)] {
        let behind = at(wall, None).unwrap_err();
        assert!(matches!(behind, ClockFault::Behind { .. }), "{about}");
        // The runner says what fits the clock.
        let forged = at(wall, Some(wall)).unwrap_err();
        assert!(matches!(forged, ClockFault::ServerBehind { .. }), "{about}");
    }
    let ahead = at(NOW + 10 * YEAR, None).unwrap_err();
    assert!(matches!(ahead, ClockFault::Ahead { .. }), "{ahead}");
    let forged = at(NOW + 10 * YEAR, Some(NOW - DAY)).unwrap_err();
    assert!(matches!(forged, ClockFault::ServerBehind { .. }));
    // The server's true time is believed, whatever the clock shows, and within its tolerance never an earlier one.
    for wall in [3_600, NOW - 2 * YEAR, NOW, NOW + 10 * YEAR] {
        assert_eq!(at(wall, Some(NOW + DAY)).unwrap().now, NOW + DAY);
        assert_eq!(at(wall, Some(NOW - 60)).unwrap().now, NOW);
    }
    // No clock and no word of the runner has moved what is kept.
    assert_eq!(device.kept(), Some(NOW));
}

#[test]
fn time_goes_on_without_packages_and_never_faster_than_a_crystal() {
    let device = LauncherFolder::new();
    let mut time = device.started().unwrap();
    device.pass(DAY);
    time.clock(NOW, None).unwrap();
    assert_eq!(device.kept(), None, "nothing was verified");
    time.raise(NOW).unwrap();
    device.pass(30 * DAY);
    let floor = time.clock(NOW, None).unwrap().floor;
    assert!(floor > NOW + 29 * DAY && floor < NOW + 30 * DAY, "{floor}");
    assert_eq!(device.kept(), Some(floor));
    // An older package changes nothing, a newer one does.
    time.raise(NOW + DAY).unwrap();
    assert_eq!(time.clock(NOW, None).unwrap().floor, floor);
    time.raise(NOW + 31 * DAY).unwrap();
    drop(time);
    device.passed.store(0, Ordering::SeqCst);
    let mut restarted = device.started().unwrap();
    assert_eq!(restarted.clock(NOW, None).unwrap().floor, NOW + 31 * DAY);
}

#[test]
fn writes_are_few_however_often_a_runner_asks() {
    let device = LauncherFolder::new();
    let mut time = device.started().unwrap();
    time.raise(NOW).unwrap();
    let mut kept = vec![NOW];
    for _ in 0..DAY / 10 {
        device.pass(10);
        time.clock(0, Some(u64::MAX)).unwrap();
        time.raise(NOW + 1).unwrap();
        let now = device.kept().unwrap();
        if kept.last() != Some(&now) {
            kept.push(now);
        }
    }
    let most = usize::try_from(DAY / STEP).unwrap();
    assert!(
        (most / 2..=most + 1).contains(&kept.len()),
        "{}",
        kept.len()
    );
    assert!(kept.is_sorted());
}

#[test]
fn a_kept_time_that_is_damaged_stops_the_launcher() {
    let device = LauncherFolder::new();
    for text in ["", "yesterday", "-1", "99999999999999999999999"] {
        fs::write(device.folder.path().join("time"), text).unwrap();
        assert!(device.started().is_err(), "{text}");
    }
    // Power lost while it is replaced: the old file stays, the partial one is of no interest.
    fs::write(device.folder.path().join("time"), NOW.to_string()).unwrap();
    fs::write(device.folder.path().join("time.new"), "17").unwrap();
    let mut time = device.started().unwrap();
    assert_eq!(time.clock(0, None).unwrap().floor, NOW);
}
