//! Words and phrases that make a prohibition of a clause.

use super::{
    lists::{
        ACTIONS, APPROVED, ASKS, ASKS_ALWAYS, BAD, BY_HAND, CONDITIONS, DONE, EITHER_WAY, FIRST,
        FIRSTLY, GENERIC, GERMAN_STATES, GERMAN_VERBS, GONE, HARMLESS_NO, I_WILL, JUDGED, LOOKS,
        ME, MINE, MODALS, NEEDED, OF_ANYTHING, OF_THE_THIRD, ONLY, OTHERS, PERMISSION, PUT_OFF,
        REASSURANCE, SEE_TO, SINCE, SKIPPED, THIRD_PERSON, UNNEEDED, WITHOUT_MORE,
    },
    orders::{is_imperative, orders, segment},
    sentences::SentenceWord,
};

/// The word at a place, or nothing.
pub(super) fn word(words: &[SentenceWord], at: Option<usize>) -> &str {
    at.and_then(|at| words.get(at))
        .map_or("", |word| word.text.as_str())
}

/// True if a clause is a prohibition, or puts off what it is about.
pub(super) fn forbids(words: &[SentenceWord]) -> bool {
    (0..words.len()).any(|at| negates(words, at) || reserves(words, at)) || only_looks(words)
}

