//! The server as its clients see it: real HTTP and websockets on loopback.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where something is not as it must be"
)]

mod agui;
mod api;
mod audit;
mod binary;
mod board;
mod cache;
mod charts;
mod client;
mod confirm;
mod deciders;
mod defence;
mod domains;
mod edges;
mod erp;
mod erp_commands;
mod erp_questions;
mod erp_tasks;
mod examples;
mod feed;
mod field;
mod figures;
mod files;
mod functions;
mod harness;
mod lamps;
mod limits;
mod markets;
mod matrix;
mod mcp;
mod mcp_servers;
mod measurements;
mod metrics;
mod mistakes;
mod model_commands;
mod models;
mod newcomer;
mod node_guard;
mod node_script;
mod own_keys;
mod packs;
mod page_address;
mod passwords;
mod policy;
mod prices;
mod process;
mod proxy;
mod restart;
mod roles;
mod settings;
mod shares;
mod sign_in;
mod socket;
mod storage;
mod stream;
mod suggestions;
mod tokens;
mod traces;
mod transfer;
mod view;
mod webhooks;
mod who;
