//! Redaction of what the model of a conversation reads.
//!
//! Every record passes [`Cover::records`] on its way to the journal: the part that the model is sent
//! has no other way there. Texts that are cleaned or cut before that are covered earlier as well, in
//! the form in which they come: half a value, or one with a visible escape in it, is not found.

mod fixed_text;
mod request;
mod texts;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt;
use protocol::{
    ConversationId, ErrorBody, ErrorCode, EventBody, Reference, ToolOutput, UserId, Verdict,
};
use serde_json::{Value, json};

use crate::{
    files,
    output::clean_text,
    ports::{ContextPart, NewRecord, NotCovered, Redaction, RedactionScope, TokenRule, ToolError},
    raw_json::json as raw,
    texts::redaction as sentences,
    tools::Tools,
};
pub(crate) use fixed_text::tell as tell_fixed_text;
pub(crate) use request::Withheld;

/// Timeout of a redaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// The redactions of one conversation.
#[derive(Clone)]
pub(crate) struct Cover {
    redactions: Vec<Arc<dyn Redaction>>,
    /// The names of the toolsets that give them.
    toolsets: Vec<&'static str>,
    conversation: ConversationId,
    person: UserId,
    is_relayed: bool,
}

impl Cover {
    /// The redactions of a conversation with these toolsets; none if nothing is hidden in it.
    pub(crate) fn of(
        tools: &Tools,
        toolsets: &[String],
        conversation: ConversationId,
        person: UserId,
    ) -> Option<Self> {
        let own = tools.toolsets.iter();
        let own = own.filter(|toolset| toolsets.iter().any(|name| name == toolset.name()));
        let own = own.filter_map(|toolset| Some((toolset.redaction()?, toolset.name())));
        let (redactions, toolsets): (Vec<_>, Vec<_>) = own.unzip();
        (!redactions.is_empty()).then_some(Self {
            redactions,
            toolsets,
            conversation,
            person,
            is_relayed: false,
        })
    }

    /// The same for a call that a program relays.
    pub(crate) fn of_relayed(self) -> Self {
        Self {
            is_relayed: true,
            ..self
        }
    }

    /// The rule for tokens in a text of a toolset: one that hides values has covered its own.
    pub(crate) fn rule(&self, toolset: &str) -> TokenRule {
        if self.toolsets.contains(&toolset) {
            TokenRule::Keep
        } else {
            TokenRule::Escape
        }
    }

    fn scope(&self, about: &[Reference]) -> RedactionScope {
        RedactionScope {
            conversation: self.conversation,
            person: self.person,
            about: about.to_vec(),
            is_relayed: self.is_relayed,
        }
    }

    /// Texts, in their order.
    pub(crate) async fn texts(
        &self,
        about: &[Reference],
        mut texts: Vec<String>,
        tokens: TokenRule,
    ) -> Result<Vec<String>, NotCovered> {
        let count = texts.len();
        if count == 0 {
            return Ok(texts);
        }
        let scope = self.scope(about);
        for redaction in &self.redactions {
            texts = guarded(redaction.cover(&scope, texts, tokens)).await?;
            if texts.len() != count {
                let message = sentences::ANOTHER_NUMBER_OF_TEXTS;
                return Err(NotCovered(message.to_owned()));
            }
        }
        Ok(texts)
    }

    /// One text.
    pub(crate) async fn text(
        &self,
        about: &[Reference],
        text: &str,
        tokens: TokenRule,
    ) -> Result<String, NotCovered> {
        let covered = self.texts(about, vec![text.to_owned()], tokens).await?;
        Ok(covered.into_iter().next().unwrap_or_default())
    }

    /// All texts in a value, names of fields included.
    pub(crate) async fn value(
        &self,
        about: &[Reference],
        mut value: Value,
        tokens: TokenRule,
    ) -> Result<Value, NotCovered> {
        let mut found = Vec::new();
        texts::each(&mut value, &mut |text: &mut String| {
            texts::collected(text, &mut found)
        });
        let mut covered = self.texts(about, found, tokens).await?.into_iter();
        texts::each(&mut value, &mut |text: &mut String| {
            texts::replaced(text, &mut covered)
        });
        Ok(value)
    }

