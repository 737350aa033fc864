//! The form for files that leave the installation.

use std::net::Ipv6Addr;

use field_redaction::{ExportShapes, VendorParts};

use crate::vault;

#[test]
fn an_export_has_addresses_that_are_not_the_real_ones() {
    let mut vault = vault();
    let text = "inet 192.168.7.5/24 dev eth0 mac b8:27:eb:12:34:56\n192.168.7.9 81.2.69.142 ~host-1 nas.example.com 255.255.255.0";
    let covered = vault.cover(text).text;
    let shapes = ExportShapes::new([5; 32]);
    let exported = vault.export(&covered, &shapes).expect("an export");
    let words: Vec<_> = exported.split_whitespace().collect();
    assert!(
        words[1].starts_with("192.168.") && words[1].ends_with("/24"),
        "{exported}"
    );
    // Both are in one network afterwards too.
    let network = |address: &str| {
        address
            .rsplit_once('.')
            .map(|(network, _)| network.to_owned())
    };
    assert_eq!(network(words[1]), network(words[6]), "{exported}");
    assert!(
        exported.contains(" 255.255.255.0") && exported.contains(" ~host-1 host-1 "),
        "{exported}"
    );
    assert_eq!(vault.leaks(exported.as_bytes()), None, "{exported}");
    assert_eq!(
        vault.export(&covered, &shapes).as_deref(),
        Ok(exported.as_str())
    );
    let other = vault
        .export(&covered, &ExportShapes::new([6; 32]))
        .expect("an export");
    assert_ne!(other, exported);
}

#[test]
fn addresses_of_the_second_family_stay_in_their_block() {
    let shapes = ExportShapes::new([5; 32]);
    let mapped = |text: &str| shapes.ipv6(text.parse::<Ipv6Addr>().expect(text));
    for text in ["::1", "ff02::1", "2001:db8::5", "2606:4700:4700::1111"] {
        assert_eq!(mapped(text).to_string(), text);
    }
    assert!(mapped("fe80::1").is_unicast_link_local());
    assert!(mapped("fd12::1").is_unique_local());
    let [one, other] = ["2a02:908:1::1", "2a02:908:1::2"].map(mapped);
    assert_eq!(one.segments()[..4], other.segments()[..4]);
    assert_eq!(one.segments()[0] & 0xe000, 0x2000);
    assert_ne!(one, other);
}

#[test]
fn vendors_of_devices_are_shown_by_choice() {
    let key = [5; 32];
    let hidden = ExportShapes::new(key);
    let shown = ExportShapes::new(key).with_vendors(VendorParts::Shown);
    let [one, other] = [[0xb8, 0x27, 0xeb, 1, 2, 3], [0xb8, 0x27, 0xeb, 1, 2, 4]];
    for shapes in [&hidden, &shown] {
        assert_eq!(shapes.mac(&one), shapes.mac(&one));
        assert_ne!(shapes.mac(&one), shapes.mac(&other));
        assert_ne!(shapes.mac(&one), one);
    }
    assert_eq!(shown.mac(&one)[..3], one[..3]);
    assert_ne!(hidden.mac(&one)[..3], one[..3]);
    assert_eq!(hidden.mac(&one)[0] & 3, 2, "it belongs to no vendor");
    // An address that a telephone made up has no vendor, and would be known again by its first bytes.
    let made_up = [0xda, 0xa1, 0x19, 1, 2, 3];
    assert_ne!(shown.mac(&made_up)[..3], made_up[..3]);
    assert_eq!(shown.mac(&made_up)[0] & 3, 2);
}

#[test]
fn two_exports_cannot_be_joined() {
    let mut vault = vault();
    let text = "inet 192.168.7.5/24 dev eth0 mac b8:27:eb:12:34:56\n81.2.69.142 2a02:908:1::7";
    let covered = vault.cover(text).text;
    let exported = |key| {
        let shapes = ExportShapes::new([key; 32]).with_vendors(VendorParts::Shown);
        vault.export(&covered, &shapes).expect("an export")
    };
    let [one, other] = [exported(5), exported(6)];
    let words = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().map(str::to_owned);
        words.filter(|word| word.contains(['.', ':'])).collect()
    };
    let (one, other) = (words(&one), words(&other));
    assert_eq!((one.len(), other.len()), (4, 4), "{one:?} {other:?}");
    for (one, other) in one.iter().zip(&other) {
        assert_ne!(one, other);
    }
    // A token of another site, planted in a text, is no word to be passed on.
    let planted = vault.export("ip-s9-n1.7", &ExportShapes::new([5; 32]));
    assert!(planted.is_err(), "{planted:?}");
}
