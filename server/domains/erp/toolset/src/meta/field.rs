//! A field of a type.

use std::sync::LazyLock;

/// A field, with all that decides whether a value reaches it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct MetaField {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) kind: MetaFieldKind,
    /// The site's own word for the kind, such as `Text Editor`.
    pub(crate) fieldtype: String,
    /// The type of a link or table, the lines of a Select, the field with the type of a dynamic link or with
    /// the currency of an amount.
    pub(crate) options: String,
    pub(crate) is_mandatory: bool,
    pub(crate) is_read_only: bool,
    pub(crate) is_hidden: bool,
    pub(crate) in_list_view: bool,
    pub(crate) is_unique: bool,
    pub(crate) is_set_once: bool,
    pub(crate) allows_change_after_submit: bool,
    /// True if a copy of a document leaves it out.
    pub(crate) is_not_copied: bool,
    pub(crate) permlevel: u8,
    /// The most characters; zero for the usual.
    pub(crate) length: usize,
    pub(crate) default: Option<String>,
    /// The link and field that it is overwritten from.
    pub(crate) fetch_from: Option<String>,
    /// True if only an empty field is overwritten.
    pub(crate) fetches_if_empty: bool,
    /// True if forms demand it under a condition, which the server does not.
    pub(crate) has_condition: bool,
}

/// Kind of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum MetaFieldKind {
    /// One line, 140 characters unless the field says otherwise.
    Line,
    /// Any number of lines; HTML in some.
    Text,
    Whole,
    /// A number that is no amount: Float and Rating.
    Decimal,
    /// An amount of money; the options say where its currency is.
    Currency,
    Percent,
    Check,
    Date,
    Datetime,
    Time,
    Select,
    Link,
    DynamicLink,
    Table,
    Password,
    /// Sections, columns, buttons: no value.
    #[default]
    Layout,
}

impl MetaFieldKind {
    pub(crate) fn of(fieldtype: &str) -> Self {
        match fieldtype {
            "Data" | "Read Only" | "Attach" | "Attach Image" | "Autocomplete" | "Barcode"
            | "Color" | "Icon" | "Phone" => Self::Line,
            "Small Text" | "Text" | "Long Text" | "Text Editor" | "Markdown Editor"
            | "HTML Editor" | "Code" | "JSON" | "Signature" | "Geolocation" => Self::Text,
            "Int" | "Duration" => Self::Whole,
            "Float" | "Rating" => Self::Decimal,
            "Currency" => Self::Currency,
            "Percent" => Self::Percent,
            "Check" => Self::Check,
            "Date" => Self::Date,
            "Datetime" => Self::Datetime,
            "Time" => Self::Time,
            "Select" => Self::Select,
            "Link" => Self::Link,
            "Dynamic Link" => Self::DynamicLink,
            "Table" | "Table MultiSelect" => Self::Table,
            "Password" => Self::Password,
            _ => Self::Layout,
        }
    }

    pub(crate) const fn is_table(self) -> bool {
        matches!(self, Self::Table)
    }

    pub(crate) const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Whole | Self::Decimal | Self::Currency | Self::Percent
        )
    }

    /// True if a document has a value under the field's name that may be shown.
    pub(crate) const fn holds_value(self) -> bool {
        !matches!(self, Self::Layout | Self::Table | Self::Password)
    }
}

impl MetaField {
    /// The choices of a Select, without the empty one.
    pub(crate) fn choices(&self) -> Vec<&str> {
        let lines = self.options.lines().map(str::trim);
        lines.filter(|line| !line.is_empty()).collect()
    }

    /// True if a value in a new document stays there.
    pub(crate) fn is_writable(&self) -> bool {
        let is_overwritten = self.fetch_from.is_some() && !self.fetches_if_empty;
        self.kind.holds_value() && !self.is_read_only && !is_overwritten
    }
}

static STANDARD: LazyLock<Vec<MetaField>> = LazyLock::new(|| {
    let kinds = [
        ("name", "Data"),
        ("owner", "Data"),
        ("modified_by", "Data"),
        ("creation", "Datetime"),
        ("modified", "Datetime"),
        ("docstatus", "Int"),
    ];
    let field = |(name, fieldtype): (&str, &str)| MetaField {
        name: name.to_owned(),
        label: name.to_owned(),
        kind: MetaFieldKind::of(fieldtype),
        fieldtype: fieldtype.to_owned(),
        is_read_only: true,
        ..MetaField::default()
    };
    kinds.map(field).into()
});

/// A field that every document has.
pub(crate) fn standard_field(name: &str) -> Option<&'static MetaField> {
    STANDARD.iter().find(|field| field.name == name)
}
