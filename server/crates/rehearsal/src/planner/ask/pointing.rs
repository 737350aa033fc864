//! Words that point back to an earlier answer.

use super::{Ask, Record, View, read_words};
use crate::{
    planner::{
        compose::is_measure,
        span::is_span,
        toolbox::Toolbox,
        words::{is_filler, original, words},
    },
    texts::manner,
};

/// True if words point back to what was said before.
pub(super) fn points_back(ask: &Ask, last_answer: &str) -> bool {
    // A name alone, where it was asked which one is meant.
    if ask.content.is_empty() && ask.names_a_thing() && last_answer.contains(manner::ASKS_BACK) {
        return true;
    }
    let pointing = [
        "it", "its", "same", "them", "their", "here", "those", "these",
    ];
    let at = |word: &str| ask.said.iter().position(|said| said == word);
    let beside = |at: usize, step: isize| {
        let beside = at.checked_add_signed(step).and_then(|at| ask.said.get(at));
        beside.map_or("", String::as_str)
    };
    // "Are there any?", "those that have been up" and "this week" point at nothing.
    let there =
        at("there").is_some_and(|at| !matches!(beside(at, -1), "is" | "are" | "was" | "were"));
    let that = at("that").is_some_and(|at| {
        !matches!(
            beside(at, 1),
            "have" | "has" | "are" | "is" | "were" | "was" | "can" | "use" | "uses"
        )
    });
    let this = at("this").is_some_and(|at| !is_span(beside(at, 1)));
    let opens = |word: &str| ask.said.first().is_some_and(|first| first == word);
    // "Too hot?", "why?": hardly a word.
    let is_bare = ask.said.iter().all(|word| is_filler(word)) && ask.said.len() <= 3;
    ask.any(&pointing)
        || there
        || that
        || this
        || opens("and")
        || opens("so")
        || opens("then")
        || opens("why") && ask.said.len() == 1
        || is_bare
        || ask.pair("what", "about")
        || ask.pair("how", "about")
}

/// The thing that the last answer told of first: a known one, or the number of one.
pub(super) fn spoken_of(view: &View<'_>, known: &[Record]) -> Option<Record> {
    // Results and their tables stand below the first lines.
    let told = view.last_answer.split("\n\n").next()?;
    let said = original(told);
    said.iter().find_map(|word| {
        known
            .iter()
            .filter(|record| record.name.as_ref().is_some_and(|name| name.len() > 2))
            .find(|record| record.is_called(word) && record.name.as_deref() == Some(word))
            .cloned()
    })
}

/// The numbered thing that the last answer told of: `101 (media)`.
fn numbered(view: &View<'_>, toolbox: &Toolbox<'_>, known: &[Record]) -> Option<Record> {
    let told = view.last_answer.split("\n\n").next()?;
    let said: Vec<&str> = told.split_whitespace().collect();
    said.windows(2).find_map(|pair| {
        let id: i64 = pair[0].parse().ok()?;
        let name = pair[1].strip_prefix('(')?.split(')').next()?;
        toolbox.least_id.filter(|least| id >= *least)?;
        let found = known
            .iter()
            .find(|record| record.is_called(name) && !record.ids.is_empty());
        let mut record = Record::pointed_at("", pair[0]);
        record.name = Some(name.to_owned());
        Some(found.cloned().unwrap_or(record))
    })
}

