#![doc = include_str!("../README.md")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that is used wrongly ends its test"
)]

mod contract;
mod memory;

pub use contract::measurement_contract;
pub use memory::MemoryMeasurements;
