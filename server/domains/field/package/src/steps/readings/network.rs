//! Programs that ask the network.

use serde_json::json;

use super::read;
use crate::steps::RowName;

/// iputils 20221126.
pub(super) const PING: &str = "\
PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.
64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.412 ms
64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=0.378 ms
64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=0.390 ms (DUP!)
64 bytes from 192.0.2.1: icmp_seq=4 ttl=64 time=0.450 ms

--- 192.0.2.1 ping statistics ---
4 packets transmitted, 3 received, +1 duplicates, 25% packet loss, time 3004ms
rtt min/avg/max/mdev = 0.378/0.407/0.450/0.027 ms
";

const TRACE: &str = "\
traceroute to 198.51.100.7 (198.51.100.7), 30 hops max, 60 byte packets
 1  192.168.7.1  0.512 ms
 2  *
 3  203.0.113.9  5.123 ms !N
";

const MTR: &str = r#"{"report":{"mtr":{"src":"probe","dst":"198.51.100.7","tos":0,"tests":10,"psize":"64","bitpattern":"0x00"},
"hubs":[{"count":1,"host":"192.168.7.1","Loss%":0.0,"Snt":10,"Last":0.512,"Avg":0.634,"Best":0.41,"Wrst":1.02,"StDev":0.2},
{"count":"2","host":"???","Loss%":100.0,"Snt":10,"Last":0.0,"Avg":0.0,"Best":0.0,"Wrst":0.0,"StDev":0.0}]}}"#;

const DIG: &str = "\
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 48710
;; flags: qr rd ra; QUERY: 1, ANSWER: 2, AUTHORITY: 0, ADDITIONAL: 1

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
example.org.\t\t86400\tIN\tMX\t10 mail.example.org.
example.org.\t\t86400\tIN\tMX\t20 \"two words\"

;; Query time: 12 msec
;; SERVER: 192.0.2.53#53(192.0.2.53) (UDP)
;; WHEN: Fri Nov 27 11:00:00 UTC 2026
;; MSG SIZE  rcvd: 101

";

const CURL: &str = "code=200 name=0.004127 connect=0.021550 tls=0.061022 first=0.092310 total=0.092871 bytes=1256 \
rate=13524 address=192.0.2.80 verify=0";

const IPERF: &str = r#"{"start":{"test_start":{"protocol":"TCP","num_streams":1,"reverse":1}},
"intervals":[{"streams":[],"sum":{"start":0,"end":1.0,"seconds":1.0,"bytes":11700000,"bits_per_second":93600000.0}}],
"end":{"sum_sent":{"seconds":5.0,"bytes":59000000,"bits_per_second":94400000.0,"retransmits":7},
"sum_received":{"seconds":5.04,"bytes":58900000,"bits_per_second":93492063.5}}}"#;

const SWEEP: &str = "\
192.168.7.1\t02:00:00:00:00:01
192.168.7.20\t02:00:00:00:00:20
192.168.7.20\t02:00:00:00:00:21 (DUP: 2)
";

const CAPTURE: &str = "\
11:00:00.000001 ARP, Request who-has 192.168.7.1 tell 192.168.7.20, length 46
11:00:00.000002 IP 192.168.7.20.51234 > 192.168.7.1.53: UDP, length 40
11:00:00.000003 IP 192.168.7.20.40000 > 198.51.100.7.443: tcp 0
11:00:00.000004 IP6 fe80::1 > ff02::1: ICMP6, router advertisement, length 64
listening on eth0, link-type EN10MB (Ethernet), snapshot length 64 bytes
";

pub(super) const SAMPLES: [(RowName, &str); 8] = [
    (RowName::Ping, PING),
    (RowName::Trace, TRACE),
    (RowName::Mtr, MTR),
    (RowName::Dig, DIG),
    (RowName::HttpTiming, CURL),
    (RowName::Throughput, IPERF),
    (RowName::Sweep, SWEEP),
    (RowName::Capture, CAPTURE),
];

