//! A person's own call, wherever a page shows it: the same card as in a conversation, with the task
//! that it started.

use kit::{CopyButton, ErrorCard, Key, browser, each, effect, live_text, live_view};
use leptos::{html, prelude::*};
use protocol::{ConversationId, Reference};
use serde_json::Value;
use transcript::{ToolRow, ToolState};

use super::{calls::want_calls, open_conversation::OpenConversation, tool_card::ToolCard};
use crate::{
    channel::Channel,
    conversation::{Conversation, RowViewContent},
    panel,
    reference::reference_link,
    texts::calls as texts,
};

/// Follows the call as long as it is on view. `lead`: its card gets the focus when it comes, and a
/// refusal is scrolled into view.
pub(crate) fn own_call(id: ConversationId, lead: bool) -> AnyView {
    let channel = expect_context::<Channel>();
    let conversation = Conversation::new(id, channel.names());
    effect(want_calls);
    provide_context(OpenConversation {
        conversation: conversation.clone(),
        edit: RwSignal::new(None),
        about: RwSignal::new(Vec::new()),
        seen: RwSignal::new(Vec::new()),
        branching: RwSignal::new(None),
    });
    {
        let conversation = conversation.clone();
        let view = StoredValue::new(0);
        effect(move || view.set_value(channel.follow(&conversation)));
        on_cleanup(move || channel.leave(view.try_get_value().unwrap_or_default()));
    }
    if lead {
        let waiting = conversation.waiting();
        let mut led = false;
        effect(move || {
            if let Some(call) = waiting.read().first().filter(|_| !led) {
                led = true;
                browser::show(format!("ask-{call}"));
            }
        });
    }
    let rows = conversation.rows();
    let calls = move || {
        let rows = rows.read();
        let tools = rows.iter().filter_map(|row| match &row.content {
            RowViewContent::Tool(tool) => Some((row.key, tool.row.clone())),
            _ => None,
        });
        tools.collect::<Vec<_>>()
    };
    let frame = NodeRef::<html::Div>::new();
    if lead {
        let (calls, mut told) = (calls.clone(), false);
        effect(move || {
            let is_refused = |tool: &ToolRow| {
                matches!(tool.state, ToolState::Failed(_) | ToolState::Blocked { .. })
            };
            if told || !calls().iter().any(|(_, tool)| is_refused(&tool.read())) {
                return;
            }
            if let Some(frame) = frame.get_untracked() {
                told = true;
                // By then the reason is drawn.
                request_animation_frame(move || browser::into_view(&frame));
            }
        });
    }
    let cards = each(
        calls,
        |(key, _)| Key::of((*key, 0)),
        |(_, tool)| {
            let of = tool.clone();
            view! {
                <ToolCard tool />
                {live_view(move || made(&of.read()))}
            }
            .into_any()
        },
    );
    let (ended, said) = (conversation.ended(), conversation.announcement());
    view! {
        <div class="own-call" node_ref=frame>
            {cards}
            {live_view(move || ended.get().map(|error| view! { <ErrorCard error /> }).into_any())}
            <p class="visually-hidden" aria-live="polite">
                {live_text(move || said.get())}
            </p>
        </div>
    }
    .into_any()
}

/// Draws links to the things that a call made, recognised by the form of their identifiers.
fn made(tool: &ToolRow) -> AnyView {
    let ToolState::Succeeded(output) = &tool.state else {
        return ().into_any();
    };
    let mut things = Vec::new();
    collect(&output.data, &mut things);
    let line = |thing: Reference| {
        let text = thing.id.clone();
        view! {
            <p class="own-call__task">
                {reference_link(&thing)}
                <CopyButton label=texts::COPY_THE_IDENTIFIER text=move || Some(text.clone()) />
            </p>
        }
    };
    things.into_iter().map(line).collect_view().into_any()
}

fn collect(value: &Value, things: &mut Vec<Reference>) {
    match value {
        Value::String(text) => {
            things.extend(panel::named(text).filter(|thing| !things.contains(thing)));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, things)),
        Value::Object(fields) => fields.values().for_each(|item| collect(item, things)),
        _ => {}
    }
}
