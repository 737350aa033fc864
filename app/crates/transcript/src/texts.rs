//! Sentences for people that the fold makes, in one place, so that another language is another such module.

pub(crate) const NOT_DECIDED_BEFORE_BRANCH: &str = "It was not decided before this branch.";

pub(crate) const NOT_ENDED_BEFORE_BRANCH: &str = "It had not ended before this branch.";

pub(crate) const FILE_ENDS_BEFORE_DECISION: &str = "The file ends before it was decided.";

pub(crate) const FILE_ENDS_BEFORE_CALL_DID: &str = "The file ends before the call did.";

pub(crate) const NOT_DECIDED_WHEN_READ: &str = "It was not decided yet when this page was read.";

pub(crate) const NOT_ENDED_WHEN_READ: &str = "The call had not ended when this page was read.";
