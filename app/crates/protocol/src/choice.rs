//! Which model answers in a conversation, and how hard it works.

use serde::{Deserialize, Serialize};

/// How much work a model puts into an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

/// What a person chose to be answered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelChoice {
    /// As the API knows it.
    pub model: String,
    /// None leaves the model's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
}

/// What a model is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelClass {
    /// For what is hard.
    Smart,
    /// For what is simple and should be quick and cheap.
    Fast,
    #[serde(other)]
    Unknown,
}

/// A model that a person may choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelOption {
    pub id: String,
    /// For a person.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ModelClass>,
    /// New conversations use it unless somebody chooses.
    pub usual: bool,
    /// Tokens that it can read and write in one call, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// It takes a level of effort.
    pub efforts: bool,
    /// In words; none if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// What else a person should know, such as when it is retired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The models to choose from, the smart and the fast one first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelMenu {
    pub models: Vec<ModelOption>,
    /// Why there may be others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lack: Option<String>,
}
