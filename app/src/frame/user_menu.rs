//! The menu of the signed-in user, with the server's version.

use kit::{Icon, format, icon, press};
use leptos::prelude::*;

use super::{data::frame_part, theme_switch::ThemeSwitch};
use crate::{
    api::{ApiError, FrameData},
    keys::Keys,
    texts::frame as texts,
};

#[component]
pub(super) fn UserMenu() -> impl IntoView {
    let keys = expect_context::<Keys>();
    view! {
        <button type="button" class="icon-button" popovertarget="user-menu" title=texts::ACCOUNT_AND_SERVER>
            {icon(Icon::USER)}
            <span class="visually-hidden">{texts::ACCOUNT_AND_SERVER}</span>
        </button>
        <div class="user-menu" id="user-menu" popover="auto">
            {frame_part(details)}
            <div class="user-menu__do">
                <a class="button button--small" href="/settings">{texts::SETTINGS}</a>
                <ThemeSwitch />
                <button type="button" class="button button--small" on:click=press(move || keys.show())>
                    {texts::KEYBOARD_SHORTCUTS}
                </button>
                <form method="post" action="/sign-out">
                    <button type="submit" class="button button--small">
                        {texts::SIGN_OUT}
                    </button>
                </form>
            </div>
        </div>
    }
    .into_any()
}

fn details(data: &Result<FrameData, ApiError>) -> AnyView {
    let status = match data {
        Ok(data) => data.status.clone(),
        Err(error) => return view! { <p>{error.0.message.clone()}</p> }.into_any(),
    };
    let window = status
        .model
        .context_window
        .map(|tokens| texts::tokens(&format::count(tokens)));
    let names: Vec<_> = status
        .systems
        .into_iter()
        .map(|system| {
            if system.simulated {
                texts::simulated(&system.name)
            } else {
                system.name
            }
        })
        .collect();
    let systems = (!names.is_empty()).then(|| entry(texts::SYSTEMS, names.join(", ")));
    view! {
        <p class="user-menu__name">{status.user}</p>
        <dl class="facts">
            {entry(texts::MODEL, status.model.name)} {entry(texts::IDENTIFIER, status.model.id)}
            {window.map(|window| entry(texts::CONTEXT_WINDOW, window))} {systems}
            {entry(texts::VERSION, status.version)}
        </dl>
    }
    .into_any()
}

fn entry(name: &'static str, value: String) -> AnyView {
    view! {
        <div class="facts__entry">
            <dt>{name}</dt>
            <dd>{value}</dd>
        </div>
    }
    .into_any()
}
