//! The choice of a tool: how well each fits the words.

use super::{
    super::{ask::Ask, forms, records::Record, words::close},
    Card, Toolbox,
    card::Example,
};

/// Below this nothing fits.
const LEAST: f64 = 0.75;
/// The same for a tool that plainly lists what "which" asks for.
const LEAST_LISTED: f64 = 0.6;

/// Meanings of words for the states of things.
const STATES: &[&str] = &["run", "stop", "paus", "suspend", "onlin", "offlin"];

impl<'v> Toolbox<'v> {
    /// The weight of a meaning: it is high where it tells one tool from the others.
    fn weight(&self, meaning: &str) -> f64 {
        if let Some(weight) = self.weights.borrow().get(meaning) {
            return *weight;
        }
        // In which state things are wanted says little about which things.
        let share = if STATES.contains(&meaning) { 0.3 } else { 1.0 };
        let weight = share * self.measured(meaning);
        self.weights.borrow_mut().insert(meaning.to_owned(), weight);
        weight
    }

    fn measured(&self, meaning: &str) -> f64 {
        let all = self.cards.len() as f64;
        let mut with = 0.0;
        for card in &self.cards {
            if card.mentions(meaning) > 0.0 {
                with += 1.0;
            }
        }
        match with {
            0.0 => 0.5 * (1.0 + all).ln(),
            with => (1.0 + all / with).ln(),
        }
    }

    /// The score of a tool for the words; from 0 to about 2.
    pub(in crate::planner) fn score(&self, card: &Card<'_>, ask: &Ask) -> f64 {
        let content = &ask.content;
        let weights: Vec<f64> = content.iter().map(|word| self.weight(word)).collect();
        let all: f64 = weights.iter().sum();
        let covered: f64 = content
            .iter()
            .zip(&weights)
            .map(|(word, weight)| weight * self.speaks_of(card, word, ask, &weights))
            .sum();
        let coverage = if all > 0.0 { covered / all } else { 0.0 };
        let alike = card
            .examples
            .iter()
            .map(|example| self.alike(example, ask, &weights))
            .fold(0.0, f64::max);
        coverage + alike
    }

    /// A measure for how plainly a tool speaks of a word. In an example about something else it stands
    /// in passing: "Which guest has the oldest backup?" is about backups.
    fn speaks_of(&self, card: &Card<'_>, word: &str, ask: &Ask, weights: &[f64]) -> f64 {
        let with = card.examples.iter().filter(|example| example.has(word));
        let alike = with.map(|example| self.alike(example, ask, weights));
        let by_example = alike
            .reduce(f64::max)
            .map_or(0.0, |alike| 0.45 + 0.45 * alike);
        card.says(word).max(by_example)
    }

    /// The likeness of an example and the words; 1 for the same.
    fn alike(&self, example: &Example, ask: &Ask, weights: &[f64]) -> f64 {
        let (mut shared, mut all) = (0.0, 0.0);
        for (word, weight) in ask.content.iter().zip(weights) {
            all += weight;
            let likeness = example.content.iter().map(|own| likeness(own, word));
            shared += weight * likeness.fold(0.0, f64::max);
        }
        for own in &example.content {
            if !ask.content.iter().any(|word| likeness(own, word) > 0.0) {
                all += self.weight(own);
            }
        }
        let names = ask.named.len() + ask.strangers.len() + ask.values;
        let numbers = !ask.ids.is_empty() || ask.count.is_some();
        for (own, asked) in [
            (!example.names.is_empty(), names > 0),
            (example.names.len() > 1, names > 1),
            (example.has_number, numbers),
            (example.has_span, ask.span.is_some()),
        ] {
            let weight = 0.7;
            if own || asked {
                all += weight;
            }
            if own && asked {
                shared += weight;
            }
        }
        // The very same name says a little more.
        let mut said = ask.strangers.iter().map(|it| it.word.to_lowercase());
        let same = said.any(|word| example.names.contains(&word));
        let more = if same { 0.1 } else { 0.0 };
        if all > 0.0 { shared / all + more } else { 0.0 }
    }

