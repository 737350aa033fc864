#![doc = include_str!("../README.md")]

mod api_operations;
pub mod audit;
mod backend;
mod bucket;
pub mod cli;
pub mod config;
mod config_check;
mod cursor;
pub mod domains;
pub mod doors;
mod env;
mod examples;
mod failure_log;
mod feed;
mod http;
pub mod logging;
mod mcp_bridge;
mod mcp_servers;
mod metrics;
mod model_catalog;
mod model_check;
mod outcomes;
mod own_keys;
mod page_address;
mod process;
pub mod routes;
mod rules;
mod secret_file;
mod server_word;
mod sign_in_link;
mod signal;
mod standalone;
mod start;
mod subcommand;
pub mod tasks;
mod telemetry;
mod texts;
mod transfer;
mod tuning;
mod webhook_check;
mod webhook_tasks;
mod ws;

pub use http::{SiteContent, SiteFile};
pub use signal::stop_signal;
pub use start::{Running, start};

/// Version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
