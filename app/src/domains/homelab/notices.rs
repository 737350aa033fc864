//! Notices: those of the same kind in one line, the gravest first; acknowledged ones are quiet.

mod groups;

use kit::{
    Icon, Key, browser, each, effect,
    format::{between, exposed, span, upright},
    icon, live, live_text, live_view, press,
};
use leptos::prelude::*;
use protocol::{FeedFilter, FeedKind, Notice, NoticeId, Timestamp};

use self::groups::{AcknowledgedGroup, NoticeGroup, groups, reference};
use super::{
    board::HudBoard,
    pieces::{heading, more},
    texts,
};
use crate::{
    channel::Channel,
    dock::ask_why,
    frame::{NOTICES, notices_elsewhere},
    panel_pieces::{AcknowledgeButton, ago},
};

/// The most groups shown before a person expands the list.
const FIRST: usize = 5;

/// State that the lines share.
#[derive(Clone, Copy)]
struct NoticeList {
    groups: Memo<Vec<NoticeGroup>>,
    /// The group that was last acknowledged here.
    last: RwSignal<Option<AcknowledgedGroup>>,
    /// True until that group has got the focus.
    due: RwSignal<bool>,
}

pub(super) fn notices(board: &HudBoard) -> AnyView {
    let all = board.notices();
    let open = {
        let all = all.clone();
        Memo::new(move |_| {
            let mut open = Vec::new();
            all.visit(|_, notice| {
                if notice.ended.is_none() {
                    open.push(notice.clone());
                }
            });
            groups(open)
        })
    };
    let loud = {
        let all = all.clone();
        Memo::new(move |_| {
            let mut loud = 0;
            all.visit(|_, notice| loud += u32::from(notice.is_loud()));
            loud
        })
    };
    let of_notices = FeedFilter {
        kinds: vec![FeedKind::Notice],
        ..FeedFilter::default()
    };
    let elsewhere = notices_elsewhere(loud, format!("/feed?{}", of_notices.to_query()));
    let list = NoticeList {
        groups: open,
        last: RwSignal::new(None),
        due: RwSignal::new(false),
    };
    keep_focus(list);
    let expanded = RwSignal::new(false);
    let ids = move || {
        let groups = open.read();
        let most = if expanded.get() { groups.len() } else { FIRST };
        let last = list.last.get();
        // A group that is acknowledged moves down, but not out of sight.
        let keeps = |group: &NoticeGroup| last.as_ref().is_some_and(|last| group.is(last));
        let shown = groups.iter().enumerate();
        let shown = shown.filter(|(at, group)| *at < most || keeps(group));
        shown
            .map(|(_, group)| group.id(group.loud))
            .collect::<Vec<_>>()
    };
    let lines = each(
        ids,
        |id| Key::of(id.clone()),
        move |id| group_line(list, id),
    );
    let rest = live_view(move || {
        let hidden = open.read().len().saturating_sub(FIRST);
        more(hidden, expanded, "button button--small")
    });
    let none = {
        let board = board.clone();
        live_view(move || {
            if open.read().is_empty() {
                view! { <p class="notices__none">{nothing(&board)}</p> }.into_any()
            } else {
                ().into_any()
            }
        })
    };
    let resolved = {
        let ended = Memo::new(move |_| {
            let mut ended: Vec<Notice> = Vec::new();
            all.visit(|_, notice| {
                if notice.ended.is_some() {
                    let at = ended.partition_point(|other| other.ended >= notice.ended);
                    ended.insert(at, notice.clone());
                }
            });
            ended
        });
        live_view(move || match ended.read().as_slice() {
            [] => ().into_any(),
            ended => past(ended),
        })
    };
    view! {
        <section class="pane notices" id=NOTICES tabindex="-1" aria-labelledby="hud-notices">
            <header class="pane__head">
                {heading("hud-notices", texts::notices::NOTICES)}
                {loud_count(list)}
            </header>
            {none}
            <ul class="notices__list">{lines}</ul>
            {rest}
            {elsewhere}
            {resolved}
        </section>
    }
    .into_any()
}

