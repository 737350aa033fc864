//! The values of one site and their tokens.

mod entry;
mod known;

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::address::{self, AddressReach};
use crate::candidate::Candidate;
use crate::class::Class;
use crate::error::RedactionError;
use crate::fields::{is_free_after, is_free_before};
use crate::network::{NetworkPrefix, OnLink};
use crate::texts::{
    LINE_REMOVED, OVERLONG_REMOVED, SECRET_REMOVED, UNREADABLE_REMOVED, VALUE_REMOVED,
};
use crate::token::{Pseudonym, TokenKind};

pub use entry::{SealedEntry, VaultEntry, VaultKeys};
pub(crate) use known::{KnownSpelling, KnownValues};

/// Values that one site may have, unless the caller says otherwise.
const MOST_ENTRIES: usize = 20_000;

/// Bytes of the longest value: an address of e-mail with the longest name and the longest domain. What is
/// longer is none, whatever it looks like, and would make the search for values slow.
pub(crate) const LONGEST_VALUE: usize = 320;

/// Networks that one site may have.
const MOST_NETWORKS: usize = 512;

/// The site whose values a vault holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteScope {
    /// Identifier in the store: sealed values belong to it.
    pub id: String,
    /// Number in tokens, such as the 7 in `host-s7-2`. Without one, tokens of two sites look the same.
    pub number: Option<u32>,
}

/// The choice about addresses that are routed globally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublicAddresses {
    /// They get tokens `pub-1`, `pub-2`.
    #[default]
    Cover,
    /// They stay as they are, unless they are in a network of the site.
    Keep,
}

/// The values of one site and their tokens. Grows as texts are covered; nothing is ever renumbered.
#[derive(Clone)]
pub struct Vault {
    site: SiteScope,
    public: PublicAddresses,
    /// Values that the site may have.
    limit: usize,
    /// Text that is in each request: what occurs in it is not searched for.
    fixed: String,
    entries: Vec<VaultEntry>,
    by_value: HashMap<(Class, String), usize>,
    by_token: HashMap<Pseudonym, usize>,
    networks: Vec<SiteNetwork>,
    /// The last number of each kind, and of each network.
    last: HashMap<(TokenKind, u32), u32>,
    pub(crate) known: KnownValues,
    /// Entries since they were last taken.
    fresh: Vec<usize>,
    /// The interface that the lines so far spoke of.
    pub(crate) interface: Option<String>,
}

#[derive(Clone)]
pub(crate) struct SiteNetwork {
    pub(crate) number: u32,
    pub(crate) prefix: NetworkPrefix,
}

impl fmt::Debug for Vault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "Vault({}, {} entries)",
            self.site.id,
            self.entries.len()
        )
    }
}

impl Vault {
    #[must_use]
    pub fn new(site: SiteScope, public: PublicAddresses) -> Self {
        Self {
            site,
            public,
            limit: MOST_ENTRIES,
            fixed: String::new(),
            entries: Vec::new(),
            by_value: HashMap::new(),
            by_token: HashMap::new(),
            networks: Vec::new(),
            last: HashMap::new(),
            known: KnownValues::default(),
            fresh: Vec::new(),
            interface: None,
        }
    }

    /// Opens what was stored, in any order.
    ///
    /// # Errors
    ///
    /// If the key does not open an entry, or two entries contradict each other.
    pub fn open(
        site: SiteScope,
        public: PublicAddresses,
        keys: &VaultKeys,
        stored: impl IntoIterator<Item = SealedEntry>,
    ) -> Result<Self, RedactionError> {
        let mut vault = Self::new(site, public);
        let opened: Result<Vec<_>, _> = stored
            .into_iter()
            .map(|entry| entry.open(&vault.site.id, keys))
            .collect();
        let mut opened = opened?;
        opened.sort_by_key(|entry| (entry.class != Class::Network, entry.token));
        for entry in opened {
            let token = entry.token;
            vault
                .insert(entry)
                .ok_or_else(|| RedactionError::BadEntry(token.to_string()))?;
        }
        vault.fresh.clear();
        vault.refresh();
        Ok(vault)
    }

    /// Sets the text that is part of each request, such as the instructions. Values that are words of it are
    /// not searched for: a network of such a name would else stop every request. See "Names that are words" in
    /// `known.rs`.
    #[must_use]
    pub fn with_fixed_text(mut self, text: &str) -> Self {
        text.clone_into(&mut self.fixed);
        self.known = KnownValues::default();
        self.refresh();
        self
    }

    /// Sets how many values the site may have, 20,000 by default: a hostile text cannot make it more. What
    /// comes beyond is removed without a token.
    #[must_use]
    pub fn with_limit(mut self, values: usize) -> Self {
        self.limit = values;
        self
    }

    #[must_use]
    pub fn site(&self) -> &SiteScope {
        &self.site
    }

    #[must_use]
    pub fn public(&self) -> PublicAddresses {
        self.public
    }

