//! The dispatch with the simulated fleet over real HTTP, and with hostile requests of its own.
#![expect(clippy::unwrap_used, reason = "tests")]

mod adapter;
mod at_once;
mod attacks;
mod attention;
mod faults;
mod fleet;
mod following;
mod hostile_texts;
mod intake;
mod office;
mod people;
mod polls;
mod ports;
mod random;
mod releases;
mod restarts;
mod rotation;
mod story;
mod stranger;
mod suspension;
