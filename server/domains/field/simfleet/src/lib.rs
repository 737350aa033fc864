#![doc = include_str!("../README.md")]

mod clock;
mod device;
mod fleet;
mod noise;
mod office;
pub mod protocol;
mod secrets;
mod step;
mod trust;

pub use clock::{ManualSimFleetClock, SimFleetClock, SystemSimFleetClock};
pub use device::{
    DeviceFault, DeviceSwitches, DeviceTurn, FleetDevice, FleetDeviceOptions, FleetError,
    StepLedger, StepRun, reported_capabilities,
};
pub use fleet::{SimFleet, SimFleetOptions};
pub use office::{
    CollectedSection, OfficeDevice, OfficeRun, ProgramOutput, SectionKind, SimOffice, UPDATE_TOKEN,
    WIFI_KEY,
};
pub use step::{OfficeRow, OfficeStep};
pub use trust::keys::FleetDeviceKey;
