//! Enrolment tokens that wait to be shown: in memory alone, each once, to the person who made it.

use std::sync::{Mutex, PoisonError};

use protocol::{ConversationId, Timestamp, UserId};

use crate::ports::IssuedToken;

/// Milliseconds that a token waits for the page of the person who made it.
const WAITS_MS: i64 = 5 * 60_000;
/// Tokens that wait at most; the oldest one goes.
const MOST: usize = 64;

/// A token with the names that its page shows beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WaitingToken {
    pub(crate) issued: IssuedToken,
    pub(crate) name: String,
    pub(crate) site_name: String,
}

/// The tokens that wait. A restart forgets them: nothing outside this memory has them.
#[derive(Default)]
pub(crate) struct OnceTokens(Mutex<Vec<HeldToken>>);

struct HeldToken {
    /// The journal of the person's own call, by which the page asks.
    journal: ConversationId,
    person: UserId,
    until: Timestamp,
    token: WaitingToken,
}

impl OnceTokens {
    pub(crate) fn hold(
        &self,
        journal: ConversationId,
        person: UserId,
        now: Timestamp,
        token: WaitingToken,
    ) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|it| it.until > now);
        if held.len() >= MOST {
            held.remove(0);
        }
        held.push(HeldToken {
            journal,
            person,
            until: Timestamp(now.0.saturating_add(WAITS_MS)),
            token,
        });
    }

    /// Gives the token out and forgets it. None for anybody else, who does not use it up.
    pub(crate) fn take(
        &self,
        journal: ConversationId,
        person: UserId,
        now: Timestamp,
    ) -> Option<WaitingToken> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|it| it.until > now);
        let of = |it: &HeldToken| it.journal == journal && it.person == person;
        let at = held.iter().position(of)?;
        Some(held.remove(at).token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(number: usize) -> WaitingToken {
        WaitingToken {
            issued: IssuedToken {
                enrolment: format!("enr_{number}"),
                token: "jarvis-enrol-1.secret.key".to_owned(),
                expires: Timestamp(1),
            },
            name: "Attic".to_owned(),
            site_name: "Office".to_owned(),
        }
    }

    fn journal(number: usize) -> ConversationId {
        ConversationId::new(Timestamp(1), number as u128)
    }

    #[test]
    fn a_token_is_given_once_to_whoever_made_it_and_not_for_long() {
        let tokens = OnceTokens::default();
        let [ann, ben] = [1, 2].map(|it| UserId::new(Timestamp(1), it));
        let now = Timestamp(1_000);
        tokens.hold(journal(1), ann, now, token(1));
        assert_eq!(tokens.take(journal(1), ben, now), None, "somebody else");
        assert_eq!(tokens.take(journal(2), ann, now), None, "another call");
        assert_eq!(tokens.take(journal(1), ann, now), Some(token(1)));
        assert_eq!(tokens.take(journal(1), ann, now), None, "once");
        tokens.hold(journal(1), ann, now, token(1));
        let late = Timestamp(now.0 + WAITS_MS);
        assert_eq!(tokens.take(journal(1), ann, late), None, "too late");
        for number in 0..=MOST {
            tokens.hold(journal(number), ann, now, token(number));
        }
        assert_eq!(tokens.take(journal(0), ann, now), None, "the oldest one");
        assert!(tokens.take(journal(1), ann, now).is_some());
    }

    #[test]
    fn no_debug_text_has_the_secret() {
        assert!(!format!("{:?}", token(1)).contains("secret"));
    }
}
