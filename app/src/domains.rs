//! The table of panels: one line for each domain.

mod homelab;
mod markets;

use crate::panel::Panel;

/// In the order of their tabs.
pub(crate) static PANELS: [Panel; 2] = [homelab::PANEL, markets::PANEL];
