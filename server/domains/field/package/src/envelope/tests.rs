//! Envelopes: vectors, an oracle that we did not write, and everything that is refused.

use dsse::Verifier as _;

use super::{EnvelopeRefusal, SignedEnvelope, from_base64, signed_bytes};
use crate::{
    keys::{KeyRefusal, PublicSigningKey, SigningPair},
    strict,
};

const KIND: &str = "http://example.com/HelloWorld";

fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

fn public(seed: u8) -> PublicSigningKey {
    pair(seed).public().expect("a key")
}

#[test]
fn the_vector_of_the_specification() {
    assert_eq!(
        signed_bytes(KIND, b"hello world"),
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    );
    // Lengths are those of bytes, and a document may hold anything.
    assert_eq!(signed_bytes("é", b"a 1\n"), "DSSEv1 2 é 4 a 1\n".as_bytes());
}

/// RFC 8032, section 7.1, tests 1 and 2.
#[test]
fn the_vectors_of_ed25519() {
    for (key, message, signature) in [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            &b""[..],
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
             d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            &b"\x72"[..],
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
             387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ] {
        let key = PublicSigningKey::from_hex(key).expect("a key");
        let signature: [u8; 64] = crate::hex::read(signature).expect("a signature");
        assert!(key.verifies(message, &signature));
        assert!(!key.verifies(b"another", &signature));
    }
}

#[test]
fn another_implementation_agrees() {
    let signer = dsse::Ed25519Signer::from_bytes(&[3; 32]).expect("a signer");
    for document in [&b"hello world"[..], b"", b"{\"a\":1}", &[0xff, 0, 10, 32]] {
        let ours = SignedEnvelope::sign(KIND, document, &[&pair(3)]);
        let message = dsse::pae(KIND, document);
        assert_eq!(message, signed_bytes(KIND, document));
        let signature = from_base64(&ours.signatures[0].sig).expect("base64");
        assert!(signer.verifier().verify(&message, &signature));
        let read = dsse::Envelope::from_json(&strict::write(&ours)).expect("an envelope");
        let theirs = dsse::verify(&read, &[&signer.verifier()], 1).expect("verified");
        drop(theirs);
        // Ed25519 signs the same bytes in the same way everywhere.
        let made = dsse::sign(KIND, document, &signer).expect("signed");
        let made = String::from_utf8(made.to_json().expect("JSON")).expect("text");
        assert!(made.contains(&ours.signatures[0].sig), "{made}");
    }
}

#[test]
fn a_good_envelope_gives_its_document_and_signers() {
    let envelope = SignedEnvelope::sign(KIND, b"hello", &[&pair(1), &pair(2)]);
    let verified = envelope.verify(KIND, &[public(1), public(2), public(3)], 2);
    let verified = verified.expect("verified");
    assert_eq!(verified.document, b"hello");
    assert_eq!(verified.signers.len(), 2);
}

#[test]
fn each_way_to_be_wrong_has_its_refusal() {
    let keys = [public(1), public(2)];
    let good = SignedEnvelope::sign(KIND, b"hello", &[&pair(1)]);
    let refusal = |envelope: &SignedEnvelope, threshold| {
        envelope
            .verify(KIND, &keys, threshold)
            .expect_err("refused")
    };
    assert_eq!(
        refusal(&good, 2),
        EnvelopeRefusal::Threshold {
            signed: 1,
            threshold: 2
        }
    );
    assert_eq!(
        refusal(&good, 0),
        EnvelopeRefusal::Threshold {
            signed: 1,
            threshold: 0
        }
    );
    assert_eq!(good.verify("another", &keys, 1), Err(EnvelopeRefusal::Type));

    // One key twice is one key.
    let twice = SignedEnvelope::sign(KIND, b"hello", &[&pair(1), &pair(1)]);
    assert_eq!(refusal(&twice, 2), EnvelopeRefusal::Repeated);
    let stranger = SignedEnvelope::sign(KIND, b"hello", &[&pair(1), &pair(9)]);
    assert!(matches!(
        refusal(&stranger, 1),
        EnvelopeRefusal::UnknownKey { .. }
    ));

    // The name of one key over the signature of another.
    let mut lie = good.clone();
    lie.signatures[0].keyid = pair(2).fingerprint();
    assert_eq!(refusal(&lie, 1), EnvelopeRefusal::Signature);

    let mut retyped = good.clone();
    retyped.payload_type = "another".to_owned();
    assert_eq!(
        retyped.verify("another", &keys, 1),
        Err(EnvelopeRefusal::Signature)
    );

    let mut none = good.clone();
    none.signatures.clear();
    assert_eq!(refusal(&none, 1), EnvelopeRefusal::Signatures);

    // `hello` is `aGVsbG8=`: without padding, for URLs, with trailing bits, with a line break.
    for other in [
        "aGVsbG8",
        "aGVsbG8==",
        "aGVsbG9=",
        "aGVsbG8=\n",
        " aGVsbG8=",
        "aGVs bG8=",
    ] {
        let mut odd = good.clone();
        other.clone_into(&mut odd.payload);
        assert_eq!(refusal(&odd, 1), EnvelopeRefusal::Base64, "{other:?}");
    }
    assert_eq!(from_base64("-_8="), None);
    assert_eq!(from_base64("+/8="), Some(vec![0xfb, 0xff]));
}

#[test]
fn weak_keys_and_second_encodings_are_refused() {
    assert_eq!(
        PublicSigningKey::from_bytes(&[0; 32]),
        Err(KeyRefusal::Weak)
    );
    let mut one = [0; 32];
    one[0] = 1;
    assert_eq!(PublicSigningKey::from_bytes(&one), Err(KeyRefusal::Weak));
    // y = p, p + 1, and so on: other spellings of 0, 1, and so on.
    for low in 0xed..=0xff_u8 {
        for sign in [0x7f, 0xff] {
            let mut bytes = [0xff; 32];
            (bytes[0], bytes[31]) = (low, sign);
            assert_eq!(
                PublicSigningKey::from_bytes(&bytes),
                Err(KeyRefusal::Form),
                "{low:x}"
            );
        }
    }
    let hex = public(1).to_hex();
    assert_eq!(PublicSigningKey::from_hex(&hex), Ok(public(1)));
    assert_eq!(
        PublicSigningKey::from_hex(&hex.to_uppercase()),
        Err(KeyRefusal::Form)
    );
    assert_eq!(PublicSigningKey::from_hex(&hex[2..]), Err(KeyRefusal::Form));
}
