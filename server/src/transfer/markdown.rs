//! A conversation as Markdown.
//!
//! Text of people, models and tools cannot break out of its place: words are in quotations, line by
//! line, which end every construct that was begun in them; data is between fences that are longer
//! than any run of backticks within; names have every special character of Markdown escaped.

use std::collections::HashMap;

use ::markdown::say_plots;
use agent::clean_text;
use protocol::{
    CallId, Confirmation, ContentBlock, ConversationSummary, EffectOutcome, ErrorBody, Event,
    EventBody, Reference, Resolution, Tier, Timestamp, ToolOutcome, TurnOutcome, Verdict,
};
use serde_json::Value;

use crate::{feed::moment, texts};

/// Writes event by event.
pub(super) struct Markdown {
    /// The author of the messages.
    person: String,
    /// The tools of the turn's calls.
    calls: HashMap<CallId, String>,
}

impl Markdown {
    pub(super) fn new(person: String) -> Self {
        Self {
            person,
            calls: HashMap::new(),
        }
    }

    /// Writes the title and a description of the file.
    pub(super) fn head(&self, summary: &ConversationSummary, out: &mut String) {
        let title = if summary.title.is_empty() {
            "Untitled"
        } else {
            &summary.title
        };
        out.push_str(&format!("# {}\n\n", inline(title)));
        out.push_str(&texts::transfer::started_line(&moment(summary.created)));
        if let Some(imported) = summary.imported {
            out.push_str(&texts::transfer::imported(&moment(imported)));
        }
        if !summary.model.is_empty() {
            out.push_str(&texts::transfer::model_line(&inline(&summary.model)));
        }
        out.push_str(texts::transfer::TIMES_ARE_UTC);
    }

    pub(super) fn event(&mut self, event: &Event, out: &mut String) {
        let at = event.at;
        match &event.body {
            EventBody::TurnStarted {
                text, references, ..
            }
            | EventBody::MessageRead {
                text, references, ..
            } => {
                heading(&self.person, at, out);
                quote(text, out);
                for reference in references {
                    let line = match &reference.file {
                        Some(_) => texts::transfer::attached_not_in_this_file(&file(reference)),
                        None => {
                            let thing = format!("{} {}", reference.kind, reference.id);
                            texts::transfer::about(&inline(&thing))
                        }
                    };
                    out.push_str(&format!("\n{line}\n"));
                }
            }
            EventBody::AssistantMessage { blocks, .. } => self.answer(at, blocks, out),
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => self.question(*call, at, confirmation, out),
            EventBody::ConfirmationDecided {
                call, verdict, by, ..
            } => self.decision(*call, at, verdict, by.as_deref(), out),
            EventBody::GrantGiven { grant, by, .. } => {
                let line = texts::transfer::can_run_without_asking(
                    &inline(&grant.tool),
                    grant.terms.uses,
                    &moment(grant.terms.until),
                    &inline(by),
                );
                note("Grant", at, &line, out);
            }
            EventBody::GrantRevoked { by, .. } => {
                note("Grant", at, &texts::transfer::revoked_by(&inline(by)), out);
            }
            EventBody::ToolStarted {
                call, tier, input, ..
            } => {
                let line = texts::transfer::started(&self.name(call), tier_word(*tier));
                note("Call", at, &line, out);
                if let Some(input) = input {
                    out.push_str(texts::transfer::IT_RUNS_WITH_THIS_INPUT);
                    data(input, out);
                }
            }
            EventBody::ToolBlocked { call, message, .. } => {
                let line = texts::transfer::was_refused(&self.name(call), &inline(message));
                note("Call", at, &line, out);
            }
            EventBody::ToolFinished {
                call,
                outcome,
                elapsed_ms,
                ..
            } => self.outcome(*call, at, outcome, *elapsed_ms, out),
            EventBody::OutcomeResolved {
                call,
                resolution,
                by,
                message,
                ..
            } => {
                let word = match resolution {
                    Resolution::Done => texts::transfer::TOOK_EFFECT,
                    Resolution::NotDone => texts::transfer::DID_NOT_TAKE_EFFECT,
                    Resolution::Unknown => texts::transfer::IS_SETTLED,
                };
                let by = by
                    .as_deref()
                    .map_or(texts::transfer::AS_SYSTEM_SHOWS.to_owned(), inline);
                let line = format!("{} {word} ({by}): {}", self.name(call), inline(message));
                note("Outcome", at, &line, out);
            }
            EventBody::TurnFinished { outcome, .. } => {
                self.calls.clear();
                end(at, outcome, out);
            }
            EventBody::ModelChosen { model, .. } => {
                note(
                    "Model",
                    at,
                    &texts::transfer::from_here_on(&inline(model)),
                    out,
                );
            }
            EventBody::BudgetNear { message, .. } => note("Budget", at, &inline(message), out),
            EventBody::StepInterrupted { .. } => {
                note("Answer", at, texts::transfer::INTERRUPTED, out);
            }
            EventBody::Branched { effects, .. } => {
                let line = texts::transfer::SAID_IN_ANOTHER_BRANCH;
                note("Branch", at, line, out);
                for effect in effects {
                    let line = texts::transfer::acted_in_another_branch(
                        &inline(&effect.tool),
                        tier_word(effect.tier),
                        effect_word(effect.outcome),
                    );
                    note("Call", at, &line, out);
                }
            }
            // They add nothing to the others.
            EventBody::ConversationStarted { .. }
            | EventBody::TitleChanged { .. }
            | EventBody::TitleWritten { .. }
            | EventBody::MessageQueued { .. }
            | EventBody::MessageSteered { .. }
            | EventBody::MessageWithdrawn { .. }
            | EventBody::ActionStarted { .. }
            | EventBody::AskedByLink { .. }
            | EventBody::TurnResumed { .. }
            | EventBody::StepStarted { .. }
            | EventBody::ToolQueued { .. }
            | EventBody::StopRequested { .. } => {}
            EventBody::Unknown => note("Event", at, texts::transfer::EVENT_IS_UNKNOWN, out),
        }
    }

