//! Looks at values behind tokens: asked for by a person, recorded by the server, and gone with the page.

use std::collections::BTreeSet;

use field_wire::RevealedToken;
use kit::{ErrorCard, effect, format::exposed, live, live_text, live_view, press};
use leptos::prelude::*;
use protocol::ErrorBody;

use super::{figures::pane, part_answer::read_part, texts::pages as say};
use crate::channel::Channel;

/// Values of one look, as many as the server gives.
const MOST: usize = 500;

/// The tokens on a page, and the values that a person asked for.
#[derive(Clone, Copy)]
pub(super) struct ValueLook {
    id: StoredValue<String>,
    tokens: StoredValue<BTreeSet<String>>,
    answer: RwSignal<Option<Result<Vec<RevealedToken>, ErrorBody>>>,
    asking: RwSignal<bool>,
    /// True after a press on a page without tokens.
    nothing: RwSignal<bool>,
}

impl ValueLook {
    pub(super) fn new(id: &str) -> Self {
        let look = Self {
            id: StoredValue::new(id.to_owned()),
            tokens: StoredValue::default(),
            answer: RwSignal::new(None),
            asking: RwSignal::new(false),
            nothing: RwSignal::new(false),
        };
        effect(move || {
            if look.answer.read().is_some() {
                look.asking.set(false);
            }
        });
        look
    }

    /// Notes tokens that are on the page.
    pub(super) fn note<'a>(self, tokens: impl IntoIterator<Item = &'a String>) {
        self.tokens
            .update_value(|known| known.extend(tokens.into_iter().cloned()));
    }

    /// Draws the button; a viewer's says why it does nothing.
    pub(super) fn button(self) -> AnyView {
        let channel = expect_context::<Channel>();
        let act = press(move || {
            if channel.bars().is_some() || self.asking.get_untracked() {
                return;
            }
            let tokens = self.tokens.get_value().into_iter().take(MOST);
            let tokens = tokens.collect::<Vec<_>>().join(",");
            self.nothing.set(tokens.is_empty());
            if !tokens.is_empty() {
                self.asking.set(true);
                let part = format!("values/{tokens}");
                self.id.with_value(|id| read_part(id, part, self.answer));
            }
        });
        let barred = live(move || channel.bars().map(|_| "true"));
        let title = live(move || channel.bars().unwrap_or(say::VALUES_MEAN));
        let text = live_text(move || {
            let text = if self.asking.get() {
                say::ASKING
            } else {
                say::SHOW_VALUES
            };
            text.to_owned()
        });
        view! {
            <button
                type="button"
                class="button button--small"
                aria-disabled=barred
                title=title
                on:click=act
            >
                {text}
            </button>
        }
        .into_any()
    }

    /// Draws the values that were given, or why there are none.
    pub(super) fn values(self) -> AnyView {
        let content = live_view(move || match self.answer.get() {
            None if self.nothing.get() => {
                view! { <p class="field-none">{say::NO_TOKENS}</p> }.into_any()
            }
            None => ().into_any(),
            Some(Err(error)) => view! { <ErrorCard error /> }.into_any(),
            Some(Ok(values)) => {
                let entries = values.iter().map(|it| {
                    view! {
                        <div class="field-fields__entry">
                            <dt>
                                <code>{it.token.clone()}</code>
                            </dt>
                            <dd>{exposed(&it.value)}</dd>
                        </div>
                    }
                    .into_any()
                });
                let list = view! { <dl class="field-fields">{entries.collect::<Vec<_>>()}</dl> };
                pane(
                    "field-values",
                    say::VALUES,
                    say::LOOKS_NOTE,
                    list.into_any(),
                )
            }
        });
        view! { <div class="field-page__values" aria-live="polite">{content}</div> }.into_any()
    }

    /// Draws a text in pieces: every other one is a token, with its value beside it once it is known.
    pub(super) fn text(self, pieces: Vec<String>) -> AnyView {
        self.note(pieces.iter().skip(1).step_by(2));
        let content = live_view(move || {
            let answer = self.answer.read();
            let values = answer.as_ref().and_then(|it| it.as_ref().ok());
            let value = |token: &str| {
                let mut values = values.into_iter().flatten();
                values.find(|it| it.token == token).map(|it| &it.value)
            };
            let drawn = pieces.iter().enumerate().map(|(at, piece)| {
                if at % 2 == 0 {
                    return plain(piece).into_any();
                }
                let value = value(piece).map(|value| {
                    view! { <b class="field-token__value">{exposed(value)}</b> }
                });
                view! { <span class="field-token">{piece.clone()} " " {value}</span> }.into_any()
            });
            drawn.collect::<Vec<_>>().into_any()
        });
        view! { <pre class="field-text" tabindex="0">{content}</pre> }.into_any()
    }
}

/// Writes out control characters but ends of lines and tabs, and what turns the reading direction.
fn plain(text: &str) -> String {
    let hides = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn output_cannot_act_on_the_page() {
        let shown = plain("ok\r\n\u{1b}[2Jgone\u{202e}x\ty");
        assert_eq!(shown, "ok\\u{d}\n\\u{1b}[2Jgone\\u{202e}x\ty");
    }
}
