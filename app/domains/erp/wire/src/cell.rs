//! A value as it is shown.

use protocol::FromJson;
use serde::{Deserialize, Serialize};

/// A value of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DocumentCell {
    /// Decimal digits for a number, `YYYY-MM-DD` for a day, `YYYY-MM-DDThh:mm:ssZ` for a moment, else plain
    /// text. Empty if there is none.
    pub text: String,
    /// Currency or unit of a number, such as `EUR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The document that it names, as the identifier of a reference: `Customer/Kestrel Cycles`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A value with its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DocumentField {
    pub label: String,
    pub value: DocumentCell,
}
