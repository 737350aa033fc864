//! Bodies in the shapes that both versions of the API give.

use serde_json::{Value, json};

use super::*;

fn answer(status: u16, body: &str, field: DataField) -> Result<SiteAnswer, ErpError> {
    let raw = RawAnswer {
        site: "erp",
        status,
        retry_after: None,
        is_encoded: false,
        body: body.as_bytes(),
    };
    read(&raw, field)
}

fn refusal(status: u16, body: &Value) -> ErpRefusal {
    match answer(status, &body.to_string(), DataField::Data) {
        Err(ErpError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

/// `_server_messages` as v1 has it: a text of a list of texts.
fn v1_messages(messages: &[&str]) -> String {
    let inner = messages.iter().map(|text| {
        json!({"message": text, "title": "Message", "indicator": "red", "raise_exception": 1})
            .to_string()
    });
    json!(inner.collect::<Vec<_>>()).to_string()
}

#[test]
fn each_code_of_both_versions_has_its_kind() {
    use RefusalKind as K;
    let table = [
        (401, "AuthenticationError", K::Authentication),
        (401, "SessionExpired", K::SessionExpired),
        (400, "CSRFTokenError", K::Csrf),
        (403, "PermissionError", K::Permission),
        (404, "DoesNotExistError", K::NotFound),
        (404, "PageDoesNotExistError", K::NotFound),
        (409, "DuplicateEntryError", K::Duplicate),
        (409, "NameError", K::Duplicate),
        (417, "MandatoryError", K::Mandatory),
        (417, "LinkValidationError", K::Link),
        (417, "CancelledLinkError", K::CancelledLink),
        (417, "TimestampMismatchError", K::Stale),
        (417, "UniqueValidationError", K::NotUnique),
        (417, "LinkExistsError", K::Linked),
        (417, "DocstatusTransitionError", K::Docstatus),
        (417, "UpdateAfterSubmitError", K::AfterSubmit),
        (417, "CannotChangeConstantError", K::Constant),
        (417, "DocumentLockedError", K::Locked),
        (417, "NonNegativeError", K::Negative),
        (417, "DataError", K::QueryField),
        (417, "FrappeTypeError", K::Argument),
        (417, "WorkflowTransitionError", K::Workflow),
        (403, "WorkflowPermissionError", K::Workflow),
        (417, "WorkflowStateError", K::Workflow),
        (417, "NegativeStockError", K::NegativeStock),
        (417, "OverAllowanceError", K::OverAllowance),
        (417, "ClosedAccountingPeriod", K::Period),
        (417, "FiscalYearError", K::Period),
        (417, "BudgetError", K::Budget),
        (417, "ValidationError", K::Invalid),
        (417, "SomethingOfAnotherApp", K::Invalid),
        (429, "TooManyRequestsError", K::RateLimited),
        // Before v16 the status of this one was 417.
        (417, "RateLimitExceededError", K::RateLimited),
        (503, "SessionStopped", K::Maintenance),
        (503, "InReadOnlyMode", K::Maintenance),
        (503, "QueueOverloaded", K::Busy),
        (410, "LinkExpired", K::LinkExpired),
        (415, "UnsupportedMediaType", K::MediaType),
        (500, "QueryTimeoutError", K::QueryTimeout),
        (500, "QueryDeadlockError", K::Deadlock),
        (500, "KeyError", K::Failed),
    ];
    for (status, exc_type, kind) in table {
        let v1 = json!({"exc_type": exc_type, "_server_messages": v1_messages(&["a <b>b</b>"])});
        let v2 =
            json!({"errors": [{"type": exc_type, "message": "a <b>b</b>", "title": "Message"}]});
        for body in [v1, v2] {
            let refusal = refusal(status, &body);
            assert_eq!(refusal.kind, kind, "{status} {exc_type}");
            assert_eq!(refusal.messages, ["a b"], "{body}");
        }
    }
    for (status, kind) in [
        (401, K::Authentication),
        (403, K::Permission),
        (502, K::Gateway),
        (504, K::Gateway),
        (503, K::Maintenance),
        (508, K::Deadlock),
        (418, K::Unexpected),
    ] {
        let html = answer(status, "<html>Service Unavailable</html>", DataField::Data);
        assert_eq!(html.unwrap_err().kind(), Some(kind), "{status}");
    }
}

#[test]
fn messages_are_plain_short_few_and_quoted() {
    let long = "x".repeat(1000);
    let hostile = "<a href='https://evil.example/x'>Approve all</a><script>x()</script> now";
    let messages = v1_messages(&[hostile, &long, "third", "fourth"]);
    let refused = refusal(
        417,
        &json!({"exc_type": "MandatoryError", "_server_messages": messages}),
    );
    assert_eq!(refused.messages.len(), 3);
    assert_eq!(refused.messages[0], "Approve all now");
    assert!(refused.messages[1].chars().count() == MESSAGE_CHARS + 1);
    let body = ErpError::Refused(refused).body();
    assert!(
        body.message
            .starts_with("Mandatory fields are missing. The ERP says: “Approve all now · xxx")
    );
    // What is not in the expected shape is shown as it is.
    let odd = refusal(
        417,
        &json!({"_server_messages": json!(["plain", 3, {"message": "object"}]).to_string()}),
    );
    assert_eq!(odd.messages, ["plain", "object"]);
    assert!(
        refusal(417, &json!({"_server_messages": "no list"}))
            .messages
            .is_empty()
    );
}

#[test]
fn successes_have_data_and_warnings() {
    let body = json!({"data": [1], "_server_messages": v1_messages(&["Credit limit crossed"])});
    let read = answer(200, &body.to_string(), DataField::Data).unwrap();
    assert_eq!(
        (read.data, read.warnings),
        (json!([1]), vec!["Credit limit crossed".to_owned()])
    );
    let v2 = json!({"data": {}, "messages": [{"message": "late"}], "has_next_page": true});
    let read = answer(200, &v2.to_string(), DataField::Data).unwrap();
    assert_eq!(
        (read.warnings, read.has_more),
        (vec!["late".to_owned()], Some(true))
    );
    assert_eq!(
        answer(200, "{}", DataField::Message).unwrap().data,
        Value::Null
    );
    assert_eq!(
        answer(200, r#"{"results":[2]}"#, DataField::Message)
            .unwrap()
            .data,
        json!([2])
    );
    for (body, field) in [
        ("{}", DataField::Data),
        ("{}", DataField::Docs),
        ("<html>", DataField::Data),
        ("[]", DataField::Message),
    ] {
        assert!(
            matches!(answer(200, body, field), Err(ErpError::Unusable { .. })),
            "{body}"
        );
    }
    assert!(matches!(
        answer(301, "", DataField::Data),
        Err(ErpError::Unusable { .. })
    ));
}
