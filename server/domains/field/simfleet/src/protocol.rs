//! The device API, as a device speaks it: each request and answer with its fields, in one place.
//!
//! # Frame
//!
//! HTTP below `/api/v1/device`, JSON in UTF-8. Times are milliseconds since 1970 in members that end in
//! `_ms`; packages and root documents have seconds. Digits of keys, digests and nonces are hexadecimal in
//! lower case. Readers pass over members that they do not know, except in signed documents. Requests have
//! at most 256 KiB, chunks at most 64 KiB, answers at most 512 KiB.
//!
//! Headers of a request: `user-agent: jarvis-runner/VERSION`, here `jarvis-simfleet/VERSION (simulated)`;
//! after `PUT session` also `authorization: Device TOKEN`. Each answer, refusals too, has `jarvis-time`, the
//! server's time in milliseconds: devices without a clock that can be trusted go by it.
//!
//! A refusal is `{code, message, help, request_id}` with a status:
//!
//! | status | meaning for the device |
//! | --- | --- |
//! | 401 `no_session` | open a session and repeat the request |
//! | 403 `device_waiting`, `device_suspended`, `device_retired`, `key_unknown` | no work until a person acts |
//! | 404 | no such thing |
//! | 409 `job_stale`, `log_offset`, `section_offset` | the claim is not the current one; or `right: {offset}` names the offset to go on from |
//! | 410 `job_gone` | a tombstone: the job is over, whatever the device has of it |
//! | 413, 422 | a request that is never repeated |
//! | 426 | the runner is too old |
//! | 429, 5xx, no answer | repeat the same request later, with the same ids |
//!
//! # Enrolment
//!
//! A token is `jarvis-enrol-1.SECRET.ROOT`: 32 characters `[0-9a-z]`, and the fingerprint (SHA-256) of the
//! root key in 64 digits, which the device keeps and never sends.
//!
//! `POST enrol {token: SECRET, key, proof, facts, capabilities}` → `200 {device, name, site, server, root}`
//!
//! - `key`: the device's public Ed25519 key, 64 digits. `proof`: its signature in base64 over the DSSE bytes
//!   of type `application/vnd.jarvis.enrol` and body `SECRET.key`.
//! - `root`: the envelope of the newest root document, as an object. The device checks that the root key of
//!   its token has signed it, and gives up otherwise.
//! - Idempotent: the same token with the same key is answered as before. Another key is refused.
//!
//! # Session
//!
//! `POST session {device}` → `200 {nonce}`: 64 digits, good for a minute.
//!
//! `PUT session {device, nonce, instance, signature}` → `200 {token, expires_s, state}`
//!
//! - `signature`: base64, over the DSSE bytes of type `application/vnd.jarvis.session` and body
//!   `DEVICE.NONCE.INSTANCE.SERVER`. `instance` is a random word of the runner's life: two that alternate under
//!   one key are a clone.
//! - A new session ends the one before. `state`: `waiting`, `adopted`, `suspended`, `retired`.
//!
//! # Hello
//!
//! `POST hello {instance, facts, capabilities, root_version, clock, program, journal}` →
//! `200 {state, root_version, reports}`
//!
//! - After each new session. `facts`: `{hostname, model, os, kernel, runner, interfaces, simulated}`.
//!   `capabilities`: `{sandboxes: {bubblewrap|systemd: {memory, cpu, tasks, workspace, no_network,
//!   listed_network, raw}}, rows}`.
//! - `clock`: `{wall_ms, skew_ms, fault}`; `skew_ms` is null before the first answer; `fault` is null,
//!   `behind`, `ahead` or `unset`.
//! - `program`: `{version, failed}` of the runner; `version` is three numbers, `failed` is null or `{version, reason,
//!   tries, retried}` of a newer one that was given up; `reason`: `no_report`, `no_start`.
//! - `journal`: for each job that this device has claimed and not settled, `{job, epoch, claim, report}` with
//!   `report`: `"did_not_run"`, `{"unknown": "rebooted"|"interrupted_at_start"|"lost"}` or `{"end": REPORT}`.
//!   Nothing in a journal is ever run.
//! - `reports`: `{job, epoch, answer, offsets}` for each; `answer`: `recorded`, `stale`, `gone`; `offsets`:
//!   bytes that the server has of `{out, err, step}`. The device uploads the rest.
//! - `GET update` asks for a newer runner; simulated devices never do.
//! - If `root_version` is above the device's, `GET root/{version}` of each version in between → the envelope.
//!
//! # Claim
//!
//! `POST claim {request, claim, wait_s}` → `200` work | `204` nothing within `wait_s` (at most 45)
//!
//! - `request`: 32 digits, public; `claim`: 64 digits, a secret that the device makes. The server keeps its
//!   SHA-256. The same `request` and `claim` again: the same work, epoch and all.
//! - Work is `{kind: "job", job, epoch, lease_s, package, sha256}`: the bytes of the package in base64, and
//!   their SHA-256; or `{kind: "collect", request}`: diagnostics are wanted.
//! - A package is `{manifest, payload}`: a DSSE envelope of type `application/vnd.jarvis.job+json`, and the
//!   payload in base64, for steps `{steps, stop_on_failure}`.
//!
//! # Job
//!
//! All of these carry `epoch` and `claim`; a stale pair changes nothing (409).
//!
//! | request | answer |
//! | --- | --- |
//! | `POST jobs/{id}/start {epoch, claim, nonce, sandbox, clock}` | `200 {answer: "go", nonce}` for this nonce alone, again and again; 410 if a check failed meanwhile or another nonce started it |
//! | `POST jobs/{id}/renew {epoch, claim, step}` | `200 {answer: "kept", cancel, lease_s}`; every third of the lease |
//! | `POST jobs/{id}/refuse {epoch, claim, code, message}` | `200 {answer: "recorded"}` |
//! | `PUT jobs/{id}/log/{out,err,step}?offset=N&epoch=E`, header `jarvis-claim` | `200 {offset}`, the next one; bytes below it are accepted again and change nothing |
//! | `POST jobs/{id}/end {epoch, claim, report, streams, sandbox, simulated}` | `200 {answer: "recorded"}`, also for a repeat and for a late one |
//!
//! - `REPORT`: `{how, wall_ms, cpu_ms, peak_bytes, tasks, output_bytes}`; `how`: `{"exit": CODE}`,
//!   `{"signal": {number, core}}`, `timeout`, `memory`, `output`, `cancelled`, `lost`. Null is unknown. A job that
//!   was `lost` is unknown, however its steps ended. One of which no step had begun is refused instead.
//! - `streams`: for each stream `{kept, sha256, all, all_sha256}`: bytes and digest of what was uploaded, and of
//!   all that was written.
//! - Stream `step`: lines of JSON. `{step, run, at_ms}` is written before a step begins, and sent with the next
//!   chunk; a reader that does not know it passes it over. `{step, run, at_ms, ms, end, out, err}` follows at its end;
//!   `end` as `how`; `out` and `err`: `{from, bytes}` in the whole stream.
//!
//! # Bundle
//!
//! `POST bundles {request, reason, taken_ms, clock, dropped, sections, simulated}` → `200 {bundle, offsets}`
//!
//! - `request`: 32 digits of the device's own, or that of the work `collect`; the same again is the same bundle.
//!   `reason`: `asked`, `enrolled`. `dropped`: `{secrets}`, the number of secrets that the device dropped.
//! - `sections`: at most 64 of `{name, type, bytes, sha256, exit}`, `name` of `[a-z_]`; 128 KiB each, 1 MiB all.
//! - `PUT bundles/{bundle}/sections/{name}?offset=N` → `200 {offset}`. A bundle is complete when all its
//!   sections are.

