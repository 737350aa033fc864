//! A document: its head, what can be done with it, its fields and rows.

use erp_wire::{DocumentField, DocumentPage, DocumentSection, WorkflowPlace};
use kit::{ErrorCard, effect, format::upright, press};
use leptos::prelude::*;
use protocol::{Known, PageAnswer};

use super::{
    PATH,
    address::DocumentAt,
    around::pane,
    document_page::{DocumentParts, read},
    figures::{remarks, value},
    lists::document_row,
    offers::offers,
    tables::table,
    texts,
    texts::document as say,
};
use crate::{
    dock::{Beside, Dock, ask},
    panel_pieces::ago,
};

/// Draws the page; `first` and `around` are the parts that are read apart, before and behind its own.
pub(super) fn document(
    at: &DocumentAt,
    answer: PageAnswer,
    parts: DocumentParts,
    [first, around]: [AnyView; 2],
) -> AnyView {
    let simulated = answer.system.simulated;
    let page: DocumentPage = match read(answer) {
        Ok(page) => page,
        Err(error) => return view! { <ErrorCard error /> }.into_any(),
    };
    stand_beside(at);
    let mark = simulated.then(|| view! { <span class="mark">{texts::SIMULATED}</span> });
    let tables: Vec<_> = page
        .tables
        .iter()
        .map(|it| view! { <section class="erp-pane">{table(it)}</section> })
        .collect();
    view! {
        <div class="erp erp--document" data-scroller="" tabindex="-1">
            <header class="erp__head">
                <nav class="erp__way" aria-label=say::BREADCRUMB>
                    <a href=PATH>{texts::ERP}</a>
                    <span>{upright(page.doctype.clone())}</span>
                </nav>
                <h1>{upright(page.name.clone())}</h1>
                {mark}
                <div class="erp__slot">
                    {ask(at.reference())}
                    <button
                        type="button"
                        class="button button--small"
                        on:click=press(move || parts.refetch())
                    >
                        {say::REFRESH}
                    </button>
                </div>
            </header>
            {head(&page)}
            {drafts(&page)}
            {offers(at, &page, parts)}
            {first}
            {tables}
            {sections(&page.sections)}
            {around}
        </div>
    }
    .into_any()
}

/// Makes the document the subject of the chat beside it.
fn stand_beside(at: &DocumentAt) {
    let dock = expect_context::<Dock>();
    let about = at.reference();
    effect(move || {
        dock.stand_beside(Some(Beside {
            about: about.clone(),
            ask: &[],
        }));
    });
    on_cleanup(move || dock.stand_beside(None));
}

fn head(page: &DocumentPage) -> AnyView {
    let words = [page.status.as_ref(), page.docstatus.as_ref()];
    let mut states: Vec<&String> = Vec::new();
    for word in words.into_iter().flatten() {
        // The status often says what the docstatus does.
        if !states.iter().any(|it| it.eq_ignore_ascii_case(word)) {
            states.push(word);
        }
    }
    let states = states.into_iter().map(|word| {
        view! { <span class=state_class(word)>{upright(word.clone())}</span> }
    });
    let states: Vec<_> = states.collect();
    let title = page.title.clone().map(|title| {
        view! { <p class="erp-title">{upright(title)}</p> }
    });
    let changed = page.modified_at.value().copied();
    let by = say::by(&upright(page.modified_by.clone()));
    let key = page
        .is_own
        .then(|| view! { <span>{say::CREATED_BY_KEY}</span> });
    view! {
        <section class="erp-pane erp-pane--head" aria-label=upright(page.name.clone())>
            {title}
            <p class="erp-states">{states} {page.workflow.as_ref().map(place)}</p>
            {page.workflow.as_ref().and_then(waits_for)}
            {fields(&page.head)}
            <p class="erp-facts">
                // By whom it was created says nothing of who changed it.
                {key}
                <span>{say::LAST_CHANGED} {ago(changed)} {by}</span>
                <span>{say::READ} {ago(Some(page.at))}</span>
            </p>
        </section>
    }
    .into_any()
}

/// Draws the drafts that were made from it before, above the buttons that would make others.
fn drafts(page: &DocumentPage) -> AnyView {
    if page.drafts.is_empty() {
        return ().into_any();
    }
    let rows: Vec<_> = page.drafts.iter().map(document_row).collect();
    let list = view! { <ul class="erp-list">{rows}</ul> }.into_any();
    pane("erp-drafts", say::DRAFTS, list)
}

/// The look of a status. The words of the site are its own, so most have none.
fn state_class(word: &str) -> &'static str {
    match word.to_ascii_lowercase().as_str() {
        "submitted" => "erp-state erp-state--good",
        "cancelled" => "erp-state erp-state--off",
        // Also "Overdue and Discounted".
        word if word.starts_with("overdue") => "erp-state erp-state--late",
        "expired" | "on hold" | "stopped" | "rejected" | "unknown" => "erp-state erp-state--late",
        _ => "erp-state",
    }
}

fn place(workflow: &WorkflowPlace) -> AnyView {
    let text = say::in_workflow(&workflow.name, &workflow.state);
    let unknown = match &workflow.steps {
        Known::Unknown { unknown } => {
            let why = say::steps_unknown(&upright(unknown.clone()));
            Some(view! { <span class="erp-unknown">{why}</span> })
        }
        Known::Value(_) => None,
    };
    view! {
        <span class="erp-state">{upright(text)}</span>
        {unknown}
    }
    .into_any()
}

/// Draws for whom a document waits that the reader's key can take no step with: why no button is there.
fn waits_for(workflow: &WorkflowPlace) -> Option<AnyView> {
    if workflow.waits_for.is_empty() {
        return None;
    }
    let roles = upright(workflow.waits_for.join(texts::OR));
    Some(remarks(vec![say::waits_for(&roles)]))
}

fn fields(fields: &[DocumentField]) -> AnyView {
    let entries = fields.iter().map(|field| {
        view! {
            <div class="erp-fields__entry">
                <dt>{upright(field.label.clone())}</dt>
                <dd>{value(&field.value, false)}</dd>
            </div>
        }
        .into_any()
    });
    view! { <dl class="erp-fields">{entries.collect::<Vec<_>>()}</dl> }.into_any()
}

fn sections(sections: &[DocumentSection]) -> AnyView {
    let groups = sections.iter().map(|section| {
        let title = (!section.title.is_empty()).then(|| {
            view! { <h3 class="erp-pane__group">{upright(section.title.clone())}</h3> }
        });
        (title, fields(&section.fields)).into_any()
    });
    let groups: Vec<_> = groups.collect();
    let none = groups
        .is_empty()
        .then(|| remarks(vec![say::NO_FIELDS.to_owned()]));
    view! {
        <section class="erp-pane" aria-labelledby="erp-fields">
            <header class="erp-pane__head">
                <h2 id="erp-fields">{say::FIELDS}</h2>
                <span class="erp-facts">{say::FIELDS_NOTE}</span>
            </header>
            {none}
            {groups}
        </section>
    }
    .into_any()
}
