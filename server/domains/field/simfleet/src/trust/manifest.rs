//! The manifest of a job, read member by member.

use serde_json::Value;

use super::keys::{is_sha256, unhex};
use super::members::{self, MemberFault, Members};

/// Type of a manifest.
pub(crate) const MANIFEST_KIND: &str = "application/vnd.jarvis.job+json";
/// Type of a payload that is a list of steps.
pub(crate) const STEPS_KIND: &str = "application/vnd.jarvis.steps+json";
/// Largest manifest in bytes.
const MAX_MANIFEST: usize = 16 * 1024;
/// Longest life of a package in seconds.
const LONGEST_LIFE: u64 = 7 * 24 * 60 * 60;

/// The members of a manifest that a simulated device acts on. All others are checked and dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadManifest {
    pub(crate) job: String,
    pub(crate) device: String,
    pub(crate) device_key: String,
    pub(crate) site: String,
    pub(crate) server: String,
    pub(crate) seq: u64,
    pub(crate) nonce: String,
    pub(crate) not_before: u64,
    pub(crate) expires: u64,
    pub(crate) claim_until: u64,
    pub(crate) timeout_s: u64,
    /// Output that is kept, in bytes.
    pub(crate) output: u64,
    pub(crate) raw: bool,
    pub(crate) steps: bool,
    pub(crate) sandbox_min: String,
    pub(crate) payload_sha256: String,
    pub(crate) payload_bytes: u64,
    pub(crate) approval_digest: String,
}

impl ReadManifest {
    /// Reads exactly the bytes that were signed.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, MemberFault> {
        let mut all = members::document(bytes, MAX_MANIFEST)?;
        if all.whole("v")? != 1 {
            return Err(MemberFault::Member("v"));
        }
        let mut payload = all.object("payload")?;
        let mut caps = all.object("caps")?;
        let kind = payload.text("type")?;
        let form = all.text("form")?;
        let steps = match form.as_str() {
            "steps" => true,
            "sh" => false,
            _ => return Err(MemberFault::Member("form")),
        };
        let manifest = Self {
            job: all.checked("job", |it| is_id(it, "run_"))?,
            device: all.checked("device", |it| is_id(it, "dev_"))?,
            device_key: all.checked("device_key", is_sha256)?,
            site: all.checked("site", is_site)?,
            server: all.checked("server", is_name)?,
            seq: all.whole("seq")?,
            nonce: all.checked("nonce", |it| unhex(it).is_some_and(|it| it.len() == 16))?,
            not_before: all.whole("not_before")?,
            expires: all.whole("expires")?,
            claim_until: all.whole("claim_until")?,
            timeout_s: all.whole("timeout_s")?,
            output: caps.whole("output")?,
            raw: all.flag("raw")?,
            steps,
            sandbox_min: all.text("sandbox_min")?,
            payload_sha256: payload.checked("sha256", is_sha256)?,
            payload_bytes: payload.whole("bytes")?,
            approval_digest: approval(all.object("approval")?)?,
        };
        payload.end()?;
        for name in ["cpu_pct", "memory", "tasks", "workspace", "file", "procs"] {
            caps.whole(name)?;
        }
        caps.end()?;
        manifest.check_times(all.whole("issued")?)?;
        check_form(&mut all, steps, &kind)?;
        check_network(all.object("net")?)?;
        check_judgement(&mut all)?;
        all.end()?;
        Ok(manifest)
    }

    fn check_times(&self, issued: u64) -> Result<(), MemberFault> {
        let checks = [
            ("seq", self.seq >= 1),
            ("not_before", issued <= self.not_before),
            ("expires", self.not_before < self.expires),
            (
                "expires",
                self.expires.saturating_sub(issued) <= LONGEST_LIFE,
            ),
            (
                "claim_until",
                (self.not_before..=self.expires).contains(&self.claim_until),
            ),
            ("timeout_s", (1..=3600).contains(&self.timeout_s)),
            ("caps.output", (1..=16 * 1024 * 1024).contains(&self.output)),
            (
                "payload.bytes",
                (1..=64 * 1024).contains(&self.payload_bytes),
            ),
        ];
        let failed = checks.into_iter().find(|(_, holds)| !holds);
        failed.map_or(Ok(()), |(name, _)| Err(MemberFault::Member(name)))
    }
}

fn check_form(all: &mut Members, steps: bool, kind: &str) -> Result<(), MemberFault> {
    let interpreter = all.value("interpreter")?;
    let args = all.list("args")?;
    let env = all.object("env")?;
    let workdir = all.text("workdir")?;
    let holds = if steps {
        interpreter == Value::Null && args.is_empty() && env.is_empty() && kind == STEPS_KIND
    } else {
        interpreter.as_str().is_some_and(|it| it.starts_with('/'))
    };
    if !holds {
        return Err(MemberFault::Member("form"));
    }
    if workdir != "/job" {
        return Err(MemberFault::Member("workdir"));
    }
    Ok(())
}

fn check_network(mut net: Members) -> Result<(), MemberFault> {
    net.checked("class", |it| {
        ["none", "local", "listed", "any"].contains(&it)
    })?;
    net.texts("destinations")?;
    let known = ["arp", "icmp", "tcp", "udp"];
    if !net
        .texts("protocols")?
        .iter()
        .all(|it| known.contains(&it.as_str()))
    {
        return Err(MemberFault::Member("net.protocols"));
    }
    net.end()
}

/// Policy and risk: shown to people elsewhere, and here only whole or not.
fn check_judgement(all: &mut Members) -> Result<(), MemberFault> {
    let mut policy = all.object("policy")?;
    policy.checked("hash", is_sha256)?;
    policy.whole("version")?;
    policy.end()?;
    let mut risk = all.object("risk")?;
    risk.checked("level", |it| ["low", "medium", "high"].contains(&it))?;
    for mut reason in risk.objects("reasons")? {
        reason.text("rule")?;
        reason.value("weight")?;
        reason.end()?;
    }
    risk.end()
}

fn approval(mut approval: Members) -> Result<String, MemberFault> {
    let digest = approval.checked("digest", is_sha256)?;
    let by = approval.texts("by")?;
    if by.is_empty() || !by.iter().all(|it| is_name(it)) {
        return Err(MemberFault::Member("approval.by"));
    }
    approval.whole("at")?;
    approval.end()?;
    Ok(digest)
}

/// True for a prefix and 26 characters that are safe in any name.
pub(crate) fn is_id(text: &str, prefix: &str) -> bool {
    let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    let rest = text.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.len() == 26 && rest.bytes().all(plain))
}

fn is_site(text: &str) -> bool {
    let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    (1..=40).contains(&text.len()) && text.bytes().all(plain)
}

pub(crate) fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 253 && !text.chars().any(char::is_control)
}
