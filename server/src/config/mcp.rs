//! `[mcp.NAME]`: MCP servers whose tools conversations may have.

mod oauth;

use std::{collections::BTreeMap, ops::RangeInclusive, path::PathBuf, time::Duration};

use ::agent::ports::Recovery;
use mcp_client::{OutsideToolRule, is_server_name};
use mcp_connection::{CertificateSha256, SandboxLimits, SecretHeader, fingerprint};
use protocol::Tier;
use serde::Deserialize;
use toml::Spanned;

use super::{
    reader::Reader,
    section::Section,
    source::{Setting, Source},
    value::is_web_address,
};
use crate::texts;

pub use oauth::{McpCredential, McpOauth};

use oauth::OauthTable;

/// The most servers: each has a task and a process or a connection.
const MOST: usize = 16;

/// A server as it is configured.
#[derive(Debug, Clone)]
pub struct McpSettings {
    pub name: String,
    pub transport: McpTransport,
    /// By the server's own names. It has no others here.
    pub tools: BTreeMap<String, OutsideToolRule>,
    /// True if its resources can be read.
    pub resources: bool,
    /// True if its prompts can be read.
    pub prompts: bool,
    /// Timeout of connecting.
    pub start: Duration,
    /// Timeout of a call.
    pub call: Duration,
    /// The longest result, in bytes.
    pub result_bytes: usize,
}

/// The way to a server.
#[derive(Debug, Clone)]
pub enum McpTransport {
    Command {
        program: PathBuf,
        args: Vec<String>,
        /// Names of variables of the server's own environment.
        env: Vec<String>,
        sandbox: bool,
        network: bool,
        readable: Vec<PathBuf>,
        writable: Vec<PathBuf>,
        limits: SandboxLimits,
    },
    Http {
        url: String,
        header: String,
        /// The value of the header, read at the start.
        secret_file: Option<Setting<PathBuf>>,
        oauth: Option<Box<McpOauth>>,
        fingerprints: Vec<CertificateSha256>,
        ca_file: Option<PathBuf>,
    },
}

