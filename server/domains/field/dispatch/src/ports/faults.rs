//! Refusals of the dispatch as failures of the ports.

use field::ports::{FieldFault, FieldFaultCode};
use field_tables::FieldTablesError;

use crate::error::{DispatchRefusal, RefusalClass};

/// A refusal as a failure. `missing`: the code if there is no such thing.
pub(super) fn fault(missing: FieldFaultCode) -> impl Fn(DispatchRefusal) -> FieldFault {
    move |refusal| {
        let code = match refusal.code {
            "kill_switch" => FieldFaultCode::KillSwitch,
            "not_adopted" => FieldFaultCode::NotAdopted,
            "other_key" => FieldFaultCode::OtherKey,
            "no_sandbox" => FieldFaultCode::CannotEnforce,
            "policy_changed" => FieldFaultCode::OtherPolicy,
            "queue_full" | "busy" => FieldFaultCode::QueueFull,
            "too_large" | "too_many" | "package_too_large" => FieldFaultCode::TooMuch,
            "bad_manifest" if refusal.message.contains("approval.by") => FieldFaultCode::OnePerson,
            _ => match refusal.class {
                RefusalClass::NotFound => missing,
                RefusalClass::Forbidden => FieldFaultCode::NotAllowed,
                RefusalClass::TooLarge | RefusalClass::TooMany => FieldFaultCode::TooMuch,
                _ => FieldFaultCode::Storage,
            },
        };
        // Messages of refusals name no value.
        FieldFault::with(code, refusal.message)
    }
}

/// An error of the tables as a failure.
pub(super) fn stored(error: FieldTablesError) -> FieldFault {
    fault(FieldFaultCode::Storage)(error.into())
}
