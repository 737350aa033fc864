//! Keys as `openssl genpkey` writes them. They were made for these tests and open nothing.

use std::collections::BTreeSet;

use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey,
    VerificationAlgorithm,
};

use super::*;

const P256: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghkLu6s2efu0m5NLQ
G2qnttiho58F+NJtEJJZJMzQsguhRANCAASikkQKQ2MtStkiceGnu1MrYjLkwNTo
DTzoH2Wa3bYDWuhH2JkfOUvYmJTLKFI53k+Ql0rt54RMIasNP5iZktFO
-----END PRIVATE KEY-----
";
const OF_ED25519: &str = "\
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIBjaYIhTY48bxeyzO/fAUsz2EP+RD43SfrPmnKATMJf0
-----END PRIVATE KEY-----
";
const RSA: &str = "\
-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDb2g8v4dJOuWaG
RmFHEGmnEawj4+ldnQAz9ZjNHLuUnce6O387dnxOITuhG8Iig16IrUVpqoD3jHo9
Sk+ZXovaa/j2YBXXIzw2/SvawpExZf9QOASBjxm1Qb6QzSZ/DPOqf+7BRp9BJZNv
/SyJI3QAiqHLQ98WShKNwQRmRGzQVg0i1zdVRHPV2qwUeWrn/LCvZ7abiL+6dbEM
zc8euMwpM5gTDQe1vTLjjXXdE86ZS29VdHrwmzucpQ2yMgddLKBE5ExBX13vEGI7
ZrmCWSCdWPlhsumZ1L9XwM34kw1ceGkPwNGdCuyQDwcHlA1SgRepb14RPo0F0SIT
Qe9eE0LBAgMBAAECggEACw76YZWxzuzrd8iVfw4XymQMrRd7Nw69Il/xqiuOUejn
0XnJqhOJKCLqzW1IhBTojeZtTeXaK9mAkpGo1FWZokh5Eud9Yb9veXKdoJjV1c7E
G2Rd8ahhiij+7WisTYq4vPRHbahgPVYnBuSMt281mAthHQjScVwTd9bkIkLB2G7L
wQiHgYPoGcd/hsvvlfVUNQxqfRengw980h53CSPIHDyaBe6RYKJmoRIWw/7toKom
ChwcJaHprKg0UzuyYqkjcq0SIoDU0ZkTFGCXpF7K5KHTfcAnGdmiK6XCvLCMlTnq
o5XBmK5zfgarezpTHeNgy4rkDt1JETqeev1mR9XjYwKBgQD4canjxlouXIG8UBzi
DGu0E7XChA1wp5uEqST4el1ccH9VAMEnKIqxLaUnKnV5E53LCG85IVjqPEhjtK6R
aXZMIkxCVNDLBVXwuYq4s/QkQteuL2ms5karPZhqF1PKWtp69SQt4Y76UWgC+u93
pocAaNyEy3qr52U9m0wXgierFwKBgQDiichKRk/C9IFpW1Tu6J6aV2KfcZfDMdZ+
bURWOebuB/AT0FuKQfa6cSm/QbBDdZ7VAuJeXnS7pWjRo70wuxj8H8IHFXJR9R0O
L68Jn5JbQfK0Lysn92j00q3G5dh1xfm7gnLsTwfpWsp3Vz+kI3RPe55Bs+9zbPVK
0ERVpZ/H5wKBgQDc16y83EStkW2Bh3UlOwVCPYMENX389gA4HGLQvXTgBuApH1KT
DGa8uGZmOkfSKK3LHORBVHNFQ/DVMHc8qxKM+q/vBpXS4htSsJuvM8eBtCkknODC
4K9Q6J/jLnk9FyW+xsoyPp5pxJNAku7q3QyEQLJFGNsik75a1QD+pKO+YQKBgHKb
ylzpXYkAMkifEEUeIr9q3lZUHbd/C0lC9oO5H3/lPCyKCQXVgYGpprk//nDinMyf
fO7JUr1sXa9R63Ev9t/3IS58Ry33mA+JSEDSHjVVE/jctDSwEsVpoMkzl2NeGY4n
3QR4p0QDztK5rVTZKwrbO6F56va2dRK4cxnxhPiZAoGACV416lxAA9djE61zx1UO
0jzqwWrhnyuYbZ5cgexphQRnYcrWoiEVqbVVZkI+g1x5hPtxeR3yujWNKlLBW4DG
Jt57irGgOPn9zWuol0e+5kITInl9mqFoBp2THA1n2sGi0lyLyjarvkL+sp6JoyGx
WH1C7rYEeVPjvN1j+x4hYAQ=
-----END PRIVATE KEY-----
";