/// Draws the number of loud notices, as the header counts them, and the button for all of them.
fn loud_count(list: NoticeList) -> AnyView {
    let loud = Memo::new(move |_| {
        let groups = list.groups.read();
        let loud = groups.iter().filter(|group| group.loud);
        let ids: Vec<NoticeId> = loud
            .clone()
            .flat_map(|group| group.members.iter().map(|notice| notice.id))
            .collect();
        let newly = loud.map(|group| group.id(false)).next();
        (groups.iter().filter(|group| group.loud).count(), ids, newly)
    });
    live_view(move || {
        let (count, ids, newly) = loud.get();
        if count == 0 {
            return ().into_any();
        }
        let number = ids.len();
        let name = texts::notices::ACKNOWLEDGE_ALL;
        let all = (count > 1).then(|| acknowledge(list, ids, newly.unwrap_or_default(), name, ""));
        view! {
            <span class="pane__count">{number.to_string()}</span>
            {all}
        }
        .into_any()
    })
}

/// A line that moves loses the focus: the line of a group that was acknowledged here gets it.
fn keep_focus(list: NoticeList) {
    let there = Memo::new(move |_| {
        let last = list.last.get()?;
        let groups = list.groups.read();
        groups.iter().any(|it| it.is(&last)).then_some(last.id)
    });
    effect(move || {
        if let Some(id) = there.get()
            && list.due.get_untracked()
        {
            list.due.set(false);
            request_animation_frame(move || {
                if browser::nothing_has_focus() {
                    browser::show(id);
                }
            });
        }
    });
}

/// Returns the reason why there are none.
fn nothing(board: &HudBoard) -> &'static str {
    let silent = board
        .reading("overview")
        .is_some_and(|reading| reading.trouble.is_some());
    match board.cluster() {
        Some(cluster) if !cluster.guarded => texts::notices::ARE_OFF,
        Some(_) if silent => texts::notices::ARE_UNKNOWN,
        Some(_) => texts::notices::NONE_OPEN,
        None => texts::NO_DATA_YET,
    }
}

fn group_line(list: NoticeList, id: String) -> AnyView {
    let group = {
        let id = id.clone();
        Memo::new(move |_| {
            let groups = list.groups.read();
            groups.iter().find(|it| it.id(it.loud) == id).cloned()
        })
    };
    let open = RwSignal::new(false);
    let line = live_view(move || match group.get() {
        Some(group) => draw(list, &group, open),
        None => ().into_any(),
    });
    // By key: a button that is pressed twice must not become the one of the next notice.
    let members = move || {
        let group = group.read();
        let several = group
            .as_ref()
            .filter(|it| open.get() && it.members.len() > 1);
        let members = several.into_iter().flat_map(|it| &it.members);
        members.map(|notice| notice.id).collect::<Vec<_>>()
    };
    let members = each(
        members,
        |id| Key::of(id.to_string()),
        move |id| member_line(list, group, id),
    );
    view! {
        <li id=id tabindex="-1">
            {line}
            <ul class="notice__each">{members}</ul>
        </li>
    }
    .into_any()
}

fn draw(list: NoticeList, group: &NoticeGroup, open: RwSignal<bool>) -> AnyView {
    let class = match (group.loud, group.grave) {
        (true, true) => "notice notice--grave",
        (true, false) => "notice",
        (false, _) => "notice notice--quiet",
    };
    let mark = match group.kind.as_str() {
        _ if !group.loud => Icon::CHECK,
        "task" | "down" | "unreachable" | "quorum" => Icon::BLOCKED,
        _ => Icon::WARNING,
    };
    let weight = group.grave.then_some(texts::notices::GRAVE);
    let title = upright(group.title());
    let single = group.members.len() == 1;
    let names = (!single).then(|| {
        let names = upright(group.names());
        view! { <span class="notice__names" title=names>{names.clone()}</span> }
    });
    let newest = group.members.first();
    let known = group.known().map(|known| {
        let by = texts::notices::acknowledged_by(&exposed(&known.by));
        (by, ago(Some(known.at)))
    });
    let lasts = if single {
        texts::notices::FOR
    } else {
        texts::notices::NEWEST_FOR
    };
    let first = newest.filter(|_| group.loud && single);
    let why = match (first.and_then(reference), single) {
        (Some(about), _) => ask_why(about),
        (None, true) => ().into_any(),
        (None, false) => show(open, &title),
    };
    let act = group.loud.then(|| {
        let ids = group.members.iter().map(|notice| notice.id).collect();
        let name = texts::notices::ACKNOWLEDGE;
        acknowledge(list, ids, group.id(false), name, &title)
    });
    view! {
        <div class=class>
            {icon(mark)}
            <p class="notice__text" title=title>
                <span class="visually-hidden">{weight}</span>
                {title.clone()}
            </p>
            <p class="notice__facts">{names} <span>{lasts} {lasting(group.since())} {known}</span></p>
            <div class="notice__do">{why} {act}</div>
        </div>
    }
    .into_any()
}

