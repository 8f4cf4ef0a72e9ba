use clap::Subcommand;
use guildhall_common::payment_codes::{self, PayloadError};

use crate::cli::payload_fields::{
    FpsFields, PaynowFields, PixFields, PromptpayFields, SepaFields, VietqrFields,
};

#[derive(Subcommand)]
pub(crate) enum PayloadCommand {
    /// Print the scheme and the fields of a payload as JSON, or the reason why it is invalid
    Decode { text: String },
    /// Print the payload with these fields
    Encode {
        #[command(subcommand)]
        scheme: Box<Encode>,
    },
}

#[derive(Subcommand)]
pub(crate) enum Encode {
    /// Brazil: a static payload with a key, or a dynamic payload with a location
    Pix(PixFields),
    /// Thailand
    Promptpay(PromptpayFields),
    /// Singapore
    Paynow(PaynowFields),
    /// Vietnam
    Vietqr(VietqrFields),
    /// Hong Kong
    Fps(FpsFields),
    /// Euro: a SEPA credit transfer (EPC069-12)
    Sepa(SepaFields),
}

impl PayloadCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Decode { text } => {
                let payload = payment_codes::PaymentCode::parse(text.trim())?;
                println!("{}", serde_json::to_string_pretty(&payload)?);
            }
            Self::Encode { scheme } => println!("{}", scheme.payload()?.encode()?),
        }
        Ok(())
    }
}

impl Encode {
    fn payload(self) -> anyhow::Result<payment_codes::PaymentCode> {
        let payload: Result<payment_codes::PaymentCode, PayloadError> = match self {
            Self::Pix(fields) => fields.pix()?.try_into(),
            Self::Promptpay(fields) => fields.promptpay()?.try_into(),
            Self::Paynow(fields) => fields.paynow()?.try_into(),
            Self::Vietqr(fields) => fields.vietqr()?.try_into(),
            Self::Fps(fields) => fields.fps()?.try_into(),
            Self::Sepa(fields) => Ok(payment_codes::PaymentCode::Sepa(fields.transfer()?)),
        };
        Ok(payload?)
    }
}
