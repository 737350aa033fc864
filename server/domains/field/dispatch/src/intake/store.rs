//! A whole section, covered and stored with its counts. The original is never kept.

use field_tables::limits::MOST_SECTION;
use field_tables::{NewSection, SectionOutcome};
use serde_json::{Value, json};

use crate::dispatch::Dispatch;
use crate::error::DispatchRefusal;
use crate::open_bundles::WholeSection;
use crate::texts::devices as texts;
use crate::vaults::{CoverSource, CoveredText};

impl Dispatch {
    /// Covers a section and stores it. The tokens are stored before the text is.
    pub(super) async fn store_section(
        &self,
        bundle: &str,
        section: WholeSection,
    ) -> Result<(), DispatchRefusal> {
        let name = section.announced.name.clone();
        let stored = self.covered_section(bundle, section).await;
        self.0.bundles.stored(bundle, &name, stored.is_ok());
        stored
    }

    pub(super) async fn covered_section(
        &self,
        bundle: &str,
        section: WholeSection,
    ) -> Result<(), DispatchRefusal> {
        let now = self.now_ms();
        let text = readable(&section);
        let (covered, left_out) = match text {
            Some(text) => {
                let site = &section.site;
                let covered = self.0.vaults.cover(site, text, CoverSource::Outside, now);
                (Some(covered.await?), None)
            }
            None => (None, Some(texts::unreadable(section.bytes.len() as u64))),
        };
        let counts = counts(&section, covered.as_ref(), left_out.as_deref());
        let new = NewSection {
            name: section.announced.name.clone(),
            digest: section.announced.sha256.clone(),
            covered: bounded(covered.map(|covered| covered.text).unwrap_or_default()),
            counts,
        };
        match self.0.tables.keep_section(bundle, &new).await? {
            // One that was stored before a restart stays, whatever came now.
            SectionOutcome::Kept
            | SectionOutcome::Repeated
            | SectionOutcome::Different
            | SectionOutcome::Complete => Ok(()),
            SectionOutcome::Full => {
                Err(DispatchRefusal::too_large("The bundle", super::MAX_BUNDLE))
            }
        }
    }
}

/// The text of a section, if it is one.
fn readable(section: &WholeSection) -> Option<&str> {
    if !section.announced.is_text() || section.bytes.contains(&0) {
        return None;
    }
    std::str::from_utf8(&section.bytes).ok()
}

fn counts(section: &WholeSection, covered: Option<&CoveredText>, left_out: Option<&str>) -> Value {
    let classes: serde_json::Map<String, Value> = covered
        .iter()
        .flat_map(|covered| covered.counts.iter())
        .map(|(class, count)| (class.name().to_owned(), json!(count)))
        .collect();
    json!({
        "classes": classes,
        "unreadable": covered.map_or(0, |covered| covered.counts.unreadable),
        "dropped_by_device": section.dropped,
        "left_out": left_out,
        "lines": covered.map_or(0, |covered| covered.text.lines().count()),
        "exit": section.announced.exit,
        "simulated": section.is_simulated,
    })
}

/// A text that is not too long, cut behind a line: half a token would be another one.
fn bounded(mut text: String) -> String {
    if text.len() <= MOST_SECTION {
        return text;
    }
    let most = text.floor_char_boundary(MOST_SECTION - texts::CUT.len());
    let end = text[..most].rfind('\n').map_or(0, |at| at + 1);
    text.truncate(end);
    text.push_str(texts::CUT);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_behind_a_line() {
        let line = "ip-n3.17 and host-2 answer\n";
        let text = line.repeat(MOST_SECTION / line.len() + 2);
        let cut = bounded(text);
        assert!(cut.len() <= MOST_SECTION && cut.ends_with(texts::CUT));
        assert!(cut.lines().rev().skip(1).all(|it| it == line.trim_end()));
        assert_eq!(bounded("short".to_owned()), "short");
        let one_line = "x".repeat(MOST_SECTION + 1);
        assert_eq!(bounded(one_line), texts::CUT, "half a word says nothing");
    }
}
