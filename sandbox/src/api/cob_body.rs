//! What `PUT`, `POST` and `PATCH /cob` ask for, read with every violation named.

use serde_json::Value;

use super::problem::Violacao;
use crate::{
    bank::{Calendario, Pedido, Pessoa, Valor},
    money::Cents,
};

/// A day: the standard's default.
const EXPIRACAO: u32 = 86_400;

type Read<T> = Result<T, &'static str>;

/// # Errors
/// All that is wrong with the body. What the standard does not know is passed over.
pub(crate) fn read(body: &Value, keys: &[String]) -> Result<Pedido, Vec<Violacao>> {
    let mut violacoes = vec![];
    let expiracao = take(body, "/calendario/expiracao", expiracao, &mut violacoes);
    let original = take(body, "/valor/original", amount, &mut violacoes);
    let chave = take(body, "/chave", |value| own_key(value, keys), &mut violacoes);
    let devedor = take(body, "/devedor", |value| optional(value, person), &mut violacoes);
    let solicitacao =
        take(body, "/solicitacaoPagador", |value| optional(value, |value| text(value, 140)), &mut violacoes);
    // What is missing here has left a violation.
    match (expiracao, original, chave, devedor, solicitacao) {
        (Some(expiracao), Some(original), Some(chave), Some(devedor), Some(solicitacao_pagador)) => {
            Ok(Pedido {
                calendario: Calendario { expiracao },
                devedor,
                valor: Valor { original },
                chave,
                solicitacao_pagador,
            })
        }
        _ => Err(violacoes),
    }
}

fn take<T>(
    body: &Value,
    pointer: &str,
    read: impl Fn(&Value) -> Read<T>,
    violacoes: &mut Vec<Violacao>,
) -> Option<T> {
    let value = body.pointer(pointer).unwrap_or(&Value::Null);
    read(value)
        .map_err(|razao| {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            violacoes.push(Violacao::new(&format!("cob{}", pointer.replace('/', ".")), shown, razao));
        })
        .ok()
}

fn optional<T>(value: &Value, read: impl Fn(&Value) -> Read<T>) -> Read<Option<T>> {
    if value.is_null() { Ok(None) } else { read(value).map(Some) }
}

fn text(value: &Value, most: usize) -> Read<String> {
    let text = value.as_str().ok_or("não é um texto")?;
    if text.chars().count() > most { Err("é longo demais") } else { Ok(text.to_owned()) }
}

fn expiracao(value: &Value) -> Read<u32> {
    let seconds = value.as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    match seconds {
        _ if value.is_null() => Ok(EXPIRACAO),
        Some(seconds) if seconds > 0 => Ok(seconds),
        _ => Err("não é um inteiro maior que zero"),
    }
}

/// An amount of money, as `valor` everywhere.
pub(crate) fn amount(value: &Value) -> Read<Cents> {
    value.as_str().ok_or("não é um texto")?.parse()
}

fn own_key(value: &Value, keys: &[String]) -> Read<String> {
    let key = text(value, 77)?;
    if keys.contains(&key) { Ok(key) } else { Err("a chave não é do usuário recebedor") }
}

/// A person by CPF or a company by CNPJ.
pub(crate) fn person(value: &Value) -> Read<Pessoa> {
    let number = |name: &str, digits| match &value[name] {
        Value::Null => Ok(None),
        Value::String(number) if number.len() == digits && number.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(Some(number.clone()))
        }
        _ => Err("o CPF tem 11 dígitos, o CNPJ 14"),
    };
    let (cpf, cnpj) = (number("cpf", 11)?, number("cnpj", 14)?);
    if cpf.is_some() == cnpj.is_some() {
        return Err("tem CPF ou CNPJ, um dos dois");
    }
    Ok(Pessoa { cpf, cnpj, nome: text(&value["nome"], 200)? })
}
