//! Searching titles and messages: an index beside the events, filled in their transaction.
//!
//! Only titles and the texts of people and the model are found, not results of tools. The index
//! stores no text: the snippet is cut from the event. Only letters and digits of the typed text
//! become part of a query, and the owner is part of the query too, so that pages are full.

mod snippet;

use protocol::{
    ContentBlock, EventBody, FeedFilter, MessageId, SearchHit, SearchPage, Seq, Shelf, Timestamp,
    UserId,
};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{Error, Store, batch::WriteBatch, columns::parse};
use snippet::{SnippetWords, snippet};

/// The row of an event in the index; the title's has the number 0.
fn line(key: i64, seq: Seq) -> i64 {
    (key << 32) | i64::from(u32::try_from(seq.0).unwrap_or(u32::MAX))
}

/// Indexes the text of an event, if it is from a person or the model. Results of tools are not
/// searched.
pub(crate) fn index_text(
    batch: &mut WriteBatch,
    key: i64,
    seq: Seq,
    body: &EventBody,
) -> Result<(), Error> {
    let text = match body {
        EventBody::TurnStarted { text, .. } | EventBody::MessageRead { text, .. } => text.clone(),
        EventBody::AssistantMessage { blocks, .. } => {
            let texts: Vec<_> = texts(blocks).map(|(_, text)| text).collect();
            texts.join("\n")
        }
        _ => return Ok(()),
    };
    if !text.is_empty() {
        batch
            .add("INSERT INTO said (rowid, title, text) VALUES (?, '', ?)")
            .bind(line(key, seq))?
            .bind(text)?;
    }
    Ok(())
}

/// Replaces the title in the index.
pub(crate) fn index_title(batch: &mut WriteBatch, key: i64, title: &str) -> Result<(), Error> {
    batch
        .add("INSERT OR REPLACE INTO said (rowid, title, text) VALUES (?, ?, '')")
        .bind(line(key, Seq(0)))?
        .bind(title.to_owned())?;
    Ok(())
}

/// The texts of an answer, each with its index.
fn texts(blocks: &[ContentBlock]) -> impl Iterator<Item = (u32, &str)> {
    let placed = (0..).zip(blocks);
    placed.filter_map(|(place, block)| match block {
        ContentBlock::Text { text } => Some((place, text.as_str())),
        _ => None,
    })
}

impl Store {
    /// Searches the titles and messages of a user's conversations, best first: for all words, the
    /// last one as the beginning of a word. With `toolsets` only where no other toolset is. At most
    /// `limit` after the first `skip`; nothing if there is no word in the text.
    pub async fn search(
        &self,
        owner: UserId,
        toolsets: Option<&[String]>,
        text: &str,
        skip: usize,
        limit: usize,
    ) -> Result<SearchPage, Error> {
        let words = SnippetWords::of(text);
        let Some(wanted) = words.as_query() else {
            return Ok(SearchPage {
                hits: Vec::new(),
                more: false,
            });
        };
        let toolsets = toolsets.map(serde_json::to_string).transpose();
        let toolsets = toolsets.map_err(|error| Error::Damaged(error.to_string()))?;
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        // The text is read for the page alone, not for every hit.
        let rows = sqlx::query(
            // A title leads to the branch that represents its family, words to where they were
            // said.
            "SELECT found.line & 4294967295 AS seq, CASE found.line & 4294967295 WHEN 0 THEN \
             coalesce((SELECT front.id FROM conversations AS front WHERE front.family = its.family \
             AND front.behind = 0 AND front.deleted IS NULL), its.id) ELSE its.id END AS id, its.title, its.updated, its.shelf, \
             events.at, events.body \
             FROM (SELECT said.rowid AS line, said.rank AS place \
             FROM said CROSS JOIN conversations AS its ON its.key = said.rowid >> 32 \
             WHERE said MATCH ?1 AND its.owner = ?2 AND its.deleted IS NULL \
             AND (?5 IS NULL OR NOT EXISTS (SELECT 1 FROM events AS begun, \
             json_each(begun.body, '$.toolsets') AS named WHERE begun.conversation = its.key \
             AND begun.seq = 1 AND named.value NOT IN (SELECT value FROM json_each(?5)))) \
             ORDER BY place, line DESC LIMIT ?3 OFFSET ?4) AS found \
             JOIN conversations AS its ON its.key = found.line >> 32 \
             LEFT JOIN events ON events.conversation = its.key \
             AND events.seq = found.line & 4294967295 \
             ORDER BY found.place, found.line DESC",
        )
        .bind(wanted)
        .bind(owner.to_string())
        .bind(number(limit.saturating_add(1)))
        .bind(number(skip))
        .bind(toolsets)
        .fetch_all(self.readers())
        .await?;
        let hits = rows.iter().take(limit).map(|row| hit(row, &words));
        Ok(SearchPage {
            hits: hits.collect::<Result<_, _>>()?,
            more: rows.len() > limit,
        })
    }
}

