//! Bundles in progress, in memory: after a restart of the server a device announces its bundle again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use field_package::ids::Sha256Hex;
use field_tables::FieldDevice;

use crate::error::{DispatchRefusal, RefusalClass};
use crate::messages::{BundleMessage, SectionAnnouncement};
use crate::texts::devices as texts;

/// Bundles in progress, of all devices and of one. The oldest make room: at most 1 MiB each.
const MOST_OPEN: usize = 64;
const MOST_OF_DEVICE: usize = 2;
/// Milliseconds after which an unfinished bundle is forgotten.
const PATIENCE_MS: i64 = 15 * 60_000;

/// Bundles in progress by identifier.
#[derive(Default)]
pub(crate) struct OpenBundles(Mutex<HashMap<String, OpenBundle>>);

/// A bundle of which sections are missing.
pub(crate) struct OpenBundle {
    device: String,
    site: String,
    request: String,
    announced: BTreeMap<String, SectionAnnouncement>,
    parts: HashMap<String, Vec<u8>>,
    /// Names of sections that are stored, and of those that are being stored.
    stored: BTreeSet<String>,
    storing: BTreeSet<String>,
    /// Secrets that the device removed, until they are noted with a section.
    dropped: Option<u64>,
    is_simulated: bool,
    since_ms: i64,
}

/// A section that is whole, to be covered and stored.
pub(crate) struct WholeSection {
    pub(crate) site: String,
    pub(crate) announced: SectionAnnouncement,
    pub(crate) bytes: Vec<u8>,
    /// Secrets that the device removed from all of the bundle, with its first section.
    pub(crate) dropped: Option<u64>,
    pub(crate) is_simulated: bool,
}

/// A piece that was taken.
pub(crate) struct Taken {
    pub(crate) next: u64,
    pub(crate) section: Option<WholeSection>,
}

impl OpenBundle {
    pub(crate) fn new(
        device: &FieldDevice,
        message: &BundleMessage,
        stored: BTreeSet<String>,
        since_ms: i64,
    ) -> Self {
        let named = message
            .sections
            .iter()
            .map(|it| (it.name.clone(), it.clone()));
        Self {
            device: device.id.clone(),
            site: device.site.clone(),
            request: message.request.clone(),
            announced: named.collect(),
            parts: HashMap::new(),
            dropped: stored.is_empty().then_some(message.dropped.secrets),
            stored,
            storing: BTreeSet::new(),
            is_simulated: message.simulated,
            since_ms,
        }
    }

    /// Bytes that are here of each announced section.
    fn offsets(&self) -> BTreeMap<String, u64> {
        let of = |section: &SectionAnnouncement| {
            let name = &section.name;
            if self.stored.contains(name) || self.storing.contains(name) {
                return section.bytes;
            }
            self.parts.get(name).map_or(0, |part| part.len() as u64)
        };
        let offsets = self.announced.values().map(|it| (it.name.clone(), of(it)));
        offsets.collect()
    }

    /// Takes the section if all of it is here.
    fn take(&mut self, name: &str) -> Option<WholeSection> {
        let announced = self.announced.get(name)?.clone();
        let bytes = self.parts.remove(name).unwrap_or_default();
        self.storing.insert(name.to_owned());
        Some(WholeSection {
            site: self.site.clone(),
            announced,
            bytes,
            dropped: self.dropped.take(),
            is_simulated: self.is_simulated,
        })
    }
}

impl OpenBundles {
    /// Begins a bundle, or takes up one that is in progress with the same sections. The answer is what is
    /// here of each.
    pub(crate) fn begin(&self, id: &str, open: OpenBundle) -> BTreeMap<String, u64> {
        let mut all = self.lock();
        if let Some(there) = all.get(id) {
            let same = |it: &OpenBundle| -> Vec<_> {
                let all = it.announced.values();
                all.map(|it| (it.name.clone(), it.sha256.clone())).collect()
            };
            if same(there) == same(&open) {
                return there.offsets();
            }
        }
        let device = open.device.clone();
        make_room(&mut all, id, Some(&device), MOST_OF_DEVICE);
        make_room(&mut all, id, None, MOST_OPEN);
        let offsets = open.offsets();
        all.insert(id.to_owned(), open);
        offsets
    }