#[test]
fn ping() {
    let (values, records) = read(RowName::Ping, PING);
    let expected = json!({"sent": 4, "received": 3, "duplicates": 1, "errors": 0, "loss": 25.0,
        "rtt_min": 0.378, "rtt_avg": 0.407, "rtt_max": 0.45, "rtt_mdev": 0.027});
    assert_eq!(values, expected);
    assert_eq!(records.len(), 4);
    assert_eq!(
        records[2],
        json!({"from": "192.0.2.1", "seq": 2, "ttl": 64, "time": 0.39, "duplicate": true})
    );
    // Nobody answers: no round trip is unknown, and not zero.
    let (values, _) = read(
        RowName::Ping,
        "PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\n\
         From 192.0.2.1 icmp_seq=1 Destination Host Unreachable\n\n--- 192.0.2.9 ping statistics ---\n\
         4 packets transmitted, 0 received, +4 errors, 100% packet loss, time 3076ms\npipe 4\n",
    );
    assert_eq!(
        (&values["errors"], &values["loss"]),
        (&json!(4), &json!(100.0))
    );
    assert_eq!(values["rtt_avg"], json!({"unknown": "no answer came"}));
    // A link on the way is too small for the size.
    let (values, _) = read(
        RowName::Ping,
        "PING 192.0.2.9 (192.0.2.9) 1472(1500) bytes of data.\n\
         From 10.0.0.1 icmp_seq=1 Frag needed and DF set (mtu = 1452)\n\n--- 192.0.2.9 ping statistics ---\n\
         1 packets transmitted, 0 received, +1 errors, 100% packet loss, time 0ms\n",
    );
    assert_eq!(values["mtu_on_the_way"], json!(1452));
}

#[test]
fn trace_and_mtr() {
    let (values, records) = read(RowName::Trace, TRACE);
    assert_eq!(values, json!({"hops": 3, "answered": 2}));
    assert_eq!(
        records[1],
        json!({"hop": 2, "address": {"unknown": "no answer"}})
    );
    assert_eq!(
        records[2],
        json!({"hop": 3, "address": "203.0.113.9", "time": 5.123, "mark": "!N"})
    );
    let (values, records) = read(RowName::Mtr, MTR);
    assert_eq!(values, json!({"hops": 2}));
    assert_eq!(records[0]["rtt_avg"], json!(0.634));
    assert_eq!(
        records[1],
        json!({"hop": 2, "address": {"unknown": "no answer"}, "loss": 100.0, "sent": 10})
    );
}

#[test]
fn dig() {
    let (values, records) = read(RowName::Dig, DIG);
    let expected = json!({"status": "NOERROR", "answers": 2, "time": 12.0, "server": "192.0.2.53", "size": 101,
        "truncated": false});
    assert_eq!(values, expected);
    assert_eq!(
        records[0],
        json!({"name": "example.org.", "ttl": 86400, "type": "MX", "data": "10 mail.example.org."})
    );
    let (values, records) = read(
        RowName::Dig,
        ";; communications error to 192.0.2.53#53: timed out\n;; no servers could be reached\n",
    );
    assert_eq!(values["status"], json!({"unknown": "no server answered"}));
    assert_eq!(values["time"], json!({"unknown": "not reported"}));
    assert!(records.is_empty());
}

#[test]
fn web_requests() {
    let (values, _) = read(RowName::HttpTiming, CURL);
    assert_eq!(
        (&values["status"], &values["name_lookup"]),
        (&json!(200), &json!(4.127))
    );
    assert_eq!(
        (&values["certificate_valid"], &values["rate"]),
        (&json!(true), &json!(108_192.0))
    );
    let (values, _) = read(
        RowName::DownloadRate,
        "code=000 name=0.004 connect=0.000000 tls=0.000000 first=0.000000 total=10.001 bytes=0 rate=0 address= verify=0",
    );
    assert_eq!(values["status"], json!({"unknown": "no answer came"}));
    assert_eq!(
        values["connected"],
        json!({"unknown": "the request did not get there"})
    );
    assert_eq!(values["address"], json!({"unknown": "not reported"}));
}

#[test]
fn throughput() {
    let (values, records) = read(RowName::Throughput, IPERF);
    let expected = json!({"rate": 93_492_063.5, "seconds": 5.04, "bytes": 58_900_000, "retransmits": 7,
        "to_the_device": true});
    assert_eq!((values, records.len()), (expected, 1));
    let (values, _) = read(
        RowName::Throughput,
        r#"{"start":{},"error":"unable to connect to server"}"#,
    );
    assert_eq!(values["rate"], json!({"unknown": "the test failed"}));
}

#[test]
fn sweeps_and_captures() {
    let (values, records) = read(RowName::Sweep, SWEEP);
    assert_eq!(values, json!({"hosts": 2, "doubled_addresses": 1}));
    assert_eq!(
        records[2],
        json!({"address": "192.168.7.20", "mac": "02:00:00:00:00:21", "doubled": true})
    );
    let (values, records) = read(RowName::Capture, CAPTURE);
    assert_eq!(
        values,
        json!({"packets": 4, "arp": 1, "icmp": 1, "tcp": 1, "udp": 1})
    );
    assert_eq!(records[1]["to"], json!("192.168.7.1.53"));
    assert_eq!(records[1]["length"], json!(40));
}
