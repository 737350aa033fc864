//! Proposals and their versions, for the toolset.

use async_trait::async_trait;
use field::field_package::policy::RiskLevel;
use field::field_package::steps::ProbeStep;
use field::ports::{
    FieldFault, FieldFaultCode, FieldProposals, ProposalDraft, ProposalHead, ProposalKept,
    ScriptAuthor, ScriptCheck, ScriptVersion, StoredScript,
};
use field_tables::{
    FieldProposal, FieldTablesError, NewProposal, NewVersion, PolicyCheck, ProposalForm,
    ProposalOutcome, ProposalVersion,
};
use protocol::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::FieldBackend;
use super::faults::stored;
use super::records::damaged;
use crate::ids::derived_id;

/// Steps as they are stored.
#[derive(Serialize, Deserialize)]
struct StoredSteps {
    steps: Vec<ProbeStep>,
    stop_on_failure: bool,
}

/// The policy's word as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredRisk {
    hash: String,
    level: RiskLevel,
    score: u32,
    reasons: Vec<String>,
    refusals: Vec<String>,
}

#[async_trait]
impl FieldProposals for FieldBackend {
    async fn proposal(&self, id: &str) -> Result<Option<ProposalHead>, FieldFault> {
        let found = self.tables().proposal(id).await.map_err(stored)?;
        Ok(found.map(head))
    }

    async fn proposals(&self, device: &str, limit: u32) -> Result<Vec<ProposalHead>, FieldFault> {
        let found = self.tables().proposals(Some(device), None, limit).await;
        Ok(found.map_err(stored)?.into_iter().map(head).collect())
    }

    async fn version(&self, id: &str, version: u64) -> Result<Option<ScriptVersion>, FieldFault> {
        let found = self.tables().proposal_version(id, version).await;
        found.map_err(stored)?.map(read).transpose()
    }

    async fn propose(&self, draft: &ProposalDraft) -> Result<ProposalKept, FieldFault> {
        let version = new_version(draft)?;
        let now = self.dispatch.now_ms();
        let outcome = match &draft.of {
            Some((proposal, of)) => {
                let added = self
                    .tables()
                    .add_version(proposal, *of, &version, now)
                    .await;
                added.map_err(missing(FieldFaultCode::UnknownProposal))?
            }
            None => {
                let new = NewProposal {
                    // The same cause is the same proposal, also if its answer was lost.
                    id: derived_id("pro_", &["proposal", &draft.cause]),
                    device: draft.device.clone(),
                    title: draft.title.clone(),
                };
                let made = self.tables().propose(&new, &version, now).await;
                made.map_err(missing(FieldFaultCode::UnknownDevice))?
            }
        };
        let (made, is_repeated) = match outcome {
            ProposalOutcome::Made(made) => (made, false),
            ProposalOutcome::Repeated(made) => (made, true),
            ProposalOutcome::Stale(_) => return Err(FieldFaultCode::NewerVersion.into()),
            ProposalOutcome::IdTaken => return Err(damaged("proposal")),
        };
        self.dispatch.0.changes.count();
        let proposal = self
            .tables()
            .proposal(&made.proposal)
            .await
            .map_err(stored)?;
        Ok(ProposalKept {
            proposal: head(proposal.ok_or(FieldFault::new(FieldFaultCode::UnknownProposal))?),
            version: made.version,
            is_repeated,
        })
    }

    async fn keep_check(
        &self,
        id: &str,
        version: u64,
        check: &ScriptCheck,
    ) -> Result<(), FieldFault> {
        let kept = self
            .tables()
            .keep_check(id, version, &policy_check(check))
            .await;
        if kept.map_err(stored)? {
            self.dispatch.0.changes.count();
            return Ok(());
        }
        Err(FieldFaultCode::UnknownProposal.into())
    }

    async fn last_version_that_ran(&self, id: &str) -> Result<Option<u64>, FieldFault> {
        self.tables()
            .last_version_that_ran(id)
            .await
            .map_err(stored)
    }
}

fn missing(code: FieldFaultCode) -> impl Fn(FieldTablesError) -> FieldFault {
    move |error| match error {
        FieldTablesError::NotFound => code.into(),
        error => stored(error),
    }
}

pub(super) fn head(proposal: FieldProposal) -> ProposalHead {
    ProposalHead {
        id: proposal.id,
        site: proposal.site,
        device: proposal.device,
        title: proposal.title,
        head: proposal.head,
        changed: Timestamp(proposal.changed_ms),
    }
}

fn new_version(draft: &ProposalDraft) -> Result<NewVersion, FieldFault> {
    let (form, content) = match &draft.script {
        StoredScript::Sh { text } => (ProposalForm::Sh, text.clone()),
        StoredScript::Steps {
            steps,
            stop_on_failure,
        } => {
            let steps = StoredSteps {
                steps: steps.clone(),
                stop_on_failure: *stop_on_failure,
            };
            let content = serde_json::to_string(&steps);
            (ProposalForm::Steps, content.map_err(|_| damaged("steps"))?)
        }
    };
    Ok(NewVersion {
        cause: draft.cause.clone(),
        form,
        content,
        rendering: draft.rendering.clone(),
        reasons: json!({ "why": draft.why, "expect": draft.expect }),
        made_by: match &draft.made_by {
            ScriptAuthor::Model => "model".to_owned(),
            ScriptAuthor::Program => "program".to_owned(),
            ScriptAuthor::Person(name) => format!("person {name}"),
        },
        made_from: json!({
            "of": draft.of,
            "person": draft.person.to_string(),
            "conversation": draft.conversation.map(|it| it.to_string()),
        }),
        check: policy_check(&draft.check),
    })
}

fn policy_check(check: &ScriptCheck) -> PolicyCheck {
    PolicyCheck {
        at_ms: check.at.0,
        policy_version: check.policy_version.to_string(),
        risk: json!(StoredRisk {
            hash: check.policy_hash.clone(),
            level: check.level,
            score: check.score,
            reasons: check.reasons.clone(),
            refusals: check.refusals.clone(),
        }),
    }
}

fn read(version: ProposalVersion) -> Result<ScriptVersion, FieldFault> {
    let script = match version.form {
        ProposalForm::Sh => StoredScript::Sh {
            text: version.content,
        },
        ProposalForm::Steps => {
            let stored: StoredSteps =
                serde_json::from_str(&version.content).map_err(|_| damaged("steps"))?;
            StoredScript::Steps {
                steps: stored.steps,
                stop_on_failure: stored.stop_on_failure,
            }
        }
    };
    let risk: StoredRisk =
        serde_json::from_value(version.check.risk).map_err(|_| damaged("check"))?;
    Ok(ScriptVersion {
        proposal: version.proposal,
        version: version.version,
        script,
        why: version.reasons["why"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        expect: version.reasons["expect"].as_str().map(str::to_owned),
        made_by: match version.made_by.strip_prefix("person ") {
            Some(name) => ScriptAuthor::Person(name.to_owned()),
            None if version.made_by == "program" => ScriptAuthor::Program,
            None => ScriptAuthor::Model,
        },
        made: Timestamp(version.made_ms),
        check: ScriptCheck {
            at: Timestamp(version.check.at_ms),
            policy_version: version
                .check
                .policy_version
                .parse()
                .map_err(|_| damaged("policy"))?,
            policy_hash: risk.hash,
            level: risk.level,
            score: risk.score,
            reasons: risk.reasons,
            refusals: risk.refusals,
        },
    })
}