    /// Takes a section without bytes.
    pub(crate) fn take_empty(&self, id: &str, name: &str) -> Option<WholeSection> {
        let mut all = self.lock();
        let open = all.get_mut(id)?;
        let is_new = !open.stored.contains(name) && !open.storing.contains(name);
        if is_new { open.take(name) } else { None }
    }

    /// Takes a piece. Bytes that are here already change nothing.
    pub(crate) fn put(
        &self,
        device: &str,
        id: &str,
        name: &str,
        offset: u64,
        bytes: &[u8],
    ) -> Result<Taken, DispatchRefusal> {
        let mut all = self.lock();
        let open = all.get_mut(id).filter(|open| open.device == device);
        let open = open.ok_or_else(|| missing("bundle_unknown", texts::BUNDLE_UNKNOWN))?;
        let announced = open.announced.get(name);
        let announced =
            announced.ok_or_else(|| missing("section_unknown", texts::SECTION_UNKNOWN))?;
        let (whole, sha256) = (announced.bytes, announced.sha256.clone());
        let here = open.offsets().get(name).copied().unwrap_or(0);
        let end = offset
            .checked_add(bytes.len() as u64)
            .filter(|end| *end <= whole);
        let end = end.ok_or_else(|| DispatchRefusal::too_large("The section", whole))?;
        let done = |next| Taken {
            next,
            section: None,
        };
        if end <= here {
            return Ok(done(here));
        }
        if offset != here {
            let class = RefusalClass::Conflict;
            let text = texts::SECTION_OFFSET;
            let refusal = DispatchRefusal::new(class, "section_offset", text, texts::OFFSET_HELP);
            return Err(refusal.go_on_from(here));
        }
        let part = open.parts.entry(name.to_owned()).or_default();
        part.extend_from_slice(bytes);
        if end < whole {
            return Ok(done(end));
        }
        if Sha256Hex::digest(part).as_str() != sha256 {
            // The next piece is the first one again.
            open.parts.remove(name);
            let (class, text) = (RefusalClass::Malformed, texts::SECTION_DIGEST);
            return Err(DispatchRefusal::new(
                class,
                "section_digest",
                text,
                texts::REPORT_HELP,
            ));
        }
        Ok(Taken {
            next: end,
            section: open.take(name),
        })
    }

    /// Notes that a section is stored, or that it could not be, so that it comes again.
    pub(crate) fn stored(&self, id: &str, name: &str, is_stored: bool) {
        if let Some(open) = self.lock().get_mut(id) {
            open.storing.remove(name);
            if is_stored {
                open.stored.insert(name.to_owned());
            }
        }
    }

    /// Takes a bundle of which all sections are stored: its device and request.
    pub(crate) fn take_whole(&self, id: &str) -> Option<(String, String)> {
        let mut all = self.lock();
        let open = all.get(id)?;
        let is_whole = open.announced.keys().all(|name| open.stored.contains(name));
        if !is_whole {
            return None;
        }
        all.remove(id).map(|open| (open.device, open.request))
    }

    /// Forgets bundles that were not finished in time.
    pub(crate) fn forget_old(&self, now_ms: i64) {
        self.lock()
            .retain(|_, open| now_ms - open.since_ms < PATIENCE_MS);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, OpenBundle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the oldest of the others until there is room for one more.
fn make_room(all: &mut HashMap<String, OpenBundle>, id: &str, device: Option<&str>, most: usize) {
    loop {
        let others = all.iter().filter(|(key, open)| {
            key.as_str() != id && device.is_none_or(|device| open.device == device)
        });
        let others: Vec<_> = others
            .map(|(key, open)| (open.since_ms, key.clone()))
            .collect();
        if others.len() < most {
            return;
        }
        match others.into_iter().min() {
            Some((_, oldest)) => drop(all.remove(&oldest)),
            None => return,
        }
    }
}

fn missing(code: &'static str, text: &str) -> DispatchRefusal {
    DispatchRefusal::new(RefusalClass::NotFound, code, text, texts::BUNDLE_HELP)
}
