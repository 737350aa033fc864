//! Collectors of a bundle of diagnostics, each one section.

use super::programs::{day_and_time, log_time};
use super::{OfficeDevice, OfficeRun, ProgramOutput, hostile, names, plan};
use crate::step::{OfficeRow, OfficeStep};

/// Output of one collector. Secrets are still in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedSection {
    /// `[a-z_]`, at most 40.
    pub name: &'static str,
    pub kind: SectionKind,
    pub text: String,
    /// Exit code of its program.
    pub exit: i32,
}

/// Form of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    Text,
    Json,
}

impl SectionKind {
    /// Media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain",
            Self::Json => "application/json",
        }
    }
}

/// Collectors that are steps of the table.
const STEPS: [(&str, OfficeRow, SectionKind); 12] = [
    ("addresses", OfficeRow::Addresses, SectionKind::Json),
    ("links", OfficeRow::Links, SectionKind::Json),
    ("link_stats", OfficeRow::LinkStats, SectionKind::Json),
    ("link_info", OfficeRow::LinkInfo, SectionKind::Text),
    ("routes", OfficeRow::Routes, SectionKind::Json),
    ("rules", OfficeRow::Rules, SectionKind::Json),
    ("sockets", OfficeRow::Sockets, SectionKind::Text),
    ("dns_config", OfficeRow::DnsConfig, SectionKind::Text),
    ("wifi_link", OfficeRow::WifiLink, SectionKind::Text),
    ("wifi_stations", OfficeRow::WifiStations, SectionKind::Text),
    ("wifi_seen", OfficeRow::WifiSeen, SectionKind::Text),
    ("power", OfficeRow::Power, SectionKind::Text),
];

pub(super) fn sections(mut run: OfficeRun) -> Vec<CollectedSection> {
    let device = run.device;
    let mut sections = vec![text("system", system(&run))];
    for (name, row, kind) in STEPS {
        let mut step = OfficeStep::new(row);
        step.interface = match row {
            OfficeRow::LinkStats | OfficeRow::LinkInfo => Some(device.uplink().to_owned()),
            OfficeRow::WifiLink | OfficeRow::WifiStations | OfficeRow::WifiSeen => {
                Some("wlan0".to_owned())
            }
            _ => None,
        };
        sections.push(section(name, kind, run.step(&step)));
    }
    let gateway = run.segment().gateway().to_string();
    let probes = [
        ("gateway_ping", OfficeRow::Ping, gateway),
        ("internet_ping", OfficeRow::Ping, names::ZONE.to_owned()),
        (
            "internet_large_ping",
            OfficeRow::Ping,
            "198.18.7.10".to_owned(),
        ),
        ("internet_trace", OfficeRow::Trace, "198.18.7.10".to_owned()),
    ];
    for (name, row, target) in probes {
        let mut step = OfficeStep::new(row);
        step.size = (name == "internet_large_ping").then_some(1472);
        step.target = Some(target);
        sections.push(section(name, SectionKind::Text, run.step(&step)));
    }
    for (at, server) in device.servers().into_iter().enumerate() {
        let mut step = OfficeStep::new(OfficeRow::Dig);
        step.name = Some("nordlicht.example".to_owned());
        step.server = Some(server.to_string());
        let name = if at == 0 {
            "dns_first_server"
        } else {
            "dns_second_server"
        };
        sections.push(section(name, SectionKind::Text, run.step(&step)));
    }
    let neighbours = run.step(&OfficeStep::new(OfficeRow::Neighbours));
    sections.push(section("neighbours", SectionKind::Json, neighbours));
    sections.push(text("dhcp", dhcp(&run)));
    sections.push(text("leases", leases(&run)));
    sections.push(text("banners", banners(&run)));
    sections.push(text("wifi_config", wifi_config()));
    sections.push(text("log", log(&run)));
    sections
}

fn section(name: &'static str, kind: SectionKind, output: ProgramOutput) -> CollectedSection {
    // A program that failed has printed no document.
    let kind = if output.exit == 0 {
        kind
    } else {
        SectionKind::Text
    };
    CollectedSection {
        name,
        kind,
        text: output.stdout + &output.stderr,
        exit: output.exit,
    }
}

fn text(name: &'static str, text: String) -> CollectedSection {
    CollectedSection {
        name,
        kind: SectionKind::Text,
        text,
        exit: 0,
    }
}

fn system(run: &OfficeRun) -> String {
    let (device, now) = (run.device, run.at_ms);
    let up = 3 + run.noise.named("uptime").whole(0) % 40;
    format!(
        "simulated=true\nhostname={}\nmodel={}\nserial=10000000{:08x}\nos=Debian GNU/Linux 13 (trixie)\n\
         kernel=6.12.47+rpt-rpi-v8 aarch64\nuptime_days={up}\nmemory_controller={}\ntime={}\n",
        device.name(),
        device.model(),
        run.noise.named("serial").whole(0) as u32,
        if device == OfficeDevice::GatewayProbe {
            "yes"
        } else {
            "no"
        },
        day_and_time(now),
    )
}

