//! Tokens of services that begin with a fixed text.

use std::ops::Range;

use crate::fields::{is_free_before, run_end};

/// Signs of which the rest of a token consists.
#[derive(Clone, Copy)]
enum TokenSigns {
    /// Letters and digits.
    Alnum,
    /// Also `_`.
    Word,
    /// Also `-`.
    Dashed,
    /// Also `.`.
    Dotted,
    LowerHex,
    /// `A` to `Z`, `2` to `7`.
    Base32,
    /// Letters, digits, `+`, `/`, `=`.
    Base64,
    /// Crypt: also `.`, `/`, `$`, `=`, `,`, `+`, `-`.
    Crypt,
}

struct VendorToken {
    prefix: &'static str,
    signs: TokenSigns,
    /// Length of what follows the prefix.
    least: usize,
}

const fn token(prefix: &'static str, signs: TokenSigns, least: usize) -> VendorToken {
    VendorToken {
        prefix,
        signs,
        least,
    }
}

use TokenSigns::{Alnum, Base32, Base64, Crypt, Dashed, Dotted, LowerHex, Word};

static VENDORS: [VendorToken; 81] = [
    // AWS: keys of users, of sessions, of the bearer tokens of services, of context.
    token("AKIA", Base32, 16),
    token("ASIA", Base32, 16),
    token("ABIA", Base32, 16),
    token("ACCA", Base32, 16),
    // GitHub.
    token("ghp_", Alnum, 30),
    token("gho_", Alnum, 30),
    token("ghu_", Alnum, 30),
    token("ghs_", Alnum, 30),
    token("ghr_", Alnum, 30),
    token("github_pat_", Word, 22),
    // GitLab.
    token("glpat-", Dotted, 16),
    token("gldt-", Dashed, 16),
    token("glrt-", Dotted, 16),
    token("glptt-", Alnum, 30),
    token("glcbt-", Dashed, 16),
    token("glsoat-", Dashed, 16),
    // Slack.
    token("xoxb-", Dashed, 10),
    token("xoxp-", Dashed, 10),
    token("xoxa-", Dashed, 10),
    token("xoxr-", Dashed, 10),
    token("xoxs-", Dashed, 10),
    token("xoxe-", Dashed, 10),
    token("xoxe.", Dotted, 10),
    token("xapp-", Dashed, 10),
    // Stripe; publishable keys are public.
    token("sk_live_", Alnum, 10),
    token("sk_test_", Alnum, 10),
    token("rk_live_", Alnum, 10),
    token("rk_test_", Alnum, 10),
    token("whsec_", Base64, 20),
    // Google.
    token("AIza", Dashed, 35),
    token("ya29.", Dotted, 20),
    token("GOCSPX-", Dashed, 20),
    // Networks of devices.
    token("tskey-auth-", Dashed, 10),
    token("tskey-api-", Dashed, 10),
    token("tskey-client-", Dashed, 10),
    token("tskey-scim-", Dashed, 10),
    token("tskey-webhook-", Dashed, 10),
    token("tskey-reusable-", Dashed, 10),
    token("hskey-auth-", Dashed, 10),
    token("hskey-api-", Dashed, 10),
    token("nbp_", Alnum, 30),
    token("balena_", Word, 20),
    // Models.
    token("sk-ant-", Dashed, 20),
    token("sk-proj-", Dashed, 20),
    token("sk-svcacct-", Dashed, 20),
    token("sk-or-", Dashed, 20),
    token("hf_", Alnum, 30),
    token("gsk_", Alnum, 30),
    // Packages and code.
    token("npm_", Alnum, 30),
    token("pypi-", Dashed, 50),
    token("dckr_pat_", Dashed, 20),
    token("cio", Alnum, 32),
    token("rubygems_", LowerHex, 40),
    token("sntrys_", Base64, 30),
    token("glsa_", Word, 30),
    token("glc_", Base64, 30),
    // Clouds and operations.
    token("dop_v1_", LowerHex, 60),
    token("doo_v1_", LowerHex, 60),
    token("dor_v1_", LowerHex, 60),
    token("hvs.", Dashed, 20),
    token("hvb.", Dashed, 20),
    token("dp.pt.", Alnum, 30),
    token("pul-", LowerHex, 40),
    token("dapi", LowerHex, 32),
    token("NRAK-", Alnum, 20),
    token("PMAK-", Dashed, 30),
    token("ATATT3", Base64, 50),
    token("lin_api_", Alnum, 30),
    token("SG.", Dotted, 40),
    token("key-", LowerHex, 32),
    token("shpat_", LowerHex, 32),
    token("shpss_", LowerHex, 32),
    token("sq0csp-", Dashed, 20),
    token("AGE-SECRET-KEY-1", Alnum, 50),
    // Hashes of passwords: sha512crypt, sha256crypt, yescrypt, bcrypt, argon2, md5crypt.
    token("$6$", Crypt, 20),
    token("$5$", Crypt, 20),
    token("$y$", Crypt, 20),
    token("$2b$", Crypt, 20),
    token("$2y$", Crypt, 20),
    token("$argon2id$", Crypt, 20),
    token("$1$", Crypt, 20),
];

pub(super) fn all() -> impl Iterator<Item = &'static str> {
    VENDORS.iter().map(|vendor| vendor.prefix)
}

/// Reads a token from its prefix, whose case counts, although anchors are found in any case.
pub(super) fn read(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let prefix = &text[anchor.clone()];
    let vendor = VENDORS.iter().find(|vendor| vendor.prefix == prefix)?;
    if !is_free_before(text, anchor.start) {
        return None;
    }
    let end = run_end(text.as_bytes(), anchor.end, |byte| vendor.signs.has(byte));
    let rest = text[anchor.end..end].trim_end_matches(['.', '-', ',']);
    // Real tokens are random: some digit is in all but the shortest, and a sign is not repeated throughout.
    let is_random = rest.bytes().any(|byte| byte.is_ascii_digit())
        && rest.bytes().any(|byte| byte != rest.as_bytes()[0]);
    (rest.len() >= vendor.least && is_random).then(|| anchor.start..anchor.end + rest.len())
}

impl TokenSigns {
    fn has(self, byte: u8) -> bool {
        let is_alnum = byte.is_ascii_alphanumeric();
        match self {
            Self::Alnum => is_alnum,
            Self::Word => is_alnum || byte == b'_',
            Self::Dashed => is_alnum || matches!(byte, b'_' | b'-'),
            Self::Dotted => is_alnum || matches!(byte, b'_' | b'-' | b'.'),
            Self::LowerHex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Base32 => matches!(byte, b'A'..=b'Z' | b'2'..=b'7'),
            Self::Base64 => is_alnum || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_'),
            Self::Crypt => {
                is_alnum || matches!(byte, b'.' | b'/' | b'$' | b'=' | b',' | b'+' | b'-')
            }
        }
    }
}
