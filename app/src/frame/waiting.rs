//! The tray on every page: calls that wait for a person, in all conversations.

use kit::{
    Icon, Key, browser, each, effect,
    format::{between, countdown, exposed},
    icon, live, live_text, live_view, notify, on, press,
};
use leptos::{ev, prelude::*};
use protocol::{CallId, ConversationId, OwnCall, SecondCall, Timestamp, WaitingCall};

use crate::{
    channel::Channel,
    chat::second_call,
    dock::Dock,
    route::{Page, Route},
    texts::{common, frame as texts},
};

/// The identifier of the tray's panel.
pub(crate) const TRAY: &str = "waiting-tray";

/// One call, with the conversation that it belongs to.
#[derive(Clone)]
pub(crate) struct WaitingEntry {
    conversation: ConversationId,
    title: String,
    pub(crate) call: WaitingCall,
    /// The call, if it is the person's own and therefore in no conversation.
    own: Option<Box<OwnCall>>,
}

#[component]
pub(super) fn Waiting() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let list = channel.list;
    let count = Memo::new(move |_| list.waiting_calls());
    let entries = move || waiting_entries(channel);
    tell_of_new_ones(channel);
    let seconds = move || list.seconds.get();
    // One card at a time, and only on request.
    let shown = RwSignal::new(None);
    let name = move || texts::requests_waiting_for_you(count.get());
    view! {
        <button
            type="button"
            class="tray-button"
            class:tray-button--waiting=live(move || count.get() > 0)
            popovertarget=TRAY
            title=live(name)
        >
            {icon(Icon::HAND)}
            <span class="tray-button__count" aria-hidden="true">
                {live_text(move || match count.get() {
                    0 => String::new(),
                    count => count.to_string(),
                })}
            </span>
            <span class="visually-hidden" aria-live="polite">{live_text(name)}</span>
        </button>
        <div
            class="user-menu tray"
            class:tray--wide=live(move || !list.seconds.read().is_empty())
            id=TRAY
            popover="auto"
        >
            <p class="user-menu__name">{texts::WAITING_FOR_YOU}</p>
            <p class="tray__empty" hidden=live(move || count.get() > 0)>
                {texts::NO_REQUESTS_NEED_YOUR_DECISION}
            </p>
            <ul class="tray__list">
                {each(
                    entries,
                    |entry| Key::of((entry.call.call, entry.call.expires.0)),
                    move |entry| line(channel, entry),
                )}
                {each(
                    seconds,
                    |second| Key::of((second.call, second.confirmation.expires.0)),
                    move |second| second_line(channel, shown, second),
                )}
            </ul>
            <a class="tray__notify" href="/settings/notifications">
                {texts::NOTIFICATIONS}
            </a>
        </div>
    }
    .into_any()
}

/// Returns the calls that wait for this person, the first to expire first.
pub(crate) fn waiting_entries(channel: Channel) -> Vec<WaitingEntry> {
    let waiting = channel.list.waiting.read();
    // They are few, and to sort them is 4 KB of code.
    let mut entries: Vec<WaitingEntry> = Vec::new();
    for line in waiting.iter() {
        for call in &line.waiting {
            let at = entries.partition_point(|it| it.call.expires <= call.expires);
            let entry = WaitingEntry {
                conversation: line.id,
                title: line.title.clone(),
                own: line.action.clone(),
                call: call.clone(),
            };
            entries.insert(at, entry);
        }
    }
    entries
}

/// Part of the names of tools of other programs alone: `<server>__<tool>`.
const OF_OTHER_PROGRAM: &str = "__";

/// Returns the page of a card that waits: in a conversation, or of a call of the person's own.
pub(crate) fn card_page(conversation: ConversationId, own: Option<&OwnCall>) -> Page {
    match own {
        // No page of a system shows a tool of another program.
        Some(own) if !own.tool.contains(OF_OTHER_PROGRAM) => Page::overview(),
        _ => Page::Chat(conversation),
    }
}

impl WaitingEntry {
    fn page(&self) -> Page {
        card_page(self.conversation, self.own.as_deref())
    }

    /// Returns the address of its card.
    pub(crate) fn address(&self) -> String {
        format!("{}#{}", self.page().path(), self.call.call)
    }

