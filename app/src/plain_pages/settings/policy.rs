//! The page of the policy, for admins: the rules, a preview of other rules, and the history of
//! changes.

mod form;
mod preview;

pub use form::{
    FilePeople, GrantLimits, ListedTarget, PolicyForm, ProtectedTargets, TIERS, TargetField,
    ToolRule, TwoPeople,
};
pub use preview::{ChangedCall, ChangedCount, PolicyPreview, UnknownCount};

use leptos::prelude::*;

use super::{SettingsPage, Tab, history::SettingsHistory};
use crate::plain_pages::texts;

const PATH: &str = "/settings/policy";

pub struct PolicyPage {
    /// True if calls take two persons and only one may decide.
    pub is_lonely: bool,
    /// The decisions of proposed rules on recorded calls.
    pub preview: Option<PolicyPreview>,
    /// The proposed rules, else those in effect.
    pub form: PolicyForm,
    pub history: SettingsHistory,
}

impl SettingsPage for PolicyPage {
    const TAB: Tab = Tab::Policy;
    const SAVED: &'static str = texts::policy::SAVED;

    fn view(self) -> AnyView {
        let proposed = self.preview.is_some();
        let lonely = self.is_lonely.then(|| {
            view! {
                <p class="plain-problem">{texts::policy::LONELY}</p>
            }
        });
        view! {
            <section>
                <h2>{texts::policy::RULES}</h2>
                <p>{texts::policy::LEAD}</p>
                {lonely}
            </section>
            {self.preview.map(|preview| preview.view(self.history.newest))}
            {self.form.view(proposed)}
            {changes(&self.history)}
        }
        .into_any()
    }
}

fn changes(history: &SettingsHistory) -> AnyView {
    let Some(oldest) = history.versions.last() else {
        return view! {
            <section>
                <h2>{texts::policy::CHANGES}</h2>
                <p>{texts::policy::NEVER_CHANGED}</p>
            </section>
        }
        .into_any();
    };
    // The first version changed the state without any version.
    history.section(back, oldest.number == 1)
}

fn back(version: u64) -> AnyView {
    view! {
        <form method="post" action=PATH>
            <input type="hidden" name="do" value="back" />
            <input type="hidden" name="version" value=version.to_string() />
            <button type="submit" class="button button--small">
                {texts::policy::PREVIEW_RESTORING}
            </button>
        </form>
    }
    .into_any()
}

/// Draws a table that scrolls sideways where it has no room, with groups of rows.
fn table<const N: usize>(
    label: &'static str,
    headings: [&'static str; N],
    groups: impl IntoIterator<Item = Vec<AnyView>>,
) -> AnyView {
    let groups = groups
        .into_iter()
        .map(|rows| view! { <tbody>{rows}</tbody> });
    let headings = headings.map(|heading| view! { <th scope="col">{heading}</th> });
    view! {
        <div class="plain-scroll" role="region" aria-label=label tabindex="0">
            <table class="plain-table">
                <thead>
                    <tr>{Vec::from(headings)}</tr>
                </thead>
                {groups.collect::<Vec<_>>()}
            </table>
        </div>
    }
    .into_any()
}
