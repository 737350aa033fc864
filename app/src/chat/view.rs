//! An open conversation: its rows, the running turn, the queue, and the composer.

use kit::{
    ErrorCard, Icon, Key, browser, each, effect, format, icon, later, live, live_text, live_view,
    on, press,
};
use leptos::{ev, prelude::*};
use leptos_meta::Title;
use protocol::{Command, ConversationId, TurnId};

use super::{
    announcer::Announcer,
    calls::want_calls,
    carry::carry,
    composer::Composer,
    confirm::WaitingStrip,
    draft::leave_next,
    follow_end::stick_to_end,
    grants::grants,
    model_bar::ModelBar,
    open_conversation::OpenConversation,
    paging::{Paging, newer_bar, older_bar},
    pending::PendingMessages,
    plan::plan_bar,
    queue::Queue,
    read_receipts::see,
    row::RowItem,
    running_turn::RunningTurn,
    share::share,
    turn_state::TurnState,
};
use crate::{
    api,
    channel::Channel,
    conversation::{Conversation, Stretch},
    dock::{Dock, Place, offer},
    keys::{KeyAct, Keys},
    route::{Page, Route},
    texts::chat as texts,
};

#[component]
pub(crate) fn ConversationView(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let id = conversation.id();
    let edit = RwSignal::new(None);
    let about = RwSignal::new(Vec::new());
    provide_context(OpenConversation {
        conversation: conversation.clone(),
        edit,
        about,
        seen: RwSignal::new(Vec::new()),
        branching: RwSignal::new(None),
    });
    branches(&conversation);
    let next = expect_context::<Dock>().about;
    effect(move || leave_next(next));
    {
        let conversation = conversation.clone();
        let view = StoredValue::new(0);
        effect(move || view.set_value(channel.follow(&conversation)));
        on_cleanup(move || channel.leave(view.try_get_value().unwrap_or_default()));
    }
    let turn = conversation.turn();
    let mut wanted = false;
    effect(move || {
        if !wanted && turn.read().is_some() {
            wanted = true;
            want_calls();
        }
    });
    // A reader who returns starts at the end.
    conversation.to_end();
    let paging = Paging::new(&conversation);
    let stick = paging.stick();
    see(&conversation, stick);
    let said = conversation.announcement();
    let mut history = true;
    effect(move || {
        said.track();
        if !std::mem::take(&mut history) {
            stick.news();
        }
    });
    let running = running(&conversation);
    let place = Place::here();
    let send = Callback::new(move |(text, withdraw): (String, bool)| {
        paging.to_end();
        channel.command(Command::Send {
            conversation: id,
            text,
            withdraw,
            references: place.with_page(about.try_update(std::mem::take).unwrap_or_default()),
        });
    });
    let send_now = Callback::new({
        let waiting = conversation.waiting();
        move |text: String| {
            let parked = !waiting.read_untracked().is_empty();
            if !parked {
                // The queue continues once the turn has ended.
                running.stop.run(());
            }
            send.run((text, parked));
        }
    });
    let steer = Callback::new(move |text: String| {
        paging.to_end();
        channel.command(Command::Steer {
            conversation: id,
            text,
            references: place.with_page(about.try_update(std::mem::take).unwrap_or_default()),
        });
    });
    let send = Callback::new(move |text: String| send.run((text, false)));
    let (bars, foot) = if conversation.is_closed() {
        (().into_any(), closed_note())
    } else {
        let bars = view! {
            {offer(&conversation)}
            {plan_bar(conversation.clone())}
            {grants(&conversation)}
        };
        let earlier = {
            let conversation = conversation.clone();
            Callback::new(move |n| conversation.said(n))
        };
        let foot = view! {
            <WaitingStrip />
            <Queue conversation=conversation.clone() />
            <Composer draft=id.to_string() send send_now steer running edit about here=id earlier />
            <ModelBar conversation=conversation.clone() />
        };
        (bars.into_any(), foot.into_any())
    };
    let transcript = {
        let conversation = conversation.clone();
        move || view! { <Transcript conversation paging /> }.into_any()
    };
    // A class, because a style that asks what the transcript holds is computed anew with each token.
    let asks = {
        let waiting = conversation.waiting();
        Memo::new(move |_| !waiting.read().is_empty())
    };
    view! {
        <section class="chat" class:chat--asks=live(move || asks.get())>
            <Heading conversation=conversation.clone() />
            {bars}
            {if expect_context::<Route>().is_alive() { later(transcript) } else { transcript() }}
            <div class="chat__foot">
                <EndButton paging />
                {foot}
            </div>
            <Announcer conversation />
        </section>
    }
    .into_any()
}

