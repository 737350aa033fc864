//! Forms of a text that a tool's description lists, one a line: `FORM: meaning`. Words in capitals
//! stand for a value, `a|b` for a choice.

use super::{
    ask::Ask,
    view::Tool,
    words::{close, is_plain, meaning, original, words},
};

/// The length of a list where the words name none.
const LINES: u64 = 50;

struct Form<'a> {
    text: &'a str,
    told: Vec<String>,
    /// A sample of each value in capitals.
    samples: &'a [(String, String)],
}

/// True if a tool takes texts of such forms in a field.
pub(super) fn lists(tool: &Tool<'_>) -> bool {
    lines(tool.description).count() >= 3
}

/// True if the words are one of the forms, and where.
pub(super) fn is_typed(tool: &Tool<'_>, ask: &Ask) -> bool {
    let typed = typed(&ask.question);
    lists(tool) && lines(tool.description).any(|(text, _)| typed == Some(text))
}

fn lines(description: &str) -> impl Iterator<Item = (&str, &str)> {
    description
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(form, told)| form.len() <= 80 && told.len() <= 80 && !form.contains(". "))
}

/// The text that the words ask for most plainly, and how plainly.
pub(super) fn fitting(tool: &Tool<'_>, ask: &Ask) -> Option<(String, f64)> {
    let samples = samples(tool.description);
    let typed = typed(&ask.question);
    let mut before: Vec<String> = Vec::new();
    let mut best: Option<(String, f64)> = None;
    for (text, told) in lines(tool.description) {
        let mut meanings: Vec<String> = content(told);
        if told.starts_with("the same") {
            meanings.extend(before.iter().cloned());
        }
        before.clone_from(&meanings);
        let form = Form {
            text,
            told: meanings,
            samples: &samples,
        };
        if typed == Some(text) {
            return Some((text.to_owned(), 2.0));
        }
        if let Some((text, score)) = form.filled(ask)
            && best.as_ref().is_none_or(|(_, most)| score > *most + 1e-9)
        {
            best = Some((text, score));
        }
    }
    best
}

/// `zpool list` of `show zpool list on pve`.
fn typed(question: &str) -> Option<&str> {
    let line = question.trim().trim_end_matches(['?', '.', '!']);
    let line = line.strip_prefix("show ").unwrap_or(line);
    line.rsplit_once(" on ").map(|(text, _)| text.trim())
}

fn content(text: &str) -> Vec<String> {
    let said = words(text);
    let content = said.iter().filter(|word| !super::words::is_filler(word));
    content.map(|word| meaning(word)).collect()
}

/// `UNIT is the full name of a service, such as pveproxy.service` says what a unit looks like.
fn samples(description: &str) -> Vec<(String, String)> {
    let sentences = description.split([';', '(', ')']);
    let told = sentences.filter_map(|sentence| {
        let (name, rest) = sentence.trim().split_once(" is ")?;
        let (_, sample) = rest.split_once("such as ")?;
        Some((name.to_owned(), sample.split([' ', ',']).next()?.to_owned()))
    });
    told.collect()
}

impl Form<'_> {
    /// The text with its values, and a score: how many of the words it is for.
    fn filled(&self, ask: &Ask) -> Option<(String, f64)> {
        let said: Vec<String> = ask.said.iter().map(|word| meaning(word)).collect();
        let mut score = 0.0;
        let mut out: Vec<String> = Vec::new();
        let mut missing = 0;
        for part in self.text.split(' ') {
            if part.contains('|') {
                let choice = part.split('|').rfind(|choice| {
                    ask.said
                        .iter()
                        .any(|word| word.starts_with(choice) && choice.len() >= 3)
                })?;
                // A choice that the words name is what they are about.
                score += 1.5;
                out.push(choice.to_owned());
            } else if part == "N" {
                out.push(ask.count.unwrap_or(LINES).clamp(1, 500).to_string());
            } else if part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()) {
                let (value, weight) = self.value(part, ask)?;
                score += weight;
                out.push(value);
            } else {
                let own = original(part).join("-").to_lowercase();
                let bits = own.split('-').filter(|bit| bit.len() >= 3);
                let named = bits.filter(|bit| {
                    ask.content.iter().any(|word| {
                        word == bit
                            || bit.len() >= 5 && word.len() >= 4 && bit.starts_with(word.as_str())
                    })
                });
                score += 0.6 * named.count() as f64;
                out.push(part.to_owned());
            }
        }
        for told in &self.told {
            if said.iter().any(|word| close(word, told)) {
                score += 1.0
            } else {
                missing += 1
            }
        }
        // A form that leaves words open is for something else.
        let is_open = |word: &&String| {
            let in_told = self.told.iter().any(|told| close(told, word));
            !in_told
                && !out
                    .iter()
                    .any(|part| part.contains(word.as_str()) || named_by(part, ask, word))
        };
        let strangers = ask.strangers.iter().filter(|it| !it.is_place);
        let unused = strangers.filter(|it| !out.iter().any(|part| part.starts_with(&it.word)));
        let open = (ask.content.iter().filter(is_open).count() + unused.count()) as f64;
        let share = 1.0 - open / (ask.content.len().max(1) as f64);
        let score = score * (0.3 + 0.7 * share);
        (score > 0.0).then(|| (out.join(" "), score - 0.05 * f64::from(missing)))
    }

    /// The value of a word in capitals: one that looks like its sample, else a word that is no plain
    /// English and no known thing.
    fn value(&self, part: &str, ask: &Ask) -> Option<(String, f64)> {
        let sample = self.samples.iter().find(|(name, _)| name == part);
        let sample = sample.map_or("", |(_, sample)| sample);
        if sample.starts_with('/') {
            let mut said = ask.question.split_whitespace();
            let path = said.find(|word| word.starts_with('/'))?;
            return Some((path.trim_end_matches(['?', '.', '!', ',']).to_owned(), 1.0));
        }
        let mut strangers = ask.strangers.iter().filter(|stranger| !stranger.is_place);
        let stranger = strangers.next().map(|stranger| stranger.word.clone());
        let word = stranger.or_else(|| beside(ask, part))?;
        let ending = sample
            .rsplit_once('.')
            .map(|(_, ending)| format!(".{ending}"));
        let word = match ending {
            Some(ending) if !word.ends_with(&ending) => format!("{word}{ending}"),
            _ => word,
        };
        Some((word, 1.0))
    }
}

/// True if a part of a form is the choice that a word of this meaning names: `err` of `errors`.
fn named_by(part: &str, ask: &Ask, word: &str) -> bool {
    part.len() >= 3
        && ask
            .said
            .iter()
            .any(|said| meaning(said) == *word && said.starts_with(part))
}

/// The word before or behind the one that the value is called by: `the nginx service`.
fn beside(ask: &Ask, part: &str) -> Option<String> {
    let called = meaning(&part.to_lowercase());
    let said = &ask.said;
    let at = said.iter().position(|word| meaning(word) == called)?;
    let near = [at.checked_sub(1), Some(at + 1)];
    let mut words = near.into_iter().flatten().filter_map(|at| said.get(at));
    words.find(|word| !is_plain(word)).cloned()
}