    /// The records of one write, with the model's part of each covered. `about_turn` are the things
    /// that the message of the running turn names.
    pub(crate) async fn records(
        &self,
        about_turn: &[Reference],
        mut records: Vec<NewRecord>,
    ) -> Result<Vec<NewRecord>, NotCovered> {
        let mut parts: Vec<Option<Value>> = records.iter().map(model_part).collect();
        let mut found = Vec::new();
        for (record, part) in records.iter().zip(&mut parts) {
            if let Some(part) = part {
                let words = texts::PlainBlocks::of(&record.body);
                texts::each_of_blocks(part, words, &mut |text: &mut String| {
                    texts::collected(text, &mut found)
                });
            }
        }
        let mut named = records.iter().map(|record| names(&record.body));
        let about = named.find(|it| !it.is_empty());
        let about = about.unwrap_or(about_turn).to_vec();
        // What comes from outside was covered before; the rest is the person's or the model's.
        let covered = self.texts(&about, found, TokenRule::Keep).await?;
        let mut covered = covered.into_iter();
        for (record, part) in records.iter_mut().zip(parts) {
            let Some(mut part) = part else { continue };
            let words = texts::PlainBlocks::of(&record.body);
            // What has not changed keeps its bytes.
            let changed = texts::each_of_blocks(&mut part, words, &mut |text: &mut String| {
                texts::replaced(text, &mut covered)
            });
            if changed || has_comment(&record.body) {
                after(record, &mut part);
                record.raw = Some(raw(&part));
            }
        }
        Ok(records)
    }

    /// The parts of a step's context that come from a toolset.
    pub(crate) async fn context(
        &self,
        about: &[Reference],
        parts: Vec<ContextPart>,
        toolset: &str,
    ) -> Vec<ContextPart> {
        let mut covered = Vec::with_capacity(parts.len());
        for ContextPart { source, data } in parts {
            let data = self.known(about, data, toolset).await;
            covered.push(ContextPart { source, data });
        }
        covered
    }

    /// The knowledge of a toolset, or the reason why it has none.
    pub(crate) async fn known(
        &self,
        about: &[Reference],
        known: Result<Value, String>,
        toolset: &str,
    ) -> Result<Value, String> {
        let tokens = self.rule(toolset);
        match known {
            Ok(data) => self.value(about, data, tokens).await.map_err(|error| {
                self.log(&error);
                sentences::CONTEXT_IS_WITHHELD.to_owned()
            }),
            Err(why) => Err(self.sentence(about, &why, tokens).await),
        }
    }

    /// The result of a call. One that cannot be covered is withheld: the call has ended all the
    /// same.
    pub(crate) async fn result(
        &self,
        about: &[Reference],
        result: Result<ToolOutput, ToolError>,
        tokens: TokenRule,
    ) -> Result<ToolOutput, ToolError> {
        match result {
            Ok(output) => {
                let images = !output.images.is_empty();
                let whole = json!([output.summary, output.data]);
                let (summary, mut data) = match self.value(about, whole, tokens).await {
                    Ok(Value::Array(parts)) => {
                        let mut parts = parts.into_iter();
                        let summary = parts.next().unwrap_or_default();
                        let summary = summary.as_str().unwrap_or_default().to_owned();
                        (summary, parts.next().unwrap_or_default())
                    }
                    Ok(_) => (String::new(), Value::Null),
                    Err(error) => {
                        self.log(&error);
                        let why = sentences::RESULT_IS_WITHHELD;
                        (why.to_owned(), json!({ "withheld": why }))
                    }
                };
                if images {
                    files::left_out(&mut data, sentences::IMAGES_CANNOT_BE_COVERED);
                }
                Ok(ToolOutput {
                    summary,
                    data,
                    images: Vec::new(),
                })
            }
            Err(ToolError(error)) => Err(ToolError(self.error(about, error, tokens).await)),
        }
    }

