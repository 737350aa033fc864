//! The contract of the ports, for the double and for what implements them in earnest.
//!
//! Each part takes ports with an adopted device of a site that nobody else uses meanwhile.

use field::{
    RunCore, RunTarget,
    field_package::{
        policy::{FieldPolicy, PolicySettings, RiskLevel, RiskReport, ScriptFacts},
        script::ProbeScript,
        steps::{ProbeStep, RowName},
    },
    ports::{
        Approval, CallId, CancelOrder, CancelResult, ConversationId, FieldFaultCode, FieldPorts,
        KnownDevice, LookOrder, ProposalDraft, RestoreRefusal, RunFilter, RunOfCall, RunOrder,
        ScriptAuthor, ScriptCheck, StoredScript, Timestamp, TokenRule, UserId,
    },
};

fn device(ports: &FieldPorts, id: &str) -> KnownDevice {
    let snapshots = ports.memory.snapshot();
    let snapshot = snapshots.borrow();
    snapshot.device(id).expect("the device").clone()
}

fn call(number: u128) -> CallId {
    CallId::new(Timestamp(1), number)
}

fn person() -> UserId {
    UserId::new(Timestamp(1), 1)
}

fn step() -> ProbeStep {
    ProbeStep::new(RowName::Routes)
}

/// Texts are covered and restored, a token that nobody gave out is refused, and looks are recorded.
/// `other` is another site.
pub async fn values(ports: &FieldPorts, site: &str, other: &str) {
    let (values, memory) = (&ports.values, &ports.memory);
    let text = "    inet 10.77.0.5/24 scope global eth0\nSSID: Vogelnest\n".to_owned();
    let cover = async |text: &str, rule| {
        let covered = values.cover(Some(site), vec![text.to_owned()], rule).await;
        covered.unwrap().remove(0)
    };
    let covered = cover(&text, TokenRule::Escape).await;
    assert!(
        !covered.contains("10.77") && !covered.contains("Vogelnest"),
        "{covered}"
    );
    assert_eq!(memory.restore(site, &covered), Ok(text));
    assert_eq!(cover(&covered, TokenRule::Keep).await, covered);
    let planted = cover(&covered, TokenRule::Escape).await;
    assert_eq!(
        memory.restore(site, &planted),
        Ok(covered.clone()),
        "escaped once"
    );
    let token = covered.split_once("inet ").unwrap().1;
    let token = token.split_once('/').unwrap().0;
    let refused = memory.restore(other, token);
    assert!(
        matches!(refused, Err(RestoreRefusal::OtherSite { .. })),
        "{refused:?}"
    );
    let unknown = format!("{token}99");
    let refused = memory.restore(site, &unknown);
    assert!(
        matches!(refused, Err(RestoreRefusal::Unknown { .. })),
        "{refused:?}"
    );
    let refused = memory.restore("no-such-site", token);
    assert_eq!(refused, Err(RestoreRefusal::NotRead));

    let conversation = ConversationId::new(Timestamp(1), 4_711);
    assert_eq!(values.site_of(conversation, None).await, Ok(None));
    for named in [Some(site), Some(other), None] {
        let bound = values.site_of(conversation, named).await;
        assert_eq!(bound, Ok(Some(site.to_owned())));
    }
    let leak = |text: &'static str| values.leaks(conversation, Some(site), text.as_bytes());
    assert!(leak("{\"a\":\"10.77.0.5\"}").await.unwrap().is_some());
    assert_eq!(leak("{\"a\":\"nothing\"}").await, Ok(None));

    let look = LookOrder {
        site: site.to_owned(),
        tokens: vec![token.to_owned(), unknown],
        person: person(),
        place: "contract".to_owned(),
    };
    let shown = values.reveal(&look).await.unwrap();
    assert_eq!(shown.len(), 1);
    assert_eq!((&*shown[0].value, &*shown[0].class), ("10.77.0.5", "ipv4"));
    let looks = values.looks(site, 1).await.unwrap();
    assert_eq!((&*looks[0].place, looks[0].shown), ("contract", 1));
}

