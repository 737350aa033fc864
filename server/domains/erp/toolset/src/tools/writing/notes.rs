//! Comments on documents: plain text that mentions nobody, written once and read back.

use agent::crash;
use protocol::{CallId, ErrorBody, ErrorCode, Timestamp, ToolOutput};
use serde_json::{Value, json};

use crate::tools::writing::{acting::WINDOW, plan::ErpSubject};
use crate::{
    claims,
    client::{ErpMethod, ErpWrite, WriteFailure},
    error::ErpError,
    identity::ErpIdentity,
    made_documents::MadeDocumentsError,
    plain_text::plain,
    site::ErpSite,
    texts::comment as say,
};

/// More than a comment may have.
const MOST: usize = 4_000;
/// Difference of the clocks that is allowed, in milliseconds.
const SKEW: i64 = 5_000;
/// The type of comments.
const COMMENT: &str = "Comment";

/// True for a text that the ERP may send to somebody by mail.
pub(crate) fn mentions(text: &str) -> bool {
    text.contains('@')
}

/// The text as HTML without markup: what it says is what is shown, and nobody is mentioned by it.
fn escaped(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    text.trim().replace('\n', "<br>")
}

/// The author of comments over a site: with a person's own key it names the person's user, as the ERP does
/// beside it.
pub(crate) fn author(site: &ErpSite, who: &ErpIdentity) -> String {
    if site.client.is_personal() {
        say::author_for(&who.user)
    } else {
        say::AUTHOR.to_owned()
    }
}

/// True for a comment of this user's that a call wrote, with either key. The ERP itself sets the owner, so
/// nobody else's comment is one, whatever author it names.
pub(crate) fn is_by_a_call(comment: &Value, user: &str) -> bool {
    let text = |field: &str| comment[field].as_str().unwrap_or_default();
    let authors = [say::AUTHOR.to_owned(), say::author_for(user)];
    text("owner") == user && authors.iter().any(|it| it == text("comment_by"))
}

/// Writes a comment once, under the name of this product.
pub(crate) async fn add(
    site: &ErpSite,
    subject: &ErpSubject,
    who: &ErpIdentity,
    text: &str,
    by: CallId,
) -> Result<Option<String>, WriteFailure> {
    let body = json!({
        "reference_doctype": subject.meta.name,
        "reference_name": subject.name,
        "content": escaped(text),
        "comment_email": who.user,
        "comment_by": author(site, who),
    });
    let (since, content) = (site.client.now(), noted(subject, text));
    let opened = site.claims.open(COMMENT, &who.user, by, since, content);
    let opened = opened.await.map_err(|error| {
        tracing::warn!(%error, call = %by, "a comment was not sent, because it could not be noted");
        let error = ErrorBody::new(ErrorCode::ToolFailed, say::NOT_NOTED);
        WriteFailure::NotDone(ErpError::Own(error))
    })?;
    let answer = match site.client.write(ErpWrite::Comment, &body).await {
        Ok(answer) => answer,
        Err(failure) => {
            if matches!(failure, WriteFailure::NotDone(_)) {
                site.claims.close(&opened).await;
            }
            return Err(failure);
        }
    };
    let text = |field: &str| answer.data.get(field).and_then(Value::as_str);
    let name = text("name");
    if let Some(name) = name {
        let (creation, now) = (text("creation").unwrap_or_default(), site.client.own_now());
        site.claims.claim(COMMENT, name, creation, by, now).await;
    }
    Ok(name.map(str::to_owned))
}

/// The comment that a call made, if it is there. `since`: by the site's clock, in milliseconds.
pub(crate) async fn find(
    site: &ErpSite,
    subject: &ErpSubject,
    who: &ErpIdentity,
    text: &str,
    since: i64,
    by: CallId,
) -> Result<Option<String>, ErpError> {
    let parameters = [
        ("doctype", subject.meta.name.clone()),
        ("name", subject.name.clone()),
    ];
    let answer = site.method(ErpMethod::DocumentInfo, &parameters).await?;
    let comments = answer.data["comments"]
        .as_array()
        .ok_or_else(|| site.unusable("comments"))?;
    let [from, _] = claims::local_span(since - SKEW, since + WINDOW, &who.time_zone);
    let (wanted, content) = (plain(&escaped(text), MOST), noted(subject, text));
    let text = |comment: &Value, field: &str| {
        let text = comment[field].as_str();
        text.unwrap_or_default().to_owned()
    };
    let fits = |comment: &&Value| {
        let text = |field: &str| comment[field].as_str().unwrap_or_default();
        let is_ours = [text("owner"), text("comment_email")].contains(&who.user.as_str());
        is_ours && text("creation") >= from.as_str() && plain(text("content"), MOST) == wanted
    };
    for comment in comments.iter().filter(fits) {
        let (name, creation) = (text(comment, "name"), text(comment, "creation"));
        let unreadable = |error: MadeDocumentsError| {
            tracing::warn!(%error, "the makers of comments cannot be read");
            site.unusable("comments")
        };
        let of = site.claims.is_of_another(COMMENT, &name, &creation, by);
        if of.await.map_err(unreadable)? {
            continue;
        }
        let others = site.claims.open_of_others(COMMENT, &who.user, by);
        let others = others.await.map_err(unreadable)?;
        let is_anothers = others.iter().any(|it| {
            it.content == content && claims::is_of_then(it, &creation, &who.time_zone, WINDOW)
        });
        if is_anothers {
            let error = ErrorBody::new(ErrorCode::ToolFailed, say::MAY_BE_ANOTHERS);
            return Err(ErpError::Own(error));
        }
        return Ok(Some(name));
    }
    Ok(None)
}

