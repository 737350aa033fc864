//! Branching at a message: with new words, or the same once more. This part is loaded on demand.

use kit::{
    ErrorCard, Icon, browser, effect,
    format::{self, upright},
    icon, live, live_text, live_view, on, press,
};
use leptos::{ev, html, prelude::*, wasm_split::wasm_split};
use protocol::{CallId, Command, Effect, EffectOutcome, MAX_MESSAGE_BYTES, MessageId, TurnId};
use transcript::{RowKey, ToolRow, ToolState};

use super::open_conversation::{BranchingState, OpenConversation};
use crate::{
    api::{self, ApiError},
    channel::Channel,
    texts::{branching as texts, common},
};

/// Runs a message again in a branch: at once, or after showing the person the calls that acted.
pub(super) fn again(open: &OpenConversation, channel: Channel, at: RowKey, message: MessageId) {
    let running = open.conversation.turn().read_untracked().is_some();
    // The turns after an older message are not all here.
    let old = !open.conversation.is_new(message);
    if running || old || !open.conversation.effects_after(message).is_empty() {
        open.branching.set(Some(BranchingState {
            at,
            message,
            edit: false,
        }));
        return;
    }
    if !untrack(|| is_branching(channel, message)) {
        channel.command(Command::Branch {
            conversation: browser::new_conversation_id(),
            from: open.conversation.id(),
            message,
            text: None,
            known: Vec::new(),
        });
    }
}

/// Returns whether a branch at a message is being made.
pub(super) fn is_branching(channel: Channel, message: MessageId) -> bool {
    channel.pending.read().iter().any(
        |pending| matches!(&pending.command, Command::Branch { message: of, .. } if *of == message),
    )
}

/// Draws the form in a row at which a person considers a branch.
pub(super) fn branching_at(open: &OpenConversation, at: RowKey) -> AnyView {
    let asked = open.branching;
    let open = open.clone();
    live_view(move || {
        // Without a memo: there are many rows, and it seldom changes.
        let Some(branching) = asked.get().filter(|branching| branching.at == at) else {
            return ().into_any();
        };
        let open = open.clone();
        view! {
            <Suspense fallback=|| view! { <p class="branching">{common::LOADING}</p> }>
                {
                    let open = open.clone();
                    move || {
                        let open = open.clone();
                        Suspend::new(async move {
                            branching_view(open, branching)
                                .await
                                .unwrap_or_else(|error| view! { <ErrorCard error=error.0 /> }.into_any())
                        })
                    }
                }
            </Suspense>
        }
        .into_any()
    })
}

/// Draws the form. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(branching, wasm_split_path = ::leptos::wasm_split, fallible)]
fn branching_view(open: OpenConversation, branching: BranchingState) -> Result<AnyView, ApiError> {
    Ok(form(open, branching))
}

