//! Sentences of the field devices for people and devices: their start, their configuration, their door.

pub(crate) mod api;
pub(crate) mod programs;
pub(crate) mod roots;

use std::fmt::Display;

pub(crate) const OPTIONS_OF_FIELD: &str = "options of the field devices";
pub(crate) const THE_FIELD_DEVICES: &str = "the field devices";
pub(crate) const THE_SIMULATED_OFFICE: &str = "the simulated office";
pub(crate) const FIELD_DEVICES: &str = "Field devices";
pub(crate) const SIMULATED_OFFICE: &str = "Simulated office";
pub(crate) const SITE_OF_THE_OFFICE: &str = "Nordlicht office";
pub(crate) const OFFICE_IS_SIMULATED: &str =
    "No field.enabled: six field devices of one office are simulated.";
pub(crate) const OFFICE_GATEWAY: &str = "Office gateway";
pub(crate) const MEETING_ROOM: &str = "Meeting room";
pub(crate) const STORE_ROOM: &str = "Store room";
pub(crate) const FRONT_DESK: &str = "Front desk";
pub(crate) const SECOND_OFFICE: &str = "Second office";
pub(crate) const BASEMENT: &str = "Basement";
pub(crate) const REPLACED: &str = "replaced by another simulated device";
pub(crate) const REAL_DEVICES_NOW: &str = "real devices were enabled";
pub(crate) const NO_FLEET_WITH_TLS: &str =
    "the simulated field devices speak plain HTTP, and this server does not: they stay offline";

pub(crate) const OLDEST_RUNNER_IS_NO_VERSION: &str =
    "field.oldest_runner: expected a version, such as 0.1.0";
pub(crate) const SERVER_NAME_IS_NO_NAME: &str =
    "field.server_name: expected a name of 1 to 100 characters";
pub(crate) const NETWORKS_ARE_NONE: &str = "expected networks, such as 198.51.100.0/24";

pub(crate) fn policy_is_refused(error: &impl Display) -> String {
    format!("field: {error}")
}

pub(crate) fn cannot_keep(file: &impl Display) -> String {
    format!("cannot keep the simulated devices in {file}")
}

pub(crate) fn cannot_remove(file: &impl Display) -> String {
    format!("cannot remove the simulated devices in {file}")
}

pub(crate) const BODY_IS_NO_JSON: &str = "This body is not the JSON that is expected here.";
pub(crate) const BODY_IS_PACKED: &str = "Bodies are taken as they are, without content-encoding.";
pub(crate) const BODY_IS_NO_CHUNK: &str = "Expected bytes as application/octet-stream.";
pub(crate) const QUERY_IS_INCOMPLETE: &str = "The query lacks a number that is needed here.";
pub(crate) const SAME_WOULD_FAIL_AGAIN: &str =
    "Do not repeat this request as it is: report it to the makers of the device's software.";

pub(crate) const NETWORK_TOOLS: &str = "Network tools";
