//! Pieces that all pages share: panes, links, facts, rows of runs and bundles.

use field_wire::{FieldBundlePart, FieldRunPart, PersonNote};
use kit::{dated, format::upright};
use leptos::prelude::*;
use protocol::Fact;

use super::{
    address::{label, path_of},
    texts,
};
use crate::panel_pieces::ago;

pub(super) fn pane(id: &'static str, title: &str, note: &'static str, content: AnyView) -> AnyView {
    view! {
        <section class="field-pane" aria-labelledby=id>
            <header class="field-pane__head">
                <h2 id=id>{upright(title.to_owned())}</h2>
                <span class="field-facts">{note}</span>
            </header>
            {content}
        </section>
    }
    .into_any()
}

pub(super) fn none(text: &'static str) -> AnyView {
    view! { <p class="field-none">{text}</p> }.into_any()
}

/// Draws a list, or the sentence that there is nothing.
pub(super) fn list(lines: Vec<AnyView>, empty: &'static str) -> AnyView {
    if lines.is_empty() {
        return none(empty);
    }
    view! { <ul class="field-list">{lines}</ul> }.into_any()
}

/// Draws a link to the page of an identifier.
pub(super) fn link(id: &str, text: &str) -> AnyView {
    let text = upright(text.to_owned());
    match path_of(id) {
        Some(path) => view! { <a class="field-link" href=path>{text}</a> }.into_any(),
        None => text.into_any(),
    }
}

/// Draws labels with their values.
pub(super) fn fields(fields: &[Fact]) -> AnyView {
    let entries = fields.iter().map(|field| {
        entry(
            upright(field.label.clone()),
            dated(&upright(field.value.clone())),
        )
    });
    view! { <dl class="field-fields">{entries.collect::<Vec<_>>()}</dl> }.into_any()
}

/// Draws one label with its value.
pub(super) fn entry(label: String, value: AnyView) -> AnyView {
    view! {
        <div class="field-fields__entry">
            <dt>{label}</dt>
            <dd>{value}</dd>
        </div>
    }
    .into_any()
}

/// Draws sentences that warn; nothing without any.
pub(super) fn warnings(sentences: Vec<String>) -> AnyView {
    if sentences.is_empty() {
        return ().into_any();
    }
    let lines = sentences
        .into_iter()
        .map(|text| view! { <li>{upright(text)}</li> });
    view! { <ul class="field-warnings">{lines.collect::<Vec<_>>()}</ul> }.into_any()
}

/// Draws by whom something was done or found out, when and why.
pub(super) fn person_note(note: &PersonNote) -> AnyView {
    let by = upright(texts::pages::by(&note.by));
    let reason = upright(texts::people::reason(&note.reason));
    view! {
        <p class="field-facts">
            <span>{by}</span>
            {ago(Some(note.at))}
            <span>{reason}</span>
        </p>
    }
    .into_any()
}

/// Draws the phase of a run, with the step that runs.
pub(super) fn phase(run: &FieldRunPart) -> AnyView {
    let class = match run.phase.as_str() {
        "ended" => "field-state field-state--good",
        "running" | "claimed" | "queued" => "field-state",
        "unknown" => "field-state field-state--grave",
        _ => "field-state field-state--late",
    };
    let step = run.step.filter(|_| run.phase == "running" && run.steps > 0);
    let step = step.map(|step| view! { <span>{texts::step(step, run.steps)}</span> });
    view! {
        <span class=class>{texts::phase(&run.phase)}</span>
        {step}
    }
    .into_any()
}

/// Draws a run in a list.
pub(super) fn run_row(run: &FieldRunPart) -> AnyView {
    let device = run.device_name.clone();
    let device = device.map(|name| view! { <span>{upright(name)}</span> });
    let at = run.ended.or(run.started).unwrap_or(run.queued);
    view! {
        <li class="field-row">
            <span class="field-row__name">{link(&run.id, &run.title)}</span>
            <span class="field-facts">{phase(run)} {device} {ago(Some(at))}</span>
        </li>
    }
    .into_any()
}

/// Draws a bundle in a list; it is named after its device, or after its end without one.
pub(super) fn bundle_row(bundle: &FieldBundlePart) -> AnyView {
    let name = bundle.device_name.clone();
    let name = name.unwrap_or_else(|| label(&bundle.id));
    let arriving = (!bundle.complete)
        .then(|| view! { <span class="field-state field-state--late">{texts::INCOMPLETE}</span> });
    view! {
        <li class="field-row">
            <span class="field-row__name">{link(&bundle.id, &name)}</span>
            <span class="field-facts">
                {arriving} <span>{texts::sections(bundle.sections)}</span>
                {ago(Some(bundle.received))}
            </span>
        </li>
    }
    .into_any()
}
