//! The toolset from outside, on in-memory databases.

#![expect(clippy::unwrap_used, reason = "tests")]

mod alert_levels;
mod alerts;
mod between;
mod charts;
mod context;
mod contracts;
mod desk;
mod draw;
mod follow;
mod indicators;
mod intake;
mod live;
mod private;
mod pushed;
mod scripted;
mod symbols;
mod talks;
mod tools;
mod trail;
mod unknown;
mod wire;
