//! Facts in a bundle that need somebody: what its readings say by themselves, without a model.
//!
//! A finding is a sentence of ours with figures in it; no text of a device stands in one. Nothing found
//! means that none of these rules fired, and no more.

use field_package::{
    fields::{FieldReading, StepFields},
    steps::{RowName, row},
};
use protocol::ErrorBody;

use crate::{parts::FieldParts, ports::BundleSummary, texts::findings as say};

/// Round trip to the gateway, in milliseconds, above which a local network is slow.
const SLOW_GATEWAY: f64 = 50.0;
/// Answer of a DNS server, in milliseconds, above which people notice.
const SLOW_DNS: f64 = 200.0;
/// Speed of a link, in Mbit/s, below which it is not what cables carry today.
const SLOW_LINK: f64 = 100.0;
/// Signal in dBm below which Wi-Fi loses packets.
const WEAK_SIGNAL: f64 = -75.0;

/// A sentence about a section of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BundleFinding {
    pub(crate) section: &'static str,
    pub(crate) sentence: String,
}

type Rule = fn(&StepFields) -> Vec<String>;

/// Sections with a rule, with the row of steps that reads them; those that say most come first.
const RULES: [(&str, RowName, Rule); 9] = [
    ("gateway_ping", RowName::Ping, gateway),
    ("internet_ping", RowName::Ping, internet),
    ("internet_large_ping", RowName::Ping, large_packets),
    ("dns_first_server", RowName::Dig, first_dns),
    ("dns_second_server", RowName::Dig, second_dns),
    ("link_info", RowName::LinkInfo, link),
    ("link_stats", RowName::LinkStats, link_errors),
    ("wifi_link", RowName::WifiLink, wifi),
    ("power", RowName::Power, power),
];

/// The findings of a bundle; a section that cannot be read has none.
pub(crate) async fn of(
    parts: &FieldParts,
    bundle: &BundleSummary,
) -> Result<Vec<BundleFinding>, ErrorBody> {
    let mut found = Vec::new();
    for (section, name, rule) in RULES {
        let mut sections = bundle.sections.iter();
        if !sections.any(|it| it.name == section && it.left_out.is_none()) {
            continue;
        }
        let text = parts.ports.bundles.section(&bundle.id, section).await?;
        let Ok(fields) = (row(name).parse)(&text) else {
            continue;
        };
        let sentences = rule(&fields).into_iter();
        found.extend(sentences.map(|sentence| BundleFinding { section, sentence }));
    }
    Ok(found)
}

fn number(fields: &StepFields, name: &str) -> Option<f64> {
    match fields.get(name)? {
        FieldReading::Number(number) => Some(*number),
        FieldReading::Whole(number) => Some(*number as f64),
        _ => None,
    }
}

fn is_set(fields: &StepFields, name: &str) -> bool {
    matches!(fields.get(name), Some(FieldReading::Flag(true)))
}

fn has(fields: &StepFields, name: &str) -> bool {
    number(fields, name).is_some_and(|count| count > 0.0)
}

fn gateway(fields: &StepFields) -> Vec<String> {
    let mut found = Vec::new();
    if has(fields, "duplicates") {
        found.push(say::GATEWAY_TWICE.to_owned());
    }
    match number(fields, "loss") {
        Some(loss) if loss >= 100.0 => found.push(say::GATEWAY_SILENT.to_owned()),
        Some(loss) if loss > 0.0 => found.push(say::gateway_loses(loss)),
        _ => {}
    }
    let slow = number(fields, "rtt_avg").filter(|time| *time > SLOW_GATEWAY);
    found.extend(slow.map(say::gateway_slow));
    found
}

fn internet(fields: &StepFields) -> Vec<String> {
    match number(fields, "loss") {
        Some(loss) if loss >= 100.0 => vec![say::INTERNET_SILENT.to_owned()],
        Some(loss) if loss > 0.0 => vec![say::internet_loses(loss)],
        _ => Vec::new(),
    }
}

fn large_packets(fields: &StepFields) -> Vec<String> {
    if let Some(most) = number(fields, "mtu_on_the_way") {
        return vec![say::too_large(most)];
    }
    match number(fields, "loss") {
        Some(loss) if loss >= 100.0 => vec![say::LARGE_SILENT.to_owned()],
        Some(loss) if loss > 0.0 => vec![say::large_lost(loss)],
        _ => Vec::new(),
    }
}

