//! Acts of people on devices, for the toolset.

use std::sync::Arc;

use async_trait::async_trait;
use field::field_package::ids::SiteId;
use field::ports::{
    DeviceAdministration, DeviceStanding, DeviceWish, EnrolmentNote, EnrolmentWish, FieldFault,
    FieldFaultCode, IssuedToken, KeyFacts, KnownDevice, ResolutionNote, ResolveOrder,
    RetiredDevice, RunResolution, SigningKeyFacts, StandingChange, WishedSite,
};
use field_tables::{
    DeviceChange, DeviceEdit, DeviceState, Enrolment, HistoryAction, JobResolution, NewFieldSite,
    ResolveOutcome,
};
use protocol::{CallId, Timestamp, UserId};

use super::devices::standing;
use super::faults::{fault, stored};
use super::records::{damaged, resolution};
use super::{FieldBackend, INSTALLATION};
use crate::enrolment::EnrolmentOrder;
use crate::ids::derived_id;
use crate::keys::SigningRole;

/// Characters of a site's identifier that come from its name.
const MOST_OF_NAME: usize = 30;
/// Identifiers of sites that are tried for one name, and changes of a device that others change as well.
const TRIES: u32 = 100;
/// Rows of the history of one run or device that are read.
const ROWS: u32 = 50;

#[async_trait]
impl DeviceAdministration for FieldBackend {
    async fn may_act(&self, person: UserId) -> bool {
        // The same role: whoever acts may see what it acts on.
        self.parts.rights.may_see_values(person).await
    }

    async fn person_name(&self, person: UserId) -> Option<String> {
        self.parts.rights.name(person).await
    }

    async fn issue(&self, wish: &EnrolmentWish) -> Result<IssuedToken, FieldFault> {
        let by = wish.person.to_string();
        let site = match &wish.site {
            WishedSite::Known(site) => site.clone(),
            WishedSite::New(name) => self.new_site(name, &by).await?,
        };
        let order = EnrolmentOrder {
            site,
            name: wish.name.clone(),
            hours: wish.hours,
            by,
        };
        let id = enrolment_id(wish.call);
        let made = self.dispatch.make_enrolment_as(id, &order).await;
        let made = made.map_err(fault(FieldFaultCode::Storage))?;
        self.show_now().await;
        Ok(IssuedToken {
            enrolment: made.id,
            token: made.token,
            expires: Timestamp(made.expires_ms),
        })
    }

    async fn enrolment_of(&self, call: CallId) -> Result<Option<EnrolmentNote>, FieldFault> {
        self.enrolment(&enrolment_id(call)).await
    }

    async fn enrolment(&self, id: &str) -> Result<Option<EnrolmentNote>, FieldFault> {
        match self.tables().enrolment(id).await.map_err(stored)? {
            Some(found) => Ok(Some(self.note(found).await)),
            None => Ok(None),
        }
    }

    async fn open_enrolments(&self) -> Result<Vec<EnrolmentNote>, FieldFault> {
        let now = self.dispatch.now_ms();
        let mut open = Vec::new();
        for site in self.tables().sites().await.map_err(stored)? {
            let of_site = self.tables().enrolments(&site.id).await.map_err(stored)?;
            open.extend(of_site.into_iter().filter(|it| {
                it.used_ms.is_none() && it.withdrawn_ms.is_none() && it.expires_ms > now
            }));
        }
        open.sort_by_key(|it| std::cmp::Reverse(it.created_ms));
        let mut notes = Vec::with_capacity(open.len());
        for enrolment in open {
            notes.push(self.note(enrolment).await);
        }
        Ok(notes)
    }

    async fn withdraw(&self, id: &str, person: UserId) -> Result<EnrolmentNote, FieldFault> {
        let by = person.to_string();
        let withdrawn = self.dispatch.withdraw_enrolment(id, &by).await;
        withdrawn.map_err(fault(FieldFaultCode::UnknownEnrolment))?;
        let now = self.enrolment(id).await?;
        now.ok_or(FieldFault::new(FieldFaultCode::UnknownEnrolment))
    }

    async fn change_standing(
        &self,
        device: &str,
        change: &StandingChange,
        person: UserId,
    ) -> Result<DeviceStanding, FieldFault> {
        let by = person.to_string();
        let dispatch = &self.dispatch;
        let changed = match change {
            StandingChange::Adopt { fingerprint } => {
                dispatch.adopt_device(device, fingerprint, &by).await
            }
            StandingChange::Suspend { reason } => {
                dispatch.suspend_device(device, reason, &by).await
            }
            StandingChange::Resume => dispatch.resume_device(device, &by).await,
            StandingChange::Retire { reason } => dispatch.retire_device(device, reason, &by).await,
        };
        let changed = changed.map_err(fault(FieldFaultCode::UnknownDevice))?;
        let (DeviceChange::Changed(now) | DeviceChange::Unchanged(now)) = changed;
        self.show_now().await;
        Ok(standing(now.state))
    }

