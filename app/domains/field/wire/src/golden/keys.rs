//! The page of the keys, and the answer with a token.

use protocol::Offer;
use serde_json::json;

use super::{AT, DEVICE, check};
use crate::{DeviceKeyRow, EnrolmentRow, EnrolmentTokenPage, FieldKeysPage, SigningKeyRow};

const ENROLMENT: &str = "enr_00000000000000000000000001";

#[test]
fn keys() {
    let page = FieldKeysPage {
        root: "aa11 bb22 cc33 dd44".to_owned(),
        root_is_here: true,
        root_version: 2,
        root_expires: AT,
        signing: vec![SigningKeyRow {
            role: "job".to_owned(),
            fingerprint: "6465 765f 3030 3030".to_owned(),
            since: AT,
            revoked: Some(AT),
        }],
        devices: vec![DeviceKeyRow {
            device: DEVICE.to_owned(),
            name: "meeting room".to_owned(),
            site_name: "Nordlicht office".to_owned(),
            standing: "waiting".to_owned(),
            fingerprint: "6465 765f".to_owned(),
        }],
        enrolments: vec![EnrolmentRow {
            id: ENROLMENT.to_owned(),
            name: "attic".to_owned(),
            site_name: "Nordlicht office".to_owned(),
            made: AT,
            by: "Ada".to_owned(),
            expires: AT,
            offers: vec![Offer {
                tool: "withdraw_enrolment".to_owned(),
                label: "Withdraw".to_owned(),
                on: "enrolment".to_owned(),
                when: String::new(),
                only: Vec::new(),
                with: json!({ "enrolment": ENROLMENT }),
            }],
        }],
    };
    check("page_keys", &page);
}

#[test]
fn token() {
    let page = EnrolmentTokenPage {
        enrolment: ENROLMENT.to_owned(),
        token: "jarvis-enrol-1.secret.key".to_owned(),
        name: "attic".to_owned(),
        site_name: "Nordlicht office".to_owned(),
        expires: AT,
    };
    check("page_enrolment_token", &page);
    assert!(!format!("{page:?}").contains("secret"));
}
