//! A hostile MCP server against the connection, and against whole turns: real processes, no network.

#![expect(clippy::unwrap_used, reason = "tests")]

mod connection;
mod evil;
mod notices;
mod turns;
