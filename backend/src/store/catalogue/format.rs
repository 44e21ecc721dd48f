//! How a model writes chats, for files that do not say it.

use hearth_protocol::Result;
use hearth_protocol::catalogue::ModelCard;
use hearth_protocol::library::LibraryFile;

use crate::store::Store;
use crate::store::failure::storage;
use crate::store::lenient::{self, Lossy};

/// How a model writes chats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChatFormat {
    /// Name of a chat template that is built in.
    pub(crate) template: String,
    /// Text that ends an answer.
    pub(crate) reverse_prompt: Option<String>,
}

impl Store {
    /// What the curated catalogue knows of the model that a file is of: one with a file of as many bytes and the same
    /// quantisation, else one that names the file's repository. `None` where it knows none.
    pub(crate) async fn chat_format(&self, file: &LibraryFile) -> Result<Option<ChatFormat>> {
        let size = i64::try_from(file.size.0).unwrap_or(i64::MAX);
        let repository = file.model.as_ref().map(|model| model.as_str());
        let mut transaction = self.read().await?;
        let card = sqlx::query_scalar!(
            r#"select card as "card: Lossy" from (
                select m.card, m.place, exists (
                    select 1 from catalogue_files f where f.model_id = m.id and f.size = ?
                        and (f.quantisation is null or f.quantisation = ?)
                ) as is_size, exists (
                    select 1 from json_each(m.card, '$.repositories') r where r.value = ? collate nocase
                ) as is_place
                from catalogue_models m where m.curated = 1
            ) where is_size or is_place order by is_size desc, place limit 1"#,
            size,
            file.quantisation,
            repository
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        let card: ModelCard = lenient::json("card", card).unwrap_or_default();
        Ok(card.prompt_template.map(|template| ChatFormat {
            template,
            reverse_prompt: card.reverse_prompt,
        }))
    }
}
