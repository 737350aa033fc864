//! The step as the model writes it and as the package carries it: one flat, closed object.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One command of the table, with the values of its slots. Each row takes some of the slots only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeStep {
    /// The row of the table.
    pub run: RowName,
    /// Address or name of a host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253))]
    pub target: Option<String>,
    /// Name to look up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253))]
    pub name: Option<String>,
    /// Type of the record to look up.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub query_type: Option<QueryType>,
    /// Address of the DNS server to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64))]
    pub server: Option<String>,
    /// Interface of the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z][a-z0-9._-]{0,14}$"))]
    pub interface: Option<String>,
    /// Number of packets, probes or cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 500))]
    pub count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 60))]
    pub seconds: Option<u32>,
    /// Bytes of payload, sent in one piece or not at all: 1472 fills an Ethernet frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 16, max = 1472))]
    pub size: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<AddressFamily>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 300))]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65535))]
    pub port: Option<u32>,
    /// IPv4 network such as 192.0.2.0/24, of at most 1022 hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 49))]
    pub network: Option<String>,
    /// Packets to capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<CaptureFilter>,
    /// True to measure from the target to the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverse: Option<bool>,
}

/// Writes an enum whose values are fixed words, in both directions.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        pub enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that stands for it in JSON.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// The reverse of [`Self::word`].
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.word() == word)
            }
        }
    };
}

words! {
    /// Name of a row of the table.
    RowName {
        Ping = "ping",
        Trace = "trace",
        Mtr = "mtr",
        Dig = "dig",
        Addresses = "addresses",
        Links = "links",
        Routes = "routes",
        Neighbours = "neighbours",
        Rules = "rules",
        Sockets = "sockets",
        LinkInfo = "link_info",
        LinkStats = "link_stats",
        WifiLink = "wifi_link",
        WifiStations = "wifi_stations",
        WifiSeen = "wifi_seen",
        HttpTiming = "http_timing",
        Throughput = "throughput",
        Sweep = "sweep",
        Capture = "capture",
        DownloadRate = "download_rate",
        DnsConfig = "dns_config",
        Power = "power",
        Wait = "wait",
    }
}

words! {
    /// Types of DNS records that a step may ask for. No zone transfer and no ANY.
    QueryType {
        A = "A",
        Aaaa = "AAAA",
        Mx = "MX",
        Ns = "NS",
        Ptr = "PTR",
        Soa = "SOA",
        Srv = "SRV",
        Txt = "TXT",
        Caa = "CAA",
    }
}

words! {
    /// Version of the internet protocol.
    AddressFamily { V4 = "4", V6 = "6" }
}

words! {
    /// Packets that a capture may keep the headers of.
    CaptureFilter {
        Arp = "arp",
        Icmp = "icmp",
        Dhcp = "dhcp",
        Dns = "dns",
        TcpSyn = "tcp_syn",
        AllHeaders = "all_headers",
    }
}

words! {
    /// Field of a step besides `run`.
    StepSlot {
        Target = "target",
        Name = "name",
        Type = "type",
        Server = "server",
        Interface = "interface",
        Count = "count",
        Seconds = "seconds",
        Size = "size",
        Family = "family",
        Url = "url",
        Port = "port",
        Network = "network",
        Filter = "filter",
        Reverse = "reverse",
    }
}

impl ProbeStep {
    /// A step with empty slots.
    pub fn new(run: RowName) -> Self {
        Self {
            run,
            target: None,
            name: None,
            query_type: None,
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

    /// The value of a slot as text. `reverse: false` is the same as no `reverse`.
    pub fn value(&self, slot: StepSlot) -> Option<String> {
        let number = |it: Option<u32>| it.map(|it| it.to_string());
        match slot {
            StepSlot::Target => self.target.clone(),
            StepSlot::Name => self.name.clone(),
            StepSlot::Type => self.query_type.map(|it| it.word().to_owned()),
            StepSlot::Server => self.server.clone(),
            StepSlot::Interface => self.interface.clone(),
            StepSlot::Count => number(self.count),
            StepSlot::Seconds => number(self.seconds),
            StepSlot::Size => number(self.size),
            StepSlot::Family => self.family.map(|it| it.word().to_owned()),
            StepSlot::Url => self.url.clone(),
            StepSlot::Port => number(self.port),
            StepSlot::Network => self.network.clone(),
            StepSlot::Filter => self.filter.map(|it| it.word().to_owned()),
            StepSlot::Reverse => self.reverse.filter(|it| *it).map(|_| "true".to_owned()),
        }
    }

    /// Returns the step with a slot filled in. A text that the slot's type has no value for leaves it
    /// empty, which the row's check then reports.
    #[must_use]
    pub fn with(mut self, slot: StepSlot, text: &str) -> Self {
        let own = || Some(text.to_owned());
        match slot {
            StepSlot::Target => self.target = own(),
            StepSlot::Name => self.name = own(),
            StepSlot::Type => self.query_type = QueryType::from_word(text),
            StepSlot::Server => self.server = own(),
            StepSlot::Interface => self.interface = own(),
            StepSlot::Count => self.count = text.parse().ok(),
            StepSlot::Seconds => self.seconds = text.parse().ok(),
            StepSlot::Size => self.size = text.parse().ok(),
            StepSlot::Family => self.family = AddressFamily::from_word(text),
            StepSlot::Url => self.url = own(),
            StepSlot::Port => self.port = text.parse().ok(),
            StepSlot::Network => self.network = own(),
            StepSlot::Filter => self.filter = CaptureFilter::from_word(text),
            StepSlot::Reverse => self.reverse = (text == "true").then_some(true),
        }
        self
    }
}
