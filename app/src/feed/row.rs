//! One line of the feed: time, kind, text, status, tier, person.

use kit::{
    browser,
    format::{age, upright},
    live_text, live_view, on,
};
use leptos::{ev, prelude::*};
use protocol::{FeedEntry, FeedKind, FeedTone, Tier};
use wasm_bindgen::JsCast;

use super::{
    details::details,
    list::{FeedLine, FeedList},
    time::Now,
};
use crate::{
    texts::feed as texts,
    words::{tier_class, tier_meaning, tier_name, tool_name},
};

pub(super) fn row(list: FeedList, line: &FeedLine, now: Now) -> AnyView {
    let id = line.id.to_string();
    let named = list.named.try_get_value().flatten() == Some(line.id);
    let entry = line.entry.clone();
    let drawn = live_view(move || summary(&entry.read(), now));
    // The folded part is drawn when it is first opened.
    let opened = RwSignal::new(false);
    let toggled = on(move |event: ev::Event| {
        let target = event.current_target();
        let details = target.and_then(|it| it.dyn_into::<web_sys::HtmlDetailsElement>().ok());
        if details.is_some_and(|details| details.open()) {
            opened.set(true);
        }
    });
    let entry = line.entry.clone();
    let more = live_view(move || {
        if opened.get() {
            details(list, &entry.read())
        } else {
            ().into_any()
        }
    });
    let class = if named {
        "feed__line feed__line--named"
    } else {
        "feed__line"
    };
    view! {
        <li class=class id=id>
            <details class="event" on:toggle=toggled>
                <summary class="event__head">{drawn}</summary>
                {more}
            </details>
        </li>
    }
    .into_any()
}

fn summary(entry: &FeedEntry, now: Now) -> AnyView {
    let at = entry.at;
    // The date is formatted on demand: for a long list it would take long.
    let tell = on(move |event: ev::PointerEvent| {
        let target = event.current_target();
        if let Some(time) = target.and_then(|it| it.dyn_into::<web_sys::Element>().ok()) {
            browser::report(time.set_attribute("title", &browser::exact_time(at)));
        }
    });
    let when = live_text(move || match age(at, now.get()).as_str() {
        "now" => "now".to_owned(),
        age => format!("{age} ago"),
    });
    let target = entry.target.clone().map(|target| {
        view! { <span class="event__target">{upright(target)}</span> }
    });
    let outcome = entry.outcome.clone().map(|outcome| {
        view! { <span class="event__outcome">{upright(outcome)}</span> }
    });
    let person = entry.person.clone().map(|person| {
        let person = upright(person);
        view! { <span class="event__person" title=person>{person.clone()}</span> }
    });
    view! {
        <time class="event__time" on:pointerenter=tell>
            {when}
        </time>
        <span class="event__kind" title=kind_name(entry.kind)>{kind_name(entry.kind)}</span>
        <span class="event__what">
            <span class=tone_class(entry.tone)>
                <span class="visually-hidden">{tone_name(entry.tone)}</span>
            </span>
            <span class="event__line">{line(entry)}</span>
            {target}
            {outcome}
        </span>
        {entry.tier.map(tier)}
        {person}
    }
    .into_any()
}

/// Returns the text of an entry.
pub(super) fn line(entry: &FeedEntry) -> String {
    match entry.kind {
        FeedKind::Call => tool_name(&upright(entry.line.clone())),
        _ => upright(entry.line.clone()),
    }
}

fn tier(tier: Tier) -> AnyView {
    view! {
        <span class=tier_class(tier) title=tier_meaning(tier)>
            {tier_name(tier)}
        </span>
    }
    .into_any()
}

pub(super) fn kind_name(kind: FeedKind) -> &'static str {
    match kind {
        FeedKind::Task => texts::TASK,
        FeedKind::Log => texts::LOG,
        FeedKind::Notice => texts::NOTICE,
        FeedKind::Call => texts::TOOL_CALL,
        FeedKind::Confirmation => texts::DECISION,
        FeedKind::Grant => texts::GRANT,
        FeedKind::KillSwitch => texts::KILL_SWITCH,
        FeedKind::SignIn => texts::SIGN_IN,
        FeedKind::Configuration => texts::SETTINGS,
        FeedKind::Server => "Jarvis",
        FeedKind::Unknown => texts::OTHER,
    }
}

fn tone_class(tone: FeedTone) -> &'static str {
    match tone {
        FeedTone::Plain => "state state--off",
        FeedTone::Running => "state state--busy",
        FeedTone::Waiting | FeedTone::Warning => "state state--odd",
        FeedTone::Good => "state state--good",
        FeedTone::Bad => "state state--bad",
        FeedTone::Unknown => "state state--unknown",
    }
}

/// Returns the tone for readers who do not see the mark. A tone that is in the text anyway is not
/// repeated.
fn tone_name(tone: FeedTone) -> &'static str {
    match tone {
        FeedTone::Warning => texts::WARNING,
        FeedTone::Bad => texts::FAILURE,
        FeedTone::Unknown => texts::UNKNOWN,
        FeedTone::Plain | FeedTone::Running | FeedTone::Waiting | FeedTone::Good => "",
    }
}
