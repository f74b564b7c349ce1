//! Bug reports against other redactors, each as a test: what they missed, and what they destroyed.

use event::{Draft, Kind, Origin};
use redact::{Keys, Redactor, scan};
use serde_json::{Value, json};

fn redactor() -> Redactor {
    Redactor::new(&Keys { store_secret: [1; 32], redaction_key: [2; 32] })
}

fn redacted(text: &str) -> String {
    redactor().redact_text(text).0
}

/// What is left of `body` once it is clean.
fn stored(body: Value) -> String {
    let draft = Draft::new("s", Kind::of("note.added"), Origin::Claimed).data("body", body);
    let clean = redactor().clean(draft).expect("a clean draft");
    Value::Object(clean.draft().data.clone()).to_string()
}

fn gone(text: &str, secret: &str) {
    let redacted = redacted(text);
    assert!(text.contains(secret), "{secret} is not in the text");
    assert!(!redacted.contains(secret), "{secret} is left in {redacted}");
    for window in secret.as_bytes().windows(6) {
        let part = std::str::from_utf8(window).expect("ASCII");
        assert!(!redacted.contains(part), "{part} of {secret} is left in {redacted}");
    }
}

fn kept(text: &str) {
    assert_eq!(redacted(text), text);
}

#[test]
fn r01_a_word_inside_a_random_password_does_not_save_it() {
    gone(
        "password = 'xK9hook2mQ7pLw4vR8tZ1nB5cF3hJ6dG0sA9uE2iO7yK4qW8zX5vT3mN1bP'",
        "xK9hook2mQ7pLw4vR8tZ1nB5cF3hJ6dG0sA9uE2iO7yK4qW8zX5vT3mN1bP",
    );
}

#[test]
fn r02_letters_alone_can_be_a_secret() {
    gone("client_secret: qzxvkwjpbmtrfghdlsncyqwzxkv", "qzxvkwjpbmtrfghdlsncyqwzxkv");
}

#[test]
fn r03_a_pronounceable_password_is_one() {
    gone("password: aghoh8oubu1obin9Cagae0u", "aghoh8oubu1obin9Cagae0u");
}

#[test]
fn r04_common_letters_in_a_key_do_not_save_it() {
    gone(
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAwwwwTruewwwq2hX9dKfP3mZ8vL5tR7nB1cF4gH6jK0\n-----END RSA PRIVATE KEY-----",
        "MIIEpAIBAAKCAQEAwwwwTruewwwq2hX9dKfP3mZ8vL5tR7nB1cF4gH6jK0",
    );
}

#[test]
fn r05_tokens_may_end_in_signs() {
    gone(
        "token sk-ant-api03-dM77D7HKiH8vVrr967UIKHexAoO7dmpw2r3V_cUeGX- next",
        "dM77D7HKiH8vVrr967UIKHexAoO7dmpw2r3V_cUeGX-",
    );
    gone("secret=\"c2VjcmV0LXZhbHVlLTE5OTk/Kz09==\"", "c2VjcmV0LXZhbHVlLTE5OTk/Kz09==");
}

#[test]
fn r06_temporary_keys_and_plain_passwords() {
    gone("ASIA2NPICXCWTGJR3SR6", "ASIA2NPICXCWTGJR3SR6");
    gone("password=\"secret123\"", "secret123");
}

#[test]
fn r07_a_key_on_one_line_or_alone_in_a_file() {
    gone(
        "-----BEGIN EC PRIVATE KEY----- MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5oLHIOkjZPvAGoAoGCCqG -----END EC PRIVATE KEY-----",
        "MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5oLHIOkjZPvAGoAoGCCqG",
    );
    let long =
        format!("{}ghp_0123456789abcdefghijklmnopqrstuvwxyz{}", "x ".repeat(40_000), " y".repeat(40_000));
    gone(&long, "0123456789abcdefghijklmnopqrstuvwxyz");
}

#[test]
fn r08_base64_values_go_whole() {
    gone(
        "AWS_SECRET_ACCESS_KEY=qL8m/2xV5nB7+K9jH3gF6dS1a/4oI0uYtReWq2Xz",
        "qL8m/2xV5nB7+K9jH3gF6dS1a/4oI0uYtReWq2Xz",
    );
}

#[test]
fn r09_a_key_wrapped_in_base64() {
    gone(
        "blob: Z2l0aHViIHRva2VuIGdocF8wMTIzNDU2Nzg5YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=",
        "Z2l0aHViIHRva2VuIGdocF8wMTIzNDU2Nzg5YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=",
    );
}

#[test]
fn r10_the_body_of_a_key_goes_with_its_header() {
    gone(
        "key:\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz\nc2gtZWQyNTUxOQAAACDq2hX9dKfP3mZ8vL5tR7nB1cF4gH6jK0\n-----END OPENSSH PRIVATE KEY-----\n",
        "c2gtZWQyNTUxOQAAACDq2hX9dKfP3mZ8vL5tR7nB1cF4gH6jK0",
    );
}

