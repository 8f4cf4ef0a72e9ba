//! API Pix without faults.

use guildhall_sandbox::{
    Sandbox,
    config::{AppendPix, Config},
};
use poem::http::Method;
use serde_json::{Value, json};

use crate::support::{
    ALL_TIME, BankClient, KEY, Receiver, ReservedPort, charge_body, fast_config, start, txid,
};

#[tokio::test]
async fn charge_is_created_paid_notified_and_refunded() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    let id = txid("flow");
    let created = client.create_charge(&id).await;
    assert_eq!((&created["status"], &created["revisao"]), (&json!("ATIVA"), &json!(0)));
    assert_eq!(client.create_charge(&id).await, created, "a repeated request returns the same charge");
    assert_eq!(client.get(&format!("/api/v2/cob/{id}")).await, (200, created.clone()));

    let payment = client.pay(&id).await;
    assert_eq!(payment["endToEndId"].as_str().unwrap().len(), 32);
    let notification = receiver.next().await;
    assert_eq!(notification.uri.to_string(), "/hook/pix?secret=s3cret");
    assert_eq!(notification.payment(), payment);
    let (_, paid) = client.get(&format!("/cob/{id}")).await;
    assert_eq!((&paid["status"], &paid["pix"]), (&json!("CONCLUIDA"), &json!([payment])));
    assert_eq!(paid["pixCopiaECola"], created["pixCopiaECola"]);

    let e2e = payment["endToEndId"].as_str().unwrap();
    let refund = format!("/pix/{e2e}/devolucao/r1");
    let (status, started) = client.put(&refund, json!({ "valor": "4.00" })).await;
    assert_eq!((status, &started["status"]), (201, &json!("EM_PROCESSAMENTO")));
    assert_eq!(receiver.next().await.payment()["devolucoes"][0]["status"], "DEVOLVIDO");
    let (_, completed) = client.get(&refund).await;
    assert_eq!(completed["status"], "DEVOLVIDO");
    assert!(completed["horario"]["liquidacao"].is_string());
    assert_eq!(client.put(&refund, json!({ "valor": "4.00" })).await, (201, completed), "a repeated request");
    assert_eq!(
        client.put(&refund, json!({ "valor": "4.01" })).await.0,
        400,
        "the same id with another amount"
    );
    let (status, problem) = client.put(&format!("/pix/{e2e}/devolucao/r2"), json!({ "valor": "6.01" })).await;
    assert_eq!((status, &problem["title"]), (400, &json!("PixDevolucaoInvalida")));
    assert_eq!(client.put(&format!("/pix/{e2e}/devolucao/r2"), json!({ "valor": "6.00" })).await.0, 201);
}

#[tokio::test]
async fn token_grants_only_the_requested_scopes() {
    let sandbox = Sandbox::start(fast_config()).await.unwrap();
    let mut client = BankClient::new(sandbox.url()).await;
    assert_eq!(client.request_token("grant_type=client_credentials", Some("wrong")).await.0, 401);
    assert_eq!(client.request_token("grant_type=password", Some("sandbox-secret")).await.0, 400);
    let body = "grant_type=client_credentials&client_id=guildhall&client_secret=sandbox-secret";
    assert_eq!(
        client.request_token(&format!("{body}&scope=boleto.write"), None).await.1["error"],
        "invalid_scope"
    );
    let (_, token) = client.request_token(&format!("{body}&scope=cob.read"), None).await;
    assert_eq!((&token["scope"], &token["expires_in"]), (&json!("cob.read"), &json!(300)));

    client.http.token = Some(token["access_token"].as_str().unwrap().to_owned());
    assert_eq!(client.get(&format!("/cob/{}", txid("none"))).await.0, 404);
    let (status, problem) = client.put(&format!("/cob/{}", txid("a")), charge_body("1.00")).await;
    assert_eq!((status, &problem["title"]), (403, &json!("AcessoNegado")));
    assert_eq!(client.get(&format!("/pix?{ALL_TIME}")).await.0, 403);
    assert_eq!(client.get("/webhook").await.0, 403);
    client.http.token.as_mut().unwrap().push('x');
    assert_eq!(client.get(&format!("/cob?{ALL_TIME}")).await.0, 401);
}

