//! The pages of the settings, in their frame: a user's own, and those of the installation.

mod api;
mod frame;
mod history;
mod import;
mod look;
mod mcp_servers;
mod mcp_state;
mod mcp_test;
mod model;
mod notifications;
mod own_keys;
mod passkeys;
mod password;
mod persona;
mod policy;
mod prompts;
mod sessions;
mod systems;
mod tokens;
mod users;

pub use api::{ApiArea, ApiEntry, ApiField, ApiPage, ApiReply, ApiShape, ApiWord};
pub use frame::SettingsFrame;
pub use history::{SettingsHistory, SettingsVersion};
pub use import::ImportPage;
pub use look::{BackToLook, LookPage};
pub use mcp_servers::{McpNotice, McpServerSection, McpServersPage, McpToolChange, McpToolRow};
pub use mcp_state::{McpServerState, McpToolState};
pub use mcp_test::{McpCallPage, McpField, McpFieldKind, McpTestPage};
pub use model::{CheckedTrial, ConfiguredValue, FixedSettings, ModelField, ModelPage, NumberField};
pub use notifications::NotificationsPage;
pub use own_keys::{OwnKeyField, OwnKeySection, OwnKeyState, OwnKeysPage};
pub use passkeys::{PasskeyRow, PasskeysPage};
pub use password::PasswordPage;
pub use persona::{AssistantPage, PersonaForm, PersonaPage};
pub use policy::{
    ChangedCall, ChangedCount, FilePeople, GrantLimits, ListedTarget, PolicyForm, PolicyPage,
    PolicyPreview, ProtectedTargets, TIERS, TargetField, ToolRule, TwoPeople, UnknownCount,
};
pub use prompts::PromptsPage;
pub use sessions::{SessionRow, SessionsPage, WayIn};
pub use systems::{SystemKey, SystemSettings, SystemsPage};
pub use tokens::{TokenRow, TokenScope, TokensPage};
pub use users::{UserRow, UsersPage};

use kit::Icon;
use leptos::prelude::*;
use protocol::Role;

use super::{qr_code, texts};

/// A page of the settings: a struct of the data that it shows.
pub trait SettingsPage {
    const TAB: Tab;
    /// Its heading, if it is not that of its tab.
    const TITLE: Option<&'static str> = None;
    /// Reported after a form that succeeded.
    const SAVED: &'static str = "";

    /// Draws the sections of the page.
    fn view(self) -> AnyView;
}

/// Draws the field for the name of something new.
fn name_field() -> AnyView {
    view! {
        <label>
            {texts::NAME} <input name="name" maxlength="64" autocomplete="off" required />
        </label>
    }
    .into_any()
}

/// The pages of the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Profile,
    Look,
    Notifications,
    Assistant,
    Passkeys,
    Sessions,
    Tokens,
    OwnKeys,
    Prompts,
    Import,
    Users,
    Model,
    Persona,
    Policy,
    Systems,
    McpServers,
}

impl Tab {
    /// The settings of everybody.
    const YOURS: [Self; 10] = [
        Self::Profile,
        Self::Look,
        Self::Notifications,
        Self::Assistant,
        Self::Passkeys,
        Self::Sessions,
        Self::Tokens,
        Self::OwnKeys,
        Self::Prompts,
        Self::Import,
    ];
    const OF_ADMINS: [Self; 6] = [
        Self::Users,
        Self::Model,
        Self::Persona,
        Self::Policy,
        Self::Systems,
        Self::McpServers,
    ];

