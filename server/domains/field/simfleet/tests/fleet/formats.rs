//! Each row prints what its program prints.

use serde_json::Value;
use simfleet::{OfficeDevice, OfficeRow, OfficeStep, ProgramOutput, SimOffice};

use crate::{START, run_one, step};

/// True if a line has the form of a pattern: `{n}` digits, `{f}` a decimal, `{ip}` an address, `{mac}` a
/// hardware address, `{w}` a word, `{*}` the rest.
fn fits(line: &str, pattern: &str) -> bool {
    let Some((text, rest)) = pattern.split_once('{') else {
        return line == pattern;
    };
    let Some(line) = line.strip_prefix(text) else {
        return false;
    };
    let (kind, rest) = rest.split_once('}').unwrap();
    let allowed = |it: char| match kind {
        "n" => it.is_ascii_digit(),
        "f" | "ip" => it.is_ascii_digit() || it == '.',
        "mac" => it.is_ascii_hexdigit() || it == ':',
        "w" => !it.is_whitespace(),
        "*" => true,
        _ => panic!("no such part: {kind}"),
    };
    let end = line.find(|it| !allowed(it)).unwrap_or(line.len());
    (end > 0 || kind == "*") && fits(&line[end..], rest)
}

fn has(output: &ProgramOutput, pattern: &str) {
    let found = output.stdout.lines().any(|line| fits(line, pattern));
    assert!(found, "no line as {pattern} in\n{}", output.stdout);
}

/// A step of each row that works on every device.
fn sample(row: OfficeRow, device: OfficeDevice) -> OfficeStep {
    use OfficeRow as Row;
    let uplink = if device == OfficeDevice::Warehouse {
        "wlan0"
    } else {
        "eth0"
    };
    step(row, |it| match row {
        Row::Ping | Row::Trace | Row::Mtr => it.target = Some("198.18.7.10".to_owned()),
        Row::Throughput => it.target = Some("nas.nordlicht.example".to_owned()),
        Row::Dig => it.name = Some("www.example.org".to_owned()),
        Row::HttpTiming | Row::DownloadRate => it.url = Some("https://www.example.org/".to_owned()),
        Row::Sweep => {
            it.interface = Some(uplink.to_owned());
            it.network = Some("192.168.41.0/24".to_owned());
        }
        Row::Capture => {
            it.interface = Some(uplink.to_owned());
            it.filter = Some("arp".to_owned());
        }
        Row::LinkInfo | Row::LinkStats => it.interface = Some(uplink.to_owned()),
        Row::WifiLink | Row::WifiStations | Row::WifiSeen => {
            it.interface = Some("wlan0".to_owned());
        }
        Row::Wait => it.seconds = Some(7),
        _ => {}
    })
}

#[test]
fn every_row_answers_on_every_device_and_ends_in_time() {
    for device in OfficeDevice::ALL {
        for row in OfficeRow::ALL {
            let output = run_one(device, &sample(row, device));
            assert!(output.argv[0].starts_with("/usr/"), "{:?}", output.argv);
            assert!(
                output.took_ms >= 1 && output.took_ms < 120_000,
                "{row:?} {output:?}"
            );
            let printed = output.stdout.len() + output.stderr.len();
            let quiet = [OfficeRow::Wait, OfficeRow::WifiStations, OfficeRow::Sweep];
            assert!(
                printed > 0 || quiet.contains(&row),
                "{device:?} {row:?} says nothing"
            );
        }
    }
}

#[test]
fn the_same_seed_time_and_steps_give_the_same_bytes() {
    let all = |seed, at| {
        let mut run = SimOffice::new(seed).run(OfficeDevice::Warehouse, at);
        let steps = OfficeRow::ALL.map(|row| sample(row, OfficeDevice::Warehouse));
        steps.iter().map(|it| run.step(it)).collect::<Vec<_>>()
    };
    let first = all(7, START * 1000);
    assert_eq!(first, all(7, START * 1000));
    assert_ne!(first, all(8, START * 1000), "the seed counts");
    assert_ne!(first, all(7, START * 1000 + 60_000), "the time counts");
    let collect = || SimOffice::new(7).collect(OfficeDevice::Branch, START * 1000);
    assert_eq!(collect(), collect());
}

