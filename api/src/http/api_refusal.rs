//! The refusals that the api decides itself. The workers decide those of the contract.

use guildhall_common::{contract::command::Refusal, refusal_enum};

use crate::http::problem::Problem;

refusal_enum! {
    ApiRefusal {
        Forbidden RoleMissing "role_missing" "The caller does not have the required role.";
        Forbidden SecondFactorMissing "second_factor_missing" "Your role needs a second factor. Enable one for your account.";
        Forbidden CaptchaRequired "captcha_required" "A solved captcha is missing. Solve the one of `/captcha`, and send the solution in the header `Captcha`.";
        Forbidden CaptchaFailed "captcha_failed" "The captcha is not solved, has expired or was used before. Solve another one of `/captcha`.";
        Forbidden CrossOrigin "cross_origin_request" "Only pages of the site itself may send this request. Its Origin must be the host of the request or of GUILDHALL_SITE_URL.";
        Forbidden WrongPassword "wrong_password" "The password of your account is wrong.";
        Forbidden WrongMailCode "wrong_code" "This code is wrong or not valid any more. Ask for a new mail.";
        Forbidden WrongAppCode "wrong_code" "This code is wrong. Enter the current code of the app.";
        Forbidden WrongPasswordOrCode "wrong_password_or_code" "The password or the code is wrong.";
        Forbidden InvalidEnrolment "invalid_enrolment" "The enrolment is not valid or has expired. Start again.";
        NotFound SiteUrlMissing "site_url_missing" "The address of the site's pages is not configured (GUILDHALL_SITE_URL).";
        NotFound OperationNotFound "operation_not_found" "This caller has no such operation.";
        NotFound ChangeNotFound "change_not_found" "The site has no such change. It is too old, or the site was restored from a backup. Read `/game/snapshot`.";
        Conflict PaymentNotPayable "payment_not_payable" "The payment provider has not registered the payment yet. Try again.";
    }
}

impl From<ApiRefusal> for Problem {
    fn from(refusal: ApiRefusal) -> Self {
        refusal.refused().into()
    }
}
