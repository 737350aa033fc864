//! The words of entries, and searches for them.
//!
//! Kind and tier are words too, so every filter goes through the one index, which gives rows in the
//! order of time and stops when there are enough.

use protocol::{FeedEntry, FeedFilter, FeedKind, Role, Tier};
use sqlx::SqliteConnection;

use crate::Error;

/// The columns that a search covers.
const TEXT: &str = "{line outcome target person more}";

/// Replaces the words of an entry.
pub(super) async fn index(
    connection: &mut SqliteConnection,
    entry: &FeedEntry,
) -> Result<(), Error> {
    let tier = entry.tier.map(tier_mark).unwrap_or_default();
    sqlx::query(
        "INSERT OR REPLACE INTO feed_text (rowid, line, outcome, target, person, more, marks) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(entry.id.number())
    .bind(&entry.line)
    .bind(entry.outcome.as_deref().unwrap_or_default())
    .bind(entry.target.as_deref().unwrap_or_default())
    .bind(entry.person.as_deref().unwrap_or_default())
    .bind(entry.more())
    .bind(format!("{} {tier}", kind_mark(entry.kind)))
    .execute(connection)
    .await?;
    Ok(())
}

/// The query in the language of the index. `Some(None)` if there is nothing to search for; none if
/// nothing can be found. Only letters and digits of a person's text get into it, and a whole target
/// as one quoted text.
pub(super) fn wanted(filter: &FeedFilter, reader: Role) -> Option<Option<String>> {
    let mut parts = Vec::new();
    let any = |marks: Vec<String>| format!("{{marks}} : ({})", marks.join(" OR "));
    if !filter.kinds.is_empty() {
        let kinds = filter.kinds.iter();
        parts.push(any(kinds.map(|kind| kind_mark(*kind)).collect()));
    }
    if !filter.tiers.is_empty() {
        let tiers = filter.tiers.iter();
        parts.push(any(tiers.map(|tier| tier_mark(*tier)).collect()));
    }
    let mut target = &*filter.target;
    if let Some(exact) = filter.exact_target() {
        // Words in this order; the query compares the rest. What a call made is in its details.
        let phrase = exact.replace(['"', '\0'], " ");
        parts.push(format!("{{target more}} : \"{phrase}\""));
        target = "";
    }
    for (columns, text) in [
        ("{target}", target),
        ("{person}", &*filter.person),
        (TEXT, &*filter.text),
    ] {
        for word in FeedFilter::words(text) {
            if word.is_empty() {
                return None;
            }
            let star = if FeedFilter::is_beginning(&word) {
                " *"
            } else {
                ""
            };
            let word = format!("\"{}\"{star}", word.join(" "));
            parts.push(if columns == TEXT && reader < Role::Operator {
                seen_by_viewer(&word)
            } else {
                format!("{columns} : {word}")
            });
        }
    }
    Some((!parts.is_empty()).then(|| parts.join(" AND ")))
}

/// A word within the text that a viewer sees: not in the sentence of a card, nor in the values of
/// settings. A hit in hidden text would be as good as showing it.
fn seen_by_viewer(word: &str) -> String {
    let sentences = [FeedKind::Confirmation, FeedKind::Grant].map(kind_mark);
    let settings = kind_mark(FeedKind::Configuration);
    format!(
        "({{outcome target person}} : {word} OR ({{line}} : {word} NOT {{marks}} : ({})) OR \
         ({{more}} : {word} NOT {{marks}} : {settings}))",
        sentences.join(" OR ")
    )
}

/// One word for the index, which takes a word apart at an underscore.
fn kind_mark(kind: FeedKind) -> String {
    format!("k{}", kind.word().replace('_', ""))
}

fn tier_mark(tier: Tier) -> String {
    format!("t{}", tier_word(tier))
}

/// The word of a tier on the wire and in the database.
pub(super) fn tier_word(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "green",
        Tier::Yellow => "yellow",
        Tier::Red => "red",
        Tier::Black => "black",
    }
}

/// The tier of a word.
pub(super) fn tier(word: &str) -> Option<Tier> {
    let all = [Tier::Green, Tier::Yellow, Tier::Red, Tier::Black];
    all.into_iter().find(|tier| tier_word(*tier) == word)
}
