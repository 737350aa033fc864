//! Users of the simulated company, with their roles.

/// A user of the simulated company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimErpUser {
    /// Sales, purchase, stock, accounts and manufacturing user: what an agent should have.
    Agent,
    /// Auditor: reads all, writes nothing.
    Reader,
    /// Sales user who sees one company and one territory only.
    Narrow,
    /// System Manager.
    Boss,
    /// A person with the agent's roles.
    Clerk,
    /// A person who leads the departments, and approves.
    Manager,
}

const WORKERS: &[&str] = &[
    "Sales User",
    "Purchase User",
    "Stock User",
    "Accounts User",
    "Manufacturing User",
];

const LEADERS: &[&str] = &[
    "Sales User",
    "Purchase User",
    "Stock User",
    "Accounts User",
    "Manufacturing User",
    "Sales Manager",
    "Purchase Manager",
    "Stock Manager",
    "Accounts Manager",
];

/// All users and their roles.
pub(crate) const EVERYBODY: [(SimErpUser, &[&str]); 6] = [
    (SimErpUser::Agent, WORKERS),
    (SimErpUser::Reader, &["Auditor"]),
    (SimErpUser::Narrow, &["Sales User"]),
    (SimErpUser::Boss, &["System Manager"]),
    (SimErpUser::Clerk, WORKERS),
    (SimErpUser::Manager, LEADERS),
];

impl SimErpUser {
    /// All users.
    pub const ALL: [Self; 6] = [
        Self::Agent,
        Self::Reader,
        Self::Narrow,
        Self::Boss,
        Self::Clerk,
        Self::Manager,
    ];

    /// The name that they sign in with.
    pub fn email(self) -> &'static str {
        match self {
            Self::Agent => "agent@aldergate.example",
            Self::Reader => "reader@aldergate.example",
            Self::Narrow => "narrow@aldergate.example",
            Self::Boss => "boss@aldergate.example",
            Self::Clerk => "clerk@aldergate.example",
            Self::Manager => "manager@aldergate.example",
        }
    }
}
