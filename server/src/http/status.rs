//! The HTTP status of a coded error.

use axum::http::StatusCode;
use protocol::ErrorCode;

/// Returns the status that tells clients that know no codes, and the log, who is at fault: below
/// 500 it is the request.
pub(super) fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::NotSignedIn => StatusCode::UNAUTHORIZED,
        ErrorCode::RoleNotEnough
        | ErrorCode::Forbidden
        | ErrorCode::DecisionNotAllowed
        | ErrorCode::TokenCannotDecide
        | ErrorCode::ToolProtected => StatusCode::FORBIDDEN,
        ErrorCode::ConversationNotFound
        | ErrorCode::NotAConversation
        | ErrorCode::ShareNotFound
        | ErrorCode::FileNotFound
        | ErrorCode::TurnNotFound
        | ErrorCode::GrantNotFound
        | ErrorCode::BoardNotFound
        | ErrorCode::NoticeNotFound
        | ErrorCode::EventNotFound
        | ErrorCode::PackNotFound => StatusCode::NOT_FOUND,
        ErrorCode::ConversationClosed
        | ErrorCode::TurnRunning
        | ErrorCode::EffectsStand
        | ErrorCode::MessageNotQueued
        | ErrorCode::AlreadyDecided
        | ErrorCode::CardChanged
        | ErrorCode::CallEnded => StatusCode::CONFLICT,
        ErrorCode::ImportRefused
        | ErrorCode::RequestWithheld
        | ErrorCode::PromptRefused
        | ErrorCode::ShareRefused
        | ErrorCode::FileRefused
        | ErrorCode::ImagesNotSupported
        | ErrorCode::ModelNotOffered
        | ErrorCode::EffortNotSupported
        | ErrorCode::WordNotTyped
        | ErrorCode::ToolInputInvalid => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::QueueFull
        | ErrorCode::RateLimited
        | ErrorCode::StepLimit
        | ErrorCode::BudgetReached => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::MessageTooLong => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::Malformed | ErrorCode::UnknownCommand | ErrorCode::MessageEmpty => {
            StatusCode::BAD_REQUEST
        }
        ErrorCode::ShuttingDown | ErrorCode::StorageFailed => StatusCode::SERVICE_UNAVAILABLE,
        // Faults of systems behind the server.
        ErrorCode::ModelAuthentication
        | ErrorCode::ModelPermission
        | ErrorCode::ModelNotFound
        | ErrorCode::ModelRateLimited
        | ErrorCode::ModelOverloaded
        | ErrorCode::ModelUnreachable
        | ErrorCode::ModelContextOverflow
        | ErrorCode::ModelRefused
        | ErrorCode::ModelInvalidRequest
        | ErrorCode::ModelProtocol
        | ErrorCode::ModelFailed
        | ErrorCode::ToolUnreachable
        | ErrorCode::ToolPermission
        | ErrorCode::ToolOutcomeUnknown
        | ErrorCode::ToolFailed => StatusCode::BAD_GATEWAY,
        ErrorCode::ModelTimeout | ErrorCode::ToolTimeout => StatusCode::GATEWAY_TIMEOUT,
        ErrorCode::Internal | ErrorCode::Unknown => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
