//! Actions of a person on a guest or a node: the buttons, and beside them the calls with their
//! cards and results.

mod panel;
mod subject;

pub(super) use self::{
    panel::{ActHome, act_button, act_panel, menu_button},
    subject::Subject,
};
