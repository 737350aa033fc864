//! The rules by which the rehearsal model speaks of a domain belong to the domain.

use std::collections::BTreeSet;

use crate::dependencies::{Kinds, allows, known_only_by, part};

/// A routine shares nothing with the toolset of its domain: it knows the tools as a model does.
#[test]
fn a_routine_knows_the_rehearsal_model_alone() {
    assert_ne!(part("routine").count(), 0, "no routine was found");
    for (name, domain) in part("routine") {
        assert_eq!(name, format!("{domain}-routine"), "the name of its crate");
        allows(name, &Kinds::ALL, ["rehearsal"]);
        known_only_by(name, BTreeSet::from(["server"]));
    }
}

#[test]
fn the_rehearsal_model_is_known_by_the_server_and_by_routines() {
    let routines = part("routine").map(|(name, _)| name);
    known_only_by("rehearsal", routines.chain(["server"]).collect());
}
