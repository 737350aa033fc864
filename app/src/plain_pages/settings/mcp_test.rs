//! The pages of a test call of an MCP server's tool, for admins: the form of its input, and the call.

use leptos::prelude::*;

use super::{SettingsPage, Tab};
use crate::plain_pages::texts::settings::mcp_test as texts;

/// The form for the input of a tool. Its texts are a stranger's, cleaned.
pub struct McpTestPage {
    /// The tool's name here.
    pub tool: String,
    pub tier: String,
    pub description: String,
    /// The identifiers of the call and of the command, so that a form that is sent twice begins one call.
    pub call: String,
    pub command: String,
    pub fields: Vec<McpField>,
}

/// A field of the input.
pub struct McpField {
    /// The name in the form.
    pub name: String,
    pub label: String,
    pub about: String,
    pub is_required: bool,
    pub kind: McpFieldKind,
    /// The values of the last try, if the form is shown again.
    pub value: String,
}

pub enum McpFieldKind {
    Text,
    Number,
    /// Value and label of each choice.
    Choice(Vec<(String, String)>),
    Json,
}

/// A call that was begun.
pub struct McpCallPage {
    pub tool: String,
    /// The input as JSON.
    pub input: String,
    /// The state in a sentence.
    pub state: String,
    /// The address of its card, while it waits for a person.
    pub card: Option<String>,
    /// The address of this page, while the call has not ended.
    pub look_again: Option<String>,
    /// One line about its end.
    pub message: Option<String>,
    /// The result as JSON.
    pub data: Option<String>,
}

/// Returns the address of a tool's form.
pub(super) fn path_of(tool: &str) -> String {
    format!("/settings/mcp/tools/{tool}")
}

impl SettingsPage for McpTestPage {
    const TAB: Tab = Tab::McpServers;
    const TITLE: Option<&'static str> = Some(texts::TITLE);

    fn view(self) -> AnyView {
        let path = path_of(&self.tool);
        let none = self
            .fields
            .is_empty()
            .then(|| view! { <p>{texts::NO_FIELDS}</p> });
        let fields: Vec<_> = self.fields.into_iter().map(field).collect();
        view! {
            <p class="plain-lead">{texts::LEAD}</p>
            <section>
                <h2>{self.tool}</h2>
                <p>{texts::tier(&self.tier)}</p>
                <pre class="plain-definition">{self.description}</pre>
                <form method="post" action=path class="plain-form plain-form--wide">
                    <input type="hidden" name="call" value=self.call />
                    <input type="hidden" name="command" value=self.command />
                    {none}
                    {fields}
                    <button type="submit" class="button button--primary">
                        {texts::RUN}
                    </button>
                </form>
            </section>
            <p><a href="/settings/mcp">{texts::BACK}</a></p>
        }
        .into_any()
    }
}

fn field(field: McpField) -> AnyView {
    let McpField {
        name,
        label,
        about,
        is_required,
        kind,
        value,
    } = field;
    let (label, json) = match &kind {
        McpFieldKind::Json => (label, Some(texts::AS_JSON)),
        McpFieldKind::Text | McpFieldKind::Number | McpFieldKind::Choice(_) => (label, None),
    };
    let label = texts::label(&label, json, is_required);
    // HTML drops a line end at the beginning of the field.
    let lines = format!("\n{value}");
    let input = match kind {
        // An empty text is a text.
        McpFieldKind::Text => view! { <textarea name=name rows="2">{lines}</textarea> }.into_any(),
        McpFieldKind::Json => {
            view! { <textarea name=name rows="3" required=is_required>{lines}</textarea> }
                .into_any()
        }
        McpFieldKind::Number => {
            view! { <input type="number" step="any" name=name value=value required=is_required /> }
                .into_any()
        }
        McpFieldKind::Choice(choices) => {
            let options: Vec<_> = choices
                .into_iter()
                .map(|(choice, label)| {
                    let selected = choice == value;
                    view! { <option value=choice selected=selected>{label}</option> }
                })
                .collect();
            view! {
                <select name=name required=is_required>
                    <option value="">{texts::NOT_SET}</option>
                    {options}
                </select>
            }
            .into_any()
        }
    };
    let about = (!about.is_empty()).then(|| view! { <small>{about}</small> });
    view! { <label><span>{label}</span> {input} {about}</label> }.into_any()
}

impl SettingsPage for McpCallPage {
    const TAB: Tab = Tab::McpServers;
    const TITLE: Option<&'static str> = Some(texts::TITLE);

    fn view(self) -> AnyView {
        let again = path_of(&self.tool);
        let card = self.card.map(|path| {
            view! { <a class="button button--primary" href=path>{texts::OPEN_THE_REQUEST}</a> }
        });
        let look_again = self
            .look_again
            .map(|path| view! { <a class="button" href=path>{texts::LOOK_AGAIN}</a> });
        let message = self.message.map(|message| view! { <p>{message}</p> });
        let data = self.data.map(|data| {
            view! {
                <h3>{texts::RESULT}</h3>
                <pre class="plain-definition">{data}</pre>
            }
        });
        view! {
            <section>
                <h2>{self.tool}</h2>
                <p role="status">{self.state}</p>
                {message}
                <p class="plain-row">{card} {look_again}</p>
                {data}
                <h3>{texts::INPUT}</h3>
                <pre class="plain-definition">{self.input}</pre>
            </section>
            <p class="plain-row">
                <a href=again>{texts::ANOTHER}</a>
                <a href="/settings/mcp">{texts::BACK}</a>
            </p>
        }
        .into_any()
    }
}