fn form(open: OpenConversation, branching: BranchingState) -> AnyView {
    let channel = expect_context::<Channel>();
    let BranchingState { at, message, edit } = branching;
    let before = open.conversation.text_of(RowKey::User(message));
    let before = StoredValue::new(before.unwrap_or_default());
    let field = NodeRef::<html::Textarea>::new();
    let go = NodeRef::<html::Button>::new();
    let bytes = RwSignal::new(before.with_value(String::len));
    // A message with files needs no words.
    let needs_words = before.with_value(|before| !before.is_empty());
    let blank = RwSignal::new(false);
    let turn = open.conversation.turn();
    let running = Memo::new(move |_| turn.read().as_ref().map(|turn| turn.id));
    let rows = open.conversation.rows();
    let conversation = open.conversation.clone();
    let id = open.conversation.id();
    let older = RwSignal::new(Older::Known(Vec::new()));
    if !conversation.is_new(message) {
        older.set(Older::Asked);
        leptos::task::spawn_local(async move {
            older.try_set(match api::effects(id, message).await {
                Ok(effects) => Older::Known(effects.into_iter().map(Stays::from).collect()),
                Err(error) => Older::Failed(error.0.message),
            });
        });
    }
    // Calls may end, or be settled, while the person reads.
    let effects = Memo::new(move |_| {
        rows.track();
        running.track();
        let newest = conversation.effects_after(message);
        let newest: Vec<_> = newest.into_iter().filter_map(Stays::of).collect();
        let mut all = match older.get() {
            Older::Known(older) => older,
            _ => Vec::new(),
        };
        all.retain(|older| newest.iter().all(|it| it.call != older.call));
        all.extend(newest);
        all
    });
    effect(move || {
        let (field, go) = (field.get(), go.get().filter(|_| !edit));
        // Code that was loaded late builds the view before it is in the page.
        request_animation_frame(move || {
            if let Some(field) = field {
                browser::report(field.focus());
            } else if let Some(go) = go {
                browser::report(go.focus());
            }
        });
    });
    let busy = Memo::new(move |_| is_branching(channel, message));
    let barred = Memo::new(move |_| {
        let known = matches!(*older.read(), Older::Known(_));
        busy.get()
            || !known
            || running.get().is_some()
            || blank.get()
            || bytes.get() > MAX_MESSAGE_BYTES
    });
    let asked = open.branching;
    let leave = move || {
        asked.set(None);
        browser::show(button_id(at));
    };
    let send = move || {
        if barred.get_untracked() {
            return;
        }
        let text = field.get_untracked().map(|field| field.value());
        let text = text.map(|text| text.trim_end().to_owned());
        channel.command(Command::Branch {
            conversation: browser::new_conversation_id(),
            from: id,
            message,
            text: text.filter(|text| before.with_value(|before| before != text)),
            known: effects.with_untracked(|it| it.iter().map(|stays| stays.call).collect()),
        });
    };
    let key = move |event: ev::KeyboardEvent| {
        let composing = event.is_composing() || event.key_code() == 229;
        let modified = event.shift_key() || event.alt_key();
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            leave();
        } else if event.key() == "Enter" && edit && !composing && !modified {
            // With calls that acted on display it takes a press, not a key.
            if effects.with_untracked(Vec::is_empty) {
                event.prevent_default();
                send();
            }
        }
    };
    let changed = move |_: ev::Event| {
        if let Some(field) = field.get_untracked() {
            let text = field.value();
            bytes.set(text.len());
            blank.set(needs_words && text.trim().is_empty());
        }
    };
    let words = edit.then(|| {
        view! {
            <textarea
                node_ref=field
                class="field branching__field"
                aria-label=texts::YOUR_MESSAGE
                spellcheck="true"
                autocomplete="off"
                prop:value=before.get_value()
                on:input=on(changed)
                on:keydown=on(key)
            ></textarea>
        }
    });
    let told = live_view(move || effects.with(|effects| told(effects)));
    let problem = move || {
        let limit = format::size(MAX_MESSAGE_BYTES as u64);
        match older.get() {
            _ if bytes.get() > MAX_MESSAGE_BYTES => texts::message_is_too_long(&limit),
            Older::Failed(message) => message,
            _ => String::new(),
        }
    };
    let name = move || {
        match (busy.get(), effects.with(Vec::is_empty)) {
            _ if matches!(*older.read(), Older::Asked) => texts::CHECKING_WHAT_ALREADY_RAN,
            (true, _) => texts::SENDING,
            (_, true) => texts::RUN_AGAIN,
            (_, false) => texts::RUN_AGAIN_WITHOUT_UNDOING,
        }
        .to_owned()
    };
    view! {
        <form
            class="branching"
            aria-label=if edit { texts::EDIT_THE_MESSAGE } else { texts::RUN_THE_MESSAGE_AGAIN }
            on:submit=on(move |event: ev::SubmitEvent| {
                event.prevent_default();
                send();
            })
            on:keydown=on(move |event: ev::KeyboardEvent| {
                if event.key() == "Escape" && !event.default_prevented() {
                    event.prevent_default();
                    leave();
                }
            })
        >
            {words} {told}
            {live_view(move || running.get().map(|turn| stop(channel, id, turn)).into_any())}
            <p class="branching__problem" role="alert">{live_text(problem)}</p>
            <div class="branching__buttons">
                <button
                    type="submit"
                    node_ref=go
                    class="button button--small button--primary"
                    aria-disabled=live(move || barred.get().then_some("true"))
                >
                    {live_text(name)}
                </button>
                <button
                    type="button"
                    class="button button--small button--quiet"
                    on:click=press(leave)
                >
                    {texts::CANCEL}
                </button>
            </div>
            <p class="branching__hint">{texts::CURRENT_VERSION_IS_KEPT}</p>
        </form>
    }
    .into_any()
}

