//! Classes of values that identify people, places or devices.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Class of a value. Of two matches of the same length the class that stands first here is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Passwords, keys, tokens: removed and never stored.
    Secret,
    Email,
    Ipv4,
    Ipv6,
    /// MAC addresses, BSSIDs, EUI-64 identifiers.
    Mac,
    Phone,
    Imei,
    Imsi,
    Iccid,
    Serial,
    Ssid,
    Host,
    /// Login names and full names.
    Person,
    /// Prefixes of networks. They are never found in texts, only learnt from facts about interfaces.
    Network,
}

impl Class {
    pub const ALL: [Self; 14] = [
        Self::Secret,
        Self::Email,
        Self::Ipv4,
        Self::Ipv6,
        Self::Mac,
        Self::Phone,
        Self::Imei,
        Self::Imsi,
        Self::Iccid,
        Self::Serial,
        Self::Ssid,
        Self::Host,
        Self::Person,
        Self::Network,
    ];

    /// The name on the wire and in tables, such as `ipv4`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Email => "email",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Mac => "mac",
            Self::Phone => "phone",
            Self::Imei => "imei",
            Self::Imsi => "imsi",
            Self::Iccid => "iccid",
            Self::Serial => "serial",
            Self::Ssid => "ssid",
            Self::Host => "host",
            Self::Person => "person",
            Self::Network => "network",
        }
    }

    /// The class of a name, if it is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The form in which two spellings of one value are equal.
    pub(crate) fn canonical(self, spelling: &str) -> String {
        match self {
            Self::Host | Self::Email => spelling.trim_end_matches('.').to_lowercase(),
            _ => spelling.to_owned(),
        }
    }
}

/// Occurrences by class, and pieces of text that were removed because they could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassTally {
    classes: BTreeMap<Class, usize>,
    /// Lines that are not UTF-8, words with broken or endlessly nested escapes, overlong runs.
    pub unreadable: usize,
}

impl ClassTally {
    #[must_use]
    pub fn of(&self, class: Class) -> usize {
        self.classes.get(&class).copied().unwrap_or(0)
    }

    /// Classes that occurred, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Class, usize)> + '_ {
        self.classes.iter().map(|(class, count)| (*class, *count))
    }

    pub(crate) fn count(&mut self, class: Class) {
        *self.classes.entry(class).or_default() += 1;
    }

    /// Adds the counts of another piece of the same text.
    pub fn add(&mut self, other: &Self) {
        for (class, count) in other.iter() {
            *self.classes.entry(class).or_default() += count;
        }
        self.unreadable += other.unreadable;
    }
}
