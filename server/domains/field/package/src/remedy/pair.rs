//! The table of changes, each with the arguments that make it and those that undo it.

use serde::{Deserialize, Serialize};

use crate::{
    levels::{JobCapability, LevelRefusal},
    texts,
    values::ValueKind,
};

/// Absolute path of the program that makes all changes of the table.
const PROGRAM: &str = "/usr/sbin/ip";
/// Bounds of the time to keep a change, in seconds.
const KEEP: std::ops::RangeInclusive<u32> = 30..=600;

/// A change that can be undone by its opposite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum RemedyChange {
    /// Another largest packet on an interface.
    SetMtu {
        interface: String,
        mtu: u32,
        /// The present one, which the undo restores.
        before: u32,
    },
    /// One more address on an interface.
    AddAddress {
        interface: String,
        address: String,
        prefix: u32,
    },
}

/// A change and the seconds after which it is undone unless it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemedyPair {
    #[serde(rename = "do")]
    pub change: RemedyChange,
    pub undo_after_s: u32,
}

/// Reason that a remedy is not possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RemedyRefusal {
    #[error("{}", texts::remedies::value(slot))]
    Value { slot: &'static str },
    #[error("{}", texts::remedies::keep(*KEEP.start(), *KEEP.end()))]
    Keep,
    #[error("{}", texts::remedies::NO_CHANGE)]
    NoChange,
    #[error(transparent)]
    Level(#[from] LevelRefusal),
}

impl RemedyPair {
    /// Checks the values of a change and the time to keep it.
    ///
    /// # Errors
    /// A value outside its bounds, or a change that changes nothing.
    pub fn check(&self) -> Result<(), RemedyRefusal> {
        let is = |kind: ValueKind, text: &str, slot| {
            let taken = kind.accepts(text);
            taken.then_some(()).ok_or(RemedyRefusal::Value { slot })
        };
        match &self.change {
            RemedyChange::SetMtu {
                interface,
                mtu,
                before,
            } => {
                is(ValueKind::Interface, interface, "interface")?;
                is(ValueKind::Range(1280, 9000), &mtu.to_string(), "mtu")?;
                is(ValueKind::Range(68, 65536), &before.to_string(), "before")?;
                if mtu == before {
                    return Err(RemedyRefusal::NoChange);
                }
            }
            RemedyChange::AddAddress {
                interface,
                address,
                prefix,
            } => {
                is(ValueKind::Interface, interface, "interface")?;
                is(ValueKind::Address, address, "address")?;
                let most = if address.contains(':') { 128 } else { 32 };
                is(ValueKind::Range(8, most), &prefix.to_string(), "prefix")?;
            }
        }
        KEEP.contains(&self.undo_after_s)
            .then_some(())
            .ok_or(RemedyRefusal::Keep)
    }

    /// Checks that this version runs the change at all.
    ///
    /// # Errors
    /// As [`Self::check`], and if the change needs a capability that is not offered.
    pub fn offered(&self) -> Result<(), RemedyRefusal> {
        self.check()?;
        self.needs().offered()?;
        Ok(())
    }

    /// The capability that the change needs.
    pub fn needs(&self) -> JobCapability {
        match self.change {
            RemedyChange::SetMtu { .. } | RemedyChange::AddAddress { .. } => {
                JobCapability::NetAdmin
            }
        }
    }

    /// Arguments of the change.
    pub fn make(&self) -> Vec<String> {
        match &self.change {
            RemedyChange::SetMtu { interface, mtu, .. } => set_mtu(interface, *mtu),
            RemedyChange::AddAddress {
                interface,
                address,
                prefix,
            } => with_address("add", interface, address, *prefix),
        }
    }

    /// Arguments of its undo, which does no harm if the change was not made.
    pub fn undo(&self) -> Vec<String> {
        match &self.change {
            RemedyChange::SetMtu {
                interface, before, ..
            } => set_mtu(interface, *before),
            RemedyChange::AddAddress {
                interface,
                address,
                prefix,
            } => with_address("del", interface, address, *prefix),
        }
    }

    /// The pair as sh, for people: the undo first, as it is armed first.
    pub fn render(&self) -> String {
        let after = self.undo_after_s;
        let (undo, make) = (self.undo().join(" "), self.make().join(" "));
        format!(
            "( sleep {after}; {undo} ) &  # {}\n{make}  # {}\n",
            texts::remedies::undo_comment(after),
            texts::remedies::MAKE_COMMENT
        )
    }
}

fn set_mtu(interface: &str, mtu: u32) -> Vec<String> {
    let mtu = mtu.to_string();
    words(&[PROGRAM, "link", "set", "dev", interface, "mtu", &mtu])
}

fn with_address(verb: &str, interface: &str, address: &str, prefix: u32) -> Vec<String> {
    let address = format!("{address}/{prefix}");
    words(&[PROGRAM, "addr", verb, &address, "dev", interface])
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
