//! Hidden values.

use async_trait::async_trait;
use field::{
    field_redaction::Pseudonym,
    ports::{
        ConversationId, FieldFault, FieldFaultCode, FieldValues, LeakedValue, LookNote, LookOrder,
        RevealedValue, TokenRule,
    },
};

use crate::MemoryField;

#[async_trait]
impl FieldValues for MemoryField {
    async fn site_of(
        &self,
        conversation: ConversationId,
        site: Option<&str>,
    ) -> Result<Option<String>, FieldFault> {
        let mut state = self.state.lock().unwrap();
        state.storage()?;
        if let Some(bound) = state.conversations.get(&conversation) {
            return Ok(Some(bound.clone()));
        }
        if let Some(site) = site {
            state.conversations.insert(conversation, site.to_owned());
        }
        Ok(site.map(str::to_owned))
    }

    async fn cover(
        &self,
        site: Option<&str>,
        texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, FieldFault> {
        let mut state = self.state.lock().unwrap();
        state.storage()?;
        let vault = state.vault(site.unwrap_or_default());
        let covered = texts.iter().map(|text| match tokens {
            TokenRule::Escape => vault.cover(text).text,
            TokenRule::Keep => vault.cover_again(text).text,
        });
        Ok(covered.collect())
    }

    fn fixed_text(&self, text: &str) {
        let mut state = self.state.lock().unwrap();
        for vault in state.vaults.values_mut() {
            *vault = vault.clone().with_fixed_text(text);
        }
    }

    async fn leaks(
        &self,
        _conversation: ConversationId,
        site: Option<&str>,
        request: &[u8],
    ) -> Result<Option<LeakedValue>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let vault = state.vaults.get(site.unwrap_or_default());
            let leak = vault.and_then(|vault| vault.leaks(request));
            Ok(leak.map(|leak| LeakedValue {
                class: leak.class.name().to_owned(),
                token: leak.token.to_string(),
            }))
        })
    }

    async fn reveal(&self, look: &LookOrder) -> Result<Vec<RevealedValue>, FieldFault> {
        let mut state = self.state.lock().unwrap();
        state.storage()?;
        if state.viewers.contains(&look.person) {
            return Err(FieldFaultCode::NotAllowed.into());
        }
        let vault = state.vault(&look.site);
        let tokens = look.tokens.iter().filter_map(|it| Pseudonym::parse(it));
        let found = tokens.filter_map(|token| vault.entry(token));
        let values: Vec<_> = found
            .map(|entry| RevealedValue {
                token: entry.token.to_string(),
                class: entry.class.name().to_owned(),
                value: entry.value().to_owned(),
            })
            .collect();
        let note = LookNote {
            at: self.env.now(),
            person: look.person,
            place: look.place.clone(),
            shown: u32::try_from(values.len()).unwrap(),
        };
        let is_new = |known: &LookNote| known.place != note.place || known.person != note.person;
        if state.looks.iter().all(is_new) {
            state.looks.push(note);
        }
        Ok(values)
    }

    async fn looks(&self, _site: &str, limit: u32) -> Result<Vec<LookNote>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let newest = state.looks.iter().rev().take(limit as usize);
            Ok(newest.cloned().collect())
        })
    }
}
