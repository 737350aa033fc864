//! A step as the package carries it, read by this crate's own rules.
//!
//! The simulation refuses what its programs could not print an answer for; the bounds are those of the
//! device API's document, written down a second time.

use serde::Deserialize;

/// A row of the table of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfficeRow {
    Ping,
    Trace,
    Mtr,
    Dig,
    Addresses,
    Links,
    Routes,
    Neighbours,
    Rules,
    Sockets,
    LinkInfo,
    LinkStats,
    WifiLink,
    WifiStations,
    WifiSeen,
    HttpTiming,
    Throughput,
    Sweep,
    Capture,
    DownloadRate,
    DnsConfig,
    Power,
    Wait,
}

impl OfficeRow {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 23] = [
        Self::Ping,
        Self::Trace,
        Self::Mtr,
        Self::Dig,
        Self::Addresses,
        Self::Links,
        Self::Routes,
        Self::Neighbours,
        Self::Rules,
        Self::Sockets,
        Self::LinkInfo,
        Self::LinkStats,
        Self::WifiLink,
        Self::WifiStations,
        Self::WifiSeen,
        Self::HttpTiming,
        Self::Throughput,
        Self::Sweep,
        Self::Capture,
        Self::DownloadRate,
        Self::DnsConfig,
        Self::Power,
        Self::Wait,
    ];

    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Trace => "trace",
            Self::Mtr => "mtr",
            Self::Dig => "dig",
            Self::Addresses => "addresses",
            Self::Links => "links",
            Self::Routes => "routes",
            Self::Neighbours => "neighbours",
            Self::Rules => "rules",
            Self::Sockets => "sockets",
            Self::LinkInfo => "link_info",
            Self::LinkStats => "link_stats",
            Self::WifiLink => "wifi_link",
            Self::WifiStations => "wifi_stations",
            Self::WifiSeen => "wifi_seen",
            Self::HttpTiming => "http_timing",
            Self::Throughput => "throughput",
            Self::Sweep => "sweep",
            Self::Capture => "capture",
            Self::DownloadRate => "download_rate",
            Self::DnsConfig => "dns_config",
            Self::Power => "power",
            Self::Wait => "wait",
        }
    }

    /// True for steps that need packet sockets.
    pub fn is_raw(self) -> bool {
        matches!(self, Self::Sweep | Self::Capture)
    }
}

/// One step with its slots. Unknown and doubled members are refused by serde.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfficeStep {
    pub run: OfficeRow,
    pub target: Option<String>,
    pub name: Option<String>,
    /// Type of a DNS record.
    #[serde(rename = "type")]
    pub record: Option<String>,
    pub server: Option<String>,
    pub interface: Option<String>,
    pub count: Option<u32>,
    pub seconds: Option<u32>,
    pub size: Option<u32>,
    pub family: Option<String>,
    pub url: Option<String>,
    pub port: Option<u16>,
    pub network: Option<String>,
    pub filter: Option<String>,
    pub reverse: Option<bool>,
}