    fn answer(&mut self, at: Timestamp, blocks: &[ContentBlock], out: &mut String) {
        let mut is_headed = false;
        for block in blocks {
            match block {
                ContentBlock::Text { text } => {
                    if !std::mem::replace(&mut is_headed, true) {
                        heading("Jarvis", at, out);
                    } else {
                        out.push('\n');
                    }
                    // Readers of the file have nothing that draws.
                    quote(
                        &say_plots(text, &|at| moment(Timestamp(at.saturating_mul(1000)))),
                        out,
                    );
                }
                ContentBlock::ToolUse { call, name, input } => {
                    self.calls.insert(*call, name.clone());
                    note(
                        "Call",
                        at,
                        &texts::transfer::with_this_input(&inline(name)),
                        out,
                    );
                    out.push('\n');
                    data(input, out);
                }
                ContentBlock::Thinking { .. } | ContentBlock::Other => {}
            }
        }
    }

    fn question(&self, call: CallId, at: Timestamp, asked: &Confirmation, out: &mut String) {
        let line = format!("{}: {}", self.name(&call), inline(&asked.sentence));
        note("Question", at, &line, out);
        let reasons = asked.risk.iter().flat_map(|risk| &risk.reasons);
        let reasons = reasons.map(|reason| &reason.sentence);
        for risk in reasons.chain(&asked.risks) {
            out.push_str(&format!("\n- {}\n", inline(risk)));
        }
    }

    fn decision(
        &self,
        call: CallId,
        at: Timestamp,
        verdict: &Verdict,
        by: Option<&str>,
        out: &mut String,
    ) {
        let word = match verdict {
            Verdict::Approved => "approved",
            Verdict::Denied { .. } => "denied",
            Verdict::Expired => texts::transfer::NOT_DECIDED_IN_TIME,
            Verdict::Withdrawn | Verdict::Unknown => "withdrawn",
        };
        let by = by.map_or(String::new(), |by| format!(" by {}", inline(by)));
        note(
            "Decision",
            at,
            &format!("{}: {word}{by}.", self.name(&call)),
            out,
        );
        if let Verdict::Denied {
            comment: Some(comment),
        } = verdict
        {
            out.push('\n');
            quote(comment, out);
        }
    }

    fn outcome(
        &self,
        call: CallId,
        at: Timestamp,
        outcome: &ToolOutcome,
        elapsed_ms: u64,
        out: &mut String,
    ) {
        let name = self.name(&call);
        let result = |word: String, out: &mut String| {
            note(
                "Result",
                at,
                &texts::transfer::took(&name, &word, elapsed_ms),
                out,
            );
        };
        match outcome {
            ToolOutcome::Succeeded { output } => {
                result(inline(&output.summary), out);
                out.push('\n');
                data(&output.data, out);
                for image in &output.images {
                    out.push_str(&texts::transfer::image_not_in_this_file(&file(image)));
                }
            }
            ToolOutcome::Failed { error } => result(format!("failed: {}", told(error)), out),
            ToolOutcome::Cancelled => result("cancelled".to_owned(), out),
            ToolOutcome::OutcomeUnknown { known } => {
                let known = known
                    .as_deref()
                    .unwrap_or(texts::transfer::IT_MAY_HAVE_TAKEN_EFFECT);
                result(texts::transfer::outcome_unknown(&inline(known)), out);
            }
            ToolOutcome::Unknown => {
                result(texts::transfer::UNKNOWN_TO_THIS_VERSION.to_owned(), out)
            }
        }
    }

