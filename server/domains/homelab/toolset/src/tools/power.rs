//! Tools that start, stop and restart guests.
//!
//! An order has one or two steps. Each step is one POST that is never sent twice, a task that is
//! followed to its end, and a proof by the guest's own state, because the end of a task says less
//! than it seems. The end of a reboot task means only that the guest went down, and the end of a
//! high-availability task only that the manager got the request.

mod act;
mod backup;
mod find;
mod follow;
mod order;
mod preview;
mod prove;
mod reconcile;
mod spec;

pub(crate) use self::spec::tools;