    /// Returns the title of its conversation, or of the call, which says whose it is.
    pub(crate) fn title(&self) -> String {
        exposed(&self.title)
    }

    /// Returns the handler of a press on a link to its card.
    pub(crate) fn opener(&self, channel: Channel) -> Box<dyn FnMut(ev::MouseEvent)> {
        let route = expect_context::<Route>();
        let dock = expect_context::<Dock>();
        let (entry, target) = (self.clone(), self.page());
        on(move |event: ev::MouseEvent| {
            if event.ctrl_key() || event.meta_key() || event.shift_key() {
                return;
            }
            event.prevent_default();
            browser::close_popover(TRAY);
            if !dock.shows(entry.conversation) {
                route.go(target.clone());
            }
            if entry.own.is_some() && !matches!(target, Page::Chat(_)) {
                channel.list.wanted.set(entry.own.clone());
            }
            // Its card is in the newest turn.
            if let Some(open) = channel.opened.get(entry.conversation) {
                open.to_end();
            }
            browser::show(format!("ask-{}", entry.call.call));
        })
    }
}

fn line(channel: Channel, entry: WaitingEntry) -> AnyView {
    let (address, title) = (entry.address(), entry.title());
    let go = entry.opener(channel);
    let WaitingCall {
        sentence, expires, ..
    } = entry.call;
    view! {
        <li>
            <a class="tray__call" href=address on:click=go>
                <span class="tray__sentence">{exposed(&sentence)}</span>
                <span class="tray__facts">
                    <span class="tray__title" title=title>{title.clone()}</span>
                    <TimeLeft channel expires />
                </span>
            </a>
        </li>
    }
    .into_any()
}

/// Draws another person's call, with its card: the conversation is not accessible to this person.
fn second_line(channel: Channel, shown: RwSignal<Option<CallId>>, second: SecondCall) -> AnyView {
    let call = second.call;
    let asked = &second.confirmation;
    let expires = asked.expires;
    let sentence = exposed(&asked.sentence);
    let asker = asked.second.as_ref().map(|second| exposed(&second.asker));
    let asked_by = texts::requested_by_needs_a_second_approver(&asker.unwrap_or_default());
    let is_shown = move || shown.get() == Some(call);
    let toggle = move || shown.update(|shown| *shown = (*shown != Some(call)).then_some(call));
    view! {
        <li>
            <button
                type="button"
                class="tray__call tray__call--second"
                aria-expanded=live(move || if is_shown() { "true" } else { "false" })
                on:click=press(toggle)
            >
                <span class="tray__sentence">{sentence}</span>
                <span class="tray__facts">
                    <span class="tray__title" title=asked_by>{asked_by.clone()}</span>
                    <TimeLeft channel expires />
                </span>
            </button>
            {live_view(move || if is_shown() { second_call(channel, second.clone()) } else { ().into_any() })}
        </li>
    }
    .into_any()
}

/// Draws the time until a request expires.
#[component]
pub(crate) fn TimeLeft(channel: Channel, expires: Timestamp) -> impl IntoView {
    let text = move || match channel.clock.second() {
        None => String::new(),
        Some(now) => match between(now, expires) {
            0 => texts::EXPIRED.to_owned(),
            left => common::time_left(&countdown(left)),
        },
    };
    view! { <span class="tray__left">{live_text(text)}</span> }.into_any()
}

/// Notifies of new calls while nobody looks at the tab.
fn tell_of_new_ones(channel: Channel) {
    let mut known: Option<Vec<CallId>> = None;
    effect(move || {
        let now: Vec<_> = {
            let waiting = channel.list.waiting.read();
            let calls = waiting.iter().flat_map(|line| &line.waiting);
            let seconds = channel.list.seconds.read();
            let others = seconds.iter();
            calls
                .map(|call| (call.call, call.sentence.clone()))
                .chain(others.map(|call| (call.call, call.confirmation.sentence.clone())))
                .collect()
        };
        let ids = now.iter().map(|(call, _)| *call).collect();
        if let Some(before) = known.replace(ids) {
            for (call, sentence) in &now {
                if !before.contains(call) && !browser::is_looked_at() {
                    notify::tell(
                        texts::JARVIS_NEEDS_YOUR_DECISION,
                        &exposed(sentence),
                        &call.to_string(),
                    );
                }
            }
        }
    });
}
