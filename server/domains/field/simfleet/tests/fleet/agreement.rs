//! Steps that look at one fault agree about it.

use std::collections::BTreeSet;

use serde_json::Value;
use simfleet::{OfficeDevice, OfficeRow, OfficeRun, OfficeStep, SimOffice};

use crate::{START, ping, step};

const GATEWAY: &str = "192.168.41.1";

fn office(device: OfficeDevice) -> OfficeRun {
    SimOffice::new(1).run(device, START * 1000)
}

fn sweep(interface: &str, network: &str) -> OfficeStep {
    step(OfficeRow::Sweep, |it| {
        it.interface = Some(interface.to_owned());
        it.network = Some(network.to_owned());
    })
}

fn fetch(url: &str) -> OfficeStep {
    step(OfficeRow::HttpTiming, |it| it.url = Some(url.to_owned()))
}

fn dig(name: &str, server: Option<&str>) -> OfficeStep {
    step(OfficeRow::Dig, |it| {
        it.name = Some(name.to_owned());
        it.server = server.map(str::to_owned);
    })
}

fn seconds(line: &str, key: &str) -> f64 {
    let pair = line
        .split(' ')
        .find_map(|it| it.strip_prefix(&format!("{key}=")));
    pair.unwrap().parse().unwrap()
}

/// The hardware address of the gateway in the table of neighbours.
fn neighbour(run: &mut OfficeRun) -> String {
    let output = run.step(&OfficeStep::new(OfficeRow::Neighbours));
    let rows: Value = serde_json::from_str(&output.stdout).unwrap();
    let mut rows = rows.as_array().unwrap().iter();
    let row = rows.find(|it| it["dst"] == GATEWAY).unwrap();
    row["lladdr"].as_str().unwrap().to_owned()
}

#[test]
fn the_doubled_address_is_seen_by_every_step_that_could() {
    let mut run = office(OfficeDevice::MeetingRoom);
    let pinged = run.step(&ping(GATEWAY, 4));
    assert!(pinged.stdout.contains("(DUP!)"), "{}", pinged.stdout);
    assert!(
        pinged
            .stdout
            .contains("4 received, +4 duplicates, 0% packet loss")
    );
    let swept = run.step(&sweep("eth0", "192.168.41.0/24"));
    let macs = |text: &str| -> BTreeSet<String> {
        let lines = text
            .lines()
            .filter(|it| it.starts_with(&format!("{GATEWAY}\t")));
        lines
            .map(|it| it.split(['\t', ' ']).nth(1).unwrap().to_owned())
            .collect()
    };
    let both = macs(&swept.stdout);
    assert_eq!(both.len(), 2, "{}", swept.stdout);
    assert!(swept.stdout.contains("(DUP: 2)"));
    let mut seen = BTreeSet::new();
    for _ in 0..20 {
        seen.insert(neighbour(&mut run));
        run.step(&step(OfficeRow::Wait, |it| it.seconds = Some(5)));
    }
    assert_eq!(seen, both, "neighbours change between the two");
    let captured = run.step(&step(OfficeRow::Capture, |it| {
        it.interface = Some("eth0".to_owned());
        it.filter = Some("arp".to_owned());
    }));
    for mac in &both {
        assert!(captured.stdout.contains(&format!("is-at {mac}")), "{mac}");
    }
    let sections = SimOffice::new(1).collect(OfficeDevice::MeetingRoom, START * 1000);
    let section = |name| &sections.iter().find(|it| it.name == name).unwrap().text;
    assert!(section("dhcp").contains(&format!("offered 192.168.41.112 from {GATEWAY}")));
    assert!(both.iter().any(|mac| section("dhcp").contains(mac)));
    assert!(
        both.iter().all(|mac| section("log").contains(mac)),
        "flip flops"
    );
    assert!(section("gateway_ping").contains("(DUP!)"));
}

#[test]
fn while_the_wrong_box_holds_the_address_nothing_gets_out() {
    let mut run = office(OfficeDevice::MeetingRoom);
    let mut kinds = BTreeSet::new();
    for _ in 0..30 {
        let mac = neighbour(&mut run);
        let wrong = mac.starts_with("7c:10");
        // One packet right after the look, in the same second.
        let lost = run.clone().step(&ping("198.18.7.10", 1)).exit == 1;
        assert_eq!(wrong, lost, "{mac}");
        kinds.insert(wrong);
        run.step(&step(OfficeRow::Wait, |it| it.seconds = Some(5)));
    }
    assert_eq!(kinds.len(), 2, "both happen");
}