    async fn retired(&self, device: &str) -> Result<Option<RetiredDevice>, FieldFault> {
        let known = self.tables().device(device).await.map_err(stored)?;
        let Some(known) = known.filter(|it| it.state == DeviceState::Retired) else {
            return Ok(None);
        };
        // Nothing happens to it afterwards, so the act is among the newest.
        let rows = self.tables().history(Some(device), None, ROWS).await;
        let rows = rows.map_err(stored)?.into_iter();
        let mut acts = rows.filter(|row| row.action == HistoryAction::DeviceRetired);
        let Some(act) = acts.next() else {
            return Ok(None);
        };
        let shown = {
            let mut memory = self.memory.lock().await;
            self.known_device(&known, &mut memory).await?
        };
        Ok(Some(RetiredDevice {
            // Nobody looks after what is wrong with it.
            device: KnownDevice {
                is_online: false,
                attention: Vec::new(),
                ..shown
            },
            by: self.name_of(&act.actor).await,
            at: Timestamp(act.at_ms),
            reason: act.detail["reason"].as_str().unwrap_or_default().to_owned(),
        }))
    }

    async fn edit_device(
        &self,
        device: &str,
        wish: &DeviceWish,
        person: UserId,
    ) -> Result<(), FieldFault> {
        let by = person.to_string();
        for _ in 0..TRIES {
            let known = self.tables().device(device).await.map_err(stored)?;
            let known = known.ok_or(FieldFault::new(FieldFaultCode::UnknownDevice))?;
            let edit = DeviceEdit {
                name: wish.name.clone().unwrap_or_else(|| known.name.clone()),
                tags: wish.tags(&known.tags),
            };
            if edit.name == known.name && edit.tags == known.tags {
                return Ok(());
            }
            if known.state == DeviceState::Retired {
                break;
            }
            let version = known.version;
            let edited = self.dispatch.edit_device(device, version, &edit, &by).await;
            let edited = edited.map_err(fault(FieldFaultCode::UnknownDevice))?;
            // Else somebody changed it meanwhile, and the wish is for what it is now.
            if let DeviceChange::Changed(_) = edited {
                self.show_now().await;
                return Ok(());
            }
        }
        Err(FieldFaultCode::OtherStanding.into())
    }

    async fn hide_public(&self, site: &str, hides: bool, person: UserId) -> Result<(), FieldFault> {
        if site == INSTALLATION {
            return Err(FieldFaultCode::UnknownSite.into());
        }
        let (dispatch, memory) = (self.dispatch.clone(), Arc::clone(&self.memory));
        let (id, by) = (site.to_owned(), person.to_string());
        // Goes on if the call is cut off: a choice that is stored, and shown, but not in force would leak.
        let changing = tokio::spawn(async move {
            let mut memory = memory.lock().await;
            let changed = dispatch.cover_public(&id, hides, &by).await;
            // What was covered by the former choice is covered again.
            memory.facts.clear();
            changed
        });
        let changed = changing.await;
        let changed = changed.map_err(|_| FieldFault::new(FieldFaultCode::Storage))?;
        changed.map_err(fault(FieldFaultCode::UnknownSite))?;
        self.show_now().await;
        Ok(())
    }

    async fn resolve(&self, order: &ResolveOrder) -> Result<(), FieldFault> {
        let by = order.person.to_string();
        let finding = match order.finding {
            RunResolution::Ran => JobResolution::Ran,
            RunResolution::DidNotRun => JobResolution::DidNotRun,
            RunResolution::CannotTell => JobResolution::CannotTell,
        };
        let resolved = self
            .dispatch
            .resolve_job(&order.run, finding, &order.reason, &by)
            .await;
        let code = match resolved.map_err(fault(FieldFaultCode::UnknownRun))? {
            ResolveOutcome::Resolved(_) => {
                self.show_now().await;
                return Ok(());
            }
            // The same call after a restart.
            ResolveOutcome::AlreadyResolved(job)
                if job.resolution == Some(finding) && job.resolved_by.as_deref() == Some(&*by) =>
            {
                return Ok(());
            }
            ResolveOutcome::AlreadyResolved(_) => FieldFaultCode::AlreadyResolved,
            ResolveOutcome::NotUnknown(_) => FieldFaultCode::NotUnknown,
        };
        Err(code.into())
    }

