//! Files for a message: pasted, dropped or picked.
//!
//! The code that uploads them is a part of the module that is loaded with the first file. This file
//! takes them from the browser.

mod part;

use std::cell::RefCell;

use kit::{Icon, icon, live_view, on, press};
use leptos::{ev, html, prelude::*};
use protocol::Reference;
use wasm_bindgen::{JsCast, JsValue};

use self::part::attach_part;

use crate::texts::assist as texts;

/// File types for the picker; the server checks the bytes.
const ACCEPT: &str = "image/png,image/jpeg,image/gif,image/webp,text/*,.log,.conf,.cfg,.json,.yaml,\
    .yml,.toml,.md,.csv,.sh,.service";

thread_local! {
    /// Files that were taken and are not being uploaded yet. They belong to the browser's only
    /// thread.
    static TAKEN: RefCell<Vec<web_sys::Blob>> = const { RefCell::new(Vec::new()) };
}

/// The files of one composer.
#[derive(Clone, Copy)]
pub(super) struct Attach {
    /// Things that the message refers to: files are added once the server has them.
    pub(super) about: RwSignal<Vec<Reference>>,
    /// True while files are being uploaded.
    pub(super) busy: RwSignal<bool>,
    /// Sends the message once all uploads are done. Cleared when an upload is refused.
    pub(super) then: RwSignal<Option<Callback<String>>>,
    /// True while something is dragged over the composer.
    pub(super) over: RwSignal<bool>,
    /// Increases whenever files are taken.
    taken: RwSignal<u32>,
    wanted: RwSignal<bool>,
    /// True if the code that uploads files could not be loaded.
    lost: RwSignal<bool>,
    picker: NodeRef<html::Input>,
}

impl Attach {
    pub(super) fn new(about: RwSignal<Vec<Reference>>) -> Self {
        Self {
            about,
            busy: RwSignal::new(false),
            then: RwSignal::new(None),
            over: RwSignal::new(false),
            taken: RwSignal::new(0),
            wanted: RwSignal::new(false),
            lost: RwSignal::new(false),
            picker: NodeRef::new(),
        }
    }

    /// Takes the pasted files, unless the paste is a text that brings a picture of itself, as
    /// tables do.
    pub(super) fn paste(self, event: &ev::ClipboardEvent) {
        let data = field(event, "clipboardData");
        let is_text = has_type(&data, "text/plain") && has_type(&data, "text/html");
        if !is_text && self.take(&field(&data, "files")) {
            event.prevent_default();
        }
    }

    /// Accepts a drag over the composer if it has files.
    pub(super) fn drag(self, event: &ev::DragEvent) {
        if has_type(&field(event, "dataTransfer"), "Files") {
            event.prevent_default();
            self.set_over(true);
        }
    }

    pub(super) fn drop(self, event: &ev::DragEvent) {
        self.set_over(false);
        if self.take(&field(&field(event, "dataTransfer"), "files")) {
            event.prevent_default();
        }
    }

    pub(super) fn set_over(self, over: bool) {
        if self.over.get_untracked() != over {
            self.over.set(over);
        }
    }

    /// Takes files; returns whether there were any.
    fn take(self, files: &JsValue) -> bool {
        let files: Vec<_> = list(files)
            .into_iter()
            .filter_map(|file| file.dyn_into().ok())
            .collect();
        if files.is_empty() {
            return false;
        }
        TAKEN.with_borrow_mut(|taken| taken.extend(files));
        // A message that is sent now must include them, although the upload code may still be
        // loading.
        self.busy.set(true);
        self.lost.set(false);
        // Setting it again would redraw the part, and lose what it shows.
        if !self.wanted.get_untracked() {
            self.wanted.set(true);
        }
        self.taken.update(|count| *count += 1);
        true
    }

    /// Draws the button that opens the browser's own picker.
    pub(super) fn button(self) -> AnyView {
        let pick = move || {
            if let Some(picker) = self.picker.get_untracked() {
                picker.click();
            }
        };
        let picked = on(move |event: ev::Event| {
            let picker: Option<web_sys::HtmlInputElement> =
                event.target().and_then(|target| target.dyn_into().ok());
            if let Some(picker) = picker {
                self.take(&field(&picker, "files"));
                // So that the same file can be picked again.
                picker.set_value("");
            }
        });
        view! {
            <input
                node_ref=self.picker
                type="file"
                multiple=true
                accept=ACCEPT
                hidden=true
                tabindex="-1"
                aria-hidden="true"
                on:change=picked
            />
            <button
                type="button"
                class="round-button round-button--attach"
                title=texts::ATTACH_IMAGES_OR_TEXT_FILES
                on:click=press(pick)
            >
                {icon(Icon::ATTACH)}
                <span class="visually-hidden">{texts::ATTACH_IMAGES_OR_TEXT_FILES}</span>
            </button>
        }
        .into_any()
    }

    /// Ends the wait after the upload code failed to load. The files are kept; adding another retries.
    fn give_up(self) {
        self.then.try_set(None);
        self.busy.try_set(false);
        self.wanted.try_set(false);
        self.lost.try_set(true);
    }

    /// Draws the files that are being uploaded, and those that were refused.
    pub(super) fn uploads(self) -> AnyView {
        live_view(move || {
            if !self.wanted.get() {
                let lost = self.lost.get().then(|| {
                    view! {
                        <p class="uploads upload upload--bad" role="alert">
                            {texts::UPLOAD_CODE_DID_NOT_LOAD}
                        </p>
                    }
                });
                return lost.into_any();
            }
            view! {
                <Suspense fallback=|| ()>
                    {move || Suspend::new(async move {
                        match attach_part(self).await {
                            Ok(part) => part,
                            Err(error) => {
                                leptos::logging::warn!("{error}");
                                request_animation_frame(move || self.give_up());
                                ().into_any()
                            }
                        }
                    })}
                </Suspense>
            }
            .into_any()
        })
    }
}

/// Reads a field of a browser object. The file API needs only this, and web-sys would bring all of
/// it.
fn field(of: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(of, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Returns the items of a browser list; empty if it is none.
fn list(of: &JsValue) -> Vec<JsValue> {
    if of.is_object() {
        js_sys::Array::from(of).to_vec()
    } else {
        Vec::new()
    }
}

/// Returns whether the pasted or dragged data has this type.
fn has_type(data: &JsValue, kind: &str) -> bool {
    if data.is_object() {
        list(&field(data, "types")).contains(&kind.into())
    } else {
        false
    }
}
