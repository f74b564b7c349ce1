//! Values that a shell, an environment or a router writes in a way of its own, and what only speaks of a secret.

use super::bare_end;
use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value;

/// `checksum/secret: 9f86…`, `database/creds/readonly/8R67…`, `token lookup -accessor 7Rk6…`: what is said of it.
pub(super) fn is_of_another(text: &[u8], start: usize, stop: usize) -> bool {
    let own = &text[start..stop];
    let slash = text[..start].ends_with(b"/");
    let behind = match text.get(stop) {
        Some(b'/') => slash && own.starts_with(b"cred"),
        Some(b' ') => {
            let rest = &text[stop..text.len().min(stop + 24)];
            // Dashes are many where flags are; this letter is not.
            crate::search::find(rest, b"ccessor ").is_some_and(|at| rest[..at].ends_with(b" -a"))
                || is_listed(rest)
                || own == b"key" && is_declared(text, start, stop)
                || is_variable(text, start, stop)
        }
        // `PWD=/srv/x`: where one is.
        Some(b'=') if matches!(own, b"GPG_KEY" | b"GPG_KEYS") => {
            // `GPG_KEY=A035…`: the fingerprint of who signed a release.
            text[stop + 1..].iter().take(41).take_while(|byte| byte.is_ascii_hexdigit()).count() == 40
        }
        Some(b'=') => matches!(own, b"PWD" | b"OLDPWD") && text[stop + 1..].starts_with(b"/"),
        _ => false,
    };
    // What is asked for by a coin's address.
    let minted = own.eq_ignore_ascii_case(b"token") && text[stop..].starts_with(b" mint");
    let address = minted || own.eq_ignore_ascii_case(b"dumpprivkey") || own == b"spl-token";
    // `Loaded cert 'Kontor Linux signing key: 210a…'`: whose it is, and a digest.
    let before = &text[start.saturating_sub(64)..start];
    let certified = memchr::memrchr(b'\'', before)
        .is_some_and(|_| crate::search::has(crate::search::last_line(before), b"cert '"));
    // `<settings pass="specialize">`: which pass of an installation.
    let phase = own.eq_ignore_ascii_case(b"pass") && text[..start].ends_with(b"<settings ");
    behind
        || phase
        || address
        || certified
        // `alias/ledger-signing⇥1e6db528-…`: what a cloud calls a key.
        || slash && (text[..start - 1].ends_with(b"checksum") || text[..start - 1].ends_with(b"alias"))
}

/// `mqtt-creds   Opaque`: a row of a cluster's list.
fn is_listed(rest: &[u8]) -> bool {
    let gap = rest.iter().take_while(|&&byte| byte == b' ').count();
    gap >= 2 && (rest[gap..].starts_with(b"Opaque") || rest[gap..].starts_with(b"kubernetes.io"))
}

/// `key "ddns-7" {`, `allow-update { key ddns-7; }` of a name server: what a key is called.
fn is_declared(text: &[u8], start: usize, stop: usize) -> bool {
    let line = crate::search::line(text, stop, 64);
    let named =
        line.strip_prefix(b" \"").and_then(|line| memchr::memchr(b'"', line).map(|end| &line[end + 1..]));
    named.is_some_and(|rest| rest.starts_with(b" {"))
        || text[..start].ends_with(b"{ ") && crate::search::has(line, b"; }")
}

/// `ALTER USER app PASSWORD :'app_pw';`: what a client puts in, by its name.
fn is_variable(text: &[u8], start: usize, stop: usize) -> bool {
    let rest = &text[stop..text.len().min(stop + 64)];
    let Some(inside) = rest.strip_prefix(b" :'").or_else(|| rest.strip_prefix(b" :\"")) else { return false };
    let long = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let line = crate::search::last_line(&text[start.saturating_sub(96)..start]).to_ascii_lowercase();
    matches!(inside.get(long), Some(b'\'' | b'"'))
        && [&b"user "[..], b"role "].iter().any(|word| crate::search::has(&line, word))
}

