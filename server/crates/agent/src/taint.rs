//! Taint: which values of a call are the person's word.
//!
//! A value of a call is the person's if it occurs in their own words and nothing in them says to
//! leave it alone, if they pointed at it, or if the system itself maps it from such a value. For a
//! call that changes a system it is not enough that they asked about it or wanted to see it.
//! Everything else is data: results of tools, files, plans and refusals, the configuration, the
//! model's own ideas. [`vouched`] says for which calls that is enough.

mod attitude;
mod canonical;
mod decoded;
mod negation;
mod outside;
mod quoted;
mod words;

use std::sync::Arc;

use protocol::{Origin, OriginSource};
use serde_json::{Value, value::RawValue};

use crate::{
    digest::call_key,
    ports::{Case, Impact, InputValue},
    raw_json::json,
};
use attitude::{Attitude, attitude, is_ordered_by};
use outside::{Outside, Sought};
use quoted::own_and_quoted;
use words::WordSet;

/// All texts of a conversation, by their source.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConversationTexts {
    /// The messages of the person, in their order.
    person: Vec<Arc<WordSet>>,
    /// Texts of tools and others, in their order.
    outside: Vec<Arc<Outside>>,
    /// The source of the newest image. The model reads what it says, and nobody else does.
    image: Option<OriginSource>,
}

impl ConversationTexts {
    /// A message of the person, with what they pointed at.
    pub(crate) fn person<'a>(&mut self, text: &str, pointed_at: impl Iterator<Item = &'a str>) {
        let (own, quoted) = own_and_quoted(text);
        if !quoted.is_empty() {
            self.outside(OriginSource::File, json(&quoted).into());
        }
        self.person.push(Arc::new(WordSet::new(own, pointed_at)));
    }

    /// Text that nobody vouches for, as the model reads it.
    pub(crate) fn outside(&mut self, source: OriginSource, raw: Arc<RawValue>) {
        self.outside.push(Arc::new(Outside::new(source, raw)));
    }

    /// An image that the model reads.
    pub(crate) fn image(&mut self, source: OriginSource) {
        self.image = Some(source);
    }

    /// True if the model reads an image, which may contain any value.
    pub(crate) fn has_image(&self) -> bool {
        self.image.is_some()
    }

    /// True if the conversation has any text from outside.
    pub(crate) fn has_outside(&self) -> bool {
        !self.outside.is_empty() || self.has_image()
    }

    /// The sources of the values of an input, in their order, for a call with this impact. `set` are
    /// values that a person put into this very input.
    pub(crate) fn origins(
        &self,
        values: &[InputValue],
        set: &[String],
        impact: Impact,
    ) -> Vec<Origin> {
        values
            .iter()
            .map(|value| Origin {
                path: value.path.clone(),
                value: value.text.clone(),
                source: self.source(value, set, impact),
            })
            .collect()
    }

    fn source(&self, value: &InputValue, set: &[String], impact: Impact) -> OriginSource {
        match self.attitude(&value.text, value.case, impact) {
            Attitude::Named => return OriginSource::User,
            Attitude::Excluded => return OriginSource::Excluded,
            Attitude::Asked | Attitude::None => {}
        }
        // Without any text from outside, nothing but the person's words led the model here.
        let forbids_all = || self.person.iter().any(|words| words.forbids_all());
        let is_forbidden = !self.has_outside() && forbids_all();
        if let Some(source) = value.source.as_ref().filter(|_| !is_forbidden) {
            return source.clone();
        }
        let mut excluded = is_forbidden;
        for name in &value.mapped_from {
            let is_set = || {
                let name = canonical::vouching(name, value.case);
                set.iter()
                    .any(|set| canonical::vouching(set, value.case) == name)
            };
            match self.attitude(name, value.case, impact) {
                Attitude::Named => return OriginSource::Mapped { from: name.clone() },
                Attitude::Excluded => excluded = true,
                Attitude::Asked | Attitude::None if is_set() => {
                    return OriginSource::Mapped { from: name.clone() };
                }
                Attitude::Asked | Attitude::None => {}
            }
        }
        if excluded {
            OriginSource::Excluded
        } else {
            self.brought_up_by(&value.text)
        }
    }

    /// True if the person's words say to leave a value alone by nothing but the verb of a call, which they
    /// order for it: "cancel X", for a call that cancels. That says nothing of who must decide on the call.
    pub(crate) fn is_ordered(&self, value: &InputValue, verb: &str) -> bool {
        let names = std::iter::once(&value.text).chain(&value.mapped_from);
        let mut excluded = names
            .filter(|name| attitude(&self.person, name, value.case) == Attitude::Excluded)
            .peekable();
        let is_any = excluded.peek().is_some();
        is_any && excluded.all(|name| is_ordered_by(&self.person, verb, name, value.case))
    }

    /// The attitude of the person to a value. To ask about it is enough for a call that looks.
    fn attitude(&self, value: &str, case: Case, impact: Impact) -> Attitude {
        match (attitude(&self.person, value, case), impact) {
            (Attitude::Asked, Impact::None) => Attitude::Named,
            (attitude, _) => attitude,
        }
    }

    /// The source that brought up a value that is not the person's.
    fn brought_up_by(&self, value: &str) -> OriginSource {
        if value.trim().is_empty() {
            return OriginSource::Model;
        }
        let sought = Sought::new(value);
        let newest = |says: &dyn Fn(&Outside) -> bool| {
            // The newest first: that is what the model read last. A tool's result says more than
            // the summary that goes with every message.
            let mut found = self.outside.iter().rev().filter(|outside| says(outside));
            let first = found.next()?;
            let is_summary = |outside: &&Arc<Outside>| outside.source == OriginSource::Context;
            let better = if is_summary(&first) {
                found.find(|outside| !is_summary(outside))
            } else {
                None
            };
            Some(better.unwrap_or(first).source.clone())
        };
        newest(&|outside| outside.says(&sought))
            .or_else(|| newest(&|outside| outside.hints_at(&sought)))
            // A value that no text brought up may be in an image.
            .or_else(|| self.image.clone())
            .unwrap_or(OriginSource::Model)
    }
}

