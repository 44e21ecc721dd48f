//! `GET /v1/models` and `GET /v1/models/{id}`.

use serde::{Deserialize, Serialize};

/// The models that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelList {
    /// Always `list`.
    pub object: String,
    /// The models.
    pub data: Vec<Model>,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// Its id.
    pub id: String,
    /// Always `model`.
    pub object: String,
    /// When it came, in seconds since 1970.
    pub created: i64,
    /// Who made it.
    pub owned_by: String,
}

impl ModelList {
    /// A list of models.
    pub fn new(data: Vec<Model>) -> Self {
        Self {
            object: "list".into(),
            data,
        }
    }
}

impl Model {
    /// A model.
    pub fn new(id: String, created: i64, owned_by: String) -> Self {
        Self {
            id,
            object: "model".into(),
            created,
            owned_by,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_shape_of_the_specification() {
        let list = ModelList::new(vec![Model::new("smollm2".into(), 1_700_000_000, "hearth".into())]);
        assert_eq!(
            serde_json::to_string(&list).expect("serialise"),
            r#"{"object":"list","data":[{"id":"smollm2","object":"model","created":1700000000,"owned_by":"hearth"}]}"#
        );
    }
}
