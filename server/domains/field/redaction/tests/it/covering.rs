//! Tokens, their numbers, their legend, and the way to a store and back.

use field_redaction::{
    Class, CoverStream, Pseudonym, PublicAddresses, RedactionError, SiteScope, Vault, VaultKeys,
    VendorParts, live_tokens,
};

use crate::{vault, vault_of};

const BUNDLE: &str = "\
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500
    link/ether b8:27:eb:12:34:56 brd ff:ff:ff:ff:ff:ff
    inet 10.1.2.5/24 brd 10.1.2.255 scope global eth0
    inet6 fe80::ba27:ebff:fe12:3456/64 scope link
default via 10.1.2.1 dev eth0
172.16.0.0/20 dev wg0 proto kernel scope link
Nov 27 11:10:00 workbench dnsmasq-dhcp[3]: DHCPACK(eth0) 10.1.2.77 b8:27:eb:99:88:77 annas-tablet
PING annas-tablet (10.1.2.77) 56(84) bytes of data.
workbench sees 172.16.3.4, 192.168.9.9, 81.2.69.142 and 10.1.2.77 again
SSID: Gartenhaus
";

#[test]
fn a_bundle_keeps_its_structure() {
    let covered = vault().cover(BUNDLE);
    assert_eq!(
        covered.text,
        "\
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500
    link/ether mac-1 brd ff:ff:ff:ff:ff:ff
    inet ip-n1.5/24 brd ip-n1.255 scope global eth0
    inet6 ip6-n2.1/64 scope link
default via ip-n1.1 dev eth0
ip-n3.0/20 dev wg0 proto kernel scope link
Nov 27 11:10:00 host-1 dnsmasq-dhcp[3]: DHCPACK(eth0) ip-n1.77 mac-2 host-2
PING host-2 (ip-n1.77) 56(84) bytes of data.
host-1 sees ip-n3.1, ip-n4.9, pub-1 and ip-n1.77 again
SSID: ssid-1
"
    );
    let counts = |class| covered.counts.of(class);
    assert_eq!(
        [
            Class::Ipv4,
            Class::Ipv6,
            Class::Mac,
            Class::Host,
            Class::Ssid
        ]
        .map(counts),
        [10, 1, 2, 4, 1]
    );
}

#[test]
fn what_was_covered_comes_back() {
    let mut vault = vault();
    let covered = vault.cover(BUNDLE);
    assert_eq!(vault.restore(&covered.text).as_deref(), Ok(BUNDLE));
    assert_eq!(
        vault.restore("ping ip-n1.0/24").as_deref(),
        Ok("ping 10.1.2.0/24")
    );
    assert_eq!(
        vault.restore("sweep net-1").as_deref(),
        Ok("sweep 10.1.2.0/24")
    );
    assert_eq!(vault.cover_again(&covered.text).text, covered.text);
    // The person may use tokens, and may say what they know.
    let asked = vault.cover_again("Is ip-n1.77 or 10.1.2.78 annas-tablet? And host-9?");
    assert_eq!(asked.text, "Is ip-n1.77 or ip-n1.78 host-2? And ~host-9?");
}

/// Whoever records which values were shown goes by these: none that is restored may be missing.
#[test]
fn live_tokens_are_those_that_are_restored() {
    for (text, tokens) in [
        ("ping ip-n1.1, then ~ip-n1.2 and x_host-1", &["ip-n1.1"][..]),
        ("ip-n1.1-ip-n1.9", &["ip-n1.1", "ip-n1.9"]),
        ("http://host%2D1.lan/?a=IP-N1.7", &["host-1", "ip-n1.7"]),
        ("host-s7-2 and net-1", &["host-s7-2", "net-1"]),
        ("user-agent, x_ssid-1, host-", &[]),
    ] {
        let found: Vec<_> = live_tokens(text).iter().map(ToString::to_string).collect();
        assert_eq!(found, tokens, "{text}");
        // A vault without values refuses exactly the texts that have one.
        assert_eq!(vault().restore(text).is_err(), !tokens.is_empty(), "{text}");
    }
}

#[test]
fn numbers_stay_when_more_becomes_known() {
    let mut vault = vault();
    assert_eq!(
        vault.cover("10.5.0.9 and 10.5.1.9").text,
        "ip-n1.9 and ip-n2.9"
    );
    let covered = vault.cover("    inet 10.5.0.1/16 scope global eth1\n10.5.7.7, 10.5.0.9");
    assert_eq!(
        covered.text,
        "    inet ip-n1.1/16 scope global eth1\nip-n3.1, ip-n1.9"
    );
    let legend = vault.legend(VendorParts::Hidden);
    assert_eq!(
        legend,
        "\
n1: IPv4 /24, private, assumed: no interface or route names it
n2: IPv4 /24, private, assumed: no interface or route names it
n3: IPv4 /16, private, on eth1
ipv4: 6 known"
    );
}

