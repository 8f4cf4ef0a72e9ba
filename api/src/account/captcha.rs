//! The endpoint that offers captchas.

use poem_openapi::OpenApi;

use crate::{
    captcha::offer::Captcha,
    http::{problem::Problem, read_response::ReadResponse},
    openapi::Tag,
    state::State,
};

pub(crate) struct CaptchaOffers {
    pub state: State,
}

#[OpenApi(tag = "Tag::Accounts")]
impl CaptchaOffers {
    /// Get a captcha
    ///
    /// Says which requests need a captcha, and how to solve it. A captcha of the kind `altcha` is new in each response and valid for
    /// ten minutes. Its fields are those of ALTCHA, version 1.
    #[oai(path = "/captcha", method = "get", operation_id = "captcha_view")]
    async fn view(&self) -> Result<ReadResponse<Captcha>, Problem> {
        ReadResponse::secret(&self.state.captchas.offer())
    }
}
