//! Features of crates.

use cargo_metadata::DependencyKind;

use crate::dependencies::METADATA;

/// Differences between two builds are configuration; only the two halves of the UI are features,
/// and what is for tests and measurements alone.
#[test]
fn features_are_for_the_two_halves_of_the_ui_and_for_tests() {
    const CRASH: &str = "crash-points";
    const SAMPLE: &str = "sample-domain";
    const MEASURED: &str = "without-erp";
    for package in METADATA.workspace_packages() {
        let features: Vec<_> = package.features.keys().map(String::as_str).collect();
        let expected: &[&str] = match package.name.as_str() {
            "app" => &["hydrate", SAMPLE, "ssr", MEASURED],
            "kit" => &["hydrate", "ssr"],
            "agent" => &[CRASH],
            "server" => &[SAMPLE],
            // For tests alone; the benchmarks share a build with the product and do without.
            "testkit" => &["life"],
            _ => &[],
        };
        assert_eq!(features, expected, "features of {}", package.name);
        // Dependencies of tests alone enable these, so that no build for use has them; `cargo
        // xtask test` verifies this in the bytes of the binary.
        for dependency in &package.dependencies {
            // Only the command line of a measurement enables it.
            assert!(dependency.features.iter().all(|it| it != MEASURED));
            let is_of_tests =
                package.name.as_str() == "server" && dependency.kind == DependencyKind::Development;
            for (feature, of) in [(CRASH, "agent"), (SAMPLE, "server")] {
                assert_eq!(
                    dependency.features.iter().any(|it| it == feature),
                    is_of_tests && dependency.name == of,
                    "{} enables {feature} of {}",
                    package.name,
                    dependency.name
                );
            }
        }
    }
}