/// Goes to a branch that was made here, and makes the visible one represent its family in the list.
fn branches(conversation: &Conversation) {
    let channel = expect_context::<Channel>();
    let place = Place::here();
    let (id, root) = (conversation.id(), conversation.root());
    effect(move || {
        if let Some((from, made)) = channel.branched.get()
            && from == id
        {
            channel.branched.set(None);
            place.show(made);
        }
    });
    let mut shown = false;
    effect(move || {
        if !std::mem::replace(&mut shown, true) && channel.list.is_behind(id, root) {
            leptos::task::spawn_local(async move {
                // It only says which entry of the list leads here.
                if let Err(error) = api::to_front(id).await {
                    leptos::logging::warn!("{error}");
                }
            });
        }
    });
}

/// Draws the note in place of the composer.
fn closed_note() -> AnyView {
    view! {
        <p class="chat__closed">
            {texts::IMPORTED_IS_READ_ONLY}
            <a href="/">{texts::START_A_NEW_CONVERSATION}</a>
        </p>
    }
    .into_any()
}

/// The identifier of the menu in the heading.
const MENU: &str = "chat-menu";

/// Draws the link that exports the conversation: a plain one, which the browser saves.
fn export(id: ConversationId, format: &'static str, name: &'static str) -> AnyView {
    view! {
        <a
            href=format!("{}/export?format={format}", Page::Chat(id).path())
            class="button button--small"
            download
        >
            {texts::export_as(name)}
        </a>
    }
    .into_any()
}

#[component]
fn Heading(conversation: Conversation) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let id = conversation.id();
    let title = conversation.title();
    let shown = move || match title.get() {
        title if title.is_empty() => texts::NEW_CONVERSATION.to_owned(),
        title => title,
    };
    let (title, heading) = if Place::here().is_docked() {
        // The page beside has its own heading.
        (
            ().into_any(),
            view! { <h2 class="chat__title" title=live(shown)>{live_text(shown.clone())}</h2> }
                .into_any(),
        )
    } else {
        (
            view! { <Title text=shown.clone() /> }.into_any(),
            view! { <h1 class="chat__title" title=live(shown)>{live_text(shown.clone())}</h1> }
                .into_any(),
        )
    };
    let totals = conversation.totals();
    let sums = move || {
        let totals = totals.get();
        let tokens = totals.usage.total_input() + totals.usage.output;
        if tokens == 0 {
            return String::new();
        }
        let cost = totals
            .cost
            .map_or(texts::COST_UNKNOWN.to_owned(), format::cost);
        texts::tokens_and_cost(&format::count(tokens), &cost)
    };
    view! {
        {title}
        <header class="chat__head">
            {heading}
            <button
                type="button"
                class="button button--small button--quiet"
                title=texts::LET_OTHERS_READ_THIS_CONVERSATION
                on:click=press(move || share(channel, id))
            >
                {texts::SHARE}
            </button>
            <button
                type="button"
                class="icon-button chat__more"
                popovertarget=MENU
                title=texts::MORE_OF_THIS_CONVERSATION
            >
                {icon(Icon::MORE)}
                <span class="visually-hidden">{texts::MORE_OF_THIS_CONVERSATION}</span>
            </button>
            <div class="chat-menu" id=MENU popover="auto">
                {export(id, "md", texts::MARKDOWN)} {export(id, "json", "JSON")}
                <p class="chat-menu__totals" title=texts::TOKENS_AND_COST_OF_THIS_VERSION>
                    {live_text(sums)}
                </p>
            </div>
        </header>
    }
    .into_any()
}

