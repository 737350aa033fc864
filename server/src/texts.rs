//! Sentences for people of the server in one place, so that another language is another such module.

pub(crate) mod agui;
pub(crate) mod api;
pub(crate) mod config;
pub(crate) mod http;
pub(crate) mod mcp;
pub(crate) mod mcp_servers;
pub(crate) mod models;
pub(crate) mod settings;
pub(crate) mod start;
pub(crate) mod transfer;
pub(crate) mod webhooks;

pub(crate) fn too_many_prompts(most: usize) -> String {
    format!("You already have {most} prompts, the maximum.")
}

pub(crate) const PROMPT_NOT_FOUND: &str = "Prompt not found.";

pub(crate) const SERVER_DISK_IS_FULL: &str = "The server's disk is full.";

pub(crate) const FILE_COULD_NOT_BE_READ: &str = "The file could not be read.";