/// The verb of a call by which a person may order it or take it back, if its tool is called so.
pub(crate) fn verb_of(tool: &str) -> Option<&'static str> {
    let first = tool.split('_').next()?;
    ["cancel", "abort"].into_iter().find(|verb| *verb == first)
}

/// True if a value may be acted on without a question.
///
/// For calls that change a system this is a list of who may order them, and it is short. Before
/// there is any text from outside, the model has only the person's words to go by. A call that only
/// looks needs a question when text from outside brought the value up.
pub(crate) fn vouched(origin: &Origin, impact: Impact, has_outside: bool) -> bool {
    use OriginSource as Source;
    let by_system = match &origin.source {
        Source::User | Source::Person | Source::Mapped { .. } => return true,
        Source::Configuration | Source::Model => !has_outside,
        Source::Excluded => false,
        Source::Tool { .. }
        | Source::Context
        | Source::File
        | Source::Plan
        | Source::Refusal { .. }
        | Source::Unknown => return false,
    };
    match impact {
        Impact::System => by_system,
        Impact::None => true,
    }
}

/// The key of a denied call: the same for all ways to write the same values.
pub(crate) fn denied_key(tool: &str, input: &Value) -> String {
    call_key(tool, &alike(input))
}

fn alike(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(alike).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), alike(value)));
            Value::Object(fields.collect())
        }
        Value::String(text) => Value::String(canonical::same(text)),
        Value::Number(number) => Value::String(canonical::same(&number.to_string())),
        Value::Bool(_) | Value::Null => value.clone(),
    }
}

#[cfg(test)]
mod tests;
