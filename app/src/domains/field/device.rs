//! The page of a device.

use field_wire::{
    DeviceProgram, FieldDevicePage, FieldDevicePart, FieldLookRow, FieldProposalRow, SandboxRow,
};
use kit::{ErrorCard, effect, format::upright, live_view};
use leptos::prelude::*;

use super::{
    figures::{bundle_row, entry, fields, link, list, none, pane, person_note, run_row, warnings},
    shown_thing::{DrawnThing, ShownFieldThing},
    texts,
    texts::pages as say,
};
use crate::panel_pieces::ago;

pub(super) fn draw(thing: &ShownFieldThing, page: FieldDevicePage) -> DrawnThing {
    thing.look.note(&page.tokens);
    follow(thing);
    let proposals = page.proposals.iter().map(proposal);
    let runs = page.runs.iter().map(run_row);
    let bundles = page.bundles.iter().map(bundle_row);
    let facts = if page.facts.is_empty() {
        none(say::NO_FACTS)
    } else {
        fields(&page.facts)
    };
    let rest = view! {
        <div class="field-page__columns">
            <div class="field-page__column">
                {pane("field-bundles", texts::BUNDLES, "", list(bundles.collect(), texts::NO_BUNDLES))}
                {pane(
                    "field-proposals",
                    say::PROPOSALS,
                    "",
                    list(proposals.collect(), say::NO_PROPOSALS),
                )}
                {pane("field-runs", texts::RUNS, "", list(runs.collect(), texts::NO_RUNS))}
            </div>
            <div class="field-page__column">
                {pane("field-facts", say::FACTS, "", facts)} {sandboxes(&page)} {looks(thing)}
            </div>
        </div>
    };
    DrawnThing {
        name: page.device.name.clone(),
        of: None,
        site: page.site_name.clone(),
        head: head(thing, &page),
        rest: rest.into_any(),
        offers: page.offers,
        calls: Some(page.device.name),
    }
}

/// Reads the page again when something came from the device.
fn follow(thing: &ShownFieldThing) {
    let thing = thing.clone();
    let news = {
        let (board, id) = (thing.board.clone(), thing.id.clone());
        Memo::new(move |_| {
            let mut news = Vec::new();
            board.runs.visit(|_, run| {
                if run.device == id {
                    news.push((run.id.clone(), run.phase.clone()));
                }
            });
            board.bundles.visit(|_, bundle| {
                if bundle.device.as_ref() == Some(&id) {
                    news.push((bundle.id.clone(), String::new()));
                }
            });
            let device = board.devices.get(&id).map(|part| part.get());
            let state = device.map(|device| (device.online, device.standing, device.proposed));
            (state, news)
        })
    };
    // The first board is what the page shows already, and before it there is none.
    let mut known = None;
    effect(move || {
        let now = news.get();
        if now == (None, Vec::new()) {
            return;
        }
        let is_news = known.as_ref().is_some_and(|known| *known != now);
        known = Some(now);
        if is_news {
            thing.refetch();
        }
    });
}

/// Draws the state of a device: its contact, and its standing unless it is adopted.
pub(super) fn state(device: &FieldDevicePart) -> AnyView {
    let standing = (device.standing != "adopted").then(|| {
        view! { <span class="field-state field-state--late">{texts::standing(&device.standing)}</span> }
    });
    let tags = (!device.tags.is_empty()).then(|| {
        let tags = upright(device.tags.join(", "));
        view! { <span>{tags}</span> }
    });
    let (class, word) = if device.online {
        ("field-state field-state--good", texts::ONLINE)
    } else {
        ("field-state field-state--late", texts::OFFLINE)
    };
    let heard = (!device.online).then(|| {
        view! { <span>{texts::LAST_HEARD} {ago(device.last_seen)}</span> }
    });
    view! {
        <span class=class>{word}</span>
        {standing}
        {heard}
        {tags}
    }
    .into_any()
}

