//! Marks that say in plain sight what is not the real thing.

use leptos::prelude::*;

use crate::api::FrameResource;

#[component]
pub(super) fn StatusMarks() -> impl IntoView {
    let frame = expect_context::<FrameResource>();
    view! {
        <div class="marks">
            <Suspense>
                {move || Suspend::new(async move {
                    let status = frame.await.ok()?.status;
                    let model = status
                        .model
                        .rehearsal
                        .then(|| {
                            mark(
                                "Rehearsal model",
                                "No API key is set: answers come from the built-in stand-in, not from a real model.",
                            )
                        });
                    let systems: Vec<_> = status
                        .systems
                        .iter()
                        .filter(|system| system.simulated)
                        .map(|_| {
                            mark(
                                "Simulated cluster",
                                "No Proxmox is configured: everything shown comes from the built-in simulation.",
                            )
                        })
                        .collect();
                    Some((model, systems))
                })}
            </Suspense>
        </div>
    }
    .into_any()
}

fn mark(name: &'static str, meaning: &'static str) -> AnyView {
    view! {
        <span class="mark" title=meaning>
            {name}
        </span>
    }
    .into_any()
}