/// `--password <(echo X)`, `--password-file=<(echo X)`: what a shell makes a file of.
pub(super) fn piped_in(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    if name.trust != Trust::Password {
        return None;
    }
    let rest = &text[stop..text.len().min(stop + 96)];
    let from = ["=<(echo ", " <(echo ", "=<(printf ", " <(printf "]
        .iter()
        .find(|joint| rest.starts_with(joint.as_bytes()))?
        .len();
    let quoted = usize::from(matches!(rest.get(from), Some(b'\'' | b'"')));
    let from = from + quoted;
    let long = rest[from..]
        .iter()
        .take_while(|byte| byte.is_ascii_graphic() && !matches!(byte, b')' | b'\'' | b'"'))
        .count();
    value::is_choosable(&rest[from..from + long]).then_some((stop + from, stop + from + long))
}

/// `echo 'X' > ~/.vault_pass`, `printf X | sudo tee secrets/db_password`: what is written into a file that is called so.
pub(super) fn written(text: &[u8], start: usize, name: Name) -> Option<(usize, usize)> {
    const WRITES: [&[u8]; 3] = [b"echo -n ", b"echo ", b"printf "];
    if name.trust < Trust::Secret {
        return None;
    }
    let before = &text[start.saturating_sub(128)..start];
    crate::work::read(before.len());
    if !may_be_written(before) {
        return None;
    }
    let line = crate::search::last_line(before);
    if let Some(moved) = moved(text, line) {
        return Some(moved);
    }
    // Into a file: only a path stands between.
    let end = memchr::memrchr2(b'>', b'|', line)?;
    let writes =
        [&b">"[..], b"| tee ", b"| sudo tee "].into_iter().find(|way| line[end..].starts_with(way))?;
    let past = end + writes.len();
    let path = line[past..].trim_ascii_start();
    let said = line[..end].strip_suffix(b">").unwrap_or(&line[..end]).trim_ascii_end();
    let last =
        |echo: &&[u8]| said.windows(echo.len()).rposition(|here| here == *echo).map(|at| at + echo.len());
    let from = WRITES.iter().find_map(last)?;
    let word = said[from..].trim_ascii_start();
    let word = word.strip_prefix(b"'%s' ").or_else(|| word.strip_prefix(b"%s ")).unwrap_or(word);
    let (inside, quoted) = match word {
        [b'\'', inside @ .., b'\''] | [b'"', inside @ .., b'"'] => (inside, true),
        word => (word, false),
    };
    let phrase = quoted && value::is_phrase(inside) && name.trust == Trust::Password;
    let good = !path.contains(&b' ')
        && !inside.iter().any(|byte| matches!(byte, b'\'' | b'"' | b'`' | b'$'))
        && (phrase || value::is_choosable(inside));
    let at = crate::search::offset(text, inside);
    good.then_some((at, at + inside.len()))
}

/// Whether only a path stands behind a sign or a word that writes. Before most names a plain word stands.
fn may_be_written(before: &[u8]) -> bool {
    let near = before.len().checked_sub(1).filter(|&last| before[last] == b' ');
    let Some(at) = near.or_else(|| memchr::memrchr3(b' ', b'>', b'|', before)) else { return false };
    let said = before[..at].trim_ascii_end();
    before[at] != b' ' || [&b">"[..], b"tee", b"TO", b"to"].iter().any(|way| said.ends_with(way))
}

/// `<param name="vm-password" value="9478"/>`: digits are enough where nothing else stands.
pub(super) fn of_parameter(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = text[stop..].strip_prefix(b"\" value=\"").filter(|_| name.trust == Trust::Password)?;
    let long = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let from = crate::search::offset(text, rest);
    ((4..=8).contains(&long) && rest.get(long) == Some(&b'"')).then_some((from, from + long))
}

