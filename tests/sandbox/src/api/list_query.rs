//! The query of lists: time range, filters and pages.

use std::{collections::HashMap, str::FromStr};

use chrono::{DateTime, Utc};
use poem::Request;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::http::error_response::{ErrorResponse, Resource, Violation};

/// The query parameters of a list, and the violations found so far.
pub(super) struct ListQuery {
    resource: Resource,
    parameters: HashMap<String, String>,
    violations: Vec<Violation>,
}

impl ListQuery {
    pub(super) fn new(request: &Request, resource: Resource) -> Self {
        Self { resource, parameters: request.params().unwrap_or_default(), violations: vec![] }
    }

    /// Returns an optional parameter. A value of the wrong form is a violation.
    pub(super) fn parameter<T: FromStr>(&mut self, name: &str) -> Option<T> {
        let text = self.parameters.get(name)?;
        let value = text.parse().ok();
        if value.is_none() {
            self.violations.push(Violation::new(name, text, "has the wrong format"));
        }
        value
    }

    /// Returns the required parameters `inicio` and `fim`.
    pub(super) fn time_range(&mut self) -> (DateTime<Utc>, DateTime<Utc>) {
        let mut required_time = |name: &str| {
            if !self.parameters.contains_key(name) {
                self.violations.push(Violation::new(name, "", "is required"));
            }
            self.parameter(name).unwrap_or_default()
        };
        let (start, end) = (required_time("inicio"), required_time("fim"));
        if start > end {
            self.violations.push(Violation::new("fim", end, "is before inicio"));
        }
        (start, end)
    }

    /// Returns the requested page of the list, in the form of the standard.
    ///
    /// # Errors
    /// When a parameter is invalid.
    pub(super) fn into_page<T: Serialize>(mut self, name: &str, items: &[T]) -> Result<Value, ErrorResponse> {
        let page: usize = self.parameter("paginacao.paginaAtual").unwrap_or(0);
        let size: usize = self.parameter("paginacao.itensPorPagina").unwrap_or(100);
        if !(1..=1000).contains(&size) {
            self.violations.push(Violation::new(
                "paginacao.itensPorPagina",
                size,
                "is not between 1 and 1000",
            ));
        }
        if !self.violations.is_empty() {
            return Err(ErrorResponse::invalid_query(self.resource, self.violations));
        }
        let items_of_page = items.iter().skip(page.saturating_mul(size)).take(size).collect::<Vec<_>>();
        self.parameters.retain(|name, _| !name.starts_with("paginacao."));
        let mut parameters: Map<String, Value> =
            self.parameters.into_iter().map(|(name, text)| (name, Value::String(text))).collect();
        parameters.insert(
            "paginacao".to_owned(),
            json!({
                "paginaAtual": page,
                "itensPorPagina": size,
                "quantidadeDePaginas": items.len().div_ceil(size),
                "quantidadeTotalDeItens": items.len(),
            }),
        );
        Ok(json!({ "parametros": parameters, name: items_of_page }))
    }
}
