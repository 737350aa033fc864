//! Tickets and CSRF prevention tokens: in Proxmox VE's format and with its lifetime of two hours,
//! but signed with a keyed digest instead of RSA.

use sha2::{Digest, Sha256};

use crate::calendar::HOUR;

const LIFE: i64 = 2 * HOUR;

/// Issues a ticket: `PVE:user@realm:HEXTIME::SIGNATURE`.
pub(super) fn issue(seed: u64, user: &str, now: i64) -> String {
    let plain = format!("PVE:{user}:{now:08X}");
    let signature = sign(seed, &plain);
    format!("{plain}::{signature}")
}

/// The user of a ticket; `None` if its signature is invalid or it has expired.
pub(super) fn verify(seed: u64, ticket: &str, now: i64) -> Option<String> {
    let (plain, signature) = ticket.split_once("::")?;
    let (head, time) = plain.rsplit_once(':')?;
    let user = head.strip_prefix("PVE:")?;
    (signature == sign(seed, plain) && alive(time, now)).then(|| user.to_owned())
}

/// A CSRF prevention token: `HEXTIME:SIGNATURE`.
pub(super) fn csrf(seed: u64, user: &str, now: i64) -> String {
    let time = format!("{now:08X}");
    let signature = sign(seed, &format!("csrf:{time}:{user}"));
    format!("{time}:{signature}")
}

pub(super) fn verify_csrf(seed: u64, csrf: &str, user: &str, now: i64) -> bool {
    csrf.split_once(':').is_some_and(|(time, signature)| {
        signature == sign(seed, &format!("csrf:{time}:{user}")) && alive(time, now)
    })
}

fn alive(time: &str, now: i64) -> bool {
    i64::from_str_radix(time, 16).is_ok_and(|issued| (-300..LIFE).contains(&(now - issued)))
}

fn sign(seed: u64, plain: &str) -> String {
    let digest = Sha256::new()
        .chain_update(seed.to_be_bytes())
        .chain_update(plain)
        .finalize();
    base64(&digest)
}

/// Encodes in standard base64. Its `+`, `/` and `=` are intentional: clients must escape them.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .fold(0_u32, |group, byte| group << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for position in 0..4 {
            let index = (group >> (18 - 6 * position)) & 63;
            let letter = ALPHABET.get(index as usize).copied().unwrap_or(b'=');
            text.push(if position > chunk.len() {
                '='
            } else {
                char::from(letter)
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_good_for_its_user_for_two_hours() {
        let ticket = issue(1, "root@pam", 1_795_226_523);
        assert_eq!(
            verify(1, &ticket, 1_795_226_523),
            Some("root@pam".to_owned())
        );
        assert_eq!(verify(1, &ticket, 1_795_226_523 + LIFE), None);
        assert_eq!(verify(2, &ticket, 1_795_226_523), None);
        assert_eq!(
            verify(1, &ticket.replace("root", "ruth"), 1_795_226_523),
            None
        );

        let csrf = csrf(1, "root@pam", 1_795_226_523);
        assert!(verify_csrf(1, &csrf, "root@pam", 1_795_226_523));
        assert!(!verify_csrf(1, &csrf, "jarvis@pve", 1_795_226_523));
    }

    #[test]
    fn base64_is_the_standard_one() {
        for (plain, expect) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), expect);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
