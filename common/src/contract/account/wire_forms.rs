//! The commands as they are queued. Workers of other versions read them, so a line never changes.

#[cfg(test)]
use super::AccountCommand;

crate::wire_forms! {
    AccountCommand r#"
        {"name":"account.register","body":{"name":"mira","email":"mira@example.org","password_hash":"$argon2id$","language":"pt"}}
        {"name":"account.start_session","body":{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z","clients":["00ff"],"device":"Firefox","network":"203.0.113.7"}}
        {"name":"account.rotate_session","body":{"presented_hash":"00ff","next_hash":"ff00","expires_at":"2030-01-01T00:00:00Z","older_next_hashes":["f0f0"],"device":"Firefox","network":"203.0.113.7"}}
        {"name":"account.end_session","body":{"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"account.end_other_sessions","body":{"kept":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"account.change_language","body":{"language":"pt"}}
        {"name":"account.resend_verification","body":{}}
        {"name":"account.verify_email","body":{"token_hash":"00ff"}}
        {"name":"account.verify_email_code","body":{"code_hash":"00ff"}}
        {"name":"account.change_email","body":{"email":"new@example.org","proven_hash":"00ff"}}
        {"name":"account.undo_email_change","body":{"token_hash":"00ff"}}
        {"name":"account.request_password_reset","body":{"email":"mira@example.org"}}
        {"name":"account.reset_password","body":{"token_hash":"00ff","password_hash":"$argon2id$"}}
        {"name":"account.change_password","body":{"proven_hash":"00ff","password_hash":"$argon2id$","kept_session":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"account.suspend","body":{"account_id":3,"until":"2030-01-01T00:00:00Z","reason":"Spam."}}
        {"name":"account.lift_suspension","body":{"account_id":3,"reason":"A mistake."}}
        {"name":"account.expire_password","body":{"account_id":3,"reason":"Leaked."}}
        {"name":"account.verify_email_by_hand","body":{"account_id":3,"reason":"Known in person."}}
        {"name":"account.add_note","body":{"account_id":3,"text":"Asked twice."}}
        {"name":"account.grant_role","body":{"account_id":3,"role":"editor"}}
        {"name":"account.revoke_role","body":{"account_id":3,"role":"editor"}}
        {"name":"account.start_session","body":{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z","clients":["00ff"],"device":"Firefox","network":"203.0.113.7","second_factor":{"step":{"step":58888888,"sealed_hash":"ff00","resealed_secret":"00ff"}},"device_to_trust":"00ff"}}
        {"name":"account.start_session","body":{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z","clients":["00ff"],"device":"Firefox","network":"203.0.113.7","second_factor":{"trusted_device":"00ff"}}}
        {"name":"account.enable_second_factor","body":{"proven_hash":"00ff","sealed_secret":"00ff","step":58888888,"recovery_hashes":["00ff"]}}
        {"name":"account.enable_second_factor","body":{"proven_hash":"00ff","sealed_secret":"00ff","step":58888888,"recovery_hashes":["00ff"],"kept_session":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"account.disable_second_factor","body":{"proven_hash":"00ff","proof":{"recovery_hash":"00ff"}}}
        {"name":"account.replace_recovery_codes","body":{"proven_hash":"00ff","proof":{"step":{"step":58888888,"sealed_hash":"ff00"}},"recovery_hashes":["00ff"]}}
        {"name":"account.start_session","body":{"account_id":3,"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","token_hash":"00ff","expires_at":"2030-01-01T00:00:00Z","clients":["00ff"],"device":"Firefox","network":"203.0.113.7","renewed_hash":{"proven_hash":"00ff","password_hash":"$argon2id$"}}}
        {"name":"account.reset_second_factor","body":{"account_id":3,"reason":"Lost the phone."}}
        {"name":"account.request_export","body":{"proven_hash":"00ff"}}
        {"name":"account.create_link_code","body":{"code_hash":"00ff"}}
        {"name":"account.open_export","body":{"token_hash":"00ff"}}
        {"name":"account.schedule_deletion","body":{"proven_hash":"00ff"}}
        {"name":"account.cancel_deletion","body":{}}
        {"name":"account.cancel_deletion_by_link","body":{"token_hash":"00ff"}}
        {"name":"account.create_character","body":{"name":"Mira Stormborn","vocation":"Elder Druid"}}
        {"name":"account.rename_character","body":{"character":{"id":7},"new_name":"Mira Ashwood"}}
        {"name":"account.delete_character","body":{"character":{"name":"Mira"}}}
        {"name":"account.cancel_character_deletion","body":{"character":{"id":7}}}
    "#
}