/// Words that a slot may have.
const RECORDS: [&str; 9] = ["A", "AAAA", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"];
const FILTERS: [&str; 6] = ["arp", "icmp", "dhcp", "dns", "tcp_syn", "all_headers"];

impl OfficeStep {
    /// A step with empty slots.
    pub fn new(run: OfficeRow) -> Self {
        Self {
            run,
            target: None,
            name: None,
            record: None,
            server: None,
            interface: None,
            count: None,
            seconds: None,
            size: None,
            family: None,
            url: None,
            port: None,
            network: None,
            filter: None,
            reverse: None,
        }
    }

    /// The first slot that is missing or outside its bounds.
    pub fn fault(&self) -> Option<&'static str> {
        use OfficeRow as Row;
        let needed = match self.run {
            Row::Ping | Row::Trace | Row::Mtr | Row::Throughput => {
                ("target", self.target.is_some())
            }
            Row::Dig => ("name", self.name.is_some()),
            Row::HttpTiming | Row::DownloadRate => ("url", self.url.is_some()),
            Row::Sweep => (
                "network",
                self.network.is_some() && self.interface.is_some(),
            ),
            Row::Capture => ("filter", self.filter.is_some() && self.interface.is_some()),
            Row::LinkInfo | Row::LinkStats | Row::WifiLink | Row::WifiStations | Row::WifiSeen => {
                ("interface", self.interface.is_some())
            }
            Row::Wait => ("seconds", self.seconds.is_some()),
            Row::Addresses
            | Row::Links
            | Row::Routes
            | Row::Neighbours
            | Row::Rules
            | Row::Sockets
            | Row::DnsConfig
            | Row::Power => ("", true),
        };
        let most = match self.run {
            Row::Ping => 20,
            Row::Mtr => 10,
            _ => 500,
        };
        let within =
            |it: Option<u32>, least, most| it.is_none_or(|it| (least..=most).contains(&it));
        let one_of = |it: &Option<String>, words: &[&str]| {
            it.as_deref().is_none_or(|it| words.contains(&it))
        };
        [
            needed,
            ("target", self.target.as_deref().is_none_or(is_word)),
            ("name", self.name.as_deref().is_none_or(is_word)),
            ("server", self.server.as_deref().is_none_or(is_word)),
            (
                "interface",
                self.interface.as_deref().is_none_or(is_interface),
            ),
            ("url", self.url.as_deref().is_none_or(is_url)),
            ("network", self.network.as_deref().is_none_or(is_word)),
            ("type", one_of(&self.record, &RECORDS)),
            ("family", one_of(&self.family, &["4", "6"])),
            ("filter", one_of(&self.filter, &FILTERS)),
            ("count", within(self.count, 1, most)),
            ("seconds", within(self.seconds, 1, 60)),
            ("size", within(self.size, 16, 1472)),
            ("port", self.port != Some(0)),
        ]
        .into_iter()
        .find(|(_, holds)| !holds)
        .map(|(slot, _)| slot)
    }

    /// The longest run in seconds, after which the device ends the step.
    pub fn longest(&self) -> u32 {
        use OfficeRow as Row;
        match self.run {
            Row::Ping => self.count.unwrap_or(4) + 4,
            Row::Trace => 40,
            Row::Mtr => self.count.unwrap_or(5) * 6 + 6,
            Row::Dig => 8,
            Row::HttpTiming => 11,
            Row::DownloadRate => self.seconds.unwrap_or(10) + 1,
            Row::Throughput => self.seconds.unwrap_or(5) + 6,
            Row::Capture => self.seconds.unwrap_or(20) + 3,
            Row::Sweep => 16,
            Row::Wait => self.seconds.unwrap_or(1) + 1,
            _ => 5,
        }
    }
}

/// One harmless word: no blank, no quote, no control character, no hyphen in front.
fn is_word(text: &str) -> bool {
    let plain = |it: u8| it.is_ascii_alphanumeric() || b"._-:/".contains(&it);
    (1..=253).contains(&text.len()) && !text.starts_with('-') && text.bytes().all(plain)
}

fn is_interface(text: &str) -> bool {
    let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || b"._-".contains(&it);
    (1..=15).contains(&text.len())
        && text.starts_with(|it: char| it.is_ascii_lowercase())
        && text.bytes().all(plain)
}

fn is_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("http://")
        .or(text.strip_prefix("https://"));
    rest.is_some_and(|rest| {
        let authority = rest.split('/').next().unwrap_or_default();
        text.len() <= 300
            && !authority.is_empty()
            && !authority.contains('@')
            && !rest.contains('#')
            && rest
                .bytes()
                .all(|it| it.is_ascii_graphic() && !b"'\"\\`".contains(&it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<OfficeStep, String> {
        let step: OfficeStep = serde_json::from_str(json).map_err(|it| it.to_string())?;
        step.fault().map_or(Ok(step), |slot| Err(slot.to_owned()))
    }

    #[test]
    fn what_is_no_step_is_refused() {
        for json in [
            r#"{"run":"ping"}"#,
            r#"{"run":"sh","target":"a"}"#,
            r#"{"run":"ping","target":"-f"}"#,
            r#"{"run":"ping","target":"a;reboot"}"#,
            r#"{"run":"ping","target":"a","count":21}"#,
            r#"{"run":"ping","target":"a","size":1473}"#,
            r#"{"run":"ping","target":"a","target":"b"}"#,
            r#"{"run":"ping","target":"a","more":1}"#,
            r#"{"run":"http_timing","url":"file:///etc/shadow"}"#,
            r#"{"run":"http_timing","url":"http://user@host/"}"#,
            r#"{"run":"capture","interface":"eth0","filter":"port 80"}"#,
            r#"{"run":"dig","name":"a","type":"AXFR"}"#,
            r#"{"run":"link_info","interface":"--help"}"#,
            r#"{"run":"wait","seconds":0}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    #[test]
    fn each_row_has_a_word_that_reads_back() {
        for row in OfficeRow::ALL {
            let word = serde_json::Value::from(row.word());
            assert_eq!(serde_json::from_value::<OfficeRow>(word).unwrap(), row);
        }
    }
}
