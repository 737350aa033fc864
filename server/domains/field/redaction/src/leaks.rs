//! The second line of defence: the bytes of a request are searched for every value just before they leave.

use std::fmt;

use crate::class::Class;
use crate::layers::Layers;
use crate::token::Pseudonym;
use crate::vault::Vault;

/// A value of the vault in the bytes of a request. Says which one by its token, never the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leak {
    pub class: Class,
    pub token: Pseudonym,
}

impl fmt::Display for Leak {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.token, self.class.name())
    }
}

impl Vault {
    /// Searches bytes for the values of this vault: as they are, in other spellings of the same address, with
    /// escapes of JSON or percent, in base64, with invisible signs. Returns the first one found.
    ///
    /// [`Vault::cover`] replaces all of this and more, so a covered text has no leak.
    #[must_use]
    pub fn leaks(&self, bytes: &[u8]) -> Option<Leak> {
        // What is not UTF-8 becomes a sign that belongs to no value.
        let text = String::from_utf8_lossy(bytes);
        let mut first = None;
        let mut look = |text: &str| {
            self.known.find(text, &mut |_, index, _| {
                let entry = &self.entries()[index];
                first = first.or(Some(Leak {
                    class: entry.class,
                    token: entry.token,
                }));
            });
        };
        look(&text);
        Layers::of(&text).each(|layer, _| look(layer));
        first
    }
}