    /// The tool that reads what the words ask for.
    pub(in crate::planner) fn best(&self, ask: &Ask) -> Option<&Card<'v>> {
        let told = self.happenings().map(|card| card.tool.name);
        let mut best: Option<(&Card<'v>, f64)> = None;
        for card in self.readers() {
            let score = self.fitness(card, ask, told);
            let tells = ask.which.as_ref().map(|noun| card.mentions(noun));
            // What a tool plainly lists may have more columns than its words say.
            let least = match tells {
                Some(plainly) if plainly >= 0.7 && card.required().next().is_none() => LEAST_LISTED,
                _ => LEAST,
            };
            if score >= least && best.as_ref().is_none_or(|(_, most)| score > *most + 1e-9) {
                best = Some((card, score));
            }
        }
        best.map(|(card, _)| card)
    }

    /// The score of a tool, with what it is told and what it needs taken into account.
    fn fitness(&self, card: &Card<'_>, ask: &Ask, told: Option<&str>) -> f64 {
        let lists = forms::lists(card.tool);
        let form = lists.then(|| forms::fitting(card.tool, ask)).flatten();
        // Forms speak for a tool where the words name what only a form can tell, of one place.
        let is_placed = ask.strangers.iter().any(|it| it.is_place)
            || ask
                .named
                .iter()
                .any(|record| record.kinds.iter().any(|kind| self.is_common(kind)));
        let by_form = form.as_ref().map_or(0.0, |(_, score)| *score);
        let by_form = by_form * if is_placed { 0.8 } else { 0.5 };
        let mut score = self.score(card, ask).max(by_form);
        let strange = ask.strangers.iter().find(|it| !it.is_place);
        let numbered = ask.named.iter().find(|record| !record.ids.is_empty());
        let names = [
            strange.map(|it| it.word.as_str()),
            numbered.and_then(|record| record.name.as_deref()),
        ];
        let name = names.into_iter().flatten().next();
        // A thing that a tool cannot be told of is not what it is for.
        let is_told = match (name, form) {
            (None, _) => true,
            (Some(name), Some((text, _))) => text.contains(name),
            (Some(_), None) => !lists && (card.finds() || card.takes_a_name(self)),
        };
        if !is_told {
            let is_loose = numbered.is_none() && !lists || told == Some(card.tool.name);
            score = if is_loose && score >= LEAST {
                (score * 0.6).max(LEAST)
            } else if numbered.is_some() {
                score * 0.4
            } else {
                score * 0.6
            };
        }
        // How it went is asked over some time.
        if card.takes_a_span() && ask.span.is_none() && !ask.wants("history") {
            score *= 0.5;
        }
        // In passing is not told of. "Which have no backup?" is about backups.
        let lacks = ask.lacks.as_ref();
        let is_about = lacks.is_some_and(|lacks| card.name.iter().any(|part| close(part, lacks)));
        let in_passing = |noun: &String| card.mentions(noun) < 0.7;
        if ask.which.as_ref().is_some_and(in_passing) && !is_about {
            score *= 0.6;
        }
        // What a tool asks for is what it is about.
        let needs = |record: &Record| card.required().any(|name| record.is(name));
        score
            + if ask.named.iter().any(needs) {
                0.1
            } else {
                0.0
            }
    }

    /// The tool that tells what happened.
    pub(in crate::planner) fn happenings(&self) -> Option<&Card<'v>> {
        let what = Ask {
            content: vec!["happen".to_owned()],
            ..Ask::default()
        };
        let free = self
            .readers()
            .filter(|card| card.required().next().is_none());
        let scored = free.map(|card| (card, self.score(card, &what)));
        let best = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 > 0.5).then_some(best.0)
    }

    /// The tool with an example that has the same shape as words without any content, such as "Show
    /// the last 24 hours of X".
    pub(in crate::planner) fn of_shape(&self, ask: &Ask) -> Option<&Card<'v>> {
        if ask.span.is_none() && ask.count.is_none() {
            return None;
        }
        let alike = |card: &&Card<'v>| {
            let mut examples = card.examples.iter();
            examples.any(|example| self.alike(example, ask, &[]) > 0.99)
        };
        self.readers().find(alike)
    }
}

/// The likeness of two meanings: what is asked of things in one state can be asked of those in another.
fn likeness(own: &str, word: &str) -> f64 {
    let is_state = |meaning: &str| STATES.contains(&meaning);
    match (close(own, word), is_state(own) && is_state(word)) {
        (true, _) => 1.0,
        (false, true) => 0.7,
        (false, false) => 0.0,
    }
}
