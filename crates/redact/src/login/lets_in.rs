//! What programs print when somebody is let in, and what is sent to let somebody in: `[+] ann:X (Pwn3d!)`, `Use 713 299 to
//! confirm the transfer`, `GET "/session/magic/X"`.

use super::{REACH, add, bare};
use crate::span::Spans;
use crate::{chance, value};

/// Looks at what stands around such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    Some(match word {
        b"session id is " => session(text, end, spans),
        b"cracked" => cracked(text, end, spans),
        [b' ', b't', b'o', b' ', ..] => used_code(text, at, spans),
        [b'/', .., b'/'] => crate::url::behind_door(text, at, end, spans),
        b" (pwn3d!)" => opened(text, at, spans),
        b"vault login " | b"cpanel " | b"whm " => token(text, end, spans),
        b"?t=" | b"&t=" => crate::url::short_parameter(text, at, end, spans),
        b"fritz!box" => network_key(text, end, spans),
        b"samlresponse=" => assertion(text, end, spans),
        b"connect to " => using(text, end, spans),
        b"== data ==" => data(text, end, spans),
        // A title stands once: rows are long, and read for each.
        b"name\tvalue\tdomain" if at == 0 || text[at - 1] == b'\n' => {
            crate::header::table(text, end, spans);
            end
        }
        _ => return super::looted::scan(word, text, end, spans),
    })
}

/// `vault login X`, `Authorization: cpanel ann:X`.
fn token(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let end = end + usize::from(matches!(text.get(end), Some(b'"' | b'\'')));
    let long = bare(text, end);
    let word = &text[end..end + long];
    let user = memchr::memchr(b':', word).map_or(0, |colon| colon + 1);
    let secret = &word[user..];
    if secret.len() >= 20 && (value::is_hex(secret) || chance::is_random(secret)) {
        spans.add(end + user, end + long, "token", true);
    }
    end
}

/// `SSID FRITZ!Box 7590 KL, and then X`: twenty digits, as its label has them.
fn network_key(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const LONG: usize = 20;
    let near = &text[end..text.len().min(end + 96)];
    crate::work::read(near.len());
    let runs = near.split(|byte| !byte.is_ascii_digit());
    if let Some(run) = runs.clone().find(|run| run.len() == LONG) {
        let start = crate::search::offset(text, run);
        spans.add(start, start + LONG, "password", false);
    }
    end
}

/// `SAMLResponse=X&RelayState=…`: what a provider says of who comes, as a form sends it.
fn assertion(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const SHORTEST_ASSERTION: usize = 40;
    const LONGEST_ASSERTION: usize = 1 << 16;
    let sign =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'+' | b'/' | b'=' | b'-' | b'_');
    let long = text[end..].iter().take(LONGEST_ASSERTION).take_while(sign).count();
    crate::work::read(long);
    if long >= SHORTEST_ASSERTION && text[end..end + long].iter().any(u8::is_ascii_digit) {
        spans.add(end, end + long, "token", true);
    }
    end + long
}

/// `connect to SAMPLE user ann using X`.
fn using(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = crate::search::line(text, end, REACH);
    let mut words = line.trim_ascii_end().split(|&byte| byte == b' ');
    let (_, user, _, by) = (words.next(), words.next(), words.next(), words.next());
    let plain = |word: Option<&[u8]>, own: &[u8]| word.is_some_and(|word| word.eq_ignore_ascii_case(own));
    if plain(user, b"user")
        && plain(by, b"using")
        && let Some(secret) =
            words.next().filter(|secret| !secret.starts_with(b":") && words.next().is_none())
    {
        let start = crate::search::offset(text, secret);
        add(text, start, start + secret.len(), spans);
    }
    end
}

/// `====== Data ======⏎Key  Value⏎---  -----⏎pw   X` of a vault: what stands second.
fn data(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const MOST_ROWS: usize = 16;
    let Some(mut at) = crate::search::next_line(text, end, REACH) else { return end };
    for nth in 0..MOST_ROWS {
        let row = crate::search::line(text, at, 512);
        crate::work::read(row.len());
        let name = row.iter().take_while(|byte| byte.is_ascii_graphic()).count();
        let secret = row[name..].trim_ascii();
        if name == 0 || row.len() - name < secret.len() + 2 {
            break;
        }
        let known = crate::names::is_identity(&row[..name]);
        let made = value::is_chosen(secret) || secret.len() >= 16 && chance::is_random(secret);
        if nth >= 2 && !known && made {
            let start = crate::search::offset(text, secret);
            add(text, start, start + secret.len(), spans);
        }
        at += row.len() + 1;
        if at >= text.len() {
            break;
        }
    }
    end
}

