//! The ports of the toolset on a dispatch with simulated devices: everything that they give is covered.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use agent::ports::{Approval, TokenRule};
use async_trait::async_trait;
use field::field_package::policy::{
    FieldPolicy, NamedDestinations, PolicySettings, RiskLevel, RiskReport, ScriptFacts,
    ScriptSurroundings,
};
use field::field_package::script::ProbeScript;
use field::field_package::steps::ProbeStep;
use field::ports::{
    CancelOrder, CancelResult, CollectOrder, CollectionState, FieldBundles as _, FieldFaultCode,
    FieldMemory as _, FieldProposals as _, FieldRuns as _, FieldValues as _, LookOrder, OutputTail,
    ProposalDraft, RestoreRefusal, RunFilter, RunOfCall, RunOrder, RunPhase, ScriptAuthor,
    ScriptCheck, StoredScript,
};
use field::{RunCore, RunTarget};
use field_dispatch::{BackendParts, FieldBackend, LookRights};
use protocol::{CallId, ConversationId, Timestamp, UserId};
use serde_json::{Value, json};
use simfleet::{DeviceTurn, FleetDevice, OfficeDevice};

use crate::office::{Office, SITE, START, evidence, look};

/// One person may see values.
struct OnePerson(UserId);

#[async_trait]
impl LookRights for OnePerson {
    async fn may_see_values(&self, person: UserId) -> bool {
        person == self.0
    }

    async fn name(&self, _: UserId) -> Option<String> {
        Some("Ann".to_owned())
    }
}

pub(crate) fn ann() -> UserId {
    UserId::new(Timestamp(1), 1)
}

fn call(number: u128) -> CallId {
    CallId::new(Timestamp(5), number)
}

pub(crate) async fn backend(office: &Office) -> Arc<FieldBackend> {
    let parts = BackendParts {
        rights: Arc::new(OnePerson(ann())),
        named: NamedDestinations::default(),
        server_names: BTreeSet::from(["jarvis.example".to_owned()]),
    };
    FieldBackend::open(office.dispatch.clone(), parts)
        .await
        .unwrap()
}

async fn turn(device: &mut FleetDevice) -> DeviceTurn {
    Box::pin(device.turn()).await.unwrap()
}

/// Collects diagnostics as a call would, to the end.
async fn collected(office: &Office, backend: &FieldBackend, device: &mut FleetDevice) -> String {
    let order = CollectOrder {
        call: call(9),
        device: office.id_of(device).await,
        person: ann(),
        until: Timestamp(START as i64 * 1000 + 60_000),
    };
    let asked = backend.collect(&order).await.unwrap();
    assert_eq!(asked.state, CollectionState::Asked);
    assert_eq!(
        backend.collect(&order).await.unwrap(),
        asked,
        "once for each call"
    );
    turn(device).await;
    let done = backend
        .collection_after(order.call, asked.revision)
        .await
        .unwrap();
    let CollectionState::Complete { bundle } = done.state else {
        panic!("{done:?}");
    };
    assert_eq!(backend.collection_of(call(8)).await.unwrap(), None);
    bundle
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_that_the_toolset_reads_is_covered_and_the_policy_gets_values() {
    let office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    let backend = backend(&office).await;
    let id = office.id_of(&device).await;
    let bundle = collected(&office, &backend, &mut device).await;
    let following = Arc::clone(&backend);
    let follow = tokio::spawn(async move { following.follow().await });
    let mut shown = backend.snapshot();
    let seen = shown.wait_for(|it| !it.bundles.is_empty() && it.device(&id).is_some());
    let seen = tokio::time::timeout(Duration::from_secs(20), seen)
        .await
        .unwrap()
        .unwrap()
        .clone();
    follow.abort();
    assert_eq!(seen.sites.len(), 1, "the hidden site is not shown");
    let known = seen.device(&id).unwrap();
    assert!(known.is_online && known.is_simulated && known.attention.is_empty());
    assert_eq!(known.gaps, Vec::<String>::new());
    let program = known.program.clone().unwrap();
    assert!(program.version.contains('.') && program.failed.is_none());
    let summary = seen.bundles_of(&id).next().unwrap();
    assert_eq!(summary.id, bundle);
    assert!(summary.secrets > 0 && summary.sections.iter().any(|it| it.lines > 1));
    let texts = format!("{:?} {:?}", seen.devices, seen.bundles);
    for value in ["192.168.41", "meeting-room-probe"] {
        assert!(!texts.contains(value), "{value}: {texts}");
    }
    let section = backend.section(&bundle, "addresses").await.unwrap();
    let leak = backend.leaks(
        ConversationId::new(Timestamp(1), 1),
        Some(SITE),
        section.as_bytes(),
    );
    assert_eq!(leak.await.unwrap(), None);
    let missing = backend.section(&bundle, "nothing").await.unwrap_err();
    assert_eq!(missing.code, FieldFaultCode::UnknownSection);
    // The policy sees real networks, which no text could have planted.
    let around = backend.surroundings(&id).unwrap();
    let networks: Vec<_> = around
        .device
        .networks
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        networks.contains(&"192.168.41.0/24".to_owned()),
        "{networks:?}"
    );
    assert!(around.device.interfaces.unwrap().contains("eth0"));
    assert!(around.server.contains("jarvis.example"));
    assert!(backend.surroundings("dev_nobody").is_none());
    let gateway = backend.cover(
        Some(SITE),
        vec!["192.168.41.1".to_owned()],
        TokenRule::Escape,
    );
    let token = gateway.await.unwrap().remove(0);
    assert_eq!(backend.restore(SITE, &token).unwrap(), "192.168.41.1");
    let invented = backend.restore(SITE, "ping host-s1-999").unwrap_err();
    assert!(matches!(invented, RestoreRefusal::Unknown { .. }));
    let foreign = backend.restore(SITE, "ping host-s7-1").unwrap_err();
    assert!(matches!(foreign, RestoreRefusal::OtherSite { .. }));
    assert_eq!(
        backend.restore("nowhere", "x").unwrap_err(),
        RestoreRefusal::NotRead
    );
}