#[component]
pub(super) fn Transcript(conversation: Conversation, paging: Paging) -> impl IntoView {
    let stick = paging.stick();
    let (scroller, content) = (paging.scroller, paging.content);
    stick_to_end(stick, scroller, content);
    lead(&conversation, paging);
    let (rows, turn) = (conversation.rows(), conversation.turn());
    effect(move || {
        rows.track();
        if turn.read_untracked().is_none() {
            paging.settle();
        }
    });
    let (of, shown) = (conversation.clone(), conversation.clone());
    let turn = conversation.turn();
    let arriving = move || stick.alive.get() && stick.at_end.get() && turn.read().is_some();
    let carry = carry(&conversation);
    view! {
        <div
            class="transcript"
            // Until the page is alive, the browser itself keeps the end in view.
            class:transcript--from-end=live(move || !stick.alive.get())
            class:transcript--arriving=live(arriving)
            node_ref=scroller
            on:scroll=on(move |event: ev::Event| {
                stick.moved(&event_target(&event));
                paging.moved();
            })
            on:click=carry
            data-scroller=""
            tabindex="0"
            role="log"
            aria-live="off"
            aria-label=texts::CONVERSATION
        >
            <div class="transcript__content" node_ref=content>
                {older_bar(paging)}
                {each(move || of.stretches(), |stretch| Key::of(stretch.number()), move |it| rows_of(shown.clone(), it))}
                {live_view(move || if paging.apart.get() { newer_bar(paging) } else { now(conversation.clone()) })}
            </div>
        </div>
    }
    .into_any()
}

fn rows_of(conversation: Conversation, stretch: Stretch) -> AnyView {
    each(
        move || conversation.drawn(stretch),
        |row| Key::of((row.key, row.kind())),
        |row| view! { <RowItem row /> }.into_any(),
    )
}

/// Draws the activity after the newest row.
fn now(conversation: Conversation) -> AnyView {
    let ended = conversation.ended();
    view! {
        <PendingMessages id=conversation.id() />
        <TurnState conversation />
        {live_view(move || {
            ended.get().map(|error| view! { <ErrorCard error /> }).into_any()
        })}
    }
    .into_any()
}

/// Scrolls to the message that the reader came for: from the address, or from a search.
fn lead(conversation: &Conversation, paging: Paging) {
    let id = conversation.id();
    let wanted = expect_context::<Channel>().opened.wanted;
    let mut first = true;
    effect(move || {
        let asked = wanted.get().filter(|(of, _)| *of == id);
        if let Some((_, row)) = asked {
            wanted.set(None);
            first = false;
            paging.seek(row);
        } else if std::mem::take(&mut first)
            && let Some(row) = browser::hash()
        {
            paging.seek(row);
        }
    });
}

/// Draws the button that scrolls to the end, when the reader is elsewhere.
#[component]
pub(super) fn EndButton(paging: Paging) -> impl IntoView {
    let stick = paging.stick();
    view! {
        <button
            type="button"
            class="end-button"
            class:end-button--new=live(move || stick.fresh.get())
            hidden=live(move || stick.at_end.get())
            on:click=press(move || paging.to_end())
        >
            {icon(Icon::ARROW_DOWN)}
            {live_text(move || {
                if stick.fresh.get() { texts::NEW_TEXT } else { texts::GO_TO_THE_END }.to_owned()
            })}
        </button>
    }
    .into_any()
}

/// Returns the turn that can be stopped, and handles the key that stops it.
fn running(conversation: &Conversation) -> RunningTurn {
    let channel = expect_context::<Channel>();
    let id = conversation.id();
    let turn = conversation.turn();
    let told = turn.clone();
    let active = Memo::new(move |_| turn.read().as_ref().map(|turn| turn.id));
    let told = Memo::new(move |_| told.read().as_ref().is_some_and(|turn| turn.stopping));
    let waiting = conversation.waiting();
    let asked = RwSignal::new(None::<TurnId>);
    let docked = Place::here().is_docked();
    let keys = expect_context::<Keys>();
    let stop = Callback::new(move |()| {
        if let Some(turn) = active.get_untracked()
            && asked.get_untracked() != Some(turn)
        {
            asked.set(Some(turn));
            channel.command(Command::Stop {
                conversation: id,
                turn,
            });
        }
    });
    effect(move || {
        let keys = window_event_listener(ev::keydown, move |event| {
            if keys.hit(KeyAct::Stop, &event)
                && active.get_untracked().is_some()
                && !browser::has_popover()
                // Beside another page the key applies to the chat only if it is pressed there.
                && (!docked || browser::happened_in(&event, ".dock"))
            {
                event.prevent_default();
                stop.run(());
            }
        });
        on_cleanup(move || keys.remove());
    });
    RunningTurn {
        running: Signal::derive(move || active.get().is_some()),
        stopping: Signal::derive(move || {
            told.get() || (asked.get().is_some() && asked.get() == active.get())
        }),
        parked: Signal::derive(move || !waiting.read().is_empty()),
        stop,
    }
}
