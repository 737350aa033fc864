//! Sentences where nothing fits: reasons, and questions that can be answered.

use super::manner::REHEARSAL;

pub(crate) const IN_WORDS_OF_EXAMPLES: &str = "I understand such requests only in the words of my \
     examples, sir; a real model understands others.";

pub(crate) fn needs_pack(pack: &str) -> String {
    format!(
        "That needs the tools of {pack}, sir, which this conversation lacks. Start a new one, and \
         choose {pack} before its first message."
    )
}

/// A line of the list: a question, with the page where it can be asked.
pub(crate) fn question_with_page(question: &str, title: &str, path: &str) -> String {
    format!("- {question} ([{title}]({path}))")
}

/// `last` of the quoted questions, and those before it.
pub(crate) fn you_might_ask(before: &[String], last: &str) -> String {
    match before {
        [] => format!("You might ask me {last}."),
        before => format!("You might ask me {} or {last}.", before.join(", ")),
    }
}

pub(crate) fn without_list(lead: &str) -> String {
    format!("{lead} {REHEARSAL}")
}

pub(crate) fn with_list(lead: &str, list: &str) -> String {
    format!("{lead} These I can answer:\n\n{list}")
}

pub(crate) fn no_tool_covers(topic: &str) -> String {
    format!("No tool here covers {topic}, sir.")
}

pub(crate) const QUOTED_TEXT: &str = "I read what you quote as text, sir, not as an order, and have done \
     nothing; explaining it needs a real model.";
pub(crate) const EXPLAINING: &str = "Explaining needs a real model, sir; an API key connects one.";
pub(crate) const NEEDS_REAL_MODEL: &str = "That needs a real model, sir; an API key connects one.";
pub(crate) const NO_SUCH_TOOL: &str =
    "I have no tool that would do that, sir, and I do not pretend to.";
pub(crate) const ENGLISH_ONLY: &str =
    "I read English only, sir, and your message is in another language.";

pub(crate) fn belongs_on_page(title: &str, path: &str) -> String {
    format!("That belongs on [{title}]({path}#ask), sir; the link takes your question along.")
}

pub(crate) fn no_tools() -> String {
    format!(
        "I have no tools in this conversation, sir, and so can neither look anything up nor change \
         it. {REHEARSAL}"
    )
}

pub(crate) fn only_talk() -> String {
    format!("In this conversation, sir, only talk. {REHEARSAL}")
}

/// The numbers of tools that look things up, and of those that act.
pub(crate) fn what_i_can_do(looks: usize, acts: usize) -> String {
    match (looks, acts) {
        (looks, 0) => {
            let looks = ways(looks);
            format!("I can look things up for you, sir, in {looks}.")
        }
        (0, _) => "I can act for you, sir, as far as you approve it.".to_owned(),
        (looks, acts) => {
            let looks = ways(looks);
            format!(
                "I can look things up for you, sir, in {looks}, and act in {acts}, as far as you \
                 approve it."
            )
        }
    }
}

fn ways(count: usize) -> String {
    super::counted(count, "way")
}

pub(crate) const I_LOOK_UP: &str = "I look up";
pub(crate) const I_ACT: &str = "I act";

pub(crate) fn more_on(pages: &str) -> String {
    format!("More on {pages}. ")
}

/// `more`: the number of the others that were not answered.
pub(crate) fn left_out(answered: usize, question: &str, more: usize) -> String {
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("I answer {answered} questions at a time, sir, and have left out “{question}”{more}.")
}

pub(crate) fn where_to_run(command: &str, place: &str) -> String {
    format!("{command} would tell, sir. On which {place} shall I run it?")
}

pub(crate) fn need_to_know(what: &str) -> String {
    format!("I should gladly look, sir, but need to know the {what} first.")
}

pub(crate) fn name_not_found(name: &str) -> String {
    format!("I find nothing called {name} in the results, sir. A slip in the name, perhaps?")
}
