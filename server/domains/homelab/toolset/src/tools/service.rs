//! Tool that restarts services listed in the configuration, with the state before and after.
//!
//! Proxmox VE does it where it knows the unit, or else the node's guard over SSH, by its own list.
//! A restart that was sent, and even one that succeeded, proves little: a service counts as started
//! as soon as it has forked. So systemd must show a new start that is up and stays up.

mod prove;
mod proxmox;
mod reconcile;
mod way;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

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
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::{prove::ServiceProof, reconcile::reconcile, way::RestartWay};
use super::{
    about_node, changed_fact,
    execute_ssh::{is_configured, protection},
    output, service_object, touched,
};
use crate::{
    cluster_access::ClusterAccess,
    ssh::{
        GrammarCommand, SshError,
        services::{self, ShownServices, stem},
    },
    texts,
    time::rfc3339,
};

/// Time to send it, wait for its end, and check that it stays up.
const TIMEOUT: Duration = Duration::from_secs(240);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ServiceInput {
    /// The node, such as "pve".
    #[schemars(length(min = 1, max = 63))]
    node: String,
    /// The service, such as "pveproxy" or "smbd.service".
    #[schemars(length(min = 1, max = 136))]
    service: String,
}

/// A restart that the configuration allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RestartState {
    pub(super) node: String,
    /// Full name, such as `pveproxy.service`.
    pub(super) unit: String,
}

pub(crate) struct RestartService(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl Tool for RestartService {
    fn spec(&self) -> ToolSpec {
        const DESCRIPTION: &str = "Restarts a service (a systemd unit) on a node and checks that it runs \
                      again. Only services that the operator listed for that node can be \
                      restarted; others are refused with the list. Use it when a person asks for \
                      it, or offers to have it done; look at the service first. A restart cuts \
                      what the service is doing. It is done when the result says `restarted`; \
                      there is no need to do it again.";
        ToolSpec {
            tier: Tier::Yellow,
            recovery: Recovery::Reconcilable,
            timeout: TIMEOUT,
            examples: vec![
                ToolExample::new("Restart smbd on pve."),
                ToolExample::new("Restart pveproxy on pve."),
            ],
            ..ToolSpec::new::<ServiceInput>("restart_service", DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        let node = input.get("node").and_then(Value::as_str);
        let service = input.get("service").and_then(Value::as_str);
        match node {
            Some(node) => Some(target(node, service.unwrap_or("?"))),
            None => about_node(input),
        }
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let text = |field| input.get(field).and_then(Value::as_str);
        let service = text("node").zip(text("service"));
        let service = service.map(|(node, service)| service_object(node, service));
        touched(input).into_iter().chain(service).collect()
    }

    fn assess(&self, input: &Value) -> Assessment {
        assess(&self.0, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        preview(&self.0, &call.input).await
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        changed_fact("State", shown, now)
    }

    fn offers(&self) -> Vec<Offer> {
        offers(&self.0)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        reconcile(&self.0, &call.input, since).await
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input = read_input(call.input).map_err(ToolError)?;
        let done = restart_service(&self.0, input, &progress).await;
        done.map_err(ToolError)
    }
}

/// Offers for all services in the configuration, each on its node.
fn offers(access: &ClusterAccess) -> Vec<Offer> {
    let of_node = |(node, services): (&String, &Vec<String>)| {
        let offer = |service: &String| Offer {
            tool: "restart_service".to_owned(),
            label: texts::service::restart(service),
            on: "node".to_owned(),
            when: "online".to_owned(),
            only: vec![node.clone()],
            with: json!({ "service": service }),
        };
        let services: BTreeSet<_> = services.iter().collect();
        services.into_iter().map(offer).collect::<Vec<_>>()
    };
    access.config.services.iter().flat_map(of_node).collect()
}

/// The object of a call; the same text for every spelling of the service.
fn target(node: &str, service: &str) -> String {
    let unit = services::unit(service).unwrap_or_else(|| service.to_owned());
    format!("service {} on node {node}", stem(&unit))
}

/// Refuses services that the configuration does not list. Vouches for no value: a restart has
/// effects, so the person must name the service. That covers the node if it is the only one with
/// the service.
fn assess(access: &ClusterAccess, input: &Value) -> Assessment {
    let plain = Assessment::plain(Tier::Yellow, input);
    let Ok(input) = ServiceInput::deserialize(input) else {
        // The schema rejects it.
        return plain;
    };
    let cuts_us = |unit: &str| matches!(stem(unit), "pveproxy" | "pvedaemon");
    let risks = match services::unit(&input.service) {
        Some(unit) if cuts_us(&unit) => vec![texts::service::CUTS_OUR_CONNECTION.to_owned()],
        _ => Vec::new(),
    };
    let mut values = plain.values;
    if let Some(unit) = services::unit(&input.service)
        && only_node_of(access, &unit) == Some(&input.node)
    {
        let of_node = values.iter_mut().filter(|value| value.path == "/node");
        for value in of_node {
            value.mapped_from.push(unit.clone());
        }
    }
    Assessment {
        values,
        protected: access
            .is_protected(&input.node)
            .then(|| protection(&input.node)),
        refused: allowed(access, &input).err(),
        risks,
        tier: plain.tier,
    }
}

/// The only node with a unit in its configured services; `None` if there are several.
fn only_node_of<'a>(access: &'a ClusterAccess, unit: &str) -> Option<&'a String> {
    let nodes = access.config.services.keys();
    let mut with_it = nodes.filter(|node| is_configured(access, node, unit));
    with_it.next().filter(|_| with_it.next().is_none())
}

/// The restart that an input requests, or the reason for a refusal in one sentence.
fn allowed(access: &ClusterAccess, input: &ServiceInput) -> Result<RestartState, String> {
    let Some(unit) = services::unit(&input.service) else {
        return Err(texts::service::not_a_service(&input.service));
    };
    if services::is_denied(&unit) {
        return Err(texts::service::is_never_restarted(stem(&unit)));
    }
    if is_configured(access, &input.node, &unit) {
        return Ok(RestartState {
            node: input.node.clone(),
            unit,
        });
    }
    let listed = access.config.services.get(&input.node);
    Err(match listed.filter(|names| !names.is_empty()) {
        Some(names) => {
            texts::service::may_not_be_restarted(stem(&unit), &input.node, &names.join(", "))
        }
        None => texts::service::none_may_be_restarted(&input.node),
    })
}

fn refused(reason: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, reason)
}

/// The state of a service for people and the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SeenService {
    /// Such as `active (running)`.
    pub(super) state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) running_since: Option<String>,
    /// Different after each start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) invocation_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) automatic_restarts: Option<u64>,
}

