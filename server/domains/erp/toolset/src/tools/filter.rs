//! Filters, orders and names in the inputs of tools.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    check,
    error::ErpError,
    meta::{MetaField, MetaFieldKind, TypeMeta, TypeRights},
    reach::{Reach, company_field},
};

/// The word for the day at the site.
const TODAY: &str = "today";

/// A condition on a field.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilterInput {
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    pub(crate) field: String,
    op: FilterOperator,
    #[schemars(schema_with = "value_schema")]
    value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum FilterOperator {
    #[serde(rename = "=")]
    Is,
    #[serde(rename = "!=")]
    IsNot,
    #[serde(rename = ">")]
    Above,
    #[serde(rename = "<")]
    Below,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "like")]
    Like,
    #[serde(rename = "not like")]
    NotLike,
    #[serde(rename = "in")]
    In,
    #[serde(rename = "not in")]
    NotIn,
    #[serde(rename = "is")]
    Set,
    #[serde(rename = "between")]
    Between,
}

impl FilterOperator {
    const fn word(self) -> &'static str {
        match self {
            Self::Is => "=",
            Self::IsNot => "!=",
            Self::Above => ">",
            Self::Below => "<",
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Like => "like",
            Self::NotLike => "not like",
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Set => "is",
            Self::Between => "between",
        }
    }
}

/// Order of rows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrderInput {
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    pub(crate) field: String,
    direction: OrderDirection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OrderDirection {
    Asc,
    Desc,
}

/// Texts, numbers, booleans, and lists of the first two. Frappe would take objects as well.
pub(crate) fn value_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["string", "number", "boolean", "array"],
        "items": { "type": ["string", "number"] },
        "maxItems": 50,
    })
}

impl FilterInput {
    /// The filter as it is sent, after its field and value are checked. `today`: the day at the site.
    pub(crate) fn checked(
        &self,
        meta: &TypeMeta,
        rights: Option<&TypeRights>,
        reach: &Reach,
        today: &str,
    ) -> Result<Value, ErpError> {
        let field = check::readable_field(meta, &self.field, rights)?;
        let value = on_day(field, &self.value, today);
        let value = check::filter_value(field, self.op.word(), &value)?;
        // Naming a company out of reach is refused, rather than answered with an empty list.
        if company_field(meta) == Some(field.name.as_str())
            && matches!(self.op, FilterOperator::Is | FilterOperator::In)
        {
            let one = std::slice::from_ref(&value);
            let names = value.as_array().map_or(one, Vec::as_slice);
            for name in names.iter().filter_map(Value::as_str) {
                reach.company(name)?;
            }
        }
        Ok(json!([field.name, self.op.word(), value]))
    }
}

/// The value, with the day in the place of the word for it where a field holds days.
fn on_day(field: &MetaField, value: &Value, today: &str) -> Value {
    let dated = |one: &Value| {
        let is_today = field.kind == MetaFieldKind::Date && one.as_str() == Some(TODAY);
        if is_today {
            Value::from(today)
        } else {
            one.clone()
        }
    };
    match value {
        Value::Array(ends) => ends.iter().map(dated).collect(),
        one => dated(one),
    }
}

impl OrderInput {
    /// The order as it is sent; the name makes it one of its kind.
    pub(crate) fn checked(
        &self,
        meta: &TypeMeta,
        rights: Option<&TypeRights>,
    ) -> Result<String, ErpError> {
        let field = check::readable_field(meta, &self.field, rights)?;
        let direction = match self.direction {
            OrderDirection::Asc => "asc",
            OrderDirection::Desc => "desc",
        };
        Ok(match field.name.as_str() {
            "name" => format!("name {direction}"),
            other => format!("{other} {direction}, name asc"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn today_is_the_day_at_the_site_in_days_alone() {
        let of = |kind: MetaFieldKind, value: Value| {
            let field = MetaField {
                kind,
                ..MetaField::default()
            };
            on_day(&field, &value, "2026-11-23")
        };
        let (day, line) = (MetaFieldKind::Date, MetaFieldKind::Line);
        assert_eq!(of(day, json!("today")), json!("2026-11-23"));
        let both = json!(["2026-11-01", "today"]);
        assert_eq!(of(day, both), json!(["2026-11-01", "2026-11-23"]));
        assert_eq!(of(day, json!("tomorrow")), json!("tomorrow"));
        assert_eq!(of(line, json!("today")), json!("today"));
    }
}
