//! The details of an opened entry, and its links.

use kit::{
    CopyButton, browser,
    format::field_name,
    format::{between, duration, upright},
    press,
};
use leptos::prelude::*;
use protocol::{FeedEntry, FeedFilter, FeedKind, Reference, Timestamp};
use serde_json::Value;

use super::list::FeedList;
use crate::{reference::path_of, texts::feed as texts};

pub(super) fn details(list: FeedList, entry: &FeedEntry) -> AnyView {
    let mut facts = vec![fact(texts::WHEN, moment(entry.at))];
    if let Some(ended) = entry.ended {
        let took = duration(between(entry.at, ended));
        facts.push(fact(
            texts::ENDED,
            texts::ended_after(&moment(ended), &took),
        ));
    }
    if let Some(target) = &entry.target {
        let wanted = target.clone();
        let narrow = press(move || {
            narrow(list, |filter| filter.target.clone_from(&wanted));
        });
        facts.push(filtering(texts::TARGET, target, narrow));
    }
    if let Some(person) = &entry.person {
        let wanted = person.clone();
        let narrow = press(move || {
            narrow(list, |filter| filter.person.clone_from(&wanted));
        });
        facts.push(filtering(texts::PERSON, person, narrow));
    }
    if let Some(source) = &entry.source {
        facts.push(fact(texts::SOURCE, upright(source.clone())));
    }
    if entry.kind == FeedKind::Call {
        facts.push(fact(texts::TOOL, upright(entry.line.clone())));
    }
    if let Some(more) = entry.details.as_object() {
        facts.extend(
            more.iter()
                .filter_map(|(name, value)| more_fact(name, value)),
        );
    }
    let path = format!("/feed/{}", entry.id);
    let address = {
        let path = path.clone();
        move || Some(format!("{}{path}", window().location().origin().ok()?))
    };
    view! {
        <div class="event__more">
            <dl class="event__facts">{facts}</dl>
            <p class="event__links">
                {links(entry)} <a href=path>{texts::SHOW_ONLY_THIS_EVENT}</a>
                <CopyButton label=texts::COPY_THE_LINK text=address />
            </p>
        </div>
    }
    .into_any()
}

fn narrow(list: FeedList, change: impl FnOnce(&mut FeedFilter)) {
    let mut filter = list.filter.get_untracked();
    change(&mut filter);
    list.filter_by(filter);
}

fn moment(at: Timestamp) -> String {
    browser::local_time(at, true)
}

fn fact(name: &'static str, value: String) -> AnyView {
    view! {
        <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
        </div>
    }
    .into_any()
}

fn filtering(
    name: &'static str,
    value: &str,
    narrow: Box<dyn FnMut(leptos::ev::MouseEvent)>,
) -> AnyView {
    let label = texts::show_only_events_with(&name.to_lowercase(), value);
    view! {
        <div>
            <dt>{name}</dt>
            <dd>
                {upright(value.to_owned())}
                <button type="button" class="event__only" aria-label=label on:click=narrow>
                    {texts::ONLY_THIS}
                </button>
            </dd>
        </div>
    }
    .into_any()
}

/// Draws a field of the details that is a text, a number or a boolean.
fn more_fact(name: &str, value: &Value) -> Option<AnyView> {
    let (name, value) = match (name, value) {
        ("elapsed_ms", value) => (texts::RAN_FOR.to_owned(), duration(value.as_u64()?)),
        ("until", value) => (texts::UNTIL.to_owned(), moment(Timestamp(value.as_i64()?))),
        (name, Value::String(text)) => (field_name(name), text.clone()),
        (name, Value::Number(number)) => (field_name(name), number.to_string()),
        (name, Value::Bool(flag)) => {
            let word = if *flag { texts::YES } else { texts::NO };
            (field_name(name), word.to_owned())
        }
        _ => return None,
    };
    let mut name = upright(name);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let fact = view! {
        <div>
            <dt>{name}</dt>
            <dd>{upright(value)}</dd>
        </div>
    };
    Some(fact.into_any())
}

/// Draws the links to its conversation and its subject.
fn links(entry: &FeedEntry) -> AnyView {
    let conversation = entry.conversation.map(|id| {
        let href = format!("/chat/{id}");
        view! { <a href=href>{texts::OPEN_THE_CONVERSATION}</a> }
    });
    let subject = entry.subject.as_ref().and_then(|subject| {
        let (kind, name) = subject.split_once('/')?;
        let path = path_of(&Reference::new(kind, name))?;
        let words = texts::open_the(kind);
        Some(view! { <a href=path>{words}</a> })
    });
    view! {
        {conversation}
        {subject}
    }
    .into_any()
}
