//! Diagnostics from elsewhere: a program brings all sections of a bundle at once.

use std::collections::BTreeMap;

use field_package::ids::Sha256Hex;
use field_tables::NewBundle;

use super::{MAX_BUNDLE, MAX_SECTION, MAX_SECTIONS, is_name, too_many_sections};
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::ids::derived_id;
use crate::messages::SectionAnnouncement;
use crate::open_bundles::WholeSection;
use crate::ports::INSTALLATION;
use crate::texts::devices as texts;

/// Diagnostics that a program brings.
#[derive(Debug, Clone)]
pub struct DiagnosticsOrder {
    pub site: String,
    /// The device that they are about, if it is one of the site.
    pub device: Option<String>,
    /// Identifier of the program's token.
    pub source: String,
    /// Word of the program: the same once more is the same bundle.
    pub request: String,
    pub taken_ms: Option<i64>,
    /// Names of `[a-z0-9_]` with their texts.
    pub sections: Vec<(String, String)>,
}

/// Diagnostics that were taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagnosticsTaken {
    pub bundle: String,
    /// Values that were covered, by class; secrets that were removed are among them.
    pub counts: BTreeMap<String, u64>,
}

impl Dispatch {
    /// Takes diagnostics in: bounded, covered, stored, counted.
    ///
    /// # Errors
    /// They are too large, a name is not valid, there is no such site or device at it, or the request
    /// was used for another bundle.
    pub async fn take_diagnostics(
        &self,
        order: &DiagnosticsOrder,
    ) -> Result<DiagnosticsTaken, DispatchRefusal> {
        check(order)?;
        // Its values are those of conversations that are about no site: nobody brings it any.
        if order.site == INSTALLATION {
            return Err(DispatchRefusal::not_found());
        }
        let id = derived_id("bun_", &["program", &order.source, &order.request]);
        let new = NewBundle {
            id: id.clone(),
            site: order.site.clone(),
            device: order.device.clone(),
            source: order.source.clone(),
            taken_ms: order.taken_ms,
        };
        let begun = self.0.tables.begin_bundle(&new, self.now_ms()).await?;
        let begun = begun.ok_or_else(|| {
            let (class, text) = (RefusalClass::Conflict, texts::BUNDLE_OTHER);
            DispatchRefusal::new(class, "bundle_other", text, texts::BUNDLE_HELP)
        })?;
        if begun.completed_ms.is_none() {
            for (name, text) in &order.sections {
                self.covered_section(&id, whole(order, name, text)).await?;
            }
            self.0.tables.complete_bundle(&id, self.now_ms()).await?;
            self.0
                .changes
                .count_of(order.device.as_deref().unwrap_or(&order.site));
        }
        let mut counts = BTreeMap::new();
        for section in self.0.tables.sections(&id).await? {
            let classes = section.counts["classes"].as_object().into_iter().flatten();
            for (class, count) in classes {
                *counts.entry(class.clone()).or_default() += count.as_u64().unwrap_or(0);
            }
        }
        Ok(DiagnosticsTaken { bundle: id, counts })
    }
}

fn whole(order: &DiagnosticsOrder, name: &str, text: &str) -> WholeSection {
    WholeSection {
        site: order.site.clone(),
        announced: SectionAnnouncement {
            name: name.to_owned(),
            media_type: String::new(),
            bytes: text.len() as u64,
            sha256: Sha256Hex::digest(text.as_bytes()).as_str().to_owned(),
            exit: None,
        },
        bytes: text.as_bytes().to_vec(),
        dropped: None,
        is_simulated: false,
    }
}

fn check(order: &DiagnosticsOrder) -> Result<(), DispatchRefusal> {
    if order.request.is_empty() || order.request.len() > 200 {
        return Err(DispatchRefusal::member("request"));
    }
    if !(1..=MAX_SECTIONS).contains(&order.sections.len()) {
        return Err(too_many_sections());
    }
    let mut names = std::collections::BTreeSet::new();
    let mut all = 0;
    for (name, text) in &order.sections {
        if !is_name(name) || !names.insert(name) {
            return Err(DispatchRefusal::member("sections.name"));
        }
        let bytes = text.len() as u64;
        all += bytes;
        if bytes > MAX_SECTION {
            return Err(DispatchRefusal::too_large("A section", MAX_SECTION));
        }
    }
    if all > MAX_BUNDLE {
        return Err(DispatchRefusal::too_large("The bundle", MAX_BUNDLE));
    }
    Ok(())
}
