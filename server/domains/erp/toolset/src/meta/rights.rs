//! Rights that roles give on a type.

use serde_json::{Value, json};

/// One right on a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeRight {
    Read,
    Write,
    Create,
    Submit,
    Cancel,
    Amend,
    Report,
}

impl TypeRight {
    pub(crate) const ALL: [Self; 7] = [
        Self::Read,
        Self::Write,
        Self::Create,
        Self::Submit,
        Self::Cancel,
        Self::Amend,
        Self::Report,
    ];

    /// The word that Frappe has for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::Submit => "submit",
            Self::Cancel => "cancel",
            Self::Amend => "amend",
            Self::Report => "report",
        }
    }
}

/// A line of the type's rights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PermissionRow {
    pub(super) role: String,
    pub(super) permlevel: u8,
    pub(super) only_if_owner: bool,
    pub(super) rights: Vec<TypeRight>,
}

/// The rights of somebody on a type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TypeRights {
    /// On every document, as far as user permissions allow.
    pub(crate) on_all: Vec<TypeRight>,
    /// On own documents only.
    pub(crate) on_own: Vec<TypeRight>,
    readable_levels: Vec<u8>,
    writable_levels: Vec<u8>,
}

impl TypeRights {
    pub(super) fn of(rows: &[PermissionRow], roles: &[String]) -> Self {
        // Every signed-in user has these two.
        let has = |role: &String| role == "All" || role == "Guest" || roles.contains(role);
        let mut rights = Self::default();
        for row in rows.iter().filter(|row| has(&row.role)) {
            let known = match (row.permlevel, row.only_if_owner) {
                (0, false) => Some(&mut rights.on_all),
                (0, true) => Some(&mut rights.on_own),
                _ => None,
            };
            if let Some(known) = known {
                known.extend(
                    row.rights
                        .iter()
                        .filter(|it| !known.contains(it))
                        .copied()
                        .collect::<Vec<_>>(),
                );
            }
            if row.rights.contains(&TypeRight::Read) {
                rights.readable_levels.push(row.permlevel);
            }
            if row.rights.contains(&TypeRight::Write) {
                rights.writable_levels.push(row.permlevel);
            }
        }
        rights
    }

    /// True on every document of the type, or on some.
    pub(crate) fn can(&self, right: TypeRight) -> bool {
        self.on_all.contains(&right) || self.on_own.contains(&right)
    }

    /// True if values of fields of this level reach the user.
    pub(crate) fn reads_level(&self, level: u8) -> bool {
        self.readable_levels.contains(&level)
    }

    /// True if values for fields of this level are not reset.
    pub(crate) fn writes_level(&self, level: u8) -> bool {
        self.writable_levels.contains(&level)
    }

    /// For the model: the words, and those for own documents apart.
    pub(crate) fn shown(&self) -> Value {
        let words = |rights: &[TypeRight]| rights.iter().map(|it| it.word()).collect::<Vec<_>>();
        let own: Vec<_> = self
            .on_own
            .iter()
            .filter(|it| !self.on_all.contains(it))
            .copied()
            .collect();
        if own.is_empty() {
            json!(words(&self.on_all))
        } else {
            json!({ "all": words(&self.on_all), "own_only": words(&own) })
        }
    }
}
