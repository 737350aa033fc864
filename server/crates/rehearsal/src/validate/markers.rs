//! Validation of cache breakpoints: their form, number and order.

use serde_json::Value;

use crate::{history::Turn, refusal::Refusal, ttl::Ttl};

/// Checks all breakpoints; returns the automatic one if the request has it.
pub(super) fn check(body: &Value, turns: &[Turn]) -> Result<Option<Ttl>, Refusal> {
    let mut found = Vec::new();
    let mut note = |path: String, block: &Value| -> Result<(), Refusal> {
        if let Some(marker) = block.get("cache_control").filter(|m| !m.is_null()) {
            found.push(read(&path, marker)?);
        }
        Ok(())
    };
    for level in ["tools", "system"] {
        for (index, block) in body[level].as_array().into_iter().flatten().enumerate() {
            note(format!("{level}.{index}"), block)?;
        }
    }
    for placed in turns.iter().flat_map(|turn| &turn.blocks) {
        note(placed.path.clone(), &placed.block)?;
    }
    let automatic = match &body["cache_control"] {
        Value::Null => None,
        marker => Some(read("", marker)?),
    };
    found.extend(automatic);
    if found.len() > 4 {
        return Err(Refusal::invalid(format!(
            "A maximum of 4 blocks with cache_control may be provided. Found {}.",
            found.len()
        )));
    }
    let late = found
        .windows(2)
        .any(|pair| pair[0] == Ttl::FiveMinutes && pair[1] == Ttl::OneHour);
    if late {
        return Err(Refusal::invalid(
            "cache_control: a ttl='1h' block must not come after a ttl='5m' block",
        ));
    }
    Ok(automatic)
}

fn read(path: &str, marker: &Value) -> Result<Ttl, Refusal> {
    let dot = if path.is_empty() { "" } else { "." };
    if marker["type"] != "ephemeral" {
        return Err(Refusal::invalid(format!(
            "{path}{dot}cache_control.type: Input should be 'ephemeral'"
        )));
    }
    match marker["ttl"].as_str() {
        None if marker["ttl"].is_null() => Ok(Ttl::FiveMinutes),
        Some("5m" | "1h") => Ok(Ttl::of(marker)),
        _ => Err(Refusal::invalid(format!(
            "{path}{dot}cache_control.ttl: Input should be '5m' or '1h'"
        ))),
    }
}