/// A call that acted and is left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stays {
    call: CallId,
    tool: String,
    target: Option<String>,
    outcome: &'static str,
}

/// The calls of turns that are not loaded here.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Older {
    Asked,
    Known(Vec<Stays>),
    Failed(String),
}

impl Stays {
    fn of(row: ToolRow) -> Option<Self> {
        Some(Self {
            call: row.call?,
            tool: row.name,
            target: row.target,
            outcome: match row.state {
                ToolState::Succeeded(_) => texts::DONE,
                ToolState::Failed(_) => texts::FAILED,
                ToolState::Running => texts::RUNNING,
                _ => texts::OUTCOME_UNKNOWN,
            },
        })
    }
}

impl From<Effect> for Stays {
    fn from(effect: Effect) -> Self {
        Self {
            call: effect.call,
            tool: effect.tool,
            target: effect.target,
            outcome: match effect.outcome {
                EffectOutcome::Done => texts::DONE,
                EffectOutcome::Failed => texts::FAILED,
                EffectOutcome::NotDone => texts::DID_NOT_TAKE_EFFECT,
                EffectOutcome::Unknown => texts::OUTCOME_UNKNOWN,
            },
        }
    }
}

/// Returns the id of the button that opened a form.
pub(super) fn button_id(at: RowKey) -> String {
    match at {
        RowKey::User(message) => format!("edit-{message}"),
        RowKey::Block(message, block) => format!("again-{message}-{block}"),
        RowKey::End(seq) | RowKey::Note(seq) => format!("again-{}", seq.0),
    }
}

/// Draws the calls that acted and are left behind.
fn told(effects: &[Stays]) -> AnyView {
    if effects.is_empty() {
        return ().into_any();
    }
    let head = texts::actions_already_ran(effects.len());
    let lines: Vec<_> = effects.iter().map(line).collect();
    view! {
        <div class="branching__told" role="group" aria-label=texts::ACTIONS_THAT_ALREADY_RAN>
            <p>{icon(Icon::WARNING)} {head}</p>
            <ul>{lines}</ul>
        </div>
    }
    .into_any()
}

fn line(stays: &Stays) -> AnyView {
    let target = stays.target.clone();
    let target = target.map(|target| texts::on(&upright(target)));
    view! {
        <li>
            <code>{upright(stays.tool.clone())}</code>
            {target} {format!(": {}", stays.outcome)}
        </li>
    }
    .into_any()
}

/// Draws the note that a branch waits until nothing runs here, with a button to stop the turn.
fn stop(channel: Channel, conversation: protocol::ConversationId, turn: TurnId) -> AnyView {
    let stop = move || {
        channel.command(Command::Stop { conversation, turn });
    };
    view! {
        <p class="branching__running">
            {texts::TURN_IS_RUNNING}
            <button type="button" class="button button--small" on:click=press(stop)>
                {icon(Icon::STOP)}
                {texts::STOP_IT}
            </button>
        </p>
    }
    .into_any()
}
