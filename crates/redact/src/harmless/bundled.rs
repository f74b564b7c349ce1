//! What programs for browsers have where a secret should stand: code without its blanks, types of names, what a bundler
//! calls things, icons, styles.

use crate::search::{Words, has};

/// How far around a value code is looked for.
const NEAR: usize = 200;
/// What was torn out of code ends at its next string.
const LONGEST: usize = 512;

/// Whether `start..end` is a part of such a program.
pub(super) fn says_so(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    if value.len() > LONGEST {
        return is_tabled(text, start, value);
    }
    is_torn(text, start, end)
        || is_style(text, start, end)
        || is_renamed(text, start, end)
        || is_icon(text, start, end)
        || is_of_package(text, start, value)
        || is_shade_or_country(text, end, value)
        || is_interface(value)
        || is_tabled(text, start, value)
}

/// `t}=this.signin`, `(0,s.jsx)(`, `!1,description`, `"password"⟨)}),(0,e.jsx)(⟩"div"`: what is left where a program's strings
/// were read as its code. Only beside its own words, and of spelt names.
fn is_torn(text: &[u8], start: usize, end: usize) -> bool {
    static SIGNS: Words<28> = Words::exact([
        b"(0,",
        b"=>",
        b"==",
        b"&&",
        b"||",
        b"){",
        b"}=",
        b"})",
        b"),",
        b"};",
        b"],",
        b"?.",
        b"!0",
        b"!1",
        b"=`",
        b"={",
        b"=function",
        b"void",
        b"null",
        b"class",
        b"this.",
        b").",
        b"+$",
        b"$data",
        b":{",
        b"[(",
        b";case",
        b"=[",
    ]);
    static CODE: Words<16> = Words::exact([
        b"function",
        b"=>",
        b"return",
        b"this.",
        b"(0,",
        b"const ",
        b"var ",
        b"===",
        b"void 0",
        b"let ",
        b".prototype",
        b"module.exports",
        b"async ",
        b"require(",
        b"!0,",
        b"jsx(",
    ]);
    let value = &text[start..end];
    if !SIGNS.within(value) && !opens_code(value) {
        return false;
    }
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`');
    // Between two strings, and not in one.
    if quoted && !matches!(value[0], b')' | b'}' | b']' | b',' | b';' | b'.') {
        return false;
    }
    let near = &text[start.saturating_sub(NEAR)..text.len().min(end + NEAR)];
    let spelt = |word: &[u8]| word.len() <= 40 && (word.len() < 10 || !crate::chance::is_random(word));
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    CODE.within(near) && value.split(|byte| !name(byte)).all(spelt) && !is_in_line_of_settings(text, start)
}

/// `=e.target.value`, `e.password})`, `t,secret:i`: names of one letter, as only a machine gives them.
fn opens_code(value: &[u8]) -> bool {
    match value {
        [first, b'.' | b',', rest @ ..] => {
            first.is_ascii_alphabetic()
                && rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
                && (rest.contains(&b':') || rest.contains(&b'=') || rest.contains(&b'}') || value[1] == b'.')
        }
        [b'_', digit, b',', ..] => digit.is_ascii_digit(),
        _ => false,
    }
}

/// `DB_PASSWORD=x})y&&z` at the beginning of a line is no code.
fn is_in_line_of_settings(text: &[u8], start: usize) -> bool {
    let line = crate::search::line_before(text, start, 64);
    let Some(name) =
        line.trim_ascii_end().strip_suffix(b"=").or_else(|| line.trim_ascii_end().strip_suffix(b":"))
    else {
        return false;
    };
    line.len() < 64
        && !name.is_empty()
        && name
            .trim_ascii_start()
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// `font-size:⟨1.6rem;fo⟩nt-weight:400`: a style without its blanks.
fn is_style(text: &[u8], start: usize, end: usize) -> bool {
    static PROPERTIES: Words<20> = Words::exact([
        b"font-size",
        b"padding",
        b"margin",
        b"border",
        b"color:",
        b"height:",
        b"width:",
        b"display:",
        b"line-height",
        b"background",
        b"opacity",
        b"animation",
        b"-duration",
        b"position:",
        b"text-align",
        b"flex",
        b"--pf-",
        b"radius",
        b"content:",
        b"var(--",
    ]);
    let value = &text[start..end];
    let before = crate::search::before(text, start, 160);
    let behind = crate::search::behind(text, end, 80);
    let declared = value.contains(&b';') || value.contains(&b'(') || value.ends_with(b"rem");
    declared
        && before.ends_with(b":")
        && before.iter().any(|byte| matches!(byte, b'{' | b';'))
        && PROPERTIES.within(before)
        && (behind.contains(&b'}') || behind.contains(&b';'))
        && !value.iter().any(|byte| matches!(byte, b'!' | b'@' | b'$' | b'^' | b'&' | b'?'))
}

/// `type: 'number' | 'password' | 'radio'`: one of several words that a type allows.
pub(super) fn is_union(text: &[u8], start: usize, end: usize) -> bool {
    const BARS: [&[u8]; 3] = [b"' | '", b"\" | \"", b"' | \""];
    let value = &text[start..end];
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
    BARS.iter().any(|bar| text[..start].ends_with(bar) || text[end..].starts_with(bar))
        && value.iter().all(word)
        && !crate::chance::is_random(value)
}

/// `import { SSHCredentials } from 'otter-tools';`
pub(super) fn is_module(text: &[u8], start: usize, end: usize) -> bool {
    (text[..start].ends_with(b"} from '") || text[..start].ends_with(b"} from \""))
        && !crate::chance::is_random(&text[start..end])
}

/// `hashPassword$1`, `password: pass2,`, `Scripts.Secrets = Secrets2`, `import { X as y }`: a name that a bundler made its own.
fn is_renamed(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    if let Some(at) = memchr::memchr(b'$', value) {
        let (name, number) = (&value[..at], &value[at + 1..]);
        if name.len() >= 3
            && name.iter().all(u8::is_ascii_alphabetic)
            && (1..=2).contains(&number.len())
            && number.iter().all(u8::is_ascii_digit)
            && name.windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
        {
            return true;
        }
    }
    let behind = &text[end..];
    let letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (name, number) = value.split_at(letters);
    let numbered = letters >= 4 && number.len() == 1 && number[0].is_ascii_digit();
    // `{ OtterOptions2 as Options }`.
    if numbered && behind.starts_with(b" as ") && text[..start].ends_with(b", ") {
        return true;
    }
    let unquoted = matches!(&text[..start], [.., b':' | b'=', b' ']);
    let ends = behind.starts_with(b",\n")
        || behind.starts_with(b",\r")
        || behind.starts_with(b";\n")
        || behind.starts_with(b", ")
        || behind.starts_with(b" }")
        || behind.starts_with(b"\n");
    let own = || {
        let line = crate::search::line_before(text, start, 48).to_ascii_lowercase();
        let lower = name.to_ascii_lowercase();
        let called = line.trim_ascii_end();
        let called = called
            .strip_suffix(b":")
            .or_else(|| called.strip_suffix(b"="))
            .unwrap_or(called)
            .trim_ascii_end();
        // The name itself, one more.
        called.ends_with(&lower)
            && (called.contains(&b'{')
                || called.contains(&b'.')
                || behind.starts_with(b",")
                || behind.starts_with(b";"))
    };
    numbered && unquoted && ends && own()
}

/// `["path", { d: "M6 20V4", key: "1w1bmo" }]`: by what a page knows a part of a drawing.
fn is_icon(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    let plain = (4..=6).contains(&value.len())
        && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let named = [&b"key: \""[..], b"key:\"", b"key: '"].iter().any(|name| text[..start].ends_with(name));
    plain && named && {
        let before = crate::search::before(text, start, 48);
        let behind: Vec<u8> = text[end..text.len().min(end + 40)]
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        let drawn = before.iter().filter(|byte| byte.is_ascii_digit()).count() >= 1;
        drawn && (behind.starts_with(b"\"}]") || behind.starts_with(b"'}]"))
    }
}

/// `@slack/webhook/-/webhook-7.0.5.tgz#1d78…`, `parse-passwd "^1.0.0"`, `__wbg_get_user_key_9f4a…`: of which package, which
/// function of one.
fn is_of_package(text: &[u8], start: usize, value: &[u8]) -> bool {
    let bound = value.iter().take_while(|byte| matches!(byte, b'^' | b'~' | b'>' | b'=' | b'<')).count();
    let range = bound > 0
        && value.len() > bound
        && value[bound..].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
        && value.contains(&b'.');
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let own = text[..start].iter().rev().take(48).take_while(|byte| name(byte)).count();
    range || has(value, b".tgz") || has(&text[start - own..start], b"__wbg")
}

