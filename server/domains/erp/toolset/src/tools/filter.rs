//! Filters, orders and names in the inputs of tools.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    check,
    error::ErpError,
    meta::{TypeMeta, TypeRights},
    reach::{Reach, company_field},
};

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
    /// The filter as it is sent, after its field and value are checked.
    pub(crate) fn checked(
        &self,
        meta: &TypeMeta,
        rights: Option<&TypeRights>,
        reach: &Reach,
    ) -> Result<Value, ErpError> {
        let field = check::readable_field(meta, &self.field, rights)?;
        let value = check::filter_value(field, self.op.word(), &self.value)?;
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
