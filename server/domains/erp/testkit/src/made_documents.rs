//! The documents that calls have made, in memory, and their contract.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use erp::{MadeDocument, MadeDocuments, MadeDocumentsError};

use crate::SITE;

const DAY_MS: i64 = 24 * 3_600_000;

/// Makers in memory. Clones are the same.
#[derive(Clone, Default)]
pub struct MemoryMadeDocuments(Arc<Mutex<HashMap<MadeDocument, (String, i64)>>>);

#[async_trait]
impl MadeDocuments for MemoryMadeDocuments {
    async fn keep(
        &self,
        made: &MadeDocument,
        call: &str,
        at_ms: i64,
    ) -> Result<(), MadeDocumentsError> {
        let mut all = self.0.lock().unwrap();
        all.insert(made.clone(), (call.to_owned(), at_ms));
        all.retain(|_, it| it.1 >= at_ms - 30 * DAY_MS);
        Ok(())
    }

    async fn maker(&self, made: &MadeDocument) -> Result<Option<String>, MadeDocumentsError> {
        let all = self.0.lock().unwrap();
        Ok(all.get(made).map(|it| it.0.clone()))
    }
}

/// The contract of a store of makers, on one without any.
pub async fn makers_contract(makers: Arc<dyn MadeDocuments>) {
    let made = MadeDocument {
        site: SITE.to_owned(),
        doctype: "Sales Order".to_owned(),
        name: "SAL-ORD-2026-00001".to_owned(),
        creation: "2026-11-21 16:30:04.000001".to_owned(),
    };
    assert_eq!(makers.maker(&made).await, Ok(None));
    for call in ["call_1", "call_2"] {
        makers.keep(&made, call, 1).await.unwrap();
        assert_eq!(makers.maker(&made).await, Ok(Some(call.to_owned())));
    }
    // Another site, type or name is another document, and so is one that was made at another time.
    let other = |change: fn(&mut MadeDocument, String)| {
        let mut other = made.clone();
        change(&mut other, "another".to_owned());
        other
    };
    for other in [
        other(|it, text| it.site = text),
        other(|it, text| it.doctype = text),
        other(|it, text| it.name = text),
        other(|it, text| it.creation = text),
    ] {
        assert_eq!(makers.maker(&other).await, Ok(None));
        makers.keep(&other, "call_3", 30 * DAY_MS).await.unwrap();
    }
    assert_eq!(makers.maker(&made).await, Ok(Some("call_2".to_owned())));
    // What is older than 30 days goes when another is kept.
    let last = other(|it, text| it.name = format!("{text} one"));
    makers.keep(&last, "call_4", 30 * DAY_MS + 2).await.unwrap();
    assert_eq!(makers.maker(&made).await, Ok(None));
    assert_eq!(makers.maker(&last).await, Ok(Some("call_4".to_owned())));
}