fn hit(row: &SqliteRow, words: &SnippetWords) -> Result<SearchHit, Error> {
    let seq: i64 = row.try_get("seq")?;
    let title: String = row.try_get("title")?;
    let body: Option<&str> = row.try_get("body")?;
    let found = match body {
        None => FoundMessage::of_title(&title, words),
        Some(body) => {
            let body = serde_json::from_str(body);
            FoundMessage::of_event(
                &body.map_err(|error| Error::Damaged(error.to_string()))?,
                words,
            )
        }
    };
    let at = match body {
        None => row.try_get("updated")?,
        Some(_) => row.try_get("at")?,
    };
    Ok(SearchHit {
        conversation: parse(row.try_get("id")?)?,
        at: Timestamp(at),
        seq: Seq(seq.unsigned_abs()),
        message: found.message,
        block: found.block,
        shelf: Shelf::from_word(row.try_get("shelf")?),
        spans: found.spans,
        title,
    })
}

/// The position of the words in a row.
struct FoundMessage {
    message: Option<MessageId>,
    block: Option<u32>,
    spans: Vec<protocol::SearchSpan>,
}

impl FoundMessage {
    fn of_title(title: &str, words: &SnippetWords) -> Self {
        Self {
            message: None,
            block: None,
            spans: snippet(title, words).spans,
        }
    }

    fn of_event(body: &EventBody, words: &SnippetWords) -> Self {
        match body {
            EventBody::TurnStarted { message, text, .. }
            | EventBody::MessageRead { message, text, .. } => Self {
                message: Some(*message),
                block: None,
                spans: snippet(text, words).spans,
            },
            EventBody::AssistantMessage {
                message, blocks, ..
            } => {
                // The block with most of the words; of the same, the first.
                let snippets = texts(blocks)
                    .map(|(place, text)| (place, snippet(&markdown::plain(text), words)));
                let best = snippets.reduce(|best, next| {
                    if next.1.words > best.1.words {
                        next
                    } else {
                        best
                    }
                });
                let (block, spans) = best
                    .map(|(place, snippet)| (Some(place), snippet.spans))
                    .unwrap_or_default();
                Self {
                    message: Some(*message),
                    block,
                    spans,
                }
            }
            _ => Self {
                message: None,
                block: None,
                spans: Vec::new(),
            },
        }
    }
}

impl SnippetWords {
    /// The words of a person's text. Signs alone are no words.
    fn of(text: &str) -> Self {
        let mut words = FeedFilter::words(text);
        words.retain(|word| !word.is_empty());
        Self(words)
    }

    /// The query in the language of the index; none if there is no word. Only letters and digits of
    /// a person's text get into it.
    fn as_query(&self) -> Option<String> {
        let parts = self.0.iter().enumerate().map(|(place, word)| {
            let star = if self.is_open(place) { " *" } else { "" };
            format!("\"{}\"{star}", word.join(" "))
        });
        let parts: Vec<_> = parts.collect();
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }
}
