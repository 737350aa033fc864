//! The preview of rules: their decisions on recorded calls, and the button that puts them in force.

use agent::{Difference, Replay};
use leptos::prelude::*;

use super::{PATH, Proposal, moment};

/// The most differences on the page.
const ROWS: usize = 100;

pub(super) fn view(proposal: &Proposal, version: u64) -> AnyView {
    let Proposal { stored, replay } = proposal;
    // Rules that were read from a form can be serialised.
    let text = serde_json::to_string(stored).unwrap_or_default();
    view! {
        <section aria-labelledby="preview" class="plain-preview">
            <h2 id="preview">"Preview on past calls"</h2>
            <p>{summary(replay)}</p>
            {counts(replay)}
            {unknown(replay)}
            {table(replay)}
            <form method="post" action=PATH class="plain-row">
                <input type="hidden" name="do" value="save" />
                <input type="hidden" name="version" value=version.to_string() />
                <input type="hidden" name="proposal" value=text />
                <button type="submit" class="button button--primary">
                    "Apply"
                </button>
                <a class="button" href=PATH>"Discard"</a>
            </form>
        </section>
    }
    .into_any()
}

fn summary(replay: &Replay) -> String {
    let differ: usize = replay.changed.values().sum();
    let unknown: usize = replay.unknown.values().sum();
    if replay.calls == 0 {
        return "No calls recorded yet, so there is nothing to compare.".to_owned();
    }
    let cut = if replay.cut {
        " Older calls were not checked: the time limit was reached."
    } else {
        ""
    };
    format!(
        "Of the newest {} recorded calls, {} would be decided the same, {differ} differently, and \
        {unknown} are unknown.{cut}",
        replay.calls, replay.same
    )
}

fn counts(replay: &Replay) -> Option<AnyView> {
    if replay.changed.is_empty() {
        return None;
    }
    let rows: Vec<_> = replay
        .changed
        .iter()
        .map(|((was, would), count)| {
            view! {
                <li>
                    <span>{was.words()} " → " {would.words()}</span>
                    <strong>{count.to_string()}</strong>
                </li>
            }
        })
        .collect();
    Some(view! { <ul class="plain-list plain-counts">{rows}</ul> }.into_any())
}

fn unknown(replay: &Replay) -> Option<AnyView> {
    if replay.unknown.is_empty() {
        return None;
    }
    let rows: Vec<_> = replay
        .unknown
        .iter()
        .map(|(why, count)| view! { <li><span>"Unknown: " {*why}</span> <strong>{count.to_string()}</strong></li> })
        .collect();
    Some(view! { <ul class="plain-list plain-counts">{rows}</ul> }.into_any())
}

fn table(replay: &Replay) -> Option<AnyView> {
    if replay.differences.is_empty() {
        return None;
    }
    let total: usize = replay.changed.values().sum();
    let rows: Vec<_> = replay.differences.iter().take(ROWS).map(row).collect();
    let more = (total > rows.len())
        .then(|| format!("Showing the newest {} of {total}.", rows.len()))
        .map(|text| view! { <p>{text}</p> });
    Some(
        view! {
            <div class="plain-scroll" role="region" aria-label="Calls decided differently" tabindex="0">
                <table class="plain-table">
                    <thead>
                        <tr>
                            <th scope="col">"Time"</th>
                            <th scope="col">"Tool"</th>
                            <th scope="col">"Target"</th>
                            <th scope="col">"Decision"</th>
                            <th scope="col">"New decision"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {more}
        }
        .into_any(),
    )
}

fn row(difference: &Difference) -> AnyView {
    let target = match &difference.target {
        Some(target) => target.clone(),
        None => "unknown: not recorded".to_owned(),
    };
    view! {
        <tr>
            <td class="plain-time">{moment(difference.at)}</td>
            <td><code>{difference.tool.clone()}</code></td>
            <td>{target}</td>
            <td>{difference.was.words()}</td>
            <td>{difference.would.words()}</td>
        </tr>
    }
    .into_any()
}