    fn icon(self) -> Icon {
        match self {
            Self::Profile => Icon::USER,
            Self::Look => Icon::SUN,
            Self::Notifications => Icon::BELL,
            Self::Assistant => Icon::THOUGHT,
            Self::Passkeys => Icon::KEY,
            Self::Sessions => Icon::SCREEN,
            Self::Tokens => Icon::LINK,
            Self::OwnKeys => Icon::LOCK,
            Self::Prompts => Icon::ROWS,
            Self::Import => Icon::ARROW_DOWN,
            Self::Users => Icon::USERS,
            Self::Model => Icon::CHIP,
            Self::Persona => Icon::BUBBLE,
            Self::Policy => Icon::SHIELD,
            Self::Systems => Icon::RACK,
            Self::McpServers => Icon::TILES,
        }
    }

    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Profile => ("/settings", texts::settings::ACCOUNT),
            Self::Look => ("/settings/look", texts::settings::APPEARANCE),
            Self::Notifications => ("/settings/notifications", texts::settings::NOTIFICATIONS),
            Self::Assistant => ("/settings/assistant", texts::settings::ASSISTANT),
            Self::Passkeys => ("/settings/passkeys", texts::settings::PASSKEYS),
            Self::Sessions => ("/settings/sessions", texts::settings::SESSIONS),
            Self::Tokens => ("/settings/tokens", texts::settings::API_TOKENS),
            Self::OwnKeys => ("/settings/keys", texts::settings::YOUR_KEYS),
            Self::Prompts => ("/settings/prompts", texts::settings::PROMPTS),
            Self::Import => ("/settings/import", texts::settings::DATA),
            Self::Users => ("/settings/users", texts::settings::USERS),
            Self::Model => ("/settings/model", texts::settings::MODEL),
            Self::Persona => ("/settings/persona", texts::settings::PERSONA),
            Self::Policy => ("/settings/policy", texts::settings::POLICY),
            Self::Systems => ("/settings/systems", texts::settings::SYSTEMS),
            Self::McpServers => ("/settings/mcp", texts::settings::MCP_SERVERS),
        }
    }
}

/// The result of a form, as its page reports it.
pub enum Note {
    None,
    /// The form succeeded.
    Saved,
    /// Information.
    Told(String),
    Problem(String),
    /// A secret that is shown only this once.
    Secret {
        text: String,
        secret: String,
        /// True if it is an address, which has a QR code too.
        is_link: bool,
    },
}

impl Note {
    /// Draws the note; `saved` is the page's text for a form that succeeded.
    fn view(self, saved: &'static str) -> Option<AnyView> {
        let told =
            |text: String| view! { <p class="plain-done" role="status">{text}</p> }.into_any();
        match self {
            Self::None => None,
            Self::Saved => Some(told(saved.to_owned())),
            Self::Told(text) => Some(told(text)),
            Self::Secret {
                text,
                secret,
                is_link,
            } => Some(
                view! {
                    <div
                        class="plain-done"
                        role="status"
                        data-copy
                        data-copied=texts::COPIED
                        data-selected=texts::SELECTED
                    >
                        <p>{text}</p>
                        <code class="plain-secret">{secret.clone()}</code>
                        <button type="button" class="button button--small" hidden>
                            {texts::COPY}
                        </button>
                        {is_link.then(|| qr_code(&secret))}
                    </div>
                }
                .into_any(),
            ),
            Self::Problem(problem) => {
                Some(view! { <p class="plain-problem" role="alert">{problem}</p> }.into_any())
            }
        }
    }
}

/// Draws the QR code of a link, folded: a screen is read from afar, and the link signs in once.
fn qr_code(link: &str) -> AnyView {
    view! {
        <details>
            <summary>{texts::settings::QR_CODE}</summary>
            {qr_code::view(link, texts::settings::QR_CODE_OF_LINK)}
        </details>
    }
    .into_any()
}

/// Draws a list, or says that it is empty.
fn list_or_none(rows: Vec<AnyView>) -> AnyView {
    if rows.is_empty() {
        view! { <p>{texts::NONE}</p> }.into_any()
    } else {
        view! { <ul class="plain-list">{rows}</ul> }.into_any()
    }
}

/// Draws a choice of roles up to `most`.
fn roles(selected: Role, most: Role) -> AnyView {
    let options: Vec<_> = Role::ALL
        .into_iter()
        .filter(|role| *role <= most)
        .map(|role| {
            let word = role.word();
            view! { <option value=word selected=role == selected>{word}</option> }
        })
        .collect();
    view! { <select name="role" aria-label=texts::ROLE>{options}</select> }.into_any()
}
