//! The page before the first message: a greeting, suggestions, the composer.

use kit::{Key, browser, each, live, live_text, on, press};
use leptos::{ev, prelude::*};
use protocol::{Command, Mode, ModelChoice};

use super::{composer::Composer, draft, model_bar::Picker, packs};
use crate::{
    channel::Channel,
    conversation::Conversation,
    dock::{Dock, Place},
    panel,
    texts::chat as texts,
};

#[component]
pub(crate) fn NewConversation() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let place = Place::here();
    let Dock { about, plan, .. } = expect_context();
    let choice = RwSignal::new(None::<ModelChoice>);
    let pick = Callback::new(move |picked| choice.set(Some(picked)));
    let start = Callback::new(move |text: String| {
        let id = browser::new_conversation_id();
        channel
            .opened
            .insert(Conversation::new(id, channel.names()));
        channel.command(Command::Start {
            conversation: id,
            mode: if plan.try_update(std::mem::take).unwrap_or_default() {
                Mode::Plan
            } else {
                Mode::Default
            },
            text,
            from: None,
            plan: None,
            choice: choice.get_untracked(),
            references: place.with_page(about.try_update(std::mem::take).unwrap_or_default()),
            packs: channel.chosen_packs(),
        });
        // In the next frame: the press has already done enough work.
        request_animation_frame(move || place.show(id));
    });
    let offered = panel::suggestions();
    let alone = panel::present().next().is_none();
    let ask = move || {
        let beside = place.beside();
        match beside {
            Some(beside) => beside.ask.iter().map(|&text| text.to_owned()).collect(),
            None => offered.clone(),
        }
    };
    let offered = each(
        ask,
        |text: &String| Key::of(text.clone()),
        move |text| {
            let words = text.clone();
            view! {
                <li>
                    <button
                        type="button"
                        class="suggestion"
                        on:click=press(move || start.run(text.clone()))
                    >
                        {words}
                    </button>
                </li>
            }
            .into_any()
        },
    );
    let text = move || {
        let text = match place.beside() {
            None if alone => texts::NO_SYSTEMS_CONNECTED,
            None => texts::ASK_ABOUT_YOUR_SYSTEMS,
            Some(_) => texts::ASK_ABOUT_THE_PAGE_BESIDE,
        };
        text.to_owned()
    };
    let title = if place.is_docked() {
        view! { <h2 class="greeting__title">{texts::AT_YOUR_SERVICE}</h2> }.into_any()
    } else {
        view! { <h1 class="greeting__title">{texts::AT_YOUR_SERVICE}</h1> }.into_any()
    };
    view! {
        <section class="chat chat--new">
            <div class="greeting" data-scroller="" tabindex="-1">
                <span class="reactor reactor--large" aria-hidden="true"></span>
                {title}
                <p class="greeting__text">{live_text(text)}</p>
                // Suggestions are for a person who has not chosen a subject yet.
                <ul
                    class="suggestions"
                    aria-label=texts::EXAMPLE_QUESTIONS
                    hidden=live(move || !about.read().is_empty())
                >
                    {offered}
                </ul>
            </div>
            <div class="chat__foot">
                <Composer draft=draft::NEXT send=start about />
                {packs::buttons(channel)}
                <div class="chat-bar">
                    <Picker now=choice.into() pick />
                    <label class="plan-switch" class:plan-switch--on=live(move || plan.get())>
                        <input
                            type="checkbox"
                            prop:checked=live(move || plan.get())
                            on:change=on(move |event: ev::Event| plan.set(event_target_checked(&event)))
                        />
                        <span>
                            <strong>{texts::PLAN_FIRST}</strong>
                            {texts::PLANS_HAVE_NO_TOOLS}
                        </span>
                    </label>
                </div>
            </div>
        </section>
    }
    .into_any()
}
