//! The content of an opened card: the input and the result of its call.

use kit::{ErrorCard, live_view, value_view};
use leptos::prelude::*;
use protocol::Tier;
use serde_json::Value;
use transcript::{ToolRow, ToolState};

use super::{confirm::asked_before, open_conversation::OpenConversation, trace::trace};
use crate::{texts::calls as texts, words};

/// Draws the content of an opened card.
pub(super) fn body(tool: ArcRwSignal<ToolRow>) -> AnyView {
    let open = expect_context::<OpenConversation>().conversation;
    let state = tool.clone();
    // Not drawn with the rest: each change of a running call would ask for them again.
    let traced = Memo::new(move |_| {
        let tool = state.read();
        let decided = tool.asked.as_ref().is_some_and(|it| it.decided.is_some());
        tool.call.map(|call| (call, decided))
    });
    let ids = move || match traced.get() {
        Some((call, _)) if !open.is_closed() => trace(open.id(), call),
        _ => ().into_any(),
    };
    view! {
        <div class="tool-card__body">
            {live_view(move || content(&tool.read()))} {live_view(ids)}
        </div>
    }
    .into_any()
}

fn content(tool: &ToolRow) -> AnyView {
    let asked = tool.asked.as_ref();
    let asked = asked.map(|asked| asked_before(&asked.confirmation));
    let input = tool.input.as_ref().filter(|_| asked.is_none()).map(input);
    view! { {asked} {input} {result(&tool.state)} {facts(tool)} }.into_any()
}

fn input(input: &Value) -> AnyView {
    let shown = if input.as_object().is_some_and(serde_json::Map::is_empty) {
        view! { <p class="value-more">{texts::NO_INPUT}</p> }.into_any()
    } else {
        value_view(input)
    };
    section(texts::INPUT, shown)
}

fn result(state: &ToolState) -> Option<AnyView> {
    let shown = match state {
        ToolState::Succeeded(output) => value_view(&output.data),
        ToolState::Failed(error) => view! { <ErrorCard error=error.clone() /> }.into_any(),
        ToolState::Blocked { reason, message } => view! {
            <p>
                <strong>{words::blocked_reason(*reason)}</strong>
                ". "
                {message.clone()}
            </p>
        }
        .into_any(),
        _ => return None,
    };
    Some(section(texts::RESULT, shown))
}

fn facts(tool: &ToolRow) -> AnyView {
    // Reading is the rule, and has no mark on the card.
    let tier = tool.tier.filter(|tier| *tier == Tier::Green);
    let tier = tier.map(|tier| {
        view! { <span>{texts::tier(words::tier_name(tier), words::tier_meaning(tier))}</span> }
    });
    view! {
        <p class="tool-card__facts">
            {tier}
            <code>{tool.name.clone()}</code>
            {tool.call.map(|call| view! { <code>{call.to_string()}</code> })}
        </p>
    }
    .into_any()
}

fn section(name: &'static str, content: AnyView) -> AnyView {
    view! {
        <section class="tool-card__section">
            <h3>{name}</h3>
            {content}
        </section>
    }
    .into_any()
}