/// The device's own lease, and the journal of its client.
fn dhcp(run: &OfficeRun) -> String {
    let (device, segment) = (run.device, run.segment());
    let (own, gateway, name) = (device.address(), segment.gateway(), device.uplink());
    let servers: Vec<_> = device.servers().iter().map(ToString::to_string).collect();
    let mut lines = format!(
        "reason=BOUND\ninterface={name}\nnew_ip_address={own}\nnew_subnet_cidr=24\nnew_routers={gateway}\n\
         new_domain_name_servers='{}'\nnew_dhcp_server_identifier={gateway}\nnew_dhcp_lease_time=43200\n",
        servers.join(" "),
    );
    let begun = run.at_ms - run.at_ms % 21_600_000;
    let mut log = |second: u64, text: String| {
        let at = log_time(begun + second * 1000);
        lines.push_str(&format!(
            "{at} {} dhcpcd[612]: {name}: {text}\n",
            device.name()
        ));
    };
    log(1, "soliciting a DHCP lease".to_owned());
    log(2, format!("offered {own} from {gateway}"));
    if run.is_doubled(gateway) {
        // A second box with the same address has its own range.
        log(2, format!("offered {} from {gateway}", segment.at(112)));
        log(
            3,
            format!("hardware address {} claims {gateway}", plan::ROGUE_MAC),
        );
    }
    log(4, format!("leased {own} for 43200 seconds"));
    log(4, format!("adding default route via {gateway}"));
    lines
}

/// Leases of the network, as its server lists them. Names are the clients' own.
fn leases(run: &OfficeRun) -> String {
    let segment = run.segment();
    let leased = segment.hosts.iter().filter(|it| it.leased);
    leased
        .map(|host| {
            let until = run.at_ms / 1000 + 3_600 * u64::from(host.last % 11 + 1);
            let (mac, name) = (host.mac, host.name);
            format!("{until} {mac} {} {name} 01:{mac}\n", segment.at(host.last))
        })
        .collect()
}

/// Greetings of services on the link.
fn banners(run: &OfficeRun) -> String {
    let segment = run.segment();
    let [first, .., last] = segment.hosts else {
        return String::new();
    };
    format!(
        "{} 22 SSH-2.0-OpenSSH_9.6\n{} 22 {}\n",
        segment.at(first.last),
        segment.at(last.last),
        hostile::BANNER,
    )
}

fn wifi_config() -> String {
    format!(
        "ctrl_interface=DIR=/run/wpa_supplicant GROUP=netdev\ncountry=DE\n\nnetwork={{\n\
         \tssid=\"Nordlicht-Lager\"\n\tkey_mgmt=WPA-PSK\n\tpsk=\"{}\"\n}}\n",
        hostile::WIFI_KEY,
    )
}

fn log(run: &OfficeRun) -> String {
    let (device, segment) = (run.device, run.segment());
    let gateway = segment.gateway();
    let mut lines = String::new();
    let mut log = |ago: u64, program: &str, text: String| {
        let at = log_time(run.at_ms.saturating_sub(ago * 1000));
        lines.push_str(&format!("{at} {} {program}: {text}\n", device.name()));
    };
    log(
        3_000,
        "updater[901]",
        format!(
            "GET https://updates.nordlicht.example/check?device={}&token={} 200",
            device.name(),
            hostile::UPDATE_TOKEN
        ),
    );
    if run.is_doubled(gateway) {
        let (own, other) = (segment.hosts[0].mac, plan::ROGUE_MAC);
        for ago in [95, 60, 40, 15] {
            log(
                ago,
                "arpwatch",
                format!("flip flop {gateway} {own} ({other}) eth0"),
            );
        }
    }
    match device {
        OfficeDevice::Warehouse => {
            for (ago, text) in [
                (80, "wlan0: CTRL-EVENT-BEACON-LOSS"),
                (
                    78,
                    "wlan0: CTRL-EVENT-DISCONNECTED bssid=2c:91:ab:40:20:31 reason=4",
                ),
                (
                    76,
                    "wlan0: Trying to associate with 2c:91:ab:40:20:32 (SSID='Nordlicht-Lager')",
                ),
                (
                    75,
                    "wlan0: CTRL-EVENT-CONNECTED - Connection to 2c:91:ab:40:20:32 completed",
                ),
            ] {
                log(ago, "wpa_supplicant[544]", text.to_owned());
            }
            log(
                30,
                "kernel",
                "hwmon hwmon1: Undervoltage detected!".to_owned(),
            );
        }
        OfficeDevice::Reception => {
            let server = plan::SLOW_SERVER;
            log(
                50,
                "systemd-resolved[401]",
                format!(
                    "Using degraded feature set UDP instead of UDP+EDNS0 for DNS server {server}."
                ),
            );
        }
        OfficeDevice::Branch => {
            log(
                20,
                "chronyd[488]",
                "Selected source 198.18.12.4 (pool)".to_owned(),
            );
        }
        OfficeDevice::Archive => {
            log(
                2,
                "kernel",
                "lan78xx 1-1.1.1:1.0 eth0: Link is Down".to_owned(),
            );
        }
        OfficeDevice::GatewayProbe | OfficeDevice::MeetingRoom => {}
    }
    lines
}
