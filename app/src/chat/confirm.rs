//! The card before a RED call: its full effect, and a person's decision on it.
//!
//! What, on what, what is at stake and both decisions come first; where they say every value of the
//! input, the rest is folded. It is redrawn for every revision, so that a person approves exactly
//! what is on screen.

mod approve;
mod deny;
mod edit;
mod grant_offer;
mod guard;
mod parts;
mod sections;
mod stakes;

use kit::{Icon, browser, format, icon, live, live_text, live_view, press};
use leptos::{html, prelude::*};
use protocol::{
    CallId, Choice, Command, Confirmation, ConversationId, Decision, GrantTerms, SecondCall,
};
use serde_json::Value;
use transcript::ToolRow;

pub(super) use self::parts::{asked_before, verdict};
use self::{approve::Approve, deny::Deny, edit::Edit, grant_offer::GrantOffer};
use super::{open_conversation::OpenConversation, tier_chip::tier_chip, trace::trace};
use crate::{
    channel::Channel,
    texts::{common, confirm as texts},
    words,
};

/// A card on the screen. Lives as long as its revision.
#[derive(Clone, Copy)]
struct ConfirmCard {
    channel: Channel,
    conversation: ConversationId,
    call: CallId,
    asked: StoredValue<Confirmation>,
    /// True if it concerns a person's own call.
    own: bool,
    /// The sentence and the end of what matters: both must have been in view before anybody can
    /// approve.
    head: NodeRef<html::H3>,
    end: NodeRef<html::Div>,
    frame: NodeRef<html::Div>,
    /// Calls whose buttons are in view.
    seen: RwSignal<Vec<CallId>>,
    /// True while the input is being edited.
    editing: RwSignal<bool>,
    /// The standing grant to give with the approval.
    grant: RwSignal<Option<GrantTerms>>,
    side: CardSide,
}

/// The role of this person on a card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CardSide {
    /// The requester, who also decides.
    Alone,
    /// The requester; somebody else approves.
    Asker,
    /// The second person.
    Second,
}

impl ConfirmCard {
    /// Begins or ends an edit of the input; the focus follows.
    fn edit(self, editing: bool, next: &'static str) {
        if let Some(frame) = self.frame.get_untracked() {
            browser::keep_focus(&frame, next);
        }
        self.editing.set(editing);
    }

    fn is_asking(self) -> bool {
        self.channel.is_asking(self.call)
    }

    /// Returns whether nothing on it can be pressed: it waits for the server, or the person may
    /// only read.
    fn is_idle(self) -> bool {
        self.is_asking() || self.channel.bars().is_some()
    }

    /// Returns the time left, by the server's clock; none until that is known.
    fn left(self) -> Option<u64> {
        let now = self.channel.clock.second()?;
        let expires = self.asked.try_with_value(|asked| asked.expires)?;
        Some(format::between(now, expires))
    }

    /// Records whether its buttons are in view.
    fn in_view(self, is: bool) {
        let known = self
            .seen
            .try_with_untracked(|seen| seen.contains(&self.call));
        if known == Some(!is) {
            self.seen.try_update(|seen| {
                seen.retain(|call| *call != self.call);
                if is {
                    seen.push(self.call);
                }
            });
        }
    }

    fn decide(self, decision: Decision) {
        let digest = self.asked.with_value(|asked| asked.digest.clone());
        self.channel.command(Command::Decide {
            conversation: self.conversation,
            call: self.call,
            digest,
            decision,
        });
    }

    fn change(self, input: Value) {
        let digest = self.asked.with_value(|asked| asked.digest.clone());
        self.channel.command(Command::Edit {
            conversation: self.conversation,
            call: self.call,
            digest,
            input,
        });
    }
}

/// Draws the card of a call that waits for a person.
pub(super) fn question(tool: ArcRwSignal<ToolRow>) -> AnyView {
    let channel = expect_context::<Channel>();
    let open = expect_context::<OpenConversation>();
    let row = tool.get_untracked();
    let (Some(call), Some(asked)) = (row.call, row.asked) else {
        return ().into_any();
    };
    let asked = asked.confirmation;
    let card = ConfirmCard {
        channel,
        conversation: open.conversation.id(),
        call,
        asked: StoredValue::new(asked.clone()),
        own: open.conversation.origin().read_untracked().own,
        head: NodeRef::new(),
        end: NodeRef::new(),
        frame: NodeRef::new(),
        seen: open.seen,
        editing: RwSignal::new(false),
        grant: RwSignal::new(None),
        side: match asked.second {
            Some(_) => CardSide::Asker,
            None => CardSide::Alone,
        },
    };
    let place = live_text(place_among(open.conversation.waiting(), call));
    draw(card, &row.name, asked, place)
}

