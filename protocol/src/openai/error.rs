//! The body of every answer that is not 2xx.

use serde::{Deserialize, Serialize};

/// `{"error": {...}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorResponse {
    /// What went wrong.
    pub error: ErrorBody,
}

/// What went wrong. All four fields are always sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// For a person.
    pub message: String,
    /// Such as `invalid_request_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The field at fault.
    pub param: Option<String>,
    /// Such as `model_not_found`.
    pub code: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_are_sent() {
        let body = ErrorResponse {
            error: ErrorBody {
                message: "no".into(),
                kind: "invalid_request_error".into(),
                param: None,
                code: Some("model_not_found".into()),
            },
        };
        assert_eq!(
            serde_json::to_string(&body).expect("serialise"),
            r#"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#
        );
    }
}
