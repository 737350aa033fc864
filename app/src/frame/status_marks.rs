//! Marks for stand-ins: the rehearsal model and simulated systems.

use leptos::prelude::*;

use super::data::frame_part;
use crate::{
    api::{ApiError, FrameData},
    panel,
};

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
    let simulated = |panel: &panel::Panel| {
        let mut systems = status.systems.iter();
        let is = systems.any(|system| system.simulated && system.toolset == panel.toolset);
        let (name, meaning) = panel.simulated.filter(|_| is)?;
        Some(mark(name, meaning))
    };
    let systems: Vec<_> = panel::all().iter().filter_map(simulated).collect();
    (model, systems).into_any()
}

fn mark(name: &'static str, meaning: &'static str) -> AnyView {
    view! {
        <span class="mark" title=meaning>
            {name}
        </span>
    }
    .into_any()
}
