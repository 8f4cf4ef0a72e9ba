//! The QR code of a payment as an image.

use guildhall_common::payment_codes::Qr;
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaResponses, Registry},
};

use crate::{
    http::{api_refusal::ApiRefusal, problem::Problem},
    pictures::response::image_responses,
};

/// The pixels of a module. The code is large enough for any screen, and stays sharp at half and quarter size.
const MODULE: u32 = 8;

/// The format of an image.
pub(super) trait Format: Send {
    const MEDIA_TYPE: &'static str;

    /// # Errors
    /// 500 when the image cannot be drawn.
    fn draw(qr: &Qr) -> Result<Vec<u8>, Problem>;
}

pub(super) struct QrPng;
pub(super) struct QrSvg;

impl Format for QrPng {
    const MEDIA_TYPE: &'static str = "image/png";

    fn draw(qr: &Qr) -> Result<Vec<u8>, Problem> {
        qr.png(MODULE).map_err(|error| Problem::internal("QR code was not drawn", &error))
    }
}

impl Format for QrSvg {
    const MEDIA_TYPE: &'static str = "image/svg+xml";

    fn draw(qr: &Qr) -> Result<Vec<u8>, Problem> {
        Ok(qr.svg().into_bytes())
    }
}

/// An image of a payload, which never changes.
pub(super) struct Image<F> {
    bytes: Vec<u8>,
    format: std::marker::PhantomData<F>,
}

impl<F: Format> Image<F> {
    /// Draws the payload.
    ///
    /// # Errors
    /// 409 when there is no payload yet.
    pub(super) fn of(payload: Option<String>) -> Result<Self, Problem> {
        let payload = payload.ok_or(ApiRefusal::PaymentNotPayable)?;
        let qr =
            Qr::new(&payload).map_err(|error| Problem::internal("payload does not fit a QR code", &error))?;
        Ok(Self { bytes: F::draw(&qr)?, format: std::marker::PhantomData })
    }
}

impl<F: Format> IntoResponse for Image<F> {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(F::MEDIA_TYPE)
            .header("Cache-Control", "private, max-age=3600, immutable")
            .body(self.bytes)
    }
}

impl<F: Format> ApiResponse for Image<F> {
    fn meta() -> MetaResponses {
        image_responses(F::MEDIA_TYPE)
    }

    fn register(_: &mut Registry) {}
}