/// The public key of a pair, and its algorithm.
fn public(key: &ClientKey) -> UnparsedPublicKey<Vec<u8>> {
    let (algorithm, bytes): (&'static dyn VerificationAlgorithm, &[u8]) = match &*key.pair {
        KeyPair::P256(pair) => (&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref()),
        KeyPair::Ed25519(pair) => (&ED25519, pair.public_key().as_ref()),
        KeyPair::Rsa(pair) => (&RSA_PKCS1_2048_8192_SHA256, pair.public_key().as_ref()),
    };
    UnparsedPublicKey::new(algorithm, bytes.to_vec())
}

/// A part of an assertion as JSON.
fn read(part: &str) -> Value {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn an_assertion_is_for_one_audience_is_short_lived_and_is_signed() {
    let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    for (pem, algorithms) in [
        (P256, &["ES256"][..]),
        (OF_ED25519, &["EdDSA", "Ed25519"][..]),
        (RSA, &["RS256"][..]),
    ] {
        let key = ClientKey::parse(pem, None).unwrap();
        assert_eq!(key.algorithms(), algorithms);
        assert_eq!(format!("{key:?}"), "ClientKey(…)");
        let statements = Statements {
            client_id: "jarvis",
            audience: "https://sign-in.lan/",
            algorithm: algorithms[0],
        };
        let mut numbers = BTreeSet::new();
        for _ in 0..3 {
            let assertion = key.sign(&statements, now).unwrap();
            let (signed, signature) = assertion.rsplit_once('.').unwrap();
            let (header, claims) = signed.split_once('.').unwrap();
            assert_eq!(read(header), json!({ "alg": algorithms[0], "typ": "JWT" }));
            let claims = read(claims);
            let number = claims["jti"].as_str().unwrap().to_owned();
            let expect = json!({
                "iss": "jarvis", "sub": "jarvis", "aud": "https://sign-in.lan/",
                "iat": 1_800_000_000, "exp": 1_800_000_120, "jti": number,
            });
            assert_eq!(claims, expect);
            assert!(numbers.insert(number));
            let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
            let public = public(&key);
            assert!(public.verify(signed.as_bytes(), &signature).is_ok());
            let other = signed.replacen('.', "x.", 1);
            assert!(public.verify(other.as_bytes(), &signature).is_err());
        }
    }
}

#[test]
fn a_key_has_the_identifier_that_is_configured() {
    let key = ClientKey::parse(P256, Some("2027-01".to_owned())).unwrap();
    let statements = Statements {
        client_id: "jarvis",
        audience: "https://sign-in.lan",
        algorithm: "ES256",
    };
    let assertion = key.sign(&statements, SystemTime::now()).unwrap();
    let (header, _) = assertion.split_once('.').unwrap();
    assert_eq!(read(header)["kid"], "2027-01");
}

#[test]
fn what_is_no_key_that_can_sign_is_refused() {
    let label = |other: &str| P256.replace("PRIVATE KEY", other);
    let damaged = RSA.replace("MIIEvQIBADANBg", "MIIEvQIBADANBh");
    for pem in [
        "",
        "hunter2-secret",
        &*label("EC PRIVATE KEY"),
        &*label("ENCRYPTED PRIVATE KEY"),
        &*label("CERTIFICATE"),
        &*damaged,
    ] {
        assert!(ClientKey::parse(pem, None).is_none(), "{pem}");
    }
}