/// True if a word of a clause turns it into a prohibition.
pub(super) fn negates(words: &[SentenceWord], at: usize) -> bool {
    // The negations proper list the words with which they are harmless, not those with which they
    // forbid: a phrase that nobody thought of stays a prohibition and costs a question.
    let before = word(words, at.checked_sub(1));
    let next = word(words, Some(at + 1));
    let after_next = word(words, Some(at + 2));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.text.as_str()));
    match word(words, Some(at)) {
        "not" => match before {
            "why" | "if" | "or" | "whether" => false,
            "do" => !describes(words, at, false),
            modal if MODALS.contains(modal) => true,
            _ if ["only", "just", "bad", "later"].contains(&next) => false,
            _ if next == "sure" => acts_nearby(words, at, at + 1),
            _ => !describes(words, at, true),
        },
        "don't" | "dont" if next == "need" && frees(words, at + 2) => false,
        "don't" | "dont" => !describes(words, at, false),
        text if THIRD_PERSON.contains(text) => !describes(words, at, true),
        text if text.ends_with("n't") => true,
        "never" => match next {
            // "Never mind." takes back; "Never mind the log, restart smbd." does not.
            "mind" => !orders(words),
            "answers" | "responds" | "came" | "started" | "worked" | "works" => {
                acts_nearby(words, at, at + 1)
            }
            _ => true,
        },
        "no" => match next {
            "longer" if UNNEEDED.contains(after_next) => true,
            "need" if frees(words, at + 2) => false,
            _ if PERMISSION.contains(next) && UNNEEDED.contains(after_next) => false,
            _ if HARMLESS_NO.contains(next) => acts_nearby(words, at, at + 1),
            _ => {
                let is_interjection = at == 0 && words.get(1).is_some_and(|next| next.after_mark);
                let end = segment(words, at).end;
                let is_gone = (at..end).any(|at| {
                    GONE.contains(word(words, Some(at)))
                        || word(words, Some(at)) == "any"
                            && ["more", "longer"].contains(&word(words, Some(at + 1)))
                });
                let describes = is_gone || is_count(words, at, end);
                !is_interjection && (!describes || acts_nearby(words, at, at))
            }
        },
        "nothing" | "none" | "nobody" => match next {
            "works" | "happens" | "helps" | "changed" | "loads" | "helped" => false,
            "of" if after_next == "your" => true,
            "can" | "could" | "of" | "is" | "are" | "uses" | "was" | "needs" => {
                acts_nearby(words, at, at + 1)
            }
            // "Restart it and nothing else."
            _ if OTHERS.contains(next) => !orders(&words[..at]),
            _ => true,
        },
        "nevermind" => !orders(words),
        "forget" => !["don't", "dont", "not"].contains(&before),
        "keep" => ![
            "me", "us", "an", "in", "having", "getting", "failing", "crashing",
        ]
        .contains(&next),
        "keeps" => ["running", "up", "working", "serving", "on"].contains(&next),
        "continue" | "continues" => {
            let verb = if next == "to" { after_next } else { next };
            ![
                "fail",
                "failing",
                "crash",
                "crashing",
                "hang",
                "hanging",
                "misbehave",
            ]
            .contains(&verb)
        }
        "wait" | "warte" if ["i'll", "we'll", "ich", "don't", "dont"].contains(&before) => false,
        "wait" => next != "for" || ["me", "us", "my", "our"].contains(&after_next),
        "stop" | "quit" | "cease" => next.ends_with("ing") || names_nothing_to_stop(words, at),
        "hold" => ["off", "on", "it", "your"].contains(&next),
        "hands" => next == "off",
        "off" => next == "limits",
        "out" => next == "of" && after_next == "the" && word(words, Some(at + 3)) == "question",
        "left" => [
            "alone",
            "as",
            "be",
            "running",
            "untouched",
            "on",
            "up",
            "in",
            "that",
            "the",
            "like",
        ]
        .contains(&next),
        "steer" => next == "clear",
        "hang" | "hangs" => next == "on",
        "changed" => next == "my" && after_next == "mind",
        "change" => next == "of" && ["mind", "plan", "plans"].contains(&after_next),
        "scratch" | "undo" | "strike" | "revert" => {
            words.len() == 1 || ["that", "it", "this"].contains(&next)
        }
        "meant" | "meinte" => ["i", "we", "ich", "wir"].contains(&before),
        "sich" => next == "erledigt",
        "schon" => next == "gut",
        "weiter" => next == "laufen",
        "egal" => !orders(words),
        "just" => next == "so",
        "around" | "herum" => !["turn", "the", "look"].contains(&before),
        "anders" => ["überlegt", "entschieden"].contains(&next),
        "let" => has(&["be", "alone"]) || is_of_person(next, after_next),
        "remain" | "remains" | "stay" | "stays" => {
            !["down", "offline", "stuck", "dead"].contains(&next)
        }
        "instead" => next == "of",
        // "Restart it without asking" urges; "nothing happens without asking" forbids.
        "without" | "ohne" if WITHOUT_MORE.contains(next) => has(&["nichts", "nothing"]),
        "nicht" => {
            let is_question = before == "warum" || before == "wieso";
            let in_question = ["frage", "infrage"].contains(&next) || next == "in";
            let is_harmless = GERMAN_VERBS.contains(before) || GERMAN_STATES.contains(next);
            let state = at + usize::from(GERMAN_STATES.contains(next));
            !is_question && (!is_harmless || in_question || acts_nearby(words, at, state))
        }
        "nichts" => {
            let is_harmless = GERMAN_VERBS.contains(before) || GERMAN_VERBS.contains(next);
            if OTHERS.contains(next) || OTHERS.contains(before) {
                !orders(&words[..at])
            } else {
                !is_harmless || acts_nearby(words, at, at)
            }
        }
        text if text.starts_with("kein") => {
            let describes = HARMLESS_NO.contains(next)
                || text == "keiner" && (GERMAN_VERBS.contains(next) || next == "kann");
            !describes || acts_nearby(words, at, at + 1)
        }
        "lass" | "lasse" | "lasst" | "laß" | "lassen" => {
            !["uns", "mich", "mir"].contains(&next)
                && !has(&["neu", "neustarten", "starten", "wissen"])
        }
        "bleib" | "bleiben" | "bleibt" => !has(&["hängen", "stehen", "stecken", "tot", "offline"]),
        "doubt" | "doubts" | "zweifel" => !["no", "without", "ohne", "kein"].contains(&before),
        "must" => next == "run" && !has(&["again"]),
        "take" | "nehme" => {
            ["that", "it", "das"].contains(&next) && ["back", "zurück"].contains(&after_next)
        }
        text if BAD.contains(text) => {
            let segment = segment(words, at);
            let mut before = words[segment.start..at].iter();
            before.any(|word| ACTIONS.contains(word.text.as_str()))
        }
        text => EITHER_WAY.contains(text),
    }
}

