//! Sentences for people: what another policy would have decided.

pub(crate) const RUNS_PROMINENTLY_RECORDED: &str = "runs, prominently recorded";

pub(crate) const RUNS_UNDER_GRANT: &str = "runs under a grant";

pub(crate) const ASKED_FOR: &str = "asked for";

pub(crate) const ASKED_FOR_TWO_PERSONS: &str = "asked for, two persons";

pub(crate) const GATE_COULD_NOT_DECIDE: &str = "The gate could not decide on it.";

pub(crate) const ROLE_NOT_ON_RECORD: &str = "The user's role then is not on record.";

pub(crate) const VALUES_NOT_ON_RECORD: &str = "Where its values came from is not on record.";

pub(crate) const REVERSIBILITY_NOT_ON_RECORD: &str = "Whether it can be undone is not on record.";

pub(crate) const AGE_OF_GRANT_NOT_ON_RECORD: &str = "How old its grant was is not on record.";

pub(crate) const SEVERAL_FACTS_NOT_ON_RECORD: &str = "Several facts are not on record.";
