//! The page of a task: its status, and its log. While the task runs, the log is read on whenever
//! the board shows progress.

use homelab_wire::{LogPage, TaskPart};
use kit::{effect, format::upright, live_text, live_view, press};
use leptos::prelude::*;

use super::read;
use crate::{
    api,
    domains::homelab::{
        BOARD,
        board::HudBoard,
        figure::age,
        pieces::{heading, hidden_heading},
        tasks, texts,
    },
};

/// The state of a task and its log.
#[derive(Clone, Copy)]
struct TaskLog {
    task: RwSignal<TaskPart>,
    lines: RwSignal<Vec<String>>,
    more: RwSignal<bool>,
    seen: RwSignal<protocol::Timestamp>,
    busy: StoredValue<bool>,
}

pub(super) fn task_log(board: &HudBoard, upid: &str, page: LogPage) -> AnyView {
    let log = TaskLog {
        task: RwSignal::new(page.task),
        lines: RwSignal::new(page.lines),
        more: RwSignal::new(page.more),
        seen: RwSignal::new(page.at),
        busy: StoredValue::new(false),
    };
    follow(board, upid, log);
    let head = live_view(move || {
        let line = tasks::line(&log.task.read());
        view! { <ul class="tasks tasks--wide">{line}</ul> }.into_any()
    });
    let text = live_text(move || {
        let lines = log.lines.read();
        if lines.is_empty() {
            texts::things::LOG_IS_EMPTY.to_owned()
        } else {
            upright(lines.join("\n"))
        }
    });
    let upid = upid.to_owned();
    let more = {
        let upid = upid.clone();
        live_view(move || {
            let upid = upid.clone();
            log.more
                .get()
                .then(|| {
                    view! {
                        <button type="button" class="button" on:click=press(move || load(log, &upid))>
                            {texts::things::SHOW_MORE}
                        </button>
                    }
                })
                .into_any()
        })
    };
    let seen = live_view(move || age(Some(log.seen.get())));
    view! {
        <section class="hud__section thing__head" aria-labelledby="thing-now">
            {hidden_heading("thing-now", texts::TASK)}
            {head}
            <p class="thing__upid">
                <code>{upright(upid)}</code>
            </p>
        </section>
        <section class="hud__section" aria-labelledby="thing-log">
            {heading("thing-log", texts::things::LOG)}
            <pre class="log" tabindex="0" role="group" aria-label=texts::things::LOG_OF_TASK>
                {text}
            </pre>
            {more}
            <p class="node-card__source">{texts::things::READ} {seen}</p>
        </section>
    }
    .into_any()
}

/// Reads more of the log when the board shows that the task has progressed.
fn follow(board: &HudBoard, upid: &str, log: TaskLog) {
    let (board, upid) = (board.clone(), upid.to_owned());
    effect(move || {
        let part = board.tasks().get(&upid).map(|part| part.get());
        let known = log.task.get_untracked();
        if known.end.is_some() || part.as_ref() == Some(&known) {
            return;
        }
        if let Some(part) = part {
            log.task.set(part);
        }
        load(log, &upid);
    });
}

/// Requests the lines after those on view.
fn load(log: TaskLog, upid: &str) {
    if log.busy.get_value() {
        return;
    }
    log.busy.set_value(true);
    let from = log.lines.read_untracked().len();
    let asked = api::page(
        BOARD.to_owned(),
        "task".to_owned(),
        upid.to_owned(),
        format!("log/{from}"),
    );
    leptos::task::spawn_local(async move {
        let answer = asked
            .await
            .map_err(|error| error.0)
            .and_then(read::<LogPage>);
        log.busy.try_set_value(false);
        // After a failure, the next update requests it again; the age shows that it is old.
        if let Ok(page) = answer {
            log.lines.try_update(|lines| {
                if page.from == lines.len() as u64 {
                    lines.extend(page.lines);
                }
            });
            log.more.try_set(page.more);
            log.seen.try_set(page.at);
            log.task.try_update(|task| {
                // Keeps the progress that the board reported.
                let (percent, line) = (task.percent, task.line.take());
                *task = page.task;
                if task.end.is_none() && task.state.value().is_some_and(|it| it == "running") {
                    (task.percent, task.line) = (percent, line);
                }
            });
        }
    });
}
