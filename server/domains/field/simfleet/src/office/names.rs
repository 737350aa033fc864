//! Names: the office's own zone, the internet's, and the time that each server takes to answer.

use std::net::Ipv4Addr;

use super::hostile;
use super::plan;
use super::{OfficeDevice, OfficeRun};

/// The zone of the office.
pub(super) const ZONE: &str = "nordlicht.example";

/// Answer to a question of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NameAnswer {
    /// The data of each record.
    Records(Vec<String>),
    /// The name exists, without such a record.
    NoData,
    NoName,
}

/// The records of a name. Names below `.invalid`, and unknown hosts of the office, do not exist.
pub(super) fn records(run: &OfficeRun, name: &str, kind: &str) -> NameAnswer {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let host = name.strip_suffix(ZONE).map(|it| it.trim_end_matches('.'));
    let exists = match host {
        Some("") => true,
        Some(host) => local(host).is_some(),
        None => !name.ends_with(".invalid") && name.contains('.'),
    };
    if !exists {
        return NameAnswer::NoName;
    }
    let one = |text: String| NameAnswer::Records(vec![text]);
    match kind {
        "A" => one(address(run, &name).map_or_else(String::new, |it| it.to_string())),
        "TXT" if host.is_some() => one(format!("\"{}\"", hostile::TXT)),
        "TXT" => one("\"v=spf1 -all\"".to_owned()),
        "MX" => one(format!("10 mail.{name}.")),
        "NS" => NameAnswer::Records(vec![format!("ns1.{name}."), format!("ns2.{name}.")]),
        "SOA" => one(format!(
            "ns1.{name}. hostmaster.{name}. 2026112001 7200 3600 1209600 300"
        )),
        "CAA" => one("0 issue \"letsencrypt.org\"".to_owned()),
        "PTR" if name.ends_with(".in-addr.arpa") => one(format!("host.{ZONE}.")),
        _ => NameAnswer::NoData,
    }
}

/// The address of a host or name.
pub(super) fn address(run: &OfficeRun, text: &str) -> Option<Ipv4Addr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let name = text.trim_end_matches('.').to_ascii_lowercase();
    match name.strip_suffix(ZONE).map(|it| it.trim_end_matches('.')) {
        Some("") => Some(Ipv4Addr::new(198, 18, 7, 10)),
        Some(host) => local(host),
        None if name.ends_with(".invalid") || !name.contains('.') => None,
        // Every other name of the internet has an address of its own, the same on each device.
        None => {
            let bytes = run.names().named(&name).whole(0).to_be_bytes();
            Some(Ipv4Addr::new(198, 19, bytes[0], bytes[1] | 1))
        }
    }
}

fn local(host: &str) -> Option<Ipv4Addr> {
    let segments = [&plan::OFFICE, &plan::ROOM, &plan::BRANCH, &plan::CELLAR];
    segments.into_iter().find_map(|segment| {
        let mut hosts = segment.hosts.iter();
        let found = hosts.find(|it| it.name.eq_ignore_ascii_case(host))?;
        Some(segment.at(found.last))
    })
}

impl OfficeRun {
    /// Milliseconds until a DNS server answers, None if it does not.
    pub(super) fn answer_time(&self, server: Ipv4Addr, name: &str, at_ms: u64) -> Option<f64> {
        let noise = self.noise.named("dns");
        let turn = at_ms / 1000;
        if server == plan::SLOW_SERVER {
            let reached = self.segment().contains(server);
            return reached.then(|| noise.between(turn, 1300.0, 4300.0));
        }
        if !self.reaches(server, at_ms) || self.lost_on_link(at_ms, 1) {
            return None;
        }
        let known = self.segment().host(server);
        // Of the hosts on the link, gateways alone are name servers.
        if known.is_some_and(|it| it.name != "gateway") || self.is_absent(server) {
            return None;
        }
        let link = self.link_delay();
        let cached = self.asked.contains(name);
        let base = if cached { 0.4 } else { 11.0 };
        let spread = if cached { 0.6 } else { 21.0 };
        Some(noise.delay(turn, base + link.base, spread + link.spread * 0.3))
    }

    /// Milliseconds that a program waits for the system's resolver, None if it gives up. Five seconds
    /// for each server, twice, as the C library does.
    pub(super) fn resolver_time(&self, name: &str, at_ms: u64) -> Option<f64> {
        if name.parse::<Ipv4Addr>().is_ok() {
            return Some(0.05);
        }
        let mut waited = 0.0;
        for _ in 0..2 {
            for server in self.device.servers() {
                // Whole milliseconds are enough to find the next second of the office.
                match self.answer_time(server, name, at_ms + waited as u64) {
                    Some(time) if time < 5000.0 => return Some(waited + time),
                    _ => waited += 5000.0,
                }
            }
        }
        None
    }

    /// True for an address on the link that no host has.
    fn is_absent(&self, address: Ipv4Addr) -> bool {
        self.segment().contains(address) && self.segment().host(address).is_none()
    }

    /// True if packets to an address get there now.
    pub(super) fn reaches(&self, address: Ipv4Addr, at_ms: u64) -> bool {
        if self.device == OfficeDevice::Archive {
            return false;
        }
        if self.segment().contains(address) && !self.is_doubled(address) {
            return self.segment().host(address).is_some();
        }
        !self.goes_astray(at_ms) && self.is_routed(address)
    }
}
