//! Every error of Frappe and ERPNext over HTTP, in the shapes of each profile and version.

use erp::RestVersion;
use protocol::ErrorCode;
use serde_json::json;
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::simulated::{World, ask, data};

/// Status, exception, our code, and the sentence for people.
const ERRORS: [(u16, &str, ErrorCode, &str); 42] = {
    use ErrorCode::{ToolFailed, ToolInputInvalid, ToolPermission, ToolTimeout, ToolUnreachable};
    [
        (
            401,
            "AuthenticationError",
            ToolPermission,
            "refused the API key",
        ),
        (
            401,
            "SessionExpired",
            ToolPermission,
            "the session has expired",
        ),
        (
            400,
            "CSRFTokenError",
            ToolPermission,
            "asks for a CSRF token",
        ),
        (
            403,
            "PermissionError",
            ToolPermission,
            "lacks the right for this",
        ),
        (
            404,
            "DoesNotExistError",
            ToolFailed,
            "no such document or type",
        ),
        (
            404,
            "PageDoesNotExistError",
            ToolFailed,
            "no such document or type",
        ),
        (
            409,
            "DuplicateEntryError",
            ToolFailed,
            "already has a document with this name",
        ),
        (
            409,
            "NameError",
            ToolFailed,
            "already has a document with this name",
        ),
        (
            417,
            "MandatoryError",
            ToolInputInvalid,
            "Mandatory fields are missing",
        ),
        (
            417,
            "LinkValidationError",
            ToolInputInvalid,
            "names a document that does not exist",
        ),
        (
            417,
            "CancelledLinkError",
            ToolInputInvalid,
            "names a cancelled document",
        ),
        (
            417,
            "TimestampMismatchError",
            ToolFailed,
            "changed since it was read",
        ),
        (
            417,
            "UniqueValidationError",
            ToolInputInvalid,
            "must be unique",
        ),
        (
            417,
            "LinkExistsError",
            ToolFailed,
            "Other documents link to this one",
        ),
        (
            417,
            "DocstatusTransitionError",
            ToolFailed,
            "between draft, submitted and cancelled",
        ),
        (
            417,
            "UpdateAfterSubmitError",
            ToolInputInvalid,
            "after the document is submitted",
        ),
        (
            417,
            "CannotChangeConstantError",
            ToolInputInvalid,
            "set only once",
        ),
        (
            417,
            "DocumentLockedError",
            ToolFailed,
            "locked while the ERP works",
        ),
        (
            417,
            "NonNegativeError",
            ToolInputInvalid,
            "may not be negative",
        ),
        (
            417,
            "DataError",
            ToolInputInvalid,
            "field or value in a query",
        ),
        (
            417,
            "FrappeTypeError",
            ToolInputInvalid,
            "type of an argument",
        ),
        (
            417,
            "WorkflowTransitionError",
            ToolFailed,
            "workflow does not allow",
        ),
        (
            403,
            "WorkflowPermissionError",
            ToolFailed,
            "workflow does not allow",
        ),
        (
            417,
            "WorkflowStateError",
            ToolFailed,
            "workflow does not allow",
        ),
        (417, "NegativeStockError", ToolFailed, "stock is not enough"),
        (
            417,
            "OverAllowanceError",
            ToolFailed,
            "above what the source allows",
        ),
        (
            417,
            "ClosedAccountingPeriod",
            ToolFailed,
            "books are closed",
        ),
        (417, "FiscalYearError", ToolFailed, "books are closed"),
        (417, "BudgetError", ToolFailed, "budget does not allow"),
        (
            417,
            "ValidationError",
            ToolFailed,
            "found the request invalid",
        ),
        (
            417,
            "SomethingOfAnotherApp",
            ToolFailed,
            "found the request invalid",
        ),
        (429, "TooManyRequestsError", ToolFailed, "limits the rate"),
        (429, "RateLimitExceededError", ToolFailed, "limits the rate"),
        // Before version 16 its status was another.
        (417, "RateLimitExceededError", ToolFailed, "limits the rate"),
        (
            503,
            "SessionStopped",
            ToolUnreachable,
            "in maintenance or read-only",
        ),
        (
            503,
            "InReadOnlyMode",
            ToolUnreachable,
            "in maintenance or read-only",
        ),
        (
            503,
            "QueueOverloaded",
            ToolUnreachable,
            "queue is overloaded",
        ),
        (410, "LinkExpired", ToolFailed, "has expired"),
        (
            415,
            "UnsupportedMediaType",
            ToolFailed,
            "this kind of content",
        ),
        (
            500,
            "QueryTimeoutError",
            ToolTimeout,
            "database took too long",
        ),
        (
            500,
            "QueryDeadlockError",
            ToolFailed,
            "database had a conflict",
        ),
        (500, "KeyError", ToolFailed, "internal error"),
    ]
};

#[tokio::test]
async fn each_error_is_read_in_both_profiles_and_versions() {
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V15, RestVersion::V2),
        (SimErpProfile::V15Traceback, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        let world = World::start(profile, rest).await;
        let control = world.site.control();
        let erp = world.erp(SimErpUser::Agent);
        let pump = || json!({"doctype": "Item", "name": "PUMP"});
        // Now the type is known, and what follows asks for the document alone.
        data(&erp, "get_doc", pump()).await;
        let before = control.digest();
        for (status, exception, code, sentence) in ERRORS {
            let meets = |fault: SimErpFault| {
                let trigger = SimErpTrigger::next("Item/PUMP", fault).of_method("GET");
                control.fault(trigger.times(9));
            };
            meets(SimErpFault::Refused(status, exception));
            // The client does not wait ten minutes, so it does not repeat the request.
            meets(SimErpFault::TooMany(600));
            let refused = ask(&erp, "get_doc", pump()).await;
            control.clear_faults();
            let what = format!("{profile:?} {rest:?} {status} {exception}");
            let error = refused.expect_err(&what);
            assert_eq!(error.code, code, "{what}: {error}");
            assert!(error.message.contains(sentence), "{what}: {error}");
            // An internal error has no words for people in the older version.
            let has_words = status != 500 || rest == RestVersion::V2;
            let words = format!("“Raised as {exception}”");
            assert_eq!(error.message.contains(&words), has_words, "{what}: {error}");
        }
        assert_eq!(control.digest(), before);
        // None of them is kept: the next request is answered.
        data(&erp, "get_doc", pump()).await;
    }
}
