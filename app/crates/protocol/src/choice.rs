//! The choice of a conversation's model and its level of effort.

use serde::{Deserialize, Serialize};

use crate::FromJson;

/// Amount of work that a model puts into an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    Low,
    Medium,
    High,
    #[serde(rename = "xhigh")]
    ExtraHigh,
    Max,
    /// A level that this build does not know. Never sent to a model.
    #[serde(other)]
    Unknown,
}

/// The model and effort that a person chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ModelChoice {
    /// Identifier, as the API knows it.
    pub model: String,
    /// None uses the model's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
}

/// The kind of work that a model suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum ModelClass {
    /// For hard tasks.
    Smart,
    /// For simple tasks that should be quick and cheap.
    Fast,
    #[serde(other)]
    Unknown,
}

/// A model that a person may choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ModelOption {
    pub id: String,
    /// Name for a person.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ModelClass>,
    /// True for the default of new conversations.
    pub usual: bool,
    /// Tokens that it can read and write in one call, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// True if it has an effort setting.
    pub efforts: bool,
    /// Price in words; none if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// Anything else that a person should know, such as its retirement date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The models to choose from, the smart and the fast one first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ModelMenu {
    pub models: Vec<ModelOption>,
    /// The reason why the list may be incomplete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lack: Option<String>,
}
