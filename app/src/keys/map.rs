//! The list of all shortcuts, in which a person can change their keys.

use kit::{Icon, browser, effect, icon, live, live_text, on, press};
use leptos::{ev, html, mount::mount_to_body, prelude::*, wasm_split::wasm_split};
use protocol::Questions;
use wasm_bindgen::JsCast;

use super::{
    KEPT, KeyAct, Keys,
    bindings::{BindingRefused, Bindings},
    chord::{of_event, shown},
};
use crate::{api::ApiError, panel};

const ID: &str = "keys";

/// Keys that cannot be changed.
const FIXED: [(&str, &str); 9] = [
    ("Enter", "Send the message"),
    ("Shift+Enter", "Start a new line"),
    ("↑ ↓", "Recall earlier messages, in an empty field"),
    (
        "/",
        "Commands and saved prompts: /new, /plan, /stop, /search words, /export, /help",
    ),
    ("@", "Mention something by its name"),
    ("Esc", "Close the open menu or panel"),
    (
        "Enter or Space",
        "Press the focused button; hold it where it says so",
    ),
    (
        "← →",
        "Resize the chat beside a page, with its edge focused",
    ),
    ("Tab", "Go to the next control"),
];

/// Opens the list over the page. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(keys, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn show_map(keys: Keys) -> Result<(), ApiError> {
    let there = document().get_element_by_id(ID);
    match there.and_then(|there| there.dyn_into::<web_sys::HtmlDialogElement>().ok()) {
        Some(dialog) => open(&dialog),
        // It stays in the page, and follows the bindings.
        None => mount_to_body(move || map(keys)),
    }
    Ok(())
}

fn open(dialog: &web_sys::HtmlDialogElement) {
    if !dialog.open() {
        browser::report(dialog.show_modal());
    }
}

fn name(act: KeyAct) -> &'static str {
    match act {
        KeyAct::Map => "Show these shortcuts",
        KeyAct::Palette => "Search or run a command",
        KeyAct::New => "Start a new conversation",
        KeyAct::Search => "Search conversations",
        KeyAct::Dock => "Open or close the chat beside a page",
        KeyAct::Chat => "Go to the chat",
        KeyAct::Feed => "Go to the feed",
        KeyAct::Panel(tab) => tab.goes,
        KeyAct::Compose => "Write a message",
        KeyAct::Stop => "Stop the turn",
        KeyAct::Next => "Next conversation in the list",
        KeyAct::Previous => "Previous conversation in the list",
        KeyAct::Sidebar => "Show or hide the list of conversations",
        KeyAct::Wall => "Show the overview alone, in large type",
    }
}

fn map(keys: Keys) -> AnyView {
    let dialog = NodeRef::<html::Dialog>::new();
    // The shortcut that waits for its new keys.
    let asked = RwSignal::new(None::<KeyAct>);
    let said = RwSignal::new(String::new());
    effect(move || {
        if let Some(dialog) = dialog.get() {
            open(&dialog);
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let ask = move |act: KeyAct| {
        asked.set(Some(act));
        said.set(format!(
            "Press the new shortcut for “{}”. Esc keeps the old one.",
            name(act)
        ));
    };
    let pressed = on(move |event: ev::KeyboardEvent| {
        let Some(act) = asked.get_untracked() else {
            return;
        };
        event.prevent_default();
        event.stop_propagation();
        let Some(pressed) = of_event(&event) else {
            return;
        };
        asked.set(None);
        if pressed == "Escape" && act != KeyAct::Stop {
            said.set("Nothing was changed.".to_owned());
            return;
        }
        said.set(bind(keys, act, &pressed));
    });
    let reset = move || {
        asked.set(None);
        keys.0.set(Bindings::default());
        browser::remember_here(KEPT, "");
        said.set("Shortcuts reset to defaults.".to_owned());
    };
    let row = move |act: KeyAct| {
        let waits = move || asked.get() == Some(act);
        view! {
            <li class="keys__row">
                <span>{name(act)}</span>
                <kbd class="keys__keys">{live_text(move || keys.shown(act))}</kbd>
                <button
                    type="button"
                    class="button button--small"
                    aria-label=format!("Change the shortcut: {}", name(act))
                    on:click=press(move || ask(act))
                >
                    {live_text(move || if waits() { "Press keys…" } else { "Change" }.to_owned())}
                </button>
            </li>
        }
        .into_any()
    };
    let fixed = FIXED.map(|(keys, name)| {
        view! {
            <li class="keys__row">
                <span>{name}</span>
                <kbd class="keys__keys">{keys}</kbd>
            </li>
        }
    });
    let closed = on(move |_: ev::Event| {
        asked.set(None);
        said.set(String::new());
    });
    view! {
        <dialog
            class="dialog keys"
            id=ID
            aria-labelledby="keys-title"
            node_ref=dialog
            on:keydown=pressed
            on:close=closed
        >
            <header class="keys__head">
                <h2 id="keys-title">"Keyboard shortcuts"</h2>
                <button type="button" class="icon-button" title="Close" on:click=press(close)>
                    {icon(Icon::CLOSE)}
                    <span class="visually-hidden">"Close"</span>
                </button>
            </header>
            <p class="keys__note">
                "Saved in this browser. On a Mac, Cmd works as Ctrl. Keys without Ctrl or Alt do \
                nothing while you type in a field."
            </p>
            <p class="keys__said" role="status" hidden=live(move || said.read().is_empty())>
                {live_text(move || said.get())}
            </p>
            <ul class="keys__list">{KeyAct::all().map(row).collect_view()}</ul>
            <h3>"Fixed shortcuts"</h3>
            <ul class="keys__list">{fixed.into_iter().collect_view()}</ul>
            {examples()}
            <button type="button" class="button button--small" on:click=press(reset)>
                "Reset all"
            </button>
        </dialog>
    }
    .into_any()
}

/// Lists what can be asked, by the tab of each system.
fn examples() -> Option<AnyView> {
    let asked: Vec<_> = panel::questions()
        .into_iter()
        .map(
            |Questions {
                 toolset,
                 suggested,
                 more,
             }| {
                let tab = panel::present().find(|panel| panel.toolset == toolset);
                let name = tab.map_or(toolset, |panel| panel.tab.name.to_owned());
                let texts = suggested.into_iter().chain(more);
                view! {
                    <h4 class="keys__system">{name}</h4>
                    <ul class="keys__questions">
                        {texts.map(|text| view! { <li>{text}</li> }).collect_view()}
                    </ul>
                }
            },
        )
        .collect();
    (!asked.is_empty()).then(|| {
        view! {
            <h3>"What you can ask"</h3>
            {asked}
        }
        .into_any()
    })
}

/// Binds keys, stores them, and returns the result in words.
fn bind(keys: Keys, act: KeyAct, pressed: &str) -> String {
    let mut bindings = keys.0.get_untracked();
    match bindings.bind(act, pressed) {
        Ok(()) => {
            browser::remember_here(KEPT, &bindings.write());
            keys.0.set(bindings);
            format!(
                "{} is now the shortcut for “{}”.",
                shown(pressed),
                name(act)
            )
        }
        Err(BindingRefused::Taken(other)) => format!(
            "{} is already used for “{}”. Change that shortcut first.",
            shown(pressed),
            name(other)
        ),
        Err(BindingRefused::NotFree) => format!(
            "{} is reserved by the browser. Use a letter, digit or punctuation, alone or with Ctrl or \
            Alt.",
            shown(pressed)
        ),
    }
}
