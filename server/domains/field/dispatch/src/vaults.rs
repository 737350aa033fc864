//! The values of each site and their tokens: opened at the start, grown as texts are covered, stored
//! before a covered text is used.

mod rows;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use field_redaction::{
    ClassTally, ExportShapes, Leak, PublicAddresses, RedactionError, SiteScope, Vault, VaultEntry,
    VaultKeys, VendorParts,
};
use field_tables::{FieldSite, FieldTables, LookRequest, VaultWrite};

use self::rows::{entry_of, row_of};
use crate::error::DispatchRefusal;

/// Values that texts may bring to a site. Networks come on top, and the tables take no more than that.
const MOST_OF_TEXTS: usize = 18_000;
/// Attempts to store what a text brought, if somebody else writes at the same time.
const TRIES: usize = 4;

/// Source of a text, which decides about tokens that stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverSource {
    /// From outside: what looks like a token is escaped.
    Outside,
    /// Covered before, or from somebody who may use tokens of this site.
    TokenUser,
}

/// A text with tokens in place of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredText {
    pub text: String,
    /// Values by class, removed secrets, and what could not be read.
    pub counts: ClassTally,
}

/// A value for a person who may see it. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ShownValue {
    pub token: String,
    /// Such as `ipv4`.
    pub class: String,
    pub value: String,
}

impl std::fmt::Debug for ShownValue {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "ShownValue({} …)", self.token)
    }
}

/// The vaults of all sites.
pub(crate) struct SiteVaults {
    tables: FieldTables,
    keys: VaultKeys,
    sites: RwLock<HashMap<String, Arc<SiteVault>>>,
    /// Text of the server itself in each request.
    fixed: RwLock<String>,
}

struct SiteVault {
    /// Held while a text is covered and its values are stored. The revision that the store has, or none if the
    /// vault may be another one than the store's: a failure, or a call that was cut off, leaves it so.
    revision: Arc<tokio::sync::Mutex<Option<u64>>>,
    vault: Mutex<Vault>,
}

impl SiteVault {
    fn lock(&self) -> MutexGuard<'_, Vault> {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteVaults {
    /// Opens the vaults of all sites.
    pub(crate) async fn open(
        tables: FieldTables,
        keys: VaultKeys,
    ) -> Result<Self, DispatchRefusal> {
        let vaults = Self {
            tables,
            keys,
            sites: RwLock::default(),
            fixed: RwLock::default(),
        };
        for site in vaults.tables.sites().await? {
            vaults.load(&site).await?;
        }
        Ok(vaults)
    }

    /// Opens the vault of a site.
    pub(crate) async fn load(&self, site: &FieldSite) -> Result<(), DispatchRefusal> {
        let (vault, revision) = self.read(site).await?;
        let opened = Arc::new(SiteVault {
            revision: Arc::new(tokio::sync::Mutex::new(Some(revision))),
            vault: Mutex::new(vault),
        });
        let mut sites = self.sites.write().unwrap_or_else(PoisonError::into_inner);
        sites.insert(site.id.clone(), opened);
        Ok(())
    }

    async fn read(&self, site: &FieldSite) -> Result<(Vault, u64), DispatchRefusal> {
        let scope = SiteScope {
            id: site.id.clone(),
            number: Some(site.number),
        };
        let public = if site.covers_public {
            PublicAddresses::Cover
        } else {
            PublicAddresses::Keep
        };
        let stored = self.tables.vault(&site.id).await?;
        let entries = stored.entries.iter().map(entry_of);
        let entries: Vec<_> = entries.collect::<Result<_, _>>().map_err(failed)?;
        let vault = Vault::open(scope, public, &self.keys, entries).map_err(failed)?;
        let vault = vault.with_limit(MOST_OF_TEXTS);
        let fixed = self.fixed.read().unwrap_or_else(PoisonError::into_inner);
        Ok((vault.with_fixed_text(&fixed), stored.revision))
    }

    /// Sets the fixed text of all sites, also of those that are opened later.
    pub(crate) fn set_fixed_text(&self, text: &str) {
        let mut fixed = self.fixed.write().unwrap_or_else(PoisonError::into_inner);
        text.clone_into(&mut fixed);
        drop(fixed);
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        for site in sites.values() {
            let mut vault = site.lock();
            *vault = vault.clone().with_fixed_text(text);
        }
    }

    fn site(&self, site: &str) -> Option<Arc<SiteVault>> {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.get(site).map(Arc::clone)
    }

