//! Control over HTTP, for tests outside this process; only if the cluster was started with it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::{Control, ControlState};
use crate::reply::{Fail, ReplyResult};

/// Path to which a list of orders is posted, on the entry node. It is no part of the API.
pub(crate) const PATH: &str = "/control";

/// Carries out a list of orders such as `[{"type": "offline", "node": "agent", "on": true}]`.
pub(crate) fn obey(shared: &Arc<ControlState>, body: &[u8]) -> ReplyResult {
    let wrong = |message: String| Fail::new(400, message);
    let orders: Value = serde_json::from_slice(body).map_err(|error| wrong(error.to_string()))?;
    let control = Control::new(Arc::clone(shared));
    for order in orders.as_array().into_iter().flatten() {
        one(&control, order).ok_or_else(|| wrong(format!("no such order: {order}")))?;
    }
    Ok(Value::Null.into())
}

fn one(control: &Control, order: &Value) -> Option<()> {
    let text = |name: &str| order.get(name)?.as_str();
    let on = order.get("on").and_then(Value::as_bool);
    match text("type")? {
        "offline" => control.set_offline(text("node")?, on?),
        "quorum" => control.set_quorum(on?),
        "delay" => control.set_delay(Duration::from_millis(order.get("ms")?.as_u64()?)),
        "revoke" => control.revoke(text("path")?, text("privilege")?),
        "restore" => control.restore_privileges(),
        "renewed" => control.set_renewed(on?),
        "backup" => control.back_up(
            u32::try_from(order.get("vmid")?.as_u64()?).ok()?,
            order.get("fails")?.as_bool()?,
        ),
        "storage_unknown" => control.set_storage_unknown(text("node")?, text("storage")?, on?),
        _ => return None,
    }
    Some(())
}