fn first_dns(fields: &StepFields) -> Vec<String> {
    dns(fields, say::FIRST)
}

fn second_dns(fields: &StepFields) -> Vec<String> {
    dns(fields, say::SECOND)
}

fn dns(fields: &StepFields, which: &str) -> Vec<String> {
    let slow = number(fields, "time").filter(|time| *time > SLOW_DNS);
    match fields.get("status") {
        Some(FieldReading::Unknown(_)) => vec![say::dns_silent(which)],
        _ => slow
            .map(|time| say::dns_slow(which, time))
            .into_iter()
            .collect(),
    }
}

fn link(fields: &StepFields) -> Vec<String> {
    let mut found = Vec::new();
    let slow = number(fields, "speed").filter(|speed| *speed < SLOW_LINK);
    found.extend(slow.map(say::link_slow));
    if matches!(fields.get("duplex"), Some(FieldReading::Text(duplex)) if duplex == "Half") {
        found.push(say::HALF_DUPLEX.to_owned());
    }
    found
}

fn link_errors(fields: &StepFields) -> Vec<String> {
    let errors = ["rx_errors", "tx_errors"].map(|name| number(fields, name).unwrap_or(0.0));
    let errors: f64 = errors.iter().sum();
    if errors > 0.0 {
        vec![say::link_errors(errors)]
    } else {
        Vec::new()
    }
}

fn wifi(fields: &StepFields) -> Vec<String> {
    let weak = number(fields, "signal").filter(|signal| *signal < WEAK_SIGNAL);
    weak.map(say::weak_signal).into_iter().collect()
}

fn power(fields: &StepFields) -> Vec<String> {
    if is_set(fields, "undervoltage_now") {
        vec![say::UNDERVOLTAGE_NOW.to_owned()]
    } else if is_set(fields, "undervoltage_since_start") {
        vec![say::UNDERVOLTAGE.to_owned()]
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(section: &str, text: &str) -> Vec<String> {
        let mut rules = RULES.into_iter();
        let (_, name, rule) = rules.find(|(own, ..)| *own == section).unwrap();
        rule(&(row(name).parse)(text).unwrap())
    }

    #[test]
    fn readings_speak_for_themselves() {
        let ping = |end: &str| format!("PING x (x) 56(84) bytes of data.\n\n{end}\n");
        for (section, text, says) in [
            (
                "gateway_ping",
                ping(
                    "4 packets transmitted, 4 received, +4 duplicates, 0% packet loss, time 3ms\n\
                     rtt min/avg/max/mdev = 0.3/1.6/4.0/1.4 ms",
                ),
                &["answers twice"][..],
            ),
            (
                "gateway_ping",
                ping("4 packets transmitted, 0 received, 100% packet loss, time 5004ms"),
                &["does not answer"],
            ),
            (
                "gateway_ping",
                ping(
                    "4 packets transmitted, 3 received, 25% packet loss, time 5ms\n\
                     rtt min/avg/max/mdev = 80.0/81.0/90.0/1.4 ms",
                ),
                &["25 %", "81 ms"],
            ),
            (
                "gateway_ping",
                ping(
                    "4 packets transmitted, 4 received, 0% packet loss, time 3ms\n\
                     rtt min/avg/max/mdev = 0.3/0.6/1.0/0.1 ms",
                ),
                &[],
            ),
            (
                "internet_large_ping",
                "From x icmp_seq=1 Frag needed and DF set (mtu = 1452)\n\
                 4 packets transmitted, 0 received, +4 errors, 100% packet loss, time 3ms\n"
                    .to_owned(),
                &["1452 B"],
            ),
            (
                "dns_first_server",
                ";; communications error to x#53: timed out\n;; no servers could be reached\n"
                    .to_owned(),
                &["first DNS server does not answer"],
            ),
            (
                "power",
                "throttled=0x10000\n".to_owned(),
                &["since its start"],
            ),
            ("power", "throttled=0x0\n".to_owned(), &[]),
        ] {
            let found = found(section, &text);
            assert_eq!(found.len(), says.len(), "{section} {text}: {found:?}");
            for (sentence, says) in found.iter().zip(says) {
                assert!(sentence.contains(says), "{section}: {sentence}");
            }
        }
    }
}
