//! The offer of a standing grant: the same call may run again without asking.

use kit::{browser, live, live_text, on};
use leptos::{ev, prelude::*};
use protocol::{GrantTerms, Timestamp};
use wasm_bindgen::JsCast;

use super::ConfirmCard;

use crate::texts::confirm as texts;

const MINUTE: i64 = 60_000;
/// Durations that a grant may have, in minutes.
const SPANS: [(&str, i64); 4] = [
    (texts::FIFTEEN_MINUTES, 15),
    (texts::ONE_HOUR, 60),
    (texts::EIGHT_HOURS, 480),
    (texts::TWENTY_FOUR_HOURS, 1_439),
];
const USES: [u32; 5] = [1, 3, 5, 10, 100];

#[component]
pub(super) fn GrantOffer(card: ConfirmCard) -> impl IntoView {
    if !card.asked.with_value(|asked| asked.grantable) {
        return ().into_any();
    }
    let limit = card.asked.with_value(|asked| asked.grant_limit);
    let (most_uses, most_minutes) = limit.map_or((100, 1_440), |limit| {
        (limit.uses.max(1), i64::from(limit.minutes.max(1)))
    });
    let wanted = RwSignal::new(false);
    let uses = RwSignal::new(3u32.min(most_uses));
    let minutes = RwSignal::new(60i64.min(most_minutes));
    // Fixed at the choice, so that the grant given is the one on display.
    let choose = move || {
        let now = card.channel.clock.second().unwrap_or_else(browser::now);
        let until = (now.0 + minutes.get_untracked() * MINUTE) / MINUTE * MINUTE;
        card.grant.set(wanted.get_untracked().then_some(GrantTerms {
            uses: uses.get_untracked(),
            until: Timestamp(until),
        }));
    };
    let terms = move || {
        let Some(terms) = card.grant.get() else {
            return String::new();
        };
        let until = browser::local_time(terms.until, true);
        texts::grant_in_words(terms.uses, &until)
    };
    let option = |value: i64, name: String, selected: i64| {
        view! { <option value=value.to_string() selected=value == selected>{name}</option> }
            .into_any()
    };
    // The policy's own bound is offered too, unless it equals one of these.
    let now = minutes.get_untracked();
    let mut spans: Vec<_> = SPANS
        .iter()
        .filter(|(_, minutes)| *minutes <= most_minutes)
        .map(|(name, minutes)| option(*minutes, (*name).to_owned(), now))
        .collect();
    if limit.is_some() && !SPANS.iter().any(|(_, minutes)| *minutes == most_minutes) {
        spans.push(option(most_minutes, texts::minutes(most_minutes), now));
    }
    let now = i64::from(uses.get_untracked());
    let mut times: Vec<_> = USES
        .iter()
        .filter(|n| **n <= most_uses)
        .map(|n| option(i64::from(*n), n.to_string(), now))
        .collect();
    if !USES.contains(&most_uses) {
        times.push(option(i64::from(most_uses), most_uses.to_string(), now));
    }
    view! {
        <div class="grant-offer">
            <label class="choice">
                <input
                    type="checkbox"
                    on:change=on(move |event: ev::Event| {
                        wanted.set(event_target_checked(&event));
                        untrack(choose);
                    })
                />
                <span>{texts::ALLOW_THIS_AGAIN_WITHOUT_ASKING}</span>
            </label>
            <div class="grant-offer__terms" hidden=live(move || !wanted.get())>
                <label>
                    {texts::TIMES}
                    <select
                        class="field"
                        on:change=on(move |event: ev::Event| {
                            if let Some(value) = chosen(&event) {
                                uses.set(value as u32);
                                untrack(choose);
                            }
                        })
                    >
                        {times}
                    </select>
                </label>
                <label>
                    {texts::WITHIN}
                    <select
                        class="field"
                        on:change=on(move |event: ev::Event| {
                            if let Some(value) = chosen(&event) {
                                minutes.set(value);
                                untrack(choose);
                            }
                        })
                    >
                        {spans}
                    </select>
                </label>
                <p class="grant-offer__text" aria-live="polite">{live_text(terms)}</p>
            </div>
        </div>
    }
    .into_any()
}

fn chosen(event: &ev::Event) -> Option<i64> {
    let field: web_sys::HtmlSelectElement = event.target()?.dyn_into().ok()?;
    field.value().parse().ok()
}
