//! Conversations that plan, and those that run a plan.

use kit::{browser, live_view, press};
use leptos::prelude::*;
use protocol::{Command, Mode};

use crate::{
    channel::Channel, conversation::Conversation, dock::Place, route::Page, texts::calls as texts,
};

/// Shows that a conversation plans, or runs a plan, with links between both.
pub(super) fn plan_bar(conversation: Conversation) -> AnyView {
    let origin = conversation.origin();
    let next = conversation.next();
    live_view(move || {
        let origin = origin.get();
        let back = origin.from.map(|from| {
            view! {
                <p>{texts::CONTINUES_FROM} <a href=Page::Chat(from).path()>{texts::AN_EARLIER_CONVERSATION}</a> "."</p>
            }
        });
        match origin.mode {
            Mode::Plan => {
                let on = next.get().map(|next| {
                    view! { <p>{texts::CONTINUED_IN} <a href=Page::Chat(next).path()>{texts::ANOTHER_CONVERSATION}</a> "."</p> }
                });
                view! {
                    <div class="plan-bar plan-bar--plan">
                        <p><strong class="mark">{texts::PLAN}</strong> {texts::PLANS_HAVE_NO_TOOLS}</p>
                        {back} {on} {run_button(&conversation)}
                    </div>
                }
                .into_any()
            }
            Mode::Unknown => view! {
                <div class="plan-bar plan-bar--plan">
                    <p>{texts::THIS_PAGE_CANT_SHOW_THIS_MODE}</p>
                </div>
            }
            .into_any(),
            Mode::Default => back
                .map(|back| view! { <div class="plan-bar">{back}</div> })
                .into_any(),
        }
    })
}

/// The first message of a conversation that runs a plan. Not in the words of the button: "run" is in the
/// names of tools, and this orders none of them. These are the person's only words: the server adds the
/// plan itself, as a model's words.
const ORDER: &str = texts::CARRY_OUT_THE_PLAN;

/// Draws the button that starts a conversation that may act on the plan.
fn run_button(conversation: &Conversation) -> AnyView {
    let channel = expect_context::<Channel>();
    let place = Place::here();
    let from = conversation.id();
    let turn = conversation.turn();
    let rows = conversation.rows();
    let conversation = conversation.clone();
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
            text: ORDER.to_owned(),
            from: Some(from),
            plan: Some(plan),
            choice: None,
            references: Vec::new(),
            packs: None,
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
                        {texts::RUN_THE_PLAN}
                    </button>
                }
            })
            .into_any()
    })
}
