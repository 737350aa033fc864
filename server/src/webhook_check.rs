//! `jarvis webhooks check`: a signed test message for the configured endpoints.

use std::process::ExitCode;

use agent::ports::Env;
use anyhow::bail;
use protocol::Timestamp;
use serde_json::json;
use webhooks::{Delivery, DeliveryAttempt};

use crate::{
    config::Config, env::SystemEnv, feed::moment, subcommand::print, texts, webhook_tasks::sender,
};

/// The type of the message, which no endpoint can leave out.
const KIND: &str = "test";

/// Sends a test message to each endpoint, or to the named one alone. It is sent once, and stored nowhere.
pub(crate) async fn check(config: &Config, name: Option<&str>) -> anyhow::Result<ExitCode> {
    let endpoints = config.webhooks.iter();
    let endpoints: Vec<_> = endpoints
        .filter(|endpoint| name.is_none_or(|name| endpoint.name == name))
        .collect();
    if endpoints.is_empty() {
        bail!(texts::webhooks::no_such_endpoint(name));
    }
    let mut has_failed = false;
    for endpoint in endpoints {
        let name = &endpoint.name;
        let sender = sender(endpoint)?;
        let now = SystemEnv.now();
        let delivery = message(name, now, SystemEnv.random());
        let line = match sender.send(&delivery, now.0.div_euclid(1000)).await {
            DeliveryAttempt::Delivered => texts::webhooks::test_delivered(name),
            DeliveryAttempt::Gone => {
                has_failed = true;
                texts::webhooks::test_gone(name)
            }
            DeliveryAttempt::Failed(why) => {
                has_failed = true;
                texts::webhooks::test_failed(name, &why)
            }
        };
        print(&line)?;
    }
    Ok(ExitCode::from(u8::from(has_failed)))
}

/// A message that is about nothing, with an id that no other has.
fn message(endpoint: &str, now: Timestamp, random: u128) -> Delivery {
    let body = json!({
        "type": KIND,
        "timestamp": moment(now),
        "data": { "endpoint": endpoint },
    });
    Delivery {
        message: format!("msg_test_{random:032x}"),
        body: body.to_string(),
        failed: 0,
    }
}
