//! Orders whose input has fields of one kind of thing: those of another kind are called otherwise.

use serde_json::Value;

use super::{
    FormPart, FormText, QuestionForm, TakenTexts, speech,
    text::{has_digit, row_texts, tokens},
};

impl QuestionForm<'_> {
    /// False if another kind of thing stands in the place of that whose fields the input has.
    pub(super) fn keeps_its_kind(&self, taken: &TakenTexts<'_>) -> bool {
        let is_kept = |part: &FormPart<'_>| match part {
            FormPart::Text(text) if text.is_kind() => taken
                .iter()
                .filter(|(own, _)| *own == text.value)
                .all(|(own, said)| said.eq_ignore_ascii_case(own)),
            _ => true,
        };
        !self.is_bound || self.parts.iter().all(is_kept)
    }
}

impl FormText<'_> {
    /// True for a kind of things: the example writes `Red Book` in small letters.
    fn is_kind(&self) -> bool {
        let is_free = !self.is_number && self.choices.is_empty() && !has_digit(&self.value);
        is_free
            && self.value.starts_with(char::is_uppercase)
            && !self.written.contains(char::is_uppercase)
    }
}

/// True for an order with rows that have texts which its words do not say, such as the names of fields.
pub(super) fn is_bound(question: &str, input: &Value) -> bool {
    let said = tokens(question);
    let is_said = |word: &str| said.iter().any(|own| own.eq_ignore_ascii_case(word));
    let is_told = |text: &&str| {
        let own = tokens(text);
        own.iter()
            .all(|word| is_said(word) || word.split('_').all(is_said))
    };
    let mut found = Vec::new();
    row_texts(input, false, &mut found);
    !found.iter().all(is_told) && speech::opens(question)
}