mod answers;
mod messages;

pub use self::answers::{
    ApiRefusal, BundleAnswer, ClaimAnswer, EnrolAnswer, HelloAnswer, JobOffer, JobReply,
    NonceAnswer, OffsetAnswer, ReportAnswer, SessionAnswer, StreamOffsets,
};
pub use self::messages::{
    ClockMessage, JournalMessage, JournalReport, ReportEnding, ReportMessage, SectionMessage,
    StepBeginning, StepEnding, StepRange, StepRecord, StreamMessage,
};

/// Path below the server's address.
pub const BASE: &str = "/api/v1/device";
/// Header with the server's time in milliseconds.
pub const TIME_HEADER: &str = "jarvis-time";
/// Header with the secret of the claim, beside bytes of a log.
pub const CLAIM_HEADER: &str = "jarvis-claim";
/// Scheme of the header `authorization`.
pub const SCHEME: &str = "Device";
/// Bytes of a chunk at most.
pub const MAX_CHUNK: usize = 64 * 1024;
/// Bytes of an answer at most.
pub const MAX_ANSWER: usize = 512 * 1024;
/// Bytes of a section at most, and sections of a bundle.
pub const MAX_SECTION: usize = 128 * 1024;
pub const MAX_SECTIONS: usize = 64;
/// Type of what a device signs to enrol.
pub const ENROL_KIND: &str = "application/vnd.jarvis.enrol";
/// Type of what a device signs to open a session.
pub const SESSION_KIND: &str = "application/vnd.jarvis.session";

/// The two parts of an enrolment token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrolmentParts {
    pub secret: String,
    /// Fingerprint of the root key.
    pub root_key: String,
}

impl EnrolmentParts {
    /// Reads a token.
    pub fn read(token: &str) -> Option<Self> {
        let rest = token.trim().strip_prefix("jarvis-enrol-1.")?;
        let (secret, root_key) = rest.split_once('.')?;
        let plain = |it: u8| it.is_ascii_digit() || it.is_ascii_lowercase();
        let holds = secret.len() == 32
            && secret.bytes().all(plain)
            && root_key.len() == 64
            && root_key
                .bytes()
                .all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it));
        holds.then(|| Self {
            secret: secret.to_owned(),
            root_key: root_key.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::EnrolmentParts;

    #[test]
    fn a_token_has_a_secret_and_a_fingerprint() {
        let (secret, root) = ("a1".repeat(16), "0f".repeat(32));
        let token = format!("jarvis-enrol-1.{secret}.{root}");
        let parts = EnrolmentParts::read(&token).unwrap();
        assert_eq!(
            (parts.secret, parts.root_key),
            (secret.clone(), root.clone())
        );
        for token in [
            format!("jarvis-enrol-2.{secret}.{root}"),
            format!("jarvis-enrol-1.{secret}"),
            format!("jarvis-enrol-1.{}.{root}", secret.to_uppercase()),
            format!("jarvis-enrol-1.{secret}.{}", &root[1..]),
        ] {
            assert_eq!(EnrolmentParts::read(&token), None, "{token}");
        }
    }
}