impl From<&ShownServices> for SeenService {
    fn from(shown: &ShownServices) -> Self {
        Self {
            state: shown.state(),
            running_since: shown
                .active_since
                .filter(|_| shown.active_state == "active")
                .map(rfc3339),
            invocation_id: Some(shown.invocation_id.clone()).filter(|id| !id.is_empty()),
            automatic_restarts: shown.automatic_restarts,
        }
    }
}

async fn preview(access: &ClusterAccess, input: &Value) -> Result<Preview, ErrorBody> {
    let restart = allowed(access, &read_input(input.clone())?).map_err(refused)?;
    let way = way::find(access, &restart).await?;
    let seen = way::look(access, &restart, &way).await?;
    let name = stem(&restart.unit);
    let fact = |label: &str, value: String| Fact {
        label: label.to_owned(),
        value,
    };
    let mut facts = vec![fact("State", seen.state.clone())];
    if let Some(since) = &seen.running_since {
        facts.push(fact(texts::RUNNING_SINCE, since.clone()));
    }
    facts.push(fact("Through", way.words(access, &restart.node)));
    Ok(Preview {
        facts,
        irreversible: Some(texts::service::SERVICE_IS_CUT_OFF.to_owned()),
        state: json!({ "state": seen.state, "invocation_id": seen.invocation_id }),
        said: &["node", "service"],
        ..Preview::new(
            texts::service::restart_service_on_node(name, &restart.node),
            target(&restart.node, &restart.unit),
        )
    })
}

#[derive(Debug, Serialize)]
struct RestartOut<'a> {
    node: &'a str,
    service: &'a str,
    outcome: &'static str,
    through: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<SeenService>,
    after: SeenService,
    /// The evidence of the restart.
    proof: String,
}

