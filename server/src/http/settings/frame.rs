//! The frame around the settings: the pages of Jarvis, the kill switch, and the list of settings.

use leptos::prelude::*;
use protocol::{KillSwitch, Role, Status};

use super::{Tab, Visit};

/// Draws a page of the settings in its frame.
pub(super) fn framed(visit: &Visit, tab: Tab, content: AnyView) -> AnyView {
    let user = &visit.signed_in.user;
    let who = format!("{}, {}", user.name, user.role.word());
    view! {
        <header class="plain-head">
            <a href="/" class="plain-head__name">"Jarvis"</a>
            <nav class="plain-tabs" aria-label="Dashboard">{tabs(visit.status.as_ref())}</nav>
            <span class="plain-head__who">{who}</span>
            {visit.status.as_ref().map(|status| stop_all(&status.kill_switch, user.role))}
        </header>
        <div class="plain-frame">
            <nav class="plain-nav" aria-label="Settings">
                {group("You", &Tab::YOURS, tab)}
                {(user.role >= Role::Admin).then(|| group("Installation", &Tab::OF_ADMINS, tab))}
            </nav>
            {content}
        </div>
    }
    .into_any()
}

/// Draws the links to the pages of the systems that there are.
fn tabs(status: Option<&Status>) -> Vec<AnyView> {
    let systems = status.iter().flat_map(|status| &status.systems);
    let panels = systems.filter_map(|system| app::tab(&system.toolset));
    let all = [("Chat", "/")].into_iter().chain(panels);
    let all = all.chain([("Feed", "/feed")]);
    all.map(|(name, path)| view! { <a href=path>{name}</a> }.into_any())
        .collect()
}

fn group(name: &'static str, tabs: &[Tab], here: Tab) -> AnyView {
    let links: Vec<_> = tabs
        .iter()
        .map(|tab| {
            let (path, name) = tab.name();
            let current = (*tab == here).then_some("page");
            view! { <li><a href=path aria-current=current>{name}</a></li> }.into_any()
        })
        .collect();
    view! {
        <h2>{name}</h2>
        <ul>{links}</ul>
    }
    .into_any()
}

/// Draws the kill switch as a form: these pages have no script.
fn stop_all(state: &KillSwitch, role: Role) -> AnyView {
    let (name, text, to, action) = if state.on {
        (
            "Stopped",
            "The kill switch is on: only reading runs.",
            "off",
            "Lift the kill switch",
        )
    } else {
        (
            "Stop all",
            "Only reading will run, in every conversation and for everyone, until someone lifts this.",
            "on",
            "Turn the kill switch on",
        )
    };
    let least = if state.on {
        Role::Admin
    } else {
        Role::Operator
    };
    let form = if role >= least {
        view! {
            <form method="post" action="/settings/kill-switch">
                <input type="hidden" name="to" value=to />
                <button type="submit" class="button button--danger">{action}</button>
            </form>
        }
        .into_any()
    } else {
        view! { <p>"Your role can't switch it."</p> }.into_any()
    };
    view! {
        <details class="plain-stop" class:plain-stop--on=state.on>
            <summary>{name}</summary>
            <div>
                <p>{text}</p>
                {form}
            </div>
        </details>
    }
    .into_any()
}
