//! Two thousand tampered packages in one table: ways to tamper, each at fifty places. None is accepted.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    ids::{DeviceId, JobId, SiteId},
    manifest::{JobManifest, MANIFEST_TYPE},
    script::StepsPayload,
};
use serde_json::{Value, json};

use crate::fixture::{
    DEVICE, Fixture, JOB, NOBODY, NOW, OTHER_JOB, ROOT, UPDATE, at, control, enrolled, nonce, pair,
    retold, root_document, script, signed, signed_bytes,
};

/// Places of each way.
const PLACES: usize = 50;
const SIGNATURE: &str = "/manifest/signatures/0/sig";

/// A device and the package that it accepts.
struct AcceptedPackage {
    fixture: Fixture,
    manifest: JobManifest,
    payload: Vec<u8>,
    bytes: Vec<u8>,
}

/// Makes the package of a place. What the device remembers may change with it.
type TamperingWay = fn(&mut AcceptedPackage, usize) -> Vec<u8>;

const WAYS: [(&str, TamperingWay); 40] = [
    ("a bit", |it, place| {
        it.edited(place, |bytes, at| bytes[at] ^= 1 << (place % 8))
    }),
    ("a byte less", |it, place| {
        it.edited(place, |bytes, at| {
            bytes.remove(at);
        })
    }),
    ("a byte twice", |it, place| {
        it.edited(place, |bytes, at| {
            let byte = bytes[at];
            bytes.insert(at, byte)
        })
    }),
    ("a space", |it, place| {
        it.edited(place, |bytes, at| bytes.insert(at, b' '))
    }),
    ("a zero", |it, place| {
        it.edited(place, |bytes, at| bytes[at] = 0)
    }),
    ("two bytes swapped", |it, place| {
        it.edited(place, |bytes, at| {
            let mut places = at..bytes.len() - 1;
            let at = places.find(|at| bytes[*at] != bytes[at + 1]).unwrap();
            bytes.swap(at, at + 1);
        })
    }),
    ("cut", |it, place| it.edited(place, Vec::truncate)),
    ("longer", |it, place| {
        [&it.bytes[..], &it.bytes[..=place]].concat()
    }),
    ("another case", |it, place| {
        it.edited(place, |bytes, at| {
            let mut places = (at..bytes.len()).chain(0..at);
            let at = places.find(|at| bytes[*at].is_ascii_alphabetic()).unwrap();
            bytes[at] ^= 0x20;
        })
    }),
    ("eight letters", |it, place| {
        it.edited(place, |bytes, at| {
            let end = bytes.len().min(at + 8);
            let letter = if bytes[at] == b'A' { b'B' } else { b'A' };
            bytes[at..end].fill(letter);
        })
    }),
    ("a bit of the payload", |it, place| {
        it.decoded("/payload", place)
    }),
    ("a bit of the manifest", |it, place| {
        it.decoded("/manifest/payload", place)
    }),
    ("a bit of the signature", |it, place| {
        it.decoded(SIGNATURE, place)
    }),
    ("the signature of another", |it, place| {
        let other = it.numbered(place + 1);
        let other: Value = serde_json::from_slice(&signed(&other, &it.payload, &[JOB])).unwrap();
        let signature = other.pointer(SIGNATURE).unwrap().clone();
        it.with_member(SIGNATURE, signature)
    }),
    ("the name of another key", |it, place| {
        let seed = if place.is_multiple_of(5) {
            OTHER_JOB
        } else {
            seed_of(place)
        };
        let key = pair(seed).fingerprint();
        it.with_member("/manifest/signatures/0/keyid", json!(key))
    }),
    ("another type", |it, place| {
        let mut kind = MANIFEST_TYPE.as_bytes().to_vec();
        let length = kind.len();
        kind[place % length] ^= 1 << (place / length);
        let kind = String::from_utf8(kind).unwrap();
        it.with_member("/manifest/payloadType", json!(kind))
    }),
    ("another type that was signed", |it, place| {
        let kind = format!("{MANIFEST_TYPE}{place}");
        signed_bytes(&kind, &it.manifest.bytes(), &it.payload, &[JOB])
    }),
    ("a number that was not signed", |it, place| {
        let text = it.numbered(place + 1).bytes();
        it.with_member("/manifest/payload", json!(BASE64_STANDARD.encode(text)))
    }),
    ("another payload", |it, place| {
        let other = StepsPayload::bytes(&other_script(place));
        signed(&it.manifest, &other, &[JOB])
    }),
    ("the manifest of another payload", |it, place| {
        let other = it.fixture.manifest(&other_script(place));
        signed(&other, &it.payload, &[JOB])
    }),
    ("another device", |it, place| {
        it.told(|manifest| manifest.device = DeviceId::new(&format!("dev_{place:026}")).unwrap())
    }),
    ("another key of the device", |it, place| {
        it.told(|manifest| manifest.device_key = pair(seed_of(place)).fingerprint())
    }),
    ("another site", |it, place| {
        it.told(|manifest| manifest.site = SiteId::new(&format!("site-{place}")).unwrap())
    }),
    ("another server", |it, place| {
        it.told(|manifest| manifest.server = format!("server-{place}.example"))
    }),
    ("another job", |it, place| {
        it.told(|manifest| manifest.job = JobId::new(&format!("run_{place:026}")).unwrap())
    }),
    ("expired", |it, place| {
        let end = NOW - 1 - place as u64 * 60;
        it.told(|manifest| {
            (manifest.issued, manifest.not_before) = (end - 600, end - 600);
            (manifest.claim_until, manifest.expires) = (end, end);
            manifest.approval.at = end - 700;
        })
    }),
    ("not yet", |it, place| {
        let begin = NOW + 1 + place as u64 * 60;
        it.told(|manifest| {
            (manifest.issued, manifest.not_before) = (begin, begin);
            (manifest.claim_until, manifest.expires) = (begin + 600, begin + 3600);
        })
    }),
    ("an old number", |it, place| {
        it.seen(51, 1);
        it.told(|manifest| (manifest.seq, manifest.nonce) = (place as u64 + 1, nonce(900)))
    }),
    ("an old nonce", |it, place| {
        let number = place as u64 + 100;
        it.seen(1, number);
        it.told(|manifest| (manifest.seq, manifest.nonce) = (number, nonce(number)))
    }),
    ("a second time", |it, place| {
        let number = place as u64 + 100;
        let bytes = it.told(|manifest| (manifest.seq, manifest.nonce) = (number, nonce(number)));
        control(&it.fixture, &bytes);
        it.seen(number, number);
        bytes
    }),
    ("one key twice for two", |it, place| {
        it.fixture.root = enrolled(&root_document(1, 2));
        signed(&it.numbered(place), &it.payload, &[JOB, JOB])
    }),
    ("one key alone for two", |it, place| {
        it.fixture.root = enrolled(&root_document(1, 2));
        let seed = [JOB, OTHER_JOB][place % 2];
        signed(&it.numbered(place), &it.payload, &[seed])
    }),
    ("signed by another", |it, place| {
        let seed = [DEVICE, ROOT, UPDATE, NOBODY][place % 4];
        signed(&it.numbered(place), &it.payload, &[seed])
    }),
    ("signed by a revoked key", |it, place| {
        let mut root = root_document(2, 1);
        root.revoked.insert(pair(JOB).fingerprint());
        let root = root.sign(&[&pair(ROOT)]);
        it.fixture.root = enrolled(&root_document(1, 1)).rotate(&root).unwrap();
        let seeds: &[u8] = if place.is_multiple_of(2) {
            &[JOB]
        } else {
            &[JOB, OTHER_JOB]
        };
        signed(&it.numbered(place), &it.payload, seeds)
    }),
    ("too late", |it, place| {
        it.fixture.clock = at(NOW + 601 + place as u64 * 977);
        it.bytes.clone()
    }),
    ("too early", |it, place| {
        it.fixture.clock = at(NOW - 101 - place as u64 * 60);
        it.bytes.clone()
    }),
    ("a member twice", |it, place| {
        it.with_text(place, |member, name| match place {
            0..20 => format!("{member},{member}"),
            _ => format!("{member},\"{name}\":{place}"),
        })
    }),
    ("a member more", |it, place| {
        it.with_text(place, |member, _| format!("{member},\"x{place}\":0"))
    }),
    ("a member of another form", |it, place| {
        it.with_text(place, |_, name| format!("\"{name}\":[[{place}]]"))
    }),
    ("a number of another form", |it, place| {
        let name = ["seq", "issued", "expires", "timeout_s", "claim_until"][place % 5];
        let values = [
            "NaN", "1e999", "-1", "1.5", "0x10", "01", "\"1\"", "null", "[]", "+1",
        ];
        let text = String::from_utf8(it.manifest.bytes()).unwrap();
        let start = text.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        let end = start + text[start..].find([',', '}']).unwrap();
        let bad = format!("{}{}{}", &text[..start], values[place / 5], &text[end..]);
        retold(&bad, &it.payload)
    }),
];

