//! The part of the composer that is loaded on demand: it follows the caret, offers completions and
//! inserts the chosen one.

use kit::{Key, browser, each, effect, live, live_text, on, press};
use leptos::{ev, prelude::*, wasm_split::wasm_split};
use protocol::{ErrorBody, ErrorCode, MAX_REFERENCES, Prompt, Reference};

use super::{
    Assist, Hooks, LIST, line_id,
    offers::{AssistOffer, Gives, after_at, after_slash},
    recall::Recall,
    save::Save,
    slash::{Slash, SlashContext},
    token::{MentionMark, MentionToken, bytes, units},
};
use crate::{
    api::{self, ApiError},
    channel::Channel,
    texts::assist as texts,
};

/// Draws all help of one field. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(chat, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn assist_part(assist: Assist) -> Result<AnyView, ApiError> {
    let prompts = RwSignal::new(Vec::new());
    let save = Save::new(prompts);
    let helper = Helper {
        assist,
        channel: expect_context(),
        slash: SlashContext::new(assist),
        token: StoredValue::new(None),
        offers: RwSignal::new(Vec::new()),
        prompts,
        asked: StoredValue::new(false),
        recall: StoredValue::new(Recall::default()),
        said: StoredValue::default(),
    };
    assist.hooks.set_value(Some(Hooks {
        key: Callback::new(move |event| helper.key(&event)),
        look: Callback::new(move |()| helper.look()),
        command: Callback::new(move |text: String| helper.command(&text)),
        save: Callback::new(move |text| save.open(text)),
        close: Callback::new(move |()| helper.close()),
    }));
    on_cleanup(move || {
        assist.hooks.try_set_value(None);
    });
    // Handles input from before it was loaded.
    effect(move || {
        untrack(move || {
            helper.look();
            assist.settle();
        });
    });
    // Prompts may arrive after the slash, and names after the mark.
    let named = helper.channel.named;
    effect(move || {
        prompts.track();
        named.track();
        untrack(move || helper.offer());
    });
    Ok(view! { {helper.list()} {save.dialog()} }.into_any())
}

#[derive(Clone, Copy)]
struct Helper {
    assist: Assist,
    channel: Channel,
    slash: SlashContext,
    /// The word at the caret that the list is open for.
    token: StoredValue<Option<MentionToken>>,
    offers: RwSignal<Vec<AssistOffer>>,
    prompts: RwSignal<Vec<Prompt>>,
    /// True once the prompts were requested.
    asked: StoredValue<bool>,
    recall: StoredValue<Recall>,
    /// The words of mentions in the text, each with its thing.
    said: StoredValue<Vec<(String, Reference)>>,
}

impl Helper {
    /// Looks for a marked word at the caret.
    fn look(self) {
        let Some(field) = self.assist.field.get_untracked() else {
            return;
        };
        let text = field.value();
        self.forget(&text);
        let (from, to) = selection(&field);
        let token = (from == to)
            .then(|| MentionToken::at(&text, bytes(&text, to)))
            .flatten();
        let marked = |token: &MentionToken| token.mark == MentionMark::Slash;
        if token.as_ref().is_some_and(marked) && !self.asked.get_value() {
            self.fetch();
        }
        self.token.set_value(token);
        self.offer();
    }

    fn fetch(self) {
        self.asked.set_value(true);
        leptos::task::spawn_local(async move {
            match api::prompts().await {
                Ok(kept) => {
                    self.prompts.try_set(kept);
                }
                // Commands work without them; the next slash asks again.
                Err(error) => {
                    leptos::logging::warn!("{error}");
                    self.asked.try_set_value(false);
                }
            }
        });
    }

    /// Offers completions of the word.
    fn offer(self) {
        let assist = self.assist;
        let running = assist.running.is_some_and(|it| it.running.get_untracked());
        let of_use = |it: Slash| it.is_of_use(assist.here, running);
        let offers = self.token.with_value(|token| match token {
            Some(token) if token.mark == MentionMark::Slash => {
                after_slash(token, of_use, &self.prompts.read_untracked())
            }
            Some(token) => after_at(token, &self.channel.names().all()),
            None => Vec::new(),
        });
        let same = *self.offers.read_untracked() == offers;
        if !same {
            let chosen = (!offers.is_empty()).then_some(0);
            self.offers.set(offers);
            assist.chosen.set(chosen);
        }
    }

    fn close(self) {
        self.token.set_value(None);
        self.offer();
    }

    fn key(self, event: &ev::KeyboardEvent) -> bool {
        let plain = !(event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key());
        let key = event.key();
        match (self.assist.chosen.get_untracked(), &*key) {
            (_, _) if event.is_composing() || event.key_code() == 229 || !plain => false,
            (Some(at), "ArrowDown") => self.choose(at + 1),
            (Some(at), "ArrowUp") => {
                let last = self.offers.read_untracked().len().saturating_sub(1);
                self.choose(at.checked_sub(1).unwrap_or(last))
            }
            (Some(at), "Enter" | "Tab") => {
                self.take(at);
                true
            }
            (Some(_), "Escape") => {
                self.close();
                true
            }
            (None, "ArrowUp" | "ArrowDown") => self.recalls(key == "ArrowUp"),
            _ => false,
        }
    }

