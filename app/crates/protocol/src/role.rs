//! Roles of users.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::FromJson;

/// The rights of a user. Each role includes the lesser ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads and asks; only GREEN calls run.
    Viewer,
    /// Decides on RED calls and may turn the kill switch on.
    Operator,
    /// Also users, policy, configuration, and lifting the kill switch.
    Admin,
    /// A role that this build does not know: less than every other.
    #[default]
    #[serde(other)]
    Unknown,
}

impl Role {
    /// The roles that a user may have, from least to most.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Operator, Self::Admin];

    /// Returns the word on the wire and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Operator => "operator",
            Self::Admin => "admin",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the role of a word; `Unknown` for any other word.
    pub fn from_word(word: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|role| role.word() == word).unwrap_or_default()
    }

    fn rank(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::Viewer => 1,
            Self::Operator => 2,
            Self::Admin => 3,
        }
    }
}

impl Ord for Role {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Role {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
