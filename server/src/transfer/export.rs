//! The export of a conversation, page by page from the journal: in constant memory.

use std::io;

use agent::Sight;
use futures::{Stream, stream};
use protocol::{ConversationSummary, Event, Seq};
use store::{PlainEvent, Store};

use super::{FORMAT, VERSION, markdown::Markdown};
use crate::texts;

/// The most events in memory at once.
const PAGE: usize = 100;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Markdown,
    /// For a later import: the events as they are in the journal.
    Json,
}

/// The progress of an export.
struct At {
    after: Seq,
    /// The newest event at the start: later ones are not in the file.
    head: Seq,
    /// That of whoever gets the file.
    sight: Sight,
    markdown: Markdown,
    is_first: bool,
}

/// Exports the conversation up to now. `person` is the author of its messages.
///
/// # Errors
/// A read that fails breaks the file off, so that a truncated file does not look complete.
pub(crate) fn export(
    store: Store,
    summary: ConversationSummary,
    head: Seq,
    sight: Sight,
    person: String,
    format: Format,
) -> impl Stream<Item = Result<String, io::Error>> {
    let start = At {
        after: Seq::default(),
        head,
        sight,
        markdown: Markdown::new(person),
        is_first: true,
    };
    stream::unfold(Some(start), move |at| {
        let (store, summary) = (store.clone(), summary.clone());
        async move {
            let mut at = at?;
            match page(&store, &summary, &mut at, format).await {
                Ok(text) => {
                    let more = at.after < at.head;
                    Some((Ok(text), more.then_some(at)))
                }
                Err(error) => {
                    tracing::error!(conversation = %summary.id, %error, "an export broke off");
                    Some((Err(error), None))
                }
            }
        }
    })
}

async fn page(
    store: &Store,
    summary: &ConversationSummary,
    at: &mut At,
    format: Format,
) -> Result<String, io::Error> {
    let events = store.plain_events(summary.id, at.after, at.head, PAGE);
    let events = events.await.map_err(io::Error::other)?.by(at.sight);
    let Some(last) = events.last() else {
        return Err(io::Error::other(texts::transfer::CONVERSATION_IS_GONE));
    };
    let is_first = std::mem::take(&mut at.is_first);
    at.after = last.seq;
    let mut text = String::new();
    match format {
        Format::Json => {
            if is_first {
                text.push_str(&head(summary)?);
            }
            for (n, event) in events.iter().enumerate() {
                text.push_str(if is_first && n == 0 { "\n" } else { ",\n" });
                push_event(event, &mut text)?;
            }
            if at.after >= at.head {
                text.push_str("\n]}\n");
            }
        }
        Format::Markdown => {
            if is_first {
                at.markdown.head(summary, &mut text);
            }
            for event in &events {
                let body = serde_json::from_str(&event.body).map_err(io::Error::other)?;
                let event = Event {
                    seq: event.seq,
                    at: event.at,
                    body,
                };
                at.markdown.event(&event, &mut text);
            }
        }
    }
    Ok(text)
}

/// Returns everything before the first event.
fn head(summary: &ConversationSummary) -> Result<String, io::Error> {
    let title = serde_json::to_string(&summary.title).map_err(io::Error::other)?;
    Ok(format!(
        "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"title\":{title},\"created\":{},\"events\":[",
        summary.created.0
    ))
}

/// Appends an event; on the wire it is its body with number and time in front.
fn push_event(event: &PlainEvent, text: &mut String) -> Result<(), io::Error> {
    let fields = event.body.strip_prefix('{');
    let fields = fields.ok_or_else(|| io::Error::other(texts::transfer::EVENT_IS_NO_OBJECT))?;
    text.push_str(&format!(
        "{{\"seq\":{},\"at\":{},{fields}",
        event.seq, event.at.0
    ));
    Ok(())
}
