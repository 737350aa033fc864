//! Acts of people on devices.

use async_trait::async_trait;
use field::ports::{
    CallId, DeviceAdministration, DeviceStanding, DeviceWish, EnrolmentNote, EnrolmentWish,
    FieldFault, FieldFaultCode, IssuedToken, KeyFacts, ResolutionNote, ResolveOrder, RetiredDevice,
    RunPhase, RunResolution, SigningKeyFacts, StandingChange, Timestamp, UserId, WishedSite,
};

use crate::{MemoryField, state::FieldState};

const HOUR_MS: i64 = 3_600_000;
/// Fingerprint of the root key that tokens carry.
pub const ROOT_KEY: &str = "aa11bb22cc33dd44ee55ff66aa77bb88cc99dd00ee11ff22aa33bb44cc55dd66";

#[async_trait]
impl DeviceAdministration for MemoryField {
    async fn may_act(&self, person: UserId) -> bool {
        self.read(|state| !state.viewers.contains(&person))
    }

    async fn person_name(&self, _person: UserId) -> Option<String> {
        Some("Ada".to_owned())
    }

    async fn issue(&self, wish: &EnrolmentWish) -> Result<IssuedToken, FieldFault> {
        let now = self.env.now();
        self.change(|state| {
            state.storage()?;
            let id = state.id("enr_");
            let site = match &wish.site {
                WishedSite::Known(site) => site.clone(),
                WishedSite::New(name) => {
                    let number = u32::try_from(state.sites.len()).unwrap_or(u32::MAX) + 1;
                    let site = format!("site-{number}");
                    state.add_site(&site, number, name);
                    site
                }
            };
            let hours = i64::from(wish.hours.unwrap_or(24).clamp(1, 168));
            let expires = Timestamp(now.0 + hours * HOUR_MS);
            state.enrolments.push((
                wish.call,
                EnrolmentNote {
                    id: id.clone(),
                    site,
                    name: wish.name.clone(),
                    made: now,
                    by: "Ada".to_owned(),
                    expires,
                    is_withdrawn: false,
                    device: None,
                },
            ));
            Ok(IssuedToken {
                token: format!("jarvis-enrol-1.{:032}.{ROOT_KEY}", state.made),
                enrolment: id,
                expires,
            })
        })
    }

