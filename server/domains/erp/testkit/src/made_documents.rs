//! The documents that calls have made, in memory, and their contract.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use erp::{MadeDocument, MadeDocuments, MadeDocumentsError, OpenDraft};

use crate::SITE;

const DAY_MS: i64 = 24 * 3_600_000;

/// Makers in memory, and what is open. Clones are the same.
#[derive(Clone, Default)]
pub struct MemoryMadeDocuments(Arc<Mutex<KeptDocuments>>);

#[derive(Default)]
struct KeptDocuments {
    made: HashMap<MadeDocument, (String, i64)>,
    /// By site, type and call.
    open: BTreeMap<[String; 3], OpenDraft>,
}

fn key(site: &str, doctype: &str, call: &str) -> [String; 3] {
    [site, doctype, call].map(str::to_owned)
}

#[async_trait]
impl MadeDocuments for MemoryMadeDocuments {
    async fn open(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError> {
        let mut all = self.0.lock().unwrap();
        let since = draft.since_ms - 30 * DAY_MS;
        all.open.retain(|_, it| it.since_ms >= since);
        let key = key(&draft.site, &draft.doctype, &draft.call);
        all.open.insert(key, draft.clone());
        Ok(())
    }

    async fn close(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError> {
        let mut all = self.0.lock().unwrap();
        all.open
            .remove(&key(&draft.site, &draft.doctype, &draft.call));
        Ok(())
    }

    async fn opened(
        &self,
        site: &str,
        doctype: &str,
    ) -> Result<Vec<OpenDraft>, MadeDocumentsError> {
        let all = self.0.lock().unwrap();
        let open = all.open.values();
        let open = open.filter(|it| it.site == site && it.doctype == doctype);
        Ok(open.cloned().collect())
    }

    async fn keep(
        &self,
        made: &MadeDocument,
        call: &str,
        at_ms: i64,
    ) -> Result<(), MadeDocumentsError> {
        let mut all = self.0.lock().unwrap();
        all.made.insert(made.clone(), (call.to_owned(), at_ms));
        all.made.retain(|_, it| it.1 >= at_ms - 30 * DAY_MS);
        all.open.remove(&key(&made.site, &made.doctype, call));
        Ok(())
    }

    async fn maker(&self, made: &MadeDocument) -> Result<Option<String>, MadeDocumentsError> {
        let all = self.0.lock().unwrap();
        Ok(all.made.get(made).map(|it| it.0.clone()))
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
    opens(&*makers, &last).await;
}

/// A draft stays open until its document is made or it is closed.
async fn opens(makers: &dyn MadeDocuments, made: &MadeDocument) {
    let opened = async || makers.opened(SITE, "Sales Order").await.unwrap();
    let draft = |call: &str, since_ms: i64| OpenDraft {
        site: SITE.to_owned(),
        doctype: "Sales Order".to_owned(),
        call: call.to_owned(),
        owner: "agent@company.example".to_owned(),
        since_ms,
        content: format!("{{\"of\": \"{call}\"}}"),
    };
    assert_eq!(opened().await, Vec::new());
    let [first, second, third] = ["call_1", "call_2", "call_3"].map(|call| draft(call, 2));
    for it in [&third, &first, &draft("call_2", 1), &second] {
        makers.open(it).await.unwrap();
    }
    // The newest of each call, by call; others are of another type or site.
    assert_eq!(
        opened().await,
        [first.clone(), second.clone(), third.clone()]
    );
    assert_eq!(makers.opened(SITE, "Sales Invoice").await, Ok(Vec::new()));
    assert_eq!(
        makers.opened("another", "Sales Order").await,
        Ok(Vec::new())
    );
    makers.close(&second).await.unwrap();
    makers.close(&second).await.unwrap();
    // One of another type closes nothing.
    let mut made = made.clone();
    for doctype in ["Sales Invoice", "Sales Order"] {
        assert_eq!(opened().await, [first.clone(), third.clone()]);
        doctype.clone_into(&mut made.doctype);
        SITE.clone_into(&mut made.site);
        makers.keep(&made, "call_1", 0).await.unwrap();
    }
    assert_eq!(opened().await, [third]);
    // What is older than 30 days goes when another is opened.
    let last = draft("call_5", 30 * DAY_MS + 3);
    makers.open(&last).await.unwrap();
    assert_eq!(opened().await, [last]);
}
