//! What the machine decided, carried out by the tables. Each is one conditional update.

use field_package::policy::RiskLevel;
use field_queue::message::{JobAnswer, JobCallKind};
use field_queue::report::JobReport;
use field_queue::secret::StartNonce;
use field_queue::server::{FinalState, JobRefusal, LEASE_S, ServerState, StartCheck};
use field_tables::{
    FinishOutcome, FinishedAs, JobRecord, NotRunOutcome, RefuseOutcome, RenewOutcome, StartOutcome,
    StartRequest,
};
use serde_json::json;

use super::judge::JudgedCall;
use super::{DeviceCall, missed};
use crate::clock::as_ms;
use crate::dispatch::Dispatch;
use crate::error::DispatchRefusal;
use crate::known_packages::SignedFacts;
use crate::sessions::shut_out;
use crate::texts::jobs as texts;

impl Dispatch {
    /// Carries a judgement out. False if the tables found another state than the machine was asked
    /// about: the call has to be judged anew.
    pub(super) async fn carry(
        &self,
        call: &DeviceCall<'_>,
        record: &JobRecord,
        judged: &JudgedCall,
        now_s: u64,
    ) -> Result<bool, DispatchRefusal> {
        let now = as_ms(now_s);
        let tables = &self.0.tables;
        match (&judged.answer, &call.kind) {
            (JobAnswer::Go { nonce, .. }, _) => self.go(call, judged, *nonce, now_s).await,
            (JobAnswer::Kept { .. }, _) => {
                let lease = as_ms(now_s.saturating_add(LEASE_S));
                let renewed = tables.renew(&call.claim, lease, now).await?;
                Ok(matches!(renewed, RenewOutcome::Renewed(_)))
            }
            // A check at the start failed, and the job is over with that.
            (JobAnswer::Gone { .. }, JobCallKind::Start(_)) if judged.commits() => {
                let code = refused_code(judged);
                let (why, help) = texts::start_refused(code);
                let reason = format!("{why} {help}");
                let ending = json!({ "by": "server", "code": code, "reason": reason.trim_end() });
                let refused = tables
                    .refuse_job(&record.id, &ending, "server", now)
                    .await?;
                Ok(matches!(refused, RefuseOutcome::Refused(_)))
            }
            // That it did not run is worth knowing of a job whose outcome is unknown, so the tables keep it
            // beside the state, whether the machine changes anything or not.
            (JobAnswer::Recorded { .. }, JobCallKind::Refuse(_)) => {
                let refused = tables.refused_by_device(&call.claim, &call.ending, now);
                Ok(is_not_run(&refused.await?))
            }
            (JobAnswer::Recorded { .. }, JobCallKind::DidNotRun) => {
                let back = tables.report_not_run(&call.claim, &call.ending, now);
                Ok(is_not_run(&back.await?))
            }
            // Nothing changes: stale, gone, or heard before.
            _ if !judged.commits() => Ok(true),
            (_, JobCallKind::End(report)) => {
                let finished = finished_as(report);
                let done = tables.finish(&call.claim, finished, &call.ending, now);
                Ok(is_finished(&done.await?))
            }
            (_, JobCallKind::Unknown(_)) => {
                let unknown = FinishedAs::Unknown;
                let done = tables.finish(&call.claim, unknown, &call.ending, now);
                Ok(is_finished(&done.await?))
            }
            (
                _,
                JobCallKind::Start(_)
                | JobCallKind::Renew
                | JobCallKind::Refuse(_)
                | JobCallKind::DidNotRun,
            ) => Ok(true),
        }
    }

    /// The one way to a job that runs: the tables have it on the disk before anybody hears of it.
    async fn go(
        &self,
        call: &DeviceCall<'_>,
        judged: &JudgedCall,
        nonce: StartNonce,
        now_s: u64,
    ) -> Result<bool, DispatchRefusal> {
        let ServerState::Running { deadline, .. } = judged.after.state else {
            return Err(DispatchRefusal::failed(&"go for a job that does not run"));
        };
        let start = StartRequest {
            claim: call.claim.clone(),
            nonce: nonce.into(),
            lease_until_ms: as_ms(now_s.saturating_add(LEASE_S)),
            deadline_ms: as_ms(deadline),
        };
        match self.0.tables.start(&start, as_ms(now_s)).await? {
            StartOutcome::Go(_) | StartOutcome::GoAgain(_) => Ok(true),
            StartOutcome::NotAdopted(state) => Err(shut_out(state)),
            StartOutcome::OtherNonce | StartOutcome::Expired => Ok(false),
            StartOutcome::Missed(miss) => match miss {
                field_tables::ClaimMiss::NotFound => Err(missed(miss)),
                _ => Ok(false),
            },
        }
    }

    /// All checks at a start, as they are now.
    pub(super) async fn start_check(
        &self,
        record: &JobRecord,
        signed: Option<&SignedFacts>,
        now_s: u64,
    ) -> StartCheck {
        let policy = &self.0.settings.policy;
        if self.0.brake.is_pulled().await {
            return StartCheck::Failed("kill_switch");
        }
        let Some(signed) = signed else {
            return StartCheck::Failed("key_revoked");
        };
        // Any change counts: a policy that is less strict for one script may be stricter for another.
        let same = signed.policy.version == policy.version()
            && signed.policy.hash.as_str() == policy.hash();
        if !same {
            return StartCheck::Failed("policy_changed");
        }
        // An approval is as good as whoever gave it is now.
        for name in &signed.approved_by {
            if !self.still_approves(name, signed.risk).await {
                return StartCheck::Failed("approver_gone");
            }
        }
        if record.expires_ms <= as_ms(now_s) {
            return StartCheck::Failed("expired");
        }
        StartCheck::Passed
    }

    /// True if this person may approve now. What is of low risk may also rest on a rule, which is nobody.
    async fn still_approves(&self, name: &str, risk: RiskLevel) -> bool {
        let is_rule = risk == RiskLevel::Low && name == field::LOW_RISK_RULE;
        is_rule || self.0.approvers.may_approve(name).await
    }
}

fn refused_code(judged: &JudgedCall) -> &'static str {
    match &judged.after.state {
        ServerState::Final {
            state: FinalState::Refused(JobRefusal::Server(code)),
            ..
        } => code,
        _ => "refused",
    }
}

fn finished_as(report: &JobReport) -> FinishedAs {
    if report.how.is_lost() {
        FinishedAs::Unknown
    } else if report.how.is_cut() {
        FinishedAs::Cut
    } else {
        FinishedAs::Ended
    }
}

fn is_finished(outcome: &FinishOutcome) -> bool {
    !matches!(outcome, FinishOutcome::Missed(_))
}

fn is_not_run(outcome: &NotRunOutcome) -> bool {
    !matches!(outcome, NotRunOutcome::Missed(_))
}
