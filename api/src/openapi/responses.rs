//! What every operation of the document has in common: the headers that commands take,
//! and the errors that can come of what an operation takes.

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

pub(super) fn complete(operation: &mut MetaOperation, in_path: bool) {
    for response in &mut operation.responses.responses {
        if response.description.is_empty() {
            response.description = "Here it is, and again whenever it has changed.";
        }
    }
    for id in operation.params.iter_mut().filter(|param| param.name == "id" && param.description.is_none()) {
        id.description = Some("As it was answered when it was made.".to_owned());
    }
    let command = operation.responses.responses.iter().any(|response| response.status == Some(202));
    if command {
        operation.params.extend(command_headers());
    }
    let mut errors = vec![
        (400, "A parameter or the body is not as described."),
        (429, "Too many requests; wait as long as `Retry-After` says."),
        (503, "Something that this needs is away; try again."),
    ];
    if !operation.security.is_empty() {
        errors.push((401, "There is no token, or it is no good."));
    }
    if operation.security.iter().any(|scheme| !scheme.is_empty()) || command {
        errors.push((403, "The caller may not do this."));
    }
    if in_path || command {
        errors.push((404, "It does not exist, or not for this caller."));
    }
    if operation.request.is_some() {
        errors.push((408, "The body came too slowly."));
        errors.push((413, "The body is too large."));
        errors.push((415, "The body is not `application/json`, or is compressed."));
    }
    if command {
        errors.push((409, "The rules do not allow it in the present state; `code` tells which."));
        errors.push((422, "The `Idempotency-Key` was used for another request."));
    }
    // What follows from nothing that the operation takes.
    match operation.operation_id {
        Some("auth_log_in" | "auth_refresh") => {
            errors.push((401, "The credentials or the token are no good."))
        }
        Some("guild_invites") => errors.push((404, "There is no such guild.")),
        Some("payment_qrcode_png" | "payment_qrcode_svg") => {
            errors.push((409, "The payment cannot be paid yet."));
        }
        _ => {}
    }
    errors.sort_unstable();
    for (status, description) in errors {
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

fn retry_after() -> MetaHeader {
    MetaHeader {
        name: "Retry-After".to_owned(),
        description: Some("Seconds after which trying again may help.".to_owned()),
        required: false,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("integer", "int32"))),
    }
}

fn command_headers() -> [MetaOperationParam; 2] {
    let header = |name: &str, description: &str, schema| MetaOperationParam {
        name: name.to_owned(),
        schema,
        in_type: MetaParamIn::Header,
        description: Some(description.to_owned()),
        required: false,
        deprecated: false,
        explode: true,
        style: None,
    };
    let preference = MetaSchema { example: Some("wait=2".into()), ..MetaSchema::new("string") };
    [
        header(
            "Idempotency-Key",
            "Repeating a request with the same key repeats its answer and never its effect.",
            IdempotencyKey::schema_ref(),
        ),
        header(
            "Prefer",
            "`respond-async`: answer 202 as soon as the command is safe. `wait=N`: wait N seconds at most for the outcome (RFC 7240).",
            MetaSchemaRef::Inline(Box::new(preference)),
        ),
    ]
}
