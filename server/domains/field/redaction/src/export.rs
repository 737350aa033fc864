//! Addresses that look like addresses, for files that leave the installation.
//!
//! Bit i of the result is bit i of the address, changed by a keyed function of the first i bits (Crypto-PAn):
//! two addresses share as many leading bits afterwards as before. Bits that lead to a block with a meaning of
//! its own are never changed, so private stays private, in the same block.
//!
//! Whoever knows some of the real addresses can tell the prefixes that others share with them: that is the price
//! of a network that can still be read. It hides who it is from whoever does not know the network.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::address::{self, AddressReach};
use crate::class::Class;
use crate::error::RedactionError;
use crate::legend::VendorParts;
use crate::vault::{Vault, VaultEntry};

/// Blocks of IPv4 that are mapped to themselves: the bounds of the classes A to E, then blocks with a meaning.
const BLOCKS: [(Ipv4Addr, u8); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 1),
    (Ipv4Addr::new(128, 0, 0, 0), 2),
    (Ipv4Addr::new(192, 0, 0, 0), 3),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(255, 0, 0, 0), 8),
];

const BLOCKS_V6: [(Ipv6Addr, u8); 7] = [
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 0), 8),
    (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 8),
    (Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 0), 8),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 64),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
];

/// Bits at the start of a hardware address that name its vendor.
const VENDOR_BITS: u8 = 24;

/// The mapping of one export. Another key gives another mapping, so two exports cannot be joined.
#[derive(Clone)]
pub struct ExportShapes {
    key: Hmac<Sha256>,
    vendors: VendorParts,
}

impl fmt::Debug for ExportShapes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ExportShapes(…)")
    }
}

impl ExportShapes {
    /// `key` must be random and used for one export.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        let mut block = [0; 64];
        block[..32].copy_from_slice(&key);
        Self {
            key: Hmac::new(&block.into()),
            vendors: VendorParts::Hidden,
        }
    }

    /// The same with the vendors of devices shown, or hidden as they are without this.
    #[must_use]
    pub fn with_vendors(self, vendors: VendorParts) -> Self {
        Self { vendors, ..self }
    }

    /// The address that stands for this one. Masks, loopback, multicast, documentation and the resolvers that
    /// everybody uses stand for themselves.
    #[must_use]
    pub fn ipv4(&self, address: Ipv4Addr) -> Ipv4Addr {
        if address::reach(address) == AddressReach::Common {
            return address;
        }
        let leads = |bits: u128, length: u8| {
            BLOCKS.iter().any(|(base, block)| {
                let base = u128::from(u32::from(*base)) << 96;
                *block > length && same(base, bits, length)
            })
        };
        let mapped = self.mapped(u128::from(u32::from(address)) << 96, 32, leads);
        Ipv4Addr::from(u32::try_from(mapped >> 96).unwrap_or_default())
    }

    #[must_use]
    pub fn ipv6(&self, address: Ipv6Addr) -> Ipv6Addr {
        if address::reach_v6(address) == AddressReach::Common {
            return address;
        }
        let leads = |bits: u128, length: u8| {
            BLOCKS_V6
                .iter()
                .any(|(base, block)| *block > length && same(u128::from(*base), bits, length))
        };
        Ipv6Addr::from(self.mapped(u128::from(address), 128, leads))
    }

    /// A locally administered address, which belongs to no vendor. If vendors are shown, the first three bytes
    /// stay and the others change; one that was locally administered before has no vendor to show.
    #[must_use]
    pub fn mac(&self, bytes: &[u8]) -> Vec<u8> {
        let has_vendor = bytes.first().is_some_and(|first| first & 2 == 0);
        if has_vendor && self.vendors == VendorParts::Shown {
            return self.within_vendor(bytes);
        }
        let digest = self.digest(0, 0, bytes);
        let mut mapped: Vec<_> = digest.into_iter().take(bytes.len()).collect();
        if let Some(first) = mapped.first_mut() {
            *first = (*first & 0xfc) | 2;
        }
        mapped
    }

    /// Another address of the same vendor. Two addresses never become one.
    fn within_vendor(&self, bytes: &[u8]) -> Vec<u8> {
        let mut whole = [0; 16];
        for (to, from) in whole.iter_mut().zip(bytes) {
            *to = *from;
        }
        let length = u8::try_from(bytes.len().min(whole.len()) * 8).unwrap_or(128);
        let is_vendor = |_: u128, index: u8| index < VENDOR_BITS;
        let mapped = self.mapped(u128::from_be_bytes(whole), length, is_vendor);
        let mapped = mapped.to_be_bytes().into_iter();
        mapped.take(bytes.len()).collect()
    }

    /// Changes each of the first `length` bits by a function of those before it, unless they lead to a block.
    fn mapped(&self, bits: u128, length: u8, leads: impl Fn(u128, u8) -> bool) -> u128 {
        (0..length).fold(bits, |mapped, index| {
            if leads(bits, index) {
                return mapped;
            }
            let before = bits.checked_shr(128 - u32::from(index)).unwrap_or(0);
            let flip = self.digest(length, index, &before.to_be_bytes())[0] & 1;
            mapped ^ (u128::from(flip) << (127 - index))
        })
    }

    fn digest(&self, family: u8, index: u8, bytes: &[u8]) -> [u8; 32] {
        let mut mac = self.key.clone();
        mac.update(&[family, index]);
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }
}

/// True if two values share their first `length` bits.
fn same(one: u128, other: u128, length: u8) -> bool {
    (one ^ other).leading_zeros() >= u32::from(length)
}

impl Vault {
    /// A covered text in the form for others: tokens of addresses become addresses of the export, other
    /// tokens stay.
    ///
    /// # Errors
    ///
    /// If a token is unknown or belongs to another site.
    pub fn export(&self, covered: &str, shapes: &ExportShapes) -> Result<String, RedactionError> {
        let mut known = HashMap::new();
        self.restore_with(covered, |entry| {
            let text = known.entry(entry.token);
            text.or_insert_with(|| exported(entry, shapes)).clone()
        })
    }
}

fn exported(entry: &VaultEntry, shapes: &ExportShapes) -> String {
    let mapped = match entry.class {
        Class::Ipv4 | Class::Ipv6 => entry.value().parse().ok().map(|address| match address {
            IpAddr::V4(address) => shapes.ipv4(address).to_string(),
            IpAddr::V6(address) => shapes.ipv6(address).to_string(),
        }),
        Class::Mac => {
            address::hardware(entry.value()).map(|bytes| address::spelled(&shapes.mac(&bytes)))
        }
        _ => None,
    };
    mapped.unwrap_or_else(|| entry.token.to_string())
}
