//! The button that approves a call.

use std::time::Duration;

use kit::{browser, effect, live, live_text, on};
use leptos::{ev, html, prelude::*};
use protocol::{Assurance, CardSection, Confirmation, Decision};
use wasm_bindgen::JsCast;

use super::{
    CardSide, ConfirmCard,
    guard::{Bar, CardLook, Guard},
    parts::short_digest,
};
use crate::{channel::Connection, texts::confirm as texts};

/// Interval between checks of the page.
const LOOK_EVERY: Duration = Duration::from_millis(120);
/// Duration of a press that has to be held.
const HOLD: Duration = Duration::from_secs(1);

/// The state of the button.
#[derive(Clone, Copy)]
struct Press {
    card: ConfirmCard,
    button: NodeRef<html::Button>,
    guard: StoredValue<Guard>,
    /// The reason why it cannot be pressed.
    bar: RwSignal<Option<Bar>>,
    /// The text typed so far, if the card asks for a word.
    typed: RwSignal<String>,
    /// Set while a press is being held: its number, so that an old timer does not end a new press.
    held: RwSignal<Option<u32>>,
    presses: StoredValue<u32>,
    /// True after a press that was let go too early.
    short: RwSignal<bool>,
    /// True while the pointer is down on it: focus that comes now is due to the pointer.
    pointed: StoredValue<bool>,
    /// True from a press of the pointer on, as long as the button may be pressed: a touch brings the
    /// focus only after it was lifted, with the mouse events that the browser makes of it.
    touched: StoredValue<bool>,
}

impl Press {
    /// Checks everything that decides whether the button may be pressed now.
    fn look(self) -> Option<Bar> {
        let seen = CardLook {
            at: browser::now().0,
            visible: browser::visible(),
            head: self
                .card
                .head
                .get_untracked()
                .is_some_and(|head| browser::place(&head).is_some()),
            end: self
                .card
                .end
                .get_untracked()
                .is_some_and(|end| browser::place(&end).is_some()),
            button: self
                .button
                .get_untracked()
                .and_then(|button| browser::place(&button)),
        };
        // Otherwise a strip leads to it.
        let button = self.button.get_untracked();
        self.card
            .in_view(button.is_some_and(|button| browser::is_whole(&button)));
        let guard = self
            .guard
            .try_update_value(|guard| guard.look(seen))
            .unwrap_or(Some(Bar::Settling));
        let bar = untrack(|| self.of_page()).or(guard);
        if self.bar.try_with_untracked(|known| *known != bar) == Some(true) {
            self.bar.set(bar.clone());
        }
        if bar.is_some() {
            self.release();
            self.touched.try_set_value(false);
        }
        bar
    }

    fn of_page(self) -> Option<Bar> {
        let card = self.card;
        let word = card.asked.with_value(|asked| match &asked.assurance {
            Assurance::Type { word } => Some(word.clone()),
            _ => None,
        });
        let unknown = card.asked.with_value(|asked| {
            asked.assurance == Assurance::Unknown || asked.sections.contains(&CardSection::Unknown)
        });
        if unknown {
            Some(Bar::Unknown)
        } else if let Some(reason) = card.channel.bars() {
            Some(Bar::Role(reason))
        } else if card.side == CardSide::Asker {
            Some(Bar::Second)
        } else if card.is_asking() {
            Some(Bar::Asking)
        } else if card.left() == Some(0) {
            Some(Bar::Expired)
        } else if card.channel.connection.get() != Connection::Live {
            Some(Bar::Offline)
        } else if card.channel.kill_switch.read().on {
            Some(Bar::KillSwitch)
        } else if card.editing.get() {
            Some(Bar::Editing)
        } else {
            word.filter(|word| *word != self.typed.get()).map(Bar::Word)
        }
    }

    fn holds(self) -> bool {
        self.card
            .asked
            .with_value(|asked| asked.assurance == Assurance::Hold)
    }

    fn approve(self) {
        if self.look().is_none() {
            let grant = self.card.grant.get_untracked();
            let typed = self.typed.get_untracked();
            let word = (!typed.is_empty()).then_some(typed);
            self.card.decide(Decision::Approve { grant, word });
            self.look();
        }
    }

    /// Begins a press that has to be held.
    fn hold(self) {
        if !self.holds() || self.held.get_untracked().is_some() {
            return;
        }
        if self.look().is_some() {
            // A press that came too early does nothing; once one counts, the line says how.
            self.short.set(true);
            return;
        }
        let number = self.presses.get_value() + 1;
        self.presses.set_value(number);
        self.short.set(false);
        self.held.set(Some(number));
        set_timeout(
            move || {
                if self.held.try_get_untracked().flatten() == Some(number) {
                    self.held.set(None);
                    self.approve();
                }
            },
            HOLD,
        );
    }

    fn release(self) {
        if self.held.try_get_untracked().flatten().is_some() {
            self.held.try_set(None);
            self.short.try_set(true);
        }
    }

    /// Handles the pointer going down.
    fn point(self, event: &ev::PointerEvent) {
        self.pointed.set_value(true);
        if event.is_primary() && event.button() == 0 {
            self.touched.set_value(true);
            self.look();
            self.hold();
        }
    }

