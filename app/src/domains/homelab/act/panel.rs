//! The panel for one guest or node, of which a page has only one, and the buttons that open it.

use kit::{
    Icon, Key, browser, each, effect, format::upright, icon, live, live_text, live_view, on, press,
};
use leptos::{ev, html, prelude::*};
use protocol::{Offer, OwnCall};

use super::subject::Subject;
use crate::{
    dock::Dock,
    domains::homelab::{board::HudBoard, figure::age, pieces::hidden, texts},
    panel_pieces::PageCalls,
    reference,
};

const PANEL: &str = "act-panel";
const WHY: &str = "act-why";

/// The page that has the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domains::homelab) enum ActHome {
    /// All things: the panel is also the menu of each, with the way to its page and to the chat.
    Board,
    /// One thing, which has these on its page.
    Thing,
}

/// State that the buttons and the panel of a page share.
#[derive(Clone)]
struct Acts {
    board: HudBoard,
    home: ActHome,
    own: PageCalls,
    chosen: RwSignal<Option<Subject>>,
}

impl Acts {
    /// Describes the call in progress on a subject; none if there is none.
    fn under_way(&self, subject: &Subject) -> Option<&'static str> {
        let open = self.own.open(&about(subject));
        let waits = open.first()?;
        Some(if *waits {
            texts::act::WAITING_FOR_YOU
        } else {
            texts::act::RUNNING
        })
    }

    /// Returns the reason why no button can be pressed now, if there is one.
    fn why_not(&self, subject: &Subject) -> Option<String> {
        let thing = subject.thing(&self.board)?;
        let of_thing = self.board.offers().and_then(|part| thing.barred(&part));
        self.own.why_not(&about(subject), of_thing.map(upright))
    }
}

fn about(subject: &Subject) -> impl Fn(&OwnCall) -> bool {
    move |own| Subject::of(own).as_ref() == Some(subject)
}

/// Draws the panel, once on a page and before its buttons.
pub(in crate::domains::homelab) fn act_panel(board: &HudBoard, home: ActHome) -> AnyView {
    let acts = Acts {
        board: board.clone(),
        home,
        own: PageCalls::new(),
        chosen: RwSignal::new(None),
    };
    provide_context(acts.clone());
    let frame = NodeRef::<html::Div>::new();
    let (chosen, list) = (acts.chosen, acts.own.channel.list);
    // A call requested from elsewhere, such as the list of waiting calls.
    effect(move || {
        if let Some(own) = list.wanted.get() {
            list.wanted.set(None);
            chosen.set(Subject::of(&own));
            browser::open_popover(PANEL);
        }
    });
    let closed = on(move |_: ev::Event| {
        let panel = frame.get_untracked();
        let is_open = panel.is_some_and(|panel| panel.matches(":popover-open").unwrap_or(false));
        if !is_open {
            chosen.try_set(None);
        }
    });
    let title = {
        let board = board.clone();
        move || {
            let chosen = chosen.get();
            let thing = chosen.and_then(|subject| subject.thing(&board));
            thing.map_or_else(
                || texts::act::NO_LONGER_ON_BOARD.to_owned(),
                |it| it.title(),
            )
        }
    };
    view! {
        <div
            class="act"
            id=PANEL
            popover="auto"
            role="dialog"
            aria-labelledby="act-title"
            node_ref=frame
            on:toggle=closed
        >
            <header class="act__head">
                <h2 id="act-title" tabindex="-1" autofocus>{live_text(title)}</h2>
                <button
                    type="button"
                    class="icon-button"
                    popovertarget=PANEL
                    popovertargetaction="hide"
                    title=texts::act::CLOSE
                >
                    {icon(Icon::CLOSE)}
                    {hidden(texts::act::CLOSE)}
                </button>
            </header>
            {each(
                move || chosen.get().into_iter().collect(),
                |subject| Key::of(subject.key()),
                move |subject| content(&acts, subject),
            )}
        </div>
    }
    .into_any()
}

