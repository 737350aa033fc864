//! The ids that lead from a record to what is known of it elsewhere: in a client's log, in ours, and with
//! the vendor of the model.

use std::{fmt, sync::Arc};

use protocol::CommandId;

/// The longest id from outside, in bytes.
const MAX_BYTES: usize = 64;

/// The id of a request, for everything that comes of it: in the journal, in the log, in the audit chain.
/// It opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Correlation(Arc<str>);

impl Correlation {
    /// Takes an id from outside. It stands in logs and records, so only one is taken that cannot be
    /// mistaken for anything else there.
    pub fn parse(id: &str) -> Option<Self> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        let is_well_formed = (1..=MAX_BYTES).contains(&id.len()) && id.bytes().all(is_word);
        is_well_formed.then(|| Self(id.into()))
    }

    /// Makes an id for a request that has none.
    pub fn made(random: u64) -> Self {
        Self(format!("{random:016x}").into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A command of a page has an id already, which the page knows.
impl From<CommandId> for Correlation {
    fn from(command: CommandId) -> Self {
        Self(command.to_string().into())
    }
}

impl fmt::Display for Correlation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The ids of a record. They are beside its content: nothing is decided by them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The request that it comes of.
    pub correlation: Option<Correlation>,
    /// The vendor's id of the model call that it records.
    pub model_request: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::Correlation;

    #[test]
    fn an_id_from_outside_is_a_word_or_it_is_not_taken() {
        let longest = "x".repeat(64);
        for taken in ["a-1._Z", &longest] {
            assert_eq!(Correlation::parse(taken).unwrap().as_str(), taken);
        }
        let too_long = "x".repeat(65);
        for refused in [
            &too_long, "", " ", "a b", "a\tb", "id=1", "\"x\"", "ünicode",
        ] {
            assert_eq!(Correlation::parse(refused), None, "{refused}");
        }
    }
}