/// True for "to ask" and its like after "no need".
fn frees(words: &[SentenceWord], at: usize) -> bool {
    let asks = ["ask", "wait", "confirm", "check", "worry", "hurry"];
    word(words, Some(at)) == "to" && asks.contains(&word(words, Some(at + 1)))
}

/// True for "no users are on it": how many there are.
fn is_count(words: &[SentenceWord], at: usize, end: usize) -> bool {
    let is_thing = !GENERIC.contains(word(words, Some(at + 1)));
    let has = |list: &[&str]| {
        words[at..end]
            .iter()
            .any(|word| list.contains(&word.text.as_str()))
    };
    is_thing
        && has(&["is", "are", "was", "were", "ist", "sind"])
        && !has(&[
            "allowed",
            "permitted",
            "wanted",
            "needed",
            "necessary",
            "required",
        ])
}

/// True if "stop" is all that is said, and about nothing.
fn names_nothing_to_stop(words: &[SentenceWord], at: usize) -> bool {
    // "Stop it" may be an order about a guest, "OK stop" is none.
    words.len() == 1
        || at + 1 == words.len()
            && words[..at].iter().all(|word| {
                ["please", "ok", "okay", "oh", "now", "no"].contains(&word.text.as_str())
            })
}

/// True for "let me", unless it only asks for news.
fn is_of_person(next: &str, after_next: &str) -> bool {
    next == "me" && !["know", "see", "have"].contains(&after_next)
}

/// True if a clause leaves the decision or the deed to the person, or puts it off.
fn reserves(words: &[SentenceWord], at: usize) -> bool {
    let text = word(words, Some(at));
    let before = word(words, at.checked_sub(1));
    let next = word(words, Some(at + 1));
    let after_next = word(words, Some(at + 2));
    let any =
        |list: &super::lists::List| words.iter().any(|word| list.contains(word.text.as_str()));
    // "Ask me first", "tell me before you restart smbd".
    if ASKS.contains(text) {
        let is_first = |text: &str| ["first", "erst", "zuerst"].contains(&text);
        let first = any(&FIRSTLY) || [before, next, after_next].into_iter().any(is_first);
        let me = ME.contains(next) || ME.contains(after_next);
        if me && first || ASKS_ALWAYS.contains(text) && (ME.contains(next) || first) {
            return true;
        }
        if ["check", "confirm", "clear"].contains(&text)
            && next == "with"
            && ME.contains(after_next)
        {
            return true;
        }
    }
    // "Once I confirm", "only after approval".
    if CONDITIONS.contains(text)
        && (FIRST.contains(next)
            || APPROVED.contains(next)
            || FIRST.contains(after_next) && next == "as")
    {
        return true;
    }
    if PERMISSION.contains(text) || (text == "say" && next == "so" && FIRST.contains(before)) {
        return !["no", "without", "ohne", "keine", "your"].contains(&before);
    }
    if (ONLY.contains(text) || text == "erst")
        && [
            "if", "when", "after", "once", "with", "upon", "wenn", "nach", "mit", "falls", "sobald",
        ]
        .contains(&next)
    {
        return true;
    }
    // "I decide when smbd is restarted", "I'll restart it myself".
    if BY_HAND.contains(text) || text == "by" && next == "hand" || text == "von" && next == "hand" {
        return true;
    }
    if MINE.contains(text) && ["job", "call", "sache", "decision"].contains(&next)
        || text == "up" && next == "to" && ME.contains(after_next)
    {
        return true;
    }
    if ["approve", "confirm", "genehmigen", "freigeben"].contains(&text)
        && ["to", "must", "will", "should", "selbst"].contains(&before)
        && any(&FIRST)
    {
        return true;
    }
    // "Anna will restart it."
    if text == "will" && ACTIONS.contains(next) && before != "you" {
        return true;
    }
    if before == "i'm" && text == "on" && next == "it" || text == "by" && ME.contains(next) {
        return true;
    }
    if ["ich", "wir"].iter().any(|me| [before, next].contains(me))
        && ["mache", "mach", "machen", "erledige", "kümmere", "kümmern"].contains(&text)
    {
        return true;
    }
    let will = I_WILL.contains(text)
        || ["i", "we"].contains(&before) && ["will", "shall"].contains(&text)
        || text == "going" && next == "to"
        || ["ich", "wir"].contains(&next) && ["werde", "werden"].contains(&text)
        || ["ich", "wir"].contains(&before)
            && ["werde", "werden", "starte", "starten"].contains(&text);
    if will {
        let end = segment(words, at).end;
        if words[at..end].iter().any(|word| {
            let text = word.text.as_str();
            ACTIONS.contains(text) && !DONE.contains(text) || SEE_TO.contains(text)
        }) {
            return true;
        }
    }
    PUT_OFF.contains(text) && !any(&NEEDED) && !["not", "nicht"].contains(&before)
}

