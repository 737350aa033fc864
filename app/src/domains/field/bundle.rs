//! The page of a bundle: its sections with tokens, and what is hidden in them.

use field_wire::{BundleSectionRow, FieldBundlePage, FieldText};
use kit::{
    ErrorCard,
    format::{size, upright},
    live_view, on,
};
use leptos::prelude::*;
use protocol::Fact;

use super::{
    address::label,
    analyse::analyse,
    figures::{fields, list, none, pane},
    shown_thing::{DrawnThing, ShownFieldThing},
    texts,
    texts::pages as say,
};
use crate::panel_pieces::ago;

pub(super) fn draw(thing: &ShownFieldThing, page: FieldBundlePage) -> DrawnThing {
    let bundle = &page.bundle;
    let arriving = (!bundle.complete).then(|| {
        view! { <span class="field-state field-state--late">{texts::INCOMPLETE}</span> }
    });
    let taken = bundle
        .taken
        .map(|at| view! { <span>{say::TAKEN} {ago(Some(at))}</span> });
    let head = view! {
        <section class="field-pane" aria-label=say::STATE>
            <p class="field-facts">
                {arriving} {taken} <span>{say::RECEIVED} {ago(Some(bundle.received))}</span>
                <span>{texts::sections(bundle.sections)}</span>
            </p>
            <div class="field-questions">{analyse(&bundle.id)} {export(thing, &bundle.id)}</div>
        </section>
    };
    let sections = page.sections.iter().map(|it| section(thing, it));
    let rest = view! {
        {pane("field-findings", say::FINDINGS, say::BY_RULES, findings(&page.findings))}
        {pane("field-hidden", say::HIDDEN, "", hidden(thing, &page))}
        {pane("field-sections", say::SECTIONS, "", list(sections.collect(), say::NO_SECTIONS))}
    };
    let name = page.device_name.as_deref().map(say::diagnostics_of);
    DrawnThing {
        name: name.unwrap_or_else(|| label(&bundle.id)),
        of: bundle.device.clone().zip(page.device_name.clone()),
        site: page.site_name.clone(),
        head: head.into_any(),
        rest: rest.into_any(),
        offers: Vec::new(),
        calls: None,
    }
}

/// Draws the way to the bundle in the form for others; nothing for a person who cannot see its values.
fn export(thing: &ShownFieldThing, id: &str) -> AnyView {
    let acts = thing.acts;
    let (href, file) = (
        format!("/api/v1/field/bundles/{id}/export"),
        format!("{id}.json"),
    );
    live_view(move || {
        if acts.is_barred() {
            return ().into_any();
        }
        view! {
            <a
                class="button button--small"
                rel="external"
                download=file.clone()
                title=say::EXPORT_NOTE
                href=href.clone()
            >
                {say::EXPORT}
            </a>
        }
        .into_any()
    })
}

fn findings(findings: &[Fact]) -> AnyView {
    let lines = findings.iter().map(|finding| {
        let (sentence, section) = (
            upright(finding.value.clone()),
            upright(finding.label.clone()),
        );
        view! {
            <li class="field-row">
                <span>{sentence}</span>
                " "
                <span class="field-facts">{section}</span>
            </li>
        }
        .into_any()
    });
    list(lines.collect(), say::NOTHING_FOUND)
}

fn hidden(thing: &ShownFieldThing, page: &FieldBundlePage) -> AnyView {
    let counts = if page.hidden.is_empty() {
        none(say::NOTHING_HIDDEN)
    } else {
        fields(&page.hidden)
    };
    let secrets = (page.secrets > 0)
        .then(|| view! { <p class="field-facts">{say::secrets(page.secrets)}</p> });
    let legend = thing.look.text(vec![page.legend.clone()]);
    view! {
        {counts}
        {secrets}
        <details class="field-fold">
            <summary>{say::LEGEND}</summary>
            {legend}
        </details>
    }
    .into_any()
}

/// Draws a section; its text is read when it is unfolded.
fn section(thing: &ShownFieldThing, row: &BundleSectionRow) -> AnyView {
    let name = upright(row.name.clone());
    if let Some(why) = &row.left_out {
        let why = upright(say::left_out(why));
        return view! {
            <li class="field-row">
                <span class="field-row__name">{name}</span>
                <span class="field-facts">{why}</span>
            </li>
        }
        .into_any();
    }
    let hidden = row
        .hidden
        .iter()
        .map(|it: &Fact| format!("{} {}", it.value, it.label));
    let hidden = upright(hidden.collect::<Vec<_>>().join(", "));
    let opened = RwSignal::new(false);
    let toggle = on(move |_: leptos::ev::Event| opened.set(true));
    let (thing, part) = (thing.clone(), format!("section/{}", row.name));
    let content = live_view(move || {
        if !opened.get() {
            return ().into_any();
        }
        let (answer, look) = (thing.remote::<FieldText>(part.clone()), thing.look);
        live_view(move || match &*answer.read() {
            None => none(texts::LOADING),
            Some(Ok(text)) => look.text(text.pieces.clone()),
            Some(Err(error)) => {
                let error = error.clone();
                view! { <ErrorCard error /> }.into_any()
            }
        })
    });
    view! {
        <li class="field-row">
            <details class="field-fold" on:toggle=toggle>
                <summary>
                    <span class="field-row__name">{name}</span>
                    " "
                    <span class="field-facts">
                        <span>{say::lines(row.lines, &size(row.bytes))}</span>
                        <span>{hidden}</span>
                    </span>
                </summary>
                {content}
            </details>
        </li>
    }
    .into_any()
}
