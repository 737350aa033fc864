//! The dialog of the palette.

use kit::{browser, effect, live, live_view, on, press};
use leptos::{ev, html, mount::mount_to_body, prelude::*, wasm_split::wasm_split};
use protocol::Role;
use wasm_bindgen::JsCast;

use super::{
    Palette,
    entries::{Does, Findable, PaletteEntry, fitting},
};
use crate::{api::ApiError, panel, route::Page, texts::palette as texts};

const ID: &str = "palette";
const LIST: &str = "palette-list";

/// Opens the palette over the page. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(palette, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn show_palette(of: Palette) -> Result<(), ApiError> {
    // A new one each time: it holds what there is now.
    if let Some(old) = document().get_element_by_id(ID) {
        old.remove();
    }
    mount_to_body(move || dialog(of));
    Ok(())
}

fn dialog(of: Palette) -> AnyView {
    let frame = NodeRef::<html::Dialog>::new();
    let field = NodeRef::<html::Input>::new();
    let words = RwSignal::new(String::new());
    let chosen = RwSignal::new(0usize);
    let questions = panel::questions();
    let found = Memo::new(move |_| {
        // They may arrive after the palette was opened.
        of.channel.named.track();
        let names = of.channel.names().all();
        let conversations = of.channel.list.lines.read();
        let findable = Findable {
            conversations: &conversations,
            names: &names,
            questions: &questions,
            is_admin: of.channel.role.get() == Role::Admin,
        };
        fitting(&words.read(), &findable)
    });
    effect(move || {
        if let Some(frame) = frame.get() {
            browser::report(frame.show_modal());
        }
    });
    let close = move || {
        if let Some(frame) = frame.get_untracked() {
            frame.close();
        }
    };
    let run = move |entry: PaletteEntry| {
        close();
        carry_out(of, entry.does);
    };
    let take = move |place: usize| {
        let entry = found.with_untracked(|found| found.get(place).cloned());
        if let Some(entry) = entry {
            run(entry);
        }
    };
    let pressed = move |event: ev::KeyboardEvent| {
        let last = found.with_untracked(Vec::len).saturating_sub(1);
        let now = chosen.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => chosen.set(if now >= last { 0 } else { now + 1 }),
            "ArrowUp" => chosen.set(now.checked_sub(1).unwrap_or(last)),
            "Home" => chosen.set(0),
            "End" => chosen.set(last),
            "Enter" => take(now),
            _ => return,
        }
        event.prevent_default();
        browser::reveal(&option_id(chosen.get_untracked()));
    };
    let rows = move || {
        let found = found.get();
        let rows = found.into_iter().enumerate();
        let rows: Vec<_> = rows
            .map(|(place, entry)| {
                let is_chosen = move || chosen.get() == place;
                view! {
                    <li
                        id=option_id(place)
                        class="palette__entry"
                        role="option"
                        aria-selected=live(move || if is_chosen() { "true" } else { "false" })
                        on:click=press(move || take(place))
                        on:pointermove=on(move |_: ev::PointerEvent| {
                            if chosen.get_untracked() != place {
                                chosen.set(place);
                            }
                        })
                    >
                        <span class="palette__name">{entry.name}</span>
                        <span class="palette__kind">{entry.kind}</span>
                    </li>
                }
                .into_any()
            })
            .collect();
        rows.into_any()
    };
    view! {
        <dialog
            class="dialog palette"
            id=ID
            aria-label=texts::SEARCH_OR_RUN_A_COMMAND
            node_ref=frame
            on:click=on(move |event: ev::MouseEvent| {
                // A press beside it lands on the dialog itself.
                let target = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlDialogElement>().ok());
                if target.is_some() {
                    close();
                }
            })
        >
            <input
                class="field palette__field"
                type="text"
                role="combobox"
                aria-expanded="true"
                aria-controls=LIST
                aria-activedescendant=live(move || option_id(chosen.get()))
                aria-label=texts::SEARCH_OR_RUN_A_COMMAND
                placeholder=texts::EXAMPLES_TO_TYPE
                autocomplete="off"
                spellcheck="false"
                autofocus
                node_ref=field
                on:input=on(move |event: ev::Event| {
                    words.set(event_target_value(&event));
                    chosen.set(0);
                })
                on:keydown=on(pressed)
            />
            <ul class="palette__list" id=LIST role="listbox" aria-label=texts::FOUND>
                {live_view(rows)}
            </ul>
        </dialog>
    }
    .into_any()
}

fn option_id(place: usize) -> String {
    format!("palette-{place}")
}

fn carry_out(of: Palette, does: Does) {
    match does {
        Does::Page(path) => {
            of.route.go(Page::of(&path));
            // The field that had it is gone.
            browser::focus_on("#main");
        }
        Does::Load(path) => browser::report(window().location().set_href(path)),
        Does::Chat(id) => of.route.go(Page::Chat(id)),
        Does::NewConversation => {
            of.route.go(Page::Home);
            browser::focus_on(".composer__field");
        }
        Does::Ask(text) => {
            of.route.go(Page::Home);
            // The field is there in the next frame.
            request_animation_frame(move || browser::write_in(".composer__field", &text));
        }
        Does::Search(text) => {
            of.search.run(());
            request_animation_frame(move || browser::write_in(".sidebar__search input", &text));
        }
        Does::Dock => of.dock.run(()),
        Does::Shortcuts => of.shortcuts.run(()),
    }
}
