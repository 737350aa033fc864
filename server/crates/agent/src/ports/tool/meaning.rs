//! The meaning of a call: what the gate weighs, what a card shows, how to check its outcome after a
//! crash.

use protocol::{Assurance, CardSection, Fact, OriginSource, RiskReason, Tier, ToolOutput};
use serde_json::Value;

use super::ToolError;
use crate::texts;

/// A tool's assessment of an input before anything is done, from configuration alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The tier of this very input. It may raise the tool's tier, never lower it.
    pub tier: Tier,
    /// The reasons why it needs more care than the tool as such, one sentence each.
    pub risks: Vec<String>,
    /// The reason why its target is protected, in one sentence. Nothing above GREEN runs then.
    pub protected: Option<String>,
    /// The reason why it is refused although it fits the schema, in one sentence.
    pub refused: Option<String>,
    /// The values whose origin matters: what is acted on, and how.
    pub values: Vec<InputValue>,
}

impl Assessment {
    /// The tool's own tier, and every value of the input.
    pub fn plain(tier: Tier, input: &Value) -> Self {
        Self {
            tier,
            risks: Vec::new(),
            protected: None,
            refused: None,
            values: InputValue::all(input),
        }
    }
}

/// A value in an input, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValue {
    /// JSON pointer, such as `/vmid`.
    pub path: String,
    pub text: String,
    pub case: Case,
    /// Its source, if the toolset knows it and the person does not name the value: the
    /// configuration, which says what may be a target and never that it is one.
    pub source: Option<OriginSource>,
    /// Other values that the system itself maps to this one, and only to this one, such as the name
    /// of the guest with this id. To name one of them is to name this.
    pub mapped_from: Vec<String>,
}

/// The part that ASCII case plays when a value is compared with a person's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// The system takes both spellings for the same thing, such as nodes, symbols and fixed words, or
    /// all but one of them lead nowhere. The latter is why it is safe for services to restart:
    /// systemd tells `smbd` from `Smbd`, but the configuration lists what may be restarted and
    /// compares it exactly, so another spelling is refused, whoever said it. An admin who lists two
    /// services that differ in case alone lets a person who names one order both.
    Ignored,
    /// Both spellings may be there and mean two things: paths, devices, units that no list bounds,
    /// free text.
    Counts,
}

impl InputValue {
    /// Every text, number and boolean in an input.
    pub fn all(input: &Value) -> Vec<Self> {
        let mut values = Vec::new();
        collect(input, &mut String::new(), &mut values);
        values
    }
}

fn collect(value: &Value, path: &mut String, values: &mut Vec<InputValue>) {
    let mut leaf = |text: String| {
        values.push(InputValue {
            path: path.clone(),
            text,
            case: Case::Ignored,
            source: None,
            mapped_from: Vec::new(),
        });
    };
    match value {
        Value::Null => {}
        Value::Bool(flag) => leaf(flag.to_string()),
        Value::Number(number) => leaf(number.to_string()),
        Value::String(text) => leaf(text.clone()),
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                let length = path.len();
                path.push_str(&format!("/{index}"));
                collect(item, path, values);
                path.truncate(length);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                let length = path.len();
                path.push('/');
                path.push_str(&name.replace('~', "~0").replace('/', "~1"));
                collect(item, path, values);
                path.truncate(length);
            }
        }
    }
}

/// The effect that a call would have, read from the system just now.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The effect in one sentence with a full stop, such as `Shut down VM 101 (nextcloud) on node
    /// pve.`
    pub sentence: String,
    /// Such as `VM 101 (nextcloud) on node pve`. The same target is always the same text.
    pub target: String,
    /// The target now, and the things that depend on it.
    pub facts: Vec<Fact>,
    /// Things to know before approving, good ones too, such as that there is no backup. The card
    /// shows them first.
    pub risks: Vec<RiskReason>,
    /// Parts of the effect that have a form, such as the script that will run. They are part of the
    /// digest, so nothing in them may change by itself.
    pub sections: Vec<CardSection>,
    /// The input with the real values, if the model's has tokens in place of hidden ones: the card
    /// shows it in place of the input. It has the same fields and differs in texts alone. Part of the
    /// digest; the model never sees it. Everybody reads sentence and target in the feed: with this,
    /// those keep the tokens.
    pub shown: Option<Value>,
    /// Fields of the input whose value the sentence, the target or a section says. Only if all are
    /// among them the card folds the input: what no one lists is always shown.
    pub said: &'static [&'static str],
    /// Things that the call touches and that only the system knows, each as [`Tool::objects`] names
    /// them. A protected one blocks the call. A call that runs without a card is not previewed, so
    /// its tool names them in [`Tool::objects`].
    ///
    /// [`Tool::objects`]: super::Tool::objects
    pub objects: Vec<String>,
    /// The part that cannot be undone, in one sentence.
    pub irreversible: Option<String>,
    /// The way in which a person approves.
    pub assurance: Assurance,
    /// The reason why somebody else than the person who asked has to approve it, in one sentence, also
    /// where the policy is content with one person.
    pub second: Option<String>,
    /// False if an approval may not come with a grant, and no earlier one covers the call: it is asked
    /// for each time.
    pub grantable: bool,
    /// The facts that must still be true when the call runs, such as state and start time. Part of
    /// the digest, so nothing in it may change by itself.
    pub state: Value,
}

impl Preview {
    /// A preview that is approved by a press and depends on no state.
    pub fn new(sentence: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            target: target.into(),
            facts: Vec::new(),
            risks: Vec::new(),
            sections: Vec::new(),
            shown: None,
            said: &[],
            objects: Vec::new(),
            irreversible: None,
            assurance: Assurance::Press,
            second: None,
            grantable: true,
            state: Value::Null,
        }
    }

    /// The preview of a call that reads. It is asked for when the policy has raised the tool.
    pub fn of_reading(tool: &str, target: Option<String>) -> Self {
        let target = target.unwrap_or_else(|| texts::gate::THE_SYSTEM.to_owned());
        Self::new(texts::gate::read_with(tool), target)
    }
}

/// The findings about a call that a crash cut off.
#[derive(Debug, Clone, PartialEq)]
pub enum Reconciled {
    /// It took effect, and this is its result.
    Done(Result<ToolOutput, ToolError>),
    /// It did not take effect; the reason why that is certain, in one sentence.
    NotDone(String),
    /// It cannot be found out; the facts that are known, in one sentence.
    Unknown(String),
}