#[tokio::test]
async fn a_run_is_followed_to_its_results_and_its_package_is_known() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    let backend = backend(&office).await;
    let mut order = office.order(&device, &evidence()).await;
    order.call = call(1).to_string();
    let covered = evidence().to_string().replace("192.168.41.", "ip-s1-n1.");
    let covered: Value = serde_json::from_str(&covered).unwrap();
    order.about = json!({ "title": "Check", "steps": covered, "core": "c0" });
    let id = office.dispatch.queue_job(&order).await.unwrap().id;
    let queued = backend.run(&id).await.unwrap().unwrap();
    assert_eq!(
        (queued.phase.word(), queued.steps, queued.step),
        ("queued", 4, None)
    );
    assert!(backend.results(&id).await.unwrap().is_empty());
    assert_eq!(turn(&mut device).await, DeviceTurn::Ended(id.clone()));
    let ended = backend.run_after(&id, queued.revision).await.unwrap();
    assert!(matches!(&ended.phase, RunPhase::Ended(report) if report.cpu_ms.is_none()));
    assert!(ended.is_simulated && ended.output > 100 && ended.revision > queued.revision);
    let results = backend.results(&id).await.unwrap();
    assert_eq!(results.len(), 4);
    assert!(results[0].fields.is_ok(), "{:?}", results[0].fields);
    assert!(results[0].text.contains("(DUP!)"));
    let texts = format!("{results:?}");
    for value in ["192.168.41", "7c:10"] {
        assert!(!texts.contains(value), "{texts}");
    }
    let tail = OutputTail {
        step: Some(1),
        errors: false,
        lines: 2,
        before: None,
    };
    let log = backend.log(&id, &tail).await.unwrap();
    assert!(log.start > 0 && log.text.lines().count() == 2, "{log:?}");
    let whole = OutputTail {
        step: None,
        errors: false,
        lines: 200,
        before: None,
    };
    assert!(
        !backend
            .log(&id, &whole)
            .await
            .unwrap()
            .text
            .contains("192.168.")
    );
    let package = backend.package(&id).await.unwrap().unwrap();
    assert_eq!((package.sequence, package.core_sha256.as_str()), (1, "c0"));
    assert_eq!(package.approved_by, ["Ann", "Ben"]);
    let found = backend.run_of(call(1)).await.unwrap().unwrap();
    assert!(matches!(found, RunOfCall::There(run) if run.id == id));
    assert!(backend.run_of(call(2)).await.unwrap().is_none());
    let payload = package.payload_sha256;
    let on = office.id_of(&device).await;
    assert!(backend.has_ended_on(&on, &payload).await.unwrap());
    let filter = |phases: Vec<&'static str>| RunFilter {
        phases,
        limit: 9,
        ..RunFilter::default()
    };
    for (phases, count) in [
        (vec![], 1),
        (vec!["ended"], 1),
        (vec!["queued"], 0),
        (vec!["?"], 0),
    ] {
        assert_eq!(backend.runs(&filter(phases)).await.unwrap().len(), count);
    }
    let cancel = CancelOrder {
        run: id,
        reason: String::new(),
        person: ann(),
    };
    assert!(matches!(
        backend.cancel(&cancel).await.unwrap(),
        CancelResult::Over(_)
    ));
    let unknown = CancelOrder {
        run: "run_nobody".to_owned(),
        ..cancel
    };
    let fault = backend.cancel(&unknown).await.unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::UnknownRun);
}

