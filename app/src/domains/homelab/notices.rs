//! Notices: the gravest first; acknowledged ones are quiet.

use std::cmp::Reverse;

use leptos::prelude::*;
use protocol::{Command, Notice, NoticeId, Timestamp};

use super::{board::HudBoard, figure::age};
use crate::{
    board::BoardParts,
    browser,
    channel::Channel,
    format::{between, exposed, span, upright},
    ui::{Key, each, effect, live, live_text, live_view, press},
};

/// The most notices shown before a person expands the list.
const FIRST: usize = 6;

/// The name of the notice that was last acknowledged here.
#[derive(Clone, Copy)]
struct LastNotice(RwSignal<Option<String>>);

pub(super) fn notices(board: &HudBoard) -> AnyView {
    let all = board.notices();
    let whole = RwSignal::new(false);
    let open = {
        let all = all.clone();
        Memo::new(move |_| names(&all, false))
    };
    let ended = {
        let all = all.clone();
        Memo::new(move |_| names(&all, true))
    };
    // A notice that was just acknowledged moves down, but not out of sight.
    let last = RwSignal::new(None::<String>);
    provide_context(LastNotice(last));
    let shown = Memo::new(move |_| {
        let mut names = open.get();
        if !whole.get() {
            let mut place = 0..;
            let last = last.get();
            names.retain(|name| place.next() < Some(FIRST) || last.as_ref() == Some(name));
        }
        names
    });
    let told = {
        let all = all.clone();
        Memo::new(move |_| {
            let notice = last.get().and_then(|name| all.get(&name))?;
            notice.read().acknowledged.is_some().then(|| last.get())?
        })
    };
    effect(move || {
        if let Some(name) = told.get() {
            // A line that moves loses the focus.
            request_animation_frame(move || {
                if browser::nothing_has_focus() {
                    browser::show(format!("notice-{name}"));
                }
            });
        }
    });
    let more = live_view(move || match open.read().len() {
        0..=FIRST => ().into_any(),
        all => {
            let text = match all.saturating_sub(shown.read().len()) {
                0 if whole.get() => "Show fewer".to_owned(),
                0 => return ().into_any(),
                over => format!("Show {over} more"),
            };
            let turn = press(move || whole.update(|whole| *whole = !*whole));
            view! { <button type="button" class="button button--small" on:click=turn>{text}</button> }
                .into_any()
        }
    });
    let past = {
        let all = all.clone();
        live_view(move || match ended.read().len() {
            0 => ().into_any(),
            count => {
                let lines = list(&all, move || ended.get());
                let text = match count {
                    1 => "1 resolved in the last day".to_owned(),
                    count => format!("{count} resolved in the last day"),
                };
                view! { <details class="notices__past"><summary>{text}</summary>{lines}</details> }
                    .into_any()
            }
        })
    };
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
    view! {
        <section class="notices" aria-labelledby="hud-notices">
            <h2 class="visually-hidden" id="hud-notices">"Notices"</h2>
            {none}
            {list(&all, move || shown.get())}
            {more}
            {past}
        </section>
    }
    .into_any()
}

/// Returns the reason why there are none.
fn nothing(board: &HudBoard) -> &'static str {
    let silent = board
        .reading("overview")
        .is_some_and(|reading| reading.trouble.is_some());
    match board.cluster() {
        Some(cluster) if !cluster.guarded => "Notices are off in the server’s configuration.",
        Some(_) if silent => "Notices unknown: the cluster does not answer.",
        Some(_) => "No open notices.",
        None => "No data yet.",
    }
}

/// Returns the names of notices that are resolved, or that are not: unacknowledged and grave ones
/// first, then the newest.
fn names(all: &BoardParts<Notice>, ended: bool) -> Vec<String> {
    let mut notices = all.all();
    notices.retain(|(_, notice)| notice.ended.is_some() == ended);
    notices.sort_by_key(|(_, notice)| {
        (
            notice.acknowledged.is_some() && !ended,
            !notice.grave && !ended,
            Reverse(notice.ended.unwrap_or(notice.since)),
        )
    });
    notices.into_iter().map(|(name, _)| name).collect()
}

fn list(
    all: &BoardParts<Notice>,
    names: impl Fn() -> Vec<String> + Send + Sync + 'static,
) -> AnyView {
    let all = all.clone();
    let lines = each(
        names,
        |name| Key::Name(name.clone()),
        move |name| {
            let id = format!("notice-{name}");
            let notice = all.get(&name);
            let line = live_view(move || match notice.as_ref().map(|notice| notice.get()) {
                Some(notice) => line(&notice),
                None => ().into_any(),
            });
            view! { <li id=id tabindex="-1">{line}</li> }.into_any()
        },
    );
    view! { <ul class="notices__list">{lines}</ul> }.into_any()
}

fn line(notice: &Notice) -> AnyView {
    let class = match (notice.is_loud(), notice.grave) {
        (true, true) => "notice notice--grave",
        (true, false) => "notice",
        (false, _) => "notice notice--quiet",
    };
    let weight = notice.grave.then_some("Grave: ");
    let lasting = match notice.ended {
        Some(ended) => (
            format!(
                "lasted {}, resolved ",
                span(between(notice.since, ended) / 1000)
            ),
            when(ended),
        )
            .into_any(),
        None => (String::from("since "), when(notice.since)).into_any(),
    };
    let known = notice.acknowledged.as_ref().map(|known| {
        let by = format!(" · acknowledged by {} ", exposed(&known.by));
        (by, when(known.at))
    });
    let button = notice.is_loud().then(|| acknowledge(notice.id));
    view! {
        <div class=class>
            <p class="notice__text">
                <span class="visually-hidden">{weight}</span>
                {upright(notice.text.clone())}
            </p>
            <p class="notice__facts">{lasting} {known}</p>
            {button}
        </div>
    }
    .into_any()
}

/// Draws `5 min ago`, with the date and time as its title.
fn when(at: Timestamp) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let here = Memo::new(move |_| clock.second().is_some());
    let title = live(move || here.get().then(|| browser::local_time(at, true)));
    view! { <time title=title>{age(Some(at))}</time> }.into_any()
}

fn acknowledge(id: NoticeId) -> AnyView {
    let channel = expect_context::<Channel>();
    let asking = Memo::new(move |_| {
        let pending = channel.pending.read();
        let of =
            |command: &Command| matches!(command, Command::Acknowledge { notice } if *notice == id);
        pending.iter().any(|pending| of(&pending.command))
    });
    let barred = channel.bars();
    let LastNotice(last) = expect_context();
    let act = press(move || {
        if barred.is_none() && !asking.get_untracked() {
            last.set(Some(id.to_string()));
            channel.command(Command::Acknowledge { notice: id });
            // The button disappears once this is done.
            browser::show(format!("notice-{id}"));
        }
    });
    view! {
        <button
            type="button"
            class="button button--small notice__button"
            aria-disabled=live(move || (barred.is_some() || asking.get()).then_some("true"))
            title=barred
            on:click=act
        >
            {live_text(move || if asking.get() { "Acknowledging…".to_owned() } else { "Acknowledge".to_owned() })}
        </button>
    }
    .into_any()
}
