//! The composer, in which a message is written.

use kit::{Icon, Key, browser, each, effect, format, icon, live, live_text, live_view, on, press};
use leptos::{ev, html, prelude::*};
use protocol::{ConversationId, MAX_MESSAGE_BYTES, Reference};

use super::{
    assist::{Assist, Earlier, LIST, assist},
    attach::Attach,
    draft,
    running_turn::RunningTurn,
};
use crate::{
    attachment::thumbnail,
    channel::Channel,
    dock::{Beside, Place},
    keys::{KeyAct, Keys},
    reference::label,
    texts::chat as texts,
};

/// From this length on, the composer shows how much room is left.
const NEARLY_FULL: usize = MAX_MESSAGE_BYTES / 10 * 9;

/// Facts about the text in the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WrittenText {
    blank: bool,
    bytes: usize,
}

impl WrittenText {
    fn of(text: &str) -> Self {
        Self {
            blank: text.trim().is_empty(),
            bytes: text.len(),
        }
    }

    /// Returns whether it can be sent; a message with files needs no words.
    fn is_sendable(self, files: bool) -> bool {
        (files || !self.blank) && self.bytes <= MAX_MESSAGE_BYTES
    }
}

/// Draws the composer. `draft` names the place where unsent text is kept; `edit` brings text back
/// to be changed.
#[component]
pub(super) fn Composer(
    #[prop(into)] draft: String,
    send: Callback<String>,
    /// Stops the running turn, withdraws requests for a decision, and sends at once.
    #[prop(optional)]
    send_now: Option<Callback<String>>,
    /// Sends to the running turn, for its next step.
    #[prop(optional)]
    steer: Option<Callback<String>>,
    #[prop(optional)] running: Option<RunningTurn>,
    #[prop(optional)] edit: Option<RwSignal<Option<String>>>,
    /// Things that the message refers to, apart from its text.
    about: RwSignal<Vec<Reference>>,
    /// The conversation, if it has begun.
    #[prop(optional)]
    here: Option<ConversationId>,
    #[prop(optional)] earlier: Option<Earlier>,
) -> impl IntoView {
    let place = StoredValue::new(draft);
    let chat = Place::here();
    let keys = expect_context::<Keys>();
    let field = NodeRef::<html::Textarea>::new();
    let written = RwSignal::new(WrittenText::of(""));

    let changed = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let text = field.value();
        written.set(WrittenText::of(&text));
        place.with_value(|place| draft::keep(place, &text));
        grow(&field);
    };
    let attach = Attach::new(about);
    let assistant = Assist::new(
        field,
        about,
        Callback::new(move |()| changed()),
        here,
        running,
        earlier,
    );
    let files =
        Memo::new(move |_| attach.busy.get() || about.read().iter().any(|it| it.file.is_some()));
    let sendable = Memo::new(move |_| written.get().is_sendable(files.get()));
    keep_about(place, about);
    // Text typed before the page was alive, or before a reload.
    effect(move || {
        let Some(field) = field.get() else {
            return;
        };
        if field.value().is_empty()
            && let Some(kept) = place.with_value(|place| draft::recall(place))
        {
            field.set_value(&kept);
        }
        changed();
        if browser::has_mouse() && !chat.is_docked() {
            browser::report(field.focus());
        }
    });
    effect(move || {
        if let Some(field) = field.get()
            && chat.wants_focus()
        {
            request_animation_frame(move || browser::report(field.focus()));
        }
    });
    effect(move || {
        let Some((edit, text)) = edit.and_then(|edit| Some((edit, edit.get()?))) else {
            return;
        };
        if let Some(field) = field.get_untracked() {
            let before = field.value();
            field.set_value(&join(&before, &text));
            changed();
            browser::report(field.focus());
        }
        edit.set(None);
    });
    let again = Callback::new(move |()| {
        if let Some(field) = field.get_untracked() {
            browser::submit(&field);
        }
    });
    let submit_by = move |send: Callback<String>| {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let text = field.value();
        let sendable = WrittenText::of(&text).is_sendable(files.get_untracked());
        if !sendable {
            return;
        }
        if attach.busy.get_untracked() {
            attach.then.set(Some(send));
            return;
        }
        if assistant.takes(&text, again) {
            return;
        }
        field.set_value("");
        changed();
        browser::report(field.focus());
        send.run(text.trim_end().to_owned());
    };
    // A message with files is sent once the last of them is uploaded.
    effect(move || {
        if !attach.busy.get()
            && let Some(send) = attach.then.get_untracked()
        {
            attach.then.set(None);
            submit_by(send);
        }
    });
    let submit = move || submit_by(send);
    let key = move |event: ev::KeyboardEvent| {
        if assistant.key(&event) {
            return;
        }
        // 229: some browsers end a composition before they report the key that ended it.
        let composing = event.is_composing() || event.key_code() == 229;
        let modified = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
        if event.key() == "Enter" && !composing && !modified {
            event.prevent_default();
            submit();
        }
    };
    let too_long = Memo::new(move |_| written.get().bytes > MAX_MESSAGE_BYTES);
    let is_running = move || running.is_some_and(|running| running.running.get());
    let is_parked = move || running.is_some_and(|running| running.parked.get());
    let three_ways = Memo::new(move |_| (is_running() && sendable.get()).then(is_parked));
    let send_buttons = send_now.zip(steer).map(|(send_now, steer)| {
        live_view(move || {
            let three = three_ways.get().map(|parked| {
                let instead = if parked {
                    texts::WITHDRAW_AND_SEND_NOW
                } else {
                    texts::STOP_AND_SEND_NOW
                };
                send_buttons([
                    (texts::AFTER_THIS_TURN, press(submit)),
                    (texts::AT_THE_NEXT_STEP, press(move || submit_by(steer))),
                    (instead, press(move || submit_by(send_now))),
                ])
            });
            three.into_any()
        })
    });
    let send_name = move || {
        if is_running() {
            texts::SEND_AFTER_THIS_TURN
        } else {
            texts::SEND
        }
    };
    view! {
        <div class="composer-frame">
        <form
            class="composer"
            class:composer--too-long=live(move || too_long.get())
            class:composer--drop=live(move || attach.over.get())
            on:dragover=on(move |event: ev::DragEvent| attach.drag(&event))
            on:dragleave=on(move |_: ev::DragEvent| attach.set_over(false))
            on:drop=on(move |event: ev::DragEvent| attach.drop(&event))
            on:submit=on(move |event: ev::SubmitEvent| {
                event.prevent_default();
                submit();
            })
        >
            {chips(about, chat)}
            <textarea
                node_ref=field
                class="composer__field"
                rows="1"
                aria-label=texts::MESSAGE
                aria-describedby="composer-hint"
                aria-invalid=live(move || too_long.get().then_some("true"))
                placeholder=texts::ASK_JARVIS
                enterkeyhint="send"
                autocomplete="off"
                spellcheck="true"
                aria-autocomplete="list"
                aria-haspopup="listbox"
                aria-controls=live(move || assistant.is_open().then_some(LIST))
                aria-activedescendant=live(move || assistant.line())
                on:input=on(move |_: ev::Event| {
                    // A message that is still being written is not sent automatically.
                    attach.then.set(None);
                    changed();
                    assistant.want();
                    assistant.look();
                })
                on:focus=on(move |_: ev::FocusEvent| assistant.want())
                on:blur=on(move |_: ev::FocusEvent| assistant.close())
                on:click=press(move || assistant.look())
                on:keyup=on(move |event: ev::KeyboardEvent| assistant.moved(&event))
                on:keydown=on(key)
                on:paste=on(move |event: ev::ClipboardEvent| attach.paste(&event))
            ></textarea>
            <div class="composer__buttons">
                {attach.button()}
                {running.map(|running| view! { <StopButton running /> })}
                <button
                    type="submit"
                    class="round-button round-button--send"
                    disabled=live(move || !sendable.get())
                    title=live(send_name)
                >
                    {icon(Icon::SEND)}
                    <span class="visually-hidden">
                        {live_text(move || send_name().to_owned())}
                    </span>
                </button>
            </div>
        </form>
        {assist(assistant)}
        </div>
        {attach.uploads()}
        {send_buttons}
        <div class="composer-foot">
            <p class="composer-hint" id="composer-hint" class:composer-hint--bad=live(move || too_long.get())>
                {live_text(move || if attach.then.read().is_some() { texts::SENDS_WHEN_THE_FILES_ARE_ATTACHED.to_owned() } else { hint(written.get().bytes, is_running(), is_parked(), &keys.shown(KeyAct::Stop)) })}
            </p>
            <button
                type="button"
                class="composer-save"
                class:composer-save--idle=live(move || written.get().blank)
                on:click=press(move || assistant.save())
            >
                {texts::SAVE_AS_PROMPT}
            </button>
        </div>
    }
    .into_any()
}