    async fn resolutions(&self, run: &str) -> Result<Vec<ResolutionNote>, FieldFault> {
        let rows = self.tables().history(Some(run), None, ROWS).await;
        let mut notes = Vec::new();
        for row in rows.map_err(stored)? {
            let word = row.detail["resolution"].as_str().unwrap_or_default();
            let mut words = JobResolution::ALL.iter();
            let Some(finding) = words.find(|it| it.word() == word) else {
                // Another act on the run, such as its cancellation.
                continue;
            };
            notes.push(ResolutionNote {
                finding: resolution(*finding),
                by: self.name_of(&row.actor).await,
                at: Timestamp(row.at_ms),
                reason: row.detail["remark"].as_str().unwrap_or_default().to_owned(),
            });
        }
        Ok(notes)
    }

    fn keys(&self) -> KeyFacts {
        let summary = self.dispatch.keys();
        let signing = summary.signing.into_iter().map(|key| SigningKeyFacts {
            role: match key.role {
                SigningRole::Root => "root",
                SigningRole::Job => "job",
                SigningRole::Update => "update",
            },
            fingerprint: key.fingerprint.as_str().to_owned(),
            since: at_second(key.since_s),
            revoked: key.revoked_s.map(at_second),
        });
        KeyFacts {
            root: summary.root.as_str().to_owned(),
            root_is_here: summary.root_is_here,
            root_version: summary.version,
            root_expires: at_second(summary.expires),
            signing: signing.collect(),
        }
    }
}

impl FieldBackend {
    /// Makes a site of this name, under an identifier that no other one has.
    async fn new_site(&self, name: &str, by: &str) -> Result<String, FieldFault> {
        let word = site_word(name);
        for number in 1..=TRIES {
            let id = match number {
                1 => word.clone(),
                number => format!("{word}-{number}"),
            };
            if SiteId::new(&id).is_err() {
                return Err(damaged("the identifier of a site"));
            }
            if self.tables().site(&id).await.map_err(stored)?.is_some() {
                continue;
            }
            let site = NewFieldSite {
                id,
                name: name.to_owned(),
                covers_public: true,
            };
            let made = self.dispatch.make_site(&site, by).await;
            return Ok(made.map_err(fault(FieldFaultCode::Storage))?.id);
        }
        Err(FieldFaultCode::TooMuch.into())
    }

    /// Looks at everything before an act ends: the page that is read again then shows it.
    async fn show_now(&self) {
        if let Err(fault) = self.look().await {
            self.unread(&fault);
        }
    }

    async fn note(&self, enrolment: Enrolment) -> EnrolmentNote {
        EnrolmentNote {
            by: self.name_of(&enrolment.created_by).await,
            id: enrolment.id,
            site: enrolment.site,
            name: enrolment.name,
            made: Timestamp(enrolment.created_ms),
            expires: Timestamp(enrolment.expires_ms),
            is_withdrawn: enrolment.withdrawn_ms.is_some(),
            device: enrolment.device,
        }
    }

    /// The name of whoever acted; the word in the history where it is no person with a name.
    async fn name_of(&self, actor: &str) -> String {
        let name = match actor.parse::<UserId>() {
            Ok(person) => self.parts.rights.name(person).await,
            Err(_) => None,
        };
        name.unwrap_or_else(|| actor.to_owned())
    }
}

/// The identifier of the enrolment that a call makes.
fn enrolment_id(call: CallId) -> String {
    derived_id("enr_", &[&call.to_string()])
}

fn at_second(second: u64) -> Timestamp {
    let ms = i64::try_from(second.saturating_mul(1000));
    Timestamp(ms.unwrap_or(i64::MAX))
}

/// The name of a site as an identifier: small letters and digits, with single hyphens between them.
fn site_word(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if word.len() >= MOST_OF_NAME {
            break;
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if !word.is_empty() && !word.ends_with('-') {
            word.push('-');
        }
    }
    let word = word.trim_end_matches('-');
    if word.is_empty() {
        "site".to_owned()
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_called_after_its_name() {
        for (name, word) in [
            ("Nordlicht office", "nordlicht-office"),
            ("  Büro – Köln 2 ", "b-ro-k-ln-2"),
            ("東京", "site"),
            (
                "The office with a name that nobody wants to type",
                "the-office-with-a-name-that-no",
            ),
        ] {
            assert_eq!(site_word(name), word, "{name}");
            assert!(SiteId::new(&format!("{word}-100")).is_ok(), "{word}");
        }
    }
}
