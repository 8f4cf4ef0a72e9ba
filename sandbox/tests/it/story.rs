use guildhall_sandbox::{
    Sandbox,
    config::{AppendPix, Config},
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{ALWAYS, Caller, KEY, Receiver, cob, quick, start, txid};

#[tokio::test]
async fn a_charge_is_made_paid_told_listed_and_refunded() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    let id = txid("story");
    let made = caller.charge(&id).await;
    assert_eq!((&made["status"], &made["revisao"]), (&json!("ATIVA"), &json!(0)));
    assert_eq!(caller.charge(&id).await, made, "the same again is the same charge");
    assert_eq!(caller.get(&format!("/api/v2/cob/{id}")).await, (200, made.clone()));

    let pix = caller.pay(&id).await;
    assert_eq!(pix["endToEndId"].as_str().unwrap().len(), 32);
    let notified = receiver.next().await;
    assert_eq!(notified.uri.to_string(), "/hook/pix?secret=s3cret");
    assert_eq!(notified.pix(), pix);
    let (_, paid) = caller.get(&format!("/cob/{id}")).await;
    assert_eq!((&paid["status"], &paid["pix"]), (&json!("CONCLUIDA"), &json!([pix])));
    assert_eq!(paid["pixCopiaECola"], made["pixCopiaECola"]);

    let e2e = pix["endToEndId"].as_str().unwrap();
    let refund = format!("/pix/{e2e}/devolucao/r1");
    let (status, asked) = caller.put(&refund, json!({ "valor": "4.00" })).await;
    assert_eq!((status, &asked["status"]), (201, &json!("EM_PROCESSAMENTO")));
    assert_eq!(receiver.next().await.pix()["devolucoes"][0]["status"], "DEVOLVIDO");
    let (_, settled) = caller.get(&refund).await;
    assert_eq!(settled["status"], "DEVOLVIDO");
    assert!(settled["horario"]["liquidacao"].is_string());
    assert_eq!(caller.put(&refund, json!({ "valor": "4.00" })).await, (201, settled), "the same again");
    assert_eq!(caller.put(&refund, json!({ "valor": "4.01" })).await.0, 400, "with another amount");
    let (status, problem) = caller.put(&format!("/pix/{e2e}/devolucao/r2"), json!({ "valor": "6.01" })).await;
    assert_eq!((status, &problem["title"]), (400, &json!("PixDevolucaoInvalida")));
    assert_eq!(caller.put(&format!("/pix/{e2e}/devolucao/r2"), json!({ "valor": "6.00" })).await.0, 201);
}

#[tokio::test]
async fn a_token_opens_what_it_was_asked_for() {
    let sandbox = Sandbox::start(quick()).await.unwrap();
    let mut caller = Caller::new(sandbox.url()).await;
    assert_eq!(caller.token("grant_type=client_credentials", Some("wrong")).await.0, 401);
    assert_eq!(caller.token("grant_type=password", Some("sandbox-secret")).await.0, 400);
    let body = "grant_type=client_credentials&client_id=guildhall&client_secret=sandbox-secret";
    assert_eq!(caller.token(&format!("{body}&scope=boleto.write"), None).await.1["error"], "invalid_scope");
    let (_, token) = caller.token(&format!("{body}&scope=cob.read"), None).await;
    assert_eq!((&token["scope"], &token["expires_in"]), (&json!("cob.read"), &json!(300)));

    caller.token = token["access_token"].as_str().unwrap().to_owned();
    assert_eq!(caller.get(&format!("/cob/{}", txid("none"))).await.0, 404);
    let (status, problem) = caller.put(&format!("/cob/{}", txid("a")), cob("1.00")).await;
    assert_eq!((status, &problem["title"]), (403, &json!("AcessoNegado")));
    assert_eq!(caller.get(&format!("/pix?{ALWAYS}")).await.0, 403);
    assert_eq!(caller.get("/webhook").await.0, 403);
    caller.token.push('x');
    assert_eq!(caller.get(&format!("/cob?{ALWAYS}")).await.0, 401);
}

