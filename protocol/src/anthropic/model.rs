//! `GET /v1/models` and `GET /v1/models/{id}`, where a client of Anthropic's asks.

use serde::Serialize;

/// A page of the models that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelPage {
    /// The models.
    pub data: Vec<Model>,
    /// Whether there are more in the direction that was asked for.
    pub has_more: bool,
    /// The id of the first one.
    pub first_id: Option<String>,
    /// The id of the last one.
    pub last_id: Option<String>,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// Always `model`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub display_name: String,
    /// When it came (RFC 3339).
    pub created_at: String,
}
