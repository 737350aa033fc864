//! The output of a command, as it printed it.

use super::units;
use crate::{planner::view::Done, texts::results};

/// Most lines that an answer repeats.
const LINES: usize = 40;

/// A command's output as a lead and a block of code; nothing for other results.
pub(super) fn of(done: &Done) -> Option<(String, String)> {
    let stdout = done.data["stdout"].as_str()?;
    let command = done.input["command"].as_str()?;
    // Where it ran: the other text of the input.
    let mut input = done.input.as_object()?.iter();
    let place =
        input.find_map(|(key, value)| Some((key, value.as_str().filter(|_| key != "command")?)));
    let place = place.map_or(String::new(), |(key, place)| {
        results::on_place(key, &units::safe(place))
    });
    let word = stdout.trim();
    let thing = command.split(' ').next_back().unwrap_or_default();
    if let Some(note) = done.data["note"].as_str() {
        let lists = done
            .data
            .as_object()?
            .values()
            .filter_map(serde_json::Value::as_array);
        let names = lists
            .flatten()
            .filter_map(|name| name.as_str())
            .map(units::safe);
        let names: Vec<String> = names.collect();
        let there = match names.len() {
            0 => String::new(),
            _ => results::known_names(&super::naming::and(&names)),
        };
        return Some((
            results::note_on(&bare(thing), &place, &units::safe(note), &there),
            String::new(),
        ));
    }
    // A word alone is the answer: whether something runs.
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    if is_word && command.split(' ').count() == 3 {
        return Some((
            results::is_word(&bare(thing), &place, &units::safe(word)),
            String::new(),
        ));
    }
    let command = units::code(command);
    let lead = match done.data["exit_code"].as_u64() {
        Some(0) | None => results::command_says(&command, &place),
        Some(code) => results::command_ended(&command, &place, code),
    };
    let stderr = done.data["stderr"].as_str().unwrap_or_default();
    let all: Vec<&str> = stdout.lines().chain(stderr.lines()).collect();
    // Lists begin with what matters, logs end with it.
    let is_log = all.iter().filter(|line| is_dated(line)).count() * 2 > all.len();
    let left_out = all.len().saturating_sub(LINES);
    let shown = if is_log {
        all.get(left_out..)
    } else {
        all.get(..all.len() - left_out)
    };
    let mut body = fenced(&shown.unwrap_or_default().join("\n"));
    if all.is_empty() {
        body = results::PRINTED_NOTHING.to_owned();
    }
    if left_out > 0 {
        body.push_str(&format!("\n\n_{}_", results::more_lines(left_out)));
    }
    if let Some(cut) = done.data["cut"].as_str() {
        body.push_str(&format!("\n\n_{}_", units::safe(cut)));
    }
    Some((lead, body))
}

/// `pveproxy` of `pveproxy.service`.
fn bare(thing: &str) -> String {
    let stem = thing.rsplit_once('.').map_or(thing, |(stem, _)| stem);
    units::safe(if thing.starts_with('/') { thing } else { stem })
}

/// True if a line begins with a moment, as those of logs do.
fn is_dated(line: &str) -> bool {
    let begin: String = line.chars().take(24).collect();
    let digits = begin.chars().filter(char::is_ascii_digit).count();
    digits >= 4 && begin.contains(':')
}

/// A fence that nothing in the text can close.
fn fenced(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_holds_whatever_is_in_it() {
        assert_eq!(fenced("a"), "```text\na\n```");
        assert_eq!(fenced("````\nb"), "`````text\n````\nb\n`````");
    }
}
