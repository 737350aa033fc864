//! A part of a result as a row of values.

use serde_json::Value;

/// Values by their keys, nested ones as `outer.inner`.
pub(super) type FlatRow = Vec<(String, Value)>;
