//! Tasks of the cluster: running and recent ones.

use std::cmp::Reverse;

use homelab_wire::TaskPart;
use leptos::prelude::*;
use protocol::Reference;

use super::{
    ask::ask,
    board::HudBoard,
    figure::{age, meter},
    link::{link, subject},
};
use crate::{
    channel::Channel,
    domains::homelab::Thing,
    format::{between, span, upright},
    ui::{Key, each, live_text, live_view},
};

pub(super) fn tasks(board: &HudBoard) -> AnyView {
    let all = board.tasks();
    let order = {
        let all = all.clone();
        move || {
            let mut tasks = all.all();
            tasks.sort_by_key(|(_, task)| {
                (task.end.is_some(), Reverse(task.end), Reverse(task.start))
            });
            tasks.into_iter().map(|(name, _)| name).collect()
        }
    };
    let lines = each(
        order,
        |name: &String| Key::Name(name.clone()),
        move |name| {
            let task = all.get(&name);
            live_view(move || match task.as_ref().map(|task| task.get()) {
                Some(task) => line(&task),
                None => ().into_any(),
            })
        },
    );
    view! { <ul class="tasks">{lines}</ul> }.into_any()
}

pub(super) fn line(task: &TaskPart) -> AnyView {
    let (class, word) = match task.state.value().map(String::as_str) {
        Some("running") => ("state state--busy", "running"),
        Some("ok") => ("state state--good", "done"),
        Some("warnings") => ("state state--odd", "done, with warnings"),
        Some("failed") => ("state state--bad", "failed"),
        Some(_) | None => ("state state--unknown", "outcome unknown"),
    };
    let about = task
        .about
        .clone()
        .map(|about| view! { <span>" " {subject(&about)}</span> });
    let percent = task.percent.map(|percent| format!("{percent} %"));
    let more = [&task.error, &task.line].into_iter().flatten().next();
    let reason = task.state.reason().map(str::to_owned);
    let time = match task.end {
        Some(end) => {
            let took = format!("took {}, ended ", span(between(task.start, end) / 1000));
            (took, age(Some(end))).into_any()
        }
        None => running_for(task),
    };
    view! {
        <li class="task">
            <div class="task__head">
                <h3>{link(&Thing::Task(task.upid.clone()), task.kind.clone())} {about}</h3>
                <span class=class>{word}</span>
                <span class="task__percent">{percent}</span>
                {ask(Reference::new("task", task.upid.clone()))}
            </div>
            {meter(task.percent.map(f64::from), 101.0)}
            {more.cloned().or(reason).map(|text| view! { <p class="task__line">{upright(text)}</p> })}
            <p class="task__where">
                {link(&Thing::Node(task.node.clone()), task.node.clone())} " · " {time}
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
        Some(now) => format!("for {}", span(between(start, now) / 1000)),
        None => "running".to_owned(),
    })
}
