//! `ip -j` of iproute2.

use serde_json::{Value, json};

use super::{OfficeRun, ProgramOutput, family};
use crate::office::OfficeDevice;
use crate::step::OfficeStep;

/// The first start of the simulated devices, from which counters count.
const BOOTED_MS: u64 = 1_794_700_000_000;

fn compact(rows: Vec<Value>) -> String {
    format!("{}\n", Value::Array(rows))
}

/// The interfaces that a step is about.
fn chosen(run: &OfficeRun, step: &OfficeStep) -> Option<Vec<&'static str>> {
    let all = ["lo", "eth0", "wlan0"];
    match step.interface.as_deref() {
        None => Some(all.to_vec()),
        Some(name) if run.has_interface(name) => {
            Some(all.into_iter().filter(|it| *it == name).collect())
        }
        Some(_) => None,
    }
}

fn no_device(output: ProgramOutput, step: &OfficeStep) -> ProgramOutput {
    let name = step.interface.as_deref().unwrap_or_default();
    output.failed(1, &format!("Device \"{name}\" does not exist.\n"))
}

/// The words for one interface.
fn device_words(step: &OfficeStep) -> [&str; 2] {
    step.interface
        .as_deref()
        .map_or(["", ""], |name| ["dev", name])
}

pub(super) fn addresses(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = ProgramOutput::of("/usr/sbin/ip -j").words(&[family(step), "addr", "show"]);
    let output = output.words(&device_words(step));
    let Some(chosen) = chosen(run, step) else {
        return no_device(output, step);
    };
    let rows = chosen.into_iter().map(|name| {
        let mut row = link(run, name);
        let kept = addresses_of(run, name)
            .into_iter()
            .filter(|it| match step.family.as_deref() {
                Some("4") => it["family"] == "inet",
                Some("6") => it["family"] == "inet6",
                _ => true,
            });
        row["addr_info"] = kept.collect();
        row
    });
    let rows = rows.collect();
    output.printed(compact(rows))
}

pub(super) fn links(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = ProgramOutput::of("/usr/sbin/ip -j link show").words(&device_words(step));
    match chosen(run, step) {
        None => no_device(output, step),
        Some(chosen) => output.printed(compact(
            chosen.into_iter().map(|it| link(run, it)).collect(),
        )),
    }
}

pub(super) fn link_stats(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = ProgramOutput::of("/usr/sbin/ip -j -s link show").words(&device_words(step));
    let Some(chosen) = chosen(run, step) else {
        return no_device(output, step);
    };
    let rows = chosen.into_iter().map(|name| {
        let mut row = link(run, name);
        row["stats64"] = counters(run, name);
        row
    });
    let rows = rows.collect();
    output.printed(compact(rows))
}

fn link(run: &OfficeRun, name: &str) -> Value {
    if name == "lo" {
        return json!({
            "ifindex": 1, "ifname": "lo", "flags": ["LOOPBACK", "UP", "LOWER_UP"], "mtu": 65536,
            "qdisc": "noqueue", "operstate": "UNKNOWN", "linkmode": "DEFAULT", "group": "default",
            "txqlen": 1000, "link_type": "loopback", "address": "00:00:00:00:00:00",
            "broadcast": "00:00:00:00:00:00",
        });
    }
    let up = name == run.device.uplink() && (name != "wlan0" || !run.is_roaming(run.at_ms));
    let (flags, state) = if up {
        (json!(["BROADCAST", "MULTICAST", "UP", "LOWER_UP"]), "UP")
    } else {
        (
            json!(["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"]),
            "DOWN",
        )
    };
    json!({
        "ifindex": if name == "eth0" { 2 } else { 3 }, "ifname": name, "flags": flags, "mtu": 1500,
        "qdisc": "mq", "operstate": state, "linkmode": "DEFAULT", "group": "default",
        "txqlen": 1000, "link_type": "ether", "address": run.device.mac(name),
        "broadcast": "ff:ff:ff:ff:ff:ff",
    })
}

fn addresses_of(run: &OfficeRun, name: &str) -> Vec<Value> {
    let forever = 4_294_967_295_u32;
    if name == "lo" {
        return vec![
            json!({
                "family": "inet", "local": "127.0.0.1", "prefixlen": 8, "scope": "host",
                "label": "lo", "valid_life_time": forever, "preferred_life_time": forever,
            }),
            json!({
                "family": "inet6", "local": "::1", "prefixlen": 128, "scope": "host",
                "valid_life_time": forever, "preferred_life_time": forever,
            }),
        ];
    }
    if name != run.device.uplink() {
        return Vec::new();
    }
    let left = 43_200 - run.at_ms / 1000 % 21_600;
    let link_local = link_local(run.device.mac(name));
    vec![
        json!({
            "family": "inet", "local": run.device.address().to_string(), "prefixlen": 24,
            "broadcast": run.segment().at(255).to_string(), "scope": "global", "dynamic": true,
            "noprefixroute": true, "label": name, "valid_life_time": left,
            "preferred_life_time": left,
        }),
        json!({
            "family": "inet6", "local": link_local, "prefixlen": 64, "scope": "link",
            "valid_life_time": forever, "preferred_life_time": forever,
        }),
    ]
}

