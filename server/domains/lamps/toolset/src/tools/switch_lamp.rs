//! Tool that switches a lamp on or off.

use std::{sync::Arc, time::Duration};

use agent::{
    crash,
    ports::{
        Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
        ToolExample, ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Fact, Offer, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    house::{House, SwitchError},
    texts,
};

const NAME: &str = "switch_lamp";
const DESCRIPTION: &str = "Switches a lamp of the house on or off. Use it when the user asks for it, \
    with the name of the lamp from get_lamps. A lamp that has failed can't be switched.";

/// The state that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Wanted {
    On,
    Off,
}

impl Wanted {
    const fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SwitchInput {
    /// The lamp, such as "hall".
    #[schemars(length(min = 1, max = 20))]
    lamp: String,
    /// The state to switch it to.
    state: Wanted,
}

pub(crate) struct SwitchLamp(pub(crate) Arc<House>);

impl SwitchLamp {
    /// The lamp of an input, or the reason why there is none.
    fn lamp(&self, name: &str) -> Result<&'static str, String> {
        self.0.find(name).ok_or_else(|| {
            let names = self.0.names().join(", ");
            texts::no_such_lamp(name, &names)
        })
    }

    fn read(&self, input: Value) -> Result<(&'static str, Wanted), ErrorBody> {
        let input: SwitchInput = read_input(input)?;
        let lamp = self.lamp(&input.lamp);
        let lamp = lamp.map_err(|why| ErrorBody::new(ErrorCode::ToolInputInvalid, why))?;
        Ok((lamp, input.state))
    }

    async fn preview(&self, input: Value) -> Result<Preview, ErrorBody> {
        let (lamp, wanted) = self.read(input)?;
        let lamps = self.0.lamps().await;
        let lamps = lamps.map_err(|error| failed(&SwitchError::Store(error)))?;
        let now = lamps.iter().find(|it| it.name == lamp);
        let now = now.map_or("unknown", |it| it.state.word());
        Ok(Preview {
            facts: vec![Fact {
                label: texts::STATE_NOW.to_owned(),
                value: now.to_owned(),
            }],
            state: json!({ "state": now }),
            said: &["lamp", "state"],
            ..Preview::new(
                texts::switch_lamp(lamp, wanted.word()),
                format!("lamp {lamp}"),
            )
        })
    }

    async fn switch(&self, input: Value) -> Result<ToolOutput, ErrorBody> {
        let (lamp, wanted) = self.read(input)?;
        crash::point(|| "before the order: a lamp".to_owned());
        let done = self.0.switch(lamp, wanted == Wanted::On).await;
        done.map_err(|error| failed(&error))?;
        crash::point(|| "ordered, not followed: a lamp".to_owned());
        Ok(ToolOutput {
            summary: texts::lamp_is(lamp, wanted.word()),
            data: json!({ "lamp": lamp, "state": wanted.word() }),
            images: Vec::new(),
        })
    }
}

fn failed(error: &SwitchError) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolFailed, error.to_string())
}

/// The lamp that an input names, in lower case.
fn named(input: &Value) -> Option<String> {
    let name = input.get("lamp").and_then(Value::as_str)?;
    Some(name.to_ascii_lowercase())
}

#[async_trait]
impl Tool for SwitchLamp {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            // It sets a state, so a second time changes nothing.
            recovery: Recovery::Idempotent,
            timeout: Duration::from_secs(5),
            editable: vec!["/lamp".to_owned()],
            examples: vec![
                ToolExample::new("Switch the hall lamp off."),
                ToolExample::new("Switch the lamp in the kitchen on."),
            ],
            ..ToolSpec::new::<SwitchInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        named(input).map(|lamp| format!("lamp {lamp}"))
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let lamp = named(input).map(|lamp| format!("lamp/{lamp}"));
        lamp.into_iter().collect()
    }

    fn assess(&self, input: &Value) -> Assessment {
        let lamp = self.lamp(&named(input).unwrap_or_default());
        Assessment {
            refused: lamp.err(),
            ..Assessment::plain(Tier::Yellow, input)
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        self.preview(call.input.clone()).await
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::SAFE_TO_SWITCH_AGAIN.to_owned())
    }

    fn offers(&self) -> Vec<Offer> {
        [("off", "on"), ("on", "off")]
            .map(|(when, to)| Offer {
                tool: NAME.to_owned(),
                label: texts::switch(to),
                on: "lamp".to_owned(),
                when: when.to_owned(),
                only: Vec::new(),
                with: json!({ "state": to }),
            })
            .into()
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        self.switch(call.input).await.map_err(ToolError)
    }
}
