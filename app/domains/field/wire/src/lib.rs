#![doc = include_str!("../README.md")]

mod board;
mod keys;
mod pages;
mod scripts;

pub use board::{
    DeviceProgram, DeviceWarning, FailedProgram, FieldBundlePart, FieldDevicePart, FieldFreshness,
    FieldRunPart, FieldSitePart, PendingKey,
};
pub use keys::{DeviceKeyRow, EnrolmentRow, EnrolmentTokenPage, FieldKeysPage, SigningKeyRow};
pub use pages::{
    BundleSectionRow, FieldBundlePage, FieldDevicePage, FieldLookRow, FieldProposalRow, FieldText,
    PersonNote, RevealedToken, SandboxRow,
};
pub use scripts::{
    FieldProposalPage, FieldRiskReport, FieldRunEnd, FieldRunPage, FieldRunStep, ReportedStep,
};

#[cfg(test)]
mod golden;
