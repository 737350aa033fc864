//! Answers to several questions at once.

use super::units;
use crate::texts::{offers, orders};

/// The first lines of all answers, and then the rest of each under its question. `left`: questions that
/// were not answered.
pub(in crate::planner) fn together(answers: &[(&str, String)], left: &[&str]) -> String {
    let parts = answers.iter().map(|(question, text)| {
        let (first, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        (*question, first.trim_end(), rest.trim())
    });
    let parts: Vec<(&str, &str, &str)> = parts.collect();
    let mut out: Vec<String> = parts
        .iter()
        .map(|(_, first, _)| (*first).to_owned())
        .collect();
    if let Some(first) = left.first() {
        out.push(offers::left_out(
            answers.len(),
            &units::safe(first),
            left.len() - 1,
        ));
    }
    let told = parts.iter().filter(|(_, _, rest)| !rest.is_empty());
    out.extend(told.map(|(question, _, rest)| {
        let heading = units::safe(&units::capitalised(question));
        format!("### {heading}\n\n{rest}")
    }));
    out.join("\n\n")
}

/// A message that asks and orders.
pub(in crate::planner) fn one_at_a_time(order: &str) -> String {
    orders::one_at_a_time(&units::safe(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_come_first_and_nothing_is_lost() {
        let answers = [
            ("what is a", "One, sir.\n\n| a |\n\nMore.".to_owned()),
            ("what is <b>", "Two, sir.".to_owned()),
        ];
        assert_eq!(
            together(&answers, &["who is c", "who is d"]),
            "One, sir.\n\nTwo, sir.\n\nI answer 2 questions at a time, sir, and have left out “who is c” \
             and 1 more.\n\n### What is a\n\n| a |\n\nMore."
        );
    }
}
