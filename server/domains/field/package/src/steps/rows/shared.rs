//! Names and costs that the files of rows share.

pub(super) use super::super::{
    AcceptedStep, ContactProtocol, ContactTarget, RowClass, RowName, StepContact, StepRow,
    StepSlot,
    row::{
        RowPart::{Choice, Given, Joined, Value, Word, Words},
        SlotChoice, SlotNeed, SlotRule,
    },
};
pub(super) use crate::{
    readers::{
        addresses, capture, dig, dns_config, ethtool, http_timing, iperf, link_stats, links, mtr,
        neighbours, nothing, ping, power, routes, rules, sockets, sweep, trace, wifi_link,
        wifi_seen, wifi_stations,
    },
    values::{ValueKind, network},
};

use crate::values::HttpUrl;

pub(super) const FAMILY: ValueKind = ValueKind::OneOf(&["4", "6"]);
pub(super) const FAMILY_WORDS: &[SlotChoice] = &[
    SlotChoice {
        value: "4",
        words: &["-4"],
    },
    SlotChoice {
        value: "6",
        words: &["-6"],
    },
];

/// Measurements that curl prints after a request, and nothing of the request itself: a redirect's address or a
/// content type would be text of the server's choice.
pub(super) const CURL_FORMAT: &str = "code=%{http_code} name=%{time_namelookup} connect=%{time_connect} \
    tls=%{time_appconnect} first=%{time_starttransfer} total=%{time_total} bytes=%{size_download} \
    rate=%{speed_download} address=%{remote_ip} verify=%{ssl_verify_result}";

pub(super) const fn needs(slot: StepSlot, kind: ValueKind) -> SlotRule {
    SlotRule {
        slot,
        kind,
        need: SlotNeed::Required,
    }
}

pub(super) const fn may(slot: StepSlot, kind: ValueKind) -> SlotRule {
    SlotRule {
        slot,
        kind,
        need: SlotNeed::Optional,
    }
}

pub(super) const fn defaults(slot: StepSlot, kind: ValueKind, value: &'static str) -> SlotRule {
    SlotRule {
        slot,
        kind,
        need: SlotNeed::Default(value),
    }
}

pub(super) fn local_seconds(_: &AcceptedStep) -> u32 {
    5
}

pub(super) fn no_bytes(_: &AcceptedStep) -> u64 {
    0
}

pub(super) fn no_contacts(_: &AcceptedStep) -> Vec<StepContact> {
    Vec::new()
}

/// The host in a slot as the only peer.
pub(super) fn to(
    step: &AcceptedStep,
    slot: StepSlot,
    protocol: ContactProtocol,
    port: Option<u16>,
) -> Vec<StepContact> {
    let to = step.host(slot).map(|to| StepContact {
        to,
        protocol,
        port,
        slot: Some(slot),
    });
    to.into_iter().collect()
}

/// The server of the step's URL.
pub(super) fn at_url(step: &AcceptedStep) -> Vec<StepContact> {
    let url = step.step().url.as_deref().and_then(HttpUrl::parse);
    let to = url.map(|url| StepContact {
        to: url.host.into(),
        protocol: ContactProtocol::Tcp,
        port: Some(url.port),
        slot: Some(StepSlot::Url),
    });
    to.into_iter().collect()
}