#[test]
fn r11_a_truncated_key() {
    gone(
        "$ head -2 key\n-----BEGIN PRIVATE KEY-----\nMIIEvj7yyrg/Y9+meAKAxZsFE1Px0oxwg22OMctzvT3rrxJwbbOjeZVcmcehkE07\n\nDone.",
        "MIIEvj7yyrg/Y9+meAKAxZsFE1Px0oxwg22OMctzvT3rrxJwbbOjeZVcmcehkE07",
    );
}

#[test]
fn r12_a_key_under_a_name() {
    gone(
        "private_key: -----BEGIN RSA PRIVATE KEY-----\\nMIIEpLpKxOSJEZmn3lmhYWP8oxhK8lv2lA\\n-----END RSA PRIVATE KEY-----",
        "MIIEpLpKxOSJEZmn3lmhYWP8oxhK8lv2lA",
    );
}

#[test]
fn r13_the_value_goes_and_not_the_same_letters_elsewhere() {
    assert_eq!(redacted("password: \"sword\""), "password: \"[REDACTED:password]\"");
    let url = redacted("postgres://walrus77:walrus77@db/x");
    assert!(url.starts_with("postgres://walrus77:[REDACTED"), "{url}");
}

#[test]
fn r14_the_value_goes_where_it_was_found() {
    let text = redacted("the hunter22 pub\npasswd=hunter22\n");
    assert!(text.starts_with("the hunter22 pub\npasswd=[REDACTED"), "{text}");
}

#[test]
fn r15_every_occurrence_goes() {
    let text = redacted("passwd=hunter22 then passwd=hunter22");
    assert_eq!(text.matches("[REDACTED").count(), 2, "{text}");
}

#[test]
fn r16_an_overlapping_shorter_match_leaves_no_tail() {
    gone("key sk_live_12345abcdeFGHIJ67890klmno-and more", "12345abcdeFGHIJ67890klmno");
}

#[test]
fn r17_json_stays_json() {
    let text = r#"{"a":"x \"password\":\"hun\\\"ter22\" y","b":{"token":"ghp_0123456789abcdefghijklmnopqrstuvwxyz"},"c":[1]}"#;
    let redacted = redacted(text);
    let parsed: serde_json::Value = serde_json::from_str(&redacted).expect("still JSON");
    assert_eq!(parsed["c"][0], 1);
    assert!(!redacted.contains("hun\\"), "{redacted}");
}

