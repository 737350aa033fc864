//! The openings of sentences, and a guess at their language.

use crate::planner::{
    toolbox::Toolbox,
    words::{is_plain, words},
};

/// The words without the name of the assistant that they open with, which a thing may have too.
pub(super) fn unaddressed(question: &str) -> &str {
    let Some((address, rest)) = question.split_once(',') else {
        return question;
    };
    let said = words(address);
    let is_address = said.last().is_some_and(|word| word == "jarvis")
        && said.iter().all(|word| is_plain(word) || word == "jarvis");
    if is_address {
        rest.trim_start()
    } else {
        question
    }
}

/// True if the words are in another language: letters of another script, or its commonest words and
/// hardly any English ones.
pub(super) fn is_foreign(question: &str, said: &[String], toolbox: &Toolbox<'_>) -> bool {
    const SIGNS: &[&str] = &[
        "der", "die", "das", "ist", "sind", "wie", "welche", "welcher", "wer", "wo", "warum",
        "bitte", "und", "nicht", "ein", "eine", "den", "dem", "läuft", "zeige", "starte", "stoppe",
        "fahre", "schalte", "ich", "mein", "meine", "mit", "von", "gibt", "wann", "kannst", "el",
        "los", "las", "qué", "cómo", "cuál", "está", "están", "por", "para", "una", "le", "les",
        "quel", "quelle", "quels", "est", "sont", "comment", "pourquoi", "combien", "montre", "du",
        "des", "il", "gli", "che", "quale", "quali", "come", "perché", "sono", "het", "een", "hoe",
        "welk", "waarom", "zijn", "jak", "jest", "które", "czy", "como", "qual", "quais", "não",
        "são", "onde", "vad", "hur", "är", "och", "hvad", "hvordan", "er",
    ];
    let strange = question
        .chars()
        .filter(|c| c.is_alphabetic() && !c.is_ascii())
        .filter(|c| !('\u{c0}'..='\u{24f}').contains(c))
        .count();
    let letters = question.chars().filter(|c| c.is_alphabetic()).count();
    if strange * 2 > letters {
        return true;
    }
    let signs = said.iter().filter(|word| SIGNS.contains(&word.as_str()));
    let english = said
        .iter()
        .filter(|word| (is_plain(word) || toolbox.knows(word)) && !SIGNS.contains(&word.as_str()));
    let (signs, english) = (signs.count(), english.count());
    signs > 0 && signs >= english
}
