#![doc = include_str!("../README.md")]

mod name;
mod outside;
mod port;
mod presence;
mod reading;
mod rules;
mod schema;
mod served;
mod texts;

pub use name::{NameHolder, is_server_name, tool_name};
pub use outside::{OutsideToolset, ReviewedTool};
pub use port::{ReadRequest, ServerFault, ServerResult, ToolServer};
pub use presence::{AWAY_NOTICE, Presence};
pub use rules::{OutsideRules, OutsideToolRule, TierSource};
pub use schema::{UnusableSchema, closed_schema};
pub use served::{DefinitionChange, ReviewStanding, ServedTool};