#[test]
fn the_legend_is_bounded_and_tells_no_values() {
    let mut vault = vault();
    vault.cover(BUNDLE);
    let legend = vault.legend(VendorParts::Shown);
    assert!(
        legend.contains("n2: IPv6 /64, link-local, on eth0"),
        "{legend}"
    );
    assert!(legend.contains("mac-1: vendor part b8:27:eb"), "{legend}");
    assert_eq!(vault.leaks(legend.as_bytes()), None);
    for index in 0..200 {
        vault.cover(&format!("10.{index}.0.1"));
    }
    assert!(vault.legend(VendorParts::Shown).lines().count() <= 130);
}

#[test]
fn a_store_gets_each_entry_once_and_gives_the_same_vault() {
    let keys = VaultKeys::new([7; 32], [8; 32]);
    let mut vault = vault();
    let mut stored = Vec::new();
    let mut nonce = 0;
    for text in [BUNDLE, BUNDLE, "10.9.9.9", "inet 10.9.9.1/24"] {
        for entry in vault.cover(text).new {
            nonce += 1;
            let sealed = entry.seal("berlin", &keys, [nonce; 12]).expect("sealed");
            stored.retain(|old: &field_redaction::SealedEntry| old.token != sealed.token);
            stored.push(sealed);
        }
    }
    assert!(vault.cover(BUNDLE).new.is_empty());
    let json = serde_json::to_string(&stored).expect("JSON");
    assert_eq!(vault.leaks(json.as_bytes()), None);
    let stored: Vec<field_redaction::SealedEntry> = serde_json::from_str(&json).expect("entries");
    let site = vault.site().clone();
    let mut opened = Vault::open(site, PublicAddresses::Cover, &keys, stored).expect("a vault");
    assert_eq!(opened.cover(BUNDLE), vault.cover(BUNDLE));
    assert_eq!(
        opened.legend(VendorParts::Shown),
        vault.legend(VendorParts::Shown)
    );
    let text = "10.9.9.8 10.77.0.1 81.2.69.143 nas.example.com";
    assert_eq!(opened.cover(text).text, vault.cover(text).text);
}

#[test]
fn entries_that_contradict_each_other_are_refused() {
    let keys = VaultKeys::new([7; 32], [8; 32]);
    let entries = |text: &str| {
        let new = vault().cover(text).new;
        let sealed = new
            .iter()
            .map(|entry| entry.seal("berlin", &keys, [1; 12]).expect("sealed"));
        sealed.collect::<Vec<_>>()
    };
    let mut both = entries("SSID: Gartenhaus");
    both.extend(entries("SSID: Gartenlaube"));
    let site = SiteScope {
        id: "berlin".to_owned(),
        number: None,
    };
    let opened = Vault::open(site, PublicAddresses::Cover, &keys, both);
    assert!(matches!(opened, Err(RedactionError::BadEntry(token)) if token == "ssid-1"));
}

#[test]
fn public_addresses_are_covered_by_choice() {
    let site = SiteScope {
        id: "berlin".to_owned(),
        number: None,
    };
    let mut vault = Vault::new(site, PublicAddresses::Keep);
    let text = "    inet 81.2.69.1/29 scope global ppp0\n81.2.69.2 81.2.70.1 10.0.0.1";
    assert_eq!(
        vault.cover(text).text,
        "    inet ip-n1.1/29 scope global ppp0\nip-n1.2 81.2.70.1 ip-n2.1"
    );
    assert_eq!(vault.leaks(b"81.2.70.1"), None);
}

#[test]
fn each_site_has_its_own_tokens() {
    let mut north = vault_of("north", Some(7));
    let mut south = vault_of("south", Some(8));
    assert_eq!(
        north.cover("10.0.0.1 nas.example.com").text,
        "ip-s7-n1.1 host-s7-1"
    );
    assert_eq!(south.cover("10.0.0.1").text, "ip-s8-n1.1");
    let token = Pseudonym::parse("ip-s7-n1.1").expect("a token");
    assert_eq!(
        south.restore("ping ip-s7-n1.1"),
        Err(RedactionError::OtherSite(token))
    );
    let unknown = Pseudonym::parse("mac-s8-1").expect("a token");
    assert_eq!(
        south.restore("x mac-s8-1"),
        Err(RedactionError::UnknownToken(unknown))
    );
    assert_eq!(
        RedactionError::OtherSite(token).to_string(),
        "ip-s7-n1.1 belongs to another site. Use values of one site only."
    );
}

#[test]
fn a_stream_reads_keys_and_lines_over_the_borders_of_its_pieces() {
    let text = "10.0.0.1\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ\n\
                -----END PRIVATE KEY-----\nafter 10.0.0.2\n";
    for size in [1, 5, 30] {
        let mut vault = vault();
        let mut stream = CoverStream::default();
        let mut out = String::new();
        for chunk in text.as_bytes().chunks(size) {
            out.push_str(&stream.push(&mut vault, chunk).text);
        }
        out.push_str(&stream.finish(&mut vault).text);
        assert_eq!(out, "ip-n1.1\n[secret removed]\nafter ip-n1.2\n");
    }
}

#[test]
fn what_is_not_utf_8_goes_whole() {
    let mut vault = vault();
    let mut stream = CoverStream::default();
    let covered = stream.push(&mut vault, b"a 10.0.0.1 \xff\nb\n");
    assert_eq!(covered.text, "[line removed: not UTF-8]\nb\n");
    assert_eq!(covered.counts.unreadable, 1);
}