/// `Requested cookie session id is X`; no UUID, as sessions of agents have.
fn session(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let word = &text[end..end + long];
    if long >= 24 && (value::is_hex(word) || chance::is_random(word)) && !value::is_uuid(word) {
        spans.add(end, end + long, "session", false);
    }
    end
}

/// `[+] otter.local\ann:X (Pwn3d!)`: who was let in, and by what.
fn opened(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let before = crate::search::last_line(&text[at.saturating_sub(REACH)..at]);
    let pair = before.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let user = memchr::memchr(b'\\', pair).map_or(0, |sign| sign + 1);
    if let Some(colon) = memchr::memchr(b':', &pair[user..]).filter(|_| user > 0) {
        add(text, at - pair.len() + user + colon + 1, at, spans);
    }
    at
}

/// `cracked in 4 min with rockyou -> X`: what a hash was made of ends the line.
fn cracked(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = crate::search::line(text, end, REACH);
    let word = line.trim_ascii_end().rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let joined = [&b"-> "[..], b": ", b"= "]
        .iter()
        .any(|sign| line[..crate::search::offset(line, word)].ends_with(sign));
    let start = crate::search::offset(text, word);
    if joined && value::is_chosen(word) {
        add(text, start, start + word.len(), spans);
    }
    end
}

/// `Use 713 299 to confirm the transfer`: four to eight digits, perhaps in two halves, behind a verb.
fn used_code(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    const VERBS: [&[u8]; 5] = [b"use ", b"enter ", b"type ", b"code ", b"otp "];
    let code = |long: usize| at.checked_sub(long).map(|start| (start, &text[start..at]));
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let long = text[..at].iter().rev().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let whole = (4..=8).contains(&long).then_some(long).and_then(code);
    let halves = code(7)
        .filter(|(_, code)| digits(&code[..3]) && digits(&code[4..]) && matches!(code[3], b' ' | b'-'));
    if let Some((start, _)) = whole.or(halves) {
        let before = text[start.saturating_sub(8)..start].to_ascii_lowercase();
        // It opens what is said: "the job will use 713299 to complete" tells of something else.
        let opens = |verb: &&&[u8]| {
            let head = text[..start - verb.len()].trim_ascii_end();
            let line = text.get(head.len()) == Some(&b'\n');
            line || head.last().is_none_or(|byte| matches!(byte, b'.' | b':' | b'!' | b'"' | b'>' | b'*'))
        };
        if VERBS.iter().filter(|verb| before.ends_with(verb)).any(|verb| opens(&verb)) {
            spans.add(start, at, "otp", false);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_lets_in_is_found() {
        let token = "DBlFv6n3a6sTmkgg3z226QFL3gdY3WSyAYX4YSLDGN";
        assert_eq!(found(&format!("Started GET \"/session/magic/{token}\" for 10.0.0.7")), [token]);
        assert_eq!(
            found("SMB 10.0.0.7 445 B14 [+] otter.local\\ann:toulousequartz82 (Pwn3d!)"),
            ["toulousequartz82"]
        );
        assert_eq!(found("cracked in 4 min with rockyou -> Otter396Wint!\n"), ["Otter396Wint!"]);
        assert_eq!(found("Use 713 299 to confirm the transfer of 40 EUR"), ["713 299"]);
        assert_eq!(
            found("cookie session id is F38D445A98B220E354C4BEE682F01553\n"),
            ["F38D445A98B220E354C4BEE682F01553"]
        );
        for text in [
            "the river job will use 713299 to complete rows\n",
            "Press Enter to confirm the order 713299\n",
            "GET /verify/otter-river-stone-and-lamp-of-a-page HTTP/1.1",
            "GET /assets/confirm/8f3a9c2d1b4e5f60718293a4.js HTTP/1.1",
            "the otter cracked a nut -> river\n",
            "the session id is 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
