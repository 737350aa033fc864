//! Negations that a question asks about: "why is order 7 not delivered?" forbids nothing.
//!
//! As everywhere here, the lists hold what is known to ask for a fact. Whatever else a question denies
//! stays a prohibition: "did I not say to leave it?", "isn't it better to wait?"

use std::ops::Range;

use super::{
    lists::{
        ACTIONS, ASIDES, ASKING, ASKING_ABILITY, ASKING_NOT, ASKING_STATE, DOUBTFUL, FACTS, FIRST,
        List, OPENERS, WHICHES, WHYS,
    },
    orders::{Force, begins_with_a_look},
    prohibitions::word,
    sentences::SentenceWord,
};

/// The words of a sentence without the negations that it asks about; all of them if it says or orders
/// anything besides.
pub(super) fn without_asked(words: Vec<SentenceWord>, sentence: &str) -> Vec<SentenceWord> {
    let has_mark = sentence.trim_end().ends_with('?');
    let is_asked = |at: &usize| is_asked(&words, *at, has_mark);
    let asked: Vec<usize> = (0..words.len()).filter(is_asked).collect();
    if asked.is_empty() {
        return words;
    }
    let others = (0..words.len()).filter(|at| !asked.contains(at));
    let read: Vec<SentenceWord> = others.map(|at| words[at].clone()).collect();
    if Force::of(&read, sentence) == Force::Asks {
        read
    } else {
        words
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuestionKind {
    /// It takes the fact for granted and asks for the reason.
    Why,
    /// It asks for a thing or a number.
    Which,
    /// It asks whether something is so.
    Whether,
}

/// A question within a sentence.
#[derive(Debug, Clone, Copy)]
struct Question {
    kind: QuestionKind,
    /// The place of its first word.
    from: usize,
}

/// True if a negation denies a fact that a question is about.
fn is_asked(words: &[SentenceWord], at: usize, has_mark: bool) -> bool {
    let negation = word(words, Some(at));
    let is_verb = ASKING_NOT.contains(negation);
    let is_after_mark = words.get(at).is_some_and(|word| word.after_mark);
    if !is_verb && !["not", "nicht"].contains(&negation) || is_after_mark {
        return false;
    }
    let Some(Question { kind, from }) = question(words, at, has_mark) else {
        return false;
    };
    let end = (at + 1..words.len()).find(|&at| words[at].after_mark);
    let end = end.unwrap_or(words.len());
    let has = |list: &List, mut places: Range<usize>| {
        places.any(|at| list.contains(word(words, Some(at))))
    };
    if has(&DOUBTFUL, from..end) {
        return false;
    }
    // The place of the verb in a question: "why is …", "is …?"
    let inverted = from + usize::from(kind != QuestionKind::Whether);
    if negation == "nicht" && ASKING_STATE.contains(word(words, Some(inverted))) {
        let ends = |at: usize| ["mehr", "an", "hoch", "richtig"].contains(&word(words, Some(at)));
        return (at + 1..end).all(ends) && !has(&ACTIONS, inverted + 1..at);
    }
    let mut verbs = (inverted..=at).filter(|&at| ASKING.contains(word(words, Some(at))));
    let verb = verbs.next();
    // With a second verb nobody knows which of them is denied.
    if verbs.next().is_some() {
        return false;
    }
    let Some(verb) = verb else {
        return is_denied_at_the_end(words, at, end, kind) && !has(&ACTIONS, from..at);
    };
    // "Which items are not …", "tell me why it isn't …"
    let is_beside = verb == at || verb + 1 == at;
    if verb != inverted && (kind == QuestionKind::Whether || !is_beside) {
        return false;
    }
    let fact = if ASKING_ABILITY.contains(word(words, Some(verb))) {
        let be = (at + 1..end).find(|&at| word(words, Some(at)) == "be");
        let is_its = |be: &usize| is_verb && verb == inverted || *be == at + 1;
        let fact = be.filter(is_its).map(|be| after_asides(words, be + 1));
        // "Why can't it be restarted?" may speak of a rule.
        fact.filter(|&fact| kind == QuestionKind::Why && !has(&ACTIONS, fact..fact + 1))
    } else if is_verb && verb == inverted {
        // What is asked about stands between: "why isn't order 7 delivered?"
        (at + 2..end).find(|&at| is_fact(words, at, kind))
    } else {
        Some(after_asides(words, at + 1))
    };
    let Some(fact) = fact.filter(|&fact| fact < end && is_fact(words, fact, kind)) else {
        return false;
    };
    !has(&ACTIONS, from..fact) && !has(&ACTIONS, fact + 1..end)
}

/// The question that a word stands in.
fn question(words: &[SentenceWord], at: usize, has_mark: bool) -> Option<Question> {
    use QuestionKind::{Whether, Which, Why};
    let last = |list: &List| {
        let mut places = (0..at).rev();
        places.find(|&at| list.contains(word(words, Some(at))))
    };
    if let Some(from) = last(&WHYS) {
        return leads_to(words, from).then_some(Question { kind: Why, from });
    }
    if let Some(from) = last(&WHICHES) {
        let is_question = has_mark || begins_with_a_look(words);
        return (is_question && leads_to(words, from)).then_some(Question { kind: Which, from });
    }
    let mut all = words.iter();
    let from = all.position(|word| !OPENERS.contains(word.text.as_str()))?;
    (has_mark && from <= at).then_some(Question {
        kind: Whether,
        from,
    })
}

/// True if what stands before the first word of a question is nothing, another clause, or asks for a
/// look: "tell me why". "I know why" says something.
fn leads_to(words: &[SentenceWord], from: usize) -> bool {
    let led = words.get(..from).unwrap_or_default();
    let all = |list: &List| led.iter().all(|word| list.contains(word.text.as_str()));
    let is_of_person = led.iter().any(|word| FIRST.contains(word.text.as_str()));
    let joins = ["and", "or", "but", "und", "oder", "aber"];
    all(&OPENERS)
        || words.get(from).is_some_and(|first| first.after_mark)
        || joins.contains(&word(words, from.checked_sub(1)))
        || begins_with_a_look(led) && !is_of_person
}

/// True for "warum smbd nicht erreichbar ist", where the verb stands last.
fn is_denied_at_the_end(words: &[SentenceWord], at: usize, end: usize, kind: QuestionKind) -> bool {
    let fact = after_asides(words, at + 1);
    kind != QuestionKind::Whether
        && fact + 2 == end
        && is_fact(words, fact, kind)
        && ASKING.contains(word(words, Some(fact + 1)))
}

fn after_asides(words: &[SentenceWord], from: usize) -> usize {
    let is_aside = |at: &usize| ASIDES.contains(word(words, Some(*at)));
    from + (from..words.len()).take_while(is_aside).count()
}

/// True if a word tells a fact. After "why" it is denied for certain, so any participle does.
fn is_fact(words: &[SentenceWord], at: usize, kind: QuestionKind) -> bool {
    let text = word(words, Some(at));
    let is_participle = text.len() > 4 && text.ends_with("ed");
    FACTS.contains(text) || kind == QuestionKind::Why && is_participle
}
