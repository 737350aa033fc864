//! Known names that are written otherwise: in two words, with a slip, or in part.

use serde_json::Value;

use super::{Ask, Record};
use crate::planner::{view::View, words::slips};

/// A name shorter than this is not guessed from a slip.
const SHORT: usize = 4;
/// Two slips are forgiven from this length on.
const LONG: usize = 8;

/// Puts known things in the place of strange words that nearly name them. `is_order`: what is to be done
/// is done only to what is named, so all else becomes a question.
pub(super) fn resolve(ask: &mut Ask, known: &[Record], is_order: bool) {
    joined(ask, known, is_order);
    let strangers = ask.strangers.clone();
    for stranger in &strangers {
        let word = stranger.word.to_lowercase();
        let near: Vec<&Record> = known
            .iter()
            .filter(|record| is_near(record, &word))
            .collect();
        let near = match near.iter().filter(|record| slipped(record, &word)).count() {
            1 => near
                .into_iter()
                .filter(|record| slipped(record, &word))
                .collect(),
            _ => near,
        };
        let [only] = near[..] else {
            for record in near.into_iter().take(3) {
                push(&mut ask.near, record);
            }
            continue;
        };
        if is_order {
            push(&mut ask.near, only);
        } else {
            ask.strangers.retain(|one| one.at != stranger.at);
            push(&mut ask.named, only);
        }
    }
}

/// Puts the name that a result gave in the place of one that it did not know: a result with a note and
/// a list of what there is instead.
pub(super) fn renamed(ask: &mut Ask, view: &View<'_>) {
    let results = view.done.iter().chain(view.earlier.iter().rev());
    let with_note = results.filter(|done| done.data["note"].is_string());
    let lists = with_note.filter_map(|done| done.data.as_object());
    let names: Vec<&str> = lists
        .flat_map(|fields| fields.values())
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for stranger in &mut ask.strangers {
        let word = stranger.word.to_lowercase();
        let is_there = names.iter().any(|name| *name == word);
        let like = names
            .iter()
            .find(|name| sounds_like(&name.to_lowercase(), &word));
        if let (Some(name), false) = (like, is_there) {
            stranger.word = (*name).to_owned();
        }
    }
}

/// `smbd` is what `samba` is called: a slip apart, or the same consonants at the beginning.
fn sounds_like(name: &str, word: &str) -> bool {
    let consonants = |text: &str| -> String {
        let mut signs = text.chars().filter(|c| c.is_alphanumeric());
        let first = signs.next().into_iter();
        first
            .chain(signs.filter(|c| !"aeiouy".contains(*c)))
            .collect()
    };
    let (own, other) = (consonants(name), consonants(word));
    let begins = own.starts_with(&other) || other.starts_with(&own);
    slips(name, word) <= 1 || begins && own.len().min(other.len()) >= 3
}

/// "home assistant" is `home-assistant`; words of another meaning of their own are taken along.
fn joined(ask: &mut Ask, known: &[Record], is_order: bool) {
    let has_strange = |from: usize, length: usize| {
        ask.strangers
            .iter()
            .any(|it| (from..from + length).contains(&it.at))
    };
    let mut found: Option<(usize, usize, Record, bool)> = None;
    for length in [3, 2] {
        for (from, pair) in ask.said.windows(length).enumerate() {
            if found.is_some() || !has_strange(from, length) {
                continue;
            }
            let whole = pair.join("-");
            let is = |record: &&Record, most: usize| {
                let name = record.name.as_deref().unwrap_or_default().to_lowercase();
                name.contains('-') && slips(&name.replace('_', "-"), &whole) <= most
            };
            let exact = known.iter().find(|record| is(record, 0));
            let near = || known.iter().find(|record| is(record, 2));
            if let Some(record) = exact.or_else(near) {
                found = Some((from, length, record.clone(), exact.is_some()));
            }
        }
    }
    let Some((from, length, record, is_exact)) = found else {
        return;
    };
    let inside = from..from + length;
    // The parts are no things of their own.
    let parts: Vec<String> = ask.said[inside.clone()].to_vec();
    ask.named
        .retain(|one| !parts.iter().any(|part| one.is_called(part)));
    if is_exact || !is_order {
        ask.strangers.retain(|one| !inside.contains(&one.at));
        push(&mut ask.named, &record);
    } else {
        push(&mut ask.near, &record);
    }
}

fn push(list: &mut Vec<Record>, record: &Record) {
    if !list.contains(record) {
        list.push(record.clone());
    }
}

fn is_near(record: &Record, word: &str) -> bool {
    let Some(name) = record.name.as_deref().map(str::to_lowercase) else {
        return false;
    };
    // Only one of several parts: the `windows` of `windows-11`.
    let is_part =
        word.len() >= SHORT && name != word && name.split(['-', '_', '.']).any(|part| part == word);
    is_part || slipped(record, word)
}

fn slipped(record: &Record, word: &str) -> bool {
    let name = record.name.as_deref().unwrap_or_default().to_lowercase();
    let most = match word.len().min(name.len()) {
        0..SHORT => return false,
        SHORT..LONG => 1,
        _ => 2,
    };
    name != word && slips(&name, word) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_by_their_consonants() {
        for (name, word, alike) in [
            ("smbd", "samba", true),
            ("nfs-server", "nfs", true),
            ("pveproxy", "samba", false),
            ("sshd", "smbd", false),
        ] {
            assert_eq!(sounds_like(name, word), alike, "{name} {word}");
        }
    }
}
