#![doc = include_str!("../README.md")]

mod access;
mod api;
mod calendar;
mod clock;
mod control;
mod faults;
mod inventory;
mod numbers;
mod reply;
mod route;
mod server;
mod simlab;
mod ssh;
mod tls;
mod urlencoded;
mod wake;
mod wave;
mod world;

pub use clock::{ManualSimClock, SimClock, SystemSimClock};
pub use control::{Control, ControlEffect, ControlRequest};
pub use faults::{ConnectionFault, SshCut};
pub use simlab::{Served, Simlab, SimlabError, SimlabOptions, routes, start};
pub use world::SshCommand;
