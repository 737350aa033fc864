//! The redaction of conversations: with the values of the one site that each is about.

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
        let values = &self.0.ports.values;
        let covered = values.cover(site.as_deref(), texts, tokens).await;
        covered.map_err(|fault| not_covered(&fault))
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
