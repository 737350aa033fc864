//! The page of a run: its phase, its live log, its steps and its package.

use field_wire::{FieldRunEnd, FieldRunPage, FieldRunPart, FieldRunStep};
use kit::{
    effect,
    format::{duration, size, upright},
    live_view,
};
use leptos::prelude::*;

use super::{
    figures::{entry, fields, link, list, none, pane, person_note, phase, warnings},
    resolve::{CANNOT_TELL, FindingAsked, resolve},
    run_log::logs,
    shown_thing::{DrawnThing, ShownFieldThing},
    texts::pages as say,
};
use crate::panel_pieces::ago;

pub(super) fn draw(thing: &ShownFieldThing, page: FieldRunPage) -> DrawnThing {
    follow(thing, &page.run);
    let results = page.results.iter().map(|step| result(thing, step));
    let package = if page.package.is_empty() {
        none(say::NO_PACKAGE)
    } else {
        fields(&page.package)
    };
    let asked = match page.resolution.as_deref() {
        _ if page.run.unresolved => Some(FindingAsked::First),
        Some(CANNOT_TELL) => Some(FindingAsked::Later),
        _ => None,
    };
    let unresolved = asked.map(|asked| resolve(thing.finding, thing.acts, &thing.id, asked));
    let rest = view! {
        {unresolved}
        {pane("field-results", say::RESULTS, "", list(results.collect(), say::NO_RESULTS))}
        {logs(thing)}
        {limits(&page)}
        {pane("field-package", say::PACKAGE, "", package)}
    };
    DrawnThing {
        name: page.run.title.clone(),
        of: Some((page.run.device.clone(), page.device_name.clone())),
        site: page.site_name.clone(),
        head: head(thing, &page),
        rest: rest.into_any(),
        offers: page.offers,
        calls: Some(page.run.id),
    }
}

/// Reads the page again when a step or the run ends. Output alone is followed by the log.
fn follow(thing: &ShownFieldThing, shown: &FieldRunPart) {
    let thing = thing.clone();
    let place = |run: &FieldRunPart| (run.phase.clone(), run.step, run.unresolved);
    let now = {
        let (board, id) = (thing.board.clone(), thing.id.clone());
        Memo::new(move |_| board.runs.get(&id).map(|run| place(&run.read())))
    };
    let mut known = place(shown);
    effect(move || {
        if let Some(now) = now.get().filter(|now| *now != known) {
            known = now;
            thing.refetch();
        }
    });
}

fn head(thing: &ShownFieldThing, page: &FieldRunPage) -> AnyView {
    let (board, id, shown) = (thing.board.clone(), thing.id.clone(), page.run.clone());
    let now = live_view(move || {
        let run = board.runs.get(&id).map(|part| part.get());
        let run = run.unwrap_or_else(|| shown.clone());
        let cancel = (run.cancel_asked && run.ended.is_none())
            .then(|| view! { <span>{say::CANCEL_ASKED}</span> });
        let started = run
            .started
            .map(|at| view! { <span>{say::STARTED} {ago(Some(at))}</span> });
        let ended = run
            .ended
            .map(|at| view! { <span>{say::ENDED} {ago(Some(at))}</span> });
        view! {
            <p class="field-facts" role="status">
                {phase(&run)} {cancel}
            </p>
            <p class="field-facts">
                <span>{say::QUEUED} {ago(Some(run.queued))}</span>
                {started}
                {ended}
            </p>
        }
        .into_any()
    });
    let of = page.run.proposal.as_ref().zip(page.run.version);
    let of = of.map(|(id, version)| {
        view! { <p class="field-facts">{link(id, &say::version(version))}</p> }
    });
    view! {
        <section class="field-pane" aria-label=say::STATE>
            {now} {of} {warnings(words(page))} {resolved(page)}
        </section>
    }
    .into_any()
}

/// Sentences about an outcome that needs some.
fn words(page: &FieldRunPage) -> Vec<String> {
    let mut words = Vec::new();
    match (&page.reason, page.run.phase.as_str()) {
        (Some(why), "unknown") => words.push(say::unknown(why)),
        (Some(why), _) => words.push(why.clone()),
        (None, _) => {}
    }
    if page.never_ran {
        words.push(say::NEVER_RAN.to_owned());
    }
    if let Some(late) = &page.late {
        words.push(say::late(&late.how));
    }
    words
}

/// Draws each word of a person on it: by whom, when and why.
fn resolved(page: &FieldRunPage) -> Vec<AnyView> {
    let first = page.could_not_tell.as_ref().map(|it| (CANNOT_TELL, it));
    let last = page.resolution.as_deref().zip(page.resolved.as_ref());
    let words = first.into_iter().chain(last);
    let words = words.map(|(word, note)| {
        view! {
            {warnings(vec![say::resolution(word).to_owned()])}
            {person_note(note)}
        }
        .into_any()
    });
    words.collect()
}

/// Draws a step: how it ended, its values, its output.
fn result(thing: &ShownFieldThing, step: &FieldRunStep) -> AnyView {
    let (class, how, ms) = match &step.end {
        None => ("field-state", say::RUNS_NOW.to_owned(), None),
        Some(end) if end.good => ("field-state field-state--good", end.how.clone(), end.ms),
        Some(end) => ("field-state field-state--late", end.how.clone(), end.ms),
    };
    let lacks = step
        .lacks
        .as_ref()
        .filter(|_| step.end.is_some())
        .map(|why| {
            let why = upright(format!("{}{why}", say::NO_VALUES));
            view! { <p class="field-none">{why}</p> }
        });
    let output = (step.bytes > 0).then(|| {
        view! {
            <details class="field-fold">
                <summary>
                    {say::OUTPUT} " " <span class="field-facts">{size(step.bytes)}</span>
                </summary>
                {thing.look.text(step.pieces.clone())}
            </details>
        }
    });
    let title = upright(format!("{}. {}", step.number, step.step));
    view! {
        <li class="field-row">
            <span class="field-row__name">{title}</span>
            <span class="field-facts">
                <span class=class>{how}</span>
                <span>{ms.map(duration)}</span>
            </span>
            {fields(&step.fields)}
            {lacks}
            {output}
        </li>
    }
    .into_any()
}

/// Draws what the run used of its limits, once it is over.
fn limits(page: &FieldRunPage) -> AnyView {
    let Some(end) = &page.end else {
        return ().into_any();
    };
    let FieldRunEnd {
        how,
        wall_ms,
        cpu_ms,
        peak_bytes,
        output_bytes,
        ..
    } = end;
    let measured = |text: Option<String>| text.unwrap_or_else(|| say::NOT_MEASURED.to_owned());
    let entries = [
        (say::END, how.clone()),
        (say::SANDBOX, measured(page.sandbox.clone())),
        (say::TIME, measured(wall_ms.map(duration))),
        (say::PROCESSOR, measured(cpu_ms.map(duration))),
        (say::MEMORY, measured(peak_bytes.map(size))),
        (say::OUTPUT_SIZE, measured(output_bytes.map(size))),
    ];
    let entries = entries.into_iter();
    let entries = entries.map(|(label, value)| entry(label.to_owned(), value.into_any()));
    let content = view! { <dl class="field-fields">{entries.collect::<Vec<_>>()}</dl> };
    pane("field-limits", say::LIMITS, "", content.into_any())
}
