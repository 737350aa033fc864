//! Names of relayed calls: a journal and a command, out of what a client sends again.
//!
//! What a client gets back as `requestState` is the seed of a name. With the token it leads to the call,
//! and without a call of that token it leads nowhere: a made-up seed and one of somebody else are found
//! out by looking, so that there is no key whose loss would let anybody forge one, and a restart changes
//! nothing.

use protocol::{CommandId, ConversationId, Timestamp};

use crate::http::hashed_number::hashed_number;

/// The longest idempotency key, in bytes.
const MAX_KEY: usize = 255;

/// The name of a relayed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallName {
    /// Its journal.
    pub(super) call: ConversationId,
    /// The command that begins it.
    pub(super) command: CommandId,
    began: Timestamp,
    random: u128,
}

impl CallName {
    /// The name of a new call of a token.
    pub(super) fn new(principal: &str, began: Timestamp, random: u128) -> Self {
        let (at, seed) = (began.0.to_string(), random.to_string());
        let number = |kind: &str| hashed_number(&[kind, principal, &at, &seed]);
        Self {
            call: ConversationId::new(began, number("relayed call")),
            command: CommandId::new(began, number("relay")),
            began,
            random,
        }
    }

    /// The name of a call under an idempotency key: the same for the same key of a token. None if the key
    /// has another form.
    pub(super) fn of_key(principal: &str, key: &str) -> Option<Self> {
        let is_word =
            (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|it| it.is_ascii_graphic());
        let random = hashed_number(&["idempotency key", key]);
        is_word.then(|| Self::new(principal, Timestamp(0), random))
    }

    /// The name that a state leads to. None if it has another form.
    pub(super) fn of_state(principal: &str, state: &str) -> Option<Self> {
        let (began, random) = state.split_once('.')?;
        let began = Timestamp(began.parse().ok()?);
        let random = u128::from_str_radix(random, 16).ok()?;
        let name = Self::new(principal, began, random);
        // One text for each: no sign, no other case.
        (name.state() == state && began.0 >= 0).then_some(name)
    }

    /// The state that a client sends back.
    pub(super) fn state(&self) -> String {
        format!("{}.{:032x}", self.began.0, self.random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_leads_to_the_call_of_its_token() {
        let name = CallName::new("tok_1", Timestamp(1_700_000_000_000), u128::MAX - 1);
        let state = name.state();
        assert_eq!(CallName::of_state("tok_1", &state), Some(name.clone()));
        let other = CallName::of_state("tok_2", &state).unwrap();
        assert!(other.call != name.call && other.command != name.command);
        for forged in [
            "",
            ".",
            "1.",
            "1.0",
            "-1.00000000000000000000000000000001",
            "+1.00000000000000000000000000000001",
            "1.0000000000000000000000000000000G",
            "1.000000000000000000000000000000001",
            &state.to_uppercase(),
            &format!("{state} "),
            name.call.to_string().as_str(),
        ] {
            assert_eq!(CallName::of_state("tok_1", forged), None, "{forged}");
        }
    }

    #[test]
    fn a_key_is_one_call_of_one_token() {
        let of = |principal, key: &str| CallName::of_key(principal, key);
        assert_eq!(of("tok_1", "k"), of("tok_1", "k"));
        assert!(of("tok_1", "k") != of("tok_2", "k") && of("tok_1", "k") != of("tok_1", "l"));
        let name = of("tok_1", "k").unwrap();
        assert_eq!(CallName::of_state("tok_1", &name.state()), Some(name));
        for none in ["", "a b", "ä", "a\n", &"x".repeat(256)] {
            assert_eq!(of("tok_1", none), None, "{none}");
        }
    }
}
