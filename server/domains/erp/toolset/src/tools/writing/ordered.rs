//! One order to the ERP whose effect is seen in the document that it is about.

use agent::{
    crash,
    ports::{Progress, ToolError},
};
use protocol::{ErrorBody, ToolOutput};
use serde_json::Value;

use super::{acting, plan::ErpSubject};
use crate::{
    client::{ErpWrite, WriteFailure},
    site::ErpSite,
    texts::verdict as say,
};

/// An order. It is sent once, whatever becomes of its answer.
pub(crate) struct ErpOrder<'a> {
    pub(crate) site: &'a ErpSite,
    /// The document before it.
    pub(crate) subject: &'a ErpSubject,
    /// Its name for developers: `cancel of a document`.
    pub(crate) name: &'static str,
    pub(crate) write: ErpWrite<'a>,
    pub(crate) body: &'a Value,
    /// The field that shows the effect.
    pub(crate) field: &'static str,
}

/// Returns the result of an order, from the document as it is now; none as long as there is no effect.
type SeenEffect<'a> =
    &'a (dyn Fn(&ErpSubject) -> Option<Result<ToolOutput, ErrorBody>> + Send + Sync);

impl ErpOrder<'_> {
    /// Sends the order and looks for its effect; returns the result and the warnings of the ERP.
    pub(crate) async fn carry_out(
        self,
        progress: &Progress,
        effect: SeenEffect<'_>,
    ) -> Result<(ToolOutput, Vec<String>), ToolError> {
        let Self {
            site,
            subject,
            name,
            write,
            body,
            field,
        } = self;
        crash::point(|| format!("before the order: {name}"));
        let written = site.client.write(write, body).await;
        crash::point(|| format!("ordered, not followed: {name}"));
        let (lost, warnings) = match written {
            Ok(answer) => (None, answer.warnings),
            Err(WriteFailure::NotDone(error)) => return Err(ToolError(error.body())),
            Err(WriteFailure::Unknown(error)) => (Some(error), Vec::new()),
        };
        // What is stored counts, not what the answer says.
        let now = subject.again(site).await.ok();
        let done = match now.and_then(|now| effect(&now)) {
            Some(done) => done.map_err(ToolError)?,
            None => {
                let lost = lost.unwrap_or_else(|| site.unusable(field));
                let texts = [say::LOOKING, say::LOOK_FIRST];
                Box::pin(acting::settle(&lost, progress, texts, || async {
                    let now = subject.again(site).await.map_err(|error| error.message)?;
                    effect(&now).transpose().map_err(|error| error.message)
                }))
                .await?
            }
        };
        Ok((done, warnings))
    }
}
