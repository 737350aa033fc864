//! The dialog that saves a text as a prompt.

use kit::{browser, effect, live, live_text, on, press};
use leptos::{ev, html, prelude::*};
use protocol::{MAX_PROMPT_NAME, Prompt};

use crate::{api, texts::assist as texts};

#[derive(Clone, Copy)]
pub(super) struct Save {
    prompts: RwSignal<Vec<Prompt>>,
    /// The text to save, while the dialog is open.
    text: RwSignal<Option<String>>,
    said: RwSignal<String>,
    busy: RwSignal<bool>,
    frame: NodeRef<html::Dialog>,
    name: NodeRef<html::Input>,
}

impl Save {
    pub(super) fn new(prompts: RwSignal<Vec<Prompt>>) -> Self {
        Self {
            prompts,
            text: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            busy: RwSignal::new(false),
            frame: NodeRef::new(),
            name: NodeRef::new(),
        }
    }

    /// Asks for a name for a text.
    pub(super) fn open(self, text: String) {
        self.said.set(String::new());
        self.text.set(Some(text));
        if let Some(frame) = self.frame.get_untracked()
            && !frame.open()
        {
            browser::report(frame.show_modal());
            // Otherwise the browser would focus the link above it.
            if let Some(name) = self.name.get_untracked() {
                browser::report(name.focus());
            }
        }
    }

    fn close(self) {
        if let Some(frame) = self.frame.get_untracked() {
            frame.close();
        }
    }

    fn keep(self) {
        let (Some(name), Some(text)) = (self.name.get_untracked(), self.text.get_untracked())
        else {
            return;
        };
        let field = name.value();
        let name = field.trim().trim_start_matches('/').to_owned();
        let prompt = Prompt { name, text };
        if let Some(problem) = prompt.problem() {
            self.said.set(problem);
            return;
        }
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        leptos::task::spawn_local(async move {
            let kept = api::keep_prompt(prompt.name, prompt.text).await;
            self.busy.try_set(false);
            match kept {
                Ok(kept) => {
                    self.prompts.try_set(kept);
                    self.close();
                }
                Err(error) => {
                    let help = error.0.help.unwrap_or_default();
                    self.said.try_set(format!("{} {help}", error.0.message));
                }
            }
        });
    }

    pub(super) fn dialog(self) -> AnyView {
        // Empties the field for the next prompt.
        effect(move || {
            let open = self.text.read().is_some();
            if let Some(name) = self.name.get()
                && open
            {
                name.set_value("");
            }
        });
        let keep = on(move |event: ev::SubmitEvent| {
            event.prevent_default();
            event.stop_propagation();
            self.keep();
        });
        let closed = on(move |_: ev::Event| {
            self.text.set(None);
            browser::focus_on(".composer__field");
        });
        view! {
            <dialog class="dialog keep" aria-labelledby="keep-title" node_ref=self.frame on:close=closed>
                <h2 id="keep-title">{texts::SAVE_AS_PROMPT}</h2>
                <p class="keep__note">
                    {texts::HOW_TO_INSERT_A_PROMPT} <a href="/settings/prompts">{texts::ALL_PROMPTS}</a>
                </p>
                <form on:submit=keep>
                    <label>
                        {texts::NAME}
                        <input
                            node_ref=self.name
                            class="field"
                            autocomplete="off"
                            autocapitalize="none"
                            spellcheck="false"
                            maxlength=MAX_PROMPT_NAME.to_string()
                            placeholder="morning-check"
                        />
                    </label>
                    <p class="keep__said" role="alert" hidden=live(move || self.said.read().is_empty())>
                        {live_text(move || self.said.get())}
                    </p>
                    <p class="keep__buttons">
                        <button type="submit" class="button button--primary">
                            {texts::SAVE}
                        </button>
                        <button type="button" class="button" on:click=press(move || self.close())>
                            {texts::CANCEL}
                        </button>
                    </p>
                </form>
            </dialog>
        }
        .into_any()
    }
}
