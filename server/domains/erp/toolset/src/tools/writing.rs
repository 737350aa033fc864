//! What the tools that write share: the copy that a call was made for, drafts, plans, the lines that post, and
//! the search after a lost answer.

pub(crate) mod acting;
pub(crate) mod cells;
pub(crate) mod draft;
pub(crate) mod notes;
pub(crate) mod ordered;
pub(crate) mod party_warnings;
pub(crate) mod plan;
pub(crate) mod posting;
pub(crate) mod queue;
pub(crate) mod steps;
pub(crate) mod tax_warning;
pub(crate) mod verdict;
