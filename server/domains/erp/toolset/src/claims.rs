//! What is known of calls: the documents that they made, which another call never takes for its own, and
//! what their cards showed.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use protocol::CallId;

use crate::made_documents::{MadeDocument, MadeDocuments, MadeDocumentsError};

/// More than are made within the window in which a document is looked for.
const MOST: usize = 500;

/// The documents made last on a site: by this process, and in storage those of earlier ones.
pub(crate) struct Claims {
    site: String,
    made: Mutex<VecDeque<(MadeDocument, CallId)>>,
    kept: OnceLock<Arc<dyn MadeDocuments>>,
}

impl Claims {
    /// `site`: its address.
    pub(crate) fn new(site: &str) -> Self {
        Self {
            site: site.to_owned(),
            made: Mutex::default(),
            kept: OnceLock::new(),
        }
    }

    /// Keeps them beyond the end of the process, from now on.
    pub(crate) fn keep_in(&self, storage: Arc<dyn MadeDocuments>) {
        // A second storage would know nothing of the first.
        self.kept.get_or_init(|| storage);
    }

    /// Notes who made a document. `at_ms`: now, in milliseconds since 1970.
    pub(crate) async fn claim(
        &self,
        doctype: &str,
        name: &str,
        creation: &str,
        by: CallId,
        at_ms: i64,
    ) {
        let made = self.document(doctype, name, creation);
        {
            let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            all.push_front((made.clone(), by));
            all.truncate(MOST);
        }
        if let Some(kept) = self.kept.get()
            && let Err(error) = kept.keep(&made, &by.to_string(), at_ms).await
        {
            // Known until the process ends.
            tracing::warn!(%error, call = %by, "the maker of a document was not kept");
        }
    }

    /// True if another call made it.
    ///
    /// # Errors
    /// The calls of earlier processes cannot be read.
    pub(crate) async fn is_of_another(
        &self,
        doctype: &str,
        name: &str,
        creation: &str,
        by: CallId,
    ) -> Result<bool, MadeDocumentsError> {
        let made = self.document(doctype, name, creation);
        let known = {
            let all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            all.iter().find(|it| it.0 == made).map(|it| it.1)
        };
        if let Some(maker) = known {
            return Ok(maker != by);
        }
        let Some(kept) = self.kept.get() else {
            return Ok(false);
        };
        let maker = kept.maker(&made).await?;
        Ok(maker.is_some_and(|maker| maker != by.to_string()))
    }

    fn document(&self, doctype: &str, name: &str, creation: &str) -> MadeDocument {
        // Zeros at the end of the fraction are not written everywhere.
        let creation = match creation.split_once('.') {
            Some(_) => creation.trim_end_matches('0').trim_end_matches('.'),
            None => creation,
        };
        MadeDocument {
            site: self.site.clone(),
            doctype: doctype.to_owned(),
            name: name.to_owned(),
            creation: creation.to_owned(),
        }
    }
}

/// Digests of what cards showed, for calls whose effect only the ERP computes: what it computes when
/// the call runs has to be the same.
#[derive(Debug, Default)]
pub(crate) struct ShownEffects(Mutex<VecDeque<(CallId, String)>>);

impl ShownEffects {
    /// Keeps what the newest card of a call showed.
    pub(crate) fn keep(&self, call: CallId, digest: String) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.retain(|it| it.0 != call);
        shown.push_front((call, digest));
        shown.truncate(MOST);
    }

    /// True if the card of a call showed something else. A call that was never shown has no card.
    pub(crate) fn differs(&self, call: CallId, digest: &str) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.iter().any(|it| it.0 == call && it.1 != digest)
    }
}