    /// An error of a tool or of its target, which the model is told.
    pub(crate) async fn error(
        &self,
        about: &[Reference],
        error: ErrorBody,
        tokens: TokenRule,
    ) -> ErrorBody {
        let has_help = error.help.is_some();
        let texts = [Some(error.message), error.help].into_iter().flatten();
        match self.texts(about, texts.collect(), tokens).await {
            Ok(texts) => {
                let mut texts = texts.into_iter();
                ErrorBody {
                    code: error.code,
                    message: texts.next().unwrap_or_default(),
                    help: texts.next().filter(|_| has_help),
                    request_id: error.request_id,
                }
            }
            Err(not) => {
                self.log(&not);
                ErrorBody::new(error.code, sentences::RESULT_IS_WITHHELD)
            }
        }
    }

    /// A sentence about a target.
    pub(crate) async fn sentence(
        &self,
        about: &[Reference],
        text: &str,
        tokens: TokenRule,
    ) -> String {
        let covered = self.text(about, text, tokens).await;
        covered.unwrap_or_else(|error| {
            self.log(&error);
            sentences::CONTEXT_IS_WITHHELD.to_owned()
        })
    }

    pub(crate) fn log(&self, error: &NotCovered) {
        let conversation = self.conversation;
        tracing::error!(%conversation, %error, "hidden values could not be covered or looked for");
    }
}

/// The error of a message whose texts cannot be covered now.
pub(crate) fn message_not_covered(cover: Option<&Cover>, error: &NotCovered) -> ErrorBody {
    if let Some(cover) = cover {
        cover.log(error);
    }
    ErrorBody::new(
        ErrorCode::StorageFailed,
        sentences::MESSAGE_COULD_NOT_BE_COVERED,
    )
    .with_help(sentences::TRY_AGAIN_OR_LOOK_AT_LOG)
}

/// The error of a message with images in a conversation that hides values.
pub(crate) fn no_images_here() -> ErrorBody {
    ErrorBody::new(ErrorCode::FileRefused, sentences::IMAGES_CANNOT_BE_COVERED)
        .with_help(sentences::SEND_TEXT_INSTEAD)
}

/// The work of a redaction. One that panics or hangs fails.
async fn guarded<T>(work: impl Future<Output = Result<T, NotCovered>>) -> Result<T, NotCovered> {
    let work = AssertUnwindSafe(work).catch_unwind();
    let failed = |why: &str| Err(NotCovered(why.to_owned()));
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok(done)) => done,
        Ok(Err(_panic)) => failed(sentences::REDACTION_FAILED),
        Err(_elapsed) => failed(sentences::ANSWER_IN_TIME),
    }
}

/// The things that a message names.
fn names(body: &EventBody) -> &[Reference] {
    match body {
        EventBody::TurnStarted { references, .. }
        | EventBody::MessageQueued { references, .. }
        | EventBody::MessageSteered { references, .. }
        | EventBody::MessageRead { references, .. } => references,
        _ => &[],
    }
}

/// The part of a record that the model is sent, to be covered. The frozen part of a conversation is
/// the installation's own.
fn model_part(record: &NewRecord) -> Option<Value> {
    if matches!(record.body, EventBody::ConversationStarted { .. }) {
        return None;
    }
    let mut part: Value = serde_json::from_str(record.raw.as_ref()?.get()).ok()?;
    // As it was typed: a hidden character in the middle of a value is visible in the cleaned form.
    if let EventBody::ConfirmationDecided {
        verdict: Verdict::Denied {
            comment: Some(typed),
        },
        ..
    } = &record.body
    {
        texts::in_content(&mut part, "comment", |_| typed.clone());
    }
    Some(part)
}

fn has_comment(body: &EventBody) -> bool {
    matches!(
        body,
        EventBody::ConfirmationDecided {
            verdict: Verdict::Denied { comment: Some(_) },
            ..
        }
    )
}

/// Finishes a record whose model's part is covered.
fn after(record: &mut NewRecord, part: &mut Value) {
    if has_comment(&record.body) {
        texts::in_content(part, "comment", clean_text);
    }
    // The reason for a refusal is the server's sentence about the target: no person's word.
    if let EventBody::ToolBlocked { message, .. } = &mut record.body {
        texts::in_content(part, "blocked", |covered| {
            covered.clone_into(message);
            covered.to_owned()
        });
    }
}
