//! The page of the interface for programs, from its description in OpenAPI. Nothing changes here.

use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts;

/// The interface as its description has it.
#[derive(Clone)]
pub struct ApiPage {
    pub about: String,
    pub areas: Vec<ApiArea>,
    /// The objects in requests and answers, by name.
    pub shapes: Vec<ApiShape>,
}

/// The operations under one part of the address, such as `conversations`.
#[derive(Clone)]
pub struct ApiArea {
    pub name: String,
    pub entries: Vec<ApiEntry>,
}

/// One operation.
#[derive(Clone)]
pub struct ApiEntry {
    /// Method and address, such as `GET /api/v1/feed`.
    pub request: String,
    pub summary: String,
    pub parameters: Vec<ApiField>,
    /// Empty without a body.
    pub body: Vec<ApiWord>,
    pub replies: Vec<ApiReply>,
}

/// An answer; errors, which have one shape, are one.
#[derive(Clone)]
pub struct ApiReply {
    /// Such as `201`, or `403, 404`.
    pub statuses: String,
    pub meaning: String,
    pub holds: Vec<ApiWord>,
}

/// An object of requests and answers, or one of a few words.
#[derive(Clone)]
pub struct ApiShape {
    pub name: String,
    pub meaning: String,
    /// Its type, if it is not an object with fields.
    pub holds: Vec<ApiWord>,
    pub fields: Vec<ApiField>,
}

/// A parameter of a request, or a member of an object.
#[derive(Clone)]
pub struct ApiField {
    pub name: String,
    /// `path`, `query` or `header` for a parameter; empty for a member.
    pub place: String,
    pub is_required: bool,
    pub holds: Vec<ApiWord>,
    pub meaning: String,
}

/// A part of the words for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiWord {
    Plain(String),
    /// The name of a shape.
    Shape(String),
}

impl SettingsPage for ApiPage {
    const TAB: Tab = Tab::Tokens;
    const TITLE: Option<&'static str> = Some(texts::api::TITLE);

    fn view(self) -> AnyView {
        let areas: Vec<_> = self.areas.into_iter().map(area).collect();
        let shapes: Vec<_> = self.shapes.into_iter().map(shape).collect();
        view! {
            <p class="plain-lead">{prose(&self.about)}</p>
            <p class="plain-lead">
                {texts::api::DESCRIPTION} " "
                <a href="/api/v1/openapi.json">"/api/v1/openapi.json"</a>
            </p>
            {areas}
            <section>
                <h2>{texts::api::SHAPES}</h2>
                <ul class="plain-list plain-list--dense">{shapes}</ul>
            </section>
        }
        .into_any()
    }
}

fn area(area: ApiArea) -> AnyView {
    let entries: Vec<_> = area.entries.into_iter().map(entry).collect();
    view! {
        <section>
            <h2>{area.name}</h2>
            <ul class="plain-list plain-list--dense">{entries}</ul>
        </section>
    }
    .into_any()
}

fn entry(entry: ApiEntry) -> AnyView {
    let body = (!entry.body.is_empty())
        .then(|| view! { <p>{texts::api::SENT} ": " {words(entry.body)}</p> }.into_any());
    let replies: Vec<_> = entry
        .replies
        .into_iter()
        .map(|reply| {
            view! {
                <p>
                    <code>{reply.statuses}</code> " " {words(reply.holds)}
                    <small>{prose(&reply.meaning)}</small>
                </p>
            }
            .into_any()
        })
        .collect();
    view! {
        <li>
            <details>
                <summary>
                    <code>{entry.request}</code>
                    <small>{prose(&entry.summary)}</small>
                </summary>
                {fields(entry.parameters)}
                {body}
                {replies}
            </details>
        </li>
    }
    .into_any()
}

fn shape(shape: ApiShape) -> AnyView {
    let id = anchor(&shape.name);
    view! {
        <li id=id>
            <div>
                <strong>{shape.name}</strong> " " {words(shape.holds)}
                <small>{prose(&shape.meaning)}</small>
                {fields(shape.fields)}
            </div>
        </li>
    }
    .into_any()
}

/// The part of the address that leads to a shape.
fn anchor(name: &str) -> String {
    format!("shape-{name}")
}

fn fields(fields: Vec<ApiField>) -> Vec<AnyView> {
    let field = |field: ApiField| {
        let required = field.is_required.then_some(texts::api::REQUIRED);
        view! {
            <p>
                <code>{field.name}</code> " " {words(field.holds)} " " {field.place} " "
                {required}
                <small>{prose(&field.meaning)}</small>
            </p>
        }
        .into_any()
    };
    fields.into_iter().map(field).collect()
}

fn words(words: Vec<ApiWord>) -> Vec<AnyView> {
    let word = |word: ApiWord| match word {
        ApiWord::Plain(text) => text.into_any(),
        ApiWord::Shape(name) => {
            let path = format!("#{}", anchor(&name));
            view! { <a href=path>{name}</a> }.into_any()
        }
    };
    words.into_iter().map(word).collect()
}

/// A sentence of the description; what it has between backticks is code.
fn prose(sentence: &str) -> Vec<AnyView> {
    let part = |(place, part): (usize, &str)| {
        let part = part.to_owned();
        if place % 2 == 0 {
            part.into_any()
        } else {
            view! { <code>{part}</code> }.into_any()
        }
    };
    sentence.split('`').enumerate().map(part).collect()
}