/// `tan: 13808780, teal: 32896`, `PW: "Palau"`: a colour, a country.
fn is_shade_or_country(text: &[u8], end: usize, value: &[u8]) -> bool {
    let digits = value.iter().all(u8::is_ascii_digit);
    let teal = [&b",teal:"[..], b", teal:", b",\"teal\":"].iter().any(|next| text[end..].starts_with(next));
    digits && teal || matches!(value, b"Palau" | b"Palaos" | b"Palaus")
}

/// `microsoftTeamsOAuth2Api`, `cloudOAuth2`, `extends:oAuth2Api`: in what way somebody is let in.
fn is_interface(value: &[u8]) -> bool {
    let name = value.rsplit(|&byte| byte == b':').next().unwrap_or_default();
    let ends = [&b"OAuth2Api"[..], b"OAuth2", b"oAuth2Api", b"OAuth1Api", b"oauth2"]
        .iter()
        .any(|end| name.ends_with(end));
    name.first().is_some_and(u8::is_ascii_lowercase)
        && name.iter().all(u8::is_ascii_alphanumeric)
        && (ends || name.ends_with(b"Api") && name.len() <= 24 && !crate::chance::is_random(name))
}

/// `tokenData:"J^~R!^OX$}X…"`: the table of a parser.
fn is_tabled(text: &[u8], start: usize, value: &[u8]) -> bool {
    value.len() >= 24
        && [&b"tokenData:\""[..], b"tokenData: \""].iter().any(|name| text[..start].ends_with(name))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_program_without_blanks_holds_none() {
        for text in [
            "setPassword(e){this.signin.password=e.target.value}*reauthenticateTask(){document.querySelectorAll(\"#login input\").forEach(",
            "const{identification:e,password:t}=this.signin\nthis.flowErrors=\"\"",
            "n.push({title:\"password\",children:(0,s.jsx)(\"div\",{className:\"p-2\"})}),o=()=>e",
            "l(\"new password\")})}),(0,t.jsxs)(\"div\",{children:[\"a\"]})})}function x(){return 1}",
            "{name:\"oidc-password\",shorthand:null,type:String,deprecated:!1,description:\"otter\"}function a(){}",
            ".modal-login p{color:#fafafb;font-size:1.6rem;font-weight:400}.login{margin:0}",
            "type: 'email' | 'file' | 'password' | 'radio' | 'text';\n",
            "export { hashPassword$1 as hashPassword, verifyPassword$1 as verifyPassword };\n",
            "  const { host, pass: pass2, port } = match;\n",
            "    Scripts2.Secrets = Secrets2;\n",
            "[\"path\", { d: \"M6 20V4\", key: \"1w1bm0\" }]\n",
            "  resolved \"https://registry.example/@slack/webhook/-/webhook-7.0.5.tgz#1d782faae59e0d9af06b06a51b94acd7d555e5ce\"\n",
            "  dependencies:\n    parse-passwd \"^1.0.0\"\n",
            "function __wbg_get_user_key_9f4a2b9c32c4bbc0() { return 1 }",
            "steelblue:4620980,tan:13808780,teal:32896,",
            "authentication?: 'microsoftTeamsOAuth2Api';\n",
            "import { IDataObject, SSHCredentials } from 'n8n-workflow';\n",
            "const credentials = await this.getCredentials('msg91Api');\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_stands_in_one_leaves() {
        for (text, secret) in [
            ("const a={user:\"ann\",password:\"Otter!Bridge5\"};function x(){return a}", "Otter!Bridge5"),
            ("DB_PASSWORD=x})y&&z7K\nfunction", "x})y&&z7K"),
            ("login({user:'ann',pass:'river)}7,k'});return this.a", "river)}7,k"),
            ("password: Secrets2go\n", "Secrets2go"),
            ("{ api_key: \"9f7d1c2ab0417fd3e6a55c20\" }", "9f7d1c2ab0417fd3e6a55c20"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }
}
