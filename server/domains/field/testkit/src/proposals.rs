//! Proposals.

use async_trait::async_trait;
use field::ports::{
    FieldFault, FieldFaultCode, FieldProposals, ProposalDraft, ProposalHead, ProposalKept,
    ScriptCheck, ScriptVersion,
};

use crate::{
    MemoryField,
    state::{FieldState, KeptProposal},
};

#[async_trait]
impl FieldProposals for MemoryField {
    async fn proposal(&self, id: &str) -> Result<Option<ProposalHead>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            Ok(kept(state, id).map(|it| it.head.clone()))
        })
    }

    async fn proposals(&self, device: &str, limit: u32) -> Result<Vec<ProposalHead>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let all = state.proposals.iter().rev().map(|it| &it.head);
            let of_device = all.filter(|head| head.device == device);
            Ok(of_device.take(limit as usize).cloned().collect())
        })
    }

    async fn version(&self, id: &str, version: u64) -> Result<Option<ScriptVersion>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let versions = kept(state, id).map(|it| it.versions.iter());
            let mut versions = versions.into_iter().flatten();
            Ok(versions.find(|it| it.version == version).cloned())
        })
    }

    async fn propose(&self, draft: &ProposalDraft) -> Result<ProposalKept, FieldFault> {
        let now = self.env.now();
        self.change(|state| {
            state.storage()?;
            if let Some((id, version)) = state.causes.get(&draft.cause).cloned() {
                let proposal = kept(state, &id).expect("what a cause made").head.clone();
                return Ok(ProposalKept {
                    proposal,
                    version,
                    is_repeated: true,
                });
            }
            let device = state.devices.iter().find(|it| it.id == draft.device);
            let device = device.ok_or(FieldFaultCode::UnknownDevice)?;
            let site = device.site.clone();
            let id = match &draft.of {
                None => {
                    let id = state.id("pro_");
                    state.proposals.push(KeptProposal {
                        head: ProposalHead {
                            id: id.clone(),
                            site,
                            device: draft.device.clone(),
                            title: draft.title.clone(),
                            head: 0,
                            changed: now,
                        },
                        versions: Vec::new(),
                    });
                    id
                }
                Some((id, head)) => {
                    let known = kept(state, id).ok_or(FieldFaultCode::UnknownProposal)?;
                    if known.head.head != *head {
                        return Err(FieldFaultCode::NewerVersion.into());
                    }
                    id.clone()
                }
            };
            let all = state.proposals.iter_mut();
            let mut found = all.filter(|it| it.head.id == id);
            let proposal = found.next().expect("it was made a moment ago");
            proposal.head.head += 1;
            proposal.head.title = draft.title.clone();
            proposal.head.changed = now;
            let head = proposal.head.clone();
            proposal.versions.push(ScriptVersion {
                proposal: id.clone(),
                version: head.head,
                script: draft.script.clone(),
                why: draft.why.clone(),
                expect: draft.expect.clone(),
                made_by: draft.made_by.clone(),
                made: now,
                check: draft.check.clone(),
            });
            let mut devices = state.devices.iter_mut();
            if let Some(device) = devices.find(|it| it.id == head.device) {
                device.proposed += 1;
            }
            state.causes.insert(draft.cause.clone(), (id, head.head));
            Ok(ProposalKept {
                version: head.head,
                proposal: head,
                is_repeated: false,
            })
        })
    }

    async fn keep_check(
        &self,
        id: &str,
        version: u64,
        check: &ScriptCheck,
    ) -> Result<(), FieldFault> {
        self.change(|state| {
            state.storage()?;
            let all = state.proposals.iter_mut();
            let versions = all.filter(|it| it.head.id == id);
            let mut versions = versions.flat_map(|it| it.versions.iter_mut());
            let known = versions.find(|it| it.version == version);
            known.ok_or(FieldFaultCode::UnknownProposal)?.check = check.clone();
            Ok(())
        })
    }

    async fn last_version_that_ran(&self, id: &str) -> Result<Option<u64>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let ran = state.runs.iter().rev().filter(|run| run.started.is_some());
            let mut versions = ran.filter_map(|run| run.proposal.as_ref());
            let of = versions.find(|(proposal, _)| proposal == id);
            Ok(of.map(|(_, version)| *version))
        })
    }
}

fn kept<'a>(state: &'a FieldState, id: &str) -> Option<&'a KeptProposal> {
    state.proposals.iter().find(|it| it.head.id == id)
}
