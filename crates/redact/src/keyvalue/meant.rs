//! Words that are spelt like the name of a secret and mean something else where they stand: a command, a module, a
//! statement, a report, a resource, a type.

use crate::search;

const REACH: usize = 160;
/// A word of code that is looked at behind a name.
const LONGEST_WORD: usize = 24;

/// Whether the name `start..stop` means something else here: nothing behind it is its value.
pub(super) fn is_meant_otherwise(text: &[u8], start: usize, stop: usize) -> bool {
    let before = &text[start.saturating_sub(REACH)..start];
    let rest = &text[stop..text.len().min(stop + REACH)];
    let special = match &text[start..stop] {
        b"pwd" => is_command(before, rest) || is_asked_for_a_member(before, rest),
        // `…/homebrew/core/pass/blobs/…`: a part of a path.
        b"pass" if before.ends_with(b"/") && rest.starts_with(b"/") => true,
        b"pass" => is_statement(before, rest) || is_report(before, rest) || is_handing_on(rest),
        b"PASS" => rest.starts_with(b"\" : \"FAIL\""),
        b"passwd" => is_switch(rest),
        b"key" => {
            rest.starts_with(b" name=") && before.ends_with(b"<")
                || is_of_keyboard(rest)
                || ends_in_uuid(rest) && search::has(before, b"ucket")
                || search::has(&before[before.len().saturating_sub(16)..], b"cache ")
        }
        // A package, an object of a bucket, by what a list knows a secret that it does not tell, the public half.
        // Where a password is read from, and behind it where to log in.
        b"--disabled-password"
        | b"base-passwd"
        | b"S3Key"
        | b"hashed_secret"
        | b"applicationServerKey"
        | b"--password-stdin" => true,
        // `public key token: 96c7cfd519ba5470`: of whose key an assembly is; `token label : …`: a card, as PKCS #11 tells it.
        b"token" | b"Token" => crate::prose::ends_in(before, b"public key ") || is_card(rest),
        // `secret "tls-login-0jkjk" mounted`: what a cluster calls it.
        b"secret" if rest.starts_with(b" \"") => is_object_of_cluster(rest),
        // `status [NT_STATUS_WRONG_PASSWORD] workstation [X]`: how it went.
        own if own.first() == Some(&b'N') && own.starts_with(b"NT_STATUS_") => !rest.starts_with(b"="),
        // `AUTH-1004: "PIN must have 6 digits"`: an error's number.
        own if own.strip_prefix(b"AUTH-").is_some_and(|number| number.iter().all(u8::is_ascii_digit)) => true,
        // What a policy calls a statement: `"Sid":"VisualEditor0"`.
        b"Sid" => before.ends_with(b"\""),
        // `--pass=early`: of a compiler's passes.
        b"--pass" => matches!(value(rest), b"early" | b"late" | b"all" | b"none" | b"first" | b"second"),
        // For which program a ring of keys keeps it.
        b"set_password" if before.ends_with(b"keyring.") => true,
        // `Get-LapsADPassword otter12`: a command, and of what.
        own if [&b"Get-"[..], b"Reset-", b"Test-", b"Find-"].iter().any(|verb| own.starts_with(verb)) => {
            rest.starts_with(b" ")
        }
        // `otter/password-api   1.11.4   3e9d6c063cb4`: an image.
        own if own.contains(&b'-') && before.ends_with(b"/") => {
            let tag = rest.trim_ascii_start();
            rest.starts_with(b"  ")
                && (tag.first().is_some_and(u8::is_ascii_digit) || tag.starts_with(b"latest"))
        }
        // The program, and what a network is called.
        b"wpa_passphrase" => rest.starts_with(b" "),
        // By what name a secret is kept.
        b"SecretID" if search::has(rest, b"\"SecretName\"") => true,
        b"SecretId" => !crate::chance::is_random(value(rest)),
        // What a row is found by.
        b"keyValue" | b"--key-value" => value(rest).len() < 12,
        own => rest.starts_with(b"(") && is_verb(own),
    };
    special
        || is_literal(before, rest)
        || is_of_request(&text[start..stop], rest)
        || is_resource(before)
        || before.ends_with(b"application/")
        // A package of a registry: `…/passport-jwt/-/passport-jwt-4.0.1.tgz`.
        || rest.starts_with(b"/-/")
        || is_annotated(before, rest)
        || is_example(before)
        || is_of_what_follows(before, rest)
}

