//! `BUGSNAG=9f…`, `klaviyo: …`, `static let segmentWrite = "…"`: the name of somebody who sells an interface, and a value
//! that nobody wrote. What is not a key among what stands so is called an id, an address, a version.

use crate::span::Spans;
use crate::{chance, value};

/// Who hands out keys; `tests` has each again. Not who keeps traces (Langfuse, LangSmith): their keys have shapes of their
/// own, and what stands beside their names is ids.
#[rustfmt::skip]
pub(crate) const NAMES: &[&str] = &[
    "adafruit", "agora", "airtable", "akismet", "algolia", "alchemy", "amplitude", "anthropic", "apify", "appcenter", "appsflyer", "asana", "assemblyai", "astra", "auth0",
    "axiom", "bitly", "bitrise", "braintree", "brevo", "bugsnag", "buildkite", "cerebras", "chargebee", "circleci", "clarifai", "clerk", "clickup", "cloudflare",
    "cloudinary", "cloudsmith", "codacy", "codecov", "cohere", "coinbase", "confluent", "contentful", "coveralls", "customerio", "datadog", "deepgram", "deepl",
    "deepseek", "digitalocean", "discord", "doppler", "dropbox", "duffel", "elevenlabs", "etherscan", "eventbrite", "exa_", "fastly", "figma", "firebase",
    "firecrawl", "fireworks", "flutterwave", "foursquare", "freshdesk", "gitbook", "gocardless", "grafana", "groq", "helpscout", "heroku", "hetzner", "honeycomb",
    "hubspot", "huggingface", "infura", "intercom", "ipinfo", "iterable", "jfrog", "klaviyo", "launchdarkly", "linode", "logdna", "mailchimp",
    "mailersend", "mailgun", "mailjet", "mandrill", "mapbox", "messagebird", "mistral", "mixpanel", "mollie", "moralis", "netlify", "newrelic", "new_relic", "ngrok",
    "notion", "novita", "okta", "onesignal", "onfido", "openai", "opencage", "openrouter", "openweather", "opsgenie", "optimizely", "pagerduty", "paypal", "pdfco",
    "perplexity", "pinecone", "plaid", "plivo", "posthog", "postmark", "pusher", "quicknode", "rapidapi", "razorpay", "readme_io", "replicate", "resend", "rollbar",
    "rudderstack", "runpod", "scaleway", "scrapingbee", "segment", "sendbird", "sendgrid", "serpapi", "serper", "shippo", "shodan", "shopify", "snyk", "sonarcloud",
    "sparkpost", "splitio", "statuspage", "stripe", "stytch", "supabase", "tailscale", "tavily", "telnyx", "tinybird", "tomtom", "trello", "twilio", "twitch",
    "typeform", "typesense", "unsplash", "upstash", "uptimerobot", "vercel", "virustotal", "voyageai", "vultr", "wakatime", "wandb", "weatherapi", "webflow",
    "xendit", "yelp", "zapier", "zendesk", "zoominfo", "zulip", "checkout", "upctl", "sonarr", "radarr", "prowlarr", "pihole", "jellyfin", "overseerr", "immich", "paperless", "tautulli", "owm", "post_server_item", "post_client_item",
    "binance", "bitfinex", "bitget", "bitmex", "bitstamp", "bybit", "deribit", "kraken", "kucoin", "poloniex",
];

/// What may be told of an account, and known.
#[rustfmt::skip]
const KNOWN: [&[u8]; 24] = [
    b"id", b"url", b"uri", b"host", b"region", b"project", b"version", b"release", b"commit", b"sha", b"digest", b"hash", b"public", b"site", b"app", b"org",
    b"team", b"account", b"trace", b"span", b"request", b"image", b"tag", b"checksum",
];
const LONGEST_NAME: usize = 40;
const LONGEST: usize = 200;

/// Looks at the name around `at..end`.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let name_byte = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let left = text[..at].iter().rev().take(LONGEST_NAME).take_while(name_byte).count();
    let right = text[end..].iter().take(LONGEST_NAME).take_while(name_byte).count();
    let (start, stop) = (at - left, end + right);
    let name = &text[start..stop];
    crate::work::read(name.len());
    // A host, a path, a package.
    let before = start.checked_sub(1).map_or(b'\n', |at| text[at]);
    if stop - start > LONGEST_NAME
        || matches!(before, b'/' | b'.' | b'@' | b'#')
        || text[..start].ends_with(b"://")
    {
        return;
    }
    if !begins_word(text, start, at) || is_known(name) {
        return;
    }
    let Some((from, quote)) = joined(text, stop) else { return };
    let (from, quote) = second(text, from).unwrap_or((from, quote));
    let long = text[from..]
        .iter()
        .take(LONGEST)
        .take_while(|byte| {
            crate::search::is_one!(**byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~')
        })
        .count();
    crate::work::read(long);
    let word = &text[from..from + long];
    let word = word.strip_suffix(b".").unwrap_or(word);
    let ends = match quote {
        Some(sign) => text.get(from + word.len()) == Some(&sign),
        None => text.get(from + word.len()).is_none_or(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b')' | b'\\' | b'.' | b'"')
        }),
    };
    if ends && is_key(word) {
        spans.add(from, from + word.len(), "api_key", false);
    }
}

/// `BUGSNAG`, `MY_BUGSNAG`, `myBugsnag`; no `unsegmented`.
fn begins_word(text: &[u8], start: usize, at: usize) -> bool {
    at == start
        || matches!(text[at - 1], b'_' | b'-')
        || text[at].is_ascii_uppercase() && text[at - 1].is_ascii_lowercase()
}

