//! Sentences of the lamps for people: their system and their protection.

pub(crate) const SIMULATED_HOUSE: &str = "Simulated house";

pub(crate) const LAMPS_BY_NAME: &str = "Lamps, by name";

pub(crate) const TAKEN_DOWN: &str = "This sensor was taken down.";
