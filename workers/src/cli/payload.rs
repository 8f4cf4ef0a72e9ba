use clap::{ArgGroup, Args, Subcommand};
use guildhall_common::payment_codes::{
    self, Amount, BillNumber, Initiation, MerchantCity, MerchantName, PayloadError, Purpose, ReferenceLabel,
    Scheme, TerminalLabel, epc, fps, paynow,
    pix::{self, Pix},
    promptpay, vietqr,
};

#[derive(Subcommand)]
pub(crate) enum Payload {
    /// Print the scheme and the fields of a payload as JSON, or what is wrong with it
    Decode { text: String },
    /// Print the payload that has these fields
    Encode {
        #[command(subcommand)]
        scheme: Box<Encode>,
    },
}

#[derive(Subcommand)]
pub(crate) enum Encode {
    /// Brazil: static with a key, dynamic with a location
    Pix(PixFields),
    /// Thailand
    Promptpay(PromptpayFields),
    /// Singapore
    Paynow(PaynowFields),
    /// Vietnam
    Vietqr(VietqrFields),
    /// Hong Kong
    Fps(FpsFields),
    /// The euro: a SEPA transfer by EPC069-12
    Sepa(SepaFields),
}

#[derive(Args)]
#[command(group(ArgGroup::new("to").required(true).args(["key", "location"])))]
pub(crate) struct PixFields {
    /// CPF, CNPJ, +55…, e-mail or random key
    #[arg(long)]
    key: Option<pix::PixKey>,
    /// Where the charge is: a URL without https://
    #[arg(long)]
    location: Option<pix::Location>,
    #[arg(long)]
    name: String,
    #[arg(long)]
    city: String,
    /// 25.00
    #[arg(long)]
    amount: Option<String>,
    #[arg(long, conflicts_with = "location")]
    reference: Option<pix::Reference>,
    #[arg(long, conflicts_with = "location")]
    description: Option<pix::Description>,
}

#[derive(Args)]
#[command(group(ArgGroup::new("whom").required(true).args(["mobile", "tax_id", "ewallet", "biller"])))]
pub(crate) struct PromptpayFields {
    #[arg(long)]
    mobile: Option<promptpay::Mobile>,
    #[arg(long)]
    tax_id: Option<promptpay::TaxId>,
    #[arg(long)]
    ewallet: Option<promptpay::Ewallet>,
    #[arg(long, requires = "first_reference")]
    biller: Option<promptpay::Biller>,
    #[arg(long, requires = "biller")]
    first_reference: Option<promptpay::BillReference>,
    #[arg(long, requires = "biller")]
    second_reference: Option<promptpay::BillReference>,
    #[arg(long)]
    amount: Option<String>,
    #[arg(long)]
    terminal: Option<TerminalLabel>,
}

#[derive(Args)]
#[command(group(ArgGroup::new("payee").required(true).args(["mobile", "uen"])))]
pub(crate) struct PaynowFields {
    /// +65…
    #[arg(long)]
    mobile: Option<paynow::Mobile>,
    #[arg(long)]
    uen: Option<paynow::Uen>,
    #[arg(long)]
    name: MerchantName,
    #[arg(long)]
    amount: Option<String>,
    /// Let the payer change the amount
    #[arg(long)]
    editable: bool,
    /// The last day: 20301231
    #[arg(long)]
    expiry: Option<paynow::Expiry>,
    /// To be paid more than once
    #[arg(long)]
    reusable: bool,
    #[arg(long)]
    bill_number: Option<BillNumber>,
}

#[derive(Args)]
#[command(group(ArgGroup::new("number").required(true).args(["account", "card"])))]
pub(crate) struct VietqrFields {
    /// 6 digits
    #[arg(long)]
    bank: vietqr::Bank,
    #[arg(long)]
    account: Option<vietqr::AccountNumber>,
    #[arg(long)]
    card: Option<vietqr::AccountNumber>,
    /// Whole dong
    #[arg(long)]
    amount: Option<String>,
    #[arg(long)]
    bill_number: Option<BillNumber>,
    #[arg(long)]
    purpose: Option<Purpose>,
}

#[derive(Args)]
#[command(group(ArgGroup::new("proxy").required(true).args(["fps_id", "mobile", "email"])))]
pub(crate) struct FpsFields {
    #[arg(long)]
    fps_id: Option<fps::FpsId>,
    /// +852-…
    #[arg(long)]
    mobile: Option<fps::Mobile>,
    #[arg(long)]
    email: Option<fps::Email>,
    #[arg(long, default_value = "NA")]
    name: MerchantName,
    #[arg(long, default_value = "HK")]
    city: MerchantCity,
    #[arg(long)]
    amount: Option<String>,
    /// To be paid more than once
    #[arg(long)]
    reusable: bool,
    #[arg(long)]
    reference: Option<ReferenceLabel>,
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
    /// 4 letters of ISO 20022
    #[arg(long)]
    purpose: Option<epc::PurposeCode>,
    /// RF…
    #[arg(long)]
    reference: Option<epc::CreditorReference>,
    #[arg(long)]
    text: Option<epc::RemittanceText>,
    #[arg(long)]
    information: Option<epc::Information>,
}

