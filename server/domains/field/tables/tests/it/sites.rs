//! Sites, and what goes with one.

use field_tables::{
    BundleFilter, LookRequest, NewBundle, NewFieldSite, SiteChange, SiteRemoval, VaultRow,
};

use crate::home::{ANN, Home, SITE, T, job};

#[tokio::test]
async fn a_number_is_given_to_one_site_for_good() {
    let home = Home::open().await;
    home.site("second").await;
    let tables = &home.tables;
    let removed = tables.remove_site("second", ANN, T).await.unwrap();
    assert_eq!(removed, SiteRemoval::Removed);
    home.site("third").await;
    home.site("second").await;
    let numbers: Vec<_> = tables.sites().await.unwrap();
    let numbers: Vec<_> = numbers.iter().map(|it| (&*it.id, it.number)).collect();
    assert_eq!(numbers, [(SITE, 1), ("third", 3), ("second", 4)]);
    assert!(tables.remove_site("nowhere", ANN, T).await.is_err());
}

#[tokio::test]
async fn a_site_is_made_once_and_changed_from_what_was_seen() {
    let home = Home::open().await;
    let tables = &home.tables;
    let site = NewFieldSite {
        id: SITE.to_owned(),
        name: "Another name".to_owned(),
        covers_public: false,
    };
    assert_eq!(tables.make_site(&site, ANN, T).await.unwrap(), None);
    let changed = tables.change_site(&site, 1, ANN, T).await.unwrap();
    assert!(matches!(&changed, SiteChange::Changed(it) if it.version == 2 && !it.covers_public));
    let stale = tables.change_site(&site, 1, ANN, T).await.unwrap();
    assert!(matches!(stale, SiteChange::Stale(it) if it.version == 2));
}

#[tokio::test]
async fn a_site_with_anything_of_others_is_not_of_one_maker() {
    let home = Home::open().await;
    let tables = &home.tables;
    home.adopted("own").await;
    let own = [tables.device("own").await.unwrap().unwrap().fingerprint];
    let is_only = |maker| tables.is_only_of(SITE, maker, &own);
    let bundle = |id: &str, source: &str| NewBundle {
        id: id.to_owned(),
        site: SITE.to_owned(),
        device: Some("own".to_owned()),
        source: source.to_owned(),
        taken_ms: None,
    };
    let brought = bundle("bun-1", "own");
    tables.begin_bundle(&brought, T).await.unwrap().unwrap();
    assert!(is_only(ANN).await.unwrap());
    assert!(!is_only("server").await.unwrap(), "another one made it");
    assert!(!tables.is_only_of("nowhere", ANN, &own).await.unwrap());
    // Somebody's token, before a device uses it.
    let token = crate::home::enrolment(SITE, "other");
    tables.make_enrolment(&token, "ben", T).await.unwrap();
    assert!(!is_only(ANN).await.unwrap());
    tables.prune_enrolments(i64::MAX).await.unwrap();
    assert!(is_only(ANN).await.unwrap());
    let brought = bundle("bun-2", "token_1");
    tables.begin_bundle(&brought, T).await.unwrap().unwrap();
    assert!(!is_only(ANN).await.unwrap(), "a program's diagnostics");
    // Another device, also one that is retired.
    let home = Home::open().await;
    home.adopted("own").await;
    home.adopted("gone").await;
    let tables = &home.tables;
    tables.retire_device("gone", "", ANN, T).await.unwrap();
    assert!(!tables.is_only_of(SITE, ANN, &own).await.unwrap());
}

#[tokio::test]
async fn a_removed_site_leaves_no_value_behind() {
    let home = Home::open().await;
    let tables = &home.tables;
    home.site("other").await;
    home.adopted("dev").await;
    let sealed = b"sealed value of the site".to_vec();
    let row = VaultRow {
        class: "host".to_owned(),
        hash: "hash".to_owned(),
        token: "host-1".to_owned(),
        sealed: sealed.clone(),
        first_seen_ms: T,
        last_seen_ms: T,
    };
    for site in [SITE, "other"] {
        let entries = std::slice::from_ref(&row);
        tables.keep_values(site, 0, entries).await.unwrap();
    }
    let look = LookRequest {
        site: SITE.to_owned(),
        tokens: vec!["host-1".to_owned()],
        person: ANN.to_owned(),
        place: "bundle".to_owned(),
    };
    tables.reveal(&look, T).await.unwrap();
    let bundle = NewBundle {
        id: "bun".to_owned(),
        site: SITE.to_owned(),
        device: Some("dev".to_owned()),
        source: "dev".to_owned(),
        taken_ms: None,
    };
    tables.begin_bundle(&bundle, T).await.unwrap().unwrap();
    home.queued("dev", 1).await;
    home.tables.challenge("dev", "nonce", T).await.unwrap();

    let devices = tables.remove_site(SITE, ANN, T).await.unwrap();
    assert_eq!(devices, SiteRemoval::Devices(1));
    let claim = home.claimed("dev", "r").await;
    home.started(&claim).await;
    tables.retire_device("dev", "gone", ANN, T).await.unwrap();
    let open = tables.remove_site(SITE, ANN, T).await.unwrap();
    assert_eq!(open, SiteRemoval::Jobs(1));
    let far = crate::home::DEADLINE;
    tables.settle_due_jobs(far, 9).await.unwrap();
    let unresolved = tables.remove_site(SITE, ANN, T).await.unwrap();
    assert_eq!(unresolved, SiteRemoval::Jobs(1));
    let ran = field_tables::JobResolution::CannotTell;
    tables
        .resolve_job(&claim.job, ran, "", ANN, far)
        .await
        .unwrap();
    let removed = tables.remove_site(SITE, ANN, T).await.unwrap();
    assert_eq!(removed, SiteRemoval::Removed);

    assert_eq!(tables.site(SITE).await.unwrap(), None);
    assert!(tables.vault(SITE).await.is_err());
    assert_eq!(tables.vault("other").await.unwrap().entries, [row]);
    let bundles = tables.bundles(&BundleFilter::default(), 9).await.unwrap();
    assert_eq!(bundles, []);
    for table in [
        "SELECT count(*) FROM field_devices",
        "SELECT count(*) FROM field_jobs",
        "SELECT count(*) FROM field_packages",
        "SELECT count(*) FROM field_job_events",
        "SELECT count(*) FROM field_claims",
        "SELECT count(*) FROM field_challenges",
        "SELECT count(*) FROM field_enrolments",
    ] {
        assert_eq!(home.number(table).await, 0, "{table}");
    }
    // The records that are kept for good say who looked and did what, and no call comes back.
    assert_eq!(tables.looks(Some(SITE), None, 9).await.unwrap()[0].shown, 1);
    let last = tables.history(None, None, 1).await.unwrap().remove(0);
    assert_eq!((&*last.actor, &*last.subject), (ANN, SITE));
    let again = tables.queue_job(&job("dev", 1), T).await.unwrap();
    let unknown = field_tables::QueueOutcome::Removed(field_tables::JobState::Unknown);
    assert_eq!(again, unknown);
}
