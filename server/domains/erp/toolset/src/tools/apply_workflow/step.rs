//! The plan of a step: where it leads, who may take it, and what it does beside that.

use std::collections::BTreeSet;

use agent::ports::Preview;
use protocol::{Assurance, CardSection, ErrorBody, Fact, RiskReason, RiskWeight};
use serde_json::{Value, json};

use super::ApplyWorkflowInput;
use crate::tools::writing::{
    plan::{ErpSubject, Finality, Reversal, refused},
    steps,
};
use crate::{meta::WorkflowTransition, site::ErpSite, texts::workflow as say};

/// A step that the ERP offers this user now.
pub(super) struct WorkflowPlan {
    pub(super) subject: ErpSubject,
    step: WorkflowTransition,
    /// The docstatus of the state that it leads to.
    docstatus: i64,
    /// True if the user of the key made the document.
    is_own: bool,
}

/// The effect of a step beside the new state.
enum StepEffect {
    Submits(Finality),
    Cancels(Reversal),
    Nothing,
}

impl WorkflowPlan {
    pub(super) async fn read(
        site: &ErpSite,
        input: &ApplyWorkflowInput,
    ) -> Result<Self, ErrorBody> {
        let subject = ErpSubject::read(site, &input.doctype, &input.name).await?;
        let Some(workflow) = &subject.meta.workflow else {
            return Err(refused(say::has_no_workflow(&input.doctype)));
        };
        subject.demand_copy(site, &input.modified).await?;
        let who = site.identity().await?;
        let is_own = subject.raw("owner") == Some(who.user.as_str());
        let state = subject.workflow_state().unwrap_or_default();
        // Several roles may take the same step; one that this user has counts.
        let mut steps: Vec<_> = workflow
            .transitions
            .iter()
            .filter(|it| it.state == state && it.action == input.action)
            .collect();
        steps.sort_by_key(|it| !who.roles().contains(&it.role));
        let offered = steps::offered(site, &subject).await?;
        let Some(step) = steps.first() else {
            return Err(refused(say::no_such_step(&input.action, state, &offered)));
        };
        if is_own && !step.allows_self_approval {
            return Err(refused(say::self_approval(
                &input.action,
                &step.role,
                &who.user,
            )));
        }
        if !offered.contains(&input.action) {
            return Err(refused(say::not_offered(
                &input.action,
                &step.role,
                step.has_condition,
                &offered,
            )));
        }
        Ok(Self {
            docstatus: workflow.docstatus_of(&step.next_state),
            step: (*step).clone(),
            is_own,
            subject,
        })
    }

    /// True if a document shows that the step was taken.
    pub(super) fn is_taken(&self, now: &ErpSubject) -> bool {
        let is_other = now.raw("modified") != self.subject.raw("modified");
        is_other && now.workflow_state() == Some(self.step.next_state.as_str())
    }

    async fn effect(&self, site: &ErpSite) -> Result<StepEffect, ErrorBody> {
        let subject = &self.subject;
        Ok(match (subject.docstatus(), self.docstatus) {
            ("draft", 1) => StepEffect::Submits(Box::pin(Finality::read(site, subject)).await?),
            ("submitted", 2) => StepEffect::Cancels(Box::pin(Reversal::read(site, subject)).await?),
            _ => StepEffect::Nothing,
        })
    }

    pub(super) async fn card(
        &self,
        site: &ErpSite,
        comment: Option<String>,
    ) -> Result<Preview, ErrorBody> {
        let subject = &self.subject;
        let effect = self.effect(site).await?;
        let mut facts = vec![
            fact(
                say::STEP,
                say::from_to(&self.step.state, &self.step.next_state),
            ),
            fact(say::MAY_TAKE, self.step.role.clone()),
        ];
        facts.extend(effect.facts());
        facts.extend(subject.facts());
        let comment = comment.map(|text| fact(say::COMMENT, text));
        let mut sections = vec![subject.section(comment)];
        sections.extend(subject.rows());
        sections.extend(effect.sections());
        let objects = subject.objects_with(site, effect.objects())?;
        let mut risks = effect.risks();
        if self.is_own {
            risks.push(
                RiskReason::new("self_approval", RiskWeight::Warning, say::OWN_DOCUMENT)
                    .meaning(say::OWN_DOCUMENT_DETAIL),
            );
        }
        // The submit has a line on what follows, too: one says both.
        risks.retain(|it| it.rule != "follows");
        let detail = match &effect {
            StepEffect::Submits(_) => say::TASKS_OF_SUBMIT_DETAIL,
            StepEffect::Cancels(_) | StepEffect::Nothing => say::TASKS_DETAIL,
        };
        risks.push(RiskReason::new("tasks", RiskWeight::Note, say::TASKS).meaning(detail));
        let sentence = say::apply(
            &self.step.action,
            &subject.target(),
            subject.party().as_deref(),
            subject.total().as_deref(),
            &self.step.next_state,
            effect.word(),
        );
        Ok(Preview {
            facts,
            sections,
            risks,
            said: &["doctype", "name", "modified", "action", "comment"],
            objects,
            irreversible: effect.irreversible(),
            assurance: effect.assurance(subject),
            state: json!({
                "document": subject.bound(),
                "step": [self.step.state, self.step.action, self.step.next_state],
                "docstatus_after": self.docstatus,
                "effect": effect.bound(),
            }),
            ..Preview::new(sentence, subject.target())
        })
    }
}

fn fact(label: &str, value: String) -> Fact {
    Fact {
        label: label.to_owned(),
        value,
    }
}

impl StepEffect {
    fn word(&self) -> &'static str {
        match self {
            Self::Submits(_) => say::SUBMITS,
            Self::Cancels(_) => say::CANCELS,
            Self::Nothing => say::ONLY_STATE,
        }
    }

    fn facts(&self) -> Vec<Fact> {
        match self {
            Self::Submits(finality) => finality.facts(),
            Self::Cancels(reversal) => reversal.facts(),
            Self::Nothing => Vec::new(),
        }
    }

    fn sections(&self) -> Vec<CardSection> {
        match self {
            Self::Submits(finality) => finality.sections(),
            Self::Cancels(reversal) => reversal.sections(),
            Self::Nothing => Vec::new(),
        }
    }

    fn risks(&self) -> Vec<RiskReason> {
        match self {
            Self::Submits(finality) => finality.risks(),
            Self::Cancels(reversal) => reversal.risks(),
            Self::Nothing => Vec::new(),
        }
    }

    fn objects(&self) -> BTreeSet<String> {
        match self {
            Self::Submits(finality) => finality.posting.objects(),
            Self::Cancels(reversal) => reversal.posting.objects(),
            Self::Nothing => BTreeSet::new(),
        }
    }

    fn irreversible(&self) -> Option<String> {
        match self {
            Self::Submits(finality) => finality.irreversible(),
            Self::Cancels(_) => Some(crate::texts::reversal::IRREVERSIBLE.to_owned()),
            Self::Nothing => None,
        }
    }

    fn assurance(&self, subject: &ErpSubject) -> Assurance {
        match self {
            Self::Submits(finality) => match finality.assurance(subject) {
                // An approval is never one press.
                Assurance::Press => Assurance::Hold,
                other => other,
            },
            Self::Cancels(_) => Reversal::assurance(subject),
            Self::Nothing => Assurance::Press,
        }
    }

    fn bound(&self) -> Value {
        match self {
            Self::Submits(finality) => finality.bound(),
            Self::Cancels(reversal) => reversal.bound(),
            Self::Nothing => Value::Null,
        }
    }
}
