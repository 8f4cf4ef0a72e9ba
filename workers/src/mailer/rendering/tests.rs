use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use guildhall_common::contract::account::Language;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Rendered, Site, Templates, kinds, load, preview};

/// A folder of an operator.
struct Folder(PathBuf);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("guildhall-mail-{}", Uuid::now_v7()));
        fs::create_dir_all(&folder).unwrap();
        for (name, source) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, source).unwrap();
        }
        Self(folder)
    }

    fn load(&self) -> Templates {
        load(Some(&self.0)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn error_of(name: &str, source: &str) -> String {
    let folder = Folder::with(&[(name, source)]);
    let error = load(Some(&folder.0)).err().expect("the template is accepted");
    format!("{error:#}")
}

fn render(templates: &Templates, kind: &str, values: &Value) -> Rendered {
    templates.render(kind, "en", &Site::example(), values).unwrap()
}

fn new_device(device: &str) -> Value {
    json!({
        "account_name": "mira", "device": device, "network": "203.0.113.7", "at": "2026-11-24 21:30 UTC",
        "link": "https://example.org/account/sessions",
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[test]
fn each_kind_has_a_template_in_each_language() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mailer/templates");
    let expected: BTreeSet<String> = kinds::sources().into_iter().map(|(name, _)| name).collect();
    let files: BTreeSet<String> = super::overrides::read(&folder).unwrap().into_keys().collect();
    assert_eq!(files, expected);
    assert_eq!(files.len(), Language::ALL.len() * (kinds::all().len() + 1) + 1);
}

#[test]
fn each_mail_shows_its_values() {
    let templates = load(None).unwrap();
    let site = Site::example();
    let mut count = 0;
    for kind in kinds::all() {
        for language in Language::ALL.map(Language::code) {
            for example in &kind.examples {
                let mail = templates.render(kind.name, language, &site, example).unwrap();
                let case = format!("{language}/{}", kind.name);
                let values = super::values::clean(example);
                let shown =
                    values.values().map(|value| value.as_str().unwrap()).chain([&*site.name, &site.url]);
                for value in shown {
                    assert!(mail.text.contains(value), "{case}: {value} is not in the text:\n{}", mail.text);
                    assert!(
                        mail.html.contains(&escaped(value)),
                        "{case}: {value} is not in the page:\n{}",
                        mail.html
                    );
                }
                assert!(mail.html.contains(&format!("<html lang=\"{language}\">")), "{case}");
                assert!(!mail.subject.is_empty() && !mail.text.contains("Subject:"), "{case}");
                assert!(!mail.text.contains("{{") && !mail.html.contains("{{"), "{case}");
                assert!(!mail.text.contains(|c: char| c.is_control() && c != '\n'), "{case}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 45);
}

#[test]
fn a_button_has_its_link_as_text_too() {
    let mail = render(&load(None).unwrap(), "new_device", &new_device("Firefox"));
    let link = "https://example.org/account/sessions";
    assert!(mail.text.contains(&format!("\n\nShow my sessions:\n{link}\n\n")), "{}", mail.text);
    assert_eq!(mail.html.matches(&format!("href=\"{link}\"")).count(), 2, "{}", mail.html);
    assert!(mail.html.contains(&format!(">{link}</a>")), "{}", mail.html);
    assert!(mail.text.contains("Device: Firefox\nNetwork: 203.0.113.7\n"), "{}", mail.text);
    assert!(mail.html.contains("Device: Firefox<br>Network: 203.0.113.7<br>"), "{}", mail.html);
}

#[test]
fn values_are_escaped_in_html_only() {
    let mail = render(&load(None).unwrap(), "new_device", &new_device("<b>&\"'"));
    assert!(mail.html.contains("Device: &lt;b&gt;&amp;&quot;&#39;<br>"), "{}", mail.html);
    assert!(mail.text.contains("Device: <b>&\"'\n"), "{}", mail.text);
    assert!(mail.html.contains(">Aldoria &amp; Friends</a>") && mail.text.contains("Aldoria & Friends"));
}

#[test]
fn a_subject_is_one_line() {
    let folder = Folder::with(&[("en/new_device.txt", "Subject: Log-in: {{ device }}\n\n{{ device }}")]);
    let mail = render(&folder.load(), "new_device", &new_device("a\r\nBcc: b\n\nc"));
    assert_eq!(mail.subject, "Log-in: a Bcc: b c");
    let site = Site { name: "Al\ndoria\r\n".to_owned(), ..Site::example() };
    let values = json!({ "account_name": "mira", "link": "https://example.org" });
    let mail = load(None).unwrap().render("address_taken", "es", &site, &values).unwrap();
    assert_eq!(mail.subject, "Ya tienes una cuenta en Al doria");
}

#[test]
fn a_value_adds_no_button_and_no_paragraph() {
    let folder = Folder::with(&[("en/account_suspended.txt", "Subject: a\n\n{{ reason }}")]);
    for reason in
        ["[Log in](https://evil.example)", "# 1234", "\u{2}Log in\u{3}https://evil.example", "a\n\nb"]
    {
        let values = json!({ "account_name": "mira", "reason": reason });
        let mail = render(&folder.load(), "account_suspended", &values);
        let body = mail.html.split("</p>").nth(1).unwrap();
        let lines = super::values::one_line(reason);
        assert!(body.ends_with(&format!("\">{lines}")), "{body}");
        assert!(!body.contains("href") && !body.contains("monospace"), "{body}");
    }
}

#[test]
fn a_suspension_without_an_end_is_permanent() {
    let templates = load(None).unwrap();
    for values in [json!({}), json!({ "until": null })] {
        let mut values = values;
        values["account_name"] = "mira".into();
        values["reason"] = "Fraud.".into();
        let mail = render(&templates, "account_suspended", &values);
        assert!(mail.text.contains("suspended your account permanently."), "{}", mail.text);
    }
}

#[test]
fn a_condition_on_its_own_line_leaves_no_line() {
    let source = "Subject: a\n\nb\n  {% if until is defined %}\n  c {{ until }}\n  {% endif %}\nd";
    let folder = Folder::with(&[("en/account_suspended.txt", source)]);
    for (until, expected) in [(json!("2027"), "b\nc 2027\nd\n\n-- "), (Value::Null, "b\nd\n\n-- ")] {
        let values = json!({ "account_name": "mira", "reason": "Fraud.", "until": until });
        let mail = render(&folder.load(), "account_suspended", &values);
        assert!(mail.text.starts_with(expected), "{}", mail.text);
    }
}

#[test]
fn a_number_agrees_with_its_noun() {
    let templates = load(None).unwrap();
    for (minutes, expected) in [("1", "1 minute."), ("60", "60 minutes.")] {
        let values =
            json!({ "account_name": "mira", "link": "https://example.org", "expires_in_minutes": minutes });
        assert!(render(&templates, "reset_password", &values).text.contains(expected));
    }
}

#[test]
fn a_missing_value_is_an_error() {
    let templates = load(None).unwrap();
    let values = json!({ "account_name": "mira", "link": "https://example.org" });
    let error = templates.render("password_changed", "pt", &Site::example(), &values).unwrap_err();
    assert!(format!("{error:#}").contains("pt/password_changed.txt:3"), "{error:#}");
    assert!(templates.render("unknown", "en", &Site::example(), &values).is_err());
}

#[test]
fn a_file_replaces_a_template() {
    let windows = "\u{feff}Subject: Bye, {{ account_name }}\r\n\r\nWe deleted it.\r\n";
    let layout = "<p>{{ subject }}|{{ preheader }}|{{ footer[0] }}";
    let folder = Folder::with(&[
        ("en/deletion_done.txt", windows),
        ("layout.html", layout),
        ("README.md", "ignored"),
        (".draft.txt", "ignored"),
    ]);
    let templates = folder.load();
    let values = json!({ "account_name": "mira" });
    let mail = render(&templates, "deletion_done", &values);
    assert_eq!(mail.subject, "Bye, mira");
    assert!(mail.text.starts_with("We deleted it.\n\n-- \nThis e-mail is from"), "{}", mail.text);
    let footer = "This e-mail is from Aldoria &amp; Friends: https://example.org";
    assert_eq!(mail.html, format!("<p>Bye, mira|We deleted it.|{footer}"));
    let other = templates.render("deletion_done", "pt", &Site::example(), &values).unwrap();
    assert_eq!(other.subject, "Sua conta foi excluída");
}

#[test]
fn an_invalid_file_is_an_error_with_its_name_and_line() {
    let cases = BTreeMap::from([
        ("Subject: a\n\n{{ device", "pt/new_device.txt:3"),
        ("Subject: a\n\n{% if device %}", "pt/new_device.txt:3"),
        ("Subject: a\n\nb\n{{ site.nam }}", "pt/new_device.txt:4"),
        (
            "Subject: a\n\nb\n{% if devise is defined %}c{% endif %}",
            "pt/new_device.txt:4: there is no value devise",
        ),
        ("Subject: a\n\n{{ device | shout }}", "pt/new_device.txt:3"),
        ("Subject: a\nb", "pt/new_device.txt:1: begin with"),
        ("Subject:\n\nb", "pt/new_device.txt:1: begin with"),
        ("b", "pt/new_device.txt:1: begin with"),
        ("Subject: a\n\n[b]({{ device }})", "pt/new_device.txt: the link of the button [b]"),
    ]);
    for (source, expected) in cases {
        let error = error_of("pt/new_device.txt", source);
        assert!(error.contains(expected), "{source:?}: {error}");
    }
    for (name, source, expected) in [
        ("es/account_suspended.txt", "Subject: a\n\n{{ until }}", "es/account_suspended.txt:3"),
        ("es/footer.txt", "{{ link }}", "es/footer.txt:1: there is no value link"),
        ("layout.html", "\n{{ body }}", "layout.html:2: there is no value body"),
        ("en/verify_mail.txt", "Subject: a\n\nb", "en/verify_mail.txt: there is no template of this name"),
        ("fr/verify_email.txt", "Subject: a\n\nb", "fr/verify_email.txt: there is no template of this name"),
    ] {
        let error = error_of(name, source);
        assert!(error.contains(expected), "{source:?}: {error}");
    }
    assert!(load(Some(Path::new("/nonexistent"))).is_err());
}

#[test]
fn the_preview_has_each_mail() {
    let to = Folder::with(&[]);
    let count = preview(None, &to.0).unwrap();
    assert_eq!(count, kinds::all().len() * Language::ALL.len());
    assert_eq!(fs::read_dir(&to.0).unwrap().count(), 2 * count);
    let text = fs::read_to_string(to.0.join("pt-deletion_done.txt")).unwrap();
    assert!(text.starts_with("Subject: Sua conta foi excluída\n\nOlá, mira."), "{text}");
    assert!(fs::read_to_string(to.0.join("es-new_device.html")).unwrap().contains("<html lang=\"es\">"));
}

#[test]
fn the_document_has_the_values_of_each_kind() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/MAIL.md");
    let document = fs::read_to_string(path).unwrap();
    for kind in kinds::all() {
        let row = document.lines().find(|line| line.starts_with(&format!("| `{}` |", kind.name)));
        let row = row.unwrap_or_else(|| panic!("{} is not in the table", kind.name));
        let values = row.split('|').nth(3).unwrap().split('`').skip(1).step_by(2);
        let expected = kind.variables().into_iter().filter(|name| !["site", "account_name"].contains(name));
        assert_eq!(values.collect::<BTreeSet<_>>(), expected.collect(), "{}", kind.name);
    }
}