/// `MOVE 'X' TO WS-FTP-PASSWORD.`: the literal stands before the name.
fn moved(text: &[u8], line: &[u8]) -> Option<(usize, usize)> {
    let said = line.strip_suffix(b" TO ").or_else(|| line.strip_suffix(b" to "))?.trim_ascii_end();
    let (&sign, said) = said.split_last().filter(|(sign, _)| matches!(sign, b'\'' | b'"'))?;
    let open = memchr::memrchr(sign, said)?;
    let (head, inside) = (said[..open].trim_ascii(), said[open + 1..].trim_ascii_end());
    let at = crate::search::offset(text, inside);
    let verb = head.len() >= 4 && head[head.len() - 4..].eq_ignore_ascii_case(b"move");
    (verb && inside.len() >= 4 && !value::is_placeholder(inside) && value::is_choosable(inside))
        .then_some((at, at + inside.len()))
}

/// `NEO4J_AUTH=neo4j/X`, `REDISCLI_AUTH=X` of an environment.
pub(super) fn of_account(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    let own = &text[start..stop];
    // `CLIENT_TRAFFIC_SECRET_0 5b0c… 9e61…`.
    let recorded = own.ends_with(b"TRAFFIC_SECRET_0")
        || own.ends_with(b"_TRAFFIC_SECRET")
        || own.ends_with(b"EXPORTER_SECRET");
    if recorded {
        return crate::login::key_log(text, stop);
    }
    if name.kind != "auth" || !own.ends_with(b"_AUTH") || own.iter().any(u8::is_ascii_lowercase) {
        return None;
    }
    // `NEO4J_AUTH: neo4j/X` too.
    let joint = [&b"="[..], b": \"", b": "].iter().find(|joint| text[stop..].starts_with(joint))?.len();
    let end = bare_end(text, stop + joint);
    let word = &text[stop + joint..end];
    let from = memchr::memchr(b'/', word).map_or(0, |slash| slash + 1);
    let secret = &word[from..];
    if joint > 1 && !word.starts_with(b"neo4j/") {
        return None;
    }
    let dotted: Vec<u8> = secret.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
    (secret.len() >= 8 && value::is_chosen(&dotted)).then_some((stop + joint + from, end))
}

/// `hmacKey = B.pack "X"`: a language that calls without brackets makes bytes of a literal.
pub(super) fn packed(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    const WRAPS: [&[u8]; 9] = [
        b"pack",
        b"fromString",
        b"encodeUtf8",
        b"decodeLenient",
        b"decode64",
        b"urlsafe_decode64",
        b"unhex",
        b"decode16",
        b"of_string",
    ];
    let rest = &text[stop..text.len().min(stop + 96)];
    let word = rest.strip_prefix(b" = ").or_else(|| rest.strip_prefix(b"="))?;
    let long =
        word.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    let called = word[..long].rsplit(|&byte| byte == b'.').next()?;
    let inside = WRAPS.contains(&called).then(|| word[long..].strip_prefix(b" \"")).flatten()?;
    let from = crate::search::offset(text, inside);
    let line = crate::search::line(text, from, 256);
    let end = memchr::memchr(b'"', line)?;
    value::is_secret(name, &line[..end], value::Place::Quoted).then_some((from, from + end))
}

/// `password root X` of a loader that `superusers` may change.
pub(super) fn of_loader(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, stop, 96);
    let mut words = line.trim_ascii_end().strip_prefix(b" ")?.split(|&byte| byte == b' ');
    let (user, secret) = (words.next()?, words.next()?);
    let lone = words.next().is_none() && &text[start..stop] == b"password";
    let near = lone.then(|| &text[start.saturating_sub(256)..start])?;
    let opens = crate::search::last_line(near).trim_ascii().is_empty();
    let loader = matches!(user, b"root" | b"admin") || crate::search::has(near, b"superusers");
    let from = crate::search::offset(text, secret);
    (opens && loader && value::is_chosen(secret)).then_some((from, from + secret.len()))
}

