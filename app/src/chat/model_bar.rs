//! The line under the composer: the model, the mode, and the use of the context window. The panels
//! that it opens are loaded on demand.

use kit::{ErrorCard, Icon, format, icon, live, live_text, live_view, press};
use leptos::prelude::*;
use protocol::{Command, Mode, ModelChoice};

use super::details::{CallDetails, details_view};
use crate::{
    channel::Channel,
    conversation::{Chosen, Conversation},
    texts::{common, details as texts},
    words::effort_name,
};

const MODELS: &str = "models-panel";
const SPENDING: &str = "spending-panel";

/// Draws the line of an open conversation.
#[component]
pub(super) fn ModelBar(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let id = conversation.id();
    let choice = conversation.choice();
    let now = Signal::derive(move || choice.get().map(|chosen| chosen.choice));
    let pick = Callback::new(move |choice| {
        channel.command(Command::Choose {
            conversation: id,
            choice,
        });
    });
    let origin = conversation.origin();
    let mode = move || match origin.read().mode {
        Mode::Default => "",
        Mode::Plan => texts::PLAN_MODE,
        Mode::Unknown => texts::UNKNOWN_MODE,
    };
    let begun = conversation.origin();
    let packs = move || {
        let begun = begun.read();
        let packs = channel.packs.get().into_iter();
        let had = packs.filter(|pack| begun.toolsets.contains(&pack.toolset));
        had.map(|pack| pack.label).collect::<Vec<_>>().join(", ")
    };
    view! {
        <div class="chat-bar">
            <Picker now pick />
            <span class="chat-bar__mode" title=texts::MODE_IS_FIXED>
                {live_text(move || mode().to_owned())}
            </span>
            <span title=texts::PACKS_ARE_FIXED>{live_text(packs)}</span>
            <Meter conversation />
        </div>
    }
    .into_any()
}

/// Opens the list of models.
#[component]
pub(super) fn Picker(
    /// The choice for the next turn; none is the default of new conversations.
    now: Signal<Option<ModelChoice>>,
    pick: Callback<ModelChoice>,
) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let now = Signal::derive(move || {
        let usual = || channel.usual.get().map(|usual| usual.choice);
        now.get().or_else(usual)
    });
    let asked = RwSignal::new(0_u32);
    let label = move || match now.get() {
        Some(ModelChoice { model, effort }) => match effort {
            Some(effort) => format!("{model} · {}", effort_name(effort)),
            None => model,
        },
        None => texts::MODEL.to_owned(),
    };
    let panel = panel(asked, CallDetails::Models { now, pick });
    view! {
        <button
            type="button"
            class="chat-bar__button"
            popovertarget=MODELS
            title=live(move || texts::model_and_effort(&label()))
            on:click=press(move || asked.update(|asked| *asked += 1))
        >
            <span class="visually-hidden">{texts::MODEL_OF}</span>
            <span class="chat-bar__model">{live_text(label)}</span>
            {icon(Icon::CHEVRON)}
        </button>
        <div class="chat-panel" id=MODELS popover="auto" role="dialog" aria-label=texts::MODEL_AND_EFFORT>
            {panel}
        </div>
    }
    .into_any()
}

/// Draws how much of the context window the next request takes, and the total usage.
#[component]
fn Meter(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let (choice, totals) = (conversation.choice(), conversation.totals());
    let window = Signal::derive(move || window(choice.get().as_ref(), channel.usual.get()));
    let share = Memo::new(move |_| {
        let next = totals.read().last.total();
        (next, window.get().map(|window| next * 100 / window.max(1)))
    });
    let asked = RwSignal::new(0_u32);
    let panel = panel(asked, CallDetails::Spending(conversation));
    let label = move || match share.get() {
        (0, _) => texts::CONTEXT_EMPTY.to_owned(),
        (_, Some(percent)) => texts::context(percent),
        (tokens, None) => texts::context_tokens(&format::count(tokens)),
    };
    view! {
        <button
            type="button"
            class="chat-bar__button context-meter"
            popovertarget=SPENDING
            title=texts::CONTEXT_TOKENS_COST_AND_BUDGETS
            on:click=press(move || asked.update(|asked| *asked += 1))
        >
            <meter
                aria-hidden="true"
                min="0"
                max="100"
                high="80"
                value=live(move || share.get().1.unwrap_or_default().min(100).to_string())
                hidden=live(move || share.get().1.is_none())
            ></meter>
            {live_text(label)}
        </button>
        <div
            class="chat-panel chat-panel--end"
            id=SPENDING
            popover="auto"
            role="dialog"
            aria-label=texts::CONTEXT_TOKENS_COST_AND_BUDGETS
        >
            {panel}
        </div>
    }
    .into_any()
}

/// Draws the panel that a press opens: requested with each press, so that it is up to date.
fn panel(asked: RwSignal<u32>, what: CallDetails) -> AnyView {
    live_view(move || {
        if asked.get() == 0 {
            return ().into_any();
        }
        let what = what.clone();
        view! {
            <Suspense fallback=|| view! { <p>{common::LOADING}</p> }>
                {move || {
                    let what = what.clone();
                    Suspend::new(async move {
                        details_view(what)
                            .await
                            .unwrap_or_else(|error| view! { <ErrorCard error=error.0 /> }.into_any())
                    })
                }}
            </Suspense>
        }
        .into_any()
    })
}

/// Returns the tokens that the model can read and write in one call, as far as the page knows.
fn window(chosen: Option<&Chosen>, usual: Option<Chosen>) -> Option<u64> {
    let usual =
        usual.filter(|usual| chosen.is_none_or(|chosen| chosen.choice.model == usual.choice.model));
    chosen
        .and_then(|chosen| chosen.window)
        .or(usual.and_then(|usual| usual.window))
}
