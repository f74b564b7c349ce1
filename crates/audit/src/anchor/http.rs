//! One request over plain HTTP: the only place in the house that opens a socket, and only for `anchor witness`.
//!
//! Five reasons for own code: a witness needs one POST of a kilobyte; nothing here is secret and every answer is
//! a signature that is checked, so TLS adds nothing (a witness behind TLS is reached through a local proxy); no
//! redirects, cookies or proxies may ever be followed; the answer is small and its size is bounded here; and a
//! client library would bring more code than the rest of this room.

use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

/// For each step of the way.
const PATIENCE: Duration = Duration::from_secs(10);
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// A status and a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// Posts a text; the error is a sentence.
pub(crate) fn post(url: &str, path: &str, body: &str) -> Result<Answer, String> {
    let rest = url.strip_prefix("http://").ok_or("only http:// is spoken here; put a proxy before https")?;
    let (host, base) = rest.split_once('/').unwrap_or((rest, ""));
    let base = base.trim_end_matches('/');
    let base = if base.is_empty() { String::new() } else { format!("/{base}") };
    if host.is_empty() || format!("{host}{base}").bytes().any(|b| b <= b' ' || b == 0x7f) {
        return Err("not a URL".to_owned());
    }
    let request = format!(
        "POST {base}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = exchange(host, &request).map_err(|error| error.to_string())?;
    parse(&answer).ok_or_else(|| "the answer is not HTTP".to_owned())
}

fn exchange(host: &str, request: &str) -> std::io::Result<Vec<u8>> {
    let address = if host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let mut last = std::io::Error::new(std::io::ErrorKind::NotFound, "no such host");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(mut stream) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                stream.write_all(request.as_bytes())?;
                let mut answer = Vec::new();
                stream.take(MAX_ANSWER_BYTES).read_to_end(&mut answer)?;
                return Ok(answer);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn parse(answer: &[u8]) -> Option<Answer> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    let chunked = lines.any(|line| {
        let line = line.to_ascii_lowercase();
        line.strip_prefix("transfer-encoding:").is_some_and(|value| value.trim() == "chunked")
    });
    Some(Answer { status, body: if chunked { unchunk(body)? } else { body.to_owned() } })
}

fn unchunk(mut body: &str) -> Option<String> {
    let mut whole = String::new();
    loop {
        let (size, rest) = body.split_once("\r\n")?;
        let size = usize::from_str_radix(size.split(';').next()?.trim(), 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        whole.push_str(rest.get(..size)?);
        body = rest.get(size..)?.strip_prefix("\r\n")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_plain_and_in_chunks() {
        let plain =
            parse(b"HTTP/1.1 409 Conflict\r\nContent-Type: text/x.tlog.size\r\n\r\n17\n").expect("an answer");
        assert_eq!(plain, Answer { status: 409, body: "17\n".to_owned() });
        let chunked =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\n\r\n";
        assert_eq!(parse(chunked).expect("an answer").body, "abcde");
        for bad in [
            &b""[..],
            b"HTTP/1.1 200",
            b"SSH-2.0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ] {
            assert_eq!(parse(bad), None);
        }
    }

    #[test]
    fn what_is_no_plain_url_is_refused_before_anything_is_sent() {
        for url in ["https://w.example", "w.example", "http://", "http://a b/", "http://x/\r\nX: y"] {
            assert!(post(url, "/add-checkpoint", "").is_err(), "{url}");
        }
    }
}