/// Draws the card of another person's call, on which this person decides as the second one.
pub(super) fn second_card(channel: Channel, second: SecondCall) -> AnyView {
    let card = ConfirmCard {
        channel,
        conversation: second.conversation,
        call: second.call,
        asked: StoredValue::new(second.confirmation.clone()),
        own: false,
        head: NodeRef::new(),
        end: NodeRef::new(),
        frame: NodeRef::new(),
        seen: RwSignal::new(Vec::new()),
        editing: RwSignal::new(false),
        grant: RwSignal::new(None),
        side: CardSide::Second,
    };
    draw(card, &second.tool, second.confirmation, ().into_any())
}

fn draw(card: ConfirmCard, tool: &str, asked: Confirmation, place: AnyView) -> AnyView {
    let title = format!("ask-{}", card.call);
    let label = title.clone();
    let notice = asked.changed.clone().map(|changed| {
        view! {
            <p class="confirm__changed">
                {icon(Icon::RETRY)} <span>{format::exposed(&changed)} {texts::CHECK_IT_AGAIN}</span>
            </p>
        }
    });
    let heading = match card.side {
        CardSide::Asker => texts::WAITING_FOR_ANOTHER_APPROVER,
        CardSide::Alone | CardSide::Second => texts::WAITING_FOR_YOUR_DECISION,
    };
    let denial = NodeRef::new();
    // Nobody needs a reason for denying their own call.
    let comment = (!card.own).then(|| deny::comment(denial));
    let typed = RwSignal::new(String::new());
    let word = approve::word_field(&asked, typed);
    let details = details(card, &asked);
    // Not for a second person, who decides on what the first one asks for.
    let edit = (card.side != CardSide::Second).then(|| view! { <Edit card /> }.into_any());
    // The sentence usually names it.
    let target = (!asked.sentence.contains(&asked.target)).then(|| {
        view! { <span class="confirm__target">{format::exposed(&asked.target)}</span> }
    });
    view! {
        <div class="confirm confirm--asks" role="group" aria-labelledby=label node_ref=card.frame>
            <header class="confirm__bar">
                {icon(Icon::HAND)} <span class="confirm__call">{heading} {place}</span>
                <TimeLeft card />
            </header>
            <div class="confirm__body">
                <h3 class="confirm__sentence" id=title tabindex="-1" node_ref=card.head>
                    {format::exposed(&asked.sentence)}
                </h3>
                <p class="confirm__what">
                    {target} {tier_chip(asked.tier)} <span class="confirm__tool">{words::tool_name(tool)}</span>
                </p>
                {parts::second(&asked, card.side != CardSide::Second)}
                {notice} {stakes::stakes(&asked)} {sections::sections(&asked)} {edit}
            </div>
            {details}
            // In view as long as any part of the card is.
            <div class="confirm__decide">
                {word} {comment} <Deny card comment=denial /> <Approve card typed />
            </div>
        </div>
    }
    .into_any()
}

/// Returns whether the part above the details says the whole input. Only then may they be folded:
/// nobody approves a value that they did not see.
fn is_said(asked: &Confirmation) -> bool {
    let fields = asked.input.as_object();
    fields.is_some_and(|fields| fields.keys().all(|name| asked.said.contains(name)))
}

