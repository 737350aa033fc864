//! The mark for stand-ins, the rehearsal model and simulated systems: one quiet pill that names them
//! when it is pressed.

use leptos::prelude::*;

use super::data::frame_part;
use crate::{
    api::{ApiError, FrameData},
    panel,
    texts::frame as texts,
};

const PANEL: &str = "stand-ins";

#[component]
pub(super) fn StatusMarks() -> impl IntoView {
    view! { <div class="marks">{frame_part(marks)}</div> }.into_any()
}

fn marks(data: &Result<FrameData, ApiError>) -> AnyView {
    let Ok(FrameData { status, .. }) = data else {
        return ().into_any();
    };
    let model = status
        .model
        .rehearsal
        .then_some((texts::REHEARSAL_MODEL, texts::NO_API_KEY_IS_SET));
    let simulated = panel::all().iter().filter_map(|panel| {
        let mut systems = status.systems.iter();
        let is = systems.any(|system| system.simulated && system.toolset == panel.toolset);
        panel.simulated.filter(|_| is)
    });
    let stand_ins: Vec<_> = model.into_iter().chain(simulated).collect();
    let name = match stand_ins.as_slice() {
        [] => return ().into_any(),
        [(name, _)] => *name,
        _ => texts::SIMULATION,
    };
    let names: Vec<_> = stand_ins.iter().map(|(name, _)| *name).collect();
    let rows: Vec<_> = stand_ins
        .iter()
        .map(|(name, meaning)| {
            view! { <p class="stand-in"><strong>{*name}</strong> {*meaning}</p> }.into_any()
        })
        .collect();
    view! {
        <button type="button" class="mark" popovertarget=PANEL title=names.join(", ")>
            {name}
        </button>
        <div class="user-menu" id=PANEL popover="auto">{rows}</div>
    }
    .into_any()
}
