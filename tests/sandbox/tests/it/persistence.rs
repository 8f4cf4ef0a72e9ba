//! The append-only log.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, ChildStderr, Command, Stdio},
};

use guildhall_sandbox::{Sandbox, config::Config};
use serde_json::{Value, json};

use crate::support::{ALL_TIME, BankClient, KEY, charge_body, fast_config, start, txid};

/// The log file of one test.
struct LogFile(PathBuf);

impl LogFile {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("guildhall-sandbox-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn config(&self) -> Config {
        Config { data: Some(self.0.clone()), ..fast_config() }
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns everything that a client can read.
async fn read_all(client: &BankClient) -> [Value; 3] {
    [
        client.get(&format!("/cob?{ALL_TIME}")).await.1,
        client.get(&format!("/pix?{ALL_TIME}")).await.1,
        client.get(&format!("/webhook/{KEY}")).await.1,
    ]
}

#[tokio::test]
async fn stopped_sandbox_keeps_all_records() {
    let log_file = LogFile::new("stop");
    let (sandbox, client, mut receiver) = start(log_file.config()).await;
    let id = txid("a");
    client.create_charge(&id).await;
    let payment = client.pay(&id).await;
    receiver.next().await;
    let refund = format!("/pix/{}/devolucao/1", payment["endToEndId"].as_str().unwrap());
    client.put(&refund, json!({ "valor": "1.00" })).await;
    receiver.next().await;
    let before = read_all(&client).await;
    sandbox.stop().await;

    let sandbox = Sandbox::start(log_file.config()).await.unwrap();
    // The token stays valid.
    let client = client.at(sandbox.url());
    assert_eq!(read_all(&client).await, before);
    client.pay(&id).await;
    receiver.next().await;
    assert!(Sandbox::start(log_file.config()).await.is_err(), "two sandboxes must not share a file");
}

#[tokio::test]
async fn interrupted_refund_completes_after_a_restart() {
    let log_file = LogFile::new("refund");
    let slow = Config { refund_ms: 3_600_000, ..log_file.config() };
    let (sandbox, client, mut receiver) = start(slow).await;
    client.create_charge(&txid("a")).await;
    let payment = client.pay(&txid("a")).await;
    receiver.next().await;
    let refund = format!("/pix/{}/devolucao/1", payment["endToEndId"].as_str().unwrap());
    client.put(&refund, json!({ "valor": "1.00" })).await;
    sandbox.stop().await;
    let _sandbox = Sandbox::start(log_file.config()).await.unwrap();
    assert_eq!(receiver.next().await.payment()["devolucoes"][0]["status"], "DEVOLVIDO");
}

#[tokio::test]
async fn incomplete_last_line_is_ignored() {
    let log_file = LogFile::new("incomplete");
    let sandbox = Sandbox::start(log_file.config()).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    client.create_charge(&txid("a")).await;
    let before = read_all(&client).await;
    sandbox.stop().await;
    let complete = fs::read_to_string(&log_file.0).unwrap();
    let incomplete = format!("{complete}[{}", " ".repeat(10_000));
    fs::write(&log_file.0, incomplete).unwrap();

    let sandbox = Sandbox::start(log_file.config()).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    assert_eq!(read_all(&client).await, before);
    client.create_charge(&txid("b")).await;
    sandbox.stop().await;
    assert_eq!(fs::read_to_string(&log_file.0).unwrap().lines().count(), 2);
    fs::write(&log_file.0, "not a log\n").unwrap();
    assert!(Sandbox::start(log_file.config()).await.is_err());
}

/// The stored form must not change: a sandbox that was updated reads its old file.
#[tokio::test]
async fn log_of_an_earlier_version_is_read_and_continued() {
    let earlier = include_str!("log_of_version_0_2.jsonl");
    let log_file = LogFile::new("earlier");
    fs::write(&log_file.0, earlier).unwrap();
    let sandbox = Sandbox::start(log_file.config()).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    let [charges, payments, webhook] = read_all(&client).await;
    let statuses = ["CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR"].map(Value::from);
    assert_eq!([&charges["cobs"][0]["status"], &charges["cobs"][1]["status"]], [&statuses[0], &statuses[1]]);
    assert_eq!(payments["pix"].as_array().unwrap().len(), 2);
    let refunds = payments["pix"][0]["devolucoes"].as_array().unwrap().iter();
    let refund_statuses: Vec<_> = refunds.map(|refund| refund["status"].as_str().unwrap()).collect();
    assert_eq!(refund_statuses, ["DEVOLVIDO", "DEVOLVIDO", "NAO_REALIZADO"]);
    assert_eq!(webhook["status"], 404, "the webhook was removed");

    client.pay(&"a".repeat(32)).await;
    sandbox.stop().await;
    let file = fs::read_to_string(&log_file.0).unwrap();
    let added: Value = serde_json::from_str(file.strip_prefix(earlier).unwrap()).unwrap();
    // The charge was paid before, so its record is the same again.
    let paid = earlier.lines().find(|line| line.contains("CONCLUIDA")).unwrap();
    let paid: Value = serde_json::from_str(paid).unwrap();
    assert_eq!(added[1]["cob"], paid[1]["cob"]);
    for property in ["endToEndId", "txid", "valor", "chave", "horario"] {
        assert_eq!(added[0]["pix"][property].is_string(), paid[0]["pix"][property].is_string(), "{property}");
    }
}

/// The program in a process of its own. It is killed when this is dropped.
struct Program {
    process: Child,
    url: String,
    /// Kept open, because the program writes its log into it.
    _log: BufReader<ChildStderr>,
}

impl Program {
    /// Starts the program and reads its URL from its log.
    fn start(log_file: &LogFile) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall-sandbox"));
        // Environment variables may hold the settings of another sandbox.
        command.env_clear().env("NO_COLOR", "1").args(["--listen", "127.0.0.1:0", "--data"]).arg(&log_file.0);
        let mut process = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("sandbox started") {
            line.clear();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "the program ended");
        }
        let url = line.split('"').nth(1).unwrap().to_owned();
        Self { process, url, _log: log }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[tokio::test]
async fn killed_program_keeps_all_acknowledged_records() {
    let log_file = LogFile::new("kill");
    // The client needs the TLS provider that a sandbox in this process would install.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let program = Program::start(&log_file);
    let client = BankClient::new(program.url.clone()).await;
    let mut acknowledged = vec![];
    for number in 0..20 {
        let id = txid(&number.to_string());
        client.create_charge(&id).await;
        acknowledged.push(client.pay(&id).await["endToEndId"].clone());
    }
    drop(program);
    let program = Program::start(&log_file);
    let client = client.at(program.url.clone());
    for id in acknowledged {
        assert_eq!(client.get(&format!("/pix/{}", id.as_str().unwrap())).await.0, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_requests_lose_no_record() {
    let log_file = LogFile::new("parallel");
    let (sandbox, client, mut receiver) = start(log_file.config()).await;
    let tasks = (0..50).map(|number| {
        let client = client.clone();
        tokio::spawn(async move {
            // Two tasks for each charge: it is created once and paid twice.
            let id = txid(&(number / 2).to_string());
            let (status, _) = client.put(&format!("/cob/{id}"), charge_body("10.00")).await;
            assert_eq!(status, 201);
            client.pay(&id).await["endToEndId"].to_string()
        })
    });
    let mut paid = vec![];
    for task in tasks.collect::<Vec<_>>() {
        paid.push(task.await.unwrap());
    }
    let mut notified = vec![];
    while notified.len() < 50 {
        let body: Value = serde_json::from_str(&receiver.next().await.body).unwrap();
        notified.extend(body["pix"].as_array().unwrap().iter().map(|pix| pix["endToEndId"].to_string()));
    }
    paid.sort();
    notified.sort();
    assert_eq!(paid, notified);
    let before = read_all(&client).await;
    assert_eq!(before[0]["cobs"].as_array().unwrap().len(), 25);
    sandbox.stop().await;
    let sandbox = Sandbox::start(log_file.config()).await.unwrap();
    assert_eq!(read_all(&BankClient::new(sandbox.url()).await).await, before);
}
