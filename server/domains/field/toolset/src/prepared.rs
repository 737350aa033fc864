//! A run as it would be queued now: read, restored, judged, and bound into its core.

use std::collections::BTreeSet;

use agent::ports::{Approval, ToolCall};
use field_package::{
    policy::RiskLevel,
    script::{ProbeScript, StepsPayload},
    steps::{ProbeStep, StepSlot},
};
use protocol::{ErrorBody, Timestamp};

use crate::{
    judged::{JudgedScript, PersonWords, free_script},
    parts::{FieldParts, bad_input, fault},
    ports::{
        FieldFaultCode, KnownDevice, ProposalHead, RunOrder, ScriptAuthor, ScriptVersion,
        StoredScript,
    },
    real_script::{RealScript, tokens_in},
    run_core::{RunCore, RunTarget},
    texts::scripts as say,
};

/// A run that could be queued now.
pub(crate) struct PreparedRun {
    pub(crate) device: KnownDevice,
    /// None for a probe.
    pub(crate) source: Option<RunSource>,
    /// As sh, with real values.
    pub(crate) text: String,
    /// The same of the version that ran last, if that is another one.
    pub(crate) before: Option<String>,
    /// Restored steps; none for free sh.
    pub(crate) real: Option<RealScript>,
    pub(crate) judged: JudgedScript,
    pub(crate) core: RunCore,
    pub(crate) is_first: bool,
    /// The tokens that were replaced by values.
    pub(crate) tokens: Vec<String>,
}

/// The proposal that a run is made from.
pub(crate) struct RunSource {
    pub(crate) head: ProposalHead,
    pub(crate) version: ScriptVersion,
    /// The values of its steps that are its author's.
    pub(crate) words: PersonWords,
}

/// A stored script with real values.
struct RestoredScript {
    text: String,
    real: Option<RealScript>,
    tokens: Vec<String>,
}

impl PreparedRun {
    /// The run of a version of a proposal on its device.
    pub(crate) async fn of_proposal(
        parts: &FieldParts,
        proposal: &str,
        version: u64,
        device: &str,
    ) -> Result<Self, ErrorBody> {
        let device = parts.adopted(device)?;
        let source = source(parts, proposal, version).await?;
        if source.head.device != device.id || source.head.site != device.site {
            return Err(bad_input(say::OTHER_DEVICE));
        }
        let script = &source.version.script;
        let restored = RestoredScript::of(parts, &device.site, script)?;
        let before = before(parts, &source, &device.site).await?;
        let mut run = match script {
            StoredScript::Steps { .. } => {
                let real = restored.real.ok_or_else(|| bad_input(say::NOT_POSSIBLE))?;
                let payload = StepsPayload::bytes(&real.script);
                let is_first = is_first(parts, &device.id, &payload).await?;
                Self::of_steps(parts, device, real, &source.words, is_first)?
            }
            StoredScript::Sh { .. } => {
                let author = source.version.made_by.person();
                Self::of_free(parts, device, restored.text, author).await?
            }
        };
        run.before = before;
        run.tokens = restored.tokens;
        run.source = Some(source);
        Ok(run)
    }

    /// The run of one step.
    pub(crate) async fn of_probe(
        parts: &FieldParts,
        device: &str,
        step: &ProbeStep,
    ) -> Result<Self, ErrorBody> {
        let device = parts.adopted(device)?;
        let steps = std::slice::from_ref(step);
        let real = RealScript::restore(&*parts.ports.memory, &device.site, steps, true);
        let real = real.map_err(bad_input)?;
        let tokens = real.tokens();
        // The gate asks for each value that is not the person's.
        let mut run = Self::of_steps(parts, device, real, &PersonWords::All, false)?;
        if run.judged.report.level > RiskLevel::Low {
            return Err(bad_input(say::PROBE_ABOVE_LOW));
        }
        run.tokens = tokens;
        Ok(run)
    }