/// The result of a proven restart.
fn restarted(
    restart: &RestartState,
    way: &RestartWay,
    before: Option<SeenService>,
    after: SeenService,
    proof: String,
) -> Result<ToolOutput, ErrorBody> {
    let service = stem(&restart.unit);
    let node = &restart.node;
    output(
        texts::service::restarted(service, node, &after.state),
        &RestartOut {
            node,
            service,
            outcome: "restarted",
            through: way.name(),
            before,
            after,
            proof,
        },
    )
}

/// The error for a restart whose outcome is unknown.
fn unknown(restart: &RestartState, why: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ToolOutcomeUnknown,
        texts::service::outcome_is_not_known(
            stem(&restart.unit),
            &restart.node,
            why.trim_end_matches('.'),
        ),
    )
}

fn failed(restart: &RestartState, why: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ToolFailed,
        texts::service::failed(
            stem(&restart.unit),
            &restart.node,
            why.trim_end_matches('.'),
        ),
    )
}

async fn restart_service(
    access: &ClusterAccess,
    input: ServiceInput,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let restart = allowed(access, &input).map_err(refused)?;
    if access.is_protected(&restart.node) {
        return Err(ErrorBody::new(
            ErrorCode::ToolProtected,
            protection(&restart.node),
        ));
    }
    match way::find(access, &restart).await? {
        way @ RestartWay::Proxmox => proxmox::restart(access, &restart, &way, progress).await,
        way @ RestartWay::Ssh => over_ssh(access, &restart, &way, progress).await,
    }
}

async fn over_ssh(
    access: &ClusterAccess,
    restart: &RestartState,
    way: &RestartWay,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let name = stem(&restart.unit);
    // The state before is half of the proof, so nothing is done without it.
    let before = way::show(access, restart)
        .await
        .map_err(|error| error.body())?;
    if before.load_state != "loaded" {
        return Err(failed(restart, texts::service::NO_SUCH_SERVICE));
    }
    progress.report(&texts::service::restarting_on(name, &restart.node));
    let command =
        GrammarCommand::restart(&restart.unit).map_err(|error| refused(error.to_string()))?;
    crash::point(|| "before the order: restart over SSH".to_owned());
    let ordered = match &access.ssh {
        Some(ssh) => ssh.run(&restart.node, &command).await,
        None => Err(SshError::NotConfigured {
            node: restart.node.clone(),
        }),
    };
    crash::point(|| "ordered, not followed: restart over SSH".to_owned());
    let lost = match ordered {
        Ok(output) if output.code == Some(0) => None,
        Ok(output) => {
            let code = output
                .code
                .map_or("none".to_owned(), |code| code.to_string());
            let said: String = output.stderr.trim().chars().take(300).collect();
            let now = match way::show(access, restart).await {
                // systemctl may have lost its own connection to systemd.
                Ok(shown)
                    if shown.is_moving()
                        || prove::is_new_start(&before, &shown) && shown.is_up() =>
                {
                    return Err(unknown(
                        restart,
                        &texts::service::exit_code_but_running(&code, &shown.state(), &said),
                    ));
                }
                Ok(shown) => texts::service::it_is_now(&shown.state()),
                Err(_) => texts::service::ITS_STATE_CANNOT_BE_READ_NOW.to_owned(),
            };
            return Err(failed(
                restart,
                &texts::service::restart_failed_with_code(&code, &now, &said),
            ));
        }
        Err(error) if error.may_have_run() => Some(error.to_string()),
        Err(error) => return Err(error.body()),
    };
    progress.report(&texts::service::checking_stability(name));
    let proof = prove::prove(access, restart, Some(&before)).await;
    match (proof, lost) {
        (ServiceProof::Restarted(after), _) => restarted(
            restart,
            way,
            Some(SeenService::from(&before)),
            SeenService::from(&after),
            prove::words(access),
        ),
        // The request may still be in transit.
        (ServiceProof::Same, Some(lost)) => Err(unknown(restart, &lost)),
        (ServiceProof::Same, None) => Err(unknown(restart, texts::service::SAME_START_AS_BEFORE)),
        (ServiceProof::Down(why), _) => Err(failed(restart, &why)),
        (ServiceProof::Unsure(why), _) => Err(unknown(restart, &why)),
    }
}