#[tokio::test]
async fn token_expires() {
    let sandbox = Sandbox::start(Config { token_seconds: 0, ..fast_config() }).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    assert_eq!(client.get(&format!("/cob?{ALL_TIME}")).await.0, 401);
}

#[tokio::test]
async fn every_violation_of_a_body_is_reported() {
    let sandbox = Sandbox::start(fast_config()).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    let path = format!("/cob/{}", txid("bad"));
    let cases = [
        ("/valor/original", json!("10.0"), "cob.valor.original"),
        ("/valor/original", json!(10.0), "cob.valor.original"),
        ("/valor/original", json!("0.00"), "cob.valor.original"),
        ("/chave", json!("not-ours"), "cob.chave"),
        ("/calendario/expiracao", json!(0), "cob.calendario.expiracao"),
        ("/calendario/expiracao", json!("60"), "cob.calendario.expiracao"),
    ];
    for (pointer, value, property) in cases {
        let mut body = charge_body("10.00");
        *body.pointer_mut(pointer).unwrap() = value;
        assert_violation(client.put(&path, body).await, property);
    }
    let more = [
        ("solicitacaoPagador", json!("é".repeat(141)), "cob.solicitacaoPagador"),
        ("devedor", json!({ "nome": "N" }), "cob.devedor"),
        ("devedor", json!({ "nome": "N", "cpf": "12345678909", "cnpj": "12345678000195" }), "cob.devedor"),
        ("devedor", json!({ "nome": "N", "cpf": "123" }), "cob.devedor"),
    ];
    for (name, value, property) in more {
        let mut body = charge_body("10.00");
        body[name] = value;
        assert_violation(client.put(&path, body).await, property);
    }
    assert_violation(client.put("/cob/short", charge_body("10.00")).await, "cob.txid");
    let (_, problem) = client.put(&path, json!({})).await;
    assert_eq!(
        problem["violacoes"].as_array().unwrap().len(),
        2,
        "expected the amount and the key: {problem}"
    );
}

fn assert_violation((status, problem): (u16, Value), property: &str) {
    assert_eq!(status, 400, "{problem}");
    assert_eq!(problem["type"], "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida");
    assert_eq!(problem["violacoes"][0]["propriedade"], property);
}

#[tokio::test]
async fn unpaid_charge_can_be_changed_and_removed() {
    let sandbox = Sandbox::start(fast_config()).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    let (status, created) = client.post("/cob", charge_body("10.00")).await;
    assert_eq!(status, 201);
    let id = created["txid"].as_str().unwrap();
    let path = format!("/cob/{id}");
    let patch = async |body: Value| client.try_send(Method::PATCH, &path, &body).await.unwrap();

    assert_eq!(client.put(&path, charge_body("11.00")).await.0, 400, "another charge has the txid");
    let (status, changed) = patch(json!({ "valor": { "original": "11.00" } })).await;
    assert_eq!(
        (status, &changed["revisao"], &changed["valor"]["original"]),
        (200, &json!(1), &json!("11.00"))
    );
    assert_eq!(changed["chave"], KEY, "other properties do not change");
    assert_eq!(patch(json!({ "valor": { "original": "no" } })).await.0, 400);
    assert_eq!(patch(json!({ "status": "CONCLUIDA" })).await.0, 400);
    let (_, removed) = patch(json!({ "status": "REMOVIDA_PELO_USUARIO_RECEBEDOR" })).await;
    assert_eq!(removed["status"], "REMOVIDA_PELO_USUARIO_RECEBEDOR");
    assert_eq!(patch(json!({ "valor": { "original": "12.00" } })).await.0, 400);
    assert_eq!(client.post("/sandbox/pay", json!({ "txid": id })).await.0, 409);
}