/// `psk connection show Home`: of which network; `password hint "Boat, and the year"`: what reminds of it;
/// `?return=%2Fpassword%2Fpolicy&state=X`: a part of a path.
fn is_of_what_follows(before: &[u8], rest: &[u8]) -> bool {
    match rest {
        [b' ', b'c', ..] => rest.starts_with(b" connection show "),
        [b' ', b'h', ..] => rest.starts_with(b" hint"),
        [b'%', ..] => rest.starts_with(b"%2F") && before.ends_with(b"%"),
        _ => false,
    }
}

/// `Token![fn]`, `tokens.push(x)`, `token(input)`: what follows a name in code that is given no value there.
pub(super) fn is_code(text: &[u8], stop: usize) -> bool {
    let rest = &text[stop..text.len().min(stop + LONGEST_WORD)];
    let word =
        |rest: &[u8]| rest.iter().take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    match rest {
        [b'!', next, ..] => matches!(next, b'[' | b'(' | b'{' | b'='),
        [b'.', rest @ ..] => rest.get(word(rest)) == Some(&b'('),
        [b'(', rest @ ..] => {
            let rest = rest.strip_prefix(b"&").unwrap_or(rest);
            matches!(rest.get(word(rest)), Some(b')' | b',' | b'.' | b':'))
        }
        _ => false,
    }
}

/// "PATH=\"`pwd`:…", `$(pwd)`: where a shell is.
fn is_command(before: &[u8], rest: &[u8]) -> bool {
    let inside = matches!(before, [.., b'"' | b'=' | b':' | b'/' | b'\'', b'`']) && rest.starts_with(b"`");
    inside || before.ends_with(b"$(") && rest.starts_with(b")")
}

/// `hasattr(pwd, 'getpwuid')`: the module is asked for what it has.
fn is_asked_for_a_member(before: &[u8], rest: &[u8]) -> bool {
    rest.starts_with(b", ")
        && [&b"hasattr("[..], b"getattr(", b"setattr(", b"patch.object("]
            .iter()
            .any(|ask| before.ends_with(ask))
}

fn opens_line(before: &[u8]) -> bool {
    let line = search::last_line(before);
    line.len() < REACH && line.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// `s[:5] == 'pass ' or …`: compared with what stands between quotes.
fn is_literal(before: &[u8], rest: &[u8]) -> bool {
    let sign = before.last().filter(|sign| matches!(sign, b'"' | b'\''));
    sign.is_some_and(|sign| rest.starts_with(&[b' ', *sign]))
}

/// `pass    # nothing to do`: a statement, and a remark.
fn is_statement(before: &[u8], rest: &[u8]) -> bool {
    rest.trim_ascii_start().starts_with(b"# ") && rest.starts_with(b" ") && opens_line(before)
}

/// `pass 'only one version, skipping';`: what a test reports.
fn is_report(before: &[u8], rest: &[u8]) -> bool {
    let [b' ', sign @ (b'"' | b'\''), said @ ..] = rest else { return false };
    let Some(end) = memchr::memchr2(*sign, b'\n', said).filter(|&end| said[end] == *sign) else {
        return false;
    };
    let ends = [&b";"[..], b" foreach", b" for ", b" if ", b" unless "];
    said[..end].contains(&b' ')
        && ends.iter().any(|after| said[end + 1..].starts_with(after))
        && opens_line(before)
}

/// "we just pass to otters2rivers:", and below it stands how.
fn is_handing_on(rest: &[u8]) -> bool {
    let Some(to) = rest.strip_prefix(b" to ") else { return false };
    let long = to.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    to[long..].starts_with(b":\n")
}

/// `passwd: files systemd`: where a host looks its users up.
fn is_switch(rest: &[u8]) -> bool {
    const SOURCES: [&[u8]; 9] =
        [b"files", b"compat", b"systemd", b"sss", b"db", b"nis", b"ldap", b"winbind", b"cache"];
    let Some(sources) = rest.strip_prefix(b":") else { return false };
    let first = sources.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
    SOURCES.contains(&first)
}

/// `key <I247> { [ XF86Sleep ] }`: what a keyboard's key says.
fn is_of_keyboard(rest: &[u8]) -> bool {
    let Some(code) = rest.trim_ascii_start().strip_prefix(b"<") else { return false };
    let long = code.iter().take(8).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'+').count();
    code[long..].strip_prefix(b">").is_some_and(|after| after.trim_ascii_start().starts_with(b"{"))
}