    /// Handles the mouse button going down, or what a browser makes of a touch: not of one that began
    /// elsewhere, or before the button could be pressed.
    fn on_mouse(self) {
        // Once for each press: a later one may have begun elsewhere.
        if self.touched.get_value() {
            self.touched.set_value(false);
            self.pointed.set_value(true);
        }
    }

    /// Handles the pointer being released, or leaving.
    fn lift(self) {
        self.pointed.try_set_value(false);
        self.release();
    }

    fn on_click(self, event: &ev::MouseEvent) {
        self.pointed.set_value(false);
        // The second press of a double click was meant for something else.
        if !self.holds() && event.detail() <= 1 {
            self.approve();
        }
    }

    fn on_key(self, event: &ev::KeyboardEvent) {
        if !matches!(event.key().as_str(), "Enter" | " ") {
            return;
        }
        // A key that is still down was pressed for something else.
        if event.repeat() || self.holds() {
            event.prevent_default();
        }
        if !event.repeat() {
            self.hold();
        }
    }

    fn on_focus(self) {
        if !self.pointed.get_value() {
            self.guard.update_value(Guard::focus_came);
            self.look();
        }
    }
}

#[component]
pub(super) fn Approve(card: ConfirmCard, typed: RwSignal<String>) -> impl IntoView {
    let press = Press {
        card,
        button: NodeRef::new(),
        guard: StoredValue::new(Guard::default()),
        bar: RwSignal::new(Some(Bar::NotRead)),
        typed,
        held: RwSignal::new(None),
        presses: StoredValue::new(0),
        short: RwSignal::new(false),
        pointed: StoredValue::new(false),
        touched: StoredValue::new(false),
    };
    effect(move || {
        // Checks again when something other than the page's layout decides.
        let _now = press.of_page();
        press.look();
    });
    // A changed card is a new one: it is shown from its beginning.
    let again = card.asked.with_value(|asked| asked.revision > 1);
    effect(move || {
        if let Some(head) = card.head.get().filter(|_| again) {
            request_animation_frame(move || {
                if browser::place(&head).is_none() {
                    head.scroll_into_view();
                }
            });
        }
    });
    effect(move || {
        if let Ok(looks) = set_interval_with_handle(
            move || {
                press.look();
            },
            LOOK_EVERY,
        ) {
            on_cleanup(move || {
                looks.clear();
                card.in_view(false);
            });
        }
    });
    let call = card.call;
    let why = format!("why-{call}");
    let label = move || match (press.holds(), press.held.get()) {
        (true, Some(_)) => texts::KEEP_HOLDING,
        (true, None) => texts::HOLD_TO_APPROVE,
        (false, _) => texts::APPROVE,
    };
    let sentence = card
        .asked
        .with_value(|asked| kit::format::exposed(&asked.sentence));
    let digest = card.asked.with_value(|asked| asked.digest.clone());
    let exactly = texts::applies_only_to_this_request(&short_digest(&digest));
    view! {
        <button
            type="button"
            class="button confirm__approve"
            class:confirm__approve--hold=press.holds()
            class:confirm__approve--held=live(move || press.held.get().is_some())
            node_ref=press.button
            aria-disabled=live(move || press.bar.read().is_some().then_some("true"))
            aria-describedby=why.clone()
            aria-label=live(move || format!("{}: {sentence}", label()))
            on:click=on(move |event: ev::MouseEvent| press.on_click(&event))
            on:pointerdown=on(move |event: ev::PointerEvent| press.point(&event))
            on:mousedown=on(move |_: ev::MouseEvent| press.on_mouse())
            on:pointerup=on(move |_: ev::PointerEvent| press.lift())
            on:pointerleave=on(move |_: ev::PointerEvent| press.lift())
            on:pointercancel=on(move |_: ev::PointerEvent| press.lift())
            on:contextmenu=on(move |event: ev::MouseEvent| {
                if press.holds() {
                    event.prevent_default();
                }
            })
            on:keydown=on(move |event: ev::KeyboardEvent| press.on_key(&event))
            on:keyup=on(move |_: ev::KeyboardEvent| press.release())
            on:focus=on(move |_: ev::FocusEvent| press.on_focus())
            on:blur=on(move |_: ev::FocusEvent| press.lift())
        >
            <span class="confirm__fill" aria-hidden="true"></span>
            <span>{live_text(move || label().to_owned())}</span>
        </button>
        <p class="confirm__why" id=why title=digest>
            {live_text(move || match &*press.bar.read() {
                Some(bar) => bar.reason(),
                None if press.short.get() => texts::HOLD_FOR_A_SECOND.to_owned(),
                // Never empty: a line that comes and goes moves the button, which then settles anew.
                None => exactly.clone(),
            })}
        </p>
    }
    .into_any()
}

/// Draws the field for the word, if the card asks for one.
pub(super) fn word_field(asked: &Confirmation, typed: RwSignal<String>) -> Option<AnyView> {
    let Assurance::Type { word } = &asked.assurance else {
        return None;
    };
    let word = word.clone();
    Some(
        view! {
            <label class="confirm__word">
                <span>{texts::TYPE} <code>{word}</code> {texts::TO_APPROVE}</span>
                <input
                    class="field"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    on:input=on(move |event: ev::Event| {
                        let field: Option<web_sys::HtmlInputElement> = event
                            .target()
                            .and_then(|target| target.dyn_into().ok());
                        if let Some(field) = field {
                            typed.set(field.value());
                        }
                    })
                />
            </label>
        }
        .into_any(),
    )
}