    fn of_steps(
        parts: &FieldParts,
        device: KnownDevice,
        real: RealScript,
        words: &PersonWords,
        is_first: bool,
    ) -> Result<Self, ErrorBody> {
        let judged = JudgedScript::of_steps(parts, &device.id, &real.script, words, is_first)?;
        let text = real.text();
        allowed(&judged, &text)?;
        let core = RunCore::of_steps(
            &target(&device),
            &real.script,
            &judged.facts,
            &judged.report,
        );
        Ok(Self {
            core: core.map_err(|_| bad_input(say::NOT_POSSIBLE))?,
            device,
            source: None,
            text,
            before: None,
            real: Some(real),
            judged,
            is_first,
            tokens: Vec::new(),
        })
    }

    async fn of_free(
        parts: &FieldParts,
        device: KnownDevice,
        text: String,
        author: Option<&str>,
    ) -> Result<Self, ErrorBody> {
        let script = free_script(&text, author)?;
        let is_first = is_first(parts, &device.id, text.as_bytes()).await?;
        let judged = JudgedScript::of_free(parts, &device.id, &script, is_first)?;
        allowed(&judged, &text)?;
        let core = RunCore::of_free(&target(&device), &script, &judged.facts, &judged.report);
        Ok(Self {
            core: core.map_err(|_| bad_input(say::NOT_POSSIBLE))?,
            device,
            source: None,
            text,
            before: None,
            real: None,
            judged,
            is_first,
            tokens: Vec::new(),
        })
    }

    /// The order for the queue. `claim_until`: the time until which the device may take it.
    pub(crate) fn into_order(
        self,
        call: &ToolCall,
        approval: Approval,
        claim_until: Timestamp,
    ) -> RunOrder {
        RunOrder {
            call: call.id,
            title: self.title(),
            steps: self.written(),
            proposal: self
                .source
                .map(|source| (source.version.proposal, source.version.version)),
            approval,
            person: call.origin.person,
            claim_until,
            core: self.core,
        }
    }

    /// The steps with tokens, for results.
    pub(crate) fn written(&self) -> Vec<ProbeStep> {
        let real = self.real.as_ref();
        real.map_or_else(Vec::new, |real| real.written.clone())
    }

    /// Its name for lists: the title of the proposal, or the row of the probe.
    pub(crate) fn title(&self) -> String {
        match (&self.source, &self.real) {
            (Some(source), _) => source.head.title.clone(),
            (None, Some(real)) => {
                let row = real.script.steps().first();
                row.map_or_else(String::new, |step| step.step().run.word().to_owned())
            }
            (None, None) => String::new(),
        }
    }
}

impl RunSource {
    /// The policy's word on the version as things are now, with its text as sh in real values.
    ///
    /// # Errors
    /// One sentence without a hidden value: it cannot be restored or judged.
    pub(crate) async fn judged(
        &self,
        parts: &FieldParts,
    ) -> Result<(JudgedScript, String), String> {
        self.judge(parts).await.map_err(|error| error.message)
    }

    async fn judge(&self, parts: &FieldParts) -> Result<(JudgedScript, String), ErrorBody> {
        let (head, version) = (&self.head, &self.version);
        let restored = RestoredScript::of(parts, &head.site, &version.script)?;
        let device = &head.device;
        // A device that is gone has no networks to judge by.
        let judged = match &restored.real {
            Some(real) => {
                let payload = StepsPayload::bytes(&real.script);
                let is_first = is_first(parts, device, &payload).await?;
                JudgedScript::of_steps(parts, device, &real.script, &self.words, is_first)?
            }
            None => {
                let script = free_script(&restored.text, version.made_by.person())?;
                let is_first = is_first(parts, device, restored.text.as_bytes()).await?;
                JudgedScript::of_free(parts, device, &script, is_first)?
            }
        };
        Ok((judged, restored.text))
    }
}

impl RestoredScript {
    fn of(parts: &FieldParts, site: &str, script: &StoredScript) -> Result<Self, ErrorBody> {
        let memory = &*parts.ports.memory;
        match script {
            StoredScript::Steps {
                steps,
                stop_on_failure,
            } => {
                let real = RealScript::restore(memory, site, steps, *stop_on_failure);
                let real = real.map_err(bad_input)?;
                Ok(Self {
                    text: real.text(),
                    tokens: real.tokens(),
                    real: Some(real),
                })
            }
            StoredScript::Sh { text } => {
                let real = memory.restore(site, text);
                Ok(Self {
                    text: real.map_err(|refusal| bad_input(refusal.to_string()))?,
                    tokens: BTreeSet::from_iter(tokens_in(text)).into_iter().collect(),
                    real: None,
                })
            }
        }
    }
}