impl AcceptedPackage {
    fn new() -> Self {
        let fixture = Fixture::new();
        let (manifest, payload) = fixture.good();
        let bytes = signed(&manifest, &payload, &[JOB]);
        control(&fixture, &bytes);
        Self {
            fixture,
            manifest,
            payload,
            bytes,
        }
    }

    /// The bytes with a change at a place, of which fifty are all over the package.
    fn edited(&self, place: usize, change: impl Fn(&mut Vec<u8>, usize)) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        change(&mut bytes, place * self.bytes.len() / PLACES);
        bytes
    }

    /// The package with a bit changed in what a member has in base64.
    fn decoded(&self, pointer: &str, place: usize) -> Vec<u8> {
        let package: Value = serde_json::from_slice(&self.bytes).unwrap();
        let text = package.pointer(pointer).unwrap().as_str().unwrap();
        let mut bytes = BASE64_STANDARD.decode(text).unwrap();
        let at = place * bytes.len() / PLACES;
        bytes[at] ^= 1 << (place % 8);
        self.with_member(pointer, json!(BASE64_STANDARD.encode(bytes)))
    }

    /// The package with another value of a member.
    fn with_member(&self, pointer: &str, value: Value) -> Vec<u8> {
        let mut package: Value = serde_json::from_slice(&self.bytes).unwrap();
        // Nothing else is changed.
        assert_eq!(package.to_string().as_bytes(), self.bytes);
        *package.pointer_mut(pointer).unwrap() = value;
        package.to_string().into_bytes()
    }

    /// The package with another manifest that the server's key signed.
    fn told(&self, change: impl Fn(&mut JobManifest)) -> Vec<u8> {
        let mut manifest = self.manifest.clone();
        change(&mut manifest);
        signed(&manifest, &self.payload, &[JOB])
    }

    /// The manifest with a later number.
    fn numbered(&self, more: usize) -> JobManifest {
        let mut manifest = self.manifest.clone();
        manifest.seq += more as u64;
        manifest
    }

    /// Lets the device remember a package of the server's key.
    fn seen(&mut self, seq: u64, number: u64) {
        let signers = [pair(JOB).fingerprint()].into();
        let seen = &mut self.fixture.seen;
        seen.remember(&signers, seq, &nonce(number), NOW + 3600, NOW);
    }

    /// The package with a member of the manifest's text replaced, and signed again.
    fn with_text(&self, place: usize, change: impl Fn(&str, &str) -> String) -> Vec<u8> {
        let text = String::from_utf8(self.manifest.bytes()).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let members: Vec<_> = json.as_object().unwrap().iter().collect();
        let (name, value) = members[place % members.len()];
        let member = format!("{}:{value}", json!(name));
        assert!(text.contains(&member), "{member}");
        let bad = text.replacen(&member, &change(&member, name), 1);
        retold(&bad, &self.payload)
    }
}

/// A seed of a key that nobody knows, another one for each place.
fn seed_of(place: usize) -> u8 {
    100 + u8::try_from(place).unwrap()
}

/// A script that is not the good package's.
fn other_script(place: usize) -> field_package::script::ProbeScript {
    script(2 + u32::try_from(place).unwrap())
}

#[test]
fn two_thousand_tampered_packages_are_refused() {
    let (mut refused, mut accepted) = (0, Vec::new());
    for (about, way) in WAYS {
        let mut package = AcceptedPackage::new();
        for place in 0..PLACES {
            let bytes = way(&mut package, place);
            match package.fixture.admit(&bytes) {
                Ok(_) => accepted.push(format!("{about} at {place}")),
                Err(_) => refused += 1,
            }
        }
    }
    eprintln!(
        "{} tampered packages: {} accepted",
        refused + accepted.len(),
        accepted.len()
    );
    assert!(accepted.is_empty(), "{accepted:#?}");
    assert_eq!(refused, 2_000);
}
