//! `[mcp_limits]`: bounds of all sandboxed MCP servers together.

use mcp_connection::ChildBounds;

use super::{
    mcp::{McpSettings, McpTransport},
    reader::Reader,
    value::Whole,
};
use crate::texts;

const MIB: u64 = 1024 * 1024;

/// Reads the bounds. Servers that could not all run at once are refused now, and not at some later start.
pub(super) fn read(r: &mut Reader<'_>, servers: &[McpSettings]) -> ChildBounds {
    r.section(
        "mcp_limits",
        "Bounds of all MCP servers in bubblewrap together.",
    );
    let children = r
        .key("mcp_limits.children", "programs that may run at once")
        .or(Whole::<1, 64>(16));
    let memory = r
        .key(
            "mcp_limits.memory_mib",
            "mebibytes, the largest sum of their memory_mib",
        )
        .or(Whole::<16, 16_777_216>(32_768));
    let sandboxed = servers.iter().filter_map(|server| match &server.transport {
        McpTransport::Command {
            sandbox: true,
            limits,
            ..
        } => Some(limits.memory_bytes),
        McpTransport::Command { .. } | McpTransport::Http { .. } => None,
    });
    let sandboxed: Vec<u64> = sandboxed.collect();
    let most = usize::try_from(children.value.0).unwrap_or(usize::MAX);
    if sandboxed.len() > most {
        let wrong = texts::config::too_many_mcp_children(sandboxed.len(), most);
        r.refuse(&children.source, wrong);
    }
    let sum = sandboxed
        .iter()
        .fold(0, |sum: u64, one| sum.saturating_add(*one));
    let most = u64::from(memory.value.0) * MIB;
    if sum > most {
        let wrong = texts::config::too_much_mcp_memory(sum / MIB, memory.value.0);
        r.refuse(&memory.source, wrong);
    }
    ChildBounds {
        children: children.value.0,
        memory_bytes: most,
    }
}
