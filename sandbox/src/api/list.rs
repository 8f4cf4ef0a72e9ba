//! Lists: the window of time, the filters, the pages.

use std::{collections::HashMap, str::FromStr};

use chrono::{DateTime, Utc};
use poem::Request;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::problem::{Problem, Subject, Violacao};

/// The query of a list, read parameter by parameter.
pub(crate) struct Query {
    subject: Subject,
    given: HashMap<String, String>,
    violacoes: Vec<Violacao>,
}

impl Query {
    pub(crate) fn of(request: &Request, subject: Subject) -> Self {
        Self { subject, given: request.params().unwrap_or_default(), violacoes: vec![] }
    }

    pub(crate) fn get<T: FromStr>(&mut self, name: &str) -> Option<T> {
        let given = self.given.get(name)?;
        let read = given.parse().ok();
        if read.is_none() {
            self.violacoes.push(Violacao::new(name, given, "não está no formato"));
        }
        read
    }

    /// The window of time, which must be given.
    pub(crate) fn window(&mut self) -> (DateTime<Utc>, DateTime<Utc>) {
        let mut moment = |name: &str| {
            if !self.given.contains_key(name) {
                self.violacoes.push(Violacao::new(name, "", "é obrigatório"));
            }
            self.get(name).unwrap_or_default()
        };
        let (start, end) = (moment("inicio"), moment("fim"));
        if start > end {
            self.violacoes.push(Violacao::new("fim", end, "é anterior a inicio"));
        }
        (start, end)
    }

    /// The page that is asked for, in the standard's envelope, if nothing was wrong with the query.
    pub(crate) fn page<T: Serialize>(mut self, name: &str, found: &[T]) -> Result<Value, Problem> {
        let page: usize = self.get("paginacao.paginaAtual").unwrap_or(0);
        let size: usize = self.get("paginacao.itensPorPagina").unwrap_or(100);
        if !(1..=1000).contains(&size) {
            self.violacoes.push(Violacao::new("paginacao.itensPorPagina", size, "não está entre 1 e 1000"));
        }
        if !self.violacoes.is_empty() {
            return Err(Problem::bad_query(self.subject, self.violacoes));
        }
        let shown = found.iter().skip(page.saturating_mul(size)).take(size).collect::<Vec<_>>();
        self.given.retain(|name, _| !name.starts_with("paginacao."));
        let mut parameters: Map<String, Value> =
            self.given.into_iter().map(|(name, given)| (name, Value::String(given))).collect();
        parameters.insert(
            "paginacao".to_owned(),
            json!({
                "paginaAtual": page,
                "itensPorPagina": size,
                "quantidadeDePaginas": found.len().div_ceil(size),
                "quantidadeTotalDeItens": found.len(),
            }),
        );
        Ok(json!({ "parametros": parameters, name: shown }))
    }
}
