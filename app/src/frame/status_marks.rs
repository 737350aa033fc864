//! Marks that say in plain sight what is not the real thing.

use leptos::prelude::*;

use super::data::frame_part;
use crate::api::{ApiError, FrameData};

#[component]
pub(super) fn StatusMarks() -> impl IntoView {
    view! { <div class="marks">{frame_part(marks)}</div> }.into_any()
}

fn marks(data: &Result<FrameData, ApiError>) -> AnyView {
    let Ok(FrameData { status, .. }) = data else {
        return ().into_any();
    };
    let model = status.model.rehearsal.then(|| {
        mark(
            "Rehearsal model",
            "No API key is set: answers come from the built-in stand-in, not from a real model.",
        )
    });
    let system = status
        .systems
        .iter()
        .any(|system| system.simulated && system.toolset == "homelab")
        .then(|| {
            mark(
                "Simulated cluster",
                "No Proxmox is configured: everything shown comes from the built-in simulation.",
            )
        });
    (model, system).into_any()
}

fn mark(name: &'static str, meaning: &'static str) -> AnyView {
    view! {
        <span class="mark" title=meaning>
            {name}
        </span>
    }
    .into_any()
}