/// `option password 'X'` of a router's file; `SET PASSWORD FOR 'ann'@'%' = 'X'`: whatever stands between the quotes.
pub(super) fn between_quotes(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    let inside = match text.get(stop + 1) {
        Some(b'\'') if text[..start].ends_with(b"option ") => &text[stop + 2..],
        Some(b'F' | b'f') => {
            let line = crate::search::line(text, stop, 128);
            let set = line.get(..5).is_some_and(|joint| joint.eq_ignore_ascii_case(b" for "));
            let at = crate::search::find(line, b" = '").filter(|_| set)?;
            &text[stop + at + b" = '".len()..]
        }
        _ => return None,
    };
    let window = &inside[..inside.len().min(128)];
    let long = memchr::memchr2(b'\'', b'\n', window).filter(|&long| window[long] == b'\'' && long >= 4)?;
    let from = crate::search::offset(text, inside);
    let told = value::is_placeholder(&window[..long]) || value::is_reference(&window[..long]);
    (!told).then_some((from, from + long))
}

/// ` 7 001E1C01…`: as routers write a key down.
pub(super) fn router_key(rest: &[u8]) -> Option<usize> {
    let key = rest.strip_prefix(b" 7 ")?;
    let long = key.iter().take_while(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte)).count();
    let ends = matches!(key.get(long), None | Some(b'\n' | b'\r' | b' '));
    (ends && long >= 8 && long.is_multiple_of(2)).then_some(long)
}

/// ` key X` below `tacacs server ISE1`: what a router and its server share.
pub(super) fn server_key(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    let indent = text[..start].iter().rev().take(8).take_while(|&&byte| byte == b' ').count();
    // `Router(config-server-tacacs)# key X`.
    let typed = [&b"tacacs)# "[..], b"radius)# "].iter().any(|prompt| text[..start].ends_with(prompt));
    let lone = indent > 0 && text[..start - indent].ends_with(b"\n") && &text[start..stop] == b"key";
    if !(lone || typed) || text.get(stop) != Some(&b' ') {
        return None;
    }
    let above = text[start.saturating_sub(160)..start - indent].rsplit(|&byte| byte == b'\n');
    let opens = above.skip(1).find(|line| !line.starts_with(b" ")).unwrap_or_default();
    let server = typed || [&b"tacacs"[..], b"radius", b"aaa"].iter().any(|word| opens.starts_with(word));
    let word = crate::search::line(text, stop + 1, 128).trim_ascii();
    let word = word.strip_prefix(b"0 ").unwrap_or(word);
    let from = crate::search::offset(text, word);
    // `key ta(ac5-K3y`: nothing but the key stands on that line.
    let signed = || {
        word.len() >= 8
            && word.iter().all(u8::is_ascii_graphic)
            && word.iter().any(u8::is_ascii_digit)
            && word.iter().any(u8::is_ascii_alphabetic)
            && !word.starts_with(b"<")
            && !word.starts_with(b"$")
    };
    (server && (value::is_choosable(word) || signed())).then_some((from, from + word.len()))
}

/// `the setup key for the app:⏎JBQX 2K7Z LMTV RWPB`: groups of four on the line below, in the letters of such keys.
#[inline(never)]
pub(crate) fn seed_below(text: &[u8], stop: usize, spans: &mut Spans) {
    let line = crate::search::line(text, stop, 64);
    if !line.ends_with(b":") || text.get(stop + line.len()) != Some(&b'\n') {
        return;
    }
    let gap = text[stop + line.len()..].iter().take(3).take_while(|&&byte| byte == b'\n').count();
    let below = crate::search::line(text, stop + line.len() + gap, 96).trim_ascii();
    // Apps show them in small letters too.
    let small = below.iter().any(u8::is_ascii_lowercase);
    let base32 = |byte: &u8| {
        (b'2'..=b'7').contains(byte)
            || if small { byte.is_ascii_lowercase() } else { byte.is_ascii_uppercase() }
    };
    let group = |group: &[u8]| group.len() == 4 && group.iter().all(base32);
    let groups = || below.split(|&byte| byte == b' ');
    let digits = below.iter().filter(|byte| byte.is_ascii_digit()).count();
    let from = crate::search::offset(text, below);
    if (4..=16).contains(&groups().count()) && digits >= 2 && groups().all(group) {
        spans.add(from, from + below.len(), "otp", false);
    }
}

