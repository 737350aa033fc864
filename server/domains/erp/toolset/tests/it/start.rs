//! The first look at the key and the site.

use protocol::ErrorCode;
use serde_json::json;

use crate::stub::{Stub, message, refuse};

#[tokio::test]
async fn a_system_manager_key_is_refused_with_the_way_to_a_narrow_one() {
    // Found by its roles, or by what it may do where the site hides them.
    for hides_roles in [false, true] {
        let site = Stub::plain(move |asked| match asked.path.rsplit('.').next()? {
            "get_roles" if hides_roles => {
                Some(refuse(403, &json!({"exc_type": "PermissionError"})))
            }
            "get_roles" => Some(message(json!(["System Manager", "Sales User"]))),
            "has_permission" => Some(message(json!({"has_permission": hides_roles}))),
            _ => None,
        })
        .await;
        let error = site.erp.verify().await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolPermission);
        assert!(error.message.contains("System Manager"), "{error}");
        assert!(error.help.unwrap().contains("User Permission"));
        let asked = site.asked().len();
        // No tool reads anything with it.
        let input = json!({"doctype": "Sales Order"});
        let refused = site.call("search_doc", input).await.unwrap_err();
        assert!(refused.message.contains("System Manager"), "{refused}");
        assert_eq!(site.asked().len(), asked);
    }
}

#[tokio::test]
async fn a_key_that_cannot_be_judged_is_not_used() {
    let site = Stub::plain(|asked| {
        let hidden = asked.path.ends_with("get_roles") || asked.path.ends_with("has_permission");
        hidden.then(|| refuse(403, &json!({"exc_type": "PermissionError"})))
    })
    .await;
    let error = site.erp.verify().await.unwrap_err();
    assert!(error.message.contains("roles"), "{error}");

    let site = Stub::plain(|asked| {
        asked
            .path
            .ends_with("get_logged_user")
            .then(|| message(json!("Guest")))
    })
    .await;
    let error = site.erp.verify().await.unwrap_err();
    assert!(error.message.contains("guest"), "{error}");

    let site =
        Stub::plain(|_| Some(refuse(401, &json!({"exc_type": "AuthenticationError"})))).await;
    let error = site.erp.verify().await.unwrap_err();
    assert_eq!(error.message, "The ERP refused the API key.");
}

#[tokio::test]
async fn who_the_key_belongs_to_is_read_once() {
    let site = Stub::plain(|asked| match asked.path.rsplit('.').next()? {
        // A site may not tell these.
        "get_versions" | "get_user_permissions" => {
            Some(refuse(403, &json!({"exc_type": "PermissionError"})))
        }
        _ => None,
    })
    .await;
    let (one, other) = tokio::join!(site.erp.verify(), site.erp.verify());
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    assert_eq!(one.user, "agent@example.org");
    assert_eq!(one.time_zone.iana_name(), Some("Europe/Berlin"));
    assert!(one.versions.is_empty() && one.narrowed_to.is_empty());
    assert_eq!(site.asked_of("get_logged_user").len(), 1);
}
