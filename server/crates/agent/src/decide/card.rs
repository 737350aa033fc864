//! The card with which a person is asked, and the two-person rule for it.

use std::collections::BTreeSet;

use protocol::{Assurance, CardRisk, Choice, Confirmation, SecondPerson, Tier, Timestamp, TurnId};
use serde_json::Value;

use super::{Moment, judgement::Judgement};
use crate::{
    MOST_GRANTED,
    digest::BoundCall,
    gate::GateVerdict as Gate,
    input_edit,
    machine::Call,
    output::{clean_line, clean_text},
    policy::is_irreversible,
    ports::{NewRecord, Preview},
    texts,
};

/// The longest part of the model's words on a card, in bytes.
const MAX_REASON: usize = 1200;

/// The parts of a card that depend on the moment.
#[derive(Clone, Copy)]
pub(super) struct Card<'a> {
    pub(super) input: &'a Value,
    pub(super) preview: &'a Preview,
    pub(super) judgement: &'a Judgement,
}

/// The reason for a card.
pub(super) enum Why {
    New,
    /// A person changed the input.
    Edited,
    /// The target is not what was shown.
    Drifted,
}

impl Moment<'_> {
    /// The two-person rule for a call; none if one person is enough.
    pub(super) fn second(&self, call: &Call, preview: &Preview) -> Option<SecondPerson> {
        let tool = self.facts.tools.get(&call.name)?;
        let spec = &tool.spec;
        let irreversible = preview.irreversible.as_deref();
        let irreversible = is_irreversible(spec, irreversible, &preview.assurance);
        let why = self.policy().second(spec, irreversible).map(str::to_owned);
        let why = why.or_else(|| preview.second.as_deref().map(clean_line))?;
        Some(SecondPerson {
            asker: self.asker(),
            why,
        })
    }

    /// The sentence that says why an approved call is asked for again, from the tool if it knows
    /// what has changed.
    fn drifted(&self, call: &Call, now: &Preview) -> String {
        let tool = self.facts.tools.get(&call.name);
        let asked = call.asked.as_deref();
        let known = tool
            .zip(asked)
            .and_then(|(tool, asked)| tool.tool.drift(&asked.facts, now));
        match known {
            Some(sentence) => clean_line(&texts::gate::approval_is_needed_again(&sentence)),
            None => texts::gate::CHANGED_SINCE_SHOWN.to_owned(),
        }
    }

    /// The digest of exactly what a card offers to run.
    pub(super) fn digest(&self, call: &Call, input: &Value, preview: &Preview) -> String {
        BoundCall {
            tool: &call.name,
            input,
            target: &preview.target,
            state: &preview.state,
            sections: &preview.sections,
            shown: preview.shown.as_ref(),
            policy: &self.facts.live.config.policy,
        }
        .digest()
    }

    /// The record of a new card for a call.
    pub(super) fn question(
        &self,
        turn: TurnId,
        call: &Call,
        card: &Card<'_>,
        why: Why,
    ) -> NewRecord {
        let Card {
            input,
            preview,
            judgement,
        } = *card;
        // All text on a card is cleaned: it comes from the tool and the model, and a person decides
        // by it. The digest covers what will run, and the revision tells this card from those
        // before it.
        let second = self.second(call, preview);
        let grants = &self.policy().grants;
        let tool = self.facts.tools.get(&call.name);
        let choices: Vec<Choice> = tool.as_ref().map_or_else(Vec::new, |tool| {
            let chosen = |choice: &Choice| Choice {
                chosen: input.get(&choice.name) == Some(&Value::Bool(true)),
                ..choice.clone()
            };
            tool.spec.choices.iter().map(chosen).collect()
        });
        let mut risks = match &judgement.verdict {
            Gate::Confirm { risks } => risks.clone(),
            _ => Vec::new(),
        };
        risks.extend(self.waits_too(call, preview));
        let ttl = i64::try_from(self.facts.live.config.confirmation_ttl.as_millis());
        let confirmation = Confirmation {
            revision: call.asked.as_ref().map_or(0, |asked| asked.revision) + 1,
            digest: self.digest(call, input, preview),
            sentence: clean_line(&preview.sentence),
            target: clean_line(&preview.target),
            tier: judgement.tier.unwrap_or(Tier::Red),
            input: input.clone(),
            shown: preview.shown.clone(),
            original: (*input != call.input).then(|| call.input.clone()),
            facts: preview
                .facts
                .iter()
                .map(|fact| protocol::Fact {
                    label: clean_line(&fact.label),
                    value: clean_line(&fact.value),
                })
                .collect(),
            origins: judgement.shown_origins(),
            risks,
            risk: CardRisk::of(preview.risks.clone()),
            sections: preview.sections.clone(),
            said: preview.said.iter().map(|&name| name.to_owned()).collect(),
            reason: call.reason.as_deref().map(reason),
            irreversible: preview.irreversible.as_deref().map(clean_line),
            // A person's own call happens once: a grant would have no other call to cover.
            grantable: !call.own
                && grants.allowed
                && preview.grantable
                && second.is_none()
                && !matches!(preview.assurance, Assurance::Type { .. })
                && choices.iter().all(|choice| !choice.chosen),
            grant_limit: Some(grants.limit()).filter(|limit| *limit != MOST_GRANTED),
            choices,
            // Another target is another call: instead of editing an own call, one makes another.
            editable: tool
                .filter(|_| !call.own)
                .map_or_else(Vec::new, |tool| input_edit::names(&tool.spec, input)),
            assurance: preview.assurance.clone(),
            expires: Timestamp(self.now.0.saturating_add(ttl.unwrap_or(i64::MAX))),
            changed: match why {
                Why::New => None,
                Why::Edited => Some(texts::gate::INPUT_WAS_CHANGED.to_owned()),
                Why::Drifted => Some(self.drifted(call, preview)),
            },
            second,
        };
        call.ask(turn, confirmation)
    }

    /// A sentence about another card that waits for a decision on the same target.
    fn waits_too(&self, call: &Call, preview: &Preview) -> Option<String> {
        let target = clean_line(&preview.target);
        let own = self.objects(call);
        let is_same = |other: &Call| {
            // What is only made has no name yet: then the things that it is about tell.
            let others = self.objects(other);
            others.is_subset(&own) || own.is_subset(&others)
        };
        let others = self.conversation.waiting().map(|(other, _)| other);
        let mut others = others.filter(|other| other.id != call.id && is_same(other));
        let asked = others.find_map(|other| {
            let asked = other.asked.as_deref()?;
            (asked.target == target).then_some(asked)
        })?;
        Some(texts::gate::another_waits(&target, &asked.sentence))
    }

    /// The things that a call is about, as its tool names them.
    fn objects(&self, call: &Call) -> BTreeSet<String> {
        let tool = self.facts.tools.get(&call.name);
        let objects = tool.map(|tool| tool.tool.objects(call.effective_input()));
        objects.unwrap_or_default().into_iter().collect()
    }

    /// True if the policy in force wants two persons for the call of a card, or if its tool is
    /// gone.
    pub(super) fn takes_two(&self, call: &Call, asked: &Confirmation) -> bool {
        let Some(tool) = self.facts.tools.get(&call.name) else {
            return true;
        };
        let spec = &tool.spec;
        let irreversible = asked.irreversible.as_deref();
        let irreversible = is_irreversible(spec, irreversible, &asked.assurance);
        self.policy().second(spec, irreversible).is_some()
    }
}

/// The model's text before a call, as a card shows it.
fn reason(text: &str) -> String {
    let mut text = clean_text(text);
    if text.len() > MAX_REASON {
        text.truncate(text.floor_char_boundary(MAX_REASON));
        text.push('…');
    }
    text
}
