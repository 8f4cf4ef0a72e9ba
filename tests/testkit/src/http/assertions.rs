//! The responses that a test expects.

use serde_json::{Value, json};

use super::response::Response;

impl Response {
    /// The body of a response with status 200.
    ///
    /// # Panics
    /// For another status.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.body
    }

    /// Whether a command was applied, or a read succeeded.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        [200, 201].contains(&self.status)
    }

    /// The result of a command that was applied.
    ///
    /// # Panics
    /// When it was not applied.
    #[track_caller]
    pub fn result(self) -> Value {
        assert!(self.is_completed(), "{self:?}");
        assert_eq!(self.body["status"], "applied", "{self:?}");
        self.body["result"].clone()
    }

    /// Asserts a problem with this status and code, and returns it.
    ///
    /// # Panics
    /// For another response.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status, self.body["code"].as_str()), (status, Some(code)), "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.body["status"], status);
        assert_eq!(self.body["request_id"], self.header("x-request-id"));
        self.body
    }

    /// Asserts that the request is invalid at this place of its body, or in this parameter.
    ///
    /// # Panics
    /// For another response.
    #[track_caller]
    pub fn invalid(self, pointer: &str) {
        self.field_error(pointer);
    }

    /// The error at this place of the body, or in this parameter.
    ///
    /// # Panics
    /// For another response.
    #[track_caller]
    pub fn field_error(self, pointer: &str) -> Value {
        let problem = self.problem(400, "invalid_request");
        let mut errors = problem["errors"].as_array().into_iter().flatten();
        errors.find(|error| error["pointer"] == pointer).unwrap_or_else(|| panic!("{problem}")).clone()
    }

    /// Asserts the rule that the request breaks at this place. Null means no parameters.
    ///
    /// # Panics
    /// For another response.
    #[track_caller]
    pub fn invalid_field(self, pointer: &str, code: &str, parameters: &Value) {
        let error = self.field_error(pointer);
        assert_eq!((&error["code"], &error["parameters"]), (&json!(code), parameters), "{error}");
    }
}
