//! The ids by which a call is found elsewhere.

use serde::{Deserialize, Serialize};

use crate::FromJson;

/// The ids behind a call: in logs, in the audit chain, and with the vendor of the model. All are unknown
/// for copies in branches and for calls from before they were kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct CallTrace {
    /// The request or command that led to the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The request or command that decided on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The vendor's id of the model call that asked for it; none for a person's own call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_request: Option<String>,
}
