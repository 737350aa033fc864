//! The summary that goes with every message.

use agent::ports::ContextPart;
use protocol::Reference;
use serde_json::{Value, json};

use crate::{
    parts::FieldParts,
    shape,
    texts::context as say,
    things::{self, FieldThing},
};

/// Devices of the site in question that are named.
const MOST: usize = 20;

pub(crate) async fn part(parts: &FieldParts, about: &[Reference]) -> ContextPart {
    let snapshot = parts.snapshot();
    let devices = &snapshot.devices;
    let offline = devices.iter().filter(|device| !device.is_online).count();
    let attention = devices.iter().filter(|it| !it.attention.is_empty()).count();
    let open = snapshot.runs.iter().filter(|run| !run.phase.is_over());
    let mut data = json!({
        "sites": snapshot.sites.len(),
        "devices": devices.len(),
        "offline": offline,
        "with_attention": attention,
        "open_runs": open.count(),
    });
    if devices.iter().any(|device| device.is_simulated) {
        data["note"] = json!(say::SIMULATED);
    }
    if let Some(why) = &snapshot.unread {
        data["may_be_old"] = json!(why);
    }
    // Only of the site that the message is about: names of another one have tokens of their own.
    let thing = about.iter().find_map(FieldThing::of);
    let site = match thing {
        Some(thing) => things::site_of(parts, &thing).await,
        None => None,
    };
    if let Some(site) = site.as_deref().and_then(|site| snapshot.site(site)) {
        let now = parts.now();
        let here = devices.iter().filter(|device| device.site == site.id);
        let here = here.take(MOST);
        let here: Value = here
            .map(|device| shape::device(device, &snapshot, now))
            .collect();
        data["site"] = json!({ "name": site.name, "devices": here });
    }
    ContextPart {
        source: "field",
        data: Ok(data),
    }
}