#[test]
fn json_of_programs_is_json() {
    let read = |row| {
        let device = OfficeDevice::GatewayProbe;
        let output = run_one(device, &sample(row, device));
        assert_eq!(output.exit, 0, "{output:?}");
        serde_json::from_str::<Value>(&output.stdout).unwrap()
    };
    let rows = |row| read(row).as_array().unwrap().clone();
    let addresses = rows(OfficeRow::Addresses);
    assert_eq!(addresses[1]["addr_info"][0]["local"], "192.168.40.10");
    assert_eq!(addresses[1]["addr_info"][0]["prefixlen"], 24);
    assert_eq!(rows(OfficeRow::Links)[1]["mtu"], 1500);
    assert!(
        rows(OfficeRow::LinkStats)[0]["stats64"]["rx"]["bytes"]
            .as_u64()
            .unwrap()
            > 0
    );
    assert_eq!(rows(OfficeRow::Routes)[0]["gateway"], "192.168.40.1");
    assert_eq!(rows(OfficeRow::Neighbours)[0]["state"][0], "REACHABLE");
    assert_eq!(rows(OfficeRow::Rules)[1]["table"], "main");
    let mtr = read(OfficeRow::Mtr);
    let hubs = mtr["report"]["hubs"].as_array().unwrap();
    assert_eq!(hubs[0]["host"], "192.168.40.1");
    assert_eq!(hubs.last().unwrap()["host"], "198.18.7.10");
    assert_eq!(hubs[0]["Loss%"], 0.0);
    let iperf = read(OfficeRow::Throughput);
    assert!(
        iperf["end"]["sum_received"]["bits_per_second"]
            .as_f64()
            .unwrap()
            > 80e6
    );
    assert_eq!(iperf["intervals"].as_array().unwrap().len(), 5);
}

#[test]
fn text_of_programs_has_their_form() {
    let run = |device, row| run_one(device, &sample(row, device));
    let fine = |row| run(OfficeDevice::GatewayProbe, row);
    let ping = fine(OfficeRow::Ping);
    has(
        &ping,
        "PING 198.18.7.10 (198.18.7.10) 56(84) bytes of data.",
    );
    has(
        &ping,
        "64 bytes from {ip}: icmp_seq={n} ttl={n} time={f} ms",
    );
    has(
        &ping,
        "4 packets transmitted, 4 received, 0% packet loss, time {n}ms",
    );
    has(&ping, "rtt min/avg/max/mdev = {f}/{f}/{f}/{f} ms");
    let dig = fine(OfficeRow::Dig);
    has(
        &dig,
        ";; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: {n}",
    );
    has(&dig, "www.example.org.\t\t300\tIN\tA\t{ip}");
    has(&dig, ";; Query time: {n} msec");
    has(&dig, ";; SERVER: {ip}#53({ip}) (UDP)");
    has(&dig, ";; WHEN: Fri Nov 27 11:00:00 UTC 2026");
    has(&dig, ";; MSG SIZE  rcvd: {n}");
    let trace = fine(OfficeRow::Trace);
    has(
        &trace,
        "traceroute to 198.18.7.10 (198.18.7.10), 30 hops max, 60 byte packets",
    );
    has(&trace, " 1  192.168.40.1  {f} ms");
    has(&trace, " 4  *");
    has(&trace, " 5  198.18.7.10  {f} ms");
    has(
        &fine(OfficeRow::HttpTiming),
        "code=200 name={f} connect={f} tls={f} first={f} total={f} bytes={n} rate={n} address={ip} verify=0",
    );
    has(
        &fine(OfficeRow::Sockets),
        "tcp LISTEN 0      128              0.0.0.0:22              0.0.0.0:*",
    );
    has(&fine(OfficeRow::LinkInfo), "\tSpeed: 1000Mb/s");
    has(&fine(OfficeRow::DnsConfig), "nameserver 192.168.40.1");
    has(&fine(OfficeRow::Power), "throttled=0x0");
    has(
        &fine(OfficeRow::Capture),
        "{n}:{n}:{f} ARP, Reply 192.168.40.1 is-at {mac}, length 46",
    );
    assert!(
        fine(OfficeRow::Capture)
            .stderr
            .contains("packets captured\n")
    );
    let air = |row| run(OfficeDevice::Warehouse, row);
    has(&air(OfficeRow::WifiSeen), "BSS {mac}(on wlan0)");
    has(&air(OfficeRow::WifiSeen), "\tsignal: -{f} dBm");
    has(
        &run(OfficeDevice::MeetingRoom, OfficeRow::Sweep),
        "192.168.41.40\t{mac}",
    );
    has(&fine(OfficeRow::WifiLink), "Not connected.");
    assert_eq!(fine(OfficeRow::Wait).took_ms, 7000);
    // Half a minute later the warehouse is connected, between two changes of its access point.
    let mut later = SimOffice::new(1).run(OfficeDevice::Warehouse, START * 1000 + 20_000);
    let link = later.step(&sample(OfficeRow::WifiLink, OfficeDevice::Warehouse));
    has(&link, "Connected to {mac} (on wlan0)");
    has(&link, "\tsignal: -{n} dBm");
    let stations = later.step(&sample(OfficeRow::WifiStations, OfficeDevice::Warehouse));
    has(&stations, "Station {mac} (on wlan0)");
    has(&stations, "\ttx retries:\t{n}");
}

