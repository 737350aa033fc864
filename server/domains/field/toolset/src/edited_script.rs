//! A script that a person wrote: judged as its run would be, and with tokens in place of values.

use field_package::steps::ProbeStep;
use protocol::ErrorBody;

use crate::{
    judged::{JudgedScript, PersonWords, free_script, line_of},
    parts::{FieldParts, bad_input},
    ports::{FieldMemory, KnownDevice, StoredScript, TokenRule},
    real_script::{HIDDEN_SLOTS, RealScript},
    texts::propose as say,
};

/// The person who writes a version.
pub(crate) struct EditAuthor {
    pub(crate) name: String,
    /// The values that are theirs.
    pub(crate) words: PersonWords,
}

/// A script of a person that the policy does not refuse.
pub(crate) struct CheckedEdit {
    pub(crate) script: StoredScript,
    /// As sh, with tokens where the script has them.
    pub(crate) rendering: String,
    /// As sh, with real values: for the policy alone.
    pub(crate) real: String,
    pub(crate) judged: JudgedScript,
}

impl CheckedEdit {
    /// Restores and judges a script for a device, from memory alone.
    ///
    /// # Errors
    /// One text for the person, with the lines or steps that it is about.
    pub(crate) fn of(
        parts: &FieldParts,
        device: &KnownDevice,
        script: StoredScript,
        author: &EditAuthor,
    ) -> Result<Self, ErrorBody> {
        let memory = &*parts.ports.memory;
        let (rendering, real, judged) = match &script {
            StoredScript::Steps {
                steps,
                stop_on_failure,
            } => {
                let real = RealScript::restore(memory, &device.site, steps, *stop_on_failure);
                let real = real.map_err(bad_input)?;
                let words = &author.words;
                // It has not run in this form, as far as a new version goes.
                let judged = JudgedScript::of_steps(parts, &device.id, &real.script, words, true)?;
                (real.covered_text(), real.text(), judged)
            }
            StoredScript::Sh { text } => {
                // Its size and hidden characters come first: nothing else reads the text before.
                free_script(text, Some(&author.name))?;
                let real = restored(memory, &device.site, text)?;
                let free = free_script(&real, Some(&author.name))?;
                let judged = JudgedScript::of_free(parts, &device.id, &free, true)?;
                (text.clone(), real, judged)
            }
        };
        let refusals = judged.report.refusals.iter().map(|refusal| {
            let place = place(&script, line_of(&real, &refusal.span));
            say::refused(&place, refusal.rule.sentence(), refusal.rule.by())
        });
        let refusals: Vec<_> = refusals.collect();
        if !refusals.is_empty() {
            return Err(bad_input(refusals.join(" ")));
        }
        Ok(Self {
            script,
            rendering,
            real,
            judged,
        })
    }

    pub(crate) fn is_free(&self) -> bool {
        matches!(self.script, StoredScript::Sh { .. })
    }

    /// Replaces the values that people hide by tokens. What runs stays the same to the byte: a text in
    /// which a secret would be lost, or an address would get another spelling, is refused.
    pub(crate) async fn covered(
        self,
        parts: &FieldParts,
        device: &KnownDevice,
        author: &EditAuthor,
    ) -> Result<Self, ErrorBody> {
        let site = device.site.as_str();
        let script = match &self.script {
            StoredScript::Steps {
                steps,
                stop_on_failure,
            } => StoredScript::Steps {
                steps: covered_steps(parts, site, steps).await?,
                stop_on_failure: *stop_on_failure,
            },
            StoredScript::Sh { text } => {
                let texts = vec![text.clone()];
                let values = &parts.ports.values;
                let covered = values.cover(Some(site), texts, TokenRule::Keep).await?;
                StoredScript::Sh {
                    text: covered.into_iter().next().unwrap_or_default(),
                }
            }
        };
        let covered = Self::of(parts, device, script, author)?;
        if covered.real == self.real {
            return Ok(covered);
        }
        let mut lines = self.real.split('\n').zip(covered.real.split('\n'));
        let line = lines.position(|(one, other)| one != other);
        let place = place(&self.script, number(line.unwrap_or_default()));
        Err(bad_input(say::not_as_written(&place)))
    }
}

/// Steps with tokens in place of the values of a site that people hide.
pub(crate) async fn covered_steps(
    parts: &FieldParts,
    site: &str,
    steps: &[ProbeStep],
) -> Result<Vec<ProbeStep>, ErrorBody> {
    let places = steps.iter().enumerate().flat_map(|(at, step)| {
        let slots = HIDDEN_SLOTS.into_iter();
        slots.filter_map(move |slot| Some((at, slot, step.value(slot)?)))
    });
    let places: Vec<_> = places.collect();
    let texts = places.iter().map(|(.., text)| text.clone()).collect();
    let values = &parts.ports.values;
    let covered = values.cover(Some(site), texts, TokenRule::Keep).await?;
    let mut steps = steps.to_vec();
    for ((at, slot, _), text) in places.into_iter().zip(covered) {
        if let Some(step) = steps.get_mut(at) {
            *step = step.clone().with(slot, &text);
        }
    }
    Ok(steps)
}

/// Free sh with real values.
fn restored(memory: &dyn FieldMemory, site: &str, text: &str) -> Result<String, ErrorBody> {
    memory.restore(site, text).map_err(|refusal| {
        let why = refusal.to_string();
        let mut lines = text.split('\n');
        let line = lines.position(|line| memory.restore(site, line).is_err());
        bad_input(match line {
            Some(at) => say::about(&say::line(number(at)), &why),
            None => why,
        })
    })
}

/// The words for a line of the real text: the step in it, or the line of what the person wrote.
fn place(script: &StoredScript, line: u32) -> String {
    match script {
        StoredScript::Steps {
            stop_on_failure, ..
        } => {
            // The rendering begins with the interpreter, and with the rule about failures.
            let before = 1 + u32::from(*stop_on_failure);
            say::step(line.saturating_sub(before))
        }
        StoredScript::Sh { .. } => say::line(line),
    }
}

/// The number of a line, from 1.
fn number(at: usize) -> u32 {
    u32::try_from(at).map_or(u32::MAX, |at| at.saturating_add(1))
}
