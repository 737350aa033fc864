//! The conversation as the planner sees it.

mod files;

use serde_json::Value;

use super::area::{Area, AreaExample};
use crate::{
    history::{Role, Turn},
    request::Request,
};

/// A tool on offer.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a> {
    pub name: &'a str,
    pub(super) description: &'a str,
    pub schema: &'a Value,
    /// Questions that it answers, as far as the server has told.
    pub(super) examples: &'a [AreaExample],
}

impl<'a> Tool<'a> {
    /// The examples whose input is known.
    pub(super) fn worked(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        let examples = self.examples.iter();
        examples.filter_map(|it| Some((it.question.as_str(), it.input.as_ref()?)))
    }
}

/// A call that was made, with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// Its place among the calls since the newest words, from 1.
    pub(super) number: usize,
    pub name: String,
    pub input: Value,
    /// The tool's data, out of its envelope; null when the result is not JSON.
    pub data: Value,
    /// The result as text.
    pub(super) text: String,
    /// The envelope's note about a result that was cut.
    pub(super) cut: Option<String>,
    pub is_error: bool,
}

/// The conversation as the planner sees it.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The user's newest words.
    pub question: String,
    /// The last answer before the user's newest words.
    pub(super) last_answer: String,
    /// The user's words before that, newest first.
    pub(super) earlier_questions: Vec<String>,
    pub tools: Vec<Tool<'a>>,
    /// Tools that are asked in the form of their examples alone.
    pub(super) formed: Vec<Tool<'a>>,
    /// The groups of tools that the server told of at the start.
    pub(super) areas: &'a [Area],
    /// Calls since the newest words, in order.
    pub done: Vec<Done>,
    /// Calls before that, in order.
    pub earlier: Vec<Done>,
    /// Data blocks that came with the user's words.
    pub context: Vec<Value>,
    /// Kind and identifier of what messages were about, the newest first.
    pub references: Vec<(String, String)>,
    /// Those of them that came with the newest words.
    pub attached: Vec<(String, String)>,
    /// The form of address that the system prompt asks for; empty for none.
    pub(super) address: &'a str,
    /// A line about each file that came with the newest words.
    pub files: Vec<String>,
    /// The number of times that the model has called tools since the newest words.
    pub(super) steps: usize,
}

impl<'a> View<'a> {
    pub(super) fn of(request: &'a Request, areas: &'a [Area]) -> Self {
        let told = |name: &str| {
            let mut tools = areas.iter().flat_map(|area| &area.tools);
            let tool = tools.find(|(known, _)| known == name);
            tool.map_or(&[][..], |(_, examples)| examples)
        };
        let offered = request.tools.iter().map(|tool| {
            let name = tool["name"].as_str().unwrap_or_default();
            Tool {
                name,
                description: tool["description"].as_str().unwrap_or_default(),
                schema: &tool["input_schema"],
                examples: told(name),
            }
        });
        let (tools, formed) = offered.partition(|tool| tool.worked().next().is_none());
        let spoken: Vec<(usize, String)> = request
            .turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| turn.role == Role::User)
            .map(|(at, turn)| (at, user_words(turn)))
            .filter(|(_, words)| !words.is_empty())
            .collect();
        let (start, question) = spoken.last().cloned().unwrap_or_default();
        let mut view = Self {
            question,
            last_answer: last_answer(request.turns.get(..start).unwrap_or_default()),
            earlier_questions: spoken
                .iter()
                .rev()
                .skip(1)
                .map(|(_, words)| words.clone())
                .collect(),
            tools,
            formed,
            areas,
            done: Vec::new(),
            earlier: Vec::new(),
            context: Vec::new(),
            references: Vec::new(),
            address: address(request),
            attached: request.turns.get(start).map(references).unwrap_or_default(),
            files: request.turns.get(start).map(files::of).unwrap_or_default(),
            steps: 0,
        };
        for (at, turn) in request.turns.iter().enumerate() {
            match turn.role {
                Role::User => {
                    view.context.extend(data_blocks(turn));
                    view.references.splice(0..0, references(turn));
                    if let Some(previous) = at.checked_sub(1).and_then(|at| request.turns.get(at)) {
                        let made = results(previous, turn);
                        // Results in the message that brings new words belong to the old ones.
                        if at > start {
                            view.done.extend(made);
                        } else {
                            view.earlier.extend(made);
                        }
                    }
                }
                Role::Assistant if at > start && turn.of_kind("tool_use").next().is_some() => {
                    view.steps += 1;
                }
                Role::Assistant | Role::System => {}
            }
        }
        for (at, done) in view.done.iter_mut().enumerate() {
            done.number = at + 1;
        }
        view
    }

    /// All tools on offer.
    pub(super) fn all_tools(&self) -> impl Iterator<Item = &Tool<'a>> {
        self.tools.iter().chain(&self.formed)
    }

    /// A tool by its name.
    pub fn tool(&self, name: &str) -> Option<&Tool<'a>> {
        self.all_tools().find(|tool| tool.name == name)
    }

    /// The same, as if the words before the newest had been said again; none if there are none.
    pub fn said_before(&self) -> Option<Self> {
        Some(Self {
            question: self.earlier_questions.first()?.clone(),
            earlier_questions: self.earlier_questions.get(1..)?.to_vec(),
            ..self.clone()
        })
    }

    /// All data there is, the newest first: results of this turn, earlier results, data blocks.
    pub(super) fn all_data(&self) -> impl Iterator<Item = (&str, &Value)> {
        let done = self.done.iter().rev().chain(self.earlier.iter().rev());
        done.map(|done| (done.name.as_str(), &done.data))
            .chain(self.context.iter().rev().map(|data| ("", data)))
    }
}

