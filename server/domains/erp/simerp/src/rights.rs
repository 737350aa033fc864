//! Rights of a user: roles on types, permission levels, and user permissions that narrow rows.

use std::collections::{BTreeMap, BTreeSet};

use crate::books::SimBooks;
use crate::cell::SimDoc;
use crate::meta::{FieldKind, SimType};
use crate::refusal::{SimRefusal, SimResult, forbidden};

/// A right on a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    Read,
    Write,
    Create,
    Submit,
    Cancel,
    Delete,
    Amend,
}

impl Right {
    pub(crate) const ALL: [Self; 7] = [
        Self::Read,
        Self::Write,
        Self::Create,
        Self::Submit,
        Self::Cancel,
        Self::Delete,
        Self::Amend,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::Submit => "submit",
            Self::Cancel => "cancel",
            Self::Delete => "delete",
            Self::Amend => "amend",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.word() == word)
    }

    fn letter(self) -> char {
        match self {
            Self::Cancel => 'x',
            other => other.word().chars().next().unwrap_or('r'),
        }
    }
}

/// The roles of a user; everybody signed in has `All`.
pub(crate) fn roles(books: &SimBooks, user: &str) -> BTreeSet<String> {
    let mut roles = BTreeSet::from(["Guest".to_owned()]);
    if user != "Guest" {
        roles.insert("All".to_owned());
    }
    if let Some(user) = books.find("User", user) {
        roles.extend(
            user.rows("roles")
                .iter()
                .map(|row| row.text("role").to_owned()),
        );
    }
    roles
}

/// Checks a right on a type for the user of the request, rows aside.
pub(crate) fn may(books: &SimBooks, on: &SimType, right: Right) -> bool {
    if books.user == "Administrator" {
        return true;
    }
    if books
        .withdrawn
        .contains(&(books.user.clone(), on.name.to_owned()))
    {
        return false;
    }
    let roles = roles(books, &books.user);
    let manager = roles.contains("System Manager") && right == Right::Read;
    manager
        || on
            .rights
            .iter()
            .any(|(role, letters)| roles.contains(*role) && letters.contains(right.letter()))
}

/// Fields above level 0 are for managers of the type: those that may delete.
pub(crate) fn may_level(books: &SimBooks, on: &SimType, level: i64) -> bool {
    level == 0
        || books.is_seeding
        || books.user == "Administrator"
        || may(books, on, Right::Delete)
        || roles(books, &books.user).contains("Auditor")
}

/// Refuses without the right on the type.
pub(crate) fn demand(books: &SimBooks, on: &SimType, right: Right) -> SimResult<()> {
    if may(books, on, right) {
        return Ok(());
    }
    Err(lacking(books, on.name, right))
}

fn lacking(books: &SimBooks, kind: &str, right: Right) -> SimRefusal {
    forbidden(format!(
        "User <strong>{}</strong> does not have doctype access via role permission for document \
         <strong>{kind}</strong> ({})",
        books.user,
        right.word()
    ))
}

/// Refuses without the right on the document.
pub(crate) fn demand_doc(books: &SimBooks, doc: &SimDoc, right: Right) -> SimResult<()> {
    let of = books.type_of(doc.kind)?;
    demand(books, &of, right)?;
    if reaches(books, doc) {
        return Ok(());
    }
    Err(forbidden(format!(
        "You do not have enough permissions to access this resource. Please contact your manager \
         to get access. ({} {})",
        doc.kind, doc.name
    )))
}

/// Values that the user's permissions allow, by linked type.
pub(crate) fn allowed(books: &SimBooks) -> BTreeMap<String, BTreeSet<String>> {
    let mut allowed = BTreeMap::<String, BTreeSet<String>>::new();
    if books.user != "Administrator" {
        for row in books.by("User Permission", "user", &books.user) {
            let values = allowed.entry(row.text("allow").to_owned()).or_default();
            values.insert(row.text("for_value").to_owned());
        }
    }
    allowed
}

/// Tests user permissions: each linked value of a narrowed type has to be an allowed one.
pub(crate) fn reaches(books: &SimBooks, doc: &SimDoc) -> bool {
    reaches_with(books, doc, &allowed(books))
}

pub(crate) fn reaches_with(
    books: &SimBooks,
    doc: &SimDoc,
    allowed: &BTreeMap<String, BTreeSet<String>>,
) -> bool {
    if allowed.is_empty() {
        return true;
    }
    if let Some(names) = allowed.get(doc.kind)
        && !names.contains(&doc.name)
    {
        return false;
    }
    let Some(of) = books.meta.get(doc.kind) else {
        return true;
    };
    let links = of.fields.iter().filter(|it| it.kind == FieldKind::Link);
    links.into_iter().all(|field| {
        let value = doc.text(field.name);
        value.is_empty()
            || allowed
                .get(field.options)
                .is_none_or(|names| names.contains(value))
    })
}

/// Blanks fields above the user's level, and secrets.
pub(crate) fn blank(books: &SimBooks, mut doc: SimDoc) -> SimDoc {
    if let Some(of) = books.meta.get(doc.kind) {
        let high = may_level(books, of, 1);
        for field in &of.fields {
            if field.kind == FieldKind::Password {
                if !doc.text(field.name).is_empty() {
                    doc.set(field.name, "*****");
                }
            } else if field.permlevel() > 0 && !high {
                doc.fields.remove(field.name);
            }
        }
    }
    doc
}
