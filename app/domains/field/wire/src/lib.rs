#![doc = include_str!("../README.md")]

mod board;
mod pages;
mod scripts;

pub use board::{
    DeviceWarning, FieldBundlePart, FieldDevicePart, FieldFreshness, FieldRunPart, FieldSitePart,
};
pub use pages::{
    BundleSectionRow, FieldBundlePage, FieldDevicePage, FieldLookRow, FieldProposalRow, FieldText,
    RevealedToken, SandboxRow,
};
pub use scripts::{
    FieldProposalPage, FieldRiskReport, FieldRunEnd, FieldRunPage, FieldRunStep, ReportedStep,
};

#[cfg(test)]
mod golden;