/// A cause makes one version, and a version is made from the newest one only.
pub async fn proposals(ports: &FieldPorts, device: &str) {
    let proposals = &ports.proposals;
    let draft = |cause: &str, of: Option<(&str, u64)>| ProposalDraft {
        cause: cause.to_owned(),
        of: of.map(|(id, version)| (id.to_owned(), version)),
        device: device.to_owned(),
        title: format!("Title of {cause}"),
        why: "why".to_owned(),
        expect: None,
        script: StoredScript::Steps {
            steps: vec![step()],
            stop_on_failure: true,
        },
        rendering: "/usr/sbin/ip -j route\n".to_owned(),
        check: ScriptCheck {
            at: Timestamp(5),
            policy_version: 1,
            policy_hash: "ab".repeat(32),
            level: RiskLevel::Medium,
            score: 4,
            reasons: vec!["first_run".to_owned()],
            refusals: Vec::new(),
        },
        made_by: ScriptAuthor::Person("Ada".to_owned()),
        person: person(),
        conversation: None,
    };
    let first = proposals.propose(&draft("contract-a", None)).await.unwrap();
    assert_eq!((first.version, first.is_repeated), (1, false));
    let id = first.proposal.id.clone();
    assert!(id.starts_with("pro_") && id.len() == 30, "{id}");
    // The same cause again, whatever it asks for.
    let again = proposals
        .propose(&draft("contract-a", Some((&*id, 1))))
        .await;
    let again = again.unwrap();
    assert_eq!(
        (&again.proposal.id, again.version, again.is_repeated),
        (&id, 1, true)
    );
    let second = proposals
        .propose(&draft("contract-b", Some((&*id, 1))))
        .await;
    assert_eq!(second.unwrap().version, 2);
    let stale = proposals
        .propose(&draft("contract-c", Some((&*id, 1))))
        .await;
    assert_eq!(stale.unwrap_err().code, FieldFaultCode::NewerVersion);
    let head = proposals.proposal(&id).await.unwrap().unwrap();
    assert_eq!((head.head, &*head.device), (2, device));
    let version = proposals.version(&id, 1).await.unwrap().unwrap();
    assert_eq!(version.script, draft("x", None).script);
    assert_eq!(version.made_by, ScriptAuthor::Person("Ada".to_owned()));
    assert_eq!(
        (version.check.level, version.check.score),
        (RiskLevel::Medium, 4)
    );
    assert_eq!(proposals.version(&id, 3).await, Ok(None));
    assert_eq!(
        proposals.proposal("pro_99999999999999999999999999").await,
        Ok(None)
    );
    assert_eq!(proposals.last_version_that_ran(&id).await, Ok(None));
    let newest = proposals.proposals(device, 1).await.unwrap();
    assert_eq!(newest[0].id, id);
    let check = ScriptCheck {
        level: RiskLevel::High,
        ..version.check
    };
    proposals.keep_check(&id, 1, &check).await.unwrap();
    let version = proposals.version(&id, 1).await.unwrap().unwrap();
    assert_eq!(version.check.level, RiskLevel::High);
}

/// The order of a call to run one harmless step on a device, with the key that the device has or
/// another one.
fn order(ports: &FieldPorts, id: &str, number: u128, key: Option<&str>) -> RunOrder {
    let device = device(ports, id);
    let script = ProbeScript::new(&[step()], true).expect("a script");
    let around = ports.memory.surroundings(id).expect("its surroundings");
    let facts = ScriptFacts::of_steps(&script, &around);
    let policy = FieldPolicy::new(&PolicySettings::default()).expect("the policy");
    let report = RiskReport::new(&facts, &around, &policy);
    let target = RunTarget {
        device: &device.id,
        fingerprint: key.unwrap_or(&device.fingerprint),
        site: &device.site,
    };
    let now = ports.env.now();
    RunOrder {
        call: call(number),
        title: "routes".to_owned(),
        core: RunCore::of_steps(&target, &script, &facts, &report).expect("a core"),
        steps: vec![step()],
        proposal: None,
        approval: Approval {
            digest: "cd".repeat(32),
            by: vec!["Ada".to_owned()],
            at: now,
        },
        person: person(),
        claim_until: Timestamp(now.0 + 600_000),
    }
}