    /// Covers a text. Its tokens are stored when this returns.
    pub(crate) async fn cover(
        &self,
        site: &str,
        text: &str,
        source: CoverSource,
        at_ms: i64,
    ) -> Result<CoveredText, DispatchRefusal> {
        let opened = self.site(site).ok_or_else(DispatchRefusal::not_found)?;
        let mut revision = Arc::clone(&opened.revision).lock_owned().await;
        for _ in 0..TRIES {
            // None until the store has what this text brings, wherever this ends.
            let known = match revision.take() {
                Some(known) => known,
                None => self.reread(site, &opened).await?,
            };
            let (within, text) = (Arc::clone(&opened), text.to_owned());
            // With the lock: a call that is cut off does not end this, and nobody reads the vault before.
            let covered = tokio::task::spawn_blocking(move || {
                let mut vault = within.lock();
                let covered = match source {
                    CoverSource::Outside => vault.cover(&text),
                    CoverSource::TokenUser => vault.cover_again(&text),
                };
                (covered, revision)
            });
            let covered = covered.await;
            let (covered, held) = covered.map_err(|error| DispatchRefusal::failed(&error))?;
            revision = held;
            let kept = if covered.new.is_empty() {
                Some(known)
            } else {
                self.keep(site, known, &covered.new, at_ms).await?
            };
            // Else others wrote: the store is right.
            if kept.is_some() {
                *revision = kept;
                return Ok(CoveredText {
                    text: covered.text,
                    counts: covered.counts,
                });
            }
        }
        Err(DispatchRefusal::failed(&"the vault changes all the time"))
    }

    /// Stores entries. None if the store has others since.
    async fn keep(
        &self,
        site: &str,
        revision: u64,
        entries: &[VaultEntry],
        at_ms: i64,
    ) -> Result<Option<u64>, DispatchRefusal> {
        let rows = entries.iter().map(|entry| {
            let sealed = entry.seal(site, &self.keys, rand::random());
            sealed.map(|sealed| row_of(sealed, at_ms))
        });
        let rows: Vec<_> = rows.collect::<Result<_, _>>().map_err(failed)?;
        match self.tables.keep_values(site, revision, &rows).await? {
            VaultWrite::Kept(revision) => Ok(Some(revision)),
            VaultWrite::Behind(_) => Ok(None),
            VaultWrite::Clash(token) => {
                Err(DispatchRefusal::failed(&format_args!("{token} is taken")))
            }
        }
    }

    /// Reads the vault of a site anew, after a change of the site. Texts that are being covered come first.
    pub(crate) async fn reload(&self, site: &str) -> Result<(), DispatchRefusal> {
        let opened = self.site(site).ok_or_else(DispatchRefusal::not_found)?;
        let mut revision = opened.revision.lock().await;
        // If this fails, the next text reads it first.
        *revision = None;
        *revision = Some(self.reread(site, &opened).await?);
        Ok(())
    }

    async fn reread(&self, site: &str, opened: &SiteVault) -> Result<u64, DispatchRefusal> {
        let site = self.tables.site(site).await?;
        let (vault, revision) = self
            .read(&site.ok_or_else(DispatchRefusal::not_found)?)
            .await?;
        *opened.lock() = vault;
        Ok(revision)
    }

    /// A text with values in place of the tokens of a site. None if the site is not known.
    pub(crate) fn restore(&self, site: &str, text: &str) -> Option<Result<String, RedactionError>> {
        let opened = self.site(site)?;
        let restored = opened.lock().restore(text);
        Some(restored)
    }

    /// The first value of a site in some bytes.
    pub(crate) async fn leaks(
        &self,
        site: &str,
        bytes: Vec<u8>,
    ) -> Result<Option<Leak>, DispatchRefusal> {
        let Some(opened) = self.site(site) else {
            return Ok(None);
        };
        // Whoever has the lock reads the vault as well, before anything else.
        if let Ok(mut revision) = opened.revision.try_lock()
            && revision.is_none()
        {
            *revision = Some(self.reread(site, &opened).await?);
        }
        let found = tokio::task::spawn_blocking(move || opened.lock().leaks(&bytes));
        found.await.map_err(|error| DispatchRefusal::failed(&error))
    }

    /// A covered text in the form for others.
    pub(crate) async fn export(
        &self,
        site: &str,
        covered: String,
        shapes: ExportShapes,
    ) -> Result<String, DispatchRefusal> {
        let opened = self.site(site).ok_or_else(DispatchRefusal::not_found)?;
        // On a copy: it takes long, and a script whose tokens are restored does not wait for it.
        let exported = tokio::task::spawn_blocking(move || {
            let vault = opened.lock().clone();
            vault.export(&covered, &shapes)
        });
        let exported = exported
            .await
            .map_err(|error| DispatchRefusal::failed(&error))?;
        exported.map_err(failed)
    }

    /// The lines that explain the tokens of a site.
    pub(crate) fn legend(&self, site: &str) -> Option<String> {
        let opened = self.site(site)?;
        let legend = opened.lock().legend(VendorParts::Shown);
        Some(legend)
    }

    /// The values of some tokens. The look is recorded before any of them is given out.
    pub(crate) async fn reveal(
        &self,
        look: &LookRequest,
        at_ms: i64,
    ) -> Result<Vec<ShownValue>, DispatchRefusal> {
        let rows = self.tables.reveal(look, at_ms).await?;
        let shown = rows.iter().map(|row| {
            let entry = entry_of(row)?.open(&look.site, &self.keys)?;
            Ok(ShownValue {
                token: entry.token.to_string(),
                class: entry.class.name().to_owned(),
                value: entry.value().to_owned(),
            })
        });
        shown.collect::<Result<_, _>>().map_err(failed)
    }
}

/// Errors of redaction name tokens, never values.
fn failed(error: RedactionError) -> DispatchRefusal {
    DispatchRefusal::failed(&error)
}
