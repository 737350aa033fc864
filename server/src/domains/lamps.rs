//! The sample domain: the lamps of a small simulated house. No build for use has it.

mod sensors;
mod texts;

use std::sync::Arc;

use agent::ports::Toolset;
use anyhow::Context;
use async_trait::async_trait;
use axum::{extract::Path, http::StatusCode, response::IntoResponse};
use lamps::{House, MOST, ReadingStore};
use lamps_tables::LampsTables;
use protocol::{Reference, Role, SystemStatus};
use serde::Deserialize;
use serde_json::Value;

use super::{Domain, Services, Started};
use crate::{
    config::{Options, Reader, Section, Whole},
    routes::{OrderedCall, Route},
    rules::{ProtectedKind, Protection},
    tasks::Task,
};

/// The largest number of lamps that can be configured.
const MOST_LAMPS: u32 = MOST as u32;

/// What the configuration says of the lamps.
#[derive(Debug, Clone)]
struct LampsOptions {
    /// Off by default: most tests are about other domains.
    enabled: bool,
    count: u32,
}

impl Options for LampsOptions {
    fn is_connected(&self) -> bool {
        false
    }

    fn is_off(&self) -> bool {
        !self.enabled
    }

    fn policy(&self) -> String {
        format!("{} lamps", self.count)
    }
}

fn read(r: &mut Reader<'_>) -> Arc<dyn Options> {
    r.section("lamps", "The lamps of a small simulated house.");
    let enabled = r
        .key(
            "lamps.enabled",
            "with true, there are lamps and their tools",
        )
        .env("JARVIS_LAMPS")
        .or(false);
    let count = r
        .key("lamps.count", "number of lamps, 1 to 8")
        .env("JARVIS_LAMPS_COUNT")
        .or(Whole::<1, MOST_LAMPS>(5));
    Arc::new(LampsOptions {
        enabled: *enabled,
        count: count.0,
    })
}

pub(super) struct Lamps;

#[async_trait]
impl Domain for Lamps {
    fn section(&self) -> Section {
        Section {
            name: "lamps",
            notices: &[lamps::NOTICE],
            read,
        }
    }

    async fn start(
        &self,
        options: &dyn Options,
        services: Services<'_>,
    ) -> anyhow::Result<Started> {
        let options: &LampsOptions = options.as_of().context("options of the lamps")?;
        let tables = LampsTables::open(services.database).await?;
        let house = House::new(
            usize::try_from(options.count)?,
            Arc::new(tables.clone()),
            Arc::clone(services.env),
        );
        let mut toolset = lamps::Lamps::new(house);
        if services.notices.enabled {
            toolset = toolset.watched(&services.notices.off);
        }
        let status = SystemStatus {
            toolset: toolset.name().to_owned(),
            name: texts::SIMULATED_HOUSE.to_owned(),
            simulated: true,
        };
        let recorder = toolset.recorder(Arc::new(tables.clone()));
        Ok(Started {
            protection: Some(Protection {
                kinds: vec![ProtectedKind {
                    name: "lamp",
                    label: texts::LAMPS_BY_NAME,
                    check: lamps::canonical,
                }],
                ..Protection::default()
            }),
            routes: routes(&toolset, tables.clone()),
            door: Some(sensors::door(tables)),
            tasks: vec![Task::new("readings of the lamps", |stop| async move {
                recorder.run(stop.cancelled_owned()).await;
            })],
            ..Started::of(Arc::new(toolset), status)
        })
    }
}

/// The wish of a program about a lamp.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WishedState {
    state: String,
}

/// The call that switches a lamp.
async fn ordered(
    Path(name): Path<String>,
    axum::Json(wished): axum::Json<WishedState>,
) -> OrderedCall {
    let input = [("lamp", name), ("state", wished.state)];
    let input = input.map(|(field, value)| (field.to_owned(), Value::String(value)));
    OrderedCall {
        tool: "switch_lamp".to_owned(),
        input: input.into_iter().collect(),
    }
}

/// The state of a lamp, for everybody, and the readings, for those who may act.
fn routes(toolset: &lamps::Lamps, tables: LampsTables) -> Vec<Route> {
    let toolset = toolset.clone();
    let lamp = |Path(name): Path<String>| async move {
        let lamp = Reference::new("lamp", &name);
        match toolset.describe(&lamp).await {
            Ok(state) => axum::Json(state).into_response(),
            Err(why) => (StatusCode::NOT_FOUND, why).into_response(),
        }
    };
    let readings = tables.clone();
    let readings = || async move {
        match readings.readings().await {
            Ok(readings) => lamps::csv(&readings).into_response(),
            Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
        }
    };
    vec![
        Route::get("/lamps/{name}", Role::Viewer, lamp).example("/lamps/hall"),
        Route::get("/readings", Role::Operator, readings),
        Route::post("/readings", Role::Operator, move |reading| {
            sensors::take(tables, reading)
        })
        .body(r#"{"at_ms": 1, "on": 2}"#)
        .limit(1024),
        Route::call("/lamps/{name}/state", Role::Operator, ordered)
            .example("/lamps/hall/state")
            .body(r#"{"state": "off"}"#)
            .limit(1024),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::options_of;

    fn count(text: &str) -> Result<Option<u32>, Vec<String>> {
        let options = options_of::<LampsOptions>(text)?;
        Ok(options.map(|options| options.count))
    }

    #[test]
    fn the_number_of_lamps_is_a_setting_with_bounds() {
        assert_eq!(count(""), Ok(None), "it is off by default");
        assert_eq!(count("[lamps]\nenabled = true\n"), Ok(Some(5)));
        assert_eq!(count("[lamps]\nenabled = true\ncount = 8\n"), Ok(Some(8)));
        assert_eq!(
            count("[lamps]\ncount = 9\n").unwrap_err(),
            ["jarvis.toml, line 2: lamps.count: expected a whole number from 1 to 8"]
        );
    }
}
