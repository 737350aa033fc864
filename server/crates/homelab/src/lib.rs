#![doc = include_str!("../README.md")]

mod api;
mod cache;
mod client;
mod config;
mod error;
mod lenient;
mod rights;
mod task;
mod time;
mod wire;

pub use config::{Config, Endpoint, Secret};
pub use error::Error;