/// Fills what the words leave open from what was said or read before.
pub(super) fn point_back(
    view: &View<'_>,
    toolbox: &Toolbox<'_>,
    known: &[Record],
    among: bool,
    ask: &mut Ask,
) {
    let had_content = !ask.content.is_empty();
    let is_asked_of = ask.names_a_thing();
    // "Which of them was it?": the one that the last answer told of by its number.
    let asks_which =
        ask.which.as_ref().is_some_and(|noun| toolbox.is_kind(noun)) || ask.pair("was", "it");
    if let Some(thing) =
        numbered(view, toolbox, known).filter(|_| asks_which && !is_asked_of && !among)
    {
        ask.named = vec![thing];
        ask.which = None;
        return;
    }
    if ask.pair("other", "one") || ask.pair("other", "ones") {
        others(view, toolbox, known, ask);
        return;
    }
    for (step, earlier) in view.earlier_questions.iter().enumerate() {
        let mut before = read_words(earlier, toolbox, known);
        super::near::resolve(&mut before, known, false);
        super::near::renamed(&mut before, view);
        before.strangers.retain(|it| it.is_name || it.is_place);
        if among {
            // "Which one uses the most memory?": one of those that were spoken of.
            // What they are compared by is what is asked now, if it is.
            let compares = ask.content.iter().any(|word| is_measure(word));
            let nouns = before.content.iter().filter(|word| toolbox.is_noun(word));
            let nouns: Vec<_> = nouns
                .filter(|word| !compares || !is_measure(word))
                .cloned()
                .collect();
            ask.content.extend(nouns);
            return;
        }
        if !ask.names_a_thing() {
            ask.named = before.named.clone();
            ask.ids = before.ids.clone();
            ask.strangers = before.strangers.clone();
        } else if is_asked_of && ask.named.is_empty() && !before.strangers.is_empty() {
            // "And that other service?": at the same place.
            let places = before.named.iter().filter(|record| record.ids.is_empty());
            ask.named.extend(
                places
                    .filter(|record| record.kinds.iter().any(|kind| toolbox.is_common(kind)))
                    .cloned(),
            );
        }
        // The subject of the last answer, if the words before named nothing.
        if step == 0 && !ask.names_a_thing() && asks_of_it(ask) {
            ask.named.extend(ask.spoken_of.clone());
        }
        if ask.content.is_empty() && ask.action.is_none() {
            ask.content = before.content.clone();
            ask.said.extend(before.said.clone());
            ask.count = ask.count.or(before.count);
            ask.bound = ask.bound.or(before.bound);
        } else if step == 0 && ask.action.is_none() && !is_asked_of && !ask.names_a_thing() {
            // "And the most CPU?": of the things that were asked about.
            let is_new =
                |word: &&String| toolbox.is_noun_or_kind(word) && !ask.content.contains(word);
            let has_noun = ask
                .content
                .iter()
                .any(|word| toolbox.is_kind(word) || toolbox.is_place(word));
            let nouns: Vec<String> = before.content.iter().filter(is_new).cloned().collect();
            if !has_noun {
                let kinds = nouns
                    .into_iter()
                    .filter(|word| toolbox.is_kind(word) || toolbox.is_place(word));
                ask.content.extend(kinds);
                ask.which = ask.which.take().or(before.which.clone());
                let plural = before
                    .said
                    .iter()
                    .filter(|word| toolbox.is_kind(&crate::planner::words::singular(word)));
                let plural: Vec<String> = plural.cloned().collect();
                ask.said.extend(plural);
            }
        }
        // If the question before pointed back itself, the one before that may name the place.
        let wants_place = is_asked_of && ask.named.is_empty() && !before.names_a_thing();
        if ask.names_a_thing() && !(ask.content.is_empty() && ask.action.is_none()) && !wants_place
        {
            return;
        }
    }
    // A thing that was never named but read by itself.
    if !ask.names_a_thing() && had_content {
        let last = view.earlier.iter().rev();
        let place = last
            .filter_map(|done| done.input.as_object())
            .flat_map(|input| input.values().filter_map(|value| value.as_str()))
            .find_map(|text| known.iter().find(|record| record.is_called(text)));
        ask.named.extend(place.cloned());
    }
}

/// "And the other one?": of the kind that was asked about, all but that one.
fn others(view: &View<'_>, toolbox: &Toolbox<'_>, known: &[Record], ask: &mut Ask) {
    const MOST: usize = 4;
    let Some(earlier) = view.earlier_questions.first() else {
        return;
    };
    let before = read_words(earlier, toolbox, known);
    let is_before = |record: &Record| {
        let mut named = before.named.iter();
        let mut strange = before.strangers.iter();
        named.any(|one| one.name == record.name) || strange.any(|it| record.is_called(&it.word))
    };
    let kinds = known
        .iter()
        .filter(|record| is_before(record))
        .flat_map(|record| &record.kinds);
    let kinds: Vec<&String> = kinds.collect();
    for record in known {
        let is_new = ask.near.iter().all(|other| other.name != record.name);
        if record.kinds.iter().any(|kind| kinds.contains(&kind)) && !is_before(record) && is_new {
            ask.near.push(record.clone());
        }
    }
    ask.near.truncate(MOST);
    if let [only] = &ask.near[..] {
        ask.named = vec![only.clone()];
        ask.near.clear();
    }
    ask.content = before.content;
    ask.said.extend(before.said);
}

/// True if the words ask of one thing: "is that too hot?"
fn asks_of_it(ask: &Ask) -> bool {
    ask.any(&["it", "its", "that", "there", "he", "this", "so"]) || words(&ask.question) == ["why"]
}
