//! Text that arrives in pieces. The result does not depend on where the pieces end.

use crate::cover::{Covered, TextOrigin};
use crate::secrets::{PemState, WithoutSecrets};
use crate::segments::{LineBuffer, Segment};
use crate::vault::Vault;

/// Covers a text line by line as it arrives. Unlike [`Vault::cover`], it knows a name only from the line on
/// that introduces it: [`Vault::learn_from`] the facts of interfaces and leases first.
#[derive(Clone, Default)]
pub struct CoverStream {
    lines: LineBuffer,
    pem: PemState,
}

impl CoverStream {
    /// Takes more bytes and returns the lines that are whole now. At most 4 KiB wait for more.
    pub fn push(&mut self, vault: &mut Vault, bytes: &[u8]) -> Covered {
        let Self { lines, pem } = self;
        gather(vault, pem, |take| lines.feed(bytes, take))
    }

    /// Returns the rest after the last bytes.
    pub fn finish(mut self, vault: &mut Vault) -> Covered {
        let Self { lines, pem } = &mut self;
        gather(vault, pem, |take| lines.finish(take))
    }
}

fn gather(
    vault: &mut Vault,
    pem: &mut PemState,
    run: impl FnOnce(&mut dyn FnMut(Segment<'_>)),
) -> Covered {
    let mut covered = Covered::default();
    run(&mut |segment| {
        covered.add(match segment {
            Segment::Text(text) => {
                vault.learn_networks(text);
                vault.cover_segment(text, TextOrigin::Raw, pem)
            }
            Segment::Removed(mark) => Covered::removed(mark),
        });
    });
    covered.new = vault.take_new();
    covered
}

/// Removes secrets from a text as it arrives: what a device does before it sends anything.
#[derive(Clone, Default)]
pub struct SecretStream {
    lines: LineBuffer,
    pem: PemState,
}

impl SecretStream {
    /// Takes more bytes and returns the lines that are whole now. At most 4 KiB wait for more.
    pub fn push(&mut self, bytes: &[u8]) -> WithoutSecrets {
        let Self { lines, pem } = self;
        let mut result = WithoutSecrets::default();
        lines.feed(bytes, &mut |segment| result.add(pem, segment));
        result
    }

    /// Returns the rest after the last bytes.
    #[must_use]
    pub fn finish(mut self) -> WithoutSecrets {
        let Self { lines, pem } = &mut self;
        let mut result = WithoutSecrets::default();
        lines.finish(&mut |segment| result.add(pem, segment));
        result
    }
}
