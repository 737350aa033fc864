//! Hidden values, for the toolset.

use agent::ports::{LeakedValue, TokenRule};
use async_trait::async_trait;
use field::ports::{FieldFault, FieldFaultCode, FieldValues, LookNote, LookOrder, RevealedValue};
use field_tables::LookRequest;
use protocol::{ConversationId, Timestamp};

use super::faults::{fault, stored};
use super::records::damaged;
use super::{FieldBackend, INSTALLATION};
use crate::vaults::CoverSource;

#[async_trait]
impl FieldValues for FieldBackend {
    async fn site_of(
        &self,
        conversation: ConversationId,
        site: Option<&str>,
    ) -> Result<Option<String>, FieldFault> {
        let conversation = conversation.to_string();
        let found = self
            .tables()
            .site_of_conversation(&conversation, site)
            .await;
        found.map_err(stored)
    }

    async fn cover(
        &self,
        site: Option<&str>,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, FieldFault> {
        let site = site.unwrap_or(INSTALLATION);
        let source = match tokens {
            TokenRule::Escape => CoverSource::Outside,
            TokenRule::Keep => CoverSource::TokenUser,
        };
        let mut covered = Vec::with_capacity(texts.len());
        for text in &texts {
            let done = self.dispatch.cover(site, text, source).await;
            covered.push(done.map_err(fault(FieldFaultCode::Storage))?.text);
        }
        Ok(covered)
    }

    fn fixed_text(&self, text: &str) {
        self.dispatch.set_fixed_text(text);
    }

    async fn leaks(
        &self,
        _conversation: ConversationId,
        site: Option<&str>,
        request: &[u8],
    ) -> Result<Option<LeakedValue>, FieldFault> {
        let site = site.unwrap_or(INSTALLATION);
        let leak = self.dispatch.leaks(site, request.to_vec()).await;
        let leak = leak.map_err(fault(FieldFaultCode::Storage))?;
        Ok(leak.map(|leak| LeakedValue {
            class: leak.class.name().to_owned(),
            token: leak.token.to_string(),
        }))
    }

    async fn reveal(&self, look: &LookOrder) -> Result<Vec<RevealedValue>, FieldFault> {
        if !self.parts.rights.may_see_values(look.person).await {
            return Err(FieldFaultCode::NotAllowed.into());
        }
        let request = LookRequest {
            site: look.site.clone(),
            tokens: look.tokens.clone(),
            person: look.person.to_string(),
            place: look.place.clone(),
        };
        let shown = self.dispatch.reveal(&request).await;
        let shown = shown.map_err(fault(FieldFaultCode::Storage))?.into_iter();
        let shown = shown.map(|value| RevealedValue {
            token: value.token,
            class: value.class,
            value: value.value,
        });
        Ok(shown.collect())
    }

    async fn looks(&self, site: &str, limit: u32) -> Result<Vec<LookNote>, FieldFault> {
        let looks = self
            .tables()
            .looks(Some(site), None, limit)
            .await
            .map_err(stored)?;
        let notes = looks.into_iter().map(|look| {
            Ok(LookNote {
                at: Timestamp(look.at_ms),
                person: look
                    .person
                    .parse()
                    .map_err(|_| damaged("person of a look"))?,
                place: look.place,
                shown: look.shown,
            })
        });
        notes.collect()
    }
}