/// True for "just look at smbd": a look, and nothing else.
fn only_looks(words: &[SentenceWord]) -> bool {
    let nearby = |at: usize| {
        let segment = segment(words, at);
        words[segment]
            .iter()
            .any(|word| LOOKS.contains(word.text.as_str()))
    };
    let only = words
        .iter()
        .position(|word| ONLY.contains(word.text.as_str()));
    only.is_some_and(nearby) && !orders(words)
}

/// True if a negation says how something is, and not what to leave: the first word after it that
/// says anything is a state. "Does not start" describes, "do not start" orders.
fn describes(words: &[SentenceWord], at: usize, third_person: bool) -> bool {
    let mut after = (at + 1..words.len()).filter(|&at| !SKIPPED.contains(word(words, Some(at))));
    let Some(state) = after.next() else {
        return false;
    };
    let first = word(words, Some(state));
    if !(OF_ANYTHING.contains(first) || third_person && OF_THE_THIRD.contains(first)) {
        return false;
    }
    // "Don't work on smbd" has no subject: it orders.
    let begins = segment(words, at).start;
    let at_begin = words[begins..at].iter().all(|word| {
        [
            "please", "just", "so", "and", "but", "do", "you", "ok", "okay",
        ]
        .contains(&word.text.as_str())
    });
    let may_order = at_begin && !third_person;
    if may_order
        && !REASSURANCE.contains(first)
        && !["know", "see", "think", "understand"].contains(&first)
    {
        return false;
    }
    REASSURANCE.contains(first) || first == "forget" || !acts_nearby(words, at, state)
}

/// True if a negation that describes with its word at `state` stands beside an action that it may be
/// about: "I don't think smbd should be restarted". An order that follows it is one all the same.
fn acts_nearby(words: &[SentenceWord], at: usize, state: usize) -> bool {
    let segment = segment(words, at);
    if (state + 1..words.len()).any(|at| is_imperative(words, at)) {
        return false;
    }
    let is_action = |at: usize| ACTIONS.contains(word(words, Some(at)));
    let state_word = word(words, Some(state));
    // Thoughts reach over commas: "I don't know whether, today, smbd should be restarted".
    let end =
        if JUDGED.contains(state_word) || GERMAN_VERBS.contains(word(words, at.checked_sub(1))) {
            words.len()
        } else {
            segment.end
        };
    let mut after = (state + 1..end).take_while(|&at| !SINCE.contains(word(words, Some(at))));
    let mut before = segment.start..at;
    let is_past = ["did", "didn't", "half", "helped", "was", "wasn't"]
        .contains(&word(words, Some(at)))
        || ["did", "was", "half"].contains(&word(words, at.checked_sub(1)));
    after.any(is_action)
        || !is_past && before.any(|at| is_action(at) && is_judgement(words, at, state))
}

/// True if an action before a negation is what the negation judges: "a restart is not good".
fn is_judgement(words: &[SentenceWord], action: usize, state: usize) -> bool {
    let text = word(words, Some(action));
    let before = word(words, action.checked_sub(1));
    let is_noun = text == "neustart"
        || text.ends_with("ing")
        || word(words, Some(action + 1)) == "of"
        || ["a", "the", "another", "any", "this", "that"].contains(&before);
    is_noun && state > action
}
