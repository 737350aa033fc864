//! The simulated office: hosts, links and faults, and the programs of a device that see them.
//!
//! Everything is a function of the seed, the time and the steps so far. Two steps that look at one thing
//! agree about it, because both ask the same function of [`plan`], [`link`], [`route`] or [`names`].

mod collect;
mod devices;
mod hostile;
mod link;
mod names;
mod plan;
mod programs;
mod radio;
mod route;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

pub use self::collect::{CollectedSection, SectionKind};
pub use self::devices::OfficeDevice;
pub use self::hostile::{UPDATE_TOKEN, WIFI_KEY};

use crate::noise::SeededNoise;
use crate::step::OfficeStep;

/// Output of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOutput {
    /// Program and arguments, as the device would start them.
    pub argv: Vec<String>,
    pub stdout: String,
    pub stderr: String,
    pub exit: i32,
    /// Duration in milliseconds of simulated time.
    pub took_ms: u64,
}

/// The office of "Nordlicht office" under a seed.
#[derive(Clone, Copy, Debug)]
pub struct SimOffice {
    noise: SeededNoise,
}

impl SimOffice {
    pub fn new(seed: u64) -> Self {
        Self {
            noise: SeededNoise::new(seed),
        }
    }

    /// A run of steps on a device that begins at `at_ms`, in milliseconds since 1970.
    pub fn run(&self, device: OfficeDevice, at_ms: u64) -> OfficeRun {
        OfficeRun {
            noise: self.noise.named(device.name()),
            device,
            at_ms,
            touched: BTreeSet::new(),
            asked: BTreeSet::new(),
        }
    }

    /// Diagnostics of a device, one section for each collector. Nothing is dropped from them yet.
    pub fn collect(&self, device: OfficeDevice, at_ms: u64) -> Vec<CollectedSection> {
        collect::sections(self.run(device, at_ms))
    }
}

/// Steps on one device, one after the other. Time goes on with each of them.
#[derive(Clone, Debug)]
pub struct OfficeRun {
    device: OfficeDevice,
    noise: SeededNoise,
    /// Now, in milliseconds since 1970.
    at_ms: u64,
    /// Addresses on the link that were asked for, which neighbours then show.
    touched: BTreeSet<Ipv4Addr>,
    /// Names that were looked up, which a resolver then has at hand.
    asked: BTreeSet<String>,
}

impl OfficeRun {
    /// The time that the next step begins at, in milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.at_ms
    }

    /// Runs one step. A step that is not possible ends as its program ends: with a message and a code.
    pub fn step(&mut self, step: &OfficeStep) -> ProgramOutput {
        let output = programs::run(self, step);
        self.at_ms += output.took_ms;
        output
    }

    /// True if this interface exists.
    fn has_interface(&self, name: &str) -> bool {
        ["lo", "eth0", "wlan0"].contains(&name)
    }
}