/// Text and subject of a comment, as it is noted before it is sent.
fn noted(subject: &ErpSubject, text: &str) -> String {
    json!([subject.meta.name, subject.name, plain(&escaped(text), MOST)]).to_string()
}

/// Adds the reason of a call that has been done. That it could not be added is said, and changes
/// nothing about the call.
pub(crate) async fn reason(
    site: &ErpSite,
    subject: &ErpSubject,
    text: Option<&str>,
    by: CallId,
) -> Option<String> {
    let text = text.filter(|it| !it.trim().is_empty())?;
    let who = match site.identity().await {
        Ok(who) => who,
        Err(error) => return Some(say::not_added(&error.reason())),
    };
    crash::point(|| "before the order: the reason of a call".to_owned());
    let added = add(site, subject, &who, text, by).await;
    crash::point(|| "ordered, not followed: the reason of a call".to_owned());
    match added {
        Ok(_) => None,
        Err(WriteFailure::NotDone(error)) => Some(say::not_added(&error.reason())),
        Err(WriteFailure::Unknown(error)) => Some(say::maybe_added(&error.reason())),
    }
}

/// Looks for the reason of a call that was done and then cut off. It is never added then; that it is not
/// there is said.
pub(crate) async fn missing_reason(
    site: &ErpSite,
    subject: &ErpSubject,
    text: Option<&str>,
    since: Timestamp,
    by: CallId,
) -> Option<String> {
    let text = text.filter(|it| !it.trim().is_empty())?;
    let found = async {
        let who = site.identity().await?;
        let since = site.client.at_site(since.0);
        find(site, subject, &who, text, since, by).await
    };
    match found.await {
        Ok(Some(_)) => None,
        Ok(None) => Some(say::IS_MISSING.to_owned()),
        Err(error) => Some(say::maybe_added(&error.reason())),
    }
}

/// The result of a call that has been done, with what came up after it.
pub(crate) fn warned(mut done: ToolOutput, warnings: Vec<String>) -> ToolOutput {
    if !warnings.is_empty() {
        done.data["warnings"] = warnings.into();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_users_own_comments_are_by_a_call_whatever_others_call_themselves() {
        let comment = |owner: &str, by: Value| json!({ "owner": owner, "comment_by": by });
        let ann = "ann@example.org";
        for (owner, by, expect) in [
            (ann, json!("Jarvis"), true),
            (ann, json!("Jarvis for ann@example.org"), true),
            // What the ERP leaves, and what the person writes there.
            (ann, Value::Null, false),
            (ann, json!("Ann Archer"), false),
            (ann, json!("Jarvis for Ann Archer"), false),
            (ann, json!("Jarvis for bob@example.org"), false),
            ("eve@example.org", json!("Jarvis"), false),
            (
                "eve@example.org",
                json!("Jarvis for ann@example.org"),
                false,
            ),
        ] {
            let comment = comment(owner, by);
            assert_eq!(is_by_a_call(&comment, ann), expect, "{comment}");
        }
        let long = "a".repeat(140);
        let author = say::author_for(&long);
        assert_eq!(author.chars().count(), 140);
        assert!(is_by_a_call(&comment(&long, author.into()), &long));
    }

    #[test]
    fn a_text_says_what_it_says_and_mentions_nobody() {
        let hostile =
            "<span class=\"mention\" data-id=\"boss\">boss</span> pays & <b>now</b>\n1 < 2";
        let html = escaped(hostile);
        assert!(!html.contains("<span") && !html.contains("<b>"), "{html}");
        let read = plain(&html, MOST);
        assert!(
            read.contains("<span class=\"mention\"") && read.contains("1 < 2"),
            "{read}"
        );
        assert!(mentions("ask @anna") && mentions("a@b.example") && !mentions("5 at 3"));
    }
}
