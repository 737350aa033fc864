//! The dialog that creates and removes links to a conversation.

use std::{any::Any, cell::RefCell, rc::Rc, time::Duration};

use kit::{
    CopyButton, Icon, Key, browser, each, effect, format, icon, live, live_text, live_view, on,
    press,
};
use leptos::{ev, html, mount::mount_to, prelude::*, wasm_split::wasm_split};
use protocol::{ConversationId, Share};

use crate::{
    api::{self, ApiError},
    channel::Channel,
    route::Page,
    texts::share as texts,
};

const ID: &str = "share";

/// Opens the dialog. Its code is loaded on first use.
pub(super) fn share(channel: Channel, id: ConversationId) {
    leptos::task::spawn_local(async move {
        if let Err(error) = show_share(channel, id).await {
            channel.toasts.error(error.0);
        }
    });
}

/// Opens it over the page. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(share, wasm_split_path = ::leptos::wasm_split, fallible)]
fn show_share(channel: Channel, id: ConversationId) -> Result<(), ApiError> {
    let Some(body) = document().body() else {
        return Ok(());
    };
    if document().get_element_by_id(ID).is_none() {
        let mounted = Rc::new(RefCell::new(None::<Box<dyn Any>>));
        let held = mounted.clone();
        // It is removed when it is closed, with everything it showed.
        let closed = move || {
            let held = held.clone();
            set_timeout(move || drop(held.take()), Duration::ZERO);
        };
        let handle = mount_to(body, move || {
            channel.provide();
            Links::new(channel, id).dialog(closed)
        });
        mounted.replace(Some(Box::new(handle)));
    }
    Ok(())
}

/// The state of the dialog.
#[derive(Clone, Copy)]
struct Links {
    channel: Channel,
    id: ConversationId,
    /// None until they arrive.
    all: RwSignal<Option<Vec<Share>>>,
    /// The link that was just created, and its address.
    made: RwSignal<Option<(String, String)>>,
    trouble: RwSignal<String>,
    said: RwSignal<&'static str>,
    busy: RwSignal<bool>,
    frame: NodeRef<html::Dialog>,
    life: NodeRef<html::Select>,
}

impl Links {
    fn new(channel: Channel, id: ConversationId) -> Self {
        let links = Self {
            channel,
            id,
            all: RwSignal::new(None),
            made: RwSignal::new(None),
            trouble: RwSignal::new(String::new()),
            said: RwSignal::new(""),
            busy: RwSignal::new(false),
            frame: NodeRef::new(),
            life: NodeRef::new(),
        };
        leptos::task::spawn_local(async move {
            match api::shares(id).await {
                Ok(all) => {
                    links.all.try_set(Some(all));
                }
                Err(error) => links.failed(error),
            }
        });
        links
    }

    fn failed(self, error: ApiError) {
        let help = error.0.help.unwrap_or_default();
        self.trouble.try_set(format!("{} {help}", error.0.message));
    }

    fn close(self) {
        if let Some(frame) = self.frame.get_untracked() {
            frame.close();
        }
    }

    fn make(self) {
        if self.busy.get_untracked() {
            return;
        }
        let life = self.life.get_untracked().map(|life| life.value());
        let days = life.and_then(|life| life.parse().ok());
        self.busy.set(true);
        self.trouble.set(String::new());
        self.said.set("");
        leptos::task::spawn_local(async move {
            match api::share(self.id, days).await {
                Ok(new) => {
                    let path = Page::Shared(new.token).path();
                    let origin = window().location().origin().unwrap_or_default();
                    let made = (new.share.id.clone(), format!("{origin}{path}"));
                    self.made.try_set(Some(made));
                    self.said.try_set(texts::LINK_CREATED);
                    self.all.try_update(|all| {
                        all.get_or_insert_default().insert(0, new.share);
                    });
                }
                Err(error) => self.failed(error),
            }
            self.busy.try_set(false);
        });
    }