fn content(acts: &Acts, subject: Subject) -> AnyView {
    let state = {
        let (board, subject) = (acts.board.clone(), subject.clone());
        live_view(move || match subject.thing(&board) {
            None => ().into_any(),
            Some(thing) => match thing.state.reason() {
                Some(reason) => {
                    let text = texts::act::state_unknown(&upright(reason.to_owned()));
                    view! { <p class="act__state">{text}</p> }.into_any()
                }
                None => {
                    let state = thing.state.value().cloned().unwrap_or_default();
                    let seen = board.reading("overview").and_then(|reading| reading.at);
                    view! { <p class="act__state">{texts::act::seen(&upright(state))} {age(seen)}</p> }
                        .into_any()
                }
            },
        })
    };
    let offers = {
        let (acts, subject) = (acts.clone(), subject.clone());
        move || {
            let thing = subject.thing(&acts.board);
            let part = acts.board.offers();
            let offers = thing.zip(part).map(|(thing, part)| thing.offers(&part));
            offers.unwrap_or_default()
        }
    };
    let buttons = {
        let (acts, subject) = (acts.clone(), subject.clone());
        each(
            offers,
            |offer| Key::of(format!("{} {}", offer.tool, offer.label)),
            move |offer| offer_button(&acts, &subject, offer),
        )
    };
    let links = (acts.home == ActHome::Board).then(|| links(&subject));
    let why = {
        let (acts, subject) = (acts.clone(), subject.clone());
        live_text(move || acts.why_not(&subject).unwrap_or_default())
    };
    let own = acts.own;
    let calls = each(
        move || own.about(&about(&subject)),
        |id| Key::of(id.to_string()),
        move |id| own.card(id),
    );
    view! {
        {state}
        {links}
        <div class="act__offers" role="group" aria-label=texts::act::AVAILABLE_ACTIONS>
            {buttons}
        </div>
        <p class="act__why" id=WHY role="status">
            {why}
        </p>
        <div class="act__calls">{calls}</div>
    }
    .into_any()
}

/// Draws the way to the chat and to the page of a thing.
fn links(subject: &Subject) -> AnyView {
    let dock = expect_context::<Dock>();
    let (thing, about) = (subject.page(), subject.reference());
    let label = texts::act::ask_about(&reference::label(&about));
    let ask = press(move || {
        browser::close_popover(PANEL);
        dock.ask(about.clone());
    });
    view! {
        <div class="act__links">
            <button type="button" class="button act__offer" aria-label=label on:click=ask>
                {icon(Icon::QUESTION)}
                {texts::act::ASK_JARVIS}
            </button>
            <a class="button act__offer" href=thing.path()>
                {icon(Icon::OPEN)}
                {texts::act::OPEN}
            </a>
        </div>
    }
    .into_any()
}

fn offer_button(acts: &Acts, subject: &Subject, offer: Offer) -> AnyView {
    let label = upright(offer.label.clone());
    let bar = {
        let (acts, subject) = (acts.clone(), subject.clone());
        live(move || acts.why_not(&subject).map(|_| "true"))
    };
    let go = {
        let (acts, subject) = (acts.clone(), subject.clone());
        move || {
            let thing = untrack(|| match acts.why_not(&subject) {
                Some(_) => None,
                None => subject.thing(&acts.board),
            });
            if let Some(thing) = thing {
                acts.own.begin(thing.call(&offer));
            }
        }
    };
    view! {
        // Not disabled: it would lose the focus, and nobody would hear the reason.
        <button
            type="button"
            class="button act__offer"
            aria-disabled=bar
            aria-describedby=WHY
            on:click=press(go)
        >
            {label}
        </button>
    }
    .into_any()
}

/// Draws three dots that open the panel as the menu of a subject. `about` names it for readers who
/// cannot see the row.
pub(in crate::domains::homelab) fn menu_button(subject: Subject, about: String) -> AnyView {
    let Some(acts) = use_context::<Acts>() else {
        return ().into_any();
    };
    let chosen = acts.chosen;
    let under_way = {
        let subject = subject.clone();
        Memo::new(move |_| acts.under_way(&subject))
    };
    view! {
        <button
            type="button"
            class="more"
            class:more--busy=live(move || under_way.get().is_some())
            popovertarget=PANEL
            popovertargetaction="show"
            on:click=press(move || chosen.set(Some(subject.clone())))
        >
            {icon(Icon::MORE)}
            <span class="visually-hidden">
                {live_text(move || under_way.get().unwrap_or(texts::act::ACTIONS).to_owned())}
                {texts::act::on(&about)}
            </span>
        </button>
    }
    .into_any()
}

/// Draws the button that opens the panel for a subject. `about` names it for readers who cannot see
/// the row.
pub(in crate::domains::homelab) fn act_button(subject: Subject, about: String) -> AnyView {
    let Some(acts) = use_context::<Acts>() else {
        return ().into_any();
    };
    let chosen = acts.chosen;
    let word = {
        let subject = subject.clone();
        live_text(move || {
            acts.under_way(&subject)
                .unwrap_or(texts::act::ACT)
                .to_owned()
        })
    };
    view! {
        <button
            type="button"
            class="ask act-button"
            popovertarget=PANEL
            popovertargetaction="show"
            on:click=press(move || chosen.set(Some(subject.clone())))
        >
            {word}
            <span class="visually-hidden">{texts::act::on(&about)}</span>
        </button>
    }
    .into_any()
}