/// Draws a notice of a group by itself.
fn member_line(list: NoticeList, group: Memo<Option<NoticeGroup>>, id: NoticeId) -> AnyView {
    let line = live_view(move || {
        let group = group.read();
        let Some(group) = group.as_ref() else {
            return ().into_any();
        };
        let Some(notice) = group.members.iter().find(|notice| notice.id == id) else {
            return ().into_any();
        };
        let text = upright(notice.text.clone());
        let act = group.loud.then(|| {
            let name = texts::notices::ACKNOWLEDGE;
            acknowledge(list, vec![id], group.id(false), name, &text)
        });
        view! {
            <span>{text}</span>
            <span class="notice__facts">{texts::notices::FOR} {lasting(notice.since)}</span>
            {act}
        }
        .into_any()
    });
    view! { <li class="notice__one">{line}</li> }.into_any()
}

fn past(ended: &[Notice]) -> AnyView {
    let text = texts::notices::resolved(ended.len());
    let lines = ended.iter().map(|notice| {
        let ended = notice.ended.unwrap_or(notice.since);
        let lasted = texts::notices::lasted(&span(between(notice.since, ended) / 1000));
        view! {
            <li class="notice__one">
                <span>{upright(notice.text.clone())}</span>
                <span class="notice__facts">{lasted} {ago(Some(ended))}</span>
            </li>
        }
    });
    view! {
        <details class="notices__past">
            <summary>{text}</summary>
            <ul class="notice__each">{lines.collect::<Vec<_>>()}</ul>
        </details>
    }
    .into_any()
}

fn show(open: RwSignal<bool>, title: &str) -> AnyView {
    let expanded = live(move || if open.get() { "true" } else { "false" });
    let text = live_text(move || {
        let text = if open.get() {
            texts::notices::HIDE
        } else {
            texts::notices::SHOW
        };
        text.to_owned()
    });
    view! {
        <button
            type="button"
            class="button button--small button--quiet"
            aria-expanded=expanded
            on:click=press(move || open.update(|it| *it = !*it))
        >
            {text}
            <span class="visually-hidden">": " {title.to_owned()}</span>
        </button>
    }
    .into_any()
}

/// Draws `17 min`, with the date and time as its title.
fn lasting(since: Timestamp) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let here = Memo::new(move |_| clock.second().is_some());
    let title = live(move || here.get().then(|| browser::exact_time(since)));
    let text = live_text(move || match clock.second() {
        Some(now) => units::age(between(since, now) / 1000),
        None => texts::notices::SOME_TIME.to_owned(),
    });
    view! { <time title=title>{text}</time> }.into_any()
}

/// Draws the button that acknowledges notices. `next` is the line that gets the focus then; `about`
/// names them for readers who cannot see the line.
fn acknowledge(
    list: NoticeList,
    ids: Vec<NoticeId>,
    next: String,
    name: &'static str,
    about: &str,
) -> AnyView {
    let last = ids.last().map(|notice| AcknowledgedGroup {
        id: next,
        notice: *notice,
    });
    let button = AcknowledgeButton {
        ids,
        name,
        asking: texts::notices::ACKNOWLEDGING,
        about: about.to_owned(),
        first: Callback::new(move |()| {
            list.last.set(last.clone());
            // The button disappears once this is done.
            list.due.set(true);
        }),
    };
    button.draw()
}