fn head(thing: &ShownFieldThing, page: &FieldDevicePage) -> AnyView {
    let (board, id, shown) = (thing.board.clone(), thing.id.clone(), page.device.clone());
    let retired = page.retired.clone();
    let now = live_view(move || {
        let device = board.devices.get(&id).map(|part| part.get());
        let device = device.unwrap_or_else(|| shown.clone());
        let attention = device.attention.iter().map(|it| it.text.clone());
        let attention = attention.chain(device.gaps.iter().cloned());
        view! {
            <p class="field-facts">{state(&device)}</p>
            {retired.as_ref().map(person_note)}
            {warnings(attention.collect())}
            {runner(device.program.as_ref())}
        }
        .into_any()
    });
    let key = view! { <code>{page.fingerprint.clone()}</code> };
    view! {
        <section class="field-pane" aria-label=say::STATE>
            {now}
            <dl class="field-fields">{entry(say::KEY.to_owned(), key.into_any())}</dl>
        </section>
    }
    .into_any()
}

/// Draws the program of the device's runner, and the update that failed.
fn runner(program: Option<&DeviceProgram>) -> AnyView {
    let version = match program {
        Some(program) => upright(say::runner_version(&program.version)),
        None => say::RUNNER_UNKNOWN.to_owned(),
    };
    let failed = program.and_then(|program| program.failed.as_ref());
    let failed = failed.map(|it| {
        let text = say::failed_update(&it.version, &it.reason, it.tries, it.retried);
        entry(say::FAILED_UPDATE.to_owned(), upright(text).into_any())
    });
    view! {
        <dl class="field-fields">
            {entry(say::RUNNER.to_owned(), version.into_any())} {failed}
        </dl>
    }
    .into_any()
}

fn proposal(row: &FieldProposalRow) -> AnyView {
    view! {
        <li class="field-row">
            <span class="field-row__name">{link(&row.id, &row.title)}</span>
            <span class="field-facts">
                <span>{say::newest_version(row.newest)}</span>
                {ago(Some(row.changed))}
            </span>
        </li>
    }
    .into_any()
}

fn sandboxes(page: &FieldDevicePage) -> AnyView {
    let rows = page.sandboxes.iter().map(|row: &SandboxRow| {
        let limits = say::enforces(&row.limits.join(", "));
        let lacks = (!row.lacks.is_empty()).then(|| say::cannot_enforce(&row.lacks.join(", ")));
        view! {
            <li class="field-row">
                <span class="field-row__name">{row.level.clone()}</span>
                <span class="field-facts">{limits}</span>
                {warnings(lacks.into_iter().collect())}
            </li>
        }
        .into_any()
    });
    let content = list(rows.collect(), say::NO_SANDBOXES);
    pane("field-sandboxes", say::SANDBOXES, "", content)
}

fn looks(thing: &ShownFieldThing) -> AnyView {
    let answer = thing.remote::<Vec<FieldLookRow>>("looks".to_owned());
    let content = live_view(move || match &*answer.read() {
        None => none(texts::LOADING),
        Some(Err(error)) => {
            let error = error.clone();
            view! { <ErrorCard error /> }.into_any()
        }
        Some(Ok(looks)) => {
            let lines = looks.iter().map(|look| {
                // Its last word is the thing whose page had them, unless that was a card.
                let id = look.place.rsplit(' ').next().unwrap_or_default();
                let shown = link(id, &say::values_shown(look.shown, &look.place));
                view! {
                    <li class="field-row">
                        <span class="field-facts">
                            <span>{shown}</span>
                            <span>{say::by(&look.person)}</span>
                            {ago(Some(look.at))}
                        </span>
                    </li>
                }
                .into_any()
            });
            list(lines.collect(), say::NO_LOOKS)
        }
    });
    pane("field-looks", say::LOOKS, say::LOOKS_NOTE, content)
}