#[test]
fn r18_escaped_quotes_do_not_end_a_value() {
    gone(r#"{"password":"foo1\"barbaz2"}"#, "barbaz2");
    gone(r#"{\"password\":\"s3cretWord9\"}"#, "s3cretWord9");
}

#[test]
fn r19_objects_and_lists_under_a_secret_name_and_however_deep() {
    let mut deep = json!({"password": "hunter22x"});
    for _ in 0..200 {
        deep = json!({"a": deep});
    }
    let stored = stored(json!({
        "password": {"old": "hunter22x", "all": ["walrus77y", {"next": "marmot88z"}]},
        "deep": deep,
    }));
    for secret in ["hunter22x", "walrus77y", "marmot88z"] {
        assert!(!stored.contains(secret), "{secret} is left in {stored}");
    }
}

#[test]
fn r20_a_text_in_pieces_is_scanned_whole() {
    let (first, second) = ("GITHUB_TOKEN=ghp_0123456789abc", "defghijklmnopqrstuvwxyz rest");
    gone(&format!("{first}{second}"), "0123456789abcdefghijklmnopqrstuvwxyz");
}

#[test]
fn r21_unseen_and_foreign_letters_hide_nothing() {
    let redacted = redacted("token ghp_0123456789abc\u{200B}defghijklmnopqrstuvwxyz");
    assert!(!redacted.contains("defghij"), "{redacted}");
    let redacted = self::redacted("ｐａｓｓｗｏｒｄ＝Hunter22x");
    assert!(!redacted.contains("Hunter22x"), "{redacted}");
    let redacted = self::redacted("password=\u{1B}[31mhunt\u{1B}[0mer2233");
    assert!(!redacted.contains("er2233"), "{redacted}");
}

#[test]
fn r22_pictures_stay_whole() {
    kept(
        "![i](data:image/png;base64,iVBORw0KGgoctjAvFzHGlXm0phj7TeAKIA2NPICXCWTGJR3SR6T/H2xI9AKID0wXJm2tF6sQ9bE4xH7rL1pV5yN8dI4kX)",
    );
}

#[test]
fn r23_sealed_thoughts_stay_whole() {
    kept(
        r#"{"type":"thinking","thinking":"hm","signature":"EqQBCgIYAhIkY2FmZTEyMzQtNTY3OC05MGFiLWNkZWYtMTIzNDU2Nzg5MGFiGgwI0s2uBhDAh6qWASIGCNLNrgYqBgjSza4G"}"#,
    );
    kept(
        r#"{"encrypted_content":"gAAAAABkZ8mQ2xL9pV4rT7wN3bC6dF1hJ5kM0s8Qy2Uz4Xa7Ve9Rt3Wn6Bc1Df5Gh8Jk2Lm7"}"#,
    );
}

#[test]
fn r24_types_and_nothings_stay() {
    for text in [
        "password: undefined",
        "secret: string",
        "token: Option<String>,",
        "password = None",
        "secret?: string;",
        "api_key: str = \"\"",
    ] {
        kept(text);
    }
}

#[test]
fn r25_ids_near_a_vendor_stay() {
    kept("Heroku release 0f3d8a7c-9b2e-4c61-8a5d-7e4f1b2c3d90 of app 5f2b8c1e-9d3a-4e7f-8b6c-0a1d2e3f4a5b");
    kept(
        "commit 3f9a1c7e5b2d48069a8b7c6d5e4f302112345678 toolu_01DXM0DD5gWZHXNQXgQhbB2x chatcmpl-0BangdobiToQPwawqezfKUw65izUU",
    );
}

#[test]
fn r26_short_values_mask_nothing_else() {
    let text = redacted("pwd=x; the fox x-rays a box");
    assert_eq!(text, "pwd=x; the fox x-rays a box");
}

#[test]
fn r27_every_field_and_not_the_text_alone() {
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let stored = stored(json!({
        "text": "nothing here",
        "extra_json": format!("{{\"env\":{{\"GITHUB_TOKEN\":\"{token}\"}}}}"),
        "meta": {"argv": ["--token", token], token: true},
    }));
    assert!(!stored.contains(&token[4..]), "{stored}");
}

#[test]
fn r28_what_is_handed_on_holds_no_copy() {
    let secret = "hunter22-walrus";
    let draft = Draft::new("s", Kind::of("note.added"), Origin::Claimed)
        .with("about", format!("password={secret}"))
        .data("text", format!("password={secret}"))
        .data("again", json!([{"password": secret}]));
    let clean = redactor().clean(draft).expect("a clean draft");
    let stored = clean.draft();
    let parts = (&stored.session, stored.kind.as_str(), &stored.key, &stored.header, &stored.data);
    let whole = format!("{parts:?} {clean:?}");
    assert!(!whole.contains("hunter22") && !whole.contains("walrus"), "{whole}");
}

#[test]
fn r29_what_transcripts_really_hold() {
    gone(
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=I2hEsg72H0aYO0iEKAvJtA20h1Kp47U3W9/xM1D4g55hngi2vU8Odc9+bw28imWbdEoqSntzUdVp/LrUrJCLNA==;EndpointSuffix=core.windows.net",
        "I2hEsg72H0aYO0iEKAvJtA20h1Kp47U3W9/xM1D4g55hngi2vU8Odc9",
    );
    gone("Server=tcp:x.database.windows.net;User ID=sa;Password=Sql4dmin!x;", "Sql4dmin!x");
    gone("TWILIO_AUTH_TOKEN=98419aa364dd06846b33186d3f5ae8a3", "98419aa364dd06846b33186d3f5ae8a3");
    assert_eq!(scan("nothing to see here"), []);
}

#[test]
fn a_token_in_a_path_or_behind_a_dash_is_found() {
    for secret in
        ["ghp_1pYjyd3mI4xBNNMsxzcxbgsB0iU0swsVHWKo", "AKIAAQNFV43LVVCTZEPJ", "xoxb-1Ty9Nb5iWlUjTuOtUjOzIsvT"]
    {
        for text in
            [format!("/x/{secret}"), format!("https://example.com/{secret}"), format!("00-{secret}.jsonl")]
        {
            assert!(!redact::scan(&text).is_empty(), "{text}");
        }
    }
}

#[test]
fn a_number_under_a_password_name_in_json_text_is_a_secret() {
    assert_eq!(redact::scan(r#"{"password":82382847899518}"#).len(), 1);
    assert_eq!(redact::scan(r#"{"max_tokens":82382847899518,"port":82382847}"#).len(), 0);
}

#[test]
fn the_capitals_of_a_password_name_do_not_matter() {
    for name in ["Db_PassWord", "PassWord", "PASSWord", "passPhrase", "DB_PASSWORD"] {
        assert_eq!(redact::scan(&format!("{name}=AkFgkt6wqKF5j2N0")).len(), 1, "{name}");
    }
}

#[test]
fn every_report_has_its_test() {
    let tests = include_str!("reports.rs");
    let missing: Vec<u8> =
        (1..=29).filter(|number| !tests.contains(&format!("\nfn r{number:02}_"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
