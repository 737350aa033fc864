//! Conversations that plan, and those that carry a plan out.

use leptos::prelude::*;
use protocol::{Command, MAX_MESSAGE_BYTES, Mode};

use crate::{
    browser,
    channel::Channel,
    conversation::Conversation,
    dock::Place,
    route::Page,
    ui::{live_view, press},
};

/// Says that a conversation plans, or where its plan is, with the ways between both.
#[component]
pub(super) fn PlanBar(conversation: Conversation) -> impl IntoView {
    let origin = conversation.origin();
    let next = conversation.next();
    live_view(move || {
        let origin = origin.get();
        let back = origin.from.map(|from| {
            view! {
                <p>"Goes on from " <a href=Page::Chat(from).path()>"an earlier conversation"</a> "."</p>
            }
        });
        match origin.mode {
            Mode::Plan => {
                let on = next.get().map(|next| {
                    view! { <p>"Carried out in " <a href=Page::Chat(next).path()>"another conversation"</a> "."</p> }
                });
                view! {
                    <div class="plan-bar plan-bar--plan">
                        <p><strong class="mark">"Plan"</strong> " No tools: nothing is looked up and nothing is done here."</p>
                        {back} {on} <CarryOut conversation=conversation.clone() />
                    </div>
                }
                .into_any()
            }
            Mode::Unknown => view! {
                <div class="plan-bar plan-bar--plan">
                    <p>"This page does not know the mode of this conversation. Reload it."</p>
                </div>
            }
            .into_any(),
            Mode::Default => back
                .map(|back| view! { <div class="plan-bar">{back}</div> })
                .into_any(),
        }
    })
}

/// Starts a conversation that may act, with the plan as its first message.
#[component]
fn CarryOut(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let place = Place::here();
    let from = conversation.id();
    let turn = conversation.turn();
    let rows = conversation.rows();
    let title = conversation.title();
    let ready = Memo::new(move |_| turn.read().is_none() && !rows.read().is_empty());
    let start = move || {
        let Some(plan) = conversation.last_answer() else {
            return;
        };
        let id = browser::new_conversation_id();
        channel
            .opened
            .insert(Conversation::new(id, channel.names()));
        channel.command(Command::Start {
            conversation: id,
            mode: Mode::Default,
            text: order(&title.get_untracked(), &plan),
            from: Some(from),
            choice: None,
            references: Vec::new(),
        });
        request_animation_frame(move || place.show(id));
    };
    let start = std::sync::Arc::new(start);
    live_view(move || {
        let start = start.clone();
        ready
            .get()
            .then(|| {
                view! {
                    <button type="button" class="button button--small button--primary" on:click=press(move || start())>
                        "Carry it out"
                    </button>
                }
            })
            .into_any()
    })
}

/// The first message of the conversation that acts; its first line becomes the title.
fn order(title: &str, plan: &str) -> String {
    let mut text = format!("Carry out: {title}\n\n{plan}");
    if text.len() > MAX_MESSAGE_BYTES {
        text.truncate(text.floor_char_boundary(MAX_MESSAGE_BYTES));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_fits_into_a_message() {
        assert_eq!(order("How?", "1. look"), "Carry out: How?\n\n1. look");
        assert!(order("", &"ö".repeat(MAX_MESSAGE_BYTES)).len() <= MAX_MESSAGE_BYTES);
    }
}
