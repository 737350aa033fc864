//! A call whose outcome is unknown: what is known of it, and how that becomes clear.

use leptos::prelude::*;
use protocol::{CallId, Command, Resolution};
use transcript::{ToolRow, ToolState};

use super::view::Open;
use crate::{
    channel::Channel,
    format::exposed,
    ui::{Icon, Live, icon, live, live_view, press},
    words,
};

#[component]
pub(super) fn Outcome(tool: ArcRwSignal<ToolRow>) -> impl IntoView {
    let id = expect_context::<Open>().conversation.id();
    let channel = expect_context::<Channel>();
    let shown = move || {
        let tool = tool.read();
        let ToolState::OutcomeUnknown { known } = &tool.state else {
            return None;
        };
        let call = tool.call?;
        let known = known
            .as_deref()
            .map_or_else(|| "Nothing more is known of it.".to_owned(), exposed);
        let resolved = tool.resolved.as_ref();
        let found = resolved.map(|resolved| {
            let by = resolved.by.as_deref().map_or_else(
                || "found out".to_owned(),
                |by| format!("said by {}", exposed(by)),
            );
            let text = format!(
                "{}, {by}: {}",
                words::resolution(resolved.resolution),
                exposed(&resolved.message)
            );
            view! { <p class="outcome__found">{text}</p> }
        });
        let open = resolved.is_none_or(|resolved| resolved.resolution == Resolution::Unknown);
        let check = move || {
            channel.command(Command::CheckOutcome {
                conversation: id,
                call,
            });
        };
        let say = move |resolution| {
            press(move || {
                channel.command(Command::Resolve {
                    conversation: id,
                    call,
                    resolution,
                });
            })
        };
        let actions = open.then(|| {
            view! {
                <div class="outcome__actions">
                    <button type="button" class="button button--small" disabled=busy(channel, call) on:click=press(check)>
                        {icon(Icon::RETRY)}
                        "Check again"
                    </button>
                    <button type="button" class="button button--small" disabled=busy(channel, call) on:click=say(Resolution::Done)>
                        "Mark as done"
                    </button>
                    <button type="button" class="button button--small" disabled=busy(channel, call) on:click=say(Resolution::NotDone)>
                        "Mark as not done"
                    </button>
                </div>
            }
        });
        Some(
            view! {
                <div class="outcome" class:outcome--open=open role="group" aria-label="What became of it">
                    <p>{known}</p>
                    {found} {actions}
                </div>
            }
            .into_any(),
        )
    };
    live_view(move || shown().into_any())
}

fn busy(channel: Channel, call: CallId) -> Live<bool> {
    live(move || channel.is_asking(call))
}
