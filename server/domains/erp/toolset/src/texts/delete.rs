//! Texts about deleting.

pub(crate) const NEVER: &str = "Nothing is deleted in the ERP from here, whoever asks. A submitted document \
     can be cancelled; a person deletes drafts in the ERP.";
