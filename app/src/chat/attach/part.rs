//! The part of the composer that uploads files before the message that they belong to.

use std::{cell::RefCell, collections::HashMap};

use kit::{
    Icon, Key, browser, each, effect,
    format::{size, upright},
    icon, live, press,
};
use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::{ErrorBody, ErrorCode, MAX_IMAGE_BYTES, MAX_REFERENCES, Reference, from_json_text};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{Attach, TAKEN, field};
use crate::{
    api::{ApiError, no_answer},
    texts::{assist as texts, common},
};

thread_local! {
    /// Files that are being uploaded or were refused, by their number.
    static FILES: RefCell<HashMap<u64, web_sys::Blob>> = RefCell::default();
}

/// A file that the message does not have yet.
#[derive(Debug, Clone)]
struct Upload {
    number: u64,
    name: String,
    bytes: u64,
    /// The reason why it was refused; none while it is being uploaded.
    refused: Option<ErrorBody>,
}

#[derive(Clone, Copy)]
struct AttachmentSender {
    attach: Attach,
    uploads: RwSignal<Vec<Upload>>,
    numbers: StoredValue<u64>,
}

/// Uploads the files that were taken, and shows the progress. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(attach, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn attach_part(attach: Attach) -> Result<AnyView, ApiError> {
    let sender = AttachmentSender {
        attach,
        uploads: RwSignal::new(Vec::new()),
        numbers: StoredValue::new(0),
    };
    effect(move || {
        attach.taken.track();
        untrack(move || {
            for file in TAKEN.take() {
                sender.add(file);
            }
            sender.tally();
        });
    });
    on_cleanup(move || {
        attach.then.try_set(None);
        attach.busy.try_set(false);
    });
    Ok(sender.list())
}

impl AttachmentSender {
    fn add(self, file: web_sys::Blob) {
        let number = self.numbers.get_value() + 1;
        self.numbers.set_value(number);
        let bytes = file.size() as u64;
        let uploads = self.uploads.read_untracked();
        let under_way = uploads.iter().filter(|it| it.refused.is_none()).count();
        drop(uploads);
        let refused = |message: String| Some(ErrorBody::new(ErrorCode::FileRefused, message));
        let refused = if bytes > MAX_IMAGE_BYTES as u64 {
            refused(texts::file_is_too_large(
                &size(bytes),
                &size(MAX_IMAGE_BYTES as u64),
            ))
        } else if self.attach.about.read_untracked().len() + under_way >= MAX_REFERENCES {
            refused(texts::too_many_attachments(MAX_REFERENCES))
        } else {
            None
        };
        let goes = refused.is_none();
        let upload = Upload {
            number,
            name: upright(name_of(&file)),
            bytes,
            refused,
        };
        FILES.with_borrow_mut(|files| files.insert(number, file));
        self.uploads.update(|uploads| uploads.push(upload));
        if goes {
            self.send(number)
        } else {
            self.attach.then.set(None)
        }
    }

    fn send(self, number: u64) {
        let Some(file) = FILES.with_borrow(|files| files.get(&number).cloned()) else {
            return;
        };
        self.say(number, None);
        leptos::task::spawn_local(async move {
            match sent(&file).await {
                Ok(reference) => {
                    self.attach.about.try_update(|about| {
                        if !about.iter().any(|known| known.id == reference.id) {
                            about.push(reference);
                        }
                    });
                    self.forget(number);
                }
                Err(error) => self.say(number, Some(error)),
            }
        });
    }

    /// Records the result of an upload.
    fn say(self, number: u64, refused: Option<ErrorBody>) {
        // Without this file the message is not what the person meant to send.
        if refused.is_some() {
            self.attach.then.try_set(None);
        }
        self.uploads.try_update(|uploads| {
            if let Some(upload) = uploads.iter_mut().find(|it| it.number == number) {
                upload.refused = refused;
            }
        });
        self.tally();
    }

    fn forget(self, number: u64) {
        FILES.with_borrow_mut(|files| files.remove(&number));
        self.uploads
            .try_update(|uploads| uploads.retain(|it| it.number != number));
        self.tally();
    }

    fn tally(self) {
        let busy = self
            .uploads
            .try_with_untracked(|uploads| uploads.iter().any(|it| it.refused.is_none()));
        self.attach.busy.try_set(busy.unwrap_or_default());
    }

    fn list(self) -> AnyView {
        let uploads = self.uploads;
        view! {
            <ul
                class="uploads"
                aria-label=texts::FILES_NOT_ATTACHED_YET
                aria-live="polite"
                hidden=live(move || uploads.read().is_empty())
            >
                {each(
                    move || uploads.get(),
                    |it| Key::of(format!("{}/{}", it.number, it.refused.is_some())),
                    move |it| self.line(it),
                )}
            </ul>
        }
        .into_any()
    }

    fn line(self, upload: Upload) -> AnyView {
        let Upload {
            number,
            name,
            bytes,
            refused,
        } = upload;
        let forget = move || {
            self.forget(number);
            browser::focus_on(".composer__field");
        };
        let what = format!("{name}, {}", size(bytes));
        let Some(error) = refused else {
            return view! {
                <li class="upload">
                    <span class="spinner" aria-hidden="true"></span>
                    {texts::sending(&what)}
                </li>
            }
            .into_any();
        };
        // A file refused for its content would be refused again.
        let again = (error.code != ErrorCode::FileRefused).then(|| {
            view! {
                <button type="button" class="button button--small" on:click=press(move || self.send(number))>
                    {common::TRY_AGAIN}
                </button>
            }
        });
        let help = error.help.unwrap_or_default();
        let reason = texts::was_not_attached(&error.message, &help);
        let label = texts::dismiss(&name);
        view! {
            <li class="upload upload--bad">
                <span>
                    <strong>{what}</strong>
                    {reason}
                </span>
                {again}
                <button
                    type="button"
                    class="icon-button icon-button--small"
                    title=texts::DISMISS
                    on:click=press(forget)
                >
                    {icon(Icon::CLOSE)}
                    <span class="visually-hidden">{label}</span>
                </button>
            </li>
        }
        .into_any()
    }
}

/// Uploads a file. Returns the server's reference to it.
async fn sent(file: &web_sys::Blob) -> Result<Reference, ErrorBody> {
    let name = js_sys::encode_uri_component(&name_of(file));
    let init = web_sys::RequestInit::new();
    init.set_method("POST");
    init.set_body(file);
    let asked = window().fetch_with_str_and_init(&format!("/files?name={name}"), &init);
    let lost = |error: JsValue| {
        browser::report(Err::<(), _>(error));
        no_answer()
    };
    let response = JsFuture::from(asked).await.map_err(lost)?;
    let response: web_sys::Response = response.dyn_into().map_err(lost)?;
    let text = JsFuture::from(response.text().map_err(lost)?)
        .await
        .map_err(lost)?;
    let text = text.as_string().unwrap_or_default();
    let known = if response.ok() {
        from_json_text(&text).map(Ok)
    } else {
        from_json_text(&text).map(Err)
    };
    known.unwrap_or_else(|| {
        let message = texts::CANT_READ_THE_SERVERS_ANSWER;
        Err(ErrorBody::new(ErrorCode::Internal, message).with_help(texts::TRY_AGAIN_OR_RELOAD))
    })
}

/// Returns the name of a file.
fn name_of(file: &web_sys::Blob) -> String {
    field(file, "name").as_string().unwrap_or_default()
}
