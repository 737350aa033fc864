//! The tools, the systems and the head of the audit chain, for programs.

mod views;

use axum::{Extension, Json, extract::State};
use protocol::{ErrorBody, ErrorCode};
use sign_in::SignedIn;
use store::AuditHash;

pub(super) use views::{AuditHeadBody, SystemList, ToolList};
use views::{SystemLine, ToolLine};

use super::refusal::RequestRefusal;
use crate::{backend, http::Http, texts};

/// Returns the tools of the toolsets that this sign-in covers.
pub(super) async fn tools(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
) -> Json<ToolList> {
    let scope = signed_in.scope();
    let mut tools = Vec::new();
    for (toolset, specs) in http.engine.tools_by_toolset() {
        if scope.has(toolset) {
            let specs = specs.into_iter();
            tools.extend(specs.map(|spec| ToolLine::of(toolset, spec)));
        }
    }
    Json(ToolList { tools })
}

/// Returns the systems of the toolsets that this sign-in covers, each with whether it answers.
pub(super) async fn systems(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
) -> Json<SystemList> {
    let scope = signed_in.scope();
    let known = http.engine.systems();
    let answers = |toolset: &str| {
        let found = known.iter().find(|(name, _)| *name == toolset);
        found.and_then(|(_, answers)| *answers)
    };
    let systems = http.configured.iter().map(|(status, _)| status);
    let systems = systems.filter(|status| scope.has(&status.toolset));
    let systems = systems.map(|status| SystemLine {
        toolset: status.toolset.clone(),
        name: status.name.clone(),
        simulated: status.simulated,
        answers: answers(&status.toolset),
    });
    Json(SystemList {
        systems: systems.collect(),
    })
}

/// Returns the newest row of the audit chain. It has records of all toolsets.
pub(super) async fn audit_head(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
) -> Result<Json<AuditHeadBody>, RequestRefusal> {
    if signed_in.user.toolsets.is_some() {
        let message = texts::http::NEEDS_ALL_TOOLSETS;
        return Err(ErrorBody::new(ErrorCode::RoleNotEnough, message).into());
    }
    let end = http.store.chain_end().await.map_err(backend::error)?;
    Ok(Json(match end {
        Some(end) => AuditHeadBody {
            rows: end.seq,
            at: Some(end.at),
            hash: end.hash.to_string(),
        },
        None => AuditHeadBody {
            rows: 0,
            at: None,
            hash: AuditHash::default().to_string(),
        },
    }))
}