#[tokio::test]
async fn values_are_shown_to_who_may_see_them_and_each_look_is_recorded() {
    let office = Office::open().await;
    let backend = backend(&office).await;
    let texts = vec!["10.1.2.3 anna@example.org".to_owned()];
    let covered = backend
        .cover(Some(SITE), texts, TokenRule::Escape)
        .await
        .unwrap()
        .remove(0);
    let tokens: Vec<_> = covered.split(' ').map(str::to_owned).collect();
    let order = LookOrder {
        site: SITE.to_owned(),
        tokens,
        person: ann(),
        place: "card 1".to_owned(),
    };
    let shown = backend.reveal(&order).await.unwrap();
    let mut values: Vec<_> = shown.iter().map(|it| it.value.as_str()).collect();
    values.sort_unstable();
    assert_eq!(values, ["10.1.2.3", "anna@example.org"]);
    assert!(!format!("{shown:?}").contains("anna"));
    let other = LookOrder {
        person: UserId::new(Timestamp(2), 2),
        ..order.clone()
    };
    let fault = backend.reveal(&other).await.unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::NotAllowed);
    let looks = backend.looks(SITE, 9).await.unwrap();
    assert_eq!(looks.len(), 1);
    assert_eq!((looks[0].shown, looks[0].person), (2, ann()));
    // A conversation keeps its first site; without one it has the values of the installation.
    let conversation = ConversationId::new(Timestamp(1), 7);
    assert_eq!(backend.site_of(conversation, None).await.unwrap(), None);
    let site = backend.site_of(conversation, Some(SITE)).await.unwrap();
    assert_eq!(site.as_deref(), Some(SITE));
    let own = backend
        .cover(None, vec!["10.1.2.3".to_owned()], TokenRule::Escape)
        .await
        .unwrap();
    assert_ne!(
        own[0], order.tokens[0],
        "tokens of two scopes never look the same"
    );
    let leak = backend
        .leaks(conversation, Some(SITE), b"{\"text\":\"10.1.2.3\"}")
        .await
        .unwrap();
    assert_eq!(leak.unwrap().token, order.tokens[0]);
}

fn draft(cause: &str, of: Option<(String, u64)>, device: &str) -> ProposalDraft {
    ProposalDraft {
        cause: cause.to_owned(),
        of,
        device: device.to_owned(),
        title: "Look".to_owned(),
        why: "It is slow.".to_owned(),
        expect: None,
        script: StoredScript::Steps {
            steps: serde_json::from_value(look()).unwrap(),
            stop_on_failure: true,
        },
        rendering: "ip -j link".to_owned(),
        check: ScriptCheck {
            at: Timestamp(7),
            policy_version: 1,
            policy_hash: "h".to_owned(),
            level: RiskLevel::Low,
            score: 1,
            reasons: vec!["first_run".to_owned()],
            refusals: Vec::new(),
        },
        made_by: ScriptAuthor::Model,
        person: ann(),
        conversation: None,
    }
}