/// `restic_pw⇥three words and 7⇥2026-11-30`, ` 2 | smtp_pass | three words so` below `value`: the next cell of a row that
/// is called so.
#[inline(never)]
pub(super) fn phrase_in_cell(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    const LONGEST_CELL: usize = 96;
    /// `stored in the vault`: what became of it.
    static TOLD: crate::search::Words<8> = crate::search::Words::new([
        b"stored", b"set", b"never", b"kept", b"moved", b"changed", b"rotated", b"managed",
    ]);
    let blanks = text[stop..].iter().take(40).take_while(|&&byte| byte == b' ').count();
    let sign = *text.get(stop + blanks)?;
    let opens = start == 0 || text[start - 1] == b'\n';
    // `pass⇥3 of 12 tests`: a name of one word may be another's.
    let joined = text[start..stop].iter().any(|byte| matches!(byte, b'_' | b'-' | b'.'));
    let tabs = sign == b'\t' && blanks == 0 && opens && joined;
    if !tabs && (sign != b'|' || blanks == 0) {
        return None;
    }
    let line = crate::search::line(text, stop + blanks + 1, LONGEST_CELL);
    let cell = line[..memchr::memchr(sign, line).unwrap_or(line.len())].trim_ascii();
    let titled = || if tabs { cell.iter().any(u8::is_ascii_digit) } else { is_value_column(text, start) };
    let first = cell.split(|&byte| byte == b' ').next().unwrap_or_default();
    let told = TOLD.equals(first) || crate::harmless::SEE.equals(first);
    let from = crate::search::offset(text, cell);
    (value::is_phrase(cell) && !told && titled()).then_some((from, from + cell.len()))
}

/// Whether the column behind the one that `start` stands in is called `value`, in what a database prints.
fn is_value_column(text: &[u8], start: usize) -> bool {
    const REACH: usize = 1024;
    static TITLES: crate::search::Words<7> =
        crate::search::Words::new([b"value", b"val", b"setting", b"wert", b"valeur", b"valor", b"valore"]);
    let window = &text[start.saturating_sub(REACH)..start];
    let line = crate::search::last_line(window);
    let mut above = window[..window.len() - line.len()].trim_ascii_end();
    let (mut head, mut ruled) = (None, false);
    while let row = crate::search::last_line(above)
        && row.iter().any(|byte| matches!(byte, b'|' | b'+'))
    {
        if row.contains(&b'|') {
            head = Some(row);
        } else {
            ruled = true;
        }
        above = above[..above.len() - row.len()].trim_ascii_end();
    }
    crate::work::read(window.len() - above.len());
    let column = memchr::memchr_iter(b'|', line).count() + 1;
    head.filter(|_| ruled)
        .and_then(|head| head.split(|&byte| byte == b'|').nth(column))
        .is_some_and(|title| TITLES.equals(title.trim_ascii()))
}