/// Draws the rest of the card. It is folded if what is above it says the whole input, and if the
/// card was not changed: whoever changes one keeps what they work with.
fn details(card: ConfirmCard, asked: &Confirmation) -> AnyView {
    let asks = card.side != CardSide::Second;
    let fine = match card.side {
        CardSide::Alone => None,
        CardSide::Asker => Some(texts::ASKER_CAN_ONLY_DENY),
        CardSide::Second => Some(texts::YOU_SEE_ONLY_THIS_REQUEST),
    };
    let folds = is_said(asked);
    let opened = RwSignal::new(!folds || asked.revision > 1);
    // Not for a second person, who cannot look into the conversation.
    let ids = asks.then(|| {
        let ids = move || opened.get().then(|| trace(card.conversation, card.call));
        live_view(move || ids().into_any())
    });
    // They come late: above the mark they would push it out of view again.
    let (ids, late) = if folds { (ids, None) } else { (None, ids) };
    let choices = asks.then(|| choices(card, &asked.choices)).flatten();
    // The mark is what has to be in view before the button opens.
    let end = view! {
        {fine.map(|fine| view! { <p class="confirm__fine">{fine}</p> })}
        <div class="confirm__end" node_ref=card.end></div>
    };
    let content = view! {
        <div class="confirm__more">
            {parts::facts(texts::CURRENT_TARGET_STATE, asked)} {parts::input(asked)}
            {parts::original(asked)} {parts::reason(asked)} {choices} <GrantOffer card />
            {ids}
        </div>
    };
    if !folds {
        let late = late.map(|ids| view! { <div class="confirm__more">{ids}</div> });
        return view! { {content} {end} {late} }.into_any();
    }
    let mut inside = vec![texts::STATE, texts::INPUT_WITH_ITS_SOURCES];
    if asked.reason.is_some() {
        inside.push(texts::REASON);
    }
    if asks && !asked.choices.is_empty() {
        inside.push(texts::OPTIONS_ONLY_YOU_CAN_SET);
    }
    let open = move |event: leptos::ev::Event| {
        if event_target::<web_sys::HtmlDetailsElement>(&event).open() {
            opened.set(true);
        }
    };
    view! {
        {end}
        <details class="confirm__details" open={asked.revision > 1} on:toggle=kit::on(open)>
            <summary>{texts::DETAILS} <span class="confirm__inside">{inside.join(", ")}</span></summary>
            {content}
        </details>
    }
    .into_any()
}

/// Formats ` · 1 of 2`, if one step asks for several calls.
fn place_among(waiting: ArcRwSignal<Vec<CallId>>, call: CallId) -> impl Fn() -> String {
    move || {
        let waiting = waiting.read();
        match waiting.iter().position(|other| *other == call) {
            Some(place) if waiting.len() > 1 => texts::place_of_waiting(place + 1, waiting.len()),
            _ => String::new(),
        }
    }
}

#[component]
fn TimeLeft(card: ConfirmCard) -> impl IntoView {
    let expires = card.asked.with_value(|asked| asked.expires);
    let text = move || match card.left() {
        None => String::new(),
        Some(0) => texts::EXPIRED.to_owned(),
        Some(left) => common::time_left(&format::countdown(left)),
    };
    let soon = move || {
        let near = card.left().is_some_and(|left| left > 0 && left <= 60_000);
        if near {
            texts::LESS_THAN_A_MINUTE_LEFT_TO_DECIDE
        } else {
            ""
        }
        .to_owned()
    };
    let exact = live(move || {
        card.channel.clock.second()?;
        Some(browser::exact_time(expires))
    });
    view! {
        <time class="confirm__left" title=exact>{live_text(text)}</time>
        <span class="visually-hidden" aria-live="polite">{live_text(soon)}</span>
    }
    .into_any()
}

/// Draws the options that only a person may set. Each changes the call, which is shown anew.
fn choices(card: ConfirmCard, choices: &[Choice]) -> Option<AnyView> {
    if choices.is_empty() {
        return None;
    }
    let boxes: Vec<_> = choices
        .iter()
        .map(|choice| one_choice(card, choice))
        .collect();
    Some(
        view! {
            <fieldset class="confirm__choices">
                <legend class="confirm__label">{texts::OPTIONS_ONLY_YOU_CAN_SET_HEADING}</legend>
                {boxes}
            </fieldset>
        }
        .into_any(),
    )
}

