//! The company that the ERP takes where a form names none.

use serde_json::Value;

use super::{ErpSite, IDENTITY_LIFETIME};
use crate::{client::ErpMethod, error::ErpError};

impl ErpSite {
    /// The default company of the ERP user, which is the site's where the user has none; None if there is
    /// none, if it is out of reach, or if the site does not tell. Everybody who is signed in may ask for it,
    /// unlike for the settings that it comes from.
    pub(crate) async fn default_company(&self) -> Option<String> {
        let read = async {
            self.identity().await?;
            let answer = self.method(ErpMethod::SessionDefaults, &[]).await?;
            Ok::<_, ErpError>(company_in(&answer.data))
        };
        let found = Box::pin(self.default_company.get(IDENTITY_LIFETIME, read)).await;
        let found = found.unwrap_or_else(|error| {
            let reason = error.reason();
            tracing::debug!(reason, "the default company cannot be read");
            None
        });
        found.filter(|name| self.reach.has_company(name))
    }
}

/// The company among the session's defaults: a list of fields as JSON, mostly in a text.
fn company_in(answer: &Value) -> Option<String> {
    let parsed: Value = match answer {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let mut fields = parsed.as_array()?.iter();
    let company = fields.find(|it| it["options"] == "Company")?;
    let name = company["default"].as_str()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_default_is_read_in_both_forms_and_an_empty_one_is_none() {
        let fields = |default: Value| json!([{"options": "Warehouse", "default": "Stores - AC"}, {"options": "Company", "default": default}]);
        let some = Some("Aldergate Cycles".to_owned());
        assert_eq!(company_in(&fields(json!("Aldergate Cycles"))), some);
        let text = fields(json!("Aldergate Cycles")).to_string();
        assert_eq!(company_in(&json!(text)), some);
        for none in [
            fields(Value::Null),
            fields(json!("")),
            json!([]),
            json!("no JSON"),
            Value::Null,
        ] {
            assert_eq!(company_in(&none), None, "{none}");
        }
    }
}