fn is_known(name: &[u8]) -> bool {
    let mut word = [0; LONGEST_NAME];
    let mut long = 0;
    let mut last = b'_';
    let mut known = false;
    for &byte in name.iter().chain(b"_") {
        let breaks = !byte.is_ascii_alphabetic() || byte.is_ascii_uppercase() && last.is_ascii_lowercase();
        if breaks {
            known |= KNOWN.contains(&&word[..long]);
            long = 0;
        }
        if byte.is_ascii_alphabetic() && long < LONGEST_NAME {
            word[long] = byte.to_ascii_lowercase();
            long += 1;
        }
        last = byte;
    }
    known
}

/// Where the value begins behind `=`, `:`, `=>`, and the quote that opens it.
fn joined(text: &[u8], stop: usize) -> Option<(usize, Option<u8>)> {
    let window = &text[stop..text.len().min(stop + 16)];
    let closed = usize::from(matches!(window.first(), Some(b'"' | b'\'')));
    let gap = closed + window[closed..].iter().take_while(|&&byte| byte == b' ').count();
    let sign = match window.get(gap..)? {
        [b'=', b'>', ..] | [b':', b'=', ..] => 2,
        [b'=' | b':', ..] => 1,
        _ => return None,
    };
    let from = gap + sign + window.get(gap + sign..)?.iter().take_while(|&&byte| byte == b' ').count();
    let quote = window.get(from).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    Some((stop + from + usize::from(quote.is_some()), quote))
}

/// `= ("ID", "X")`: of two the second is the secret.
fn second(text: &[u8], from: usize) -> Option<(usize, Option<u8>)> {
    let open = text.get(from).filter(|byte| matches!(byte, b'(' | b'['))?;
    let (quote, start) = crate::quote::open(text, from + 1).filter(|(quote, _)| quote.slashes == 0)?;
    let window = &text[start..text.len().min(start + LONGEST)];
    let close = memchr::memchr2(quote.sign, b'\n', window)?;
    let rest = window[close + 1..].strip_prefix(b",")?.trim_ascii_start();
    let at = rest.as_ptr() as usize - text.as_ptr() as usize;
    let shut = if *open == b'(' { b')' } else { b']' };
    let long = memchr::memchr(quote.sign, rest.strip_prefix(&[quote.sign])?)?;
    (rest.get(long + 2) == Some(&shut)).then_some((at + 1, Some(quote.sign)))
}

/// Long, and random; no digest of a commit, no path.
fn is_key(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let body = word.rsplit(|&byte| byte == b'_').next().unwrap_or_default();
    // `okta: clientId=X`: a setting of its own.
    let setting = memchr::memchr(b'=', word).is_some_and(|at| word[at..].iter().any(|&byte| byte != b'='));
    word.len() >= 20
        && digits >= 3
        && !setting
        && !word.starts_with(b"/")
        && !value::is_placeholder(word)
        && !value::is_reference(word)
        && !value::is_path(word)
        && !value::is_identifier_path(word)
        && !ends_in_word(word)
        && (value::is_uuid(body)
            || value::is_hex(word) && !matches!(word.len(), 40 | 64)
            || !value::is_hex(word) && chance::is_random(word))
}

/// `otter-6bRBa3QguO5/river`: a place of an account's.
fn ends_in_word(word: &[u8]) -> bool {
    let Some(slash) = memchr::memrchr(b'/', word) else { return false };
    let last = &word[slash + 1..];
    last.len() >= 5
        && last[..5].iter().all(u8::is_ascii_lowercase)
        && last.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
    }

    const HEX: &str = "d1d16be03a8b453cb6a73bdb3ea10d20";

    #[test]
    fn who_sells_an_interface_names_its_key() {
        for name in super::NAMES {
            let name = name.trim_end_matches('_');
            assert_eq!(
                found(&format!("{}={HEX}\n", name.to_uppercase().replace("EXA", "EXA_"))),
                [HEX],
                "{name}"
            );
        }
        let uuid = "waka_493ecc83-f857-42f1-8bfd-2d39d6a35768";
        assert_eq!(found(&format!("wakatime: {uuid}")), [uuid]);
        assert_eq!(found(&format!("KRAKEN = (\"some-id\", \"{HEX}\")")), [HEX]);
        assert_eq!(found(&format!("static let segmentWrite = \"{HEX}\"")), [HEX]);
        assert_eq!(found(&format!("{{\"mySegment\": \"{HEX}\"}}")), [HEX]);
    }

    #[test]
    fn what_may_be_known_of_an_account_stays() {
        for name in [
            "SEGMENT_ID",
            "stripeAccount",
            "sentry_release",
            "unsegmented",
            "algolia_app_id",
            "vercel_project",
            "docs.vercel",
        ] {
            assert_eq!(found(&format!("{name}={HEX}\n")), Vec::<&str>::new(), "{name}");
        }
        for value in [
            "https://acme.example/d1d16be03a8b453cb6",
            "${VALUE}",
            "2024-01-01T00:00:00Z",
            "/data/segment/d1d16be03a8b45",
            "22f276b4988c35dc6eaec3116e727c81da582d1b",
            "segment-of-the-whole-thing-2",
            "otter-6bRBa3QguO57/river-crossing20",
            "appNumber=0oabW9hntamfS96Lj69i",
        ] {
            assert_eq!(found(&format!("SEGMENT={value}\n")), Vec::<&str>::new(), "{value}");
        }
    }
}
