//! The parts of the board.

use super::{AT, DEVICE, check, run};
use crate::{
    DeviceProgram, DeviceWarning, FailedProgram, FieldBundlePart, FieldDevicePart, FieldFreshness,
    FieldRunPart, FieldSitePart, PendingKey,
};

#[test]
fn parts() {
    let site = FieldSitePart {
        id: "nordlicht".to_owned(),
        number: 1,
        name: "Nordlicht <office>".to_owned(),
        hides_public: true,
    };
    check("board_site", &site);
    let silent = FieldDevicePart {
        id: DEVICE.to_owned(),
        site: site.id,
        name: "meeting room".to_owned(),
        standing: "adopted".to_owned(),
        ..FieldDevicePart::default()
    };
    check("board_device_never_seen", &silent);
    let device = FieldDevicePart {
        online: true,
        last_seen: Some(AT),
        tags: vec!["office".to_owned()],
        attention: vec![DeviceWarning {
            kind: "wrong_clock".to_owned(),
            text: "Its clock is 3 h behind.".to_owned(),
            since: AT,
        }],
        gaps: vec!["No limit of memory: add cgroup_enable=memory.".to_owned()],
        proposed: Some(3),
        simulated: true,
        ..silent
    };
    check("board_device", &device);
    let failed = FailedProgram {
        version: "1.3.0".to_owned(),
        reason: "no_report".to_owned(),
        tries: 1,
        retried: true,
    };
    for (name, failed) in [
        ("board_device_program", None),
        ("board_device_program_failed", Some(failed)),
    ] {
        let program = DeviceProgram {
            version: "1.2.0".to_owned(),
            failed,
        };
        let part = FieldDevicePart {
            id: DEVICE.to_owned(),
            site: "nordlicht".to_owned(),
            name: "meeting room".to_owned(),
            standing: "adopted".to_owned(),
            program: Some(program),
            ..FieldDevicePart::default()
        };
        check(name, &part);
    }
    let waiting = FieldDevicePart {
        id: DEVICE.to_owned(),
        site: "nordlicht".to_owned(),
        name: "attic".to_owned(),
        standing: "waiting".to_owned(),
        pending: Some(PendingKey {
            fingerprint: "6465765f3030".to_owned(),
            shown: "6465 765f 3030".to_owned(),
        }),
        ..FieldDevicePart::default()
    };
    check("board_device_waiting", &waiting);
    check("board_run", &run());
    let unknown = FieldRunPart {
        device_name: Some("attic".to_owned()),
        proposal: None,
        version: None,
        phase: "unknown".to_owned(),
        step: None,
        ended: Some(AT),
        cancel_asked: true,
        unresolved: true,
        simulated: true,
        ..run()
    };
    check("board_run_unknown", &unknown);
    let bundle = FieldBundlePart {
        id: "bun_00000000000000000000000001".to_owned(),
        device: Some(DEVICE.to_owned()),
        device_name: Some("attic".to_owned()),
        site: "nordlicht".to_owned(),
        taken: Some(AT),
        received: AT,
        complete: true,
        sections: 9,
        simulated: true,
    };
    check("board_bundle", &bundle);
    let unread = FieldFreshness {
        unread: Some("the storage does not answer".to_owned()),
    };
    check("board_freshness", &unread);
}
