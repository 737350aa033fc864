//! The room that all sandboxed programs share.

use std::sync::{Arc, Mutex, PoisonError};

/// The bounds of all sandboxed programs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildBounds {
    /// The most programs that run at once.
    pub children: u32,
    /// The largest sum of the memory limits of those that run, in bytes.
    pub memory_bytes: u64,
}

impl Default for ChildBounds {
    /// 16 programs, 32 GiB.
    fn default() -> Self {
        Self {
            children: 16,
            memory_bytes: 32 * 1024 * 1024 * 1024,
        }
    }
}

/// Places for sandboxed programs. Clones are the same room.
#[derive(Debug, Clone, Default)]
pub struct ChildRoom(Arc<SharedRoom>);

#[derive(Debug, Default)]
struct SharedRoom {
    bounds: ChildBounds,
    taken: Mutex<TakenRoom>,
}

#[derive(Debug, Default)]
struct TakenRoom {
    children: u32,
    memory_bytes: u64,
}

/// The place of one program, until it is dropped.
#[derive(Debug)]
pub(crate) struct ChildPlace {
    room: ChildRoom,
    memory_bytes: u64,
}

impl ChildRoom {
    pub fn new(bounds: ChildBounds) -> Self {
        Self(Arc::new(SharedRoom {
            bounds,
            taken: Mutex::default(),
        }))
    }

    /// A place for a program with this memory limit; none if it would not fit beside those that run.
    pub(crate) fn take(&self, memory_bytes: u64) -> Option<ChildPlace> {
        let bounds = self.0.bounds;
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let children = taken.children.saturating_add(1);
        let sum = taken.memory_bytes.saturating_add(memory_bytes);
        if children > bounds.children || sum > bounds.memory_bytes {
            return None;
        }
        *taken = TakenRoom {
            children,
            memory_bytes: sum,
        };
        drop(taken);
        Some(ChildPlace {
            room: self.clone(),
            memory_bytes,
        })
    }
}

impl Drop for ChildPlace {
    fn drop(&mut self) {
        let taken = &self.room.0.taken;
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.children = taken.children.saturating_sub(1);
        taken.memory_bytes = taken.memory_bytes.saturating_sub(self.memory_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_their_memory_are_bounded_together_until_they_end() {
        let room = ChildRoom::new(ChildBounds {
            children: 2,
            memory_bytes: 100,
        });
        let first = room.take(60).unwrap();
        assert!(room.take(41).is_none());
        let second = room.take(40).unwrap();
        assert!(room.take(0).is_none());
        drop(first);
        let third = room.take(60).unwrap();
        drop((second, third));
        assert!(room.take(100).is_some());
    }
}