#[component]
fn StopButton(running: RunningTurn) -> impl IntoView {
    let keys = expect_context::<Keys>();
    let name = move || {
        if running.stopping.get() {
            texts::STOPPING.to_owned()
        } else {
            keys.title(texts::STOP, KeyAct::Stop)
        }
    };
    view! {
        <button
            type="button"
            class="round-button round-button--stop"
            hidden=live(move || !running.running.get())
            disabled=live(move || running.stopping.get())
            title=live(name)
            on:click=press(move || running.stop.run(()))
        >
            {icon(Icon::STOP)}
            <span class="visually-hidden">{live_text(name)}</span>
        </button>
    }
    .into_any()
}

/// Stores the message's references in the tab across a reload, like its text.
fn keep_about(place: StoredValue<String>, about: RwSignal<Vec<Reference>>) {
    let mut first = true;
    effect(move || {
        let list = about.get();
        if std::mem::take(&mut first) && list.is_empty() {
            let kept = place.with_value(|place| draft::recall_about(place));
            if !kept.is_empty() {
                about.set(kept);
                return;
            }
        }
        place.with_value(|place| draft::keep_about(place, &list));
    });
}

/// Draws the things that the message refers to, each with a button to remove it.
fn chips(about: RwSignal<Vec<Reference>>, chat: Place) -> AnyView {
    let channel = expect_context::<Channel>();
    let chip = move |reference: Reference| {
        let picture = thumbnail(&reference);
        let of = reference.clone();
        // After a reload the names come later.
        let called = Memo::new(move |_| {
            channel.named.track();
            channel.names().title(&of).unwrap_or_else(|| label(&of))
        });
        let remove = move || texts::remove(&called.read());
        let take = move || about.update(|list| list.retain(|known| *known != reference));
        view! {
            <li class="reference">
                {picture}
                {live_text(move || called.get())}
                <button
                    type="button"
                    class="reference__remove"
                    title=live(remove)
                    on:click=press(take)
                >
                    {icon(Icon::CLOSE)}
                    <span class="visually-hidden">{live_text(remove)}</span>
                </button>
            </li>
        }
        .into_any()
    };
    view! {
        <ul
            class="composer__about"
            aria-label=texts::ATTACHED_TO_THE_MESSAGE
            hidden=live(move || about.read().is_empty() && chat.beside().is_none())
        >
            {live_view(move || {
                // The page beside is listed too, with a button to remove it.
                let beside = chat.beside().filter(|it| !about.read().contains(&it.about));
                let chip = |beside: Beside| {
                    view! {
                        <li class="reference" title=texts::THIS_PAGE_IS_ATTACHED_TO_EVERY_MESSAGE>
                            {label(&beside.about)}
                        </li>
                    }
                };
                beside.map(chip).into_any()
            })}
            {each(move || about.get(), |it| Key::of(format!("{}/{}", it.kind, it.id)), chip)}
        </ul>
    }
    .into_any()
}