#[tokio::test]
async fn a_token_ends() {
    let sandbox = Sandbox::start(Config { token_seconds: 0, ..quick() }).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    assert_eq!(caller.get(&format!("/cob?{ALWAYS}")).await.0, 401);
}

#[tokio::test]
async fn every_violation_of_a_body_is_named() {
    let sandbox = Sandbox::start(quick()).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    let path = format!("/cob/{}", txid("bad"));
    let cases = [
        ("/valor/original", json!("10.0"), "cob.valor.original"),
        ("/valor/original", json!(10.0), "cob.valor.original"),
        ("/valor/original", json!("0.00"), "cob.valor.original"),
        ("/chave", json!("not-ours"), "cob.chave"),
        ("/calendario/expiracao", json!(0), "cob.calendario.expiracao"),
        ("/calendario/expiracao", json!("60"), "cob.calendario.expiracao"),
    ];
    for (pointer, value, named) in cases {
        let mut body = cob("10.00");
        *body.pointer_mut(pointer).unwrap() = value;
        assert_violated(caller.put(&path, body).await, named);
    }
    let more = [
        ("solicitacaoPagador", json!("é".repeat(141)), "cob.solicitacaoPagador"),
        ("devedor", json!({ "nome": "N" }), "cob.devedor"),
        ("devedor", json!({ "nome": "N", "cpf": "12345678909", "cnpj": "12345678000195" }), "cob.devedor"),
        ("devedor", json!({ "nome": "N", "cpf": "123" }), "cob.devedor"),
    ];
    for (name, value, named) in more {
        let mut body = cob("10.00");
        body[name] = value;
        assert_violated(caller.put(&path, body).await, named);
    }
    assert_violated(caller.put("/cob/short", cob("10.00")).await, "cob.txid");
    let (_, problem) = caller.put(&path, json!({})).await;
    assert_eq!(problem["violacoes"].as_array().unwrap().len(), 2, "the amount and the key: {problem}");
}

fn assert_violated((status, problem): (u16, Value), named: &str) {
    assert_eq!(status, 400, "{problem}");
    assert_eq!(problem["type"], "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida");
    assert_eq!(problem["violacoes"][0]["propriedade"], named);
}

#[tokio::test]
async fn a_charge_is_changed_and_removed_while_nobody_paid_it() {
    let sandbox = Sandbox::start(quick()).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    let (status, made) = caller.post("/cob", cob("10.00")).await;
    assert_eq!(status, 201);
    let id = made["txid"].as_str().unwrap();
    let path = format!("/cob/{id}");
    let patch = async |body: Value| caller.try_call(Method::PATCH, &path, &body).await.unwrap();

    assert_eq!(caller.put(&path, cob("11.00")).await.0, 400, "the txid is taken");
    let (status, changed) = patch(json!({ "valor": { "original": "11.00" } })).await;
    assert_eq!(
        (status, &changed["revisao"], &changed["valor"]["original"]),
        (200, &json!(1), &json!("11.00"))
    );
    assert_eq!(changed["chave"], KEY, "what is not named stays");
    assert_eq!(patch(json!({ "valor": { "original": "no" } })).await.0, 400);
    assert_eq!(patch(json!({ "status": "CONCLUIDA" })).await.0, 400);
    let (_, removed) = patch(json!({ "status": "REMOVIDA_PELO_USUARIO_RECEBEDOR" })).await;
    assert_eq!(removed["status"], "REMOVIDA_PELO_USUARIO_RECEBEDOR");
    assert_eq!(patch(json!({ "valor": { "original": "12.00" } })).await.0, 400);
    assert_eq!(caller.post("/sandbox/pay", json!({ "txid": id })).await.0, 409);
}