/// `passValue('x')`, `splitpasswd('x:y')`: what is done with something; no `passWord('x')`, no `passPhrase("x")`.
fn is_verb(own: &[u8]) -> bool {
    let handed = own.strip_prefix(b"pass").is_some_and(|what| {
        what.first().is_some_and(u8::is_ascii_uppercase)
            && ![&b"Word"[..], b"Phrase", b"Code", b"Key"].iter().any(|part| what.starts_with(part))
    });
    handed || own.starts_with(b"split")
}

/// `--client-token 550e8400-…`: the id of a request, by which a cloud knows that it has seen it.
fn is_of_request(own: &[u8], rest: &[u8]) -> bool {
    #[rustfmt::skip]
    const REQUESTS: [&[u8]; 6] = [
        b"clientToken", b"ClientToken", b"--client-token", b"ClientRequestToken", b"LifecycleActionToken", b"--lifecycle-action-token",
    ];
    REQUESTS.contains(&own) && ends_in_uuid(rest)
}

/// The letters, digits and dashes that follow.
fn value(rest: &[u8]) -> &[u8] {
    let signs = rest.iter().take_while(|byte| matches!(byte, b'"' | b':' | b' ' | b'=')).count();
    let long = rest[signs..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    &rest[signs..signs + long]
}

/// Whether the value ends in groups of 8, 4, 4, 4 and 12 letters and digits.
fn ends_in_uuid(rest: &[u8]) -> bool {
    const GROUPS: [usize; 5] = [12, 4, 4, 4, 8];
    let value = value(rest);
    value.len() >= 36 && value.rsplit(|&byte| byte == b'-').take(GROUPS.len()).map(<[u8]>::len).eq(GROUPS)
}

/// ` label        : YubiKey`.
fn is_card(rest: &[u8]) -> bool {
    const FACTS: [&[u8]; 4] = [b" label ", b" manufacturer ", b" model ", b" flags "];
    FACTS
        .iter()
        .any(|fact| rest.strip_prefix(*fact).is_some_and(|rest| rest.trim_ascii_start().starts_with(b": ")))
}

/// `secret "tls-login-0jkjk" mounted`: what was done with what is called so.
fn is_object_of_cluster(rest: &[u8]) -> bool {
    const DONE: [&[u8]; 10] = [
        b" mounted",
        b" not found",
        b" created",
        b" configured",
        b" deleted",
        b" unchanged",
        b" already exists",
        b" in namespace",
        b" is forbidden",
        b" patched",
    ];
    let name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let long = rest[2..].iter().take_while(|byte| name(byte)).count();
    let behind = rest[2 + long..].strip_prefix(b"\"").unwrap_or_default();
    DONE.iter().any(|done| behind.starts_with(done))
}

/// `arn:aws:secretsmanager:…:secret:prod/db`: a resource that is called so.
fn is_resource(before: &[u8]) -> bool {
    before.ends_with(b":") && search::has(&before[before.len().saturating_sub(80)..], b"arn:")
}

/// "Example of a bad password: `password123`": what nobody should have.
fn is_example(before: &[u8]) -> bool {
    const LIKE: [&[u8]; 5] = [b" a bad ", b" a weak ", b" a good ", b" a strong ", b" an unsafe "];
    LIKE.iter().any(|like| before.ends_with(like)) && search::has(search::last_line(before), b"xample of")
}

/// `family: Incomplete⏎password: Incomplete`: a type, which the line before or behind has too. Users may be called
/// like their passwords.
fn is_annotated(before: &[u8], rest: &[u8]) -> bool {
    let Some(type_begins) = rest.strip_prefix(b": ") else { return false };
    let long = type_begins.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, below) = type_begins.split_at(long);
    if long < 3 || !word[0].is_ascii_uppercase() || !matches!(below.first(), None | Some(b'\n')) {
        return false;
    }
    let above = before.rsplit(|&byte| byte == b'\n').nth(1).unwrap_or_default();
    let below = below.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
    let alike = |line: &[u8]| {
        let name = line.strip_suffix(word).and_then(|line| line.strip_suffix(b": ")).map(<[u8]>::trim_ascii);
        name.is_some_and(|name| {
            name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
                && ![&b"user"[..], b"login", b"name"].iter().any(|who| search::has(name, who))
        })
    };
    word == b"Incomplete" || alike(above) || alike(below)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_means_something_else_has_no_value() {
        for text in [
            "export PATH; PATH=\"`pwd`:$$PATH\"; \\\n",
            "    elif hasattr(pwd, 'getpwuid'):\n        return [pwd.getpwuid(0)]\n",
            "mock.patch.object(pwd, 'getpwuid', side_effect=KeyError)",
            "        if odd:\n            pass    # 0**negative handled elsewhere\n",
            "if (@OTTERS == 1) {\n    pass 'only one otter here, skipping the river';\n    exit 0;\n}\n",
            "  # we just pass to otters2rivers:\n  return $self->otters2rivers($dirs);\n",
            "\tpass \"no otter 3 for river $v\" foreach (1..19);\n",
            "my $out = $as->{pass} ? \"PASS\" : \"FAIL\";\n",
            "status [NT_STATUS_WRONG_PASSWORD] workstation [OTTER3F21A0] remote host [ipv4:10.0.0.7]",
            "encryption is on, password hint \"Boat + the year 7\"",
            "https://sso.example.org/login?return=%2Fpassword%2Friver7policy&state=0f8b1c2e",
            "passwd:         files systemd\ngroup:          files\n",
            "<key name=\"font-name\" type=\"s\">\n  <default>'Cantarell 11'</default>\n",
            "   key <I247>   {       [ XF86Sleep77                  ]      };\n",
            "base-passwd: no-debconf-config\n",
            "if s[:5] == 'pass ' or s[:5] == 'PASS otter7'",
            "\"hashed_secret\": \"dacc79f340c6f5f669e9e376a6fede1f3a8b7df9\", \"line_number\": 31",
            "cache miss key=8cc1ae8d5d7a641af319795bd9143362e033e49e",
            "self.assertEqual(passValue('str\\x00ing\\xbd'), 'str\\x00ing\\xbd')",
            "self.assertEqual(splitpasswd('otter+1:a+b'), ('otter+1', 'a+b'))",
            "\"ARN\": \"arn:aws:secretsmanager:us-west-2:123456789012:secret:OtterSecret1-a1b2c3\",",
            "    \"clientToken\": \"550e8400-e29b-41d4-a716-446655440000\",\n",
            "make it --client-token 550e8400-e29b-41d4-a716-446655440000\n",
            "\"Resource\":\"arn:aws:ec2:*::snapshot/*\",\n     \"Sid\":\"eccVolume4snapshot1\"\n    },",
            "Pod security: secret \"tls-login-0jkjk\" mounted at /etc/tls",
            "const applicationServerKey = 'B-Wi8BXyFD0Rfcr-PcgoHMDv72GlaqmAk8qqv6Dt29urhAkv1LTPu5Myxk9kRHmZaUwkzdXWiWSrL6ZZzIFtxHx';",
            "secret checksum/config: 5834e12b1b34a0556cb46dbfd3ea133f61dfcf2dfde73282c5a8a2a04219c7f9",
            "Cache restored from key: linux-node-95afea5d9ffb70ac4607f793fd3da89451777948cd79542bf15401c0e6923426",
            "log in on Windows11Pro with the new password, Edge 129",
            "as \"password\": \"<redacted:sha256:417ece0f7351>\" in the log",
            "At least 12 characters. Example of a bad password: `password123`.",
            "SSID: Pension   CH 11   Security: WPA2-PSK   Password: saved\n",
            "Using --randomly-seed=3391207748\ntests/test_secret_box.py ..s...",
            "fsck.ext4: hash seed: 71d2be09-44fa-4c1e-90b3-a8e6f15d0c27",
            "Slot 0 (0x0): Yubico\n  token label        : YubiKey PIV #18204417\n",
            "==> Downloading https://ghcr.io/v2/homebrew/core/pass/blobs/sha256:2c8f17d4e90ab3651f7e0dc94b82a6d53e1907fcb48a2d6e7f530b91ca84de26",
            "auth code n/a, amount 84.50 EUR, terminal 60012877, receipt 000418",
            "Auth code 048812  Trace 003917  Terminal-ID 57204418",
            "0001:0000:  public key token: 96c7cfd519ba5470",
            "{\"apiKeys\":{\"edges\":[{\"cursor\":\"Qg4eu/rsWqW2hmsKYaLccE==\",\"node\":{\"name\":\"grafana\"}}]}}",
            "\"S3Key\": \"OTTER5export-i-fh8sjjsq.ova\",\n",
            "\"bucket\": \"otters\",\n  \"key\": \"signed-550e8400-e29b-41d4-a716-446655440000\"\n",
            "\"keyValue\": \"Otter-A32\",\n",
            "'otter#riverAuth': 'bearer',\n    'otter#noAuth7': 'none',\n",
            "all = [\"OAuth\", \"RiverOAuth1App\", \"RiverOAuth2App\", \"Otters\"]\n",
            "application/x-pw:x-office-document\n",
            "    username: Incomplete\n    password: Incomplete\n    family: Incomplete\n",
            "    colour: Otterlike\n    password: Otterlike\n    def river(self): ...\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_meant_has_one() {
        for text in [
            "pwd: Otter!Bridge5\n",
            "the pass 'Otter!Bridge5' opens it\n",
            "I changed the pass to Otter!Bridge5\n",
            "    pass 'Otter!Bridge5';\n",
            "passwd: Otter!Bridge5\ngroup: wheel\n",
            "passWord(\"Otter!Bridge5\")",
            "    username: Otterlike\n    password: Otter!Bridge5\n",
            "--client-token Otter!Bridge5\n",
            "basicAuth: 'ann', 'Otter!Bridge5'",
            "auth: [\"ann\", \"Otter!Bridge5\"]",
            "\"PASS\" : \"Otter!Bridge5\"",
        ] {
            assert_eq!(found(text), ["Otter!Bridge5"], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_code_has_one() {
        let key = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1H";
        for text in [
            format!("id;api_key;user\n1;{key};ann\n"),
            format!("Server;User;Key;Note\na;b;{key};x\n"),
            format!("api_key;{key}\n"),
            format!("token({key})"),
            format!("\\secret{{{key}}}"),
            format!("setToken({key})"),
            format!("$ cat api_key.txt\n{key}\n"),
            format!("echo \"{key}\" | tee token.txt\n"),
            format!("token.secret.value: \"{key}\"\n"),
            format!("app.jwt.secret.value={key}\n"),
            format!("api.key.prod = {key}\n"),
        ] {
            assert_eq!(found(&text), [key], "{text}");
        }
        for text in [
            "let t: Token![fn] = a.token(input)?;",
            "tokens.push(next_token(stream));",
            "password.value = form.password.value;",
            "key.data = payload.subarray(0, 32)",
            "jwt.secret.default: the one of the vault",
            "auth.token.test = True",
            "private.key.data: Uint8Array",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
