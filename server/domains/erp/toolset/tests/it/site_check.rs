//! The check of a site: on the simulated company, and on one that differs.

use erp::{Erp, ErpConfig, RestVersion, SiteCheckMode, SiteCheckOutcome};
use serde_json::json;
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::{
    simulated::World,
    stub::{Stub, data, message, refuse},
};

const FIVE: [&str; 5] = [
    "shape of getdoctype",
    "lists with limit 0",
    "run_doc_method of an unsaved document",
    "a name of the caller's over v2",
    "locked cancel by PUT",
];

async fn check(erp: &Erp, mode: SiteCheckMode) -> Vec<(String, SiteCheckOutcome)> {
    let mut lines = Vec::new();
    erp.check_site(mode, |line| lines.push((line.topic, line.outcome)))
        .await;
    lines
}

fn of<'a>(lines: &'a [(String, SiteCheckOutcome)], topic: &str) -> &'a SiteCheckOutcome {
    let found = lines.iter().find(|(it, _)| it == topic);
    &found.unwrap_or_else(|| panic!("{topic}: {lines:?}")).1
}

#[tokio::test]
async fn the_simulated_company_is_as_expected_in_every_profile() {
    for profile in [
        SimErpProfile::V15,
        SimErpProfile::V15Traceback,
        SimErpProfile::V16,
        SimErpProfile::V16Verbs,
    ] {
        let world = World::start(profile, RestVersion::V1).await;
        let control = world.site.control();
        let before = control.digest();
        let erp = world.erp(SimErpUser::Manager);
        let lines = check(&erp, SiteCheckMode::ReadOnly).await;
        assert_eq!(
            control.digest(),
            before,
            "a check that reads changes nothing"
        );
        for topic in FIVE.into_iter().take(3) {
            let outcome = of(&lines, topic);
            assert!(
                matches!(outcome, SiteCheckOutcome::Fine(_)),
                "{topic}: {outcome:?}"
            );
        }
        for topic in FIVE.into_iter().skip(3) {
            let outcome = of(&lines, topic);
            assert!(
                matches!(outcome, SiteCheckOutcome::NotTried(_)),
                "{outcome:?}"
            );
        }

        let lines = check(&erp, SiteCheckMode::WithOwnDocuments).await;
        for topic in FIVE {
            let outcome = of(&lines, topic);
            let SiteCheckOutcome::Fine(text) = outcome else {
                panic!("{profile:?} {topic}: {outcome:?}");
            };
            assert!(!text.contains("is left"), "{text}");
        }
        assert_eq!(control.names("ToDo"), [""; 0]);
        assert_eq!(control.broken(), [""; 0]);
    }
}

#[tokio::test]
async fn with_version_2_alone_nothing_of_the_check_goes_by_version_1() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let config = ErpConfig {
        methods: RestVersion::V2,
        ..ErpConfig::default()
    };
    let erp = world.erp_with(SimErpUser::Manager, config);
    let lines = check(&erp, SiteCheckMode::WithOwnDocuments).await;
    for (topic, is_tried) in FIVE.into_iter().zip([true, false, false, true, true]) {
        let outcome = of(&lines, topic);
        let fits = match outcome {
            SiteCheckOutcome::Fine(text) => is_tried && !text.contains("is left"),
            SiteCheckOutcome::NotTried(text) => !is_tried && text.contains("version 1"),
            SiteCheckOutcome::Differs(_) | SiteCheckOutcome::Unusable(_) => false,
        };
        assert!(fits, "{topic}: {outcome:?}");
    }
    let control = world.site.control();
    for it in control.requests() {
        assert!(it.path.starts_with("/api/v2/"), "{} {}", it.method, it.path);
    }
    assert_eq!(control.names("ToDo"), [""; 0]);
    assert_eq!(control.broken(), [""; 0]);
}

#[tokio::test]
async fn what_cannot_be_taken_back_is_named_and_counts_for_nothing() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let requests = || world.site.control().names("Material Request");
    let before = requests();
    // The agent may cancel its request, and not delete it.
    let lines = check(
        &world.erp(SimErpUser::Agent),
        SiteCheckMode::WithOwnDocuments,
    )
    .await;
    let left: Vec<_> = requests()
        .into_iter()
        .filter(|it| !before.contains(it))
        .collect();
    let [left] = left.as_slice() else {
        panic!("{left:?}");
    };
    let SiteCheckOutcome::Fine(text) = of(&lines, "locked cancel by PUT") else {
        panic!("{lines:?}");
    };
    assert!(
        text.contains(&format!("Material Request {left} is left")),
        "{text}"
    );
    let left = world
        .site
        .control()
        .document("Material Request", left)
        .unwrap();
    assert_eq!(left["docstatus"], 2);
}

#[tokio::test]
async fn an_answer_that_is_lost_while_checking_leaves_nothing_submitted() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let control = world.site.control();
    let before = control.names("Material Request");
    control.fault(SimErpTrigger::next(
        "frappe.client.submit",
        SimErpFault::LostAfter,
    ));
    let lines = check(
        &world.erp(SimErpUser::Manager),
        SiteCheckMode::WithOwnDocuments,
    )
    .await;
    let outcome = of(&lines, "locked cancel by PUT");
    assert!(
        matches!(outcome, SiteCheckOutcome::NotTried(_)),
        "{outcome:?}"
    );
    assert_eq!(control.names("Material Request"), before);
}

#[tokio::test]
async fn a_site_that_differs_is_told_of() {
    let site = Stub::plain(|asked| {
        let limit = asked
            .query
            .get("limit_page_length")
            .or(asked.query.get("limit"));
        match (asked.path.rsplit('/').next()?, limit) {
            ("frappe.desk.reportview.get_count", _) => Some(message(json!(30))),
            // As without a limit.
            ("Currency", Some(limit)) if limit == "0" => {
                Some(data(json!(vec![json!({"name": "EUR"}); 20])))
            }
            ("run_doc_method", _) => Some(refuse(403, &json!({"exc_type": "PermissionError"}))),
            _ => None,
        }
    })
    .await;
    let lines = check(&site.erp, SiteCheckMode::ReadOnly).await;
    let limit = of(&lines, "lists with limit 0");
    let SiteCheckOutcome::Differs(text) = limit else {
        panic!("{limit:?}");
    };
    assert!(
        text.contains("v1 gives 20 and v2 gives 20; expected 30 and 0"),
        "{text}"
    );
    assert!(!site.asked().iter().any(|asked| asked.path.contains("ToDo")));

    // Nothing but the first look with a key that is never used.
    let site = Stub::plain(|asked| {
        let is_roles = asked.path.ends_with("get_roles");
        is_roles.then(|| message(json!(["System Manager"])))
    })
    .await;
    let lines = check(&site.erp, SiteCheckMode::WithOwnDocuments).await;
    let SiteCheckOutcome::Unusable(text) = of(&lines, "user") else {
        panic!("{lines:?}");
    };
    assert!(
        text.contains("System Manager") && text.contains("API Access"),
        "{text}"
    );
    for topic in FIVE {
        assert!(matches!(of(&lines, topic), SiteCheckOutcome::NotTried(_)));
    }
    assert_eq!(site.asked_of("getdoctype").len(), 0);
}
