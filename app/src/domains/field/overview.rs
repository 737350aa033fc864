//! `/field`: the devices of all sites, the newest runs and diagnostics.

use kit::{Failed, Key, Loading, each, live, live_view, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{BoardPage, Reference};

use super::{
    add_device::add_device,
    address::{BOARD, KEYS, PATH},
    board::FieldShelf,
    figures::{bundle_row, link, list, none, pane, run_row, warnings},
    pending::pending,
    public_addresses::public_addresses,
    texts,
};
use crate::{
    api,
    channel::{Channel, Connection},
    dock::{ask_why, question},
    frame::NOTICES,
    panel_pieces::{is_away, open_notices},
};

/// Rows of a list.
const ROWS: usize = 12;

#[component]
pub(super) fn OverviewPage() -> impl IntoView {
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    view! {
        <Title text=texts::FIELD_DEVICES />
        <Suspense fallback=|| view! { <Loading text=texts::LOADING /> }>
            {move || Suspend::new(async move {
                page.await.map_or_else(
                    |error| {
                        view! { <Failed heading=texts::FIELD_CANNOT_BE_SHOWN error=error.0 retry=move || page.refetch() /> }.into_any()
                    },
                    overview,
                )
            })}
        </Suspense>
    }
    .into_any()
}

fn overview(page: BoardPage) -> AnyView {
    let channel = expect_context::<Channel>();
    let simulated = page.system.simulated;
    let board = FieldShelf::live(page.parts);
    let stale = live(move || is_away(channel));
    let mark = simulated.then(|| view! { <span class="mark">{texts::SIMULATED}</span> });
    view! {
        <div class="field-page" class:field-page--past=stale data-scroller="" tabindex="-1">
            <header class="field-page__head">
                <h1>{texts::FIELD_DEVICES}</h1>
                {mark}
                <div class="field-page__slot">
                    <a class="field-link" href=KEYS>
                        {texts::people::KEYS}
                    </a>
                </div>
                {freshness(&board)}
            </header>
            {pending(&board)}
            {notices(&board)}
            <div class="field-page__columns">
                <div class="field-page__column">{sites(&board)} {add_device(&board)}</div>
                <div class="field-page__column">{runs(&board)} {bundles(&board)}</div>
            </div>
        </div>
    }
    .into_any()
}

fn freshness(board: &FieldShelf) -> AnyView {
    let channel = expect_context::<Channel>();
    let freshness = board.freshness.clone();
    live_view(move || {
        let unread = freshness.get("").and_then(|part| part.get().unread);
        let mut notes: Vec<_> = unread.iter().map(|why| texts::out_of_date(why)).collect();
        if channel.connection.get() == Connection::Offline {
            notes.push(texts::NOT_LIVE.to_owned());
        }
        warnings(notes)
    })
}

/// Draws a pane for each site.
fn sites(board: &FieldShelf) -> AnyView {
    let names = {
        let sites = board.sites.clone();
        Memo::new(move |_| {
            let mut names = Vec::new();
            sites.visit(|id, site| names.push((site.name.clone(), id.to_owned())));
            names.sort();
            names
        })
    };
    let empty = live_view(move || {
        let is_empty = names.read().is_empty();
        is_empty.then(|| none(texts::NO_SITES)).into_any()
    });
    let board = board.clone();
    let panes = each(
        move || names.get(),
        |site| Key::of(site.clone()),
        move |(name, id)| site(&board, name, id),
    );
    view! {
        {empty}
        {panes}
    }
    .into_any()
}

fn site(board: &FieldShelf, name: String, id: String) -> AnyView {
    let here = {
        let (devices, id) = (board.devices.clone(), id.clone());
        Memo::new(move |_| {
            let mut here = Vec::new();
            devices.visit(|_, device| {
                if device.site == id {
                    here.push((device.name.clone(), device.id.clone(), device.online));
                }
            });
            here.sort();
            here
        })
    };
    let count = live_view(move || {
        let here = here.read();
        let online = here.iter().filter(|(_, _, online)| *online).count();
        texts::devices(online, here.len()).into_any()
    });
    let empty = live_view(move || {
        let is_empty = here.read().is_empty();
        is_empty.then(|| none(texts::NO_DEVICES)).into_any()
    });
    let asked = questions(board, &id);
    let choice = public_addresses(board, &id);
    let board = board.clone();
    let rows = each(
        move || here.get(),
        |(_, id, _)| Key::of(id.clone()),
        move |(_, id, _)| {
            let board = board.clone();
            view! { <li class="field-row">{live_view(move || device(&board, &id))}</li> }.into_any()
        },
    );
    let heading = format!("field-site-{id}");
    view! {
        <section class="field-pane" aria-labelledby=heading>
            <header class="field-pane__head">
                <h2 id=heading.clone()>{kit::format::upright(name)}</h2>
                <span class="field-facts">{count}</span>
            </header>
            {empty}
            <ul class="field-list">{rows}</ul>
            {asked}
            {choice}
        </section>
    }
    .into_any()
}

/// Draws questions about a site. A conversation has the tools for field devices if it begins at one: these begin
/// at the device that most needs somebody.
fn questions(board: &FieldShelf, site: &str) -> AnyView {
    let first = {
        let (devices, site) = (board.devices.clone(), site.to_owned());
        Memo::new(move |_| {
            let mut first = None;
            devices.visit(|id, device| {
                if device.site == site {
                    let (calm, online) = (device.attention.is_empty(), device.online);
                    let other = (calm, online, device.name.clone(), id.to_owned());
                    if first.as_ref().is_none_or(|first| other < *first) {
                        first = Some(other);
                    }
                }
            });
            first.map(|(.., id)| id)
        })
    };
    live_view(move || {
        let Some(id) = first.get() else {
            return ().into_any();
        };
        let about = Reference::new("device", id);
        let buttons = texts::QUESTIONS.map(|text| question(about.clone(), text));
        let buttons = Vec::from(buttons);
        view! {
            <div class="field-questions" role="group" aria-label=texts::QUESTIONS_OF_A_SITE>
                {buttons}
            </div>
        }
        .into_any()
    })
}

/// Draws a device, its last contact, and what needs somebody.
fn device(board: &FieldShelf, id: &str) -> AnyView {
    let Some(device) = board.devices.get(id) else {
        return ().into_any();
    };
    let device = device.get();
    let state = super::device::state(&device);
    let why = (!device.attention.is_empty()).then(|| ask_why(Reference::new("device", id)));
    let attention = device.attention.into_iter().map(|it| it.text);
    view! {
        <span class="field-row__name">{link(id, &device.name)}</span>
        <span class="field-facts">{state}</span>
        {warnings(attention.collect())}
        {why}
    }
    .into_any()
}

fn runs(board: &FieldShelf) -> AnyView {
    let board = board.clone();
    let content = live_view(move || {
        let mut runs: Vec<_> = board.runs.all().into_iter().map(|(_, run)| run).collect();
        // Open ones first, then the newest.
        runs.sort_by_key(|run| {
            let is_over = run.ended.is_some() && !run.unresolved;
            (is_over, std::cmp::Reverse(run.queued))
        });
        let lines = runs.iter().take(ROWS).map(run_row);
        list(lines.collect(), texts::NO_RUNS)
    });
    pane("field-runs", texts::RUNS, "", content)
}

fn bundles(board: &FieldShelf) -> AnyView {
    let board = board.clone();
    let content = live_view(move || {
        let bundles = board.bundles.all().into_iter();
        let mut bundles: Vec<_> = bundles.map(|(_, bundle)| bundle).collect();
        bundles.sort_by_key(|bundle| std::cmp::Reverse(bundle.received));
        let lines = bundles.iter().take(ROWS).map(bundle_row);
        list(lines.collect(), texts::NO_BUNDLES)
    });
    pane("field-bundles", texts::BUNDLES, "", content)
}

fn notices(board: &FieldShelf) -> AnyView {
    view! {
        <section class="field-pane" id=NOTICES tabindex="-1" aria-labelledby="field-notices">
            <header class="field-pane__head">
                <h2 id="field-notices">{texts::NOTICES}</h2>
            </header>
            {open_notices(board.notices.clone(), PATH, texts::NO_NOTICES)}
        </section>
    }
    .into_any()
}