/// `1) "requirepass"⏎2) "X"`: how a store answers, line by line.
pub(super) fn numbered(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = text.get(stop..text.len().min(stop + 160))?.strip_prefix(b"\"\n")?;
    let place = rest.iter().take(8).take_while(|byte| byte.is_ascii_digit() || **byte == b' ').count();
    let inside = rest.get(place..)?.strip_prefix(b") \"")?;
    let long = memchr::memchr2(b'"', b'\n', inside).filter(|&end| inside[end] == b'"')?;
    let from = crate::search::offset(text, inside);
    // `1) "cfg:client_secret"⏎2) "cfg:build"`: names of what it holds.
    let own = crate::search::line_before(text, stop, 96);
    let own = own.rsplit(|&byte| byte == b'"').next().unwrap_or_default();
    let listed = memchr::memchr(b':', own).is_some_and(|colon| inside.starts_with(&own[..=colon]));
    let weak = || {
        name.kind == "key" && (value::is_uuid(&inside[..long]) || crate::chance::is_random(&inside[..long]))
    };
    let holds = place > 0
        && (name.trust >= Trust::Secret || weak())
        && long >= 4
        && !listed
        && !value::is_placeholder(&inside[..long]);
    holds.then_some((from, from + long))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_store_answers_line_by_line() {
        assert_eq!(found("1) \"requirepass\"\n2) \"gramophone\"\n"), ["gramophone"]);
        assert_eq!(found("1) \"requirepass\"\n2) \"\"\n3) \"port\"\n"), Vec::<&str>::new());
        assert_eq!(found("1) \"cfg:client_secret\"\n2) \"cfg:otter\"\n"), Vec::<&str>::new());
        assert_eq!(found("see \"requirepass\"\n and \"gramophone\"\n"), Vec::<&str>::new());
    }

    #[test]
    fn a_setting_between_quotes_ends_with_them() {
        assert_eq!(found("[\"A=b\",\n \"APP_SECRET=lamp under the stairs\"]"), ["lamp under the stairs"]);
        assert_eq!(found("\"X-Acme-Admin-Secret\": \"lamp-under-stairs\""), ["lamp-under-stairs"]);
        assert_eq!(found("echo \"APP_SECRET=please enter your secret\""), Vec::<&str>::new());
    }

    #[test]
    fn among_pairs_a_dotted_word_is_a_value() {
        let text = "add name=hq user=ann password=Canoe.River.Plum use-ipsec=yes";
        assert_eq!(found(text), ["Canoe.River.Plum"]);
        for text in ["connect(user=ann, password=Canoe.River.Plum)", "x = user password=Canoe.River.Plum"] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_stands_between_quotes_is_taken_whole() {
        assert_eq!(found("\toption username 'ann'\n\toption password 'otterpond'\n"), ["otterpond"]);
        assert_eq!(found("Query\tSET PASSWORD FOR 'ann'@'%' = 'Otter.2006'\n"), ["Otter.2006"]);
        assert_eq!(found("SET PASSWORD FOR 'ann'@'%' = '$NEW_PASS'\n"), Vec::<&str>::new());
        assert_eq!(found("hmacKey = B.pack \"k8vLm2ZpXt9Rk7Wd3Yb5\"\n"), ["k8vLm2ZpXt9Rk7Wd3Yb5"]);
        assert_eq!(found("hmacKey = B.pack \"the key of the river\"\n"), Vec::<&str>::new());
        assert_eq!(found("set superusers=\"ann\"\npassword ann Otter_Lamp80\n"), ["Otter_Lamp80"]);
        assert_eq!(found("see the\npassword policy Rev_2024\n"), Vec::<&str>::new());
    }

    #[test]
    fn a_networks_key_is_a_password() {
        assert_eq!(found("wireless.radio0.key='otter_under_river'\n"), ["otter_under_river"]);
        assert_eq!(found("otters.radio0.key='otter_under_river'\n"), Vec::<&str>::new());
        let told =
            "the network is \"Nordlicht-Guest\", the key is walfisch-tango-82. It will be off on Friday.";
        assert_eq!(found(told), ["walfisch-tango-82"]);
        for kind in ["psk2", "sae-mixed", "psk-mixed+ccmp"] {
            let text =
                format!("        option encryption '{kind}'\n        option key 'otter-under-river'\n");
            assert_eq!(found(&text), ["otter-under-river"], "{text}");
        }
        for text in [
            "        option encryption 'none'\n        option key 'otter-under-river'\n",
            "        option encryption 'psk2'\n        option key '/etc/keys/otter.pem'\n",
            "        option encryption 'psk2'\n        option key '$KEY'\n",
            "the network is slow because the key is rotated-every-30-days",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn settings_say_it_in_their_own_way() {
        let hex = "81fa2c90d1e4b5c6a7d881fa2c90d1e4";
        for (text, secret) in [
            ("{:port 8080\n :session-key #bytes \"HEX\"\n :x 1}", hex),
            ("{:db {:password #secret \"Otter!Bridge5\"}}", "Otter!Bridge5"),
            ("host_base = store.example.org\ngpg_passphrase = möwe über dem teich\n", "möwe über dem teich"),
            ("  user: dbt\n  pass: Otter-River(7)\n  port: 5439\n", "Otter-River(7)"),
            (
                "$CFG->passwordsaltmain = '_71.,k.bZ4RnXyCqTeWJlm3NVo@#%HsA';",
                "_71.,k.bZ4RnXyCqTeWJlm3NVo@#%HsA",
            ),
            ("'passwordsalt' => 'kZ4RnXyCqTe7WJlm3NVoHsA9bQ2dPf',", "kZ4RnXyCqTe7WJlm3NVoHsA9bQ2dPf"),
            ("   {node_cookie, 'VQTGZBWNDKAMJXSPPFYL'}\n", "VQTGZBWNDKAMJXSPPFYL"),
            ("export RELEASE_COOKIE=VQTGZBWNDKAMJXSPPFYL\n", "VQTGZBWNDKAMJXSPPFYL"),
        ] {
            assert_eq!(found(&text.replace("HEX", hex)), [secret], "{text}");
        }
        for text in [
            "{:session-key #env \"SESSION_KEY_OF_OTTER_5\"\n :x 1}",
            "{:session-key #uuid \"1e6db528-da23-4c6c-9a94-1b1f9f0f1a11\"\n :x 1}",
            "{:password #secret \"changeme\"}",
            "{:created #inst \"2024-05-30T22:01:17\" :key #bytes \"00ff\"}",
            "passphrase = otter over the river\n",
            "host_base = store.example.org\ngpg_passphrase = read from the keyring\n",
            "host_base = store.example.org\ngpg_passphrase = not set here\n",
            "host_base = store.example.org\ngpg_passphrase = \n",
            "host_base = store.example.org\ngpg_passphrase = $(pass show gpg)\n",
            "pass: crypt-otter(3)\n",
            "pass: Otter-River(seven)\n",
            "   {node_cookie, 'CookieOfOurOtherNode'}\n",
            "   {node_cookie, 'COOKIE'}\n",
            "RELEASE_COOKIE=$COOKIE\n",
            "$CFG->passwordsaltmain = 'your salt here';",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_only_speaks_of_a_secret_stays() {
        for text in [
            "Loaded X.509 cert 'Kontor Linux signing key: 81fa7380a1c8f5d745a08e24042a96cfc4b1cf2b'",
            "NAME        TYPE\nmqtt-creds        Opaque    2\ndefault-token-9lzvn   kubernetes.io/x   4\n",
            "status (invalid password), correlation 7c41f36a-38ae-4f91-ae38-689d5b4863a1, gone",
            "phase2=\"auth=MSCHAPV2\"",
            "post({\"password\": \"short\"})",
            "<settings pass=\"specialize\">",
            "zone \"lan\" { allow-update { key ddns-otter07; }; };",
            "key \"ddns-otter07\" {\n        algorithm hmac-sha256;\n};\n",
            "password: \"ENC[pg_otter7]\"",
            "who sends a password will get \"550 5.7.30 Basic authentication is not supported for Otters.\"",
            "Token ID: ce84f4eb0730675189b0d14a7f9b2dfe\n",
            "ALTER USER ann WITH PASSWORD :'report_pw';",
            "alias/otter-signing\t1e6db528-da23-4c6c-9a94-1b1f9f0f1a11\n",
            "  privateKey: Uint8Array;\n",
            "<password>Enter your new words</password>",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
        let token = "81fa2c90d1e4b5c6a7d881fa2c90d1e4b5c6a7d8ab01cd23ef";
        assert_eq!(found(&format!("agent start --token \"{token}\"")), [token]);
        assert_eq!(found("the password on the fridge (marzipan&pfeffer)"), ["marzipan&pfeffer"]);
        assert_eq!(found("signing_salt: \"YKD3MQMF\""), ["YKD3MQMF"]);
    }
}
