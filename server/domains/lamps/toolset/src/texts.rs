//! Sentences of the lamps for people in one place, so that another language is another such module.

use std::fmt::Display;

pub(crate) fn lamp_has_failed(name: &str) -> String {
    format!("Lamp {name} has failed.")
}

pub(crate) fn not_a_lamp(name: &str) -> String {
    format!("{name:?} is not the name of a lamp.")
}

pub(crate) fn lamps_failed(error: &impl Display) -> String {
    format!("The lamps: {error}.")
}

pub(crate) fn lamps_are_on(on: usize, count: usize) -> String {
    format!("{on} of {count} lamps are on")
}

pub(crate) fn no_such_lamp(lamp: &str, names: &str) -> String {
    format!("There is no lamp {lamp:?}; the house has {names}.")
}

pub(crate) const STATE_NOW: &str = "State now";

pub(crate) fn switch_lamp(lamp: &str, state: &str) -> String {
    format!("Switch lamp {lamp} {state}.")
}

pub(crate) fn lamp_is(lamp: &str, state: &str) -> String {
    format!("Lamp {lamp} is {state}")
}

pub(crate) const SAFE_TO_SWITCH_AGAIN: &str = "It is safe to switch the lamp again.";

pub(crate) fn switch(to: &str) -> String {
    format!("Switch {to}")
}

pub(crate) const NO_SUCH_LAMP: &str = "there is no such lamp";
