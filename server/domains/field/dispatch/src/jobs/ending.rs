//! The end of a job as it is stored: who says so, and what.

use std::collections::BTreeMap;

use field_queue::report::JobReport;
use serde_json::{Value, json};

use crate::messages::StreamSum;

/// The report in a stored end, if a device reported one.
pub(crate) fn report_of(ending: &Value) -> Option<JobReport> {
    serde_json::from_value(ending.get("report")?.clone()).ok()
}

/// Beside a device's report: what it says about its sandbox and its output.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndingExtras {
    pub(crate) sandbox: Option<String>,
    pub(crate) streams: BTreeMap<String, StreamSum>,
    /// For each stream that the server has as the device says it uploaded it.
    pub(crate) whole: BTreeMap<String, bool>,
    pub(crate) is_simulated: bool,
}

/// A device's report, for the tables.
pub(crate) fn device_ending(report: &JobReport, extras: &EndingExtras) -> Value {
    let streams: BTreeMap<_, _> = extras
        .streams
        .iter()
        .map(|(name, sum)| {
            let whole = extras.whole.get(name).copied().unwrap_or(false);
            (name.as_str(), json!({ "said": sum, "is_whole": whole }))
        })
        .collect();
    json!({
        "by": "device",
        "report": report,
        "sandbox": extras.sandbox,
        "streams": streams,
        "simulated": extras.is_simulated,
    })
}
