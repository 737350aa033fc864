//! Values that are taken and values that are not, by kind.

use super::{HttpUrl, ValueKind, is_public, is_trusting};

#[test]
fn each_kind_takes_its_own_and_nothing_else() {
    let table: [(ValueKind, &[&str], &[&str]); 8] = [
        (
            ValueKind::Host,
            &[
                "192.0.2.1",
                "2001:db8::1",
                "fe80::1",
                "::1",
                "printer",
                "a-1.example.org",
                "1.de",
            ],
            &[
                "",
                "-c",
                "--help",
                "127.1",
                "0x7f000001",
                "0x7f.0x1",
                "2130706433",
                "192.0.2.01",
                "192.0.2.1.",
                "2001:DB8::1",
                "2001:db8:0::1",
                "fe80::1%eth0",
                "::ffff:192.0.2.1",
                "64:ff9b::c000:201",
                "::192.0.2.1",
                "Printer",
                "a b",
                "a\n",
                "a..b",
                ".a",
                "a.",
                "-a",
                "a-",
                "a_b",
                "a;id",
                "$(id)",
                "`id`",
                "a'b",
                "a\"b",
                "a\\b",
                "é",
                "a\u{202e}b",
                "a\u{200b}b",
                "192.0.2.1/24",
                "a:80",
                "user@a",
                "\u{ff11}.1.1.1",
            ],
        ),
        (
            ValueKind::Address,
            &["192.0.2.53", "2001:db8::53"],
            &["dns", "192.0.2", "@192.0.2.1", "+tcp"],
        ),
        (
            ValueKind::QueryName,
            &[
                "example.org",
                "example.org.",
                "_sip._tcp.example.org",
                "1.2.0.192.in-addr.arpa",
                "mx",
            ],
            &[
                "",
                ".",
                "-x",
                "+short",
                "@192.0.2.1",
                "a b",
                "a;b",
                "*.example.org",
                "A",
            ],
        ),
        (
            ValueKind::Interface,
            &["eth0", "wlan0", "br-lan", "eth0.12"],
            &[
                "",
                "-I",
                "0eth",
                "eth0 ",
                "Eth0",
                "eth0/..",
                "abcdefghijklmnop",
                "eth0:1",
            ],
        ),
        (
            ValueKind::Url,
            &[
                "http://example.org",
                "https://example.org/",
                "https://example.org:8443/a?b=c&d=%20",
                "http://[2001:db8::1]:8080/x",
                "http://192.0.2.1/a-b_c.html",
            ],
            &[
                "",
                "ftp://example.org",
                "file:///etc/shadow",
                "http://",
                "http:///x",
                "HTTP://a",
                "http://user@example.org/",
                "http://u:p@example.org/",
                "http://example.org#x",
                "http://example.org?x",
                "http://example.org:0/",
                "http://example.org:080/",
                "http://example.org:70000/",
                "http://example.org/{a,b}",
                "http://example.org/[1-9]",
                "http://example.org/a b",
                "http://example.org/%2",
                "http://example.org/%zz",
                "http://example.org/'",
                "http://2001:db8::1/",
                "http://[::ffff:192.0.2.1]/",
                "http://[192.0.2.1]/",
                "http://127.1/",
                "http://example.org\\@evil.org/",
                "-K",
                "http://example.org/\u{202e}",
            ],
        ),
        (
            ValueKind::Network,
            &["192.0.2.0/24", "10.0.0.0/22", "192.0.2.7/32"],
            &[
                "192.0.2.1/24",
                "10.0.0.0/21",
                "10.0.0.0/8",
                "192.0.2.0",
                "192.0.2.0/024",
                "2001:db8::/64",
            ],
        ),
        (
            ValueKind::Range(1, 20),
            &["1", "20"],
            &[
                "0",
                "21",
                "-1",
                "+1",
                "01",
                "1.0",
                "",
                " 1",
                "99999999999999999999",
            ],
        ),
        (
            ValueKind::OneOf(&["A", "MX"]),
            &["A", "MX"],
            &["a", "ANY", "AXFR", "", "-A"],
        ),
    ];
    for (kind, taken, refused) in table {
        for text in taken {
            assert!(kind.accepts(text), "{kind:?} refuses {text:?}");
        }
        for text in refused {
            assert!(!kind.accepts(text), "{kind:?} takes {text:?}");
        }
    }
}

#[test]
fn the_place_of_an_address_is_known() {
    let parsed = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text}"));
    for (text, public, trusting) in [
        ("1.1.1.1", true, false),
        ("2606:4700::1111", true, false),
        ("192.168.1.1", false, false),
        ("100.64.0.1", false, false),
        ("100.100.100.200", false, true),
        ("127.0.0.53", false, true),
        ("169.254.169.254", false, true),
        ("fe80::1", false, true),
        ("fd00:ec2::254", false, true),
        ("fd12::1", false, false),
        ("224.0.0.251", false, false),
        ("0.0.0.0", false, false),
    ] {
        assert_eq!(is_public(parsed(text)), public, "{text}");
        assert_eq!(is_trusting(parsed(text)), trusting, "{text}");
    }
}

#[test]
fn a_url_says_where_it_leads() {
    let url = HttpUrl::parse("https://example.org/a:1/@x");
    assert_eq!(url, None, "an at sign may be a user to somebody");
    let ports = ["http://a", "https://a/", "http://a:8080/"]
        .map(|text| HttpUrl::parse(text).map(|url| url.port));
    assert_eq!(ports, [Some(80), Some(443), Some(8080)]);
}
