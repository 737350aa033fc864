//! `/field/keys`: fingerprints of all keys, and the enrolment tokens that are open. No secret.

use field_wire::{DeviceKeyRow, EnrolmentRow, FieldKeysPage, SigningKeyRow};
use kit::{ErrorCard, Failed, Loading, effect, format::upright, live_text, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{FromJson, PageAnswer};

use super::{
    address::{BOARD, PATH},
    figures::{entry, link, list, pane},
    texts,
    texts::{pages, people as say},
};
use crate::{
    api,
    panel_pieces::{ActsBeside, WHY_NOT, ago, moment},
};

#[component]
pub(super) fn KeysPage() -> impl IntoView {
    let part: Resource<_, Wire> = Resource::new_with_options(
        || (),
        |()| {
            let word = || "keys".to_owned();
            api::page(BOARD.to_owned(), word(), word(), word())
        },
        true,
    );
    // Outside of what is drawn again: a call goes on being shown.
    let acts = ActsBeside::new();
    {
        let ended = Memo::new(move |_| acts.at_rest());
        let mut known = Vec::new();
        effect(move || {
            let now = ended.get();
            if now != known {
                known = now;
                part.refetch();
            }
        });
    }
    let why = live_text(move || {
        let why = (!acts.is_barred()).then(|| acts.why_not()).flatten();
        why.unwrap_or_default()
    });
    let calls = acts.calls();
    view! {
        <Title text=say::KEYS />
        <div class="field-page" data-scroller="" tabindex="-1">
            <header class="field-page__head">
                <nav class="field-page__way" aria-label=pages::BREADCRUMB>
                    <a href=PATH>{texts::FIELD}</a>
                </nav>
                <h1>{say::KEYS}</h1>
            </header>
            <p class="field-facts" id=WHY_NOT role="status">
                {why}
            </p>
            {calls}
            <Transition fallback=|| view! { <Loading text=texts::LOADING /> }>
                {move || {
                    Suspend::new(async move {
                        match part.await {
                            Ok(answer) => drawn(acts, answer),
                            Err(error) => {
                                view! { <Failed heading=pages::CANNOT_BE_SHOWN error=error.0 retry=move || part.refetch() /> }
                                    .into_any()
                            }
                        }
                    })
                }}
            </Transition>
        </div>
    }
    .into_any()
}

fn drawn(acts: ActsBeside, answer: PageAnswer) -> AnyView {
    let Some(page) = FieldKeysPage::from_json(answer.value) else {
        let error = api::incompatible();
        return view! { <ErrorCard error /> }.into_any();
    };
    let open = page.enrolments.iter().map(|it| enrolment(acts, it));
    let signing = page.signing.iter().map(signing);
    let devices = page.devices.iter().map(device);
    view! {
        {root(&page)}
        {pane("field-enrolments", say::OPEN_TOKENS, say::OPEN_TOKENS_NOTE, list(open.collect(), say::NO_OPEN_TOKENS))}
        <div class="field-page__columns">
            <div class="field-page__column">
                {pane("field-signing", say::SIGNING_KEYS, "", list(signing.collect(), say::NO_KEYS))}
            </div>
            <div class="field-page__column">
                {pane("field-device-keys", say::DEVICE_KEYS, "", list(devices.collect(), say::NO_KEYS))}
            </div>
        </div>
    }
    .into_any()
}

fn root(page: &FieldKeysPage) -> AnyView {
    let key = view! { <code class="field-key">{page.root.clone()}</code> };
    let version = page.root_version.to_string();
    let place = if page.root_is_here {
        say::ROOT_IS_HERE
    } else {
        say::ROOT_IS_AWAY
    };
    let content = view! {
        <dl class="field-fields">
            {entry(say::FINGERPRINT.to_owned(), key.into_any())}
            {entry(say::ROOT_VERSION.to_owned(), version.into_any())}
            {entry(say::EXPIRES.to_owned(), moment(page.root_expires))}
        </dl>
        <p class="field-facts">{place}</p>
    };
    pane(
        "field-root",
        say::ROOT_KEY,
        say::ROOT_NOTE,
        content.into_any(),
    )
}

fn enrolment(acts: ActsBeside, row: &EnrolmentRow) -> AnyView {
    let buttons: Vec<_> = row.offers.iter().map(|it| acts.button(it)).collect();
    view! {
        <li class="field-row">
            <span class="field-row__name">{upright(row.name.clone())}</span>
            <span class="field-facts">
                <span>{upright(row.site_name.clone())}</span>
                <span>{say::EXPIRES_AT} {moment(row.expires)}</span>
                <span>{say::MADE} {ago(Some(row.made))}</span>
                <span>{upright(pages::by(&row.by))}</span>
            </span>
            {buttons}
        </li>
    }
    .into_any()
}

fn signing(row: &SigningKeyRow) -> AnyView {
    let (class, state) = match row.revoked {
        Some(_) => ("field-state field-state--late", say::REVOKED),
        None => ("field-state field-state--good", say::IN_USE),
    };
    let revoked = row.revoked.map(|at| view! { <span>{ago(Some(at))}</span> });
    view! {
        <li class="field-row">
            <span class="field-row__name">{say::role(&row.role)}</span>
            <span class="field-facts">
                <span class=class>{state}</span>
                {revoked}
                <span>{say::MADE} {ago(Some(row.since))}</span>
            </span>
            <code class="field-key">{row.fingerprint.clone()}</code>
        </li>
    }
    .into_any()
}

fn device(row: &DeviceKeyRow) -> AnyView {
    let standing = (row.standing != "adopted").then(|| {
        view! { <span class="field-state field-state--late">{texts::standing(&row.standing)}</span> }
    });
    view! {
        <li class="field-row">
            <span class="field-row__name">{link(&row.device, &row.name)}</span>
            <span class="field-facts">
                {standing} <span>{upright(row.site_name.clone())}</span>
            </span>
            <code class="field-key">{row.fingerprint.clone()}</code>
        </li>
    }
    .into_any()
}
