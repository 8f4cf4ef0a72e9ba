//! The exact form of queued messages around the commands. Other versions of the service read them too, so it never changes.
//! `contract` tests the forms of the commands themselves.

use guildhall_common::contract::{
    command::{CompletedOperation, Envelope, Outcome},
    guild::GuildCommand,
};

#[test]
fn envelope_keeps_its_form() {
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
fn envelope_with_a_key_keeps_its_form() {
    let wire = r#"{"version":2,"operation_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","actor":{"account":3},"accepted_at":"2030-01-01T00:00:00Z","request_id":"r","traceparent":null,"fingerprint":"00","key_uses":[{"key":"af98763d-ff21-8427-8908-678b53086ac0","fingerprint":"00"}],"command":{"name":"guild.delete","body":{"guild_id":1}}}"#;
    let envelope = Envelope::<GuildCommand>::decode(wire.as_bytes()).unwrap();
    assert_eq!(serde_json::to_string(&envelope).unwrap(), wire);
    assert_eq!(Envelope::<GuildCommand>::VERSION, 2);
    let unknown = wire.replace(r#""version":2"#, r#""version":3"#);
    assert!(Envelope::<GuildCommand>::decode(unknown.as_bytes()).is_err());
}

#[test]
fn reply_keeps_its_form() {
    for outcome in [
        r#"{"applied":{"guild_id":1}}"#,
        r#"{"refused":{"kind":"not_found","code":"guild_not_found","detail":"There is no such guild."}}"#,
        r#"{"refused":{"kind":"forbidden","code":"not_leader","detail":"No."}}"#,
        r#"{"refused":{"kind":"conflict","code":"guild_full","detail":"No."}}"#,
        r#"{"refused":{"kind":"key_reused","code":"idempotency_key_reused","detail":"No."}}"#,
    ] {
        let wire = format!(
            r#"{{"operation_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","fingerprint":"00","outcome":{outcome}}}"#
        );
        let operation: CompletedOperation = serde_json::from_str(&wire).unwrap();
        assert_eq!(serde_json::to_string(&operation).unwrap(), wire);
        assert_eq!(matches!(operation.outcome, Outcome::Applied(_)), outcome.contains("applied"));
    }
}
