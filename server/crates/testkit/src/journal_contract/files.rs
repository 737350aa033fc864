//! Files belong to a person, and keep their content.

use agent::ports::StoredFile;

use super::*;

impl Check<'_> {
    pub(super) async fn files(&self, case: u128) {
        let (owner, other) = (self.user(case), self.user(case | 1 << 48));
        let text = format!("file {:x}\n", self.seed | case);
        let file = StoredFile::new(text.into_bytes()).unwrap();
        let journal = self.journal;
        for _ in 0..2 {
            journal.keep_file(owner, file.clone(), AT).await.unwrap();
            let kept = journal.file(owner, &file.id).await.unwrap();
            assert_eq!(kept.as_ref(), Some(&file));
        }
        let held = journal.hold_file(owner, &file.id, AT).await.unwrap();
        assert_eq!(held, Some(file.clone()));
        assert_eq!(journal.file(other, &file.id).await.unwrap(), None);
        assert_eq!(journal.hold_file(other, &file.id, AT).await.unwrap(), None);
        assert_eq!(journal.file(owner, "x").await.unwrap(), None);
    }
}
