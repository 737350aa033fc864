//! The redaction of conversations: with the values of the one site that each is about. Relayed calls that
//! name nothing are covered with those of every site.

use std::sync::Arc;

use agent::ports::{LeakedValue, NotCovered, Redaction, RedactionScope, TokenRule};
use async_trait::async_trait;

use crate::{
    parts::FieldParts,
    ports::FieldFault,
    things::{self, FieldThing},
};

pub(crate) struct SiteRedaction(pub(crate) Arc<FieldParts>);

impl SiteRedaction {
    /// The site of a conversation: the first one that a message of it named stays.
    async fn site(&self, scope: &RedactionScope) -> Result<Option<String>, NotCovered> {
        let thing = scope.about.iter().find_map(FieldThing::of);
        let named = match thing {
            Some(thing) => things::site_of(&self.0, &thing).await,
            None => None,
        };
        let values = &self.0.ports.values;
        let site = values.site_of(scope.conversation, named.as_deref());
        site.await.map_err(|fault| not_covered(&fault))
    }

    /// Texts with tokens in place of the values of a site, or of the installation.
    async fn covered(
        &self,
        site: Option<&str>,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, NotCovered> {
        let covered = self.0.ports.values.cover(site, texts, tokens).await;
        covered.map_err(|fault| not_covered(&fault))
    }

    /// Covers texts that may be about any site, and have been with the values of the installation. A site
    /// is asked only if one of its values is there: its vault takes in no value of another one, and most
    /// are not read.
    async fn with_every_site(
        &self,
        scope: &RedactionScope,
        mut texts: Vec<String>,
    ) -> Result<Vec<String>, NotCovered> {
        let (snapshot, whole) = (self.0.snapshot(), texts.join("\n"));
        let mut is_changed = false;
        for site in &snapshot.sites {
            let site = Some(site.id.as_str());
            let values = &self.0.ports.values;
            let found = values.leaks(scope.conversation, site, whole.as_bytes());
            let found = found.await.map_err(|fault| not_covered(&fault))?;
            if found.is_some() {
                texts = self.covered(site, texts, TokenRule::Keep).await?;
                is_changed = true;
            }
        }
        if is_changed {
            // A call about no site can use no token of one: they are escaped, now as later.
            texts = self.covered(None, texts, TokenRule::Keep).await?;
        }
        Ok(texts)
    }
}

#[async_trait]
impl Redaction for SiteRedaction {
    async fn cover(
        &self,
        scope: &RedactionScope,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, NotCovered> {
        let site = self.site(scope).await?;
        let covered = self.covered(site.as_deref(), texts, tokens).await?;
        if site.is_none() && scope.is_relayed {
            self.with_every_site(scope, covered).await
        } else {
            Ok(covered)
        }
    }

    fn fixed_text(&self, text: &str) {
        self.0.ports.values.fixed_text(text);
    }

    async fn leaks(
        &self,
        scope: &RedactionScope,
        request: &[u8],
    ) -> Result<Option<LeakedValue>, NotCovered> {
        let bound = self.site(scope).await?;
        let snapshot = self.0.snapshot();
        // Words of a conversation that is about no site yet may be about any: a name of one that is only
        // known there was not covered.
        let sites: Vec<Option<&str>> = match &bound {
            Some(site) => vec![Some(site)],
            None => {
                let all = snapshot.sites.iter().map(|site| Some(site.id.as_str()));
                [None].into_iter().chain(all).collect()
            }
        };
        for site in sites {
            let values = &self.0.ports.values;
            let leak = values.leaks(scope.conversation, site, request).await;
            if let Some(leak) = leak.map_err(|fault| not_covered(&fault))? {
                return Ok(Some(leak));
            }
        }
        Ok(None)
    }
}

/// For the log: a fault has no hidden value in it.
fn not_covered(fault: &FieldFault) -> NotCovered {
    NotCovered(fault.to_string())
}
