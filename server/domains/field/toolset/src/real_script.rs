//! Steps with real values: restored on the server for the policy, the card and the device.
//!
//! A refusal is for the model as well, so it quotes what was written and never what a token stands for.

use std::collections::BTreeSet;

use field_package::{
    script::{ProbeScript, ScriptRefusal},
    steps::{ProbeStep, StepRefusal, StepSlot},
};
use field_redaction::live_tokens;

use crate::{ports::FieldMemory, texts::scripts as say};

/// Slots whose values may be hidden. Names of interfaces are not.
pub(crate) const HIDDEN_SLOTS: [StepSlot; 5] = [
    StepSlot::Target,
    StepSlot::Name,
    StepSlot::Server,
    StepSlot::Url,
    StepSlot::Network,
];

/// A script with real values, and as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RealScript {
    pub(crate) script: ProbeScript,
    /// With tokens. As many as the script has.
    pub(crate) written: Vec<ProbeStep>,
}

impl RealScript {
    /// Replaces tokens by the values of a site, and checks all steps.
    ///
    /// # Errors
    /// One sentence without a hidden value.
    pub(crate) fn restore(
        memory: &dyn FieldMemory,
        site: &str,
        steps: &[ProbeStep],
        stop_on_failure: bool,
    ) -> Result<Self, String> {
        let mut real = Vec::with_capacity(steps.len());
        for (at, step) in steps.iter().enumerate() {
            let restored = restored(memory, site, step);
            real.push(restored.map_err(|why| say::step(at + 1, &why))?);
        }
        let script = ProbeScript::new(&real, stop_on_failure);
        let script = script.map_err(|refusal| as_written(&refusal, steps))?;
        Ok(Self {
            script,
            written: steps.to_vec(),
        })
    }

    /// The script as sh with real values, for people.
    pub(crate) fn text(&self) -> String {
        self.script.render().text
    }

    /// The script as sh with tokens, for the model.
    pub(crate) fn covered_text(&self) -> String {
        let rendered = self.script.render();
        let mut text = rendered.text;
        let steps = rendered.steps.iter().zip(self.script.steps());
        let steps: Vec<_> = steps.zip(&self.written).collect();
        // From the end, so that earlier places stay where they are.
        for ((place, real), written) in steps.into_iter().rev() {
            for (slot, span) in place.values.iter().rev() {
                let values = real.step().value(*slot).zip(written.value(*slot));
                if let Some((value, token)) = values
                    && value != token
                    && let Some(word) = text.get(span.clone())
                {
                    let word = word.replace(&value, &token);
                    text.replace_range(span.clone(), &word);
                }
            }
        }
        text
    }

    /// The text that was written where a step has this value, if that is another one.
    pub(crate) fn token_of(&self, step: usize, value: &str) -> Option<String> {
        let real = self.script.steps().get(step)?.step();
        let written = self.written.get(step)?;
        HIDDEN_SLOTS.into_iter().find_map(|slot| {
            let (value_here, token) = real.value(slot).zip(written.value(slot))?;
            (value_here != token && value_here.contains(value)).then_some(token)
        })
    }

    /// The tokens in all steps, each once.
    pub(crate) fn tokens(&self) -> Vec<String> {
        let values = self.written.iter().flat_map(|step| {
            let values = HIDDEN_SLOTS.into_iter();
            values.filter_map(|slot| step.value(slot))
        });
        let tokens: BTreeSet<_> = values.flat_map(|text| tokens_in(&text)).collect();
        tokens.into_iter().collect()
    }
}

/// The tokens in a text that values take the place of.
pub(crate) fn tokens_in(text: &str) -> Vec<String> {
    let tokens = live_tokens(text).into_iter();
    tokens.map(|token| token.to_string()).collect()
}

fn restored(memory: &dyn FieldMemory, site: &str, step: &ProbeStep) -> Result<ProbeStep, String> {
    let mut real = step.clone();
    for slot in HIDDEN_SLOTS {
        if let Some(written) = step.value(slot) {
            let value = memory.restore(site, &written);
            real = real.with(slot, &value.map_err(|refusal| refusal.to_string())?);
        }
    }
    Ok(real)
}

/// A refusal in the words of whoever wrote the steps.
fn as_written(refusal: &ScriptRefusal, steps: &[ProbeStep]) -> String {
    match refusal {
        ScriptRefusal::Step {
            at,
            refusal: StepRefusal::Value {
                row, slot, form, ..
            },
        } => {
            let step = at.checked_sub(1).and_then(|at| steps.get(at));
            let written = step.and_then(|step| step.value(*slot));
            let written = written.unwrap_or_default();
            say::step(*at, &say::value(row, slot.word(), &written, form))
        }
        // None of the others quotes a value.
        ScriptRefusal::Step { .. }
        | ScriptRefusal::Count { .. }
        | ScriptRefusal::Seconds { .. }
        | ScriptRefusal::Line { .. } => say::sentence(&refusal.to_string()),
        _ => say::NOT_POSSIBLE.to_owned(),
    }
}
