//! The card of a submit: the document, and the lines that will post on which day.

use agent::ports::Preview;
use protocol::ErrorBody;
use serde_json::json;

use crate::tools::writing::plan::{ErpSubject, Finality};
use crate::{dates, site::ErpSite, texts::submit as say};

/// # Errors
/// The lines that would post cannot be read: it cannot be approved then.
pub(super) async fn card(site: &ErpSite, subject: &ErpSubject) -> Result<Preview, ErrorBody> {
    let finality = Finality::read(site, subject).await?;
    let mut facts = finality.facts();
    facts.extend(subject.facts());
    let mut sections = vec![subject.section(None)];
    sections.extend(subject.rows());
    sections.extend(finality.sections());
    let objects = subject.objects_with(site, finality.posting.objects())?;
    let day = finality.day.day.as_deref().map(dates::in_words);
    let sentence = say::submit(
        &subject.target(),
        subject.party().as_deref(),
        subject.total().as_deref(),
        finality.posting.told().as_deref(),
        day.as_deref(),
    );
    Ok(Preview {
        facts,
        sections,
        risks: finality.risks(),
        said: &["doctype", "name", "modified"],
        objects,
        irreversible: finality.irreversible(),
        assurance: finality.assurance(subject),
        state: json!({ "document": subject.bound(), "effect": finality.bound() }),
        ..Preview::new(sentence, subject.target())
    })
}
