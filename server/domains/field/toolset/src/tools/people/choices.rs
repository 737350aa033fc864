//! Choices of people: the name of a device and what the policy should know about it, and whether a site
//! hides public addresses.

use agent::ports::{Preview, ToolCall, ToolSpec, read_input};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{PeopleAct, line, spec};
use crate::{
    parts::{FieldParts, bad_input, fault},
    ports::{
        CRITICAL, DeviceStanding, DeviceWish, FieldFaultCode, KnownDevice, KnownSite, METERED,
    },
    shape,
    texts::{pages, people as say, tools},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EditDeviceInput {
    /// The device.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// Its new name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 50))]
    name: Option<String>,
    /// True if much depends on it: its scripts have more risk.
    #[serde(default)]
    critical: Option<bool>,
    /// True if its line is paid by volume: tests that fill it have more risk.
    #[serde(default)]
    metered: Option<bool>,
}

impl EditDeviceInput {
    /// The device and the wish of an input.
    fn read(parts: &FieldParts, input: &Value) -> Result<(KnownDevice, DeviceWish), ErrorBody> {
        let input: Self = read_input(input.clone())?;
        let device = parts.device(&input.device)?;
        let name = input.name.map(|name| line("name", &name)).transpose()?;
        let wish = DeviceWish {
            name,
            critical: input.critical,
            metered: input.metered,
        };
        if wish == DeviceWish::default() {
            return Err(bad_input(say::NOTHING_TO_CHANGE));
        }
        if device.standing == DeviceStanding::Retired {
            return Err(fault(FieldFaultCode::OtherStanding));
        }
        Ok((device, wish))
    }
}

/// Changes the name of a device, and whether it is critical or metered.
pub(super) struct EditDevice;

#[async_trait]
impl PeopleAct for EditDevice {
    fn spec(&self) -> ToolSpec {
        spec::<EditDeviceInput>(
            "edit_device",
            "Changes the name of a field device, and whether it is critical or has a metered line. The policy \
             reads both.",
            Tier::Yellow,
        )
    }

    /// Without one of these tags scripts have less risk, and so need fewer people: that takes a card.
    fn tier(&self, input: &Value) -> Tier {
        let is_taken = |tag: &str| input.get(tag) == Some(&Value::Bool(false));
        if is_taken(CRITICAL) || is_taken(METERED) {
            Tier::Red
        } else {
            Tier::Yellow
        }
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let (device, wish) = EditDeviceInput::read(parts, &call.input)?;
        let mut facts = Vec::new();
        let mut changes = |label: &str, from: &str, to: &str| {
            facts.push(Fact {
                label: label.to_owned(),
                value: say::from_to(from, to),
            });
        };
        if let Some(name) = &wish.name {
            changes(say::NAME, &device.name, name);
        }
        for (label, tag, wished) in [
            (say::CRITICAL, CRITICAL, wish.critical),
            (say::METERED, METERED, wish.metered),
        ] {
            if let Some(wished) = wished {
                changes(label, yes_or_no(device.is_tagged(tag)), yes_or_no(wished));
            }
        }
        Ok(Preview {
            facts,
            objects: vec![
                format!("device/{}", device.id),
                format!("site/{}", device.site),
            ],
            grantable: false,
            state: json!({ "name": device.name, "tags": device.tags }),
            ..Preview::new(say::edit(&device.name), tools::device(&device.name))
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let (device, wish) = EditDeviceInput::read(parts, &call.input)?;
        let administration = &parts.ports.administration;
        administration
            .edit_device(&device.id, &wish, call.origin.person)
            .await?;
        let data = json!({
            "device": device.id,
            "name": wish.name.as_ref().unwrap_or(&device.name),
            "tags": wish.tags(&device.tags),
        });
        Ok(shape::output(say::EDITED.to_owned(), data))
    }
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { pages::YES } else { pages::NO }
}

/// The form in which a model and viewers get the public addresses of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum AddressChoice {
    Hidden,
    Shown,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PublicAddressesInput {
    /// The site.
    #[schemars(length(min = 1, max = 40))]
    site: String,
    /// The choice for its public addresses from now on.
    addresses: AddressChoice,
}

impl PublicAddressesInput {
    /// The site of an input, and whether its addresses are to be hidden.
    fn read(parts: &FieldParts, input: &Value) -> Result<(KnownSite, bool), ErrorBody> {
        let input: Self = read_input(input.clone())?;
        let snapshot = parts.snapshot();
        let site = snapshot.site(&input.site).cloned();
        let site = site.ok_or_else(|| fault(FieldFaultCode::UnknownSite))?;
        Ok((site, input.addresses == AddressChoice::Hidden))
    }
}

/// Hides the public addresses of a site, or shows them.
pub(super) struct SetPublicAddresses;

#[async_trait]
impl PeopleAct for SetPublicAddresses {
    fn spec(&self) -> ToolSpec {
        spec::<PublicAddressesInput>(
            "set_public_addresses",
            "Chooses whether addresses that are routed globally are hidden at a site, as private ones always \
             are.",
            Tier::Red,
        )
    }

    fn sites(&self, parts: &FieldParts, input: &Value) -> Vec<String> {
        let snapshot = parts.snapshot();
        let site = input.get("site").and_then(Value::as_str);
        let site = site.and_then(|id| snapshot.site(id));
        let site = site.map(|site| format!("site/{}", site.id));
        site.into_iter().collect()
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let (site, hides) = PublicAddressesInput::read(parts, &call.input)?;
        let sentence = if hides {
            say::hide_public(&site.name)
        } else {
            say::show_public(&site.name)
        };
        Ok(Preview {
            facts: vec![Fact {
                label: say::PUBLIC_ADDRESSES.to_owned(),
                value: say::from_to(hidden_or_shown(site.hides_public), hidden_or_shown(hides)),
            }],
            objects: vec![format!("site/{}", site.id)],
            grantable: false,
            state: json!({ "hidden": site.hides_public }),
            ..Preview::new(sentence, say::at_site(&site.name))
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let (site, hides) = PublicAddressesInput::read(parts, &call.input)?;
        let administration = &parts.ports.administration;
        administration
            .hide_public(&site.id, hides, call.origin.person)
            .await?;
        let data = json!({ "site": site.id, "public_addresses": hidden_or_shown(hides) });
        Ok(shape::output(hidden_or_shown(hides).to_owned(), data))
    }
}

fn hidden_or_shown(hides: bool) -> &'static str {
    if hides { say::HIDDEN } else { say::SHOWN }
}
