//! The fields of each scheme, as arguments of the command line.

use clap::{ArgGroup, Args};
use guildhall_common::payment_codes::{
    Amount, BillNumber, InitiationMethod, MerchantCity, MerchantName, Purpose, ReferenceLabel, Scheme,
    TerminalLabel, epc, fps, paynow,
    pix::{self, Pix},
    promptpay, vietqr,
};

#[derive(Args)]
#[command(group(ArgGroup::new("payee").required(true).args(["key", "location"])))]
pub(crate) struct PixFields {
    /// The Pix key: CPF, CNPJ, +55…, e-mail address or random key
    #[arg(long)]
    key: Option<pix::PixKey>,
    /// The location of the charge: a URL without https://
    #[arg(long)]
    location: Option<pix::PayloadLocation>,
    #[arg(long)]
    name: String,
    #[arg(long)]
    city: String,
    /// The amount, for example 25.00
    #[arg(long)]
    amount: Option<String>,
    #[arg(long, conflicts_with = "location")]
    reference: Option<pix::TransactionId>,
    #[arg(long, conflicts_with = "location")]
    description: Option<pix::PaymentDescription>,
}

impl PixFields {
    pub(super) fn pix(self) -> anyhow::Result<Pix> {
        let amount = amount(self.amount.as_ref(), Scheme::Pix)?;
        let name = MerchantName::folded(&self.name).map_err(|error| anyhow::anyhow!("the name {error}"))?;
        let city = MerchantCity::folded(&self.city).map_err(|error| anyhow::anyhow!("the city {error}"))?;
        let (reference, description) = (self.reference, self.description);
        let of_key = self.key.map(|key| {
            let (name, city) = (name.clone(), city.clone());
            Pix::Static(pix::StaticCode { key, name, city, amount, reference, description })
        });
        let of_location = self.location.map(|location| {
            Pix::Dynamic(pix::DynamicCode { location, name, city, amount, recurrence: None })
        });
        one([of_key, of_location])
    }
}

#[derive(Args)]
#[command(group(ArgGroup::new("payee").required(true).args(["mobile", "tax_id", "ewallet", "biller"])))]
pub(crate) struct PromptpayFields {
    #[arg(long)]
    mobile: Option<promptpay::ThaiMobileNumber>,
    #[arg(long)]
    tax_id: Option<promptpay::TaxId>,
    #[arg(long)]
    ewallet: Option<promptpay::EwalletId>,
    #[arg(long, requires = "first_reference")]
    biller: Option<promptpay::BillerId>,
    #[arg(long, requires = "biller")]
    first_reference: Option<promptpay::BillReference>,
    #[arg(long, requires = "biller")]
    second_reference: Option<promptpay::BillReference>,
    #[arg(long)]
    amount: Option<String>,
    #[arg(long)]
    terminal: Option<TerminalLabel>,
}

impl PromptpayFields {
    pub(super) fn promptpay(self) -> anyhow::Result<promptpay::Promptpay> {
        let second_reference = self.second_reference;
        let bill = self.biller.zip(self.first_reference);
        let payee = one([
            self.mobile.map(promptpay::PromptpayPayee::Mobile),
            self.tax_id.map(promptpay::PromptpayPayee::TaxId),
            self.ewallet.map(promptpay::PromptpayPayee::Ewallet),
            bill.map(|(biller, first_reference)| promptpay::PromptpayPayee::Bill {
                biller,
                first_reference,
                second_reference,
            }),
        ])?;
        let amount = amount(self.amount.as_ref(), Scheme::Promptpay)?;
        Ok(promptpay::Promptpay { payee, amount, terminal: self.terminal })
    }
}

#[derive(Args)]
#[command(group(ArgGroup::new("payee").required(true).args(["mobile", "uen"])))]
pub(crate) struct PaynowFields {
    /// A mobile number with +65
    #[arg(long)]
    mobile: Option<paynow::PaynowMobileNumber>,
    #[arg(long)]
    uen: Option<paynow::Uen>,
    #[arg(long)]
    name: MerchantName,
    #[arg(long)]
    amount: Option<String>,
    /// Let the payer change the amount
    #[arg(long)]
    editable: bool,
    /// The last day, for example 20301231
    #[arg(long)]
    expiry: Option<paynow::Expiry>,
    /// The code can be paid more than once
    #[arg(long)]
    reusable: bool,
    #[arg(long)]
    bill_number: Option<BillNumber>,
}

impl PaynowFields {
    pub(super) fn paynow(self) -> anyhow::Result<paynow::Paynow> {
        Ok(paynow::Paynow {
            payee: one([
                self.mobile.map(paynow::PaynowPayee::Mobile),
                self.uen.map(paynow::PaynowPayee::Uen),
            ])?,
            name: self.name,
            amount: amount(self.amount.as_ref(), Scheme::Paynow)?,
            editable: self.editable,
            expiry: self.expiry,
            initiation: initiation(self.reusable),
            bill_number: self.bill_number,
        })
    }
}

