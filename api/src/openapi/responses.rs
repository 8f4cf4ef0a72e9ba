//! The common parts of all operations: the headers of commands, and the errors that follow from the parameters, the
//! body and the security of an operation.

use poem_openapi::{
    registry::{
        MetaHeader, MetaMediaType, MetaOperation, MetaOperationParam, MetaParamIn, MetaResponse, MetaSchema,
        MetaSchemaRef,
    },
    types::Type,
};

use crate::http::{
    command_request::IdempotencyKey,
    problem::{self, ProblemBody},
};

/// Adds the common headers and errors to an operation.
pub(super) fn complete(operation: &mut MetaOperation, has_variable: bool) {
    for response in &mut operation.responses.responses {
        if response.description.is_empty() {
            response.description = "The current state, and a new event after each change.";
        }
    }
    for id in operation.params.iter_mut().filter(|param| param.name == "id" && param.description.is_none()) {
        id.description =
            Some("The id of the object, from the response of the request that created it.".to_owned());
    }
    let is_command = operation.responses.responses.iter().any(|response| response.status == Some(202));
    let takes_key = is_command || operation.operation_id == Some("account_verify_email_code");
    if takes_key {
        operation.params.push(idempotency_key_header());
    }
    if is_command {
        operation.params.push(prefer_header());
    }
    for (status, description) in errors(operation, has_variable, is_command, takes_key) {
        let content =
            vec![MetaMediaType { content_type: problem::MEDIA_TYPE, schema: ProblemBody::schema_ref() }];
        operation.responses.responses.push(MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content,
            headers: if matches!(status, 429 | 503) { vec![retry_after()] } else { vec![] },
        });
    }
}

/// The statuses of the errors with their descriptions, in order.
fn errors(
    operation: &MetaOperation,
    has_variable: bool,
    is_command: bool,
    takes_key: bool,
) -> Vec<(u16, &'static str)> {
    let mut errors = vec![
        (400, "A parameter or the body is invalid."),
        (429, "The client sent too many requests. Wait for the seconds in `Retry-After`."),
        (500, "The server has an internal error. A retry does not help."),
        (503, "A required server is not available. Try again."),
    ];
    let own_errors = errors_of_operation(operation.operation_id.unwrap_or_default());
    if !operation.security.is_empty() && own_errors.iter().all(|(status, _)| *status != 401) {
        errors.push((401, "The request has no valid token."));
    }
    if operation.security.iter().any(|scheme| !scheme.is_empty()) || is_command {
        errors.push((403, "The caller may not do this."));
    }
    if has_variable || is_command {
        errors.push((404, "It does not exist, or this caller cannot see it."));
    }
    if operation.request.is_some() {
        errors.push((408, "The body did not arrive in time."));
        errors.push((413, "The body is too large."));
        errors.push((415, "The body is not `application/json`, or it is compressed."));
    }
    if is_command {
        errors.push((409, "The current state does not allow it."));
    }
    if takes_key {
        errors.push((422, "The `Idempotency-Key` was used for another request."));
    }
    errors.extend_from_slice(own_errors);
    errors.sort_unstable();
    errors
}

/// The errors that do not follow from parameters, body or security.
fn errors_of_operation(operation_id: &str) -> &'static [(u16, &'static str)] {
    match operation_id {
        "auth_log_in" | "auth_cookie_log_in" => &[
            (
                401,
                "The name, the e-mail address or the password is wrong. Or the account has a second factor: then the code is `second_factor_required`, and there is a `challenge`.",
            ),
            (403, "The account may not log in at the moment."),
            (404, "The account was deleted at the same time."),
            (409, "The password was changed, or a second factor was enabled at the same time."),
        ],
        "auth_second_factor" | "auth_cookie_second_factor" => &[
            (401, "The challenge is not valid (`invalid_challenge`), or the code is wrong (`wrong_code`)."),
            (403, "The account may not log in at the moment."),
            (404, "The account was deleted at the same time."),
            (409, "The code was used before, or the password was changed at the same time."),
        ],
        "account_create_link_code" => &[(404, "The account was deleted at the same time.")],
        "admin_create_service_token" => &[(409, "Another service token has this name.")],
        "account_start_second_factor" => &[(409, "The account has a second factor.")],
        "account_verify_email_code" => &[(409, "Another account has verified the address.")],
        "account_enable_second_factor"
        | "account_disable_second_factor"
        | "account_replace_recovery_codes" => &[
            (404, "The account was deleted at the same time."),
            (409, "The current state does not allow it."),
        ],
        "account_open_export" => &[(404, "The token is not valid, was used before, or has expired.")],
        "auth_refresh" | "auth_cookie_refresh" => {
            &[(401, "The refresh token is invalid, expired or already used.")]
        }
        "payment_webhook" | "payment_webhook_pix" => {
            &[(401, "The sender is not verified. Send the secret or a valid signature.")]
        }
        "news_feed" => &[(404, "The site has no feed.")],
        "game_changes" => &[(404, "The change is too old, or the site was restored from a backup.")],
        "guild_invites" => &[(404, "The guild does not exist.")],
        "payment_qrcode_png" | "payment_qrcode_svg" => &[(409, "The payment cannot be paid yet.")],
        _ => &[],
    }
}

fn retry_after() -> MetaHeader {
    MetaHeader {
        name: "Retry-After".to_owned(),
        description: Some("The seconds after which a retry can succeed.".to_owned()),
        required: false,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("integer", "int32"))),
    }
}

fn idempotency_key_header() -> MetaOperationParam {
    let description =
        "A repeated request with the same key gets the same response. Its effect is not repeated.";
    header("Idempotency-Key", description, IdempotencyKey::schema_ref())
}

fn prefer_header() -> MetaOperationParam {
    let description = "`respond-async`: respond with 202 as soon as the command is stored in the queue. `wait=N`: wait at most N seconds for the outcome (RFC 7240).";
    let schema = MetaSchema { example: Some("wait=2".into()), ..MetaSchema::new("string") };
    header("Prefer", description, MetaSchemaRef::Inline(Box::new(schema)))
}

fn header(name: &str, description: &str, schema: MetaSchemaRef) -> MetaOperationParam {
    MetaOperationParam {
        name: name.to_owned(),
        schema,
        in_type: MetaParamIn::Header,
        description: Some(description.to_owned()),
        required: false,
        deprecated: false,
        explode: true,
        style: None,
    }
}
