//! Bundles of diagnostics: collected, freed of secrets, announced and uploaded.

use serde_json::json;

use super::http::WireRequest;
use super::{FleetDevice, FleetError};
use crate::office::CollectedSection;
use crate::protocol::{
    BundleAnswer, MAX_CHUNK, MAX_SECTION, MAX_SECTIONS, OffsetAnswer, SectionMessage,
};
use crate::secrets;
use crate::trust::keys::sha256_hex;
use crate::trust::manifest::is_id;

/// Age of the last diagnostics of a device that is offline: three days.
const OFFLINE_MS: u64 = 3 * 24 * 60 * 60 * 1000;

impl FleetDevice {
    /// The last time at which an offline device was there.
    pub(super) fn last_seen_ms(&self) -> u64 {
        self.wall_ms().saturating_sub(OFFLINE_MS)
    }

    /// Sends diagnostics and returns the server's id of them.
    pub(super) async fn send_bundle(
        &mut self,
        request: &str,
        reason: &str,
    ) -> Result<String, FleetError> {
        let device = self.options.device;
        let taken_ms = if device.is_offline() {
            self.last_seen_ms()
        } else {
            self.wall_ms()
        };
        let mut dropped = 0;
        let mut sections = self.office.collect(device, taken_ms);
        sections.truncate(MAX_SECTIONS);
        for section in &mut sections {
            let pass = secrets::without_secrets(&section.text);
            dropped += pass.dropped;
            section.text = bounded(pass.text);
        }
        let body = json!({
            "request": request,
            "reason": reason,
            "taken_ms": taken_ms,
            "clock": self.time.message(self.wall_ms()),
            "dropped": { "secrets": dropped },
            "sections": sections.iter().map(announced).collect::<Vec<_>>(),
            "simulated": true,
        });
        let answer = self.authorized(WireRequest::post("bundles", &body)).await?;
        let answer: BundleAnswer = answer.read()?;
        if !is_id(&answer.bundle, "bun_") {
            return Err(FleetError::Answer("the id of a bundle".to_owned()));
        }
        for section in &sections {
            let from = answer.offsets.get(section.name).copied().unwrap_or(0);
            self.send_section(&answer.bundle, section, from).await?;
        }
        Ok(answer.bundle)
    }

    async fn send_section(
        &mut self,
        bundle: &str,
        section: &CollectedSection,
        from: u64,
    ) -> Result<(), FleetError> {
        let bytes = section.text.as_bytes();
        let mut offset = usize::try_from(from).unwrap_or(usize::MAX);
        let mut corrected = false;
        while let Some(rest) = bytes.get(offset..).filter(|it| !it.is_empty()) {
            let chunk = &rest[..rest.len().min(MAX_CHUNK)];
            let path = format!("bundles/{bundle}/sections/{}?offset={offset}", section.name);
            let answer = self.authorized(WireRequest::chunk(path, chunk)).await?;
            let right = answer
                .refusal()
                .right
                .filter(|_| answer.status == 409 && !corrected);
            let next = match right {
                Some(right) => {
                    corrected = true;
                    right
                }
                None => answer.read::<OffsetAnswer>()?,
            };
            let next = usize::try_from(next.offset).unwrap_or(usize::MAX);
            if next <= offset && right.is_none() {
                return Err(FleetError::Answer("an offset that stands still".to_owned()));
            }
            offset = next;
        }
        Ok(())
    }
}

fn announced(section: &CollectedSection) -> SectionMessage {
    SectionMessage {
        name: section.name,
        media_type: section.kind.media_type(),
        bytes: section.text.len(),
        sha256: sha256_hex(section.text.as_bytes()),
        exit: section.exit,
    }
}

/// At most the bytes of a section, cut between two characters.
fn bounded(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_SECTION));
    text
}
