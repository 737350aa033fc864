//! The site that a conversation is about.

use crate::error::fits;
use crate::limits::MOST_NAME;
use crate::{FieldTables, FieldTablesError};

impl FieldTables {
    /// The site of a conversation. The first one that is given for it stays.
    ///
    /// # Errors
    /// A name is too long, or the database fails.
    pub async fn site_of_conversation(
        &self,
        conversation: &str,
        first: Option<&str>,
    ) -> Result<Option<String>, FieldTablesError> {
        let known = sqlx::query_scalar(SITE)
            .bind(conversation)
            .fetch_optional(self.0.readers())
            .await?;
        let Some(first) = first.filter(|_| known.is_none()) else {
            return Ok(known);
        };
        fits("a conversation", conversation.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("the site of a conversation").await?;
        sqlx::query(
            "INSERT INTO field_conversation_sites (conversation, site) \
             SELECT ?1, id FROM field_sites WHERE id = ?2 ON CONFLICT DO NOTHING",
        )
        .bind(conversation)
        .bind(first)
        .execute(change.connection())
        .await?;
        let site = sqlx::query_scalar(SITE)
            .bind(conversation)
            .fetch_optional(change.connection())
            .await?;
        change.commit().await?;
        Ok(site)
    }
}

const SITE: &str = "SELECT site FROM field_conversation_sites WHERE conversation = ?";
