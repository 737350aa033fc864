//! Figures of a package: what it takes to sign one and to check it. `docs/PERFORMANCE.md` has the command.

use std::{hint::black_box, time::Instant};

use field_package::{manifest::MANIFEST_TYPE, package::SignedPackage};

use crate::fixture::{Fixture, JOB, pair, signed};

const ROUNDS: u32 = 2_000;

#[test]
#[ignore = "figures, of a release build"]
fn what_a_package_takes() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let bytes = signed(&manifest, &payload, &[JOB]);
    let package = SignedPackage::read(&bytes).unwrap();
    let key = pair(JOB);
    let keys = [key.public().unwrap()];
    eprintln!("package of {} bytes", bytes.len());
    shown("made and signed", || {
        black_box(SignedPackage::sign(&manifest, &payload, &[&key]).bytes());
    });
    shown("signature verified", || {
        black_box(package.manifest.verify(MANIFEST_TYPE, &keys, 1).unwrap());
    });
    shown("admitted, with all checks of a device", || {
        black_box(fixture.admit(&bytes).unwrap());
    });
}

fn shown(what: &str, mut work: impl FnMut()) {
    let began = Instant::now();
    for _ in 0..ROUNDS {
        work();
    }
    let micros = began.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS);
    eprintln!("{what}: {micros:.1} µs");
}