    async fn enrolment_of(&self, call: CallId) -> Result<Option<EnrolmentNote>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let mut made = state.enrolments.iter();
            let found = made.find(|(of, _)| *of == call);
            Ok(found.map(|(_, note)| note.clone()))
        })
    }

    async fn enrolment(&self, id: &str) -> Result<Option<EnrolmentNote>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            Ok(found(state, id).cloned())
        })
    }

    async fn open_enrolments(&self) -> Result<Vec<EnrolmentNote>, FieldFault> {
        let now = self.env.now();
        self.read(|state| {
            state.storage()?;
            let notes = state.enrolments.iter().rev().map(|(_, note)| note);
            let open =
                notes.filter(|it| !it.is_withdrawn && it.device.is_none() && it.expires > now);
            Ok(open.cloned().collect())
        })
    }

    async fn withdraw(&self, id: &str, _: UserId) -> Result<EnrolmentNote, FieldFault> {
        self.change(|state| {
            state.storage()?;
            let mut notes = state.enrolments.iter_mut().map(|(_, note)| note);
            let note = notes.find(|note| note.id == id);
            let note = note.ok_or(FieldFault::new(FieldFaultCode::UnknownEnrolment))?;
            note.is_withdrawn |= note.device.is_none();
            Ok(note.clone())
        })
    }

    async fn change_standing(
        &self,
        device: &str,
        change: &StandingChange,
        _: UserId,
    ) -> Result<DeviceStanding, FieldFault> {
        let at = self.env.now();
        self.change(|state| {
            state.storage()?;
            let mut devices = state.devices.iter_mut();
            let known = devices.find(|it| it.id == device);
            let known = known.ok_or(FieldFault::new(FieldFaultCode::UnknownDevice))?;
            let may = match change {
                StandingChange::Adopt { fingerprint } => {
                    known.standing == DeviceStanding::Waiting && known.fingerprint == *fingerprint
                }
                StandingChange::Suspend { .. } => known.standing == DeviceStanding::Adopted,
                StandingChange::Resume => known.standing == DeviceStanding::Suspended,
                StandingChange::Retire { .. } => true,
            };
            if may {
                known.standing = change.standing();
            }
            let now = known.standing;
            if let StandingChange::Retire { reason } = change {
                state.retired.push(RetiredDevice {
                    device: known.clone(),
                    by: "Ada".to_owned(),
                    at,
                    reason: reason.clone(),
                });
            }
            // The others are shown.
            state
                .devices
                .retain(|it| it.standing != DeviceStanding::Retired);
            Ok(now)
        })
    }

    async fn retired(&self, device: &str) -> Result<Option<RetiredDevice>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let mut retired = state.retired.iter();
            Ok(retired.find(|it| it.device.id == device).cloned())
        })
    }

    async fn edit_device(
        &self,
        device: &str,
        wish: &DeviceWish,
        _: UserId,
    ) -> Result<(), FieldFault> {
        self.change(|state| {
            state.storage()?;
            let mut devices = state.devices.iter_mut();
            let known = devices.find(|it| it.id == device);
            let known = known.ok_or(FieldFault::new(FieldFaultCode::UnknownDevice))?;
            if let Some(name) = &wish.name {
                known.name.clone_from(name);
            }
            known.tags = wish.tags(&known.tags);
            Ok(())
        })
    }

    async fn hide_public(&self, site: &str, hides: bool, _: UserId) -> Result<(), FieldFault> {
        self.change(|state| {
            state.storage()?;
            let known = state.sites.iter_mut().find(|it| it.id == site);
            let known = known.ok_or(FieldFault::new(FieldFaultCode::UnknownSite))?;
            known.hides_public = hides;
            Ok(())
        })
    }

    async fn resolve(&self, order: &ResolveOrder) -> Result<(), FieldFault> {
        let now = self.env.now();
        self.change(|state| {
            state.storage()?;
            let mut runs = state.runs.iter_mut();
            let run = runs.find(|run| run.id == order.run);
            let run = run.ok_or(FieldFault::new(FieldFaultCode::UnknownRun))?;
            if !matches!(run.phase, RunPhase::Unknown(_)) {
                return Err(FieldFaultCode::NotUnknown.into());
            }
            let is_open = matches!(run.resolution, None | Some(RunResolution::CannotTell));
            if !is_open || run.resolution == Some(order.finding) {
                return Err(FieldFaultCode::AlreadyResolved.into());
            }
            run.resolution = Some(order.finding);
            run.revision += 1;
            let note = ResolutionNote {
                finding: order.finding,
                by: "Ada".to_owned(),
                at: now,
                reason: order.reason.clone(),
            };
            let notes = state.resolutions.entry(order.run.clone()).or_default();
            notes.insert(0, note);
            Ok(())
        })
    }

    async fn resolutions(&self, run: &str) -> Result<Vec<ResolutionNote>, FieldFault> {
        self.read(|state| Ok(state.resolutions.get(run).cloned().unwrap_or_default()))
    }

    fn keys(&self) -> KeyFacts {
        KeyFacts {
            root: ROOT_KEY.to_owned(),
            root_is_here: true,
            root_version: 1,
            root_expires: Timestamp(2_000_000_000_000),
            signing: vec![SigningKeyFacts {
                role: "job",
                fingerprint: ROOT_KEY.chars().rev().collect(),
                since: Timestamp(1_700_000_000_000),
                revoked: None,
            }],
        }
    }
}

fn found<'a>(state: &'a FieldState, id: &str) -> Option<&'a EnrolmentNote> {
    let mut notes = state.enrolments.iter().map(|(_, note)| note);
    notes.find(|note| note.id == id)
}
