//! Search results: titles and messages, best first.

use kit::{
    ErrorCard, Key, browser, each, effect,
    format::{age, upright},
    live, live_text, live_view, on, press,
};
use leptos::{ev, prelude::*};
use protocol::{ErrorBody, SearchHit, SearchSpan, Shelf};
use transcript::RowKey;
use wasm_bindgen::{JsCast, JsValue};

use super::{Finder, Looking};
use crate::{
    api,
    channel::Channel,
    chat::anchor,
    layout::Layout,
    route::{Page, Route},
    sidebar_item::line_marks,
    texts::{common, palette as texts},
};

/// A hit, with the number of its search: another search marks other words.
#[derive(Clone)]
struct Hit {
    question: u64,
    place: usize,
    hit: SearchHit,
}

/// The results of a search.
#[derive(Clone, Copy)]
pub(super) struct FinderHits {
    finder: Finder,
    hits: RwSignal<Vec<Hit>>,
    more: RwSignal<bool>,
    asking: RwSignal<bool>,
    trouble: RwSignal<Option<ErrorBody>>,
    /// Number of the latest search, so that a late answer to an earlier one is ignored.
    question: StoredValue<u64>,
}

impl FinderHits {
    pub(super) fn new(finder: Finder) -> Self {
        let found = Self {
            finder,
            hits: RwSignal::new(Vec::new()),
            more: RwSignal::new(false),
            asking: RwSignal::new(true),
            trouble: RwSignal::new(None),
            question: StoredValue::new(0),
        };
        effect(move || {
            let looking = finder.looking.get();
            found.question.update_value(|question| *question += 1);
            if let Looking::For(words) = looking {
                found.ask(words, 0);
            }
        });
        found
    }

    /// Requests hits after the first `skip`.
    fn ask(self, words: String, skip: usize) {
        let question = self.question.get_value();
        self.asking.set(true);
        leptos::task::spawn_local(async move {
            let answer = api::search(words, u32::try_from(skip).unwrap_or(u32::MAX)).await;
            if self.question.try_get_value() != Some(question) {
                return;
            }
            self.asking.try_set(false);
            match answer {
                Ok(page) => {
                    self.trouble.try_set(None);
                    self.more.try_set(page.more);
                    let new = page.hits.into_iter().zip(skip..).map(|(hit, place)| Hit {
                        question,
                        place,
                        hit,
                    });
                    self.hits.try_update(|hits| {
                        hits.truncate(skip);
                        hits.extend(new);
                    });
                }
                Err(error) => {
                    self.trouble.try_set(Some(error.0));
                }
            }
        });
    }

    fn ask_more(self) {
        let looking = self.finder.looking.get_untracked();
        if let Looking::For(words) = looking {
            self.ask(words, self.hits.with_untracked(Vec::len));
        }
    }
}

pub(super) fn found(found: FinderHits) -> AnyView {
    let words = live_text(move || match found.hits.read().len() {
        0 if found.asking.get() => common::LOADING.to_owned(),
        0 => texts::NO_RESULTS_TRY_FEWER_WORDS.to_owned(),
        count if count > 1 && found.more.get() => texts::first_matches(count),
        count => texts::matches(count),
    });
    let busy = live(move || {
        let busy = found.asking.get() || found.finder.typing.get();
        busy.then_some("true")
    });
    let key = |hit: &Hit| Key::of(format!("{}/{}", hit.question, hit.place));
    view! {
        <div class="finder" aria-busy=busy on:keydown=on(move |event| keys(&event))>
            <div class="finder__head">
                <p role="status">{words}</p>
            </div>
            {live_view(move || {
                found.trouble.get().map(|error| view! { <ErrorCard error /> }).into_any()
            })}
            <ul class="finder__hits" aria-label=texts::RESULTS>
                {each(move || found.hits.get(), key, |hit| row(hit.hit))}
            </ul>
            <button
                type="button"
                class="button button--quiet sidebar__more"
                hidden=live(move || !found.more.get())
                disabled=live(move || found.asking.get())
                on:click=press(move || found.ask_more())
            >
                {texts::SHOW_MORE}
            </button>
        </div>
    }
    .into_any()
}

fn row(hit: SearchHit) -> AnyView {
    let route = expect_context::<Route>();
    let layout = expect_context::<Layout>();
    let channel = expect_context::<Channel>();
    let id = hit.conversation;
    let anchor = hit.message.and_then(|message| {
        anchor(match hit.block {
            None => RowKey::User(message),
            Some(block) => RowKey::Block(message, block),
        })
    });
    let path = Page::Chat(id).path();
    let href = match &anchor {
        Some(anchor) => format!("{path}#{anchor}"),
        None => path,
    };
    let address = href.clone();
    let open = on(move |event: ev::MouseEvent| {
        if event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key() {
            // Opens in another tab or window.
            return;
        }
        event.prevent_default();
        layout.drawer.set(false);
        route.go(Page::Chat(id));
        if let Some(anchor) = &anchor {
            let history = window().history();
            browser::report(history.and_then(|history| {
                history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
            }));
            channel.opened.wanted.set(Some((id, anchor.clone())));
        }
    });
    let whole = upright(hit.title.clone());
    let title = match hit.message {
        // The title itself contains the words.
        None => spans(hit.spans.clone()),
        Some(_) => upright(hit.title.clone()).into_any(),
    };
    let snippet = hit
        .message
        .map(|_| view! { <span class="finder__snippet">{spans(hit.spans)}</span> });
    let archived = (hit.shelf == Shelf::Archived)
        .then(|| view! { <span class="finder__mark">{texts::ARCHIVED}</span> });
    let at = hit.at;
    let age = live_text(move || age(at, channel.clock.second().unwrap_or_else(browser::now)));
    view! {
        <li>
            <a href=href class="finder__link" on:click=open>
                <span class="finder__title" title=whole>{title}</span>
                {line_marks(id)}
                {archived}
                <time class="finder__age">{age}</time>
                {snippet}
            </a>
        </li>
    }
    .into_any()
}

/// Draws plain text, whatever it contains.
fn spans(spans: Vec<SearchSpan>) -> AnyView {
    let pieces = spans.into_iter().map(|span| {
        let text = upright(span.text);
        if span.marked {
            view! { <mark>{text}</mark> }.into_any()
        } else {
            text.into_any()
        }
    });
    pieces.collect::<Vec<_>>().into_any()
}

/// Moves up and down among the hits, and back to the field.
fn keys(event: &ev::KeyboardEvent) {
    let down = match &*event.key() {
        "ArrowDown" => true,
        "ArrowUp" => false,
        "Escape" => {
            event.prevent_default();
            event.stop_propagation();
            return to_field();
        }
        _ => return,
    };
    let target = event.target();
    let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let Some(line) = element.and_then(|element| element.closest("li").ok().flatten()) else {
        return;
    };
    event.prevent_default();
    let next = if down {
        line.next_element_sibling()
    } else {
        line.previous_element_sibling()
    };
    let link = next.and_then(|next| next.query_selector("a").ok().flatten());
    match link.and_then(|link| link.dyn_into::<web_sys::HtmlElement>().ok()) {
        Some(link) => browser::report(link.focus()),
        None if down => {}
        None => to_field(),
    }
}

fn to_field() {
    browser::first("#search", |field| browser::report(field.focus()));
}
