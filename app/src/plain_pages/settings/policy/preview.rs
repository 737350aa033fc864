//! The preview of rules: their decisions on recorded calls, and the button that puts them in force.

use leptos::prelude::*;
use protocol::Timestamp;

use super::{PATH, table};
use crate::plain_pages::{moment, texts};

/// The most differences on the page.
const ROWS: usize = 100;

/// Decisions of proposed rules on recorded calls.
pub struct PolicyPreview {
    /// The rules as JSON, which the form sends back.
    pub proposal: String,
    /// Number of calls that were tried.
    pub calls: usize,
    /// Number of calls that would be decided the same.
    pub same: usize,
    /// True if the time limit was reached.
    pub cut: bool,
    pub changed: Vec<ChangedCount>,
    pub unknown: Vec<UnknownCount>,
    /// Calls decided differently, newest first.
    pub differences: Vec<ChangedCall>,
}

/// Number of calls with the same two decisions.
pub struct ChangedCount {
    pub was: &'static str,
    pub would: &'static str,
    pub count: usize,
}

/// Number of calls whose decision cannot be known for one reason.
pub struct UnknownCount {
    pub why: &'static str,
    pub count: usize,
}

/// A call that would be decided differently.
pub struct ChangedCall {
    pub at: Timestamp,
    pub tool: String,
    pub target: Option<String>,
    pub was: &'static str,
    pub would: &'static str,
}

impl PolicyPreview {
    pub(super) fn view(self, version: u64) -> AnyView {
        view! {
            <section aria-labelledby="preview" class="plain-preview">
                <h2 id="preview">{texts::policy::preview::HEADING}</h2>
                <p>{self.summary()}</p>
                {counts(&self.changed)}
                {unknown(&self.unknown)}
                {differing(self.total(), self.differences)}
                <form method="post" action=PATH class="plain-row">
                    <input type="hidden" name="do" value="save" />
                    <input type="hidden" name="version" value=version.to_string() />
                    <input type="hidden" name="proposal" value=self.proposal />
                    <button type="submit" class="button button--primary">
                        {texts::policy::preview::APPLY}
                    </button>
                    <a class="button" href=PATH>{texts::policy::preview::DISCARD}</a>
                </form>
            </section>
        }
        .into_any()
    }

    /// Returns the number of calls that would be decided differently.
    fn total(&self) -> usize {
        self.changed.iter().map(|changed| changed.count).sum()
    }

    fn summary(&self) -> String {
        if self.calls == 0 {
            return texts::policy::preview::NO_CALLS.to_owned();
        }
        let (calls, same, differ) = (self.calls, self.same, self.total());
        let unknown: usize = self.unknown.iter().map(|unknown| unknown.count).sum();
        let mut summary = texts::policy::preview::of_newest(calls, same, differ, unknown);
        if self.cut {
            summary.push_str(texts::policy::preview::OLDER_NOT_CHECKED);
        }
        summary
    }
}

fn counts(changed: &[ChangedCount]) -> Option<AnyView> {
    if changed.is_empty() {
        return None;
    }
    let rows: Vec<_> = changed
        .iter()
        .map(|ChangedCount { was, would, count }| {
            view! {
                <li>
                    <span>{*was} " → " {*would}</span>
                    <strong>{count.to_string()}</strong>
                </li>
            }
        })
        .collect();
    Some(view! { <ul class="plain-list plain-counts">{rows}</ul> }.into_any())
}

fn unknown(unknown: &[UnknownCount]) -> Option<AnyView> {
    if unknown.is_empty() {
        return None;
    }
    let rows: Vec<_> = unknown
        .iter()
        .map(|UnknownCount { why, count }| {
            view! {
                <li>
                    <span>{texts::policy::preview::unknown(why)}</span>
                    <strong>{count.to_string()}</strong>
                </li>
            }
        })
        .collect();
    Some(view! { <ul class="plain-list plain-counts">{rows}</ul> }.into_any())
}

/// Draws the newest differences; `total` is the number of all.
fn differing(total: usize, differences: Vec<ChangedCall>) -> Option<AnyView> {
    if differences.is_empty() {
        return None;
    }
    let rows: Vec<_> = differences.into_iter().take(ROWS).map(row).collect();
    let more = (total > rows.len())
        .then(|| texts::policy::preview::newest_of(rows.len(), total))
        .map(|text| view! { <p>{text}</p> });
    Some(
        view! {
            {table(texts::policy::preview::DECIDED_DIFFERENTLY, texts::policy::preview::COLUMNS, [rows])}
            {more}
        }
        .into_any(),
    )
}

fn row(call: ChangedCall) -> AnyView {
    let target = call.target;
    let target = target.unwrap_or_else(|| texts::policy::preview::TARGET_NOT_RECORDED.to_owned());
    view! {
        <tr>
            <td class="plain-time">{moment(call.at)}</td>
            <td><code>{call.tool}</code></td>
            <td>{target}</td>
            <td>{call.was}</td>
            <td>{call.would}</td>
        </tr>
    }
    .into_any()
}
