//! The bank accounts that receive the money, one per scheme.

use anyhow::{Context, anyhow};
use guildhall_common::payment_codes::{
    PayloadFieldError, Scheme, epc, fps, paynow, pix::PixKey, promptpay, vietqr,
};

use crate::config::PaymentSettings;

/// The account of one scheme.
pub(super) enum ManualAccount {
    Pix(PixKey),
    Promptpay(promptpay::PromptpayPayee),
    Paynow(paynow::PaynowPayee),
    Vietqr(vietqr::BankBin, vietqr::AccountNumber),
    Fps(fps::FpsPayee),
    Sepa(epc::Iban),
}

type ReadAccount = fn(&str) -> anyhow::Result<ManualAccount>;

/// The accounts that the settings name.
///
/// # Errors
/// When a setting is not valid.
pub(super) fn read_accounts(settings: &PaymentSettings) -> anyhow::Result<Vec<ManualAccount>> {
    let readers: [(&str, &Option<String>, ReadAccount); 6] = [
        ("GUILDHALL_PIX_KEY", &settings.pix_key, pix_account),
        ("GUILDHALL_PROMPTPAY_ID", &settings.promptpay_id, promptpay_account),
        ("GUILDHALL_PAYNOW_ID", &settings.paynow_id, paynow_account),
        ("GUILDHALL_VIETQR_ACCOUNT", &settings.vietqr_account, vietqr_account),
        ("GUILDHALL_FPS_ID", &settings.fps_id, fps_account),
        ("GUILDHALL_SEPA_IBAN", &settings.sepa_iban, sepa_account),
    ];
    let mut accounts = Vec::new();
    for (variable, text, read) in readers {
        if let Some(text) = text {
            accounts.push(read(text).with_context(|| format!("{variable} is not valid"))?);
        }
    }
    Ok(accounts)
}

impl ManualAccount {
    pub(super) fn scheme(&self) -> Scheme {
        match self {
            Self::Pix(_) => Scheme::Pix,
            Self::Promptpay(_) => Scheme::Promptpay,
            Self::Paynow(_) => Scheme::Paynow,
            Self::Vietqr(..) => Scheme::Vietqr,
            Self::Fps(_) => Scheme::Fps,
            Self::Sepa(_) => Scheme::Sepa,
        }
    }
}

fn invalid(error: PayloadFieldError) -> anyhow::Error {
    anyhow!("it {error}")
}

fn pix_account(text: &str) -> anyhow::Result<ManualAccount> {
    Ok(ManualAccount::Pix(text.parse().map_err(invalid)?))
}

fn sepa_account(text: &str) -> anyhow::Result<ManualAccount> {
    Ok(ManualAccount::Sepa(text.parse().map_err(invalid)?))
}

fn promptpay_account(text: &str) -> anyhow::Result<ManualAccount> {
    let payee = match text.len() {
        13 if !text.starts_with("00") => promptpay::PromptpayPayee::TaxId(text.parse().map_err(invalid)?),
        15 => promptpay::PromptpayPayee::Ewallet(text.parse().map_err(invalid)?),
        _ => promptpay::PromptpayPayee::Mobile(text.parse().map_err(invalid)?),
    };
    Ok(ManualAccount::Promptpay(payee))
}

fn paynow_account(text: &str) -> anyhow::Result<ManualAccount> {
    let payee = match text.strip_prefix('+') {
        Some(_) => paynow::PaynowPayee::Mobile(text.parse().map_err(invalid)?),
        None => paynow::PaynowPayee::Uen(text.parse().map_err(invalid)?),
    };
    Ok(ManualAccount::Paynow(payee))
}

fn vietqr_account(text: &str) -> anyhow::Result<ManualAccount> {
    let (bank, number) =
        text.split_once('/').context("it must be the bank's 6 digits, a slash, the account")?;
    Ok(ManualAccount::Vietqr(bank.parse().map_err(invalid)?, number.parse().map_err(invalid)?))
}

fn fps_account(text: &str) -> anyhow::Result<ManualAccount> {
    let payee = match text {
        mobile if mobile.starts_with('+') => fps::FpsPayee::Mobile(mobile.parse().map_err(invalid)?),
        email if email.contains('@') => fps::FpsPayee::Email(email.parse().map_err(invalid)?),
        id => fps::FpsPayee::FpsId(id.parse().map_err(invalid)?),
    };
    Ok(ManualAccount::Fps(payee))
}
