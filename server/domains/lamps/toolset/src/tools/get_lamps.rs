//! Tool that lists the lamps.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    house::{House, Lamp, State},
    texts,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetLampsInput {}

pub(crate) struct GetLamps(pub(crate) Arc<House>);

#[async_trait]
impl ReadingTool for GetLamps {
    const NAME: &'static str = "get_lamps";
    const DESCRIPTION: &'static str = "Lists the lamps of the house with the state of each (on, off or \
        failed) and when it was last switched. Use it for every question about lamps or light.";
    const TIMEOUT: Duration = Duration::from_secs(5);
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Which lamps are on?"),
        ToolExample::new("Has any lamp failed?"),
    ];
    type Input = GetLampsInput;

    async fn read(&self, _: Self::Input, _: Progress) -> Result<ToolOutput, ErrorBody> {
        let lamps = self.0.lamps().await.map_err(|error| {
            ErrorBody::new(ErrorCode::StorageFailed, texts::lamps_failed(&error))
        })?;
        let on = lamps.iter().filter(|lamp| lamp.state == State::On).count();
        Ok(ToolOutput {
            summary: texts::lamps_are_on(on, lamps.len()),
            data: rows(&lamps),
            images: Vec::new(),
        })
    }
}

/// The lamps for the model.
pub(crate) fn rows(lamps: &[Lamp]) -> Value {
    let row = |lamp: &Lamp| {
        json!({
            "lamp": lamp.name,
            "state": lamp.state.word(),
            // Milliseconds since 1970.
            "switched_at": lamp.switched.map(|at| at.0),
        })
    };
    json!({ "lamps": lamps.iter().map(row).collect::<Vec<_>>() })
}
