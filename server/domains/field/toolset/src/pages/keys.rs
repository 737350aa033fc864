//! The page of the keys: fingerprints, and enrolments that are open. And the one look at a token.

use field_wire::{DeviceKeyRow, EnrolmentRow, EnrolmentTokenPage, FieldKeysPage, SigningKeyRow};
use protocol::{ConversationId, ErrorBody, ErrorCode, UserId};

use super::{no_page, offers, site_name};
use crate::{card::grouped, parts::FieldParts, texts::people as say};

pub(super) async fn page(parts: &FieldParts, person: UserId) -> Result<FieldKeysPage, ErrorBody> {
    let administration = &parts.ports.administration;
    let keys = administration.keys();
    let may_act = administration.may_act(person).await;
    let open = administration.open_enrolments().await?;
    let enrolments = open.into_iter().map(|it| EnrolmentRow {
        site_name: site_name(parts, &it.site),
        offers: may_act
            .then(|| offers::of_enrolment(&it.id))
            .into_iter()
            .collect(),
        id: it.id,
        name: it.name,
        made: it.made,
        by: it.by,
        expires: it.expires,
    });
    let snapshot = parts.snapshot();
    let devices = snapshot.devices.iter().map(|device| DeviceKeyRow {
        device: device.id.clone(),
        name: device.name.clone(),
        site_name: site_name(parts, &device.site),
        standing: device.standing.word().to_owned(),
        fingerprint: grouped(&device.fingerprint),
    });
    let signing = keys.signing.iter().map(|key| SigningKeyRow {
        role: key.role.to_owned(),
        fingerprint: grouped(&key.fingerprint),
        since: key.since,
        revoked: key.revoked,
    });
    Ok(FieldKeysPage {
        root: grouped(&keys.root),
        root_is_here: keys.root_is_here,
        root_version: keys.root_version,
        root_expires: keys.root_expires,
        signing: signing.collect(),
        devices: devices.collect(),
        enrolments: enrolments.collect(),
    })
}

/// The token that a call of this person made. This look uses it up: it is in no journal, so nothing can
/// show it a second time.
pub(super) fn token(
    parts: &FieldParts,
    person: UserId,
    journal: &str,
) -> Result<EnrolmentTokenPage, ErrorBody> {
    let journal: ConversationId = journal.parse().map_err(|_| no_page())?;
    let token = parts.tokens.take(journal, person, parts.now());
    let token = token.ok_or_else(|| {
        ErrorBody::new(ErrorCode::ToolFailed, say::NO_TOKEN).with_help(say::HELP_NO_TOKEN)
    })?;
    Ok(EnrolmentTokenPage {
        enrolment: token.issued.enrolment,
        token: token.issued.token,
        name: token.name,
        site_name: token.site_name,
        expires: token.issued.expires,
    })
}