#[derive(Args)]
#[command(group(ArgGroup::new("number").required(true).args(["account", "card"])))]
pub(crate) struct VietqrFields {
    /// The 6 digits of the bank
    #[arg(long)]
    bank: vietqr::BankBin,
    #[arg(long)]
    account: Option<vietqr::AccountNumber>,
    #[arg(long)]
    card: Option<vietqr::AccountNumber>,
    /// The amount in whole dong
    #[arg(long)]
    amount: Option<String>,
    #[arg(long)]
    bill_number: Option<BillNumber>,
    #[arg(long)]
    purpose: Option<Purpose>,
}

impl VietqrFields {
    pub(super) fn vietqr(self) -> anyhow::Result<vietqr::Vietqr> {
        let (service, number) = one([
            self.account.map(|number| (vietqr::TransferService::Account, number)),
            self.card.map(|number| (vietqr::TransferService::Card, number)),
        ])?;
        let amount = amount(self.amount.as_ref(), Scheme::Vietqr)?;
        let (bank, bill_number, purpose) = (self.bank, self.bill_number, self.purpose);
        Ok(vietqr::Vietqr { service, bank, number, amount, bill_number, purpose })
    }
}

#[derive(Args)]
#[command(group(ArgGroup::new("proxy").required(true).args(["fps_id", "mobile", "email"])))]
pub(crate) struct FpsFields {
    #[arg(long)]
    fps_id: Option<fps::FpsId>,
    /// A mobile number with +852-
    #[arg(long)]
    mobile: Option<fps::FpsMobileNumber>,
    #[arg(long)]
    email: Option<fps::FpsEmail>,
    #[arg(long, default_value = "NA")]
    name: MerchantName,
    #[arg(long, default_value = "HK")]
    city: MerchantCity,
    #[arg(long)]
    amount: Option<String>,
    /// The code can be paid more than once
    #[arg(long)]
    reusable: bool,
    #[arg(long)]
    reference: Option<ReferenceLabel>,
}

impl FpsFields {
    pub(super) fn fps(self) -> anyhow::Result<fps::Fps> {
        Ok(fps::Fps {
            payee: one([
                self.fps_id.map(fps::FpsPayee::FpsId),
                self.mobile.map(fps::FpsPayee::Mobile),
                self.email.map(fps::FpsPayee::Email),
            ])?,
            name: self.name,
            city: self.city,
            amount: amount(self.amount.as_ref(), Scheme::Fps)?,
            initiation: initiation(self.reusable),
            reference: self.reference,
        })
    }
}

#[derive(Args)]
#[command(group(ArgGroup::new("remittance").args(["reference", "text"])))]
pub(crate) struct SepaFields {
    #[arg(long)]
    iban: epc::Iban,
    #[arg(long)]
    name: epc::BeneficiaryName,
    #[arg(long)]
    bic: Option<epc::Bic>,
    #[arg(long)]
    amount: Option<String>,
    /// The purpose code of ISO 20022: 4 letters
    #[arg(long)]
    purpose: Option<epc::PurposeCode>,
    /// The creditor reference of ISO 11649: RF…
    #[arg(long)]
    reference: Option<epc::CreditorReference>,
    #[arg(long)]
    text: Option<epc::RemittanceText>,
    #[arg(long)]
    information: Option<epc::OriginatorInformation>,
}

impl SepaFields {
    pub(super) fn transfer(self) -> anyhow::Result<epc::CreditTransfer> {
        let reference = self.reference.map(epc::Remittance::Reference);
        Ok(epc::CreditTransfer {
            bank: epc::BeneficiaryBank::Version2(self.bic),
            name: self.name,
            iban: self.iban,
            amount: amount(self.amount.as_ref(), Scheme::Sepa)?,
            purpose: self.purpose,
            remittance: reference.or(self.text.map(epc::Remittance::Text)),
            information: self.information,
            character_set: epc::CharacterSet::UTF_8,
        })
    }
}

fn amount(text: Option<&String>, scheme: Scheme) -> anyhow::Result<Option<Amount>> {
    let amount = text.map(|text| Amount::parse(text, scheme.currency()));
    amount.transpose().map_err(|error| anyhow::anyhow!("the amount {error}"))
}

fn initiation(reusable: bool) -> InitiationMethod {
    if reusable { InitiationMethod::Reusable } else { InitiationMethod::Once }
}

/// The only value of a group that is present. clap requires one.
fn one<T>(of: impl IntoIterator<Item = Option<T>>) -> anyhow::Result<T> {
    of.into_iter().flatten().next().ok_or_else(|| anyhow::anyhow!("the payee is missing"))
}
