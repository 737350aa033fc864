//! The outcome of a call whose answer was lost, by the document as it is now.

use agent::ports::{Reconciled, ToolError};
use protocol::{ErrorBody, Timestamp, ToolOutput};

use crate::tools::writing::{acting, plan::ErpSubject};
use crate::{site::ErpSite, texts::verdict as say};

/// The trace of a call in a document.
pub(crate) enum ErpVerdict {
    /// The effect is there.
    Done(Result<ToolOutput, ErrorBody>),
    /// The effect is not there, whether or not the document has changed otherwise since.
    Before,
    /// The same with the reason why it stays so; but the reason may be of an earlier call.
    Undone(String),
    /// The same of a reason that is of this call, or of one that was made since.
    Refused(String),
    /// It cannot be told, with the facts that are known in one sentence.
    Open(String),
}

/// Judges a call that a crash cut off. `is_whole`: the effect is one change of the docstatus, so a
/// document that has changed in another way does not have it.
pub(crate) fn judge(
    site: &ErpSite,
    subject: &ErpSubject,
    modified: &str,
    since: Timestamp,
    is_whole: bool,
    verdict: ErpVerdict,
) -> Reconciled {
    let is_over = acting::is_over(site, site.client.at_site(since.0));
    match verdict {
        ErpVerdict::Done(done) => Reconciled::Done(done.map_err(ToolError)),
        ErpVerdict::Open(what) => Reconciled::Unknown(what),
        ErpVerdict::Refused(why) => Reconciled::NotDone(why),
        ErpVerdict::Undone(why) if is_over => Reconciled::NotDone(why),
        ErpVerdict::Before | ErpVerdict::Undone(_) if !is_over => {
            let name = &subject.name;
            Reconciled::Unknown(if subject.is_copy(modified) {
                say::may_still_work(name)
            } else {
                let by = subject.shown("modified_by");
                say::changed_by_and_may_still_work(name, by.as_deref())
            })
        }
        ErpVerdict::Before if subject.is_copy(modified) => {
            Reconciled::NotDone(say::has_not_changed(&subject.name))
        }
        ErpVerdict::Before if is_whole => {
            Reconciled::NotDone(say::changed_otherwise(&subject.name, subject.docstatus()))
        }
        ErpVerdict::Before | ErpVerdict::Undone(_) => {
            let by = subject.shown("modified_by");
            Reconciled::Unknown(say::changed_by(&subject.name, by.as_deref()))
        }
    }
}
