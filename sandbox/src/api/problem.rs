//! The standard's errors: problems of RFC 9457 with violations.

use poem::{Response, error::ResponseError, http::StatusCode};
use serde::Serialize;
use serde_json::{Value, json};

use super::json_response;
use crate::bank::Refused;

/// Where the standard's names of errors live.
const NAMES: &str = "https://pix.bcb.gov.br/api/v2/error";

/// What an error is about; the standard names errors after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Cob,
    Pix,
    Devolucao,
    Webhook,
}

impl Subject {
    /// Names of the errors: there is none, it cannot be done, it cannot be listed.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Cob => ["CobNaoEncontrado", "CobOperacaoInvalida", "CobConsultaInvalida"],
            Self::Pix => ["PixNaoEncontrado", "PixDevolucaoInvalida", "PixConsultaInvalida"],
            Self::Devolucao => ["PixDevolucaoNaoEncontrada", "PixDevolucaoInvalida", "PixConsultaInvalida"],
            Self::Webhook => ["WebhookNaoEncontrado", "WebhookOperacaoInvalida", "WebhookConsultaInvalida"],
        }
    }
}

/// What is wrong with one property of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Violacao {
    pub(crate) razao: String,
    pub(crate) propriedade: String,
    pub(crate) valor: String,
}

impl Violacao {
    pub(crate) fn new(propriedade: &str, valor: impl ToString, razao: impl Into<String>) -> Self {
        Self { razao: razao.into(), propriedade: propriedade.to_owned(), valor: valor.to_string() }
    }
}

#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    /// The standard's name, if it has one.
    name: Option<&'static str>,
    detail: String,
    violacoes: Vec<Violacao>,
    retry_after: Option<u32>,
}

impl Problem {
    fn named(status: StatusCode, name: &'static str, detail: impl Into<String>) -> Self {
        Self { name: Some(name), ..Self::plain(status, detail) }
    }

    /// An error that the standard does not name.
    pub(crate) fn plain(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, name: None, detail: detail.into(), violacoes: vec![], retry_after: None }
    }

    pub(crate) fn rate_limited(retry_after: u32) -> Self {
        let detail = "Limite de requisições excedido.";
        Self { retry_after: Some(retry_after), ..Self::plain(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    pub(crate) fn unauthorized() -> Self {
        Self::plain(StatusCode::UNAUTHORIZED, "O token de acesso está ausente, é inválido ou expirou.")
    }

    pub(crate) fn forbidden(scope: &str) -> Self {
        let detail = format!("O token de acesso não tem o escopo {scope}.");
        Self::named(StatusCode::FORBIDDEN, "AcessoNegado", detail)
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::named(StatusCode::BAD_REQUEST, "RequisicaoInvalida", detail)
    }

    pub(crate) fn unknown(subject: Subject) -> Self {
        let [name, ..] = subject.names();
        Self::named(StatusCode::NOT_FOUND, name, "Não foi encontrado.")
    }

    pub(crate) fn invalid(subject: Subject, violacoes: Vec<Violacao>) -> Self {
        let [_, name, _] = subject.names();
        let detail = "A requisição não respeita o schema ou não faz sentido semanticamente.";
        Self { violacoes, ..Self::named(StatusCode::BAD_REQUEST, name, detail) }
    }

    pub(crate) fn bad_query(subject: Subject, violacoes: Vec<Violacao>) -> Self {
        let [.., name] = subject.names();
        let detail = "Os parâmetros de consulta não respeitam o schema ou não fazem sentido semanticamente.";
        Self { violacoes, ..Self::named(StatusCode::BAD_REQUEST, name, detail) }
    }

    pub(crate) fn refused(subject: Subject, refused: Refused) -> Self {
        match refused {
            Refused::Unknown => Self::unknown(subject),
            Refused::Rule { razao, propriedade } => {
                Self::invalid(subject, vec![Violacao::new(propriedade, "", razao)])
            }
            Refused::Journal(error) => {
                tracing::error!(%error, "the journal cannot be written");
                Self::named(StatusCode::INTERNAL_SERVER_ERROR, "ErroInternoDoServidor", "Erro inesperado.")
            }
        }
    }

    fn body(&self) -> Value {
        let kind = self.name.map_or("about:blank".to_owned(), |name| format!("{NAMES}/{name}"));
        let title = self.name.or(self.status.canonical_reason()).unwrap_or("Error");
        let mut body =
            json!({ "type": kind, "title": title, "status": self.status.as_u16(), "detail": self.detail });
        if !self.violacoes.is_empty() {
            body["violacoes"] = json!(self.violacoes);
        }
        body
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status(&self) -> StatusCode {
        self.status
    }

    fn as_response(&self) -> Response {
        let mut response = json_response(self.status, &self.body());
        let headers = response.headers_mut();
        headers.insert("Content-Type", poem::http::HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert("Retry-After", seconds.into());
        }
        response
    }
}

/// Whatever error the framework makes, as a problem.
pub(crate) async fn any_problem(error: poem::Error) -> Response {
    match error.downcast::<Problem>() {
        Ok(problem) => problem.as_response(),
        Err(error) => Problem::plain(error.status(), error.to_string()).as_response(),
    }
}
