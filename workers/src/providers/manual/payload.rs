//! The payloads of static QR codes.

use guildhall_common::payment_codes::{
    Amount, BillNumber, InitiationMethod, MerchantCity, MerchantName, PayloadError, PayloadFieldError,
    PaymentCode, Purpose, ReferenceLabel, TerminalLabel, epc, fps, paynow,
    pix::{self, PixKey},
    promptpay, vietqr,
};

use crate::providers::{charge::Charge, manual::accounts::ManualAccount};

/// The receiver, as the payer's bank app shows it.
pub(super) struct Merchant {
    pub(super) name: String,
    pub(super) city: String,
}

/// The payload that asks for the amount of a charge and carries its reference.
pub(super) fn payload(
    account: &ManualAccount,
    merchant: &Merchant,
    charge: &Charge,
) -> Result<PaymentCode, PayloadError> {
    let amount = Amount::new(charge.amount).map_err(in_field(54))?;
    let reference = charge.reference.as_str();
    match account {
        ManualAccount::Pix(key) => pix_payload(key, merchant, amount, reference),
        ManualAccount::Promptpay(payee) => promptpay_payload(payee, amount, reference),
        ManualAccount::Paynow(payee) => paynow_payload(payee, merchant, amount, reference),
        ManualAccount::Vietqr(bank, number) => vietqr_payload(bank, number, amount, reference),
        ManualAccount::Fps(payee) => fps_payload(payee, merchant, amount, reference),
        ManualAccount::Sepa(iban) => sepa_payload(iban, merchant, amount, reference),
    }
}

impl Merchant {
    fn folded_name(&self) -> Result<MerchantName, PayloadError> {
        MerchantName::folded(&self.name).map_err(in_field(59))
    }

    fn folded_city(&self) -> Result<MerchantCity, PayloadError> {
        MerchantCity::folded(&self.city).map_err(in_field(60))
    }
}

fn pix_payload(
    key: &PixKey,
    merchant: &Merchant,
    amount: Amount,
    reference: &str,
) -> Result<PaymentCode, PayloadError> {
    pix::Pix::Static(pix::StaticCode {
        key: key.clone(),
        name: merchant.folded_name()?,
        city: merchant.folded_city()?,
        amount: Some(amount),
        reference: Some(reference.parse().map_err(in_field(62))?),
        description: None,
    })
    .try_into()
}

fn promptpay_payload(
    payee: &promptpay::PromptpayPayee,
    amount: Amount,
    reference: &str,
) -> Result<PaymentCode, PayloadError> {
    let terminal: TerminalLabel = reference.parse().map_err(in_field(62))?;
    promptpay::Promptpay { payee: payee.clone(), amount: Some(amount), terminal: Some(terminal) }.try_into()
}

fn paynow_payload(
    payee: &paynow::PaynowPayee,
    merchant: &Merchant,
    amount: Amount,
    reference: &str,
) -> Result<PaymentCode, PayloadError> {
    let bill_number: BillNumber = reference.parse().map_err(in_field(62))?;
    paynow::Paynow {
        payee: payee.clone(),
        name: merchant.folded_name()?,
        amount: Some(amount),
        editable: false,
        expiry: None,
        initiation: InitiationMethod::Once,
        bill_number: Some(bill_number),
    }
    .try_into()
}

fn vietqr_payload(
    bank: &vietqr::BankBin,
    number: &vietqr::AccountNumber,
    amount: Amount,
    reference: &str,
) -> Result<PaymentCode, PayloadError> {
    let purpose: Purpose = reference.parse().map_err(in_field(62))?;
    vietqr::Vietqr {
        service: vietqr::TransferService::Account,
        bank: bank.clone(),
        number: number.clone(),
        amount: Some(amount),
        bill_number: None,
        purpose: Some(purpose),
    }
    .try_into()
}

fn fps_payload(
    payee: &fps::FpsPayee,
    merchant: &Merchant,
    amount: Amount,
    reference: &str,
) -> Result<PaymentCode, PayloadError> {
    let reference: ReferenceLabel = reference.parse().map_err(in_field(62))?;
    fps::Fps {
        payee: payee.clone(),
        name: merchant.folded_name()?,
        city: merchant.folded_city()?,
        amount: Some(amount),
        initiation: InitiationMethod::Once,
        reference: Some(reference),
    }
    .try_into()
}

fn sepa_payload(
    iban: &epc::Iban,
    merchant: &Merchant,
    amount: Amount,
    reference: &str,
) -> Result<PaymentCode, PayloadError> {
    Ok(PaymentCode::Sepa(epc::CreditTransfer {
        bank: epc::BeneficiaryBank::Version2(None),
        name: merchant.name.parse().map_err(in_field(59))?,
        iban: iban.clone(),
        amount: Some(amount),
        purpose: None,
        remittance: Some(epc::Remittance::Text(reference.parse().map_err(in_field(62))?)),
        information: None,
        character_set: epc::CharacterSet::UTF_8,
    }))
}

fn in_field(id: u8) -> impl Fn(PayloadFieldError) -> PayloadError {
    move |error| error.at(&[id])
}
