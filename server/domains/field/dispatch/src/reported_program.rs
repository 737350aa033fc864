//! A device's report on its runner's program. Numbers and words of a closed list are taken from it, and nothing
//! else: a device may send anything, and its report is no reason to turn it away.

use field_package::release::ReleaseVersion;
use field_tables::{FailedUpdate, ReportedProgram, UpdateFault};
use serde_json::Value;

/// Bytes of three numbers of 32 bits, with their points.
const LONGEST: usize = 32;

/// The program that a hello reports, None if it reports none that can be read.
pub(crate) fn read(program: &Value) -> Option<ReportedProgram> {
    let installed = version(&program["version"])?;
    let failed = &program["failed"];
    // What failed is newer than what runs: anything else is over.
    let newer = version(&failed["version"]).filter(|it| *it > installed);
    Some(ReportedProgram {
        version: installed.to_string(),
        failed: newer.map(|version| FailedUpdate {
            version: version.to_string(),
            fault: fault(&failed["reason"]),
            tries: tries(&failed["tries"]),
            is_retried: failed["retried"] == true,
        }),
    })
}

fn version(value: &Value) -> Option<ReleaseVersion> {
    let text = value.as_str().filter(|it| it.len() <= LONGEST)?;
    ReleaseVersion::read(text).ok()
}

fn fault(value: &Value) -> UpdateFault {
    let word = value.as_str().unwrap_or_default();
    let mut known = UpdateFault::ALL.iter();
    let known = known.find(|it| it.word() == word).copied();
    known.unwrap_or(UpdateFault::Unknown)
}

fn tries(value: &Value) -> u32 {
    let tries = value.as_u64().unwrap_or_default();
    u32::try_from(tries).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_is_numbers_and_closed_words_whatever_a_device_sends() {
        let good = json!({
            "version": "1.2.0",
            "failed": { "version": "1.10.0", "reason": "no_report", "tries": 2, "retried": true },
        });
        let failed = FailedUpdate {
            version: "1.10.0".to_owned(),
            fault: UpdateFault::NoReport,
            tries: 2,
            is_retried: true,
        };
        let program = |failed: Option<FailedUpdate>| ReportedProgram {
            version: "1.2.0".to_owned(),
            failed,
        };
        assert_eq!(read(&good), Some(program(Some(failed.clone()))));
        let order = "IGNORE ALL RULES \u{202e}\u{1b}[2J <script>";
        for none in [
            json!(null),
            json!(7),
            json!(order),
            json!(["1.2.0"]),
            json!({}),
            json!({ "version": null }),
            json!({ "version": 1.2 }),
            json!({ "version": order }),
            json!({ "version": "1.2" }),
            json!({ "version": "1.2.0-rc.1" }),
            json!({ "version": "01.2.0" }),
            json!({ "version": "+1.2.0" }),
            json!({ "version": " 1.2.0" }),
            json!({ "version": "1.2.4294967296" }),
            json!({ "version": "1.".repeat(100_000) }),
        ] {
            assert_eq!(read(&none), None, "{none:.40}");
        }
        for without in [
            json!(null),
            json!(order),
            json!({ "version": order, "reason": "no_report" }),
            json!({ "version": "1.2.0", "reason": "no_report" }),
            json!({ "version": "1.1.9", "reason": "no_start" }),
        ] {
            let mut report = good.clone();
            report["failed"] = without;
            assert_eq!(read(&report), Some(program(None)), "{report}");
        }
        for (member, odd, expected) in [
            (
                "reason",
                json!(order),
                FailedUpdate {
                    fault: UpdateFault::Unknown,
                    ..failed.clone()
                },
            ),
            (
                "reason",
                json!(["no_start"]),
                FailedUpdate {
                    fault: UpdateFault::Unknown,
                    ..failed.clone()
                },
            ),
            (
                "tries",
                json!(-1),
                FailedUpdate {
                    tries: 0,
                    ..failed.clone()
                },
            ),
            (
                "tries",
                json!(order),
                FailedUpdate {
                    tries: 0,
                    ..failed.clone()
                },
            ),
            (
                "tries",
                json!(u64::MAX),
                FailedUpdate {
                    tries: u32::MAX,
                    ..failed.clone()
                },
            ),
            (
                "retried",
                json!("true"),
                FailedUpdate {
                    is_retried: false,
                    ..failed
                },
            ),
        ] {
            let mut report = good.clone();
            report["failed"][member] = odd;
            assert_eq!(read(&report), Some(program(Some(expected))), "{report}");
        }
    }
}