#[tokio::test]
async fn lists_have_pages_and_filters() {
    let sandbox = Sandbox::start(fast_config()).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    for end in ["a", "b", "c"] {
        client.create_charge(&txid(end)).await;
        client.pay(&txid(end)).await;
    }
    client.create_charge(&txid("d")).await;
    let (_, page) =
        client.get(&format!("/pix?{ALL_TIME}&paginacao.itensPorPagina=2&paginacao.paginaAtual=1")).await;
    assert_eq!(page["pix"].as_array().unwrap().len(), 1);
    let expected = json!({ "paginaAtual": 1, "itensPorPagina": 2, "quantidadeDePaginas": 2, "quantidadeTotalDeItens": 3 });
    assert_eq!(page["parametros"]["paginacao"], expected);
    assert_eq!(page["parametros"]["inicio"], "2020-01-01T00:00:00Z");

    let count = async |path: String, name: &str| client.get(&path).await.1[name].as_array().unwrap().len();
    assert_eq!(count(format!("/pix?{ALL_TIME}&txid={}", txid("b")), "pix").await, 1);
    assert_eq!(count(format!("/pix?{ALL_TIME}&txIdPresente=false"), "pix").await, 0);
    assert_eq!(count(format!("/pix?{ALL_TIME}&devolucaoPresente=false"), "pix").await, 3);
    assert_eq!(count(format!("/cob?{ALL_TIME}&status=ATIVA"), "cobs").await, 1);
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
        let (status, problem) = client.get(&format!("/pix?{bad}")).await;
        assert_eq!((status, &problem["title"]), (400, &json!("PixConsultaInvalida")), "{bad}");
    }
}

#[tokio::test]
async fn webhook_is_registered_only_if_its_test_succeeds() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    let url = receiver.url.clone();
    receiver.responses.lock().unwrap().push_back(poem::http::StatusCode::NOT_FOUND);
    let (status, problem) = client.register_webhook(&format!("{url}/other")).await;
    assert_eq!((status, &problem["title"]), (400, &json!("WebhookOperacaoInvalida")));
    assert_eq!(receiver.next().await.uri.path(), "/other/pix");
    assert_eq!(client.put("/webhook/not-ours", json!({ "webhookUrl": url })).await.0, 400);

    let (_, webhook) = client.get(&format!("/webhook/{KEY}")).await;
    assert_eq!(webhook["webhookUrl"], format!("{url}/hook?secret=s3cret"));
    assert_eq!(client.get("/webhook").await.1["webhooks"], json!([webhook]));
    let path = format!("/webhook/{KEY}");
    assert_eq!(client.try_send(Method::DELETE, &path, &Value::Null).await.unwrap().0, 204);
    assert_eq!(client.get(&path).await.0, 404);
}

#[tokio::test]
async fn pix_suffix_can_follow_the_query_of_the_url() {
    let (_sandbox, client, mut receiver) =
        start(Config { append_pix: AppendPix::Url, ..fast_config() }).await;
    client.create_charge(&txid("a")).await;
    client.pay(&txid("a")).await;
    assert_eq!(receiver.next().await.uri.to_string(), "/hook?secret=s3cret/pix");
}

#[tokio::test]
async fn configured_webhook_is_registered_when_its_server_starts() {
    let port = ReservedPort::new();
    let register = Some(format!("{}/late", port.url));
    let sandbox = Sandbox::start(Config { register, ..fast_config() }).await.unwrap();
    let client = BankClient::new(sandbox.url()).await;
    assert_eq!(client.get(&format!("/webhook/{KEY}")).await.0, 404);
    let mut receiver = Receiver::start_at(port);
    assert_eq!(receiver.next().await.uri.path(), "/late/pix");
}
