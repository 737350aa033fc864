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

pub use clock::{Clock, ManualClock, SystemClock};
pub use control::{Control, Effect, Request, SshCommand};
pub use faults::{ConnectionFault, Cut};
pub use simlab::{Error, Options, Served, Simlab, routes, start};
