//! Requests of clients, read leniently: what is not needed here may have any form.

use protocol::{MAX_MESSAGE_BYTES, MessageId, Mode};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::texts;

mod claims;

pub(crate) use claims::marked;
pub use claims::placed;

/// The longest id of a thread or run, in bytes.
const MAX_ID: usize = 255;

/// The body of a request for a run, `RunAgentInput`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AguiRequest {
    pub thread_id: String,
    pub run_id: String,
    #[serde(default)]
    protocol_version: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    messages: Vec<InputMessage>,
    #[serde(default, deserialize_with = "or_default")]
    pub forwarded_props: Forwarded,
    #[serde(default, deserialize_with = "or_default")]
    pub resume: Vec<Resume>,
}

/// Choices for a conversation that begins, in `forwardedProps`. Other members are not for this server.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Forwarded {
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The toolsets that it may have, within those of the token.
    #[serde(default)]
    pub toolsets: Option<Vec<String>>,
    #[serde(default)]
    pub packs: Option<Vec<String>>,
}

/// An answer to an interrupt.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resume {
    pub interrupt_id: String,
    pub status: ResumeStatus,
    #[serde(default)]
    pub payload: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResumeStatus {
    Resolved,
    Cancelled,
}

/// The version of the protocol that a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientVersion {
    /// 0.0.59 and the like, which refuse some values of 1.0.
    Older,
    /// 1.0 and later.
    Current,
}

/// The newest words of the user in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewestWords {
    /// The request ends with something else, or with words that came from here.
    None,
    /// They are the end of the journal, and nothing followed them there.
    Unanswered,
    /// Several messages are one.
    New(NewText),
}

/// New words of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    pub text: String,
    /// True if a part was left out that is no text.
    pub has_other_parts: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct InputMessage {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    content: Option<Value>,
    #[serde(default)]
    tool_calls: Option<Value>,
    #[serde(default)]
    tool_call_id: Option<Value>,
}

/// Reads null as nothing.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

impl ClientVersion {
    /// Returns the version of a client that names this one; 0.0.59 names none.
    pub fn of(named: Option<&str>) -> Self {
        match named {
            Some(_) => Self::Current,
            None => Self::Older,
        }
    }
}

impl AguiRequest {
    pub fn client(&self) -> ClientVersion {
        ClientVersion::of(self.protocol_version.as_deref())
    }

    /// Returns whether its ids can name a thread and a run.
    pub fn has_usable_ids(&self) -> bool {
        is_usable(&self.thread_id) && is_usable(&self.run_id)
    }

    /// Returns the newest words of the user: the messages after everything that is not theirs, without
    /// those that came from this server or are at the end of the journal. Whatever a client says about
    /// assistants, tools, systems and older messages is not read.
    ///
    /// `unanswered` are the newest messages of the journal that nothing followed, oldest first: a client
    /// that saw its run fail still ends with them.
    pub fn words(&self, unanswered: &[String]) -> NewestWords {
        let of_user = |message: &&InputMessage| message.role.as_deref() == Some("user");
        let mut last: Vec<_> = self.messages.iter().rev().take_while(of_user).collect();
        last.reverse();
        last.retain(|message| {
            let id = message.id.as_deref().unwrap_or_default();
            claims::base(id).parse::<MessageId>().is_err()
        });
        let read: Vec<_> = last.into_iter().map(text).collect();
        // The longest end of the journal with which they begin.
        let mut ends = (0..=unanswered.len().min(read.len())).rev();
        let known = ends.find(|n| {
            let end = unanswered.iter().skip(unanswered.len() - n);
            end.zip(&read).all(|(known, new)| *known == new.text)
        });
        let (known, new) = read.split_at(known.unwrap_or_default());
        if new.is_empty() {
            return match known {
                [] => NewestWords::None,
                _ => NewestWords::Unanswered,
            };
        }
        let texts: Vec<_> = new
            .iter()
            .map(|new| new.text.as_str())
            .filter(|text| !text.is_empty())
            .collect();
        NewestWords::New(NewText {
            text: texts.join("\n\n"),
            has_other_parts: new.iter().any(|new| new.has_other_parts),
        })
    }
}

/// Returns whether a text can name a thread or a run.
fn is_usable(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && !id.contains(char::is_control)
}

/// Returns the text of a message of the user, cut where the engine refuses it. Of one that has only parts
/// which cannot be read it says so: its run must not fail for them.
fn text(message: &InputMessage) -> NewText {
    let mut read = whole_text(message);
    if read.has_other_parts && read.text.is_empty() {
        texts::PART_LEFT_OUT.clone_into(&mut read.text);
    }
    // Far beyond what the engine takes: it says so, with less of it in memory.
    let most = read.text.floor_char_boundary(2 * MAX_MESSAGE_BYTES);
    read.text.truncate(most);
    read
}

/// Returns the text of a message: its string, or its text parts.
fn whole_text(message: &InputMessage) -> NewText {
    let mut read = NewText {
        text: String::new(),
        has_other_parts: false,
    };
    match &message.content {
        Some(Value::String(text)) => read.text.clone_from(text),
        Some(Value::Array(parts)) => {
            for part in parts {
                match part.get("text").and_then(Value::as_str) {
                    Some(text) if part.get("type") == Some(&"text".into()) => {
                        read.text.push_str(text);
                    }
                    _ => read.has_other_parts = true,
                }
            }
        }
        _ => {}
    }
    read
}

#[cfg(test)]
mod tests;