/// A version of a proposal.
pub(crate) async fn source(
    parts: &FieldParts,
    proposal: &str,
    version: u64,
) -> Result<RunSource, ErrorBody> {
    let proposals = &parts.ports.proposals;
    let unknown = || fault(FieldFaultCode::UnknownProposal);
    let head = proposals.proposal(proposal).await?.ok_or_else(unknown)?;
    let version = proposals.version(proposal, version).await?;
    let version = version.ok_or_else(unknown)?;
    let words = match version.made_by {
        ScriptAuthor::Person(_) => person_words(parts, &head, version.version).await?,
        ScriptAuthor::Model | ScriptAuthor::Program => PersonWords::None,
    };
    Ok(RunSource {
        head,
        version,
        words,
    })
}

/// The words of a person who writes a version: none of the values of earlier versions that are not a
/// person's.
pub(crate) async fn person_words(
    parts: &FieldParts,
    head: &ProposalHead,
    version: u64,
) -> Result<PersonWords, ErrorBody> {
    let mut others = BTreeSet::new();
    for before in 1..version {
        let before = parts.ports.proposals.version(&head.id, before).await?;
        let before = before.filter(|it| it.made_by.person().is_none());
        let Some(StoredScript::Steps {
            steps,
            stop_on_failure,
        }) = before.map(|it| it.script)
        else {
            continue;
        };
        // With the hosts in addresses: another path behind one is no choice of it.
        let memory = &*parts.ports.memory;
        if let Ok(real) = RealScript::restore(memory, &head.site, &steps, stop_on_failure) {
            for step in real.script.steps() {
                let contacts = step.contacts().into_iter();
                others.extend(contacts.map(|contact| contact.to.to_string()));
            }
        }
        for step in &steps {
            let values = StepSlot::ALL.iter().filter_map(|slot| step.value(*slot));
            // A token of which nothing is known stands for no value that a script could have.
            let real = values.filter_map(|it| parts.ports.memory.restore(&head.site, &it).ok());
            others.extend(real);
        }
    }
    Ok(PersonWords::AllBut(others))
}

/// The text of the version that ran last, if it is another one.
async fn before(
    parts: &FieldParts,
    source: &RunSource,
    site: &str,
) -> Result<Option<String>, ErrorBody> {
    let proposals = &parts.ports.proposals;
    let last = proposals.last_version_that_ran(&source.head.id).await?;
    let Some(last) = last.filter(|last| *last != source.version.version) else {
        return Ok(None);
    };
    let Some(version) = proposals.version(&source.head.id, last).await? else {
        return Ok(None);
    };
    // One that cannot be restored any more is no reason to refuse the new one.
    let restored = RestoredScript::of(parts, site, &version.script).ok();
    Ok(restored.map(|script| script.text))
}

async fn is_first(parts: &FieldParts, device: &str, payload: &[u8]) -> Result<bool, ErrorBody> {
    let digest = field_package::ids::Sha256Hex::digest(payload);
    let has = parts
        .ports
        .runs
        .has_ended_on(device, digest.as_str())
        .await?;
    Ok(!has)
}

fn allowed(judged: &JudgedScript, text: &str) -> Result<(), ErrorBody> {
    match judged.refusal(text) {
        Some(why) => Err(bad_input(why)),
        None => Ok(()),
    }
}

fn target(device: &KnownDevice) -> RunTarget<'_> {
    RunTarget {
        device: &device.id,
        fingerprint: &device.fingerprint,
        site: &device.site,
    }
}

/// True if a step needs nothing that only a proposal may ask for.
pub(crate) fn is_plain(script: &ProbeScript) -> bool {
    use field_package::steps::RowClass;
    let mut steps = script.steps().iter();
    steps.all(|step| step.row().class != RowClass::Raw)
}
