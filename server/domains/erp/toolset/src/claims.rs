//! What is known of calls: the documents that they made, which another call never takes for its own, and
//! what their cards showed.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use jiff::tz::TimeZone;
use protocol::CallId;

use crate::{
    dates,
    made_documents::{MadeDocument, MadeDocuments, MadeDocumentsError, OpenDraft},
};

/// More than are made within the window in which a document is looked for.
const MOST: usize = 500;
/// Difference of the clocks that is allowed, in milliseconds.
const SKEW: i64 = 5_000;

/// The documents made last on a site: by this process, and in storage those of earlier ones.
pub(crate) struct Claims {
    site: String,
    made: Mutex<VecDeque<(MadeDocument, CallId)>>,
    open: Mutex<VecDeque<OpenDraft>>,
    kept: OnceLock<Arc<dyn MadeDocuments>>,
}

impl Claims {
    /// `site`: its address.
    pub(crate) fn new(site: &str) -> Self {
        Self {
            site: site.to_owned(),
            made: Mutex::default(),
            open: Mutex::default(),
            kept: OnceLock::new(),
        }
    }

    /// Keeps them beyond the end of the process, from now on.
    pub(crate) fn keep_in(&self, storage: Arc<dyn MadeDocuments>) {
        // A second storage would know nothing of the first.
        self.kept.get_or_init(|| storage);
    }

    /// Notes a document that a call is about to send, so that no other call takes it for its own.
    /// `since`: by the site's clock, in milliseconds since 1970.
    ///
    /// # Errors
    /// It was not noted: nothing may be sent then.
    pub(crate) async fn open(
        &self,
        doctype: &str,
        owner: &str,
        by: CallId,
        since: i64,
        content: String,
    ) -> Result<OpenDraft, MadeDocumentsError> {
        let draft = OpenDraft {
            site: self.site.clone(),
            doctype: doctype.to_owned(),
            call: by.to_string(),
            owner: owner.to_owned(),
            since_ms: since,
            content,
        };
        if let Some(kept) = self.kept.get() {
            kept.open(&draft).await?;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push_front(draft.clone());
        open.truncate(MOST);
        Ok(draft)
    }

    /// The site refused it, so it was not made.
    pub(crate) async fn close(&self, draft: &OpenDraft) {
        self.forget_open(&draft.doctype, &draft.call);
        if let Some(kept) = self.kept.get()
            && let Err(error) = kept.close(draft).await
        {
            // Then calls like it are unknown for longer than they need be.
            tracing::warn!(%error, call = draft.call, "a refused document was not forgotten");
        }
    }

    fn forget_open(&self, doctype: &str, call: &str) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|it| it.doctype != doctype || it.call != call);
    }

    /// Drafts that other calls sent as a user, and whose documents may exist.
    ///
    /// # Errors
    /// The calls of earlier processes cannot be read.
    pub(crate) async fn open_of_others(
        &self,
        doctype: &str,
        owner: &str,
        by: CallId,
    ) -> Result<Vec<OpenDraft>, MadeDocumentsError> {
        let by = by.to_string();
        let mut found = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let of = open.iter().filter(|it| it.doctype == doctype);
            of.cloned().collect::<Vec<_>>()
        };
        if let Some(kept) = self.kept.get() {
            found.extend(kept.opened(&self.site, doctype).await?);
        }
        found.retain(|it| it.owner == owner && it.call != by);
        Ok(found)
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
        self.forget_open(doctype, &by.to_string());
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

/// True if the ERP may have made a document for an open call at a time, as the site writes it. `window`: the
/// time in which it takes a call, in milliseconds.
pub(crate) fn is_of_then(open: &OpenDraft, creation: &str, zone: &TimeZone, window: i64) -> bool {
    let [from, until] = local_span(open.since_ms - SKEW, open.since_ms + window, zone);
    // Without the fraction of a second.
    let at = creation.get(..19).unwrap_or(creation);
    from.as_str() <= at && at <= until.as_str()
}

/// The span between two instants as Frappe writes its ends at a place. In the hour that a clock shows
/// twice it is longer, so that it has all of it.
pub(crate) fn local_span(from: i64, to: i64, zone: &TimeZone) -> [String; 2] {
    let [first, last] = [from, to].map(|at| dates::local(at, zone));
    if first <= last {
        return [first, last];
    }
    let hour = 3_600_000;
    [
        dates::local(from - hour, zone),
        dates::local(to + hour, zone),
    ]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_all_of_the_hour_that_a_clock_shows_twice() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        // From 02:59:50 in summer time to 02:02:20 in winter time.
        let from = 1_792_889_990_000;
        let [first, last] = local_span(from, from + 150_000, &zone);
        for at in [from, from + 9_000, from + 11_000, from + 150_000] {
            let text = dates::local(at, &zone);
            assert!(first <= text && text <= last, "{first} {text} {last}");
        }
        let day = from + 86_400_000;
        let ends = [day, day + 150_000].map(|at| dates::local(at, &zone));
        assert_eq!(local_span(day, day + 150_000, &zone), ends);
    }
}
