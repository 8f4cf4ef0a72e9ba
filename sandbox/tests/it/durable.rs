use std::{
    fs,
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use guildhall_sandbox::{Sandbox, config::Config};
use serde_json::{Value, json};

use crate::support::{ALWAYS, Caller, KEY, cob, quick, start, txid};

/// A file of one test.
struct Journal(PathBuf);

impl Journal {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("guildhall-sandbox-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn config(&self) -> Config {
        Config { data: Some(self.0.clone()), ..quick() }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// All that a caller can see.
async fn everything(caller: &Caller) -> [Value; 3] {
    [
        caller.get(&format!("/cob?{ALWAYS}")).await.1,
        caller.get(&format!("/pix?{ALWAYS}")).await.1,
        caller.get(&format!("/webhook/{KEY}")).await.1,
    ]
}

#[tokio::test]
async fn a_stopped_sandbox_remembers_everything() {
    let journal = Journal::new("stop");
    let (sandbox, caller, mut receiver) = start(journal.config()).await;
    let id = txid("a");
    caller.charge(&id).await;
    let pix = caller.pay(&id).await;
    receiver.next().await;
    let refund = format!("/pix/{}/devolucao/1", pix["endToEndId"].as_str().unwrap());
    caller.put(&refund, json!({ "valor": "1.00" })).await;
    receiver.next().await;
    let before = everything(&caller).await;
    sandbox.stop().await;

    let sandbox = Sandbox::start(journal.config()).await.unwrap();
    // The old token is still good.
    let caller = caller.at(sandbox.url());
    assert_eq!(everything(&caller).await, before);
    caller.pay(&id).await;
    receiver.next().await;
    assert!(Sandbox::start(journal.config()).await.is_err(), "two sandboxes must not write one journal");
}

#[tokio::test]
async fn a_refund_that_was_interrupted_is_settled_later() {
    let journal = Journal::new("refund");
    let slow = Config { refund_ms: 3_600_000, ..journal.config() };
    let (sandbox, caller, mut receiver) = start(slow).await;
    caller.charge(&txid("a")).await;
    let pix = caller.pay(&txid("a")).await;
    receiver.next().await;
    let refund = format!("/pix/{}/devolucao/1", pix["endToEndId"].as_str().unwrap());
    caller.put(&refund, json!({ "valor": "1.00" })).await;
    sandbox.stop().await;
    let _sandbox = Sandbox::start(journal.config()).await.unwrap();
    assert_eq!(receiver.next().await.pix()["devolucoes"][0]["status"], "DEVOLVIDO");
}

#[tokio::test]
async fn half_a_line_at_the_end_was_never_answered() {
    let journal = Journal::new("torn");
    let sandbox = Sandbox::start(journal.config()).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    caller.charge(&txid("a")).await;
    let before = everything(&caller).await;
    sandbox.stop().await;
    let whole = fs::read_to_string(&journal.0).unwrap();
    let torn = format!("{whole}[{}", " ".repeat(10_000));
    fs::write(&journal.0, torn).unwrap();

    let sandbox = Sandbox::start(journal.config()).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    assert_eq!(everything(&caller).await, before);
    caller.charge(&txid("b")).await;
    sandbox.stop().await;
    assert_eq!(fs::read_to_string(&journal.0).unwrap().lines().count(), 2);
    fs::write(&journal.0, "no journal\n").unwrap();
    assert!(Sandbox::start(journal.config()).await.is_err());
}

/// The program, killed when it is dropped.
struct Program(Child);

impl Program {
    async fn start(listen: &str, journal: &Journal) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall-sandbox"));
        // Settings of another sandbox are not its own.
        command.env_clear().args(["--listen", listen, "--log", "error", "--data"]).arg(&journal.0);
        let program = Self(command.stdin(Stdio::null()).spawn().unwrap());
        // The client's, which a sandbox in this process would have installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        for _ in 0..500 {
            if reqwest::get(format!("http://{listen}/healthz")).await.is_ok() {
                return program;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the program does not answer");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[tokio::test]
async fn a_killed_program_remembers_what_it_answered() {
    let journal = Journal::new("kill");
    // A port that was free a moment ago.
    let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let program = Program::start(&listen, &journal).await;
    let caller = Caller::new(format!("http://{listen}")).await;
    let mut answered = vec![];
    for number in 0..20 {
        let id = txid(&number.to_string());
        caller.charge(&id).await;
        answered.push(caller.pay(&id).await["endToEndId"].clone());
    }
    drop(program);
    let _program = Program::start(&listen, &journal).await;
    for id in answered {
        assert_eq!(caller.get(&format!("/pix/{}", id.as_str().unwrap())).await.0, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_at_once_lose_nothing() {
    let journal = Journal::new("fifty");
    let (sandbox, caller, mut receiver) = start(journal.config()).await;
    let work = (0..50).map(|number| {
        let caller = caller.clone();
        tokio::spawn(async move {
            // Two callers for each charge: it is made once and paid twice.
            let id = txid(&(number / 2).to_string());
            let (status, _) = caller.put(&format!("/cob/{id}"), cob("10.00")).await;
            assert_eq!(status, 201);
            caller.pay(&id).await["endToEndId"].to_string()
        })
    });
    let mut paid = vec![];
    for task in work.collect::<Vec<_>>() {
        paid.push(task.await.unwrap());
    }
    let mut told = vec![];
    while told.len() < 50 {
        let body: Value = serde_json::from_str(&receiver.next().await.body).unwrap();
        told.extend(body["pix"].as_array().unwrap().iter().map(|pix| pix["endToEndId"].to_string()));
    }
    paid.sort();
    told.sort();
    assert_eq!(paid, told);
    let before = everything(&caller).await;
    assert_eq!(before[0]["cobs"].as_array().unwrap().len(), 25);
    sandbox.stop().await;
    let sandbox = Sandbox::start(journal.config()).await.unwrap();
    assert_eq!(everything(&Caller::new(sandbox.url()).await).await, before);
}
