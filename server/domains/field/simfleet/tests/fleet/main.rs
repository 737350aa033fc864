//! The simulated office, and its devices against a small scripted server over real HTTP.
#![expect(clippy::unwrap_used, reason = "tests")]

mod agreement;
mod documents;
mod faults;
mod formats;
mod hostile;
mod jobs;
mod losses;
mod packages;
mod server;

use std::sync::Arc;
use std::time::Duration;

use simfleet::{
    FleetDevice, FleetDeviceOptions, ManualSimFleetClock, OfficeDevice, OfficeRow, OfficeStep,
    ProgramOutput, SimOffice,
};

use self::server::ScriptedServer;

/// Friday, 27 November 2026, 11:00:00 UTC.
pub(crate) const START: u64 = 1_795_777_200;

/// A step with slots.
pub(crate) fn step(row: OfficeRow, change: impl FnOnce(&mut OfficeStep)) -> OfficeStep {
    let mut step = OfficeStep::new(row);
    change(&mut step);
    step
}

/// One step alone, at the start.
pub(crate) fn run_one(device: OfficeDevice, step: &OfficeStep) -> ProgramOutput {
    SimOffice::new(1).run(device, START * 1000).step(step)
}

pub(crate) fn ping(target: &str, count: u32) -> OfficeStep {
    step(OfficeRow::Ping, |it| {
        it.target = Some(target.to_owned());
        it.count = Some(count);
    })
}

/// A device of the meeting room that is enrolled with this server.
pub(crate) fn device(server: &ScriptedServer) -> FleetDevice {
    FleetDevice::new(options(server)).unwrap()
}

pub(crate) fn options(server: &ScriptedServer) -> FleetDeviceOptions {
    FleetDeviceOptions {
        device: OfficeDevice::MeetingRoom,
        seed: 1,
        clock: Arc::new(ManualSimFleetClock::at(START)),
        server: server.url.clone(),
        enrolment: server.token(),
        pace: 0.0,
        wait_s: 0,
        tries: 2,
        pause: Duration::ZERO,
        first_bundle: false,
    }
}