/// The form of address in the system prompt.
fn address(request: &Request) -> &str {
    let blocks = request.system.iter();
    let lines = blocks
        .filter_map(|block| block["text"].as_str())
        .flat_map(str::lines);
    let mut said = lines.filter_map(|line| match line {
        "- Use no form of address." => Some(""),
        line => line
            .strip_prefix("- Address the operator as \"")?
            .strip_suffix("\"."),
    });
    // A manner's own lines come before it.
    said.next_back().unwrap_or("sir")
}

/// The words of the newest message of the user that has any.
pub(super) fn newest_words(request: &Request) -> String {
    request
        .turns
        .iter()
        .rev()
        .filter(|turn| turn.role == Role::User)
        .map(user_words)
        .find(|words| !words.is_empty())
        .unwrap_or_default()
}

/// The text of the last message of the assistant that is no prelude to a call.
fn last_answer(turns: &[Turn]) -> String {
    let mut said = turns
        .iter()
        .rev()
        .filter(|turn| turn.role == Role::Assistant && turn.of_kind("tool_use").next().is_none());
    let texts = said.next().map(|turn| texts(turn).collect::<Vec<_>>());
    texts.unwrap_or_default().join("\n")
}

/// The beginning of a block that a server adds to the user's words.
const SERVER_BLOCK: &str = "[Context";

fn user_words(turn: &Turn) -> String {
    let words: Vec<&str> = texts(turn)
        .filter(|text| !text.starts_with(SERVER_BLOCK))
        .map(|text| outside_tags(text).0)
        .filter(|text| !text.is_empty())
        .collect();
    words.join("\n")
}

/// The things attached to the words: kind and identifier alone, for the rest of the block is data.
fn references(turn: &Turn) -> Vec<(String, String)> {
    let sections = texts(turn)
        .filter_map(|text| text.strip_prefix(SERVER_BLOCK))
        .flat_map(|block| block.split("<context source=\"reference\">").skip(1));
    let things = sections.filter_map(embedded_json).filter_map(|thing| {
        let text = |field: &str| thing[field].as_str().map(str::to_owned);
        Some((text("kind")?, text("id")?))
    });
    things.collect()
}

fn data_blocks(turn: &Turn) -> Vec<Value> {
    texts(turn)
        // What stands in a file is not what is.
        .filter(|text| !text.starts_with(files::FILE))
        .flat_map(|text| match text.strip_prefix(SERVER_BLOCK) {
            Some(block) => block.split("</").collect(),
            None => outside_tags(text).1,
        })
        .filter_map(embedded_json)
        .collect()
}

fn texts(turn: &Turn) -> impl Iterator<Item = &str> {
    turn.of_kind("text")
        .filter_map(|placed| placed.block["text"].as_str())
        .map(str::trim)
}

/// Splits `<tag …>data</tag>` sections off the beginning and the end of a text.
fn outside_tags(text: &str) -> (&str, Vec<&str>) {
    let mut rest = text;
    let mut sections = Vec::new();
    while let Some((section, after)) = leading_section(rest) {
        sections.push(section);
        rest = after.trim();
    }
    while let Some((before, section)) = trailing_section(rest) {
        sections.push(section);
        rest = before.trim();
    }
    (rest, sections)
}

fn leading_section(text: &str) -> Option<(&str, &str)> {
    let (head, body) = text.strip_prefix('<')?.split_once('>')?;
    let name = head.split_whitespace().next()?;
    if !is_tag(name) {
        return None;
    }
    body.split_once(&format!("</{name}>"))
}

fn trailing_section(text: &str) -> Option<(&str, &str)> {
    let (rest, name) = text.strip_suffix('>')?.rsplit_once("</")?;
    if !is_tag(name) {
        return None;
    }
    let (before, section) = rest.rsplit_once(&format!("<{name}"))?;
    Some((before, section.split_once('>')?.1))
}

fn is_tag(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'))
}

/// The first JSON object or list that stands in a text.
fn embedded_json(text: &str) -> Option<Value> {
    text.char_indices()
        .filter(|(_, c)| matches!(c, '{' | '['))
        .take(4)
        .find_map(|(at, _)| {
            serde_json::Deserializer::from_str(&text[at..])
                .into_iter()
                .next()?
                .ok()
        })
}

fn results(calls: &Turn, results: &Turn) -> Vec<Done> {
    results
        .of_kind("tool_result")
        .filter_map(|result| {
            let call = calls
                .of_kind("tool_use")
                .find(|call| call.block["id"] == result.block["tool_use_id"])?;
            let text = result_text(&result.block["content"]);
            let parsed: Value = serde_json::from_str(&text).unwrap_or_default();
            let cut = parsed["cut"].as_str().map(str::to_owned);
            Some(Done {
                number: 0,
                cut,
                name: call.block["name"].as_str().unwrap_or_default().to_owned(),
                input: call.block["input"].clone(),
                data: unwrapped(parsed),
                text,
                is_error: result.block["is_error"] == true,
            })
        })
        .collect()
}

fn result_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .filter_map(|item| item["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}

/// The `data` or `error` in an envelope with a `source`; anything else as it is.
fn unwrapped(mut value: Value) -> Value {
    let Some(fields) = value.as_object_mut() else {
        return value;
    };
    if !fields.contains_key("source") {
        return value;
    }
    match fields.remove("data").or_else(|| fields.remove("error")) {
        Some(inner) => inner,
        None => value,
    }
}
