//! One golden JSON snapshot a variant: a changed snapshot is a changed protocol.
