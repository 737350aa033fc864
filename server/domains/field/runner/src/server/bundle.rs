//! Diagnostics: fixed commands with bounded output, without secrets before anything leaves.

use std::{
    io::Read as _,
    os::unix::process::CommandExt as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use field_package::ids::Sha256Hex;
use field_redaction::drop_secrets;
use serde::Deserialize;
use serde_json::json;

use super::{ApiRequest, DeviceLink, http::OffsetMember};
use crate::error::RunnerError;

/// Bytes of a section at most, and of one chunk.
const MOST_SECTION: usize = 128 * 1024;
const CHUNK: usize = 64 * 1024;
/// Longest run of one command.
const PATIENCE: Duration = Duration::from_secs(5);

/// Commands that read the device's state and send nothing. Nobody adds to them from outside.
const COLLECTORS: &[(&str, &str, &[&str])] = &[
    (
        "addresses",
        "application/json",
        &["/usr/sbin/ip", "-j", "addr"],
    ),
    (
        "links",
        "application/json",
        &["/usr/sbin/ip", "-j", "-s", "link"],
    ),
    (
        "routes",
        "application/json",
        &["/usr/sbin/ip", "-j", "route"],
    ),
    (
        "routes6",
        "application/json",
        &["/usr/sbin/ip", "-6", "-j", "route"],
    ),
    (
        "neighbours",
        "application/json",
        &["/usr/sbin/ip", "-j", "neigh"],
    ),
    ("rules", "application/json", &["/usr/sbin/ip", "-j", "rule"]),
    ("sockets", "text/plain", &["/usr/bin/ss", "-H", "-tan"]),
    (
        "dns_config",
        "text/plain",
        &["/usr/bin/cat", "--", "/etc/resolv.conf"],
    ),
    ("wifi", "text/plain", &["/usr/sbin/iw", "dev"]),
    (
        "connections",
        "text/plain",
        &["/usr/bin/nmcli", "-t", "device", "show"],
    ),
    (
        "power",
        "text/plain",
        &["/usr/bin/vcgencmd", "get_throttled"],
    ),
    (
        "load",
        "text/plain",
        &["/usr/bin/cat", "--", "/proc/loadavg", "/proc/uptime"],
    ),
    (
        "memory",
        "text/plain",
        &["/usr/bin/cat", "--", "/proc/meminfo"],
    ),
    ("disk", "text/plain", &["/usr/bin/df", "-P"]),
    ("kernel", "text/plain", &["/usr/bin/uname", "-a"]),
];

/// The output of one command, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectedOutput {
    pub name: &'static str,
    pub media_type: &'static str,
    pub text: String,
    pub exit: i32,
    /// Secrets that were removed.
    pub dropped: u64,
}

#[derive(Deserialize)]
struct BundleStarted {
    bundle: String,
    #[serde(default)]
    offsets: std::collections::BTreeMap<String, u64>,
}

/// Runs all commands that are installed.
pub fn collect() -> Vec<CollectedOutput> {
    let found = COLLECTORS.iter().filter_map(|(name, media_type, argv)| {
        let (text, exit) = run(argv).ok()?;
        let clean = drop_secrets(&text);
        let mut text = clean.text;
        text.truncate(text.floor_char_boundary(MOST_SECTION));
        Some(CollectedOutput {
            name,
            media_type,
            text,
            exit,
            dropped: clean.counts.iter().map(|(_, count)| count as u64).sum(),
        })
    });
    // An empty section would never be complete.
    found.filter(|it| !it.text.is_empty()).collect()
}

fn run(argv: &[&str]) -> std::io::Result<(String, i32)> {
    let (program, arguments) = argv.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = output {
            let _read = pipe.take(MOST_SECTION as u64).read_to_end(&mut bytes);
        }
        bytes
    });
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > PATIENCE {
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let bytes = reader.join().unwrap_or_default();
    Ok((
        String::from_utf8_lossy(&bytes).into_owned(),
        status.code().unwrap_or(-1),
    ))
}

impl DeviceLink {
    /// Sends diagnostics for a request of the server.
    pub(crate) async fn send_bundle(
        &mut self,
        request: &str,
        sections: &[CollectedOutput],
    ) -> Result<(), RunnerError> {
        let dropped: u64 = sections.iter().map(|it| it.dropped).sum();
        let announced: Vec<_> = sections.iter().map(announced).collect();
        let body = json!({
            "request": request,
            "reason": "asked",
            "taken_ms": self.now().wall.saturating_mul(1000),
            "clock": self.clock.message(),
            "dropped": { "secrets": dropped },
            "sections": announced,
            "simulated": false,
        });
        let answer = self.authorized(&ApiRequest::post("bundles", &body)).await?;
        let message: BundleStarted = answer.read()?;
        if !message
            .bundle
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_')
        {
            return Err(RunnerError::Answer("bundle"));
        }
        for section in sections {
            let from = message.offsets.get(section.name).copied().unwrap_or(0);
            self.send_section(&message.bundle, section, from).await?;
        }
        Ok(())
    }

    async fn send_section(
        &mut self,
        bundle: &str,
        section: &CollectedOutput,
        from: u64,
    ) -> Result<(), RunnerError> {
        let bytes = section.text.as_bytes();
        let mut offset = from;
        let mut corrected = false;
        while let Some(rest) = usize::try_from(offset).ok().and_then(|it| bytes.get(it..))
            && !rest.is_empty()
        {
            let chunk = &rest[..rest.len().min(CHUNK)];
            let path = format!("bundles/{bundle}/sections/{}?offset={offset}", section.name);
            let answer = self.authorized(&ApiRequest::chunk(path, chunk)).await?;
            let right = answer
                .problem()
                .right
                .filter(|_| answer.status == 409 && !corrected);
            corrected |= right.is_some();
            let next = match right {
                Some(right) => right.offset,
                None => answer.read::<OffsetMember>()?.offset,
            };
            if next <= offset && right.is_none() {
                return Err(RunnerError::Answer("offset"));
            }
            offset = next;
        }
        Ok(())
    }
}

fn announced(section: &CollectedOutput) -> serde_json::Value {
    json!({
        "name": section.name,
        "type": section.media_type,
        "bytes": section.text.len(),
        "sha256": Sha256Hex::digest(section.text.as_bytes()),
        "exit": section.exit,
    })
}
