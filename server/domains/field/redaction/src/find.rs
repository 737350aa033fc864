//! The values of a text, without a vault: for tables of cases and for counts.

use std::ops::Range;

use crate::candidate::longest;
use crate::class::Class;
use crate::cover::found;
use crate::layers::Layers;
use crate::secrets::PemState;

/// A value that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundValue {
    pub class: Class,
    /// Bytes of the text. Of secrets: where it was.
    pub range: Range<usize>,
    /// The value without escapes, addresses in their canonical spelling; of secrets the text itself.
    pub value: String,
}

/// Finds the secrets of a text, and the values in what is left of it.
#[must_use]
pub fn find(text: &str) -> Vec<FoundValue> {
    let mut all: Vec<_> = PemState::default()
        .secrets(text)
        .into_iter()
        .map(|range| FoundValue {
            class: Class::Secret,
            value: text[range.clone()].to_owned(),
            range,
        })
        .collect();
    // Secrets are blanked, so that what is left keeps its place.
    let mut rest = text.to_owned();
    for secret in &all {
        let blank = " ".repeat(secret.range.len());
        rest.replace_range(secret.range.clone(), &blank);
    }
    let layers = Layers::of(&rest);
    let values = longest(found(&rest, &layers)).taken;
    all.extend(values.into_iter().map(|place| FoundValue {
        class: place.what.class,
        range: place.range,
        value: place.what.value,
    }));
    all.sort_by_key(|value| value.range.start);
    all
}