#[test]
fn only_the_meeting_room_has_the_doubled_address() {
    for device in [OfficeDevice::GatewayProbe, OfficeDevice::Reception] {
        let mut run = office(device);
        let swept = run.step(&sweep("eth0", "192.168.40.0/24"));
        assert!(!swept.stdout.contains("DUP"), "{}", swept.stdout);
        assert!(!run.step(&ping("192.168.40.1", 4)).stdout.contains("DUP"));
    }
}

#[test]
fn the_slow_server_is_slow_in_dig_and_in_web_requests() {
    let mut run = office(OfficeDevice::Reception);
    let (mut slow, mut failed) = (0, 0);
    for at in 0..12 {
        let name = format!("host-{at}.example.org");
        let output = run.step(&dig(&name, Some("192.168.40.53")));
        failed += u32::from(output.exit == 9);
        slow += u32::from(output.took_ms > 1300);
    }
    assert_eq!(slow, 12);
    assert!(failed > 0, "some answers come after two seconds");
    let fast = run.step(&dig("other.example.org", Some("192.168.40.1")));
    assert!(fast.took_ms < 100, "{fast:?}");
    let page = run.step(&fetch("http://www.example.org/"));
    let name = seconds(&page.stdout, "name");
    assert!((1.3..5.0).contains(&name), "{}", page.stdout);
    assert!(
        seconds(&page.stdout, "connect") - name < 0.1,
        "the rest is quick"
    );
    let config = run.step(&OfficeStep::new(OfficeRow::DnsConfig));
    let first = config.stdout.find("192.168.40.53").unwrap();
    assert!(first < config.stdout.find("nameserver 192.168.40.1\n").unwrap());
    let probe = office(OfficeDevice::GatewayProbe).step(&fetch("http://www.example.org/"));
    assert!(
        seconds(&probe.stdout, "name") < 0.1,
        "elsewhere names are quick"
    );
}

#[test]
fn the_smaller_mtu_of_the_branch_is_seen_in_ping_trace_and_web_requests() {
    let mut run = office(OfficeDevice::Branch);
    let sized = |size| {
        let mut step = ping("198.18.7.10", 3);
        step.size = Some(size);
        step
    };
    let large = run.step(&sized(1472));
    assert_eq!(large.exit, 1);
    assert!(
        large
            .stdout
            .contains("From 192.168.178.1 icmp_seq=1 Frag needed and DF set (mtu = 1452)")
    );
    assert!(large.stderr.contains("message too long, mtu=1452"));
    // Out it fits; the answer does not come back, and nobody says so.
    let silent = run.step(&sized(1400));
    assert!(
        silent
            .stdout
            .contains("3 packets transmitted, 0 received, 100% packet loss")
    );
    assert_eq!(run.step(&sized(1300)).exit, 0);
    assert_eq!(run.step(&ping("198.18.7.10", 3)).exit, 0);
    let trace = run.step(&step(OfficeRow::Trace, |it| {
        it.target = Some("198.18.7.10".to_owned())
    }));
    assert!(
        trace.stdout.contains(" 1  192.168.8.1 ") && trace.stdout.contains(" 2  192.168.178.1 ")
    );
    let page = run.step(&fetch("https://www.example.org/"));
    assert_eq!(page.exit, 28, "{page:?}");
    assert!(seconds(&page.stdout, "connect") > 0.0 && seconds(&page.stdout, "tls") == 0.0);
    let small = run.step(&fetch("http://www.example.org/generate_204"));
    assert!(small.stdout.starts_with("code=204 "), "{small:?}");
}

#[test]
fn the_warehouse_loses_packets_while_it_roams() {
    let mut run = office(OfficeDevice::Warehouse);
    let output = run.step(&ping("192.168.40.1", 20));
    let received = output.stdout.matches(" bytes from ").count();
    assert!((5..20).contains(&received), "{}", output.stdout);
    let mut points = BTreeSet::new();
    for _ in 0..12 {
        let link = run.step(&step(OfficeRow::WifiLink, |it| {
            it.interface = Some("wlan0".to_owned())
        }));
        points.insert(link.stdout.lines().next().unwrap().to_owned());
        run.step(&step(OfficeRow::Wait, |it| it.seconds = Some(9)));
    }
    assert!(
        points.len() >= 3,
        "two access points and a change: {points:?}"
    );
}

#[test]
fn the_archive_reaches_nobody() {
    let mut run = office(OfficeDevice::Archive);
    assert_eq!(run.step(&ping("192.168.42.1", 2)).exit, 1);
    assert_eq!(run.step(&dig("www.example.org", None)).exit, 9);
}