#[test]
fn failures_are_those_of_the_programs() {
    let device = OfficeDevice::GatewayProbe;
    let changed = |row, change: fn(&mut OfficeStep)| {
        let mut step = sample(row, device);
        change(&mut step);
        run_one(device, &step)
    };
    let unknown = changed(OfficeRow::Ping, |it| {
        it.target = Some("nobody.invalid".to_owned())
    });
    assert_eq!((unknown.exit, unknown.stdout.as_str()), (2, ""));
    assert_eq!(
        unknown.stderr,
        "ping: nobody.invalid: Name or service not known\n"
    );
    let absent = changed(OfficeRow::Ping, |it| {
        it.target = Some("192.168.40.99".to_owned())
    });
    has(
        &absent,
        "From 192.168.40.10 icmp_seq={n} Destination Host Unreachable",
    );
    has(
        &absent,
        "4 packets transmitted, 0 received, +4 errors, 100% packet loss, time {n}ms",
    );
    assert_eq!(absent.exit, 1);
    let nothing = changed(OfficeRow::LinkStats, |it| {
        it.interface = Some("eth9".to_owned())
    });
    assert_eq!(
        (nothing.exit, nothing.stderr.as_str()),
        (1, "Device \"eth9\" does not exist.\n")
    );
    let no_name = changed(OfficeRow::Dig, |it| {
        it.name = Some("nobody.invalid".to_owned())
    });
    has(
        &no_name,
        ";; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: {n}",
    );
    let closed = changed(OfficeRow::Throughput, |it| it.port = Some(9));
    let report: Value = serde_json::from_str(&closed.stdout).unwrap();
    assert!(report["error"].as_str().unwrap().contains("refused"));
    let radio = changed(OfficeRow::WifiLink, |it| {
        it.interface = Some("eth0".to_owned())
    });
    assert_eq!((radio.exit, radio.stdout.as_str()), (161, ""));
    let no_host = changed(OfficeRow::HttpTiming, |it| {
        it.url = Some("http://nobody.invalid/".to_owned())
    });
    assert_eq!(
        no_host.stderr,
        "curl: (6) Could not resolve host: nobody.invalid\n"
    );
    has(
        &no_host,
        "code=000 name={f} connect=0.000000 tls=0.000000 first=0.000000 total={f} bytes=0 rate=0 address= verify=0",
    );
}
