//! The exact wire forms of queued messages. Other versions of the service read them too.
//! A wire form never changes. A different command gets a new name.

use std::collections::BTreeSet;

use guildhall_common::contract::{
    account::AccountCommand,
    command::{CompletedOperation, Domain, Envelope, Outcome},
    game::GameCommand,
    guild::GuildCommand,
    news::NewsCommand,
    payment::PaymentCommand,
    shop::ShopCommand,
};

/// Requires that each line is the same after it is read and written, and that all commands of the
/// domain are present.
fn check_wire_forms<D: Domain>(wire: &str) {
    let mut seen = BTreeSet::new();
    for line in wire.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let command: D = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(serde_json::to_string(&command).unwrap(), line);
        seen.insert(command.name());
    }
    assert_eq!(seen, D::COMMANDS.iter().copied().collect());
}

#[test]
fn guild_commands_keep_their_wire_forms() {
    check_wire_forms::<GuildCommand>(
        r#"
        {"name":"guild.create","body":{"name":"Night Watch","leader":{"id":7}}}
        {"name":"guild.create","body":{"name":"Night Watch","leader":{"name":"Mira"}}}
        {"name":"guild.invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.accept_invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.decline_invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.cancel_invite","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.leave","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.kick","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.pass_leadership","body":{"guild_id":1,"character":{"id":8}}}
        {"name":"guild.change_rank","body":{"guild_id":1,"character":{"id":8},"rank":"vice_leader"}}
        {"name":"guild.change_motd","body":{"guild_id":1,"motd":"At eight."}}
        {"name":"guild.change_description","body":{"guild_id":1,"description":"Two\nlines."}}
        {"name":"guild.delete","body":{"guild_id":1}}
        "#,
    );
}

#[test]
fn account_commands_keep_their_wire_forms() {
    check_wire_forms::<AccountCommand>(
        r#"
        {"name":"account.register","body":{"name":"mira","email":"mira@example.org","password_hash":"$argon2id$"}}
        {"name":"account.start_session","body":{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z"}}
        {"name":"account.rotate_session","body":{"presented_hash":"00ff","next_hash":"ff00","expires_at":"2030-01-01T00:00:00Z"}}
        {"name":"account.end_session","body":{"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"account.create_character","body":{"name":"Mira Stormborn","vocation":"Elder Druid"}}
        "#,
    );
}

#[test]
fn shop_commands_keep_their_wire_forms() {
    check_wire_forms::<ShopCommand>(
        r#"
        {"name":"shop.create_category","body":{"name":"Potions","description":"","position":10,"hidden":false}}
        {"name":"shop.update_category","body":{"category_id":1,"fields":{"name":"Potions","description":"","position":10,"hidden":false}}}
        {"name":"shop.destroy_category","body":{"category_id":1}}
        {"name":"shop.create_offer","body":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"premium_days","id":"premium","count":30}],"position":10,"hidden":false,"stock":5,"account_limit":null}}
        {"name":"shop.update_offer","body":{"offer_id":4,"fields":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"item","id":"266","count":1}],"position":10,"hidden":false,"stock":null,"account_limit":2}}}
        {"name":"shop.destroy_offer","body":{"offer_id":4}}
        {"name":"shop.purchase","body":{"character":{"name":"Mira"},"lines":[{"offer_id":4,"quantity":2}]}}
        "#,
    );
}

#[test]
fn news_commands_keep_their_wire_forms() {
    check_wire_forms::<NewsCommand>(
        r#"
        {"name":"news.create","body":{"title":"It stands","summary":"","body":"We **held** it.","pinned":false,"hidden":false,"published_at":null}}
        {"name":"news.edit","body":{"post_id":5,"title":"It stood","summary":null,"body":null,"pinned":null,"hidden":true,"published_at":"2030-01-01T00:00:00Z","expected_version":1}}
        {"name":"news.destroy","body":{"post_id":5}}
        "#,
    );
}

#[test]
fn game_commands_keep_their_wire_forms() {
    check_wire_forms::<GameCommand>(
        r#"
        {"name":"game.upsert_characters","body":{"characters":[{"name":"Mira","level":60,"vocation":"Druid","online":true,"account_id":null},{"name":"Tom","level":1,"vocation":"Knight","online":false,"account_id":3}]}}
        {"name":"game.lease_deliveries","body":{"limit":20,"lease":60}}
        {"name":"game.acknowledge_deliveries","body":{"delivery_ids":["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"]}}
        {"name":"game.refuse_deliveries","body":{"deliveries":[{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","attempt":null,"reason":"The depot is full."}]}}
        {"name":"game.resend_delivery","body":{"delivery_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","reason":"Lost."}}
        "#,
    );
}

#[test]
fn payment_commands_keep_their_wire_forms() {
    check_wire_forms::<PaymentCommand>(
        r#"
        {"name":"payment.create","body":{"wanted":{"package":1},"scheme":null}}
        {"name":"payment.create","body":{"wanted":{"coins":250},"scheme":"pix"}}
        {"name":"payment.cancel","body":{"payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"payment.refund","body":{"payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","amount":{"amount":"25.00","currency":"BRL"},"reason":"Paid twice."}}
        {"name":"payment.notify","body":{"provider":"api_pix","notifications":[{"id":null,"body":{"endToEndId":"E1"}}]}}
        {"name":"payment.notify","body":{"provider":"manual","notifications":[{"id":"msg_1","body":{}}]}}
        {"name":"payment.replay_notification","body":{"notification_id":7}}
        {"name":"coins.adjust","body":{"account_id":3,"coins":-100,"reason":"A mistake."}}
        "#,
    );
}

#[test]
fn the_envelope_keeps_its_wire_form() {
    let wire = r#"{"version":1,"operation_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","actor":{"account":3},"accepted_at":"2030-01-01T00:00:00Z","request_id":"r","traceparent":null,"fingerprint":"00","command":{"name":"guild.delete","body":{"guild_id":1}}}"#;
    let envelope: Envelope<GuildCommand> = serde_json::from_str(wire).unwrap();
    assert_eq!(serde_json::to_string(&envelope).unwrap(), wire);
    for actor in [r#""nobody""#, r#"{"service":2}"#] {
        let wire = wire.replace(r#"{"account":3}"#, actor);
        let envelope: Envelope<GuildCommand> = serde_json::from_str(&wire).unwrap();
        assert_eq!(serde_json::to_string(&envelope).unwrap(), wire);
    }
}

#[test]
fn a_completed_operation_keeps_its_wire_form() {
    for outcome in [
        r#"{"applied":{"guild_id":1}}"#,
        r#"{"refused":{"kind":"not_found","code":"guild_not_found","detail":"There is no such guild."}}"#,
        r#"{"refused":{"kind":"forbidden","code":"not_leader","detail":"No."}}"#,
        r#"{"refused":{"kind":"conflict","code":"guild_full","detail":"No."}}"#,
    ] {
        let wire = format!(
            r#"{{"operation_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","fingerprint":"00","outcome":{outcome}}}"#
        );
        let operation: CompletedOperation = serde_json::from_str(&wire).unwrap();
        assert_eq!(serde_json::to_string(&operation).unwrap(), wire);
        assert_eq!(matches!(operation.outcome, Outcome::Applied(_)), outcome.contains("applied"));
    }
}
