//! The body of `PUT`, `POST` and `PATCH /cob`. The parser reports every violation, not only the first.

use serde_json::Value;

use crate::{
    bank::{Calendar, ChargeAmount, ChargeTerms, Person},
    http::error_response::Violation,
    money::Cents,
};

/// The default expiry of the standard: one day.
const DEFAULT_EXPIRY_SECONDS: u32 = 86_400;

/// A parsed property, or the reason why it is invalid.
type Parsed<T> = Result<T, &'static str>;

/// Parses the terms of a charge. Unknown properties are ignored.
///
/// # Errors
/// All violations of the body.
pub(super) fn parse_terms(body: &Value, keys: &[String]) -> Result<ChargeTerms, Vec<Violation>> {
    let mut violations = vec![];
    let expiry = parse_property(body, "/calendario/expiracao", parse_expiry, &mut violations);
    let original = parse_property(body, "/valor/original", parse_amount, &mut violations);
    let key = parse_property(body, "/chave", |value| parse_key(value, keys), &mut violations);
    let debtor =
        parse_property(body, "/devedor", |value| parse_optional(value, parse_person), &mut violations);
    let parse_message = |value: &Value| parse_optional(value, |value| parse_text(value, 140));
    let message = parse_property(body, "/solicitacaoPagador", parse_message, &mut violations);
    // Each property that is None has added a violation.
    match (expiry, original, key, debtor, message) {
        (Some(expires_after_seconds), Some(original), Some(key), Some(debtor), Some(message_to_payer)) => {
            Ok(ChargeTerms {
                calendar: Calendar { expires_after_seconds },
                debtor,
                amount: ChargeAmount { original },
                key,
                message_to_payer,
            })
        }
        _ => Err(violations),
    }
}

fn parse_property<T>(
    body: &Value,
    pointer: &str,
    parse: impl Fn(&Value) -> Parsed<T>,
    violations: &mut Vec<Violation>,
) -> Option<T> {
    let value = body.pointer(pointer).unwrap_or(&Value::Null);
    parse(value)
        .map_err(|reason| {
            let property = format!("cob{}", pointer.replace('/', "."));
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            violations.push(Violation::new(&property, text, reason));
        })
        .ok()
}

fn parse_optional<T>(value: &Value, parse: impl Fn(&Value) -> Parsed<T>) -> Parsed<Option<T>> {
    if value.is_null() { Ok(None) } else { parse(value).map(Some) }
}

fn parse_text(value: &Value, max_characters: usize) -> Parsed<String> {
    let text = value.as_str().ok_or("is not a string")?;
    if text.chars().count() > max_characters { Err("is too long") } else { Ok(text.to_owned()) }
}

fn parse_expiry(value: &Value) -> Parsed<u32> {
    let seconds = value.as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    match seconds {
        _ if value.is_null() => Ok(DEFAULT_EXPIRY_SECONDS),
        Some(seconds) if seconds > 0 => Ok(seconds),
        _ => Err("is not an integer greater than zero"),
    }
}

/// Parses an amount of money, a string such as `"12.34"`.
pub(super) fn parse_amount(value: &Value) -> Parsed<Cents> {
    value.as_str().ok_or("is not a string")?.parse()
}

fn parse_key(value: &Value, keys: &[String]) -> Parsed<String> {
    let key = parse_text(value, 77)?;
    if keys.contains(&key) { Ok(key) } else { Err("is not a key of the receiver") }
}

/// Parses a person with a CPF or a company with a CNPJ.
pub(crate) fn parse_person(value: &Value) -> Parsed<Person> {
    let number = |name: &str, digits| match &value[name] {
        Value::Null => Ok(None),
        Value::String(number) if number.len() == digits && number.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(Some(number.clone()))
        }
        _ => Err("needs a CPF of 11 digits or a CNPJ of 14 digits"),
    };
    let (cpf, cnpj) = (number("cpf", 11)?, number("cnpj", 14)?);
    if cpf.is_some() == cnpj.is_some() {
        return Err("needs either a CPF or a CNPJ");
    }
    Ok(Person { cpf, cnpj, name: parse_text(&value["nome"], 200)? })
}