    /// All entries, in the order in which they came.
    #[must_use]
    pub fn entries(&self) -> &[VaultEntry] {
        &self.entries
    }

    /// The entry of a token of this site.
    #[must_use]
    pub fn entry(&self, token: Pseudonym) -> Option<&VaultEntry> {
        self.by_token.get(&token).map(|index| &self.entries[*index])
    }

    /// Adds a network of the site, from typed facts. Its addresses get tokens with its number.
    pub fn add_network(&mut self, prefix: NetworkPrefix, interface: Option<&str>) {
        self.learn(OnLink {
            prefix,
            interface: interface.map(str::to_owned),
        });
        self.refresh();
    }

    /// Entries that are new or changed since the last call. An entry whose token is stored already
    /// replaces the stored one.
    pub fn take_new(&mut self) -> Vec<VaultEntry> {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.sort_unstable();
        fresh.dedup();
        fresh
            .into_iter()
            .map(|index| self.entries[index].clone())
            .collect()
    }

    pub(crate) fn refresh(&mut self) {
        let public = self.public;
        self.known.refresh(&self.entries, &self.fixed, |entry| {
            entry.token.kind != TokenKind::Public || public == PublicAddresses::Cover
        });
    }

    pub(crate) fn learn(&mut self, network: OnLink) {
        let note = network.interface.unwrap_or_default();
        let existing = self
            .networks
            .iter()
            .find(|known| known.prefix == network.prefix);
        let Some(existing) = existing else {
            self.add(network.prefix, note);
            return;
        };
        // What was assumed so far, or known without its interface, is now a fact.
        let token = self.token(TokenKind::Network, 0, existing.number);
        if let Some(index) = self.by_token.get(&token).copied() {
            let entry = &mut self.entries[index];
            if entry.note == VaultEntry::ASSUMED || (entry.note.is_empty() && !note.is_empty()) {
                entry.note = note;
                self.fresh.push(index);
            }
        }
    }

    fn add(&mut self, prefix: NetworkPrefix, note: String) -> Option<SiteNetwork> {
        if self.networks.len() >= MOST_NETWORKS {
            return None;
        }
        let number = self.next(TokenKind::Network, 0);
        let token = self.token(TokenKind::Network, 0, number);
        let index = self.insert(VaultEntry::new(
            Class::Network,
            token,
            prefix.to_string(),
            note,
        ))?;
        self.fresh.push(index);
        let network = SiteNetwork { number, prefix };
        let is_public = is_public(prefix.base());
        // The base is known from the start, so that `ip-n1.0/24` can be restored.
        if !(is_public && self.public == PublicAddresses::Keep) {
            let (class, kind) = match prefix.base() {
                IpAddr::V4(_) => (Class::Ipv4, TokenKind::Ip),
                IpAddr::V6(_) => (Class::Ipv6, TokenKind::Ip6),
            };
            let value = prefix.base().to_string();
            if !self.by_value.contains_key(&(class, value.clone())) {
                let token = self.token(kind, number, 0);
                let entry = VaultEntry::new(class, token, value, String::new());
                let index = self.insert(entry);
                self.fresh.extend(index);
            }
        }
        Some(network)
    }

    /// False for what this vault leaves as it is.
    pub(crate) fn covers(&self, candidate: &Candidate) -> bool {
        let marks = [
            SECRET_REMOVED,
            UNREADABLE_REMOVED,
            LINE_REMOVED,
            OVERLONG_REMOVED,
            VALUE_REMOVED,
        ];
        let is_ours = marks.iter().any(|mark| is_part_of(mark, &candidate.value));
        // A network of the name of a token, or of a mark, is left to the escaping of tokens.
        if is_ours || Pseudonym::parse(&candidate.value).is_some() {
            return false;
        }
        let address = candidate.value.parse::<IpAddr>().ok();
        let is_address = matches!(candidate.class, Class::Ipv4 | Class::Ipv6);
        match address.filter(|_| is_address && self.public == PublicAddresses::Keep) {
            Some(address) => !is_public(address) || self.network_of(address).is_some(),
            None => true,
        }
    }

    /// The token of a value, a new one if need be; `None` if the vault is full, or the value is far too long.
    pub(crate) fn token_of(&mut self, class: Class, spelling: &str) -> Option<Pseudonym> {
        let canonical = class.canonical(spelling);
        if let Some(index) = self.by_value.get(&(class, canonical)) {
            return Some(self.entries[*index].token);
        }
        if self.entries.len() >= self.limit || spelling.len() > LONGEST_VALUE {
            return None;
        }
        let token = match class {
            Class::Ipv4 | Class::Ipv6 => self.address_token(spelling.parse().ok()?)?,
            _ => {
                let kind = kind_of(class)?;
                let number = self.next(kind, 0);
                self.token(kind, 0, number)
            }
        };
        let index = self.insert(VaultEntry::new(
            class,
            token,
            spelling.to_owned(),
            String::new(),
        ))?;
        self.fresh.push(index);
        self.hold_device_within(class, spelling);
        Some(token)
    }

