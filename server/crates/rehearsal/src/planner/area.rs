//! Groups of tools, as the server tells of them at the start, and the rules that one may have.
//!
//! Example questions are data for this stand-in and no part of the definitions: a real model would
//! pay for them in every conversation, and conversations that began before them lack them. Tools that
//! are made at run time have none; their names and descriptions do.

use std::fmt;

use serde_json::Value;

use super::{Call, view::View};

/// A group of tools, such as those of one toolset.
#[derive(Debug, Clone, Default)]
pub struct Area {
    /// Title and path of the page where people do the same by hand.
    pub page: Option<(String, String)>,
    /// The name by which people choose it when a conversation begins; none for what each conversation has.
    pub pack: Option<String>,
    /// Each tool with questions that it answers. One with an input for any of them is asked in the form of
    /// these alone.
    pub tools: Vec<(String, Vec<AreaExample>)>,
    /// Names of the things that its tools are about, for its rules, where these things have no example.
    pub names: Vec<String>,
    /// Rules of its own, where those for all tools are not enough. They are asked first.
    pub routine: Option<&'static dyn Routine>,
}

/// An example question, with the input that it means where that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct AreaExample {
    pub question: String,
    pub input: Option<Value>,
}

/// Rules of one domain.
pub trait Routine: fmt::Debug + Send + Sync {
    /// The next step of an answer; none if the newest words are about something else, or the tools for it
    /// are missing. Nothing may be called if `may_call` is false.
    fn next(&self, view: &View<'_>, may_call: bool) -> Option<RoutineStep>;

    /// Returns whether words are for its tools although no example has them, such as these names of things of
    /// its domain. Asked where a conversation lacks the tools; there is a page to ask on then.
    fn is_meant(&self, _question: &str, _names: &[String]) -> bool {
        false
    }
}

/// The next step of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum RoutineStep {
    Calls(Vec<Call>),
    Say(String),
}
