//! Notices.

use agent::ports::{JournalError, NoticeChange, NoticeRecords, Person};
use async_trait::async_trait;
use protocol::{Acknowledged, CommandId, Notice, NoticeId, Timestamp};

use super::MemoryJournal;

#[async_trait]
impl NoticeRecords for MemoryJournal {
    async fn notices(&self, system: &str, since: Timestamp) -> Result<Vec<Notice>, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        let of_system = inner.notices.values().filter(|it| it.system == system);
        let recent = of_system.filter(|it| it.ended.is_none_or(|at| at >= since));
        Ok(recent.cloned().collect())
    }

    async fn change_notices(
        &self,
        changes: &[NoticeChange],
        _at: Timestamp,
    ) -> Result<(), JournalError> {
        self.written(|inner| {
            for notice in changes.iter().map(NoticeChange::notice) {
                inner.notices.insert(notice.id, notice.clone());
            }
            Ok(())
        })
        .await
    }

    async fn acknowledge_notice(
        &self,
        notice: NoticeId,
        by: &Person,
        at: Timestamp,
        command: CommandId,
    ) -> Result<(), JournalError> {
        self.written(|inner| {
            let open = inner.notices.get_mut(&notice);
            let open = open.filter(|it| it.ended.is_none());
            let notice = open.ok_or(JournalError::NotFound)?;
            if !inner.commands.insert((by.id, command)) {
                return Err(JournalError::Duplicate);
            }
            notice.acknowledged = Some(Acknowledged {
                by: by.name.clone(),
                at,
            });
            Ok(())
        })
        .await
    }
}