#[tokio::test]
async fn lists_are_cut_into_pages_and_filtered() {
    let sandbox = Sandbox::start(quick()).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    for end in ["a", "b", "c"] {
        caller.charge(&txid(end)).await;
        caller.pay(&txid(end)).await;
    }
    caller.charge(&txid("d")).await;
    let (_, page) =
        caller.get(&format!("/pix?{ALWAYS}&paginacao.itensPorPagina=2&paginacao.paginaAtual=1")).await;
    assert_eq!(page["pix"].as_array().unwrap().len(), 1);
    let expected = json!({ "paginaAtual": 1, "itensPorPagina": 2, "quantidadeDePaginas": 2, "quantidadeTotalDeItens": 3 });
    assert_eq!(page["parametros"]["paginacao"], expected);
    assert_eq!(page["parametros"]["inicio"], "2020-01-01T00:00:00Z");

    let count = async |path: String, name: &str| caller.get(&path).await.1[name].as_array().unwrap().len();
    assert_eq!(count(format!("/pix?{ALWAYS}&txid={}", txid("b")), "pix").await, 1);
    assert_eq!(count(format!("/pix?{ALWAYS}&txIdPresente=false"), "pix").await, 0);
    assert_eq!(count(format!("/pix?{ALWAYS}&devolucaoPresente=false"), "pix").await, 3);
    assert_eq!(count(format!("/cob?{ALWAYS}&status=ATIVA"), "cobs").await, 1);
    assert_eq!(
        count("/cob?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z".to_owned(), "cobs").await,
        0
    );
    for bad in [
        "inicio=2020-01-01T00:00:00Z",
        "inicio=yesterday&fim=2020-01-01T00:00:00Z",
        "inicio=2021-01-01T00:00:00Z&fim=2020-01-01T00:00:00Z",
        "inicio=2020-01-01T00:00:00Z&fim=2021-01-01T00:00:00Z&paginacao.itensPorPagina=1001",
        "inicio=2020-01-01T00:00:00Z&fim=2021-01-01T00:00:00Z&paginacao.paginaAtual=-1",
    ] {
        let (status, problem) = caller.get(&format!("/pix?{bad}")).await;
        assert_eq!((status, &problem["title"]), (400, &json!("PixConsultaInvalida")), "{bad}");
    }
}

#[tokio::test]
async fn a_webhook_is_registered_only_if_it_answers() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    let url = receiver.url.clone();
    receiver.answers.lock().unwrap().push_back(poem::http::StatusCode::NOT_FOUND);
    let (status, problem) = caller.register(&format!("{url}/other")).await;
    assert_eq!((status, &problem["title"]), (400, &json!("WebhookOperacaoInvalida")));
    assert_eq!(receiver.next().await.uri.path(), "/other/pix");
    assert_eq!(caller.put("/webhook/not-ours", json!({ "webhookUrl": url })).await.0, 400);

    let (_, webhook) = caller.get(&format!("/webhook/{KEY}")).await;
    assert_eq!(webhook["webhookUrl"], format!("{url}/hook?secret=s3cret"));
    assert_eq!(caller.get("/webhook").await.1["webhooks"], json!([webhook]));
    let path = format!("/webhook/{KEY}");
    assert_eq!(caller.try_call(Method::DELETE, &path, &Value::Null).await.unwrap().0, 204);
    assert_eq!(caller.get(&path).await.0, 404);
}

#[tokio::test]
async fn pix_can_be_appended_to_the_whole_url() {
    let (_sandbox, caller, mut receiver) = start(Config { append_pix: AppendPix::Url, ..quick() }).await;
    caller.charge(&txid("a")).await;
    caller.pay(&txid("a")).await;
    assert_eq!(receiver.next().await.uri.to_string(), "/hook?secret=s3cret/pix");
}

#[tokio::test]
async fn a_webhook_that_starts_later_is_registered_in_the_end() {
    // Nobody listens where the first one did.
    let url = Receiver::start().await.url.clone();
    let sandbox = Sandbox::start(Config { register: Some(format!("{url}/late")), ..quick() }).await.unwrap();
    let caller = Caller::new(sandbox.url()).await;
    assert_eq!(caller.get(&format!("/webhook/{KEY}")).await.0, 404);
    let mut receiver = Receiver::at(url.trim_start_matches("http://")).await;
    assert_eq!(receiver.next().await.uri.path(), "/late/pix");
}