/// A call queues one run, and what never started is cancelled for certain. The device must not take it
/// meanwhile.
pub async fn runs(ports: &FieldPorts, device: &str) {
    let runs = &ports.runs;
    let before = runs.queued_since(device, Timestamp(0)).await.unwrap();
    assert_eq!(runs.run_of(call(9_001)).await, Ok(None));
    let other_key = order(ports, device, 9_001, Some(&"ef".repeat(32)));
    let refused = runs.queue(&other_key).await;
    assert_eq!(refused.unwrap_err().code, FieldFaultCode::OtherKey);
    assert_eq!(
        runs.run_of(call(9_001)).await,
        Ok(None),
        "nothing is queued"
    );

    let wanted = order(ports, device, 9_002, None);
    let run = runs.queue(&wanted).await.unwrap();
    assert!(
        run.id.starts_with("run_") && run.id.len() == 30,
        "{}",
        run.id
    );
    assert_eq!(
        (run.call, run.phase.word(), run.steps),
        (call(9_002), "queued", 1)
    );
    let again = runs.queue(&wanted).await.unwrap();
    assert_eq!(again.id, run.id);
    assert_eq!(
        runs.queued_since(device, Timestamp(0)).await,
        Ok(before + 1)
    );
    let of_call = runs.run_of(call(9_002)).await.unwrap();
    assert!(matches!(of_call, Some(RunOfCall::There(it)) if it.id == run.id));
    let package = runs.package(&run.id).await.unwrap().unwrap();
    assert_eq!(package.payload_sha256, wanted.core.payload_digest());
    assert_eq!(package.core_sha256, wanted.core.digest().as_str());
    assert_eq!(
        (&package.approval_digest, &package.approved_by),
        (&"cd".repeat(32), &vec!["Ada".to_owned()])
    );
    assert_eq!(
        runs.results(&run.id).await,
        Ok(Vec::new()),
        "no step has begun"
    );
    let open = RunFilter {
        device: Some(device.to_owned()),
        phases: vec!["queued"],
        limit: 10,
        ..RunFilter::default()
    };
    assert!(
        runs.runs(&open)
            .await
            .unwrap()
            .iter()
            .any(|it| it.id == run.id)
    );

    let cancel = CancelOrder {
        run: run.id.clone(),
        reason: "contract".to_owned(),
        person: person(),
    };
    let revision = runs.run(&run.id).await.unwrap().unwrap().revision;
    let (cancelled, changed) =
        tokio::join!(runs.cancel(&cancel), runs.run_after(&run.id, revision));
    assert!(
        matches!(cancelled, Ok(CancelResult::Cancelled(_))),
        "{cancelled:?}"
    );
    let changed = changed.unwrap();
    assert!(
        changed.phase.never_ran() && changed.revision > revision,
        "{changed:?}"
    );
    let again = runs.cancel(&cancel).await;
    assert!(matches!(again, Ok(CancelResult::Over(_))), "{again:?}");
    assert!(
        !runs
            .runs(&open)
            .await
            .unwrap()
            .iter()
            .any(|it| it.id == run.id)
    );
    let payload = wanted.core.payload_digest();
    assert_eq!(runs.has_ended_on(device, payload).await, Ok(false));
    let unknown = CancelOrder {
        run: "run_99999999999999999999999999".to_owned(),
        ..cancel
    };
    let refused = runs.cancel(&unknown).await;
    assert_eq!(refused.unwrap_err().code, FieldFaultCode::UnknownRun);
}