fn one_choice(card: ConfirmCard, choice: &Choice) -> AnyView {
    let name = StoredValue::new(choice.name.clone());
    let chosen = choice.chosen;
    let toggle = move |event: leptos::ev::MouseEvent| {
        // The mark shows the server's state, not the press.
        event.prevent_default();
        if untrack(|| card.is_idle()) || card.editing.get_untracked() {
            return;
        }
        let mut input = card.asked.with_value(|asked| asked.input.clone());
        if let (Some(fields), Some(name)) = (input.as_object_mut(), name.try_get_value()) {
            if chosen {
                fields.remove(&name);
            } else {
                fields.insert(name, Value::Bool(true));
            }
            card.change(input);
        }
    };
    view! {
        <label class="choice">
            <input
                type="checkbox"
                checked=chosen
                aria-disabled=live(move || (card.is_idle() || card.editing.get()).then_some("true"))
                on:click=kit::on(toggle)
            />
            <span>
                <strong>{format::exposed(&choice.label)}</strong>
                <span class="choice__detail">{format::exposed(&choice.detail)}</span>
            </span>
        </label>
    }
    .into_any()
}

/// Shows how many calls wait while none of their buttons is in view, with a link to the first.
#[component]
pub(super) fn WaitingStrip() -> impl IntoView {
    let open = expect_context::<OpenConversation>();
    let waiting = open.conversation.waiting();
    let first = waiting.clone();
    let count = Memo::new(move |_| {
        if open.seen.read().is_empty() {
            waiting.read().len()
        } else {
            0
        }
    });
    let any = Memo::new(move |_| count.get() > 0);
    let strip = NodeRef::<html::Div>::new();
    let text = move || texts::requests_need_your_decision(count.get());
    live_view(move || {
        if !any.get() {
            // It may go under the focus: what it led to has just come into view, or is decided.
            let strip = strip.get_untracked();
            let strip = strip.filter(|strip| browser::has_focus(strip));
            if let Some(foot) = strip.and_then(|strip| strip.parent_element()) {
                browser::keep_focus(&foot, ".composer__field");
            }
            return ().into_any();
        }
        let first = first.clone();
        let conversation = open.conversation.clone();
        let show = move || {
            if let Some(call) = first.get_untracked().first() {
                conversation.to_end();
                browser::show(format!("ask-{call}"));
            }
        };
        view! {
            <div class="waiting-strip" node_ref=strip>
                {icon(Icon::HAND)} <span>{live_text(text)}</span>
                <button type="button" class="button button--small" on:click=press(show)>
                    {live_text(move || if count.get() > 1 { texts::REVIEW_ALL } else { texts::REVIEW }.to_owned())}
                </button>
            </div>
        }
        .into_any()
    })
}

#[cfg(test)]
mod tests {
    use protocol::{FromJson, Timestamp};
    use serde_json::json;

    use super::*;

    #[test]
    fn each_card_of_several_says_its_place() {
        let call = |n| CallId::new(Timestamp(1), n);
        let waiting = ArcRwSignal::new([1, 2, 3].map(call).to_vec());
        let place = |n| untrack(place_among(waiting.clone(), call(n)));
        let places = [" · 1 of 3", " · 2 of 3", " · 3 of 3"];
        assert_eq!([1, 2, 3].map(place), places);
        waiting.set(vec![call(1), call(3)]);
        assert_eq!([1, 3].map(place), [" · 1 of 2", " · 2 of 2"]);
        waiting.set(vec![call(3)]);
        assert_eq!(place(3), "", "one alone");
    }

    #[test]
    fn a_value_that_the_card_does_not_say_is_not_folded() {
        for (input, said, folds) in [
            (json!({}), json!([]), true),
            (json!({ "node": "pve" }), json!(["node"]), true),
            (json!({ "node": "pve" }), json!(["node", "vmid"]), true),
            (
                json!({ "node": "pve", "hard": true }),
                json!(["node"]),
                false,
            ),
            // A name of the system that looks like the value says nothing.
            (json!({ "node": "pve", "wait": 5 }), json!(["node"]), false),
            // A card from before there was such a list.
            (json!({ "node": "pve" }), json!(null), false),
            (json!(["pve"]), json!(["0"]), false),
        ] {
            let mut card = json!({
                "revision": 1, "digest": "", "sentence": "Restart VM 5 (5).", "target": "", "tier": "red",
                "input": input, "assurance": { "type": "press" }, "grantable": false, "expires": 0,
            });
            if !said.is_null() {
                card["said"] = said.clone();
            }
            let card = Confirmation::from_json(card).unwrap();
            assert_eq!(is_said(&card), folds, "{input} {said}");
        }
    }
}
