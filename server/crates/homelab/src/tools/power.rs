//! Starting, stopping and restarting guests.
//!
//! An order is one or two steps. Each step is one POST that is never sent twice, a task that is
//! followed to its end, and a proof: the state of the guest, because the end of a task says less
//! than it seems. The end of a reboot's task means only that the guest went down, and that of an
//! order to the high-availability manager only that the manager was told.

mod act;
mod find;
mod follow;
mod order;
mod preview;
mod prove;
mod reconcile;
mod spec;

pub(crate) use self::spec::tools;
