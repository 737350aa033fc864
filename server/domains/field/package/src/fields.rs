//! Typed results of a step: values with units, and records of the same shape.
//!
//! Texts in them come from devices and from whoever answers a device. They are bounded, and
//! characters that hide or reorder text are spelled out.

use serde::Serialize;

/// Records kept of one step; more are counted.
pub const MAX_RECORDS: usize = 500;
/// Characters kept of a text.
const MAX_TEXT: usize = 255;

/// Result of one step.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StepFields {
    pub values: Vec<TypedField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Vec<TypedField>>,
    /// Records that were left out, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

/// One value under its name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypedField {
    pub name: &'static str,
    pub value: FieldReading,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<FieldUnit>,
}

/// A value, or the reason that there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldReading {
    Number(f64),
    Whole(u64),
    Text(String),
    Flag(bool),
    Unknown(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum FieldUnit {
    #[serde(rename = "ms")]
    Milliseconds,
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "%")]
    Percent,
    #[serde(rename = "B")]
    Bytes,
    #[serde(rename = "bit/s")]
    BitsPerSecond,
    #[serde(rename = "Mbit/s")]
    MegabitsPerSecond,
    #[serde(rename = "dBm")]
    Dbm,
    #[serde(rename = "MHz")]
    Megahertz,
}

impl StepFields {
    /// The reading under a name.
    pub fn get(&self, name: &str) -> Option<&FieldReading> {
        let mut values = self.values.iter();
        values
            .find(|field| field.name == name)
            .map(|field| &field.value)
    }

    pub(crate) fn push(&mut self, field: TypedField) {
        self.values.push(field);
    }

    pub(crate) fn record(&mut self, record: Vec<TypedField>) {
        if self.records.len() < MAX_RECORDS {
            self.records.push(record);
        } else {
            self.left_out += 1;
        }
    }
}

impl TypedField {
    pub(crate) fn text(name: &'static str, text: &str) -> Self {
        Self::plain(name, FieldReading::Text(spelled_out(text)))
    }

    pub(crate) fn whole(name: &'static str, number: u64) -> Self {
        Self::plain(name, FieldReading::Whole(number))
    }

    pub(crate) fn flag(name: &'static str, flag: bool) -> Self {
        Self::plain(name, FieldReading::Flag(flag))
    }

    pub(crate) fn unknown(name: &'static str, reason: &'static str) -> Self {
        Self::plain(name, FieldReading::Unknown(reason))
    }

    /// A number with its unit; one that is not finite is unknown.
    pub(crate) fn number(name: &'static str, number: Option<f64>, unit: FieldUnit) -> Self {
        let value = match number.filter(|it| it.is_finite()) {
            Some(number) => FieldReading::Number(number),
            None => FieldReading::Unknown(NOT_REPORTED),
        };
        Self {
            name,
            value,
            unit: Some(unit),
        }
    }

    /// A count of something with a unit, such as bytes.
    pub(crate) fn amount(name: &'static str, amount: Option<u64>, unit: FieldUnit) -> Self {
        let value = match amount {
            Some(amount) => FieldReading::Whole(amount),
            None => FieldReading::Unknown(NOT_REPORTED),
        };
        Self {
            name,
            value,
            unit: Some(unit),
        }
    }

    /// A text that may be missing.
    pub(crate) fn text_or_unknown(name: &'static str, text: Option<&str>) -> Self {
        match text {
            Some(text) => Self::text(name, text),
            None => Self::unknown(name, NOT_REPORTED),
        }
    }

    /// A count that may be missing.
    pub(crate) fn whole_or_unknown(name: &'static str, number: Option<u64>) -> Self {
        match number {
            Some(number) => Self::whole(name, number),
            None => Self::unknown(name, NOT_REPORTED),
        }
    }

    fn plain(name: &'static str, value: FieldReading) -> Self {
        Self {
            name,
            value,
            unit: None,
        }
    }
}

/// Reason for a value that the program did not print.
pub(crate) const NOT_REPORTED: &str = "not reported";

/// A text of at most 255 characters in which controls, and what hides or reorders text, are escaped.
pub(crate) fn spelled_out(text: &str) -> String {
    let mut out = String::new();
    for (at, sign) in text.chars().enumerate() {
        if at == MAX_TEXT {
            out.push('…');
            break;
        }
        if is_hidden(sign) {
            out.extend(sign.escape_unicode());
        } else {
            out.push(sign);
        }
    }
    out
}

/// True for characters that nobody sees, and for those that change the order of others.
pub(crate) fn is_hidden(sign: char) -> bool {
    sign.is_control()
        || matches!(
            sign,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
