//! The QR code of a payment as a picture.

use guildhall_common::payment_codes::Qr;
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
};

use crate::http::problem::Problem;

/// Pixels of a module: wide enough for any screen, and no blur when it is shrunk by halves.
const MODULE: u32 = 8;

/// What kind of picture.
pub(super) trait Format: Send {
    const MEDIA_TYPE: &'static str;

    /// # Errors
    /// When the picture cannot be made, which is a fault of ours.
    fn draw(qr: &Qr) -> Result<Vec<u8>, Problem>;
}

pub(super) struct Png;
pub(super) struct Svg;

impl Format for Png {
    const MEDIA_TYPE: &'static str = "image/png";

    fn draw(qr: &Qr) -> Result<Vec<u8>, Problem> {
        qr.png(MODULE).map_err(|error| Problem::internal("a QR code cannot be drawn", &error))
    }
}

impl Format for Svg {
    const MEDIA_TYPE: &'static str = "image/svg+xml";

    fn draw(qr: &Qr) -> Result<Vec<u8>, Problem> {
        Ok(qr.svg().into_bytes())
    }
}

/// A picture, which never changes.
pub(super) struct Picture<F> {
    bytes: Vec<u8>,
    format: std::marker::PhantomData<F>,
}

impl<F: Format> Picture<F> {
    /// # Errors
    /// 409 while there is nothing to draw.
    pub(super) fn of(payload: Option<String>) -> Result<Self, Problem> {
        let payload = payload.ok_or_else(not_yet)?;
        let qr = Qr::new(&payload).map_err(|error| Problem::internal("a payload is too long", &error))?;
        Ok(Self { bytes: F::draw(&qr)?, format: std::marker::PhantomData })
    }
}

fn not_yet() -> Problem {
    let detail = "The payment provider has not taken the payment yet.";
    Problem::new(poem::http::StatusCode::CONFLICT, "payment_not_payable", detail)
}

impl<F: Format> IntoResponse for Picture<F> {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(F::MEDIA_TYPE)
            .header("Cache-Control", "private, max-age=3600, immutable")
            .body(self.bytes)
    }
}

impl<F: Format> ApiResponse for Picture<F> {
    fn meta() -> MetaResponses {
        let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary")));
        let found = MetaResponse {
            description: "Here it is.",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type: F::MEDIA_TYPE, schema }],
            headers: vec![],
        };
        MetaResponses { responses: vec![found] }
    }

    fn register(_: &mut Registry) {}
}
