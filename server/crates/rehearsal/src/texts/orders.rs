//! Sentences about orders: carried out, refused, left open, cancelled.

/// The reason in the input of a call.
pub(crate) const ASKED_FOR: &str = "The person asked for it.";

pub(crate) const SHALL_I_ASK_AGAIN: &str = "Shall I ask again?";

/// `fuller`: an example that says more of the same.
pub(crate) fn fuller_example(fuller: &str) -> String {
    format!("A fuller way to put it: “{fuller}”.")
}

pub(crate) fn say_in_full(example: &str) -> String {
    format!("To do it, say it in full: “{example}”.")
}

pub(crate) fn say_in_full_with_pack(example: &str, pack: &str) -> String {
    format!("To do it, say it in full in a new conversation with {pack}: “{example}”.")
}

pub(crate) fn outcome_unknown(verb: &str, thing: &str, known: &str) -> String {
    format!(
        "I do not know whether I could {verb} {thing}, sir. {known} I shall not try again \
         unasked; a look at it, and at the recent tasks, would tell."
    )
}

/// The beginning of the sentences below.
pub(crate) fn not_done(verb: &str, thing: &str) -> String {
    format!("I did not {verb} {thing}")
}

pub(crate) fn denied(not_done: &str) -> String {
    format!("{not_done}: you denied it.")
}

pub(crate) fn expired(not_done: &str) -> String {
    format!("{not_done}: the request expired without a decision.")
}

pub(crate) fn withdrawn(not_done: &str) -> String {
    format!("{not_done}: you went on without deciding.")
}

pub(crate) fn blocked(not_done: &str, reason: &str) -> String {
    format!("{not_done}: it was blocked. {reason}")
}

pub(crate) fn failed(verb: &str, thing: &str, reason: &str) -> String {
    format!("I could not {verb} {thing}. {reason}")
}

pub(crate) fn denied_saying(not_done: &str, comment: &str) -> String {
    format!("{not_done}: you denied it, and said “{comment}”.")
}

/// A denial's comment that names another time, as a question to its person.
pub(crate) fn ask_again_then(comment: &str) -> String {
    format!("“{comment}”: shall I ask again then?")
}

/// One that is an order.
pub(crate) fn do_that_instead(comment: &str) -> String {
    format!("“{comment}”: shall I do that instead?")
}

/// Without a full stop: the time that it took may follow.
pub(crate) fn now_in_state(thing: &str, state: &str, verb: &str) -> String {
    let again = if verb == "restart" { " again" } else { "" };
    format!("{thing} is {state}{again}")
}

pub(crate) fn after(time: &str) -> String {
    format!(", after {time}")
}

pub(crate) fn with_warnings(warnings: &[String]) -> String {
    format!(" It came with warnings: {}", warnings.join("; "))
}

pub(crate) fn not_confirmed(verb: &str, thing: &str, reason: &str) -> String {
    format!("I gave the order to {verb} {thing}, sir, but it is not confirmed: {reason}.")
}

pub(crate) fn done(verb: &str, thing: &str) -> String {
    format!("Done, sir: {verb} {thing}.")
}

pub(crate) fn left_as_it_is(name: &str) -> String {
    format!("Very well, sir: I leave {name} as it is.")
}

pub(crate) const I_DO_NOTHING: &str = "Very well, sir: I do nothing.";
pub(crate) const I_HAVE_DONE_NOTHING: &str = "Very well, sir: I have done nothing.";
pub(crate) const NOTHING_TO_CANCEL: &str = "There is nothing to cancel, sir: nothing is under way.";

/// `end`: the end of the last order, which changed nothing.
pub(crate) fn nothing_else_under_way(end: &str) -> String {
    format!("{end} Nothing else is under way.")
}

/// `end`: the end of the last order, which was carried out.
pub(crate) fn already_over(end: &str) -> String {
    format!("That is over, sir: {end} Nothing else is under way.")
}

/// A sentence after one of the next two.
pub(crate) fn put_it_like(order: &str) -> String {
    format!(" Put it like “{order}”, and I shall see to it.")
}

pub(crate) fn only_at_once(word: &str, sample: &str) -> String {
    format!("I can only act at once, sir, not at another time (“{word}”), so I do nothing.{sample}")
}

pub(crate) fn only_plain_orders(word: &str, sample: &str) -> String {
    format!(
        "I carry out plain orders only, sir, and “{word}” leaves open what exactly you want, so I do \
         nothing.{sample}"
    )
}

pub(crate) fn one_at_a_time(order: &str) -> String {
    format!(
        "I take questions and orders one at a time, sir, and have done nothing yet. Ask first, and \
         then give “{order}” as an order of its own, with the name of what it is for."
    )
}

pub(crate) fn name_not_found_of_several(name: &str) -> String {
    format!(
        "I find nothing called {name} in the results, sir, so I have done nothing. Which one do you mean?"
    )
}

pub(crate) fn name_not_found(name: &str) -> String {
    format!(
        "I find nothing called {name} in the results, sir, and I should not like to guess. Which one \
         do you mean?"
    )
}

pub(crate) const RULES_STAY: &str = "A message does not set my rules aside, sir, so I do nothing. Order one thing by its \
     name, and a card asks you first.";

pub(crate) const WHICH_ONE: &str =
    "I am not certain which one you mean, sir. A name or a number would settle it.";

pub(crate) fn could_not_read_first(failure: &str) -> String {
    format!("I could not read what I need for that, sir.\n\n{failure}")
}