/// A button that sends a message in one way: its label, and its action.
type SendButton = (&'static str, Box<dyn FnMut(ev::MouseEvent)>);

/// Draws the three ways to send a message while a turn runs.
fn send_buttons(send_buttons: [SendButton; 3]) -> AnyView {
    let button = |(name, send)| {
        view! {
            <button type="button" class="button button--small" on:click=send>
                {name}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="composer-ways" role="group" aria-label=texts::WHEN_TO_SEND>
            {send_buttons.map(button).into_iter().collect::<Vec<_>>()}
        </div>
    }
    .into_any()
}

fn hint(bytes: usize, running: bool, parked: bool, stop: &str) -> String {
    let limit = format::size(MAX_MESSAGE_BYTES as u64);
    if bytes > MAX_MESSAGE_BYTES {
        let size = format::size(bytes as u64);
        texts::message_over_the_limit(&size, &limit)
    } else if bytes > NEARLY_FULL {
        texts::used_of_the_limit(&format::size(bytes as u64), &limit)
    } else if parked {
        texts::enter_sends_after_this_turn_withdraws(stop)
    } else if running {
        texts::enter_sends_after_this_turn_stops(stop)
    } else {
        texts::KEYS_OF_THE_FIELD.to_owned()
    }
}

/// Puts text that returns to the field above newer text in it.
fn join(written: &str, back: &str) -> String {
    if written.trim().is_empty() {
        back.to_owned()
    } else {
        format!("{back}\n\n{written}")
    }
}

/// Makes the field as tall as its text, where the style sheet cannot.
fn grow(field: &web_sys::HtmlTextAreaElement) {
    let style = web_sys::HtmlElement::style(field);
    if style
        .get_property_value("field-sizing")
        .is_ok_and(|_| supports_field_sizing())
    {
        return;
    }
    browser::report(style.set_property("height", "auto"));
    let height = format!("{}px", field.scroll_height());
    browser::report(style.set_property("height", &height));
}

fn supports_field_sizing() -> bool {
    js_sys::Reflect::get(&window(), &"CSS".into())
        .and_then(|css| {
            let supports = js_sys::Reflect::get(&css, &"supports".into())?;
            js_sys::Function::from(supports).call2(&css, &"field-sizing".into(), &"content".into())
        })
        .is_ok_and(|answer| answer.is_truthy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_messages_with_something_in_them_and_within_the_limit_can_be_sent() {
        assert!(!WrittenText::of(" \n\t").is_sendable(false));
        assert!(WrittenText::of("").is_sendable(true), "files alone");
        for files in [false, true] {
            assert!(WrittenText::of("x").is_sendable(files));
            assert!(WrittenText::of(&"x".repeat(MAX_MESSAGE_BYTES)).is_sendable(files));
            assert!(!WrittenText::of(&"x".repeat(MAX_MESSAGE_BYTES + 1)).is_sendable(files));
        }
    }

    #[test]
    fn text_that_comes_back_loses_nothing() {
        assert_eq!(join(" ", "back"), "back");
        assert_eq!(join("new", "back"), "back\n\nnew");
    }
}