    /// An address that a device made from its hardware address gives that away.
    fn hold_device_within(&mut self, class: Class, spelling: &str) {
        let device = match class {
            Class::Ipv6 => spelling.parse::<Ipv6Addr>().ok().and_then(address::mac_of),
            Class::Mac => address::hardware(spelling).and_then(|bytes| address::mac_within(&bytes)),
            _ => None,
        };
        if let Some(device) = device {
            self.token_of(Class::Mac, &address::spelled(&device));
        }
    }

    fn address_token(&mut self, address: IpAddr) -> Option<Pseudonym> {
        let network = match self.network_of(address) {
            Some(network) => network.clone(),
            None if is_public(address) => {
                let number = self.next(TokenKind::Public, 0);
                return Some(self.token(TokenKind::Public, 0, number));
            }
            // No fact tells its network: it gets the usual size, and the legend says so.
            None => {
                let length = if address.is_ipv4() { 24 } else { 64 };
                let prefix = NetworkPrefix::of(address, length)?;
                let network = self.add(prefix, VaultEntry::ASSUMED.to_owned())?;
                if let Some(token) = self.known_token(address) {
                    return Some(token);
                }
                network
            }
        };
        let kind = if address.is_ipv4() {
            TokenKind::Ip
        } else {
            TokenKind::Ip6
        };
        let number = match network.prefix.host_number(address) {
            Some(number) => number,
            None => self.next(kind, network.number),
        };
        Some(self.token(kind, network.number, number))
    }

    /// The token of the base of a network that was added a moment ago.
    fn known_token(&self, address: IpAddr) -> Option<Pseudonym> {
        let class = if address.is_ipv4() {
            Class::Ipv4
        } else {
            Class::Ipv6
        };
        let index = self.by_value.get(&(class, address.to_string()))?;
        Some(self.entries[*index].token)
    }

    /// The smallest network of the site that an address is in.
    fn network_of(&self, address: IpAddr) -> Option<&SiteNetwork> {
        let around = self
            .networks
            .iter()
            .filter(|network| network.prefix.contains(address));
        around.max_by_key(|network| network.prefix.length())
    }

    fn next(&mut self, kind: TokenKind, network: u32) -> u32 {
        let last = self.last.entry((kind, network)).or_default();
        *last += 1;
        *last
    }

    fn token(&self, kind: TokenKind, network: u32, number: u32) -> Pseudonym {
        Pseudonym {
            kind,
            site: self.site.number.unwrap_or(0),
            network,
            number,
        }
    }

    /// Adds an entry. `None` if its value or token is taken: nothing is ever renumbered.
    fn insert(&mut self, entry: VaultEntry) -> Option<usize> {
        let key = (entry.class, entry.class.canonical(entry.value()));
        if let Some(index) = self.by_value.get(&key) {
            return (self.entries[*index].token == entry.token).then_some(*index);
        }
        if self.by_token.contains_key(&entry.token)
            || entry.token.site != self.site.number.unwrap_or(0)
        {
            return None;
        }
        if entry.class == Class::Network {
            let prefix = entry.value().parse().ok()?;
            let number = entry.token.number;
            self.networks.push(SiteNetwork { number, prefix });
        }
        let last = self
            .last
            .entry((entry.token.kind, entry.token.network))
            .or_default();
        *last = (*last).max(entry.token.number);
        let index = self.entries.len();
        self.by_value.insert(key, index);
        self.by_token.insert(entry.token, index);
        self.entries.push(entry);
        Some(index)
    }
}

/// True if a value is made of whole words of a mark, or holds all of it.
fn is_part_of(mark: &str, value: &str) -> bool {
    let mut places = mark.match_indices(value);
    value.contains(mark)
        || places.any(|(at, _)| is_free_before(mark, at) && is_free_after(mark, at + value.len()))
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address::reach(address) == AddressReach::Public,
        IpAddr::V6(address) => address::reach_v6(address) == AddressReach::Public,
    }
}

fn kind_of(class: Class) -> Option<TokenKind> {
    Some(match class {
        Class::Secret => return None,
        Class::Email => TokenKind::Mail,
        Class::Ipv4 => TokenKind::Ip,
        Class::Ipv6 => TokenKind::Ip6,
        Class::Mac => TokenKind::Mac,
        Class::Phone => TokenKind::Phone,
        Class::Imei => TokenKind::Imei,
        Class::Imsi => TokenKind::Imsi,
        Class::Iccid => TokenKind::Iccid,
        Class::Serial => TokenKind::Serial,
        Class::Ssid => TokenKind::Ssid,
        Class::Host => TokenKind::Host,
        Class::Person => TokenKind::Person,
        Class::Network => TokenKind::Network,
    })
}