    fn choose(self, at: usize) -> bool {
        let count = self.offers.read_untracked().len();
        let at = if at < count { at } else { 0 };
        self.assist.chosen.set(Some(at));
        browser::reveal(&line_id(at));
        true
    }

    /// Brings back an earlier message if the caret is at the beginning.
    fn recalls(self, back: bool) -> bool {
        let (Some(field), Some(earlier)) = (self.assist.field.get_untracked(), self.assist.earlier)
        else {
            return false;
        };
        if selection(&field) != (0, 0) {
            return false;
        }
        let text = field.value();
        let found = self.recall.try_update_value(|recall| {
            let earlier = |n| earlier.run(n);
            if back {
                recall.back(&text, earlier)
            } else {
                recall.forth(&text, earlier)
            }
        });
        let found = found.flatten();
        if let Some(text) = &found {
            self.write(text, 0);
            self.close();
        }
        found.is_some()
    }

    /// Writes a text into the field.
    fn write(self, text: &str, caret: usize) {
        if let Some(field) = self.assist.field.get_untracked() {
            field.set_value(text);
            let caret = units(text, caret);
            browser::report(field.set_selection_range(caret, caret));
            self.assist.changed.run(());
        }
    }

    fn take(self, at: usize) {
        let offer = self.offers.read_untracked().get(at).cloned();
        let token = self.token.try_update_value(Option::take).flatten();
        let (Some(field), Some(offer), Some(token)) =
            (self.assist.field.get_untracked(), offer, token)
        else {
            return;
        };
        let text = field.value();
        let (by, command) = match offer.gives {
            Gives::Command(Slash::Search) => ("/search ".to_owned(), None),
            Gives::Command(command) => (String::new(), Some(command)),
            Gives::Text(kept) => (kept, None),
            Gives::Mention(of, words) => {
                let by = format!("{words} ");
                self.mention(of, words);
                (by, None)
            }
        };
        if let Some((text, caret)) = token.replace(&text, &by) {
            self.write(&text, caret);
        }
        self.offer();
        if let Some(command) = command {
            self.slash.run(command, "");
        }
    }

    fn mention(self, of: Reference, words: String) {
        let about = self.assist.about;
        let known = about.read_untracked().contains(&of);
        let full = about.read_untracked().len() >= MAX_REFERENCES;
        match (known, full) {
            (true, _) => {}
            (false, false) => {
                self.said
                    .update_value(|said| said.push((words, of.clone())));
                about.update(|list| list.push(of));
            }
            (false, true) => {
                let message = texts::too_many_mentions(MAX_REFERENCES);
                let error = ErrorBody::new(ErrorCode::Malformed, message);
                self.channel.toasts.error(error);
            }
        }
    }

    /// Takes back what a message refers to only by words that are no longer in it.
    fn forget(self, text: &str) {
        let about = self.assist.about;
        self.said.update_value(|said| {
            said.retain(|(words, of)| {
                let stays = text.contains(&**words);
                if !stays {
                    about.update(|list| list.retain(|known| known != of));
                }
                stays
            });
        });
    }

    /// Carries out a command that is the whole text.
    fn command(self, text: &str) -> bool {
        let Some((command, words)) = Slash::of(text) else {
            return false;
        };
        self.write("", 0);
        self.close();
        self.slash.run(command, words);
        true
    }

    fn list(self) -> AnyView {
        let Assist { chosen, .. } = self.assist;
        let line = move |(at, offer): (usize, AssistOffer)| {
            view! {
                <li
                    class="offer"
                    role="option"
                    id=line_id(at)
                    aria-selected=live(move || (chosen.get() == Some(at)).to_string())
                    // The field keeps the focus.
                    on:pointerdown=on(|event: ev::PointerEvent| event.prevent_default())
                    on:mousedown=on(|event: ev::MouseEvent| event.prevent_default())
                    on:click=press(move || self.take(at))
                >
                    <span class="offer__name" title=offer.name>{offer.name.clone()}</span>
                    <span class="offer__note" title=offer.note>{offer.note.clone()}</span>
                </li>
            }
            .into_any()
        };
        let counted = move || match self.offers.read().len() {
            0 => String::new(),
            count => texts::suggestions(count),
        };
        view! {
            <ul
                class="offers"
                id=LIST
                role="listbox"
                aria-label=texts::SUGGESTIONS
                hidden=live(move || chosen.get().is_none())
            >
                {each(
                    move || self.offers.get().into_iter().enumerate().collect(),
                    |(at, offer)| Key::of(format!("{at} {} {}", offer.name, offer.note)),
                    line,
                )}
            </ul>
            <p class="visually-hidden" role="status">
                {live_text(counted)}
            </p>
        }
        .into_any()
    }
}

fn selection(field: &web_sys::HtmlTextAreaElement) -> (u32, u32) {
    let place = |found: Result<Option<u32>, _>| found.ok().flatten().unwrap_or_default();
    (place(field.selection_start()), place(field.selection_end()))
}
