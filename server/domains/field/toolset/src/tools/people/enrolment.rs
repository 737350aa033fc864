//! One-time tokens for new devices.

use agent::ports::{Preview, Reconciled, Recovery, ToolCall, ToolSpec, read_input};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{PeopleAct, line, spec};
use crate::{
    once_tokens::WaitingToken,
    parts::{FieldParts, fault, time},
    ports::{EnrolmentNote, EnrolmentWish, FieldFaultCode, WishedSite},
    shape,
    texts::people as say,
};

/// Hours that a token can be used, unless the person says otherwise.
const HOURS: u32 = 24;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EnrolInput {
    /// Name of the site; a name that no site has makes a new one.
    #[schemars(length(min = 1, max = 50))]
    site: String,
    /// Name that the device gets.
    #[schemars(length(min = 1, max = 50))]
    name: String,
    /// Hours that the token can be used; 24 if left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 168))]
    hours: Option<u32>,
}

/// An input that was read.
struct ReadWish {
    site: WishedSite,
    site_name: String,
    name: String,
    hours: u32,
}

impl ReadWish {
    fn of(parts: &FieldParts, input: &Value) -> Result<Self, ErrorBody> {
        let input: EnrolInput = read_input(input.clone())?;
        let wished = line("site", &input.site)?;
        let known = site_of_name(parts, &wished);
        let (site, site_name) = match known {
            Some((id, name)) => (WishedSite::Known(id), name),
            None => (WishedSite::New(wished.clone()), wished),
        };
        Ok(Self {
            site,
            site_name,
            name: line("name", &input.name)?,
            hours: input.hours.unwrap_or(HOURS),
        })
    }
}

/// The identifier and the name of the site that a person calls so.
fn site_of_name(parts: &FieldParts, name: &str) -> Option<(String, String)> {
    let snapshot = parts.snapshot();
    let mut sites = snapshot.sites.iter();
    let lower = name.to_lowercase();
    let site = sites.find(|site| site.name.to_lowercase() == lower)?;
    Some((site.id.clone(), site.name.clone()))
}

/// Makes a token. The token itself waits in memory for the page of the person; the result has none.
pub(super) struct EnrolDevice;

#[async_trait]
impl PeopleAct for EnrolDevice {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            recovery: Recovery::Reconcilable,
            ..spec::<EnrolInput>(
                "enrol_device",
                "Makes a one-time token with which one new field device can enrol. The device then waits to \
                 be adopted.",
                Tier::Yellow,
            )
        }
    }

    fn sites(&self, parts: &FieldParts, input: &Value) -> Vec<String> {
        let name = input.get("site").and_then(Value::as_str);
        let site = name.and_then(|name| site_of_name(parts, name.trim()));
        site.map(|(id, _)| format!("site/{id}"))
            .into_iter()
            .collect()
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let wish = ReadWish::of(parts, &call.input)?;
        let is_new = matches!(wish.site, WishedSite::New(_));
        Ok(Preview {
            facts: vec![Fact {
                label: say::SITE.to_owned(),
                value: say::site(&wish.site_name, is_new),
            }],
            grantable: false,
            ..Preview::new(
                say::enrol(&wish.name, &wish.site_name, wish.hours),
                say::new_device(&wish.name),
            )
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let wish = ReadWish::of(parts, &call.input)?;
        let person = call.origin.person;
        let order = EnrolmentWish {
            call: call.id,
            site: wish.site,
            name: wish.name.clone(),
            hours: Some(wish.hours),
            person,
        };
        let issued = parts.ports.administration.issue(&order).await?;
        let data = json!({
            "enrolment": issued.enrolment,
            "name": wish.name,
            "site": wish.site_name,
            "expires": time(issued.expires),
        });
        let token = WaitingToken {
            issued,
            name: wish.name,
            site_name: wish.site_name,
        };
        let now = parts.now();
        parts
            .tokens
            .hold(call.origin.conversation, person, now, token);
        Ok(shape::output(say::TOKEN_MADE.to_owned(), data))
    }

    async fn reconcile(&self, parts: &FieldParts, call: &ToolCall) -> Reconciled {
        match parts.ports.administration.enrolment_of(call.id).await {
            Ok(None) => Reconciled::NotDone(say::NO_TOKEN_MADE.to_owned()),
            Ok(Some(made)) => {
                let output = shape::output(say::TOKEN_LOST.to_owned(), note(&made));
                Reconciled::Done(Ok(output))
            }
            Err(fault) => Reconciled::Unknown(ErrorBody::from(fault).message),
        }
    }
}

fn note(enrolment: &EnrolmentNote) -> Value {
    json!({
        "enrolment": enrolment.id,
        "name": enrolment.name,
        "site": enrolment.site,
        "expires": time(enrolment.expires),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WithdrawInput {
    /// The enrolment.
    #[schemars(regex(pattern = r"^enr_[0-9a-z]{26}$"))]
    enrolment: String,
}

/// Withdraws a token that no device has used.
pub(super) struct WithdrawEnrolment;

#[async_trait]
impl PeopleAct for WithdrawEnrolment {
    fn spec(&self) -> ToolSpec {
        spec::<WithdrawInput>(
            "withdraw_enrolment",
            "Withdraws an enrolment token that no device has used yet.",
            Tier::Yellow,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: WithdrawInput = read_input(call.input.clone())?;
        let found = parts.ports.administration.enrolment(&input.enrolment).await;
        let found = found?.ok_or_else(|| fault(FieldFaultCode::UnknownEnrolment))?;
        let target = say::new_device(&found.name);
        Ok(Preview {
            objects: vec![format!("site/{}", found.site)],
            grantable: false,
            ..Preview::new(say::withdraw(&found.name), target)
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: WithdrawInput = read_input(call.input.clone())?;
        let administration = &parts.ports.administration;
        let person = call.origin.person;
        let now = administration.withdraw(&input.enrolment, person).await?;
        if !now.is_withdrawn {
            return Err(fault(FieldFaultCode::EnrolmentUsed));
        }
        Ok(shape::output(say::WITHDRAWN.to_owned(), note(&now)))
    }
}
