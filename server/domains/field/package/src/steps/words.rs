//! Steps as arguments, and arguments as steps.

use super::{AcceptedStep, ProbeStep, ROWS, StepRow, StepSlot, accept, row::RowPart};

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepWord {
    pub text: String,
    /// The slot whose value is in it.
    pub slot: Option<StepSlot>,
}

impl AcceptedStep {
    /// The arguments for execution. The first is the absolute path of what is started.
    pub fn argv(&self) -> Vec<String> {
        self.words().into_iter().map(|word| word.text).collect()
    }

    /// The arguments, each with the slot that it came from.
    pub fn words(&self) -> Vec<StepWord> {
        let row = self.row();
        let mut words = Vec::new();
        for part in row.before {
            self.push(part, &mut words);
        }
        words.push(fixed(row.program));
        for part in row.parts {
            self.push(part, &mut words);
        }
        words
    }

    fn push(&self, part: &RowPart, words: &mut Vec<StepWord>) {
        match part {
            RowPart::Words(text) => words.extend(text.split(' ').map(fixed)),
            RowPart::Word(word) => words.push(fixed(word)),
            RowPart::Value(slot) => words.extend(self.filled("", *slot)),
            RowPart::Joined(prefix, slot) => words.extend(self.filled(prefix, *slot)),
            RowPart::Given(before, slot) => {
                if let Some(value) = self.filled("", *slot) {
                    words.extend(before.split(' ').map(fixed));
                    words.push(value);
                }
            }
            RowPart::Choice(slot, choices) => {
                let value = self.step().value(*slot);
                let chosen = choices
                    .iter()
                    .find(|choice| Some(choice.value) == value.as_deref());
                let chosen = chosen.map(|choice| choice.words).unwrap_or_default();
                words.extend(chosen.iter().map(|word| StepWord {
                    text: (*word).to_owned(),
                    slot: Some(*slot),
                }));
            }
        }
    }

    fn filled(&self, prefix: &str, slot: StepSlot) -> Option<StepWord> {
        let value = self.step().value(slot)?;
        Some(StepWord {
            text: format!("{prefix}{value}"),
            slot: Some(slot),
        })
    }
}

/// The step that has exactly these arguments, if there is one.
pub fn read_words(words: &[String]) -> Option<AcceptedStep> {
    let mut found = ROWS.iter().filter_map(|row| read_row(row, words));
    let step = found.next()?;
    // Two meanings of one command would leave open which of them was approved.
    found.next().is_none().then_some(step)
}

fn read_row(row: &'static StepRow, words: &[String]) -> Option<AcceptedStep> {
    let mut step = ProbeStep::new(row.name);
    let mut rest = words;
    for part in row.before {
        (step, rest) = read_part(part, step, rest)?;
    }
    let (program, after) = rest.split_first()?;
    if program != row.program {
        return None;
    }
    rest = after;
    for part in row.parts {
        (step, rest) = read_part(part, step, rest)?;
    }
    let accepted = accept(&step).ok()?;
    // Whatever was passed over on the way is seen here.
    (rest.is_empty() && accepted.argv() == words).then_some(accepted)
}

fn read_part<'a>(
    part: &RowPart,
    step: ProbeStep,
    words: &'a [String],
) -> Option<(ProbeStep, &'a [String])> {
    match part {
        RowPart::Words(text) => {
            let expected: Vec<_> = text.split(' ').collect();
            Some((step, after(words, &expected)?))
        }
        RowPart::Word(word) => {
            let (first, rest) = words.split_first()?;
            (first == word).then_some((step, rest))
        }
        RowPart::Value(slot) => {
            let (first, rest) = words.split_first()?;
            Some((step.with(*slot, first), rest))
        }
        RowPart::Given(before, slot) => {
            let expected: Vec<_> = before.split(' ').collect();
            let Some(rest) = after(words, &expected) else {
                return Some((step, words));
            };
            let (value, rest) = rest.split_first()?;
            Some((step.with(*slot, value), rest))
        }
        RowPart::Joined(prefix, slot) => {
            let value = words.first().and_then(|word| word.strip_prefix(prefix));
            Some(match value {
                Some(value) => (step.with(*slot, value), &words[1..]),
                None => (step, words),
            })
        }
        RowPart::Choice(slot, choices) => {
            let mut fitting: Vec<_> = choices
                .iter()
                .filter_map(|choice| Some((choice, after(words, choice.words)?)))
                .collect();
            fitting.sort_by_key(|(choice, _)| choice.words.len());
            Some(match fitting.pop() {
                Some((choice, rest)) => (step.with(*slot, choice.value), rest),
                None => (step, words),
            })
        }
    }
}

/// The words behind these, if they come first.
fn after<'a>(words: &'a [String], expected: &[&str]) -> Option<&'a [String]> {
    let (first, rest) = words.split_at_checked(expected.len())?;
    (first == expected).then_some(rest)
}

fn fixed(word: &str) -> StepWord {
    StepWord {
        text: word.to_owned(),
        slot: None,
    }
}
