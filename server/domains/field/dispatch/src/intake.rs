//! Intake of diagnostics: announced, uploaded in pieces, covered, stored, counted.

mod programs;
mod store;

use std::collections::{BTreeMap, BTreeSet};

use field_tables::{CollectionRow, NewBundle, NewCollection};

pub use self::programs::{DiagnosticsOrder, DiagnosticsTaken};

use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::ids::derived_id;
use crate::messages::{BundleMessage, BundleProgress, NextOffset, SectionAnnouncement};
use crate::open_bundles::{OpenBundle, Taken};
use crate::sessions::DeviceSession;
use crate::signatures::is_hex;
use crate::texts::devices as texts;

/// Sections of a bundle.
pub const MAX_SECTIONS: usize = 64;
/// Bytes of a section.
pub const MAX_SECTION: u64 = 128 * 1024;
/// Bytes of all sections of a bundle.
pub const MAX_BUNDLE: u64 = 1024 * 1024;
/// Bytes of a piece of a section.
const MAX_PIECE: u64 = 64 * 1024;
/// Bundles that a device begins in a minute.
const BUNDLES_A_MINUTE: u32 = 30;
/// Milliseconds that a device has for a bundle that it has taken on.
const COLLECT_MS: i64 = 5 * 60_000;

impl Dispatch {
    /// Asks a device for diagnostics, once for each call. `until_ms`: until then it may take it.
    ///
    /// # Errors
    /// There is no such device, it has too many open ones, or the database fails.
    pub async fn collect(
        &self,
        call: &str,
        device: &str,
        by: &str,
        until_ms: i64,
    ) -> Result<CollectionRow, DispatchRefusal> {
        let request = derived_id("", &["collect", call, device]);
        let new = NewCollection {
            call: call.to_owned(),
            device: device.to_owned(),
            // The form of a request: 32 digits.
            request: field_package::ids::Sha256Hex::digest(request.as_bytes()).as_str()[..32]
                .to_owned(),
            by: by.to_owned(),
            until_ms,
            deadline_ms: until_ms.saturating_add(COLLECT_MS),
        };
        let row = self.0.tables.ask_collection(&new, self.now_ms()).await?;
        self.changed(device);
        Ok(row)
    }

    /// Announces a bundle. The same request again is the same bundle, with what the server has of it.
    ///
    /// # Errors
    /// It is too large, or a member is not valid.
    pub async fn begin_bundle(
        &self,
        session: &DeviceSession,
        message: &BundleMessage,
    ) -> Result<BundleProgress, DispatchRefusal> {
        session.adopted()?;
        check(message)?;
        let (device, now) = (&session.device, self.now_ms());
        let key = format!("bundle {}", device.id);
        self.0.rates.count(&key, BUNDLES_A_MINUTE, now)?;
        let id = derived_id("bun_", &[&device.id, &message.request]);
        let before = self.0.tables.bundle(&id).await?;
        let new = NewBundle {
            id: id.clone(),
            site: device.site.clone(),
            device: Some(device.id.clone()),
            source: device.id.clone(),
            // A device that collects again after a restart takes up the bundle that it began.
            taken_ms: before.map_or(message.taken_ms, |before| before.taken_ms),
        };
        let bundle = self.0.tables.begin_bundle(&new, now).await?;
        let bundle = bundle.ok_or_else(|| {
            let class = RefusalClass::Conflict;
            DispatchRefusal::new(
                class,
                "bundle_other",
                texts::BUNDLE_OTHER,
                texts::BUNDLE_HELP,
            )
        })?;
        let stored = self.0.tables.sections(&id).await?;
        let stored: BTreeSet<String> = stored.into_iter().map(|section| section.name).collect();
        if bundle.completed_ms.is_some() {
            let whole = message
                .sections
                .iter()
                .map(|it| (it.name.clone(), it.bytes));
            let offsets: BTreeMap<_, _> = whole.collect();
            return Ok(BundleProgress {
                bundle: id,
                offsets,
            });
        }
        let open = OpenBundle::new(device, message, stored, now);
        let offsets = self.0.bundles.begin(&id, open);
        // Sections without bytes have no piece to come.
        for section in message.sections.iter().filter(|it| it.bytes == 0) {
            if let Some(taken) = self.0.bundles.take_empty(&id, &section.name) {
                self.store_section(&id, taken).await?;
            }
        }
        self.complete_if_whole(&id).await?;
        Ok(BundleProgress {
            bundle: id,
            offsets,
        })
    }

    /// Takes a piece of a section. When the last one is there, the section is covered and stored.
    ///
    /// # Errors
    /// The bundle or section was not announced, the section goes on elsewhere or is not the one that
    /// was announced.
    pub async fn put_section(
        &self,
        session: &DeviceSession,
        bundle: &str,
        name: &str,
        offset: u64,
        bytes: &[u8],
    ) -> Result<NextOffset, DispatchRefusal> {
        session.adopted()?;
        if bytes.is_empty() {
            return Err(DispatchRefusal::member("body"));
        }
        if bytes.len() as u64 > MAX_PIECE {
            return Err(DispatchRefusal::too_large("The piece", MAX_PIECE));
        }
        let put = self
            .0
            .bundles
            .put(session.id(), bundle, name, offset, bytes)?;
        let Taken { next, section } = put;
        if let Some(section) = section {
            self.store_section(bundle, section).await?;
            self.complete_if_whole(bundle).await?;
        }
        Ok(NextOffset { offset: next })
    }

    async fn complete_if_whole(&self, bundle: &str) -> Result<(), DispatchRefusal> {
        let Some((device, request)) = self.0.bundles.take_whole(bundle) else {
            return Ok(());
        };
        self.0.tables.complete_bundle(bundle, self.now_ms()).await?;
        let tables = &self.0.tables;
        tables
            .complete_collection(&device, &request, bundle)
            .await?;
        tracing::info!(device, bundle, "diagnostics of a field device are complete");
        self.changed(&device);
        Ok(())
    }
}

fn check(message: &BundleMessage) -> Result<(), DispatchRefusal> {
    if !is_hex(&message.request, 16) {
        return Err(DispatchRefusal::member("request"));
    }
    if message.sections.len() > MAX_SECTIONS {
        return Err(too_many_sections());
    }
    let mut names = BTreeSet::new();
    let mut all: u64 = 0;
    for section in &message.sections {
        if !is_name(&section.name) || !names.insert(section.name.as_str()) {
            return Err(DispatchRefusal::member("sections.name"));
        }
        if !is_hex(&section.sha256, 32) {
            return Err(DispatchRefusal::member("sections.sha256"));
        }
        if section.bytes > MAX_SECTION {
            return Err(DispatchRefusal::too_large("A section", MAX_SECTION));
        }
        all = all.saturating_add(section.bytes);
    }
    if all > MAX_BUNDLE {
        return Err(DispatchRefusal::too_large("The bundle", MAX_BUNDLE));
    }
    Ok(())
}

fn too_many_sections() -> DispatchRefusal {
    let text = texts::too_many("sections", MAX_SECTIONS as u64);
    let (class, help) = (RefusalClass::TooLarge, texts::REPORT_HELP);
    DispatchRefusal::new(class, "too_many_sections", text, help)
}

fn is_name(name: &str) -> bool {
    let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_';
    (1..=40).contains(&name.len()) && name.bytes().all(plain)
}

impl SectionAnnouncement {
    /// The media type, if it is one of a text: others are counted and not kept.
    fn is_text(&self) -> bool {
        let kind = self.media_type.split(';').next().unwrap_or_default().trim();
        kind.is_empty() || kind.starts_with("text/") || kind == "application/json"
    }
}
