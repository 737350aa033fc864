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
use crate::{api::ApiError, panel, texts::keys as texts};

const ID: &str = "keys";

/// Keys that cannot be changed.
const FIXED: [(&str, &str); 10] = [
    ("Enter", texts::SEND_THE_MESSAGE),
    ("Shift+Enter", texts::START_A_NEW_LINE),
    ("↑ ↓", texts::RECALL_EARLIER_MESSAGES_IN_AN_EMPTY_FIELD),
    ("/", texts::COMMANDS_AND_SAVED_PROMPTS),
    ("@", texts::MENTION_SOMETHING_BY_ITS_NAME),
    ("Esc", texts::CLOSE_THE_OPEN_MENU_OR_PANEL),
    (texts::ENTER_OR_SPACE, texts::PRESS_THE_FOCUSED_BUTTON),
    ("← →", texts::RESIZE_THE_CHAT_BESIDE_A_PAGE),
    ("← →", texts::ACTIONS_OF_A_CONVERSATION),
    ("Tab", texts::GO_TO_THE_NEXT_CONTROL),
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
        KeyAct::Map => texts::SHOW_THESE_SHORTCUTS,
        KeyAct::Palette => texts::SEARCH_OR_RUN_A_COMMAND,
        KeyAct::New => texts::START_A_NEW_CONVERSATION,
        KeyAct::Search => texts::SEARCH_CONVERSATIONS,
        KeyAct::Dock => texts::OPEN_OR_CLOSE_THE_CHAT,
        KeyAct::Chat => texts::GO_TO_THE_CHAT,
        KeyAct::Feed => texts::GO_TO_THE_FEED,
        KeyAct::Panel(tab) => tab.goes,
        KeyAct::Compose => texts::WRITE_A_MESSAGE,
        KeyAct::Stop => texts::STOP_THE_TURN,
        KeyAct::Next => texts::NEXT_CONVERSATION_IN_THE_LIST,
        KeyAct::Previous => texts::PREVIOUS_CONVERSATION_IN_THE_LIST,
        KeyAct::Sidebar => texts::SHOW_OR_HIDE_THE_CONVERSATIONS,
        KeyAct::Settings => texts::OPEN_THE_SETTINGS,
        KeyAct::Wall => texts::SHOW_THE_OVERVIEW_ALONE_IN_LARGE_TYPE,
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
        said.set(texts::press_the_new_shortcut_for(name(act)));
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
            said.set(texts::NOTHING_WAS_CHANGED.to_owned());
            return;
        }
        said.set(bind(keys, act, &pressed));
    });
    let reset = move || {
        asked.set(None);
        keys.0.set(Bindings::default());
        browser::remember_here(KEPT, "");
        said.set(texts::SHORTCUTS_RESET_TO_DEFAULTS.to_owned());
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
                    aria-label=texts::change_the_shortcut(name(act))
                    on:click=press(move || ask(act))
                >
                    {live_text(move || if waits() { texts::PRESS_KEYS } else { texts::CHANGE }.to_owned())}
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
                <h2 id="keys-title">{texts::KEYBOARD_SHORTCUTS}</h2>
                <button type="button" class="icon-button" title=texts::CLOSE on:click=press(close)>
                    {icon(Icon::CLOSE)}
                    <span class="visually-hidden">{texts::CLOSE}</span>
                </button>
            </header>
            <p class="keys__note">
                {texts::SHORTCUTS_ARE_SAVED_IN_THIS_BROWSER}
            </p>
            <p class="keys__said" role="status" hidden=live(move || said.read().is_empty())>
                {live_text(move || said.get())}
            </p>
            <ul class="keys__list">{KeyAct::all().map(row).collect_view()}</ul>
            <h3>{texts::FIXED_SHORTCUTS}</h3>
            <ul class="keys__list">{fixed.into_iter().collect_view()}</ul>
            {examples()}
            <button type="button" class="button button--small" on:click=press(reset)>
                {texts::RESET_ALL}
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
            <h3>{texts::WHAT_YOU_CAN_ASK}</h3>
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
            texts::is_now_the_shortcut_for(&shown(pressed), name(act))
        }
        Err(BindingRefused::Taken(other)) => {
            texts::shortcut_is_already_used(&shown(pressed), name(other))
        }
        Err(BindingRefused::NotFree) => texts::shortcut_is_reserved(&shown(pressed)),
    }
}
