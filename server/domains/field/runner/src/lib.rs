#![doc = include_str!("../README.md")]
#![cfg(target_os = "linux")]

pub mod clock;
pub mod config;
mod error;
pub mod files;
pub mod identity;
pub mod journal;
pub mod launch;
pub mod programs;
pub mod roots;
pub mod sandbox;
pub mod server;
pub mod stage;
pub mod starter;
mod texts;
pub mod work;

pub use error::RunnerError;