    fn end(self, share: String) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.trouble.set(String::new());
        self.said.set("");
        leptos::task::spawn_local(async move {
            match api::unshare(self.id, share.clone()).await {
                Ok(()) => {
                    self.made.try_update(|made| {
                        made.take_if(|(id, _)| *id == share);
                    });
                    self.all.try_update(|all| {
                        if let Some(all) = all {
                            all.retain(|it| it.id != share);
                        }
                    });
                    self.said.try_set(texts::LINK_REVOKED);
                    browser::focus_on(".share__make");
                }
                Err(error) => self.failed(error),
            }
            self.busy.try_set(false);
        });
    }

    fn dialog(self, closed: impl Fn() + 'static) -> AnyView {
        effect(move || {
            if let Some(frame) = self.frame.get()
                && !frame.open()
            {
                browser::report(frame.show_modal());
            }
        });
        let make = on(move |event: ev::SubmitEvent| {
            event.prevent_default();
            self.make();
        });
        let busy = live(move || self.busy.get().then_some("true"));
        view! {
            <dialog
                class="dialog share"
                id=ID
                aria-labelledby="share-title"
                node_ref=self.frame
                on:close=on(move |_: ev::Event| closed())
            >
                <header class="share__head">
                    <h2 id="share-title">{texts::SHARE_THIS_CONVERSATION}</h2>
                    <button
                        type="button"
                        class="icon-button"
                        title=texts::CLOSE
                        on:click=press(move || self.close())
                    >
                        {icon(Icon::CLOSE)}
                        <span class="visually-hidden">{texts::CLOSE}</span>
                    </button>
                </header>
                <p class="share__note">
                    {texts::WHO_CAN_READ}
                </p>
                <form class="share__form" on:submit=make>
                    <label>
                        {texts::EXPIRES}
                        <select class="field" node_ref=self.life>
                            <option value="7">{texts::AFTER_7_DAYS}</option>
                            <option value="30">{texts::AFTER_30_DAYS}</option>
                            <option value="">{texts::NEVER_UNTIL_REVOKED}</option>
                        </select>
                    </label>
                    <button
                        type="submit"
                        class="button button--primary share__make"
                        aria-disabled=busy
                    >
                        {texts::CREATE_LINK}
                    </button>
                </form>
                {live_view(move || self.made.get().map(|(_, link)| new_link(link)).into_any())}
                <p class="visually-hidden" role="status">
                    {live_text(move || self.said.get().to_owned())}
                </p>
                <p
                    class="share__trouble"
                    role="alert"
                    hidden=live(move || self.trouble.read().is_empty())
                >
                    {live_text(move || self.trouble.get())}
                </p>
                <h3>{texts::LINKS_TO_THIS_CONVERSATION}</h3>
                <p class="share__note" hidden=live(move || self.count() != Some(0))>
                    {texts::NONE}
                </p>
                <ul class="share__list">
                    {each(
                        move || self.all.get().unwrap_or_default(),
                        |share| Key::of(share.id.clone()),
                        move |share| self.line(share),
                    )}
                </ul>
            </dialog>
        }
        .into_any()
    }

    fn count(self) -> Option<usize> {
        self.all.read().as_ref().map(Vec::len)
    }

    fn line(self, share: Share) -> AnyView {
        let clock = self.channel.clock;
        let (made, expires) = (share.made, share.expires);
        let made_text = move || match clock.second().map(|now| format::age(made, now)) {
            None => String::new(),
            Some(age) if age == "now" => texts::CREATED_JUST_NOW.to_owned(),
            Some(age) => texts::created_ago(&age),
        };
        let ends = move || match (expires, clock.second()) {
            (None, _) => texts::NEVER_EXPIRES.to_owned(),
            (_, None) => String::new(),
            (Some(expires), Some(now)) if expires <= now => texts::EXPIRED.to_owned(),
            (Some(expires), Some(now)) => {
                texts::expires_in(&format::span(format::between(now, expires) / 1000))
            }
        };
        let end = press(move || self.end(share.id.clone()));
        view! {
            <li class="share__line">
                <span>
                    <time title=browser::exact_time(made)>{live_text(made_text)}</time>
                    ", "
                    <time title=expires.map(browser::exact_time)>{live_text(ends)}</time>
                </span>
                <button type="button" class="button button--small" on:click=end>
                    {texts::REVOKE_LINK}
                </button>
            </li>
        }
        .into_any()
    }
}

/// Draws an address that is shown only this once.
fn new_link(link: String) -> AnyView {
    let copied = link.clone();
    let picture = format!(
        "/qr.svg?text={}",
        String::from(js_sys::encode_uri_component(&link))
    );
    view! {
        <div class="share__made">
            <label>
                {texts::LINK_IS_SHOWN_ONCE}
                <input class="field" readonly value=link />
            </label>
            <CopyButton label=texts::COPY_THE_LINK text=move || Some(copied.clone()) />
        </div>
        // Folded: a screen is read from afar.
        <details class="share__code">
            <summary>{texts::QR_CODE}</summary>
            <img src=picture alt=texts::QR_CODE_OF_THE_LINK width="224" height="224" loading="lazy" />
        </details>
    }
    .into_any()
}