impl McpSettings {
    /// The part of it that decides what may run, as text.
    pub(crate) fn policy(&self) -> String {
        let Self {
            name,
            tools,
            resources,
            prompts,
            ..
        } = self;
        format!("{name}: {tools:?} {resources} {prompts}; ")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpTable {
    command: Option<Spanned<Vec<String>>>,
    env: Option<Vec<String>>,
    sandbox: Option<bool>,
    network: Option<bool>,
    readable: Option<Spanned<Vec<PathBuf>>>,
    writable: Option<Spanned<Vec<PathBuf>>>,
    processes: Option<Spanned<u32>>,
    memory_mib: Option<Spanned<u32>>,
    url: Option<Spanned<String>>,
    header: Option<Spanned<String>>,
    secret_file: Option<Spanned<PathBuf>>,
    oauth: Option<Spanned<OauthTable>>,
    fingerprints: Option<Spanned<Vec<String>>>,
    ca_file: Option<PathBuf>,
    start_seconds: Option<Spanned<u32>>,
    call_seconds: Option<Spanned<u32>>,
    result_kib: Option<Spanned<u32>>,
    #[serde(default)]
    resources: bool,
    #[serde(default)]
    prompts: bool,
    #[serde(default)]
    tools: BTreeMap<String, McpToolTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpToolTable {
    tier: Option<Spanned<String>>,
    recovery: Option<Spanned<String>>,
}

pub(super) fn read(r: &mut Reader<'_>, sections: &[Section]) -> Vec<McpSettings> {
    r.section(
        "mcp",
        "MCP servers: tools of other programs. A tool exists once it is listed here and an admin has \
         accepted its definition with `jarvis mcp accept`. docs/mcp-servers.md describes them.",
    );
    let tables: BTreeMap<String, Spanned<McpTable>> = r.table(
        "mcp",
        "One table for each server, under a name of small letters, digits and hyphens. A command runs in \
         bubblewrap, without network unless network = true, and sees the variables named in env, the paths \
         in readable and those in writable. Instead of command, url has the address of a server, \
         secret_file the value of its header (Authorization, or the one named in header), and \
         fingerprints or ca_file its certificate; instead of secret_file, oauth signs in with \
         client credentials. Each tool has a tier, green, yellow or red, which is red if \
         none is set, and a recovery class, pure, idempotent or unsafe. With resources = true or prompts = \
         true, those can be read. Timeouts and the longest result: \
         start_seconds = 30, call_seconds = 60, result_kib = 64. Limits in bubblewrap: processes = 256, and for \
         each of them memory_mib = 2048.",
        "[mcp.files]\n\
         command = [\"/usr/local/bin/mcp-files\", \"/srv/share\"]\n\
         readable = [\"/srv/share\"]\n\
         [mcp.files.tools]\n\
         read_file = { tier = \"green\", recovery = \"pure\" }\n\
         write_file = { tier = \"red\" }\n\
         [mcp.tickets]\n\
         url = \"https://tickets.lan/mcp\"\n\
         [mcp.tickets.oauth]\n\
         client_id = \"jarvis\"\n\
         client_secret_file = \"/etc/jarvis/mcp_tickets\"  # or client_secret_env, or private_key_file\n\
         issuer = \"https://sign-in.lan\"",
    );
    let mut servers = Vec::new();
    for (index, (name, table)) in tables.into_iter().enumerate() {
        let source = r.source_at(table.span().start);
        if index == MOST {
            r.refuse(&source, texts::config::too_many_mcp_servers(MOST));
        }
        if !is_server_name(&name) {
            r.refuse(&source, texts::config::NO_NAME_OF_MCP_SERVER);
            continue;
        }
        if sections.iter().any(|section| section.name == name) {
            r.refuse(&source, texts::config::name_is_of_domain(&name));
            continue;
        }
        servers.extend(server(r, name, &source, table.into_inner()));
    }
    servers
}

/// The server of a table; none if something is wrong, which is reported.
fn server(
    r: &mut Reader<'_>,
    name: String,
    source: &Source,
    mut table: McpTable,
) -> Option<McpSettings> {
    let key = |part: &str| format!("mcp.{name}.{part}");
    let tools = std::mem::take(&mut table.tools);
    let tools: Vec<_> = tools
        .into_iter()
        .map(|(tool, rule)| {
            let key = key(&format!("tools.{tool}"));
            Some((tool, rule_of(r, &key, &rule)?))
        })
        .collect();
    let start = whole(r, &key("start_seconds"), &table.start_seconds, 1..=600, 30);
    let call = whole(r, &key("call_seconds"), &table.call_seconds, 1..=3600, 60);
    let kib = whole(r, &key("result_kib"), &table.result_kib, 1..=1024, 64);
    let (resources, prompts) = (table.resources, table.prompts);
    let transport = match (table.command.take(), table.url.take()) {
        (Some(command), None) => command_of(r, &key, source, &command, table),
        (None, Some(url)) => address_of(r, &key, source, url, table),
        (Some(_), Some(_)) | (None, None) => {
            r.refuse(source, texts::config::mcp_needs_command_or_url(&name));
            None
        }
    };
    Some(McpSettings {
        transport: transport?,
        tools: tools.into_iter().collect::<Option<_>>()?,
        resources,
        prompts,
        start: Duration::from_secs(start?.into()),
        call: Duration::from_secs(call?.into()),
        result_bytes: usize::try_from(kib?).ok()? * 1024,
        name,
    })
}

fn command_of(
    r: &mut Reader<'_>,
    key: &impl Fn(&str) -> String,
    source: &Source,
    command: &Spanned<Vec<String>>,
    table: McpTable,
) -> Option<McpTransport> {
    let of_url = [
        ("header", table.header.is_some()),
        ("secret_file", table.secret_file.is_some()),
        ("oauth", table.oauth.is_some()),
        ("fingerprints", table.fingerprints.is_some()),
        ("ca_file", table.ca_file.is_some()),
    ];
    let mut is_right = are_unset(r, key, source, &of_url, "url");
    let words = command.get_ref().split_first();
    let words = words.filter(|(program, _)| !program.is_empty());
    let Some((program, args)) = words else {
        let source = r.source_at(command.span().start);
        let wrong = texts::config::expected(&key("command"), texts::config::PROGRAM_AND_ARGUMENTS);
        r.refuse(&source, wrong);
        return None;
    };
    for (part, paths) in [("readable", &table.readable), ("writable", &table.writable)] {
        let Some(paths) = paths else { continue };
        if !paths.get_ref().iter().all(|path| path.is_absolute()) {
            let source = r.source_at(paths.span().start);
            let wrong = texts::config::expected(&key(part), texts::config::ABSOLUTE_PATHS);
            r.refuse(&source, wrong);
            is_right = false;
        }
    }
    let processes = whole(r, &key("processes"), &table.processes, 8..=4096, 256)?;
    let mib = whole(
        r,
        &key("memory_mib"),
        &table.memory_mib,
        16..=1_048_576,
        2048,
    )?;
    let paths = |paths: Option<Spanned<Vec<PathBuf>>>| paths.map(Spanned::into_inner);
    is_right.then(|| McpTransport::Command {
        program: program.into(),
        args: args.to_vec(),
        env: table.env.unwrap_or_default(),
        sandbox: table.sandbox.unwrap_or(true),
        network: table.network.unwrap_or(false),
        readable: paths(table.readable).unwrap_or_default(),
        writable: paths(table.writable).unwrap_or_default(),
        limits: SandboxLimits {
            processes,
            memory_bytes: u64::from(mib) * 1024 * 1024,
        },
    })
}

fn address_of(
    r: &mut Reader<'_>,
    key: &impl Fn(&str) -> String,
    source: &Source,
    url: Spanned<String>,
    table: McpTable,
) -> Option<McpTransport> {
    let of_command = [
        ("env", table.env.is_some()),
        ("sandbox", table.sandbox.is_some()),
        ("network", table.network.is_some()),
        ("readable", table.readable.is_some()),
        ("writable", table.writable.is_some()),
        ("processes", table.processes.is_some()),
        ("memory_mib", table.memory_mib.is_some()),
    ];
    let mut is_right = are_unset(r, key, source, &of_command, "command");
    let parsed = url.get_ref().parse::<axum::http::Uri>();
    let is_address = parsed.is_ok_and(|parsed| {
        let authority = parsed.authority();
        authority.is_some_and(|it| !it.as_str().contains('@'))
    });
    // The wrong value stays out of the message: it may have a password.
    if !is_web_address(url.get_ref()) || !is_address {
        let source = r.source_at(url.span().start);
        let wrong = texts::config::expected(&key("url"), texts::config::ADDRESS_OF_MCP_SERVER);
        r.refuse(&source, wrong);
        is_right = false;
    }
    if table.oauth.is_some() && (table.header.is_some() || table.secret_file.is_some()) {
        r.refuse(source, texts::config::oauth_or_header(&key("oauth")));
        is_right = false;
    }
    let oauth = match &table.oauth {
        Some(written) => Some(Box::new(oauth::read(r, key, &url, written)?)),
        None => None,
    };
    let header = table.header.as_ref();
    if let Some(header) = header.filter(|it| SecretHeader::parse(it.get_ref(), "-").is_none()) {
        let source = r.source_at(header.span().start);
        let wrong = texts::config::expected(&key("header"), texts::config::NAME_OF_HEADER);
        r.refuse(&source, wrong);
        is_right = false;
    }
    let mut fingerprints = Vec::new();
    if let Some(written) = &table.fingerprints {
        let all: Option<Vec<_>> = written.get_ref().iter().map(|it| fingerprint(it)).collect();
        match all {
            Some(all) => fingerprints = all,
            None => {
                let source = r.source_at(written.span().start);
                let key = key("fingerprints");
                let wrong = texts::config::expected(&key, texts::config::FINGERPRINTS);
                r.refuse(&source, wrong);
                is_right = false;
            }
        }
    }
    let secret_file = table.secret_file.map(|file| Setting {
        source: r.source_at(file.span().start),
        value: file.into_inner(),
    });
    let header = table.header.map(Spanned::into_inner);
    is_right.then(|| McpTransport::Http {
        url: url.into_inner(),
        header: header.unwrap_or_else(|| "authorization".to_owned()),
        secret_file,
        oauth,
        fingerprints,
        ca_file: table.ca_file,
    })
}

/// True if none of these is set. One that is set is reported: it would have no effect.
fn are_unset(
    r: &mut Reader<'_>,
    key: &impl Fn(&str) -> String,
    source: &Source,
    parts: &[(&str, bool)],
    other: &str,
) -> bool {
    let mut set = parts.iter().filter(|(_, is_set)| *is_set);
    let set = set.next();
    if let Some((part, _)) = set {
        r.refuse(source, texts::config::is_only_for(&key(part), other));
    }
    set.is_none()
}

fn whole(
    r: &mut Reader<'_>,
    key: &str,
    value: &Option<Spanned<u32>>,
    range: RangeInclusive<u32>,
    default: u32,
) -> Option<u32> {
    let Some(value) = value else {
        return Some(default);
    };
    if !range.contains(value.get_ref()) {
        let source = r.source_at(value.span().start);
        let whole = texts::config::whole_number_from_to(*range.start(), *range.end());
        r.refuse(&source, texts::config::expected(key, &whole));
        return None;
    }
    Some(*value.get_ref())
}

fn rule_of(r: &mut Reader<'_>, key: &str, table: &McpToolTable) -> Option<OutsideToolRule> {
    let tier = match &table.tier {
        None => Some(None),
        Some(word) => match word.get_ref().as_str() {
            "green" => Some(Some(Tier::Green)),
            "yellow" => Some(Some(Tier::Yellow)),
            "red" => Some(Some(Tier::Red)),
            _ => {
                let source = r.source_at(word.span().start);
                let key = format!("{key}.tier");
                let wrong = texts::config::expected(&key, texts::config::TIERS_OF_TOOLS);
                r.refuse(&source, wrong);
                None
            }
        },
    };
    let recovery = match &table.recovery {
        None => Some(Recovery::Unsafe),
        Some(word) => match word.get_ref().as_str() {
            "pure" => Some(Recovery::Pure),
            "idempotent" => Some(Recovery::Idempotent),
            "unsafe" => Some(Recovery::Unsafe),
            _ => {
                let source = r.source_at(word.span().start);
                let key = format!("{key}.recovery");
                let wrong = texts::config::expected(&key, texts::config::RECOVERY_OF_TOOLS);
                r.refuse(&source, wrong);
                None
            }
        },
    };
    Some(OutsideToolRule {
        tier: tier?,
        recovery: recovery?,
    })
}

#[cfg(test)]
mod tests;
