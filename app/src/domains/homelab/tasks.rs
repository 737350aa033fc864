//! Tasks of the cluster: running and recent ones.

use std::cmp::Reverse;

use homelab_wire::{GuestPart, TaskPart};
use kit::{
    BoardParts, Key, each,
    format::{between, span, upright},
    live_text, live_view,
};
use leptos::prelude::*;
use protocol::{Reference, Timestamp};

use super::{
    board::HudBoard,
    figure::{Level, age, bar},
    link::{link, subject},
    pieces::{hidden, more, nothing},
    texts,
};
use crate::{channel::Channel, dock::ask, domains::homelab::ClusterObject, panel_pieces::ago};

/// Running tasks first, then those that failed, then the newest.
type TaskOrder = (bool, bool, Reverse<Option<Timestamp>>, Reverse<Timestamp>);

/// The most tasks shown before a person expands the list.
const FIRST: usize = 5;

pub(super) fn tasks(board: &HudBoard) -> AnyView {
    let all = board.tasks();
    let guests = board.guests();
    let expanded = RwSignal::new(false);
    let order = {
        let all = all.clone();
        Memo::new(move |_| {
            let mut tasks: Vec<(TaskOrder, String)> = Vec::new();
            all.visit(|name, task| {
                let failed = task.state.value().is_some_and(|state| state == "failed");
                let order = (
                    task.end.is_some(),
                    !failed,
                    Reverse(task.end),
                    Reverse(task.start),
                );
                let at = tasks.partition_point(|(other, _)| *other <= order);
                tasks.insert(at, (order, name.to_owned()));
            });
            tasks.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
        })
    };
    let shown = move || {
        let mut names = order.get();
        if !expanded.get() {
            names.truncate(FIRST);
        }
        names
    };
    let rest = live_view(move || match order.read().len() {
        0 => nothing(texts::tasks::NO_RECENT_TASKS),
        count => more(count.saturating_sub(FIRST), expanded, "more-line"),
    });
    let lines = each(
        shown,
        |name: &String| Key::of(name.clone()),
        move |name| {
            let task = all.get(&name);
            let guests = guests.clone();
            live_view(move || match task.as_ref().map(|task| task.get()) {
                Some(task) => dense_line(&guests, &task),
                None => ().into_any(),
            })
        },
    );
    view! {
        <ul class="jobs">{lines}</ul>
        {rest}
    }
    .into_any()
}

/// Draws a task in one line; a running one with its progress.
fn dense_line(guests: &BoardParts<GuestPart>, task: &TaskPart) -> AnyView {
    let (class, word) = outcome(task);
    let about = task.about.as_deref().map(|about| {
        let name = guests
            .get(about)
            .and_then(|guest| guest.read().name.clone());
        upright(name.unwrap_or_else(|| about.to_owned()))
    });
    let title = match (texts::tasks::deed(&task.kind), about) {
        (Some(deed), Some(about)) => format!("{deed} {about}"),
        (Some(deed), None) => texts::tasks::on_node(deed, &upright(task.node.clone())),
        (None, Some(about)) => format!("{} {about}", upright(task.kind.clone())),
        (None, None) => upright(task.kind.clone()),
    };
    let exact = [Some(task.kind.as_str()), task.about.as_deref(), Some(word)];
    let exact: Vec<&str> = exact.into_iter().flatten().collect();
    let time = match task.end {
        Some(end) => ago(Some(end)),
        None => running_for(task),
    };
    let percent = task.percent.map(|percent| format!("{percent} %"));
    let failed = task.error.clone().filter(|_| task.end.is_some());
    let runs = task.end.is_none();
    view! {
        <li class="task job">
            <span class=class title=upright(exact.join(" · "))>
                {hidden(word)}
            </span>
            <h3 title=title>{link(&ClusterObject::Task(task.upid.clone()), title.clone())}</h3>
            <span class="job__time">{time}</span>
            {runs.then(|| bar(task.percent.map(f64::from), Level::Normal))}
            <span class="job__more">
                {runs.then(|| (link(&ClusterObject::Node(task.node.clone()), task.node.clone()), " ", percent))}
                {failed.map(upright)}
            </span>
        </li>
    }
    .into_any()
}

/// Returns the class and the word for the state of a task.
fn outcome(task: &TaskPart) -> (&'static str, &'static str) {
    match task.state.value().map(String::as_str) {
        Some("running") => ("state state--busy", texts::tasks::RUNNING),
        Some("ok") => ("state state--good", texts::tasks::DONE),
        Some("warnings") => ("state state--odd", texts::tasks::DONE_WITH_WARNINGS),
        Some("failed") => ("state state--bad", texts::tasks::FAILED),
        Some(_) | None => ("state state--unknown", texts::tasks::OUTCOME_UNKNOWN),
    }
}

pub(super) fn line(task: &TaskPart) -> AnyView {
    let (class, word) = outcome(task);
    let about = task
        .about
        .clone()
        .map(|about| view! { <span>" " {subject(&about)}</span> });
    let title = match texts::tasks::deed(&task.kind) {
        Some(deed) if about.is_some() => deed.to_owned(),
        Some(deed) => texts::tasks::on_node(deed, &upright(task.node.clone())),
        None => upright(task.kind.clone()),
    };
    let percent = task.percent.map(|percent| format!("{percent} %"));
    let more = [&task.error, &task.line].into_iter().flatten().next();
    let reason = task.state.reason().map(str::to_owned);
    let time = match task.end {
        Some(end) => {
            let took = texts::tasks::took(&span(between(task.start, end) / 1000));
            (took, age(Some(end))).into_any()
        }
        None => running_for(task),
    };
    view! {
        <li class="task">
            <div class="task__head">
                <h3 title=upright(task.kind.clone())>
                    {link(&ClusterObject::Task(task.upid.clone()), title)} {about}
                </h3>
                <span class=class>{word}</span>
                <span class="task__percent">{percent}</span>
                {ask(Reference::new("task", task.upid.clone()))}
            </div>
            {bar(task.percent.map(f64::from), Level::Normal)}
            {more.cloned().or(reason).map(|text| view! { <p class="task__line">{upright(text)}</p> })}
            <p class="task__where">
                {link(&ClusterObject::Node(task.node.clone()), task.node.clone())} " · " {time}
                {task.user.clone().map(|user| format!(" · {}", upright(user)))}
            </p>
        </li>
    }
    .into_any()
}

fn running_for(task: &TaskPart) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let start = task.start;
    live_text(move || match clock.second() {
        Some(now) => texts::tasks::for_now(&span(between(start, now) / 1000)),
        None => texts::tasks::RUNNING.to_owned(),
    })
}
