//! Cursors: places in a list, opaque to programs.
//!
//! One holds no right: a list is always that of the person who asks. The check only tells a program
//! that it has mixed up two lists or two people.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use protocol::UserId;
use sha2::{Digest, Sha256};

const CHECK: usize = 8;

/// Returns the cursor of a place in a list of a user.
pub(crate) fn cursor(list: &str, user: UserId, place: i64) -> String {
    let mut bytes = place.to_be_bytes().to_vec();
    bytes.extend(check(list, user, place));
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the place that a cursor names; none for one that is not of this list and user.
pub(crate) fn place(list: &str, user: UserId, cursor: &str) -> Option<i64> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (place, rest) = bytes.split_first_chunk()?;
    let place = i64::from_be_bytes(*place);
    (rest == check(list, user, place)).then_some(place)
}

fn check(list: &str, user: UserId, place: i64) -> [u8; CHECK] {
    let text = format!("{list}\n{user}\n{place}");
    let hash: [u8; 32] = Sha256::digest(text).into();
    std::array::from_fn(|at| hash[at])
}

#[cfg(test)]
mod tests {
    use protocol::Timestamp;

    use super::*;

    #[test]
    fn a_cursor_is_of_one_list_of_one_user() {
        let [ada, bob] = [1, 2].map(|n| UserId::new(Timestamp(0), n));
        let at = 1_700_000_000_000;
        let made = cursor("conversations", ada, at);
        assert_eq!(place("conversations", ada, &made), Some(at));
        let longer = format!("{made}AA");
        for (list, user, text) in [
            ("conversations", bob, &*made),
            ("events", ada, &made),
            ("conversations", ada, &made[1..]),
            ("conversations", ada, &longer),
            ("conversations", ada, ""),
            ("conversations", ada, "AAAAAAAAAAAAAAAAAAAAAA"),
            ("conversations", ada, "not base64 ✓"),
        ] {
            assert_eq!(place(list, user, text), None, "{list} {user} {text}");
        }
    }
}