    fn name(&self, call: &CallId) -> String {
        let name = self.calls.get(call).map(|name| inline(name));
        name.unwrap_or_else(|| texts::transfer::UNNAMED_CALL.to_owned())
    }
}

fn end(at: Timestamp, outcome: &TurnOutcome, out: &mut String) {
    let line = match outcome {
        TurnOutcome::Answered | TurnOutcome::Done => return,
        TurnOutcome::Truncated => texts::transfer::ANSWER_WAS_CUT_AT_LIMIT.to_owned(),
        TurnOutcome::Refused => texts::transfer::MODEL_DECLINED_TO_ANSWER.to_owned(),
        TurnOutcome::Stopped => texts::transfer::STOPPED_BY_PERSON.to_owned(),
        TurnOutcome::Limited { error } => texts::transfer::ended_at_limit(&told(error)),
        TurnOutcome::Failed { error } => format!("failed: {}", told(error)),
        TurnOutcome::Unknown => texts::transfer::ENDED_IN_UNKNOWN_WAY.to_owned(),
    };
    note("Turn", at, &line, out);
}

fn tier_word(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "GREEN",
        Tier::Yellow => "YELLOW",
        Tier::Red => "RED",
        Tier::Black => "BLACK",
    }
}

fn effect_word(outcome: EffectOutcome) -> &'static str {
    match outcome {
        EffectOutcome::Done => texts::transfer::IT_TOOK_EFFECT,
        EffectOutcome::Failed => texts::transfer::IT_FAILED,
        EffectOutcome::NotDone => texts::transfer::IT_DID_NOT_TAKE_EFFECT,
        EffectOutcome::Unknown => texts::transfer::WHETHER_IT_TOOK_EFFECT_IS_UNKNOWN,
    }
}

fn told(error: &ErrorBody) -> String {
    inline(&error.message)
}

fn heading(who: &str, at: Timestamp, out: &mut String) {
    out.push_str(&format!("\n## {} · {}\n\n", inline(who), moment(at)));
}

/// Writes one line; `text` is Markdown.
fn note(kind: &str, at: Timestamp, text: &str, out: &mut String) {
    out.push_str(&format!("\n**{kind}** · {} · {text}\n", moment(at)));
}

/// Replaces everything that ends a line in Markdown by one character.
fn lines(text: &str) -> String {
    clean_text(&text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Writes text that may itself be Markdown, as a quotation.
fn quote(text: &str, out: &mut String) {
    for line in lines(text).split('\n') {
        out.push('>');
        if !line.is_empty() {
            out.push(' ');
            out.push_str(line);
        }
        out.push('\n');
    }
}

/// Writes JSON between fences. A single string is written as it is, not as JSON.
fn data(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => fenced("", text, out),
        value => {
            let text = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
            fenced("json", &text, out);
        }
    }
}

/// Writes text between fences that nothing in it can close.
fn fenced(kind: &str, text: &str, out: &mut String) {
    let text = lines(text);
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(3.max(longest + 1));
    out.push_str(&format!("{fence}{kind}\n{text}\n{fence}\n"));
}

/// Describes a file by its name, kind and size.
fn file(reference: &Reference) -> String {
    let name = reference.file.as_ref().map_or("", |note| &note.name);
    let bytes = reference.file.as_ref().map_or(0, |note| note.bytes);
    format!(
        "{} ({}, {bytes} bytes)",
        inline(name),
        inline(&reference.kind)
    )
}

/// Returns text on one line, without any meaning in Markdown. Only characters with a meaning where
/// they stand are escaped, so that people who read the source see sentences.
fn inline(text: &str) -> String {
    let text = clean_text(text);
    let mut line = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let harmless = match c {
            ',' | ';' | '?' | '\'' | '"' | '%' | '/' | '(' => true,
            // Otherwise the beginning of an address.
            ':' => rest.peek() != Some(&'/'),
            // Otherwise an address, or the number of an item.
            '.' | ')' => {
                let opens = line.to_ascii_lowercase().ends_with("www");
                !opens && line.contains(|c: char| !c.is_ascii_digit())
            }
            // At the beginning they would be a list, or underline the line before.
            '-' | '+' | '=' => !line.is_empty(),
            _ => false,
        };
        match c {
            c if c.is_whitespace() => line.push(' '),
            c if c.is_ascii_punctuation() && !harmless => line.extend(['\\', c]),
            c => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests;
