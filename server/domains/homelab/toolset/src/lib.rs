#![doc = include_str!("../README.md")]

mod api;
mod backup_search;
mod board;
mod cache;
mod client;
mod cluster_access;
mod config;
mod context;
mod error;
mod guest_state;
mod happenings;
mod homelab;
mod lenient;
mod measurements;
mod out;
mod own_state;
mod pages;
mod prompt;
mod refer;
mod rights;
pub mod ssh;
mod task;
mod task_kinds;
mod texts;
mod time;
mod tools;
mod wake;
mod wire;

pub use config::{Config, EndpointConfig, NoticeKind, NoticeLimits, TokenSecret};
pub use error::HomelabError;
pub use homelab::Homelab;
pub use measurements::{
    KEPT_STEPS, MAX_METRICS, MeasuredQuantity, MeasuredSubject, Measurement, MeasurementError,
    MeasurementRecorder, MeasurementStore, STEP_SECONDS, StepMean,
};
pub use ssh::{SshConfig, SshNode};
pub use tools::service_object;
