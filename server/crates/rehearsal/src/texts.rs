//! Sentences of the rehearsal model's answers in one place, so that another language is another such module.
//!
//! Errors of the Messages API are not among them: they are the vendor's own words, beside the checks that they are of.

pub(crate) mod attachments;
pub(crate) mod findings;
pub(crate) mod manner;
pub(crate) mod offers;
pub(crate) mod orders;
pub(crate) mod results;

/// `1 byte`, `2 bytes`.
fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
