//! Sentences for each kind of refusal by the ERP, and the next step.

pub(crate) fn with_words(sentence: &str, words: &str) -> String {
    format!("{sentence} The ERP says: “{words}”")
}

pub(crate) fn retry_after(sentence: &str, seconds: u64) -> String {
    format!("{sentence} It asks to wait {seconds} s.")
}

pub(crate) const AUTHENTICATION: &str = "The ERP refused the API key.";
pub(crate) const SESSION_EXPIRED: &str = "The ERP says that the session has expired.";
pub(crate) const CSRF: &str = "The ERP asks for a CSRF token, so it did not take the API key.";
pub(crate) const OWN_KEY: &str = "The ERP refused the person's own API key.";
pub(crate) const PERMISSION: &str = "The ERP user of this key lacks the right for this.";
pub(crate) const NOT_FOUND: &str = "The ERP has no such document or type.";
pub(crate) const DUPLICATE: &str = "The ERP already has a document with this name.";
pub(crate) const MANDATORY: &str = "Mandatory fields are missing.";
pub(crate) const LINK: &str = "A link names a document that does not exist.";
pub(crate) const CANCELLED_LINK: &str = "A link names a cancelled document.";
pub(crate) const STALE: &str = "The document has been changed since it was read.";
pub(crate) const NOT_UNIQUE: &str = "A value that must be unique is already in use.";
pub(crate) const LINKED: &str = "Other documents link to this one.";
pub(crate) const DOCSTATUS: &str =
    "The ERP does not allow this step between draft, submitted and cancelled.";
pub(crate) const AFTER_SUBMIT: &str = "This field cannot change after the document is submitted.";
pub(crate) const CONSTANT: &str = "This field can be set only once.";
pub(crate) const LOCKED: &str = "The document is locked while the ERP works on it.";
pub(crate) const NEGATIVE: &str = "A value may not be negative.";
pub(crate) const QUERY_FIELD: &str = "The ERP does not allow this field or value in a query.";
pub(crate) const ARGUMENT: &str = "The ERP refused the type of an argument.";
pub(crate) const WORKFLOW: &str = "The ERP's workflow does not allow this step.";
pub(crate) const NEGATIVE_STOCK: &str = "The stock is not enough.";
pub(crate) const OVER_ALLOWANCE: &str = "The quantity or amount is above what the source allows.";
pub(crate) const PERIOD: &str = "The books are closed for this date.";
pub(crate) const BUDGET: &str = "The budget does not allow it.";
pub(crate) const INVALID: &str = "The ERP found the request invalid.";
pub(crate) const RATE_LIMITED: &str = "The ERP limits the rate of requests.";
pub(crate) const MAINTENANCE: &str =
    "The ERP is in maintenance or read-only and takes no requests.";
pub(crate) const BUSY: &str = "The ERP's queue is overloaded.";
pub(crate) const LINK_EXPIRED: &str = "A link of the ERP has expired.";
pub(crate) const MEDIA_TYPE: &str = "The ERP does not accept this kind of content.";
pub(crate) const DEADLOCK: &str = "The ERP's database had a conflict and undid the request.";
pub(crate) const QUERY_TIMEOUT: &str = "The ERP's database took too long.";
pub(crate) const FAILED: &str = "The ERP failed with an internal error.";
pub(crate) const GATEWAY: &str = "The proxy before the ERP got no answer from it.";
pub(crate) const UNEXPECTED: &str = "The ERP answered with an unexpected status.";

pub(crate) const HELP_KEY: &str = "Check api_key and api_secret, and that the ERP user is enabled.";
pub(crate) const HELP_OWN_KEY: &str =
    "Generate new keys in the ERP and enter them in Settings, Your keys; or remove the key there.";
pub(crate) const HELP_RIGHT: &str = "Ask an administrator of the ERP for a role with this right; describe_doctype shows the rights.";
pub(crate) const HELP_NAME: &str = "Use the exact name; find_link and search_doc find it.";
pub(crate) const HELP_FIELDS: &str = "describe_doctype lists the fields and what each may hold.";
pub(crate) const HELP_READ_AGAIN: &str = "Read the document again.";
pub(crate) const HELP_LATER: &str = "Try again later.";
pub(crate) const HELP_LOG: &str = "The ERP's Error Log has the details.";
