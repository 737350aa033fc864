#![doc = include_str!("../README.md")]

mod board;
mod card;
mod config;
mod context;
mod device_names;
mod edited_script;
mod findings;
mod happenings;
mod judged;
mod line_diff;
mod once_tokens;
mod pages;
mod parts;
pub mod ports;
mod prepared;
mod prompt;
mod real_script;
mod run_core;
mod shape;
mod shown_runs;
mod site_redaction;
mod step_results;
mod step_text;
mod texts;
mod things;
mod tools;
mod toolset;

/// The formats of scripts and packages, the life of a run, and the redaction, for those who implement the ports.
pub use {field_package, field_queue, field_redaction};

pub use config::{FieldConfig, FieldNoticeKind, FieldNotices, FieldSetupError};
pub use run_core::{FREE_TIMEOUT_S, IssuedParts, RunCore, RunTarget};
pub use step_results::{RawStep, fields_json, step_result};
pub use texts::tools::LOW_RISK_RULE;
pub use toolset::Field;