#[tokio::test]
async fn proposals_are_kept_in_versions_once_for_each_cause() {
    let office = Office::open().await;
    let device = office.adopted(OfficeDevice::Branch).await;
    let backend = backend(&office).await;
    let id = office.id_of(&device).await;
    let first = draft("call 1", None, &id);
    let made = backend.propose(&first).await.unwrap();
    assert!(backend.propose(&first).await.unwrap().is_repeated);
    let of = Some((made.proposal.id.clone(), 1));
    let mut second = draft("call 2", of.clone(), &id);
    second.made_by = ScriptAuthor::Person("Ann".to_owned());
    second.script = StoredScript::Sh {
        text: "ls\n".to_owned(),
    };
    assert_eq!(backend.propose(&second).await.unwrap().version, 2);
    let stale = backend
        .propose(&draft("call 3", of, &id))
        .await
        .unwrap_err();
    assert_eq!(stale.code, FieldFaultCode::NewerVersion);
    for (version, draft) in [(1, &first), (2, &second)] {
        let kept = backend
            .version(&made.proposal.id, version)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (&kept.script, &kept.made_by),
            (&draft.script, &draft.made_by)
        );
        assert_eq!((&kept.check, &kept.why), (&draft.check, &draft.why));
    }
    let check = ScriptCheck {
        score: 5,
        ..first.check.clone()
    };
    backend
        .keep_check(&made.proposal.id, 1, &check)
        .await
        .unwrap();
    let kept = backend
        .version(&made.proposal.id, 1)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(kept.check.score, 5);
    assert_eq!(
        backend
            .last_version_that_ran(&made.proposal.id)
            .await
            .unwrap(),
        None
    );
    assert_eq!(backend.proposals(&id, 9).await.unwrap().len(), 1);
    // By this a page of the device learns that there is something new to read.
    let later = crate::ports::backend(&office).await;
    let shown = later.snapshot().borrow().device(&id).unwrap().proposed;
    assert_eq!(shown, 2);
    let unknown = backend
        .propose(&draft("call 4", None, "dev_nobody"))
        .await
        .unwrap_err();
    assert_eq!(unknown.code, FieldFaultCode::UnknownDevice);
}

/// The toolset's own order, signed, run and read back: placeholders of the core count for nothing.
#[tokio::test]
async fn an_order_of_the_toolset_becomes_a_signed_package_that_runs() {
    let office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::GatewayProbe).await;
    let backend = backend(&office).await;
    let id = office.id_of(&device).await;
    let steps: Vec<ProbeStep> = serde_json::from_value(look()).unwrap();
    let script = ProbeScript::new(&steps, true).unwrap();
    let around = ScriptSurroundings::default();
    let facts = ScriptFacts::of_steps(&script, &around);
    let policy = FieldPolicy::new(&PolicySettings::default()).unwrap();
    let report = RiskReport::new(&facts, &around, &policy);
    let fingerprint = device.fingerprint();
    let target = RunTarget {
        device: &id,
        fingerprint: &fingerprint,
        site: SITE,
    };
    let order = RunOrder {
        call: call(4),
        title: "Look around".to_owned(),
        core: RunCore::of_steps(&target, &script, &facts, &report).unwrap(),
        steps: steps.clone(),
        proposal: None,
        approval: Approval {
            digest: "ab".repeat(32),
            by: vec!["Ann".to_owned(), "Ann".to_owned()],
            at: Timestamp(START as i64 * 1000 - 1),
        },
        person: ann(),
        claim_until: Timestamp(START as i64 * 1000 + 60_000),
    };
    let queued = backend.queue(&order).await.unwrap();
    assert_eq!(
        backend.queue(&order).await.unwrap().id,
        queued.id,
        "once for each call"
    );
    assert_eq!(queued.title, "Look around");
    assert_eq!(
        turn(&mut device).await,
        DeviceTurn::Ended(queued.id.clone())
    );
    let package = backend.package(&queued.id).await.unwrap().unwrap();
    assert_eq!(package.core_sha256, order.core.digest().as_str());
    assert_eq!(package.payload_sha256, order.core.payload_digest());
    assert_eq!(
        (package.approved_by, package.approval_digest),
        (vec!["Ann".to_owned()], "ab".repeat(32))
    );
    let results = backend.results(&queued.id).await.unwrap();
    assert_eq!(
        results.iter().map(|it| it.step.clone()).collect::<Vec<_>>(),
        steps
    );
    // What the order must hold, it must hold.
    office.brake.pull(true);
    let other = RunOrder {
        call: call(5),
        ..order.clone()
    };
    let fault = backend.queue(&other).await.unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::KillSwitch);
    office.brake.pull(false);
    let strict = PolicySettings {
        high: Some(5),
        ..PolicySettings::default()
    };
    let strict = FieldPolicy::new(&strict).unwrap();
    let report = RiskReport::new(&facts, &around, &strict);
    let core = RunCore::of_steps(&target, &script, &facts, &report).unwrap();
    let fault = backend
        .queue(&RunOrder {
            core,
            ..other.clone()
        })
        .await
        .unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::OtherPolicy);
    let mut nobody = other.clone();
    nobody.approval.by.clear();
    let fault = backend.queue(&nobody).await.unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::OnePerson);
    office
        .dispatch
        .suspend_device(&id, "a look", "ann")
        .await
        .unwrap();
    let fault = backend.queue(&other).await.unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::NotAdopted);
    assert!(
        backend.run_of(call(5)).await.unwrap().is_none(),
        "nothing was queued"
    );
}
