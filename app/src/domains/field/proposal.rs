//! The page of a proposal: its versions, its risk, its script.

use field_wire::{FieldProposalPage, FieldRiskReport};
use kit::{browser, dated, format::upright, press};
use leptos::prelude::*;
use protocol::{RiskReason, RiskWeight};

use super::{
    figures::{entry, none, pane, warnings},
    script::{line_id, script},
    script_editor::script_editor,
    shown_thing::{DrawnThing, ShownFieldThing},
    texts::pages as say,
};
use crate::panel_pieces::ago;

pub(super) fn draw(thing: &ShownFieldThing, page: FieldProposalPage) -> DrawnThing {
    thing.look.note(&page.tokens);
    let heading = page
        .against
        .map_or_else(|| say::SCRIPT.to_owned(), say::script_against);
    let stops = page
        .stop_on_failure
        .then(|| view! { <p class="field-facts">{say::STOPS}</p> });
    let steps = if page.steps.is_empty() {
        none(say::FREE_SH)
    } else {
        let steps = page
            .steps
            .iter()
            .map(|step| view! { <li>{upright(step.clone())}</li> }.into_any());
        let steps: Vec<_> = steps.collect();
        view! {
            <ol class="field-steps">{steps}</ol>
            {stops}
        }
        .into_any()
    };
    // Where nothing can be done, the device is gone.
    let editor = (!page.offers.is_empty()).then(|| script_editor(thing, &page));
    let rest = view! {
        {pane("field-risk", say::RISK, "", risk(&page.risk))}
        {pane("field-script", &heading, "", script(&page.lines, &page.risk.reasons))}
        {pane("field-steps", say::STEPS, "", steps)}
        {editor}
    };
    DrawnThing {
        name: page.proposal.title.clone(),
        of: Some((page.device.clone(), page.device_name.clone())),
        site: page.site_name.clone(),
        head: head(thing, &page),
        rest: rest.into_any(),
        offers: page.offers,
        calls: None,
    }
}

fn head(thing: &ShownFieldThing, page: &FieldProposalPage) -> AnyView {
    let author = match &page.person {
        Some(name) => say::by(&upright(name.clone())),
        None if page.by_program => say::BY_PROGRAM.to_owned(),
        None => say::BY_MODEL.to_owned(),
    };
    let mut entries = vec![entry(
        say::REASON.to_owned(),
        upright(page.why.clone()).into_any(),
    )];
    if let Some(expect) = &page.expect {
        entries.push(entry(
            say::EXPECTED.to_owned(),
            dated(&upright(expect.clone())),
        ));
    }
    if let Some(last) = page.last_that_ran {
        entries.push(entry(
            say::RAN_LAST.to_owned(),
            say::version(last).into_any(),
        ));
    }
    view! {
        <section class="field-pane" aria-label=say::STATE>
            {versions(thing, page)}
            <p class="field-facts">
                <span>{say::version(page.version)}</span>
                <span>{author}</span>
                {ago(Some(page.made))}
            </p>
            <dl class="field-fields field-fields--wide">{entries}</dl>
        </section>
    }
    .into_any()
}

/// Draws a button for each version, if there are several.
fn versions(thing: &ShownFieldThing, page: &FieldProposalPage) -> AnyView {
    if page.proposal.newest < 2 {
        return ().into_any();
    }
    let (chosen, shown) = (thing.version, page.version);
    let buttons = (1..=page.proposal.newest).rev().map(|version| {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-pressed=(version == shown).to_string()
                on:click=press(move || chosen.set(Some(version)))
            >
                {say::version(version)}
            </button>
        }
        .into_any()
    });
    let buttons: Vec<_> = buttons.collect();
    view! {
        <div class="field-versions" role="group" aria-label=say::VERSIONS>
            {buttons}
        </div>
    }
    .into_any()
}

fn risk(risk: &FieldRiskReport) -> AnyView {
    let (class, level) = match risk.level.as_deref() {
        Some(level) => {
            let class = match level {
                "low" => "field-state field-state--good",
                "medium" => "field-state field-state--late",
                _ => "field-state field-state--grave",
            };
            (class, say::risk(level, risk.points))
        }
        None => ("field-state field-state--late", say::NOT_JUDGED.to_owned()),
    };
    let refused = risk.refused.as_ref().map(|why| say::refused(why));
    let reasons: Vec<_> = risk.reasons.iter().map(reason).collect();
    let reasons = if reasons.is_empty() && risk.level.is_some() && refused.is_none() {
        none(say::NO_REASONS)
    } else {
        view! { <ul class="field-list">{reasons}</ul> }.into_any()
    };
    view! {
        {warnings(refused.into_iter().collect())}
        <p class="field-facts">
            <span class=class>{level}</span>
            <span>{say::persons(risk.persons)}</span>
            <span>{say::policy(risk.policy_version)}</span>
            <span>{say::CHECKED} {ago(Some(risk.at))}</span>
        </p>
        {reasons}
    }
    .into_any()
}

/// Draws a reason, with the way to the line that it is about.
fn reason(reason: &RiskReason) -> AnyView {
    let class = match reason.weight {
        RiskWeight::Grave => "field-reason field-reason--grave",
        RiskWeight::Warning => "field-reason field-reason--warning",
        _ => "field-reason",
    };
    let line = reason.span.map(|span| {
        let show = press(move || browser::show(line_id(span.line)));
        view! {
            <button type="button" class="button button--small" on:click=show>
                {say::in_line(span.line)}
            </button>
        }
    });
    view! {
        <li class="field-row">
            <span class=class>{upright(reason.sentence.clone())}</span>
            {line}
        </li>
    }
    .into_any()
}
