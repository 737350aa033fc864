//! Tools that ask the site as the person for whom a call is made.

use std::sync::Arc;

use agent::ports::{
    Assessment, OnStop, Preview, Progress, Reconciled, Staging, Tool, ToolCall, ToolError, ToolSpec,
};
use async_trait::async_trait;
use protocol::{
    ErrorBody, ErrorCode, Fact, Offer, RiskReason, RiskWeight, Timestamp, ToolOutput, UserId,
};
use serde_json::{Value, json};

use crate::{
    personal_sites::{PersonalSites, SiteOfPerson},
    site::ErpSite,
    texts::own_keys as say,
};

/// Makes tools over one connection, always the same ones in the same order.
pub(crate) type ToolMaker = Arc<dyn Fn(&Arc<ErpSite>) -> Vec<Arc<dyn Tool>> + Send + Sync>;

/// The tools of a maker, each of which asks the site as the person of its call.
pub(crate) fn personal(sites: &Arc<PersonalSites>, make: &ToolMaker) -> Vec<Arc<dyn Tool>> {
    let shared = make(sites.shared()).into_iter().enumerate();
    let wrapped = shared.map(|(index, shared)| PersonalTool {
        shared,
        index,
        make: Arc::clone(make),
        sites: Arc::clone(sites),
    });
    wrapped.map(|it| Arc::new(it) as Arc<dyn Tool>).collect()
}

struct PersonalTool {
    /// Over the site's own connection: answers what needs no request.
    shared: Arc<dyn Tool>,
    /// Its place among those that are made.
    index: usize,
    make: ToolMaker,
    sites: Arc<PersonalSites>,
}

/// The tool for the calls of one person.
struct ToolOfPerson {
    tool: Arc<dyn Tool>,
    of: SiteOfPerson,
}

impl PersonalTool {
    async fn of(&self, person: UserId) -> Result<ToolOfPerson, ErrorBody> {
        let of = self.sites.of(person).await?;
        let tool = (self.make)(&of.site).into_iter().nth(self.index);
        let tool = tool.ok_or_else(|| ErrorBody::new(ErrorCode::Internal, say::NO_SUCH_TOOL))?;
        Ok(ToolOfPerson { tool, of })
    }
}

#[async_trait]
impl Tool for PersonalTool {
    fn spec(&self) -> ToolSpec {
        self.shared.spec()
    }

    fn only_reads(&self) -> bool {
        self.shared.only_reads()
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.shared.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.shared.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        self.shared.assess(input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let ToolOfPerson { tool, of } = self.of(call.origin.person).await?;
        let mut preview = tool.preview(call).await?;
        if self.only_reads() {
            return Ok(preview);
        }
        let who = of.site.identity().await?;
        // A key that is entered, replaced or removed after the card was shown is another user of
        // the ERP: the person is asked again.
        match &mut preview.state {
            Value::Object(state) => {
                state.insert("erp_user".to_owned(), who.user.clone().into());
            }
            other => *other = json!({ "erp_user": who.user, "state": other.take() }),
        }
        preview.facts.push(Fact {
            label: say::ERP_USER.to_owned(),
            value: who.user.clone(),
        });
        if of.own_user.is_none() {
            let sees = say::erp_will_see(&who.user);
            let risk = RiskReason::new("erp_sees_robot", RiskWeight::Note, sees);
            preview.risks.push(risk.meaning(say::ERP_WILL_SEE_DETAIL));
        }
        Ok(preview)
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        let user = |facts: &[Fact]| {
            let fact = facts.iter().find(|it| it.label == say::ERP_USER)?;
            Some(fact.value.clone())
        };
        match (user(shown), user(&now.facts)) {
            (Some(before), Some(after)) if before != after => {
                Some(say::other_user(&before, &after))
            }
            _ => self.shared.drift(shown, now),
        }
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let ToolOfPerson { tool, of } = match self.of(call.origin.person).await {
            Ok(found) => found,
            Err(error) => return Reconciled::Unknown(error.message),
        };
        match tool.reconcile(call, since).await {
            // It ran with the key of that time, and was looked for with the one of now.
            Reconciled::NotDone(why) if of.changed.is_some_and(|changed| changed >= since) => {
                Reconciled::Unknown(say::key_changed_since(&why))
            }
            found => found,
        }
    }

    fn staging(&self) -> Staging {
        self.shared.staging()
    }

    fn on_stop(&self) -> OnStop {
        self.shared.on_stop()
    }

    fn offers(&self) -> Vec<Offer> {
        self.shared.offers()
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let found = self.of(call.origin.person).await.map_err(ToolError)?;
        found.tool.call(call, progress).await
    }
}

#[cfg(test)]
mod tests;