/// The address that follows from a hardware address.
pub(super) fn link_local(mac: &str) -> String {
    let mut bytes = [0_u8; 6];
    for (byte, text) in bytes.iter_mut().zip(mac.split(':')) {
        *byte = u8::from_str_radix(text, 16).unwrap_or(0);
    }
    let [a, b, c, d, e, f] = bytes.map(u16::from);
    let parts = [(a ^ 2) << 8 | b, c << 8 | 0xff, 0xfe00 | d, e << 8 | f];
    let [p, q, r, s] = parts;
    std::net::Ipv6Addr::new(0xfe80, 0, 0, 0, p, q, r, s).to_string()
}

/// Counters that only rise.
fn counters(run: &OfficeRun, name: &str) -> Value {
    let seconds = run.at_ms.saturating_sub(BOOTED_MS) / 1000;
    let busy = u64::from(name == run.device.uplink());
    let noise = run.noise.named(name);
    let rate = 40 + noise.whole(0) % 60;
    let packets = seconds * rate * busy;
    let weak = u64::from(run.device == OfficeDevice::Warehouse);
    json!({
        "rx": {
            "bytes": packets * 610, "packets": packets, "errors": packets / 3_000 * weak,
            "dropped": packets / 900 * weak, "over_errors": 0, "multicast": packets / 50,
        },
        "tx": {
            "bytes": packets * 180, "packets": packets * 2 / 3, "errors": packets / 5_000 * weak,
            "dropped": packets / 700 * weak, "carrier_errors": 0, "collisions": 0,
        },
    })
}

pub(super) fn routes(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = ProgramOutput::of("/usr/sbin/ip -j").words(&[family(step), "route", "show"]);
    let (device, segment) = (run.device, run.segment());
    let name = device.uplink();
    if step.family.as_deref() == Some("6") {
        let row = json!({
            "dst": "fe80::/64", "dev": name, "protocol": "kernel", "metric": 256, "flags": [],
            "pref": "medium",
        });
        return output.printed(compact(vec![row]));
    }
    let metric = if name == "wlan0" { 3003 } else { 202 };
    let own = device.address().to_string();
    output.printed(compact(vec![
        json!({
            "dst": "default", "gateway": segment.gateway().to_string(), "dev": name,
            "protocol": "dhcp", "prefsrc": own, "metric": metric, "flags": [],
        }),
        json!({
            "dst": segment.network(), "dev": name, "protocol": "dhcp", "scope": "link",
            "prefsrc": own, "metric": metric, "flags": [],
        }),
    ]))
}

pub(super) fn neighbours(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let output = ProgramOutput::of("/usr/sbin/ip -j").words(&[family(step), "neigh", "show"]);
    let output = output.words(&device_words(step));
    if chosen(run, step).is_none() {
        return no_device(output, step);
    }
    let name = run.device.uplink();
    let other = step.interface.as_deref().is_some_and(|it| it != name);
    if step.family.as_deref() == Some("6") || other {
        return output.printed(compact(Vec::new()));
    }
    let gateway = run.segment().gateway();
    let local = run
        .touched
        .iter()
        .copied()
        .filter(|it| run.segment().contains(*it));
    let mut seen: Vec<_> = local.filter(|it| *it != run.device.address()).collect();
    if !seen.contains(&gateway) {
        seen.insert(0, gateway);
    }
    let rows = seen.into_iter().map(|address| {
        let dst = address.to_string();
        match run.holders(address, run.at_ms).first() {
            Some(mac) => {
                let state = if address == gateway {
                    "REACHABLE"
                } else {
                    "STALE"
                };
                json!({ "dst": dst, "dev": name, "lladdr": mac, "state": [state] })
            }
            None => json!({ "dst": dst, "dev": name, "state": ["FAILED"] }),
        }
    });
    let rows = rows.collect();
    output.printed(compact(rows))
}

pub(super) fn rules(step: &OfficeStep) -> ProgramOutput {
    let output = ProgramOutput::of("/usr/sbin/ip -j").words(&[family(step), "rule", "show"]);
    let rule =
        |priority: u32, table: &str| json!({ "priority": priority, "src": "all", "table": table });
    let mut rows = vec![rule(0, "local"), rule(32_766, "main")];
    if step.family.as_deref() != Some("6") {
        rows.push(rule(32_767, "default"));
    }
    output.printed(compact(rows))
}
