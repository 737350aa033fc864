//! A hostile MCP server and some that others wrote, against the connection and in whole turns: real processes, no
//! network.

#![expect(clippy::unwrap_used, reason = "tests")]

mod authorized;
mod conformance;
mod connection;
mod conversation;
mod evil;
mod hostile_http;
mod notices;
mod oauth;
mod real;
mod real_world;
mod turns;