impl Payload {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Decode { text } => {
                let payload = payment_codes::Payload::parse(text.trim())?;
                println!("{}", serde_json::to_string_pretty(&payload)?);
            }
            Self::Encode { scheme } => println!("{}", scheme.payload()?.encode()?),
        }
        Ok(())
    }
}

fn amount(text: Option<&String>, scheme: Scheme) -> anyhow::Result<Option<Amount>> {
    let amount = text.map(|text| Amount::parse(text, scheme.currency()));
    amount.transpose().map_err(|error| anyhow::anyhow!("the amount {error}"))
}

fn initiation(reusable: bool) -> Initiation {
    if reusable { Initiation::Reusable } else { Initiation::Once }
}

/// clap demands one of a group; what it did not give is none.
fn one<T>(of: impl IntoIterator<Item = Option<T>>) -> anyhow::Result<T> {
    of.into_iter().flatten().next().ok_or_else(|| anyhow::anyhow!("nobody is named to be paid"))
}

impl Encode {
    fn payload(self) -> anyhow::Result<payment_codes::Payload> {
        let payload: Result<payment_codes::Payload, PayloadError> = match self {
            Self::Pix(fields) => fields.pix()?.try_into(),
            Self::Promptpay(fields) => fields.promptpay()?.try_into(),
            Self::Paynow(fields) => fields.paynow()?.try_into(),
            Self::Vietqr(fields) => fields.vietqr()?.try_into(),
            Self::Fps(fields) => fields.fps()?.try_into(),
            Self::Sepa(fields) => Ok(payment_codes::Payload::Sepa(fields.transfer()?)),
        };
        Ok(payload?)
    }
}

impl PixFields {
    fn pix(self) -> anyhow::Result<Pix> {
        let amount = amount(self.amount.as_ref(), Scheme::Pix)?;
        let name = MerchantName::folded(&self.name).map_err(|error| anyhow::anyhow!("the name {error}"))?;
        let city = MerchantCity::folded(&self.city).map_err(|error| anyhow::anyhow!("the city {error}"))?;
        let (reference, description) = (self.reference, self.description);
        let of_key = self.key.map(|key| {
            let (name, city) = (name.clone(), city.clone());
            Pix::Static(pix::Static { key, name, city, amount, reference, description })
        });
        let of_location = self
            .location
            .map(|location| Pix::Dynamic(pix::Dynamic { location, name, city, amount, recurrence: None }));
        one([of_key, of_location])
    }
}

impl PromptpayFields {
    fn promptpay(self) -> anyhow::Result<promptpay::Promptpay> {
        let second_reference = self.second_reference;
        let bill = self.biller.zip(self.first_reference);
        let payee = one([
            self.mobile.map(promptpay::Payee::Mobile),
            self.tax_id.map(promptpay::Payee::TaxId),
            self.ewallet.map(promptpay::Payee::Ewallet),
            bill.map(|(biller, first_reference)| promptpay::Payee::Bill {
                biller,
                first_reference,
                second_reference,
            }),
        ])?;
        let amount = amount(self.amount.as_ref(), Scheme::Promptpay)?;
        Ok(promptpay::Promptpay { payee, amount, terminal: self.terminal })
    }
}

impl PaynowFields {
    fn paynow(self) -> anyhow::Result<paynow::Paynow> {
        Ok(paynow::Paynow {
            payee: one([self.mobile.map(paynow::Payee::Mobile), self.uen.map(paynow::Payee::Uen)])?,
            name: self.name,
            amount: amount(self.amount.as_ref(), Scheme::Paynow)?,
            editable: self.editable,
            expiry: self.expiry,
            initiation: initiation(self.reusable),
            bill_number: self.bill_number,
        })
    }
}

impl VietqrFields {
    fn vietqr(self) -> anyhow::Result<vietqr::Vietqr> {
        let (service, number) = one([
            self.account.map(|number| (vietqr::Service::Account, number)),
            self.card.map(|number| (vietqr::Service::Card, number)),
        ])?;
        let amount = amount(self.amount.as_ref(), Scheme::Vietqr)?;
        let (bank, bill_number, purpose) = (self.bank, self.bill_number, self.purpose);
        Ok(vietqr::Vietqr { service, bank, number, amount, bill_number, purpose })
    }
}

impl FpsFields {
    fn fps(self) -> anyhow::Result<fps::Fps> {
        Ok(fps::Fps {
            payee: one([
                self.fps_id.map(fps::Payee::FpsId),
                self.mobile.map(fps::Payee::Mobile),
                self.email.map(fps::Payee::Email),
            ])?,
            name: self.name,
            city: self.city,
            amount: amount(self.amount.as_ref(), Scheme::Fps)?,
            initiation: initiation(self.reusable),
            reference: self.reference,
        })
    }
}

impl SepaFields {
    fn transfer(self) -> anyhow::Result<epc::Transfer> {
        let reference = self.reference.map(epc::Remittance::Reference);
        Ok(epc::Transfer {
            bank: epc::Bank::Version2(self.bic),
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
