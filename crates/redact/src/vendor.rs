//! `BUGSNAG=9f…`, `klaviyo: …`, `static let segmentWrite = "…"`: the name of somebody who sells an interface, and a value
//! that nobody wrote. What is not a key among what stands so is called an id, an address, a version. So are
//! `cohere.ClientV2("X")`, a client that is given nothing else, and `algolia: { appId: "…", admin: "X" }`, whose members
//! say what each is for.

use crate::quote;
use crate::span::Spans;
use crate::{chance, company, value};

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
    "xendit", "yelp", "zapier", "zendesk", "zoominfo", "zulip", "checkout", "upctl", "sonarr", "radarr", "prowlarr", "pihole", "jellyfin", "overseerr", "immich", "paperless", "tautulli", "owm", "post_server_item", "post_client_item", "postserveritem",
    "abuseipdb", "alphavantage", "applitools", "appsignal", "bazarr", "betterstack", "browserstack", "bunnynet", "censys", "clearbit", "coingecko",
    "coinmarketcap", "coralogix", "cronitor", "currencyapi", "datocms", "deadmanssnitch", "directus", "disqus", "easypost", "exchangerate", "fanart", "finnhub",
    "geoapify", "gitguardian", "googlegenai", "generativeai", "googlemaps", "gotify", "greynoise", "healthchecks", "helicone", "hfinference", "hfapi",
    "homeassistant", "honeybadger", "huggingfaceinference", "hygraph", "imgbb", "imgur", "inferenceclient", "inngest", "intervals.icu", "intervals_icu", "ipgeolocation", "ipstack", "lambdatest",
    "last.fm", "lastfm", "ldclient", "meraki", "lemonsqueezy", "lidarr", "locationiq", "logtail", "loggly", "lunchmoney", "mapillary", "maptiler", "meili",
    "newsapi", "nordigen", "octokit", "octoprint", "omdb", "opensubtitles", "papertrail", "pexels", "pixabay", "positionstack", "prismic", "pushbullet", "pushover",
    "readarr", "readwise", "recurly", "sabnzbd", "securitytrails", "semgrep", "shotstack", "simplefin", "sparkfun", "spoonacular", "statuscake", "storyblok", "strapi", "sumologic",
    "thunderforest", "tibber", "ticktick", "tmdb", "todoist", "tomorrow.io", "tomorrow_io", "trakt", "twelvedata", "urlscan", "vonage", "whisparr", "ynab",
    "africastalking", "cometml", "comet_ml", "cronofy", "dato_cms", "datadog_app", "dd_api", "dd_app", "discogs", "genius", "influx", "kaggle", "lexoffice", "mailpoet", "revenuecat", "sanity", "sevdesk", "pd_routing", "pd_integration", "spotify", "steam", "together", "wolframalpha",
    // Of a Z-Wave network.
    "s0_legacy", "s2_authenticated", "s2_unauthenticated", "s2_accesscontrol",
    "binance", "bitfinex", "bitget", "bitmex", "bitstamp", "bybit", "deribit", "kraken", "kucoin", "poloniex",
];

/// What may be told of an account, and known.
#[rustfmt::skip]
const KNOWN: &[&[u8]] = &[
    b"id", b"url", b"uri", b"host", b"region", b"project", b"version", b"release", b"commit", b"sha", b"digest", b"hash", b"public", b"site", b"app", b"org",
    b"team", b"account", b"trace", b"span", b"request", b"image", b"tag", b"checksum", b"zone", b"tunnel", b"pipeline", b"tenant", b"page", b"database", b"board",
    b"base", b"group", b"dashboard", b"uid", b"uuid", b"theme", b"portal", b"zap", b"workspace", b"ref", b"file", b"channel", b"environment", b"env", b"slug", b"dataset", b"index",
    b"table", b"bucket", b"domain", b"cluster", b"node", b"deployment", b"build", b"run", b"job", b"user", b"username", b"customer", b"price", b"product",
    b"plan", b"subscription", b"event", b"service", b"name", b"email", b"etag", b"revision", b"organization", b"organisation", b"folder", b"list", b"view", b"form", b"flow", b"space",
    b"sid", b"stream", b"campaign", b"template", b"contact", b"payment", b"invoice", b"charge", b"session", b"message", b"issue", b"card", b"repo", b"repository", b"fingerprint", b"ids", b"search",
];
/// How long they are by their first letters, a bit each: most words show at once that they are none.
const KNOWN_LONG: [u32; 32] = {
    let (mut long, mut at) = ([0; 32], 0);
    while at < KNOWN.len() {
        long[(KNOWN[at][0] & 0x1F) as usize] |= 1 << KNOWN[at].len();
        at += 1;
    }
    long
};
/// What a member of a seller's object is for, if it is a key; `tests` has each again.
const ROLES: &[&[u8]] = &[
    b"admin",
    b"api",
    b"auth",
    b"delivery",
    b"ingest",
    b"integration",
    b"live",
    b"management",
    b"master",
    b"personal",
    b"preview",
    b"primary",
    b"private",
    b"push",
    b"restricted",
    b"routing",
    b"send",
    b"sending",
    b"server",
    b"shared",
    b"write",
];
/// What makes a client, where the call does not begin with a capital letter.
const MAKES: &[&[u8]] = &[
    b"auth",
    b"client",
    b"config",
    b"configure",
    b"connect",
    b"create",
    b"createclient",
    b"gethandler",
    b"init",
    b"initialize",
    b"login",
    b"new",
    b"newclient",
    b"setup",
    b"start",
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
    // `messageBird`: the words of the seller's own name say nothing.
    let known = is_known(&text[start..at]) || is_known(&text[end..stop]);
    if !begins_word(text, start, at) || known && !is_key_all_the_same(name) {
        return;
    }
    if let Some(from) = called(text, stop) {
        return given(text, from, spans);
    }
    let beside =
        || cell(text, start, stop).or_else(|| field(text, start, stop)).or_else(|| used_for(text, start));
    if let Some((from, to)) = beside() {
        return spans.add(from, to, "api_key", false);
    }
    object(text, start, stop, spans);
    let Some((from, quote)) = joined(text, stop).or_else(|| listed(text, stop)) else { return };
    let (from, quote) = second(text, from).unwrap_or((from, quote));
    let word = |long: usize| &text[from..from + long];
    let set = stop - start == end - at && name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let long = key(text, from, quote, name)
        .or_else(|| lone_digest(text, from, quote).filter(|&long| set && is_digest_like(word(long))));
    if let Some(long) = long {
        spans.add(from, from + long, "api_key", false);
    }
}

/// `DEEPGRAM=98f6d44d…`: hex digits up to where a value ends.
fn lone_digest(text: &[u8], from: usize, quote: Option<u8>) -> Option<usize> {
    let long = text[from..].iter().take(65).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let next = text.get(from + long).copied().unwrap_or(b'\n');
    let ends = quote.map_or(next.is_ascii_whitespace(), |sign| next == sign);
    ends.then_some(long)
}

/// How long the key from `from` is, if one stands there and nothing else.
fn key(text: &[u8], from: usize, quote: Option<u8>, name: &[u8]) -> Option<usize> {
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
            byte.is_ascii_whitespace()
                || matches!(byte, b',' | b';' | b')' | b'}' | b'<' | b'\\' | b'.' | b'"')
        }),
    };
    (ends && (is_key(word) || is_gotify(name, word))).then_some(word.len())
}

/// `GOTIFY=AKf3…`: fifteen signs, of which the first says whose it is.
fn is_gotify(name: &[u8], word: &[u8]) -> bool {
    let has = |sort: fn(&u8) -> bool| word[1..].iter().any(sort);
    word.len() == 15
        && name.to_ascii_lowercase().starts_with(b"gotify")
        && matches!(word[0], b'A' | b'C' | b'P')
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// `AGORA_APP_CERTIFICATE`, `HONEYCOMB_TEAM`: what they call the key of a project, of a team.
fn is_key_all_the_same(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(b"certificate") || lower.ends_with(b"honeycomb_team")
}

/// Where the arguments begin, if the name, or what is reached from it, makes a client: `new Resend(`,
/// `cohere.ClientV2(`, `mixpanel.init(`, `require("stripe")(`; no `notion.pages.retrieve(`.
fn called(text: &[u8], stop: usize) -> Option<usize> {
    let window = &text[stop..text.len().min(stop + LONGEST_NAME)];
    if window.starts_with(b"\")(") || window.starts_with(b"')(") {
        return Some(stop + 3);
    }
    let part =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'\\' | b'>' | b'-');
    let path = &window[..window.iter().take_while(part).count()];
    let last = path.rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').next().unwrap_or_default();
    let makes = last.first().is_none_or(u8::is_ascii_uppercase)
        || last.starts_with(b"create_")
        || MAKES.iter().any(|make| make.eq_ignore_ascii_case(last));
    (window.get(path.len()) == Some(&b'(') && makes && !is_known(path)).then_some(stop + path.len() + 1)
}

/// The literal that a client is made of; of two keys the second is the secret one.
fn given(text: &[u8], from: usize, spans: &mut Spans) {
    let literal = |from: usize| {
        let (quote, start) = quote::open(text, from)?;
        let end = quote::close(text, start, quote)?;
        Some((start, end, end + quote.slashes + 1))
    };
    let Some((mut start, mut end, past)) = literal(from) else { return };
    let gap = text[past..].iter().take(3).take_while(|byte| matches!(byte, b',' | b' ')).count();
    if let Some((second, last, _)) = literal(past + gap).filter(|_| gap > 0) {
        // The second was one, and is taken out already.
        if text[second..last].starts_with(b"[REDACTED:") {
            return;
        }
        if is_key(&text[second..last]) {
            (start, end) = (second, last);
        }
    }
    if is_key(&text[start..end]) || is_digest_like(&text[start..end]) {
        spans.add(start, end, "api_key", false);
    }
}

/// `Deepgram::new("98f6d44d…")`: as long as a commit's, but no client is made of one.
fn is_digest_like(word: &[u8]) -> bool {
    matches!(word.len(), 40 | 64) && value::is_hex(word) && word.iter().any(u8::is_ascii_digit)
}

/// `algolia: { appId: "…", admin: "X" }`, `mailgun:⏎  sending: X`, `[datadog]⏎api = X`: members by what they are for.
fn object(text: &[u8], start: usize, stop: usize, spans: &mut Spans) {
    const LONGEST_OBJECT: usize = 320;
    let rest = &text[stop..text.len().min(stop + LONGEST_OBJECT)];
    let signs = rest
        .iter()
        .take(8)
        .take_while(|byte| matches!(byte, b'"' | b'\'' | b' ' | b':' | b'=' | b'>' | b']' | b'('))
        .count();
    let inside = match rest.get(signs) {
        Some(b'{' | b'[') if signs > 0 => {
            let close = |byte: &u8| matches!(byte, b'}' | b']');
            &rest[signs + 1..][..rest[signs + 1..].iter().position(close).unwrap_or(0)]
        }
        Some(b'\n') if rest.starts_with(b"]\n") && text[..start].ends_with(b"[") => section(&rest[2..]),
        Some(b'\n') if rest.starts_with(b":\n") => {
            let Some(indent) = company::indent(text, start) else { return };
            block(&rest[2..], indent)
        }
        _ => return,
    };
    crate::work::read(inside.len());
    for member in inside.split(|byte| matches!(byte, b',' | b'\n')) {
        let Some(sign) = memchr::memchr2(b':', b'=', member) else { continue };
        let name = member[..sign].trim_ascii_end();
        let name = name.strip_suffix(b"\"").or_else(|| name.strip_suffix(b"'")).unwrap_or(name);
        let long = name.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let role = &name[name.len() - long..];
        let gap = member[sign..].iter().take_while(|byte| matches!(byte, b':' | b'=' | b'>' | b' ')).count();
        let quote = member.get(sign + gap).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        let at = crate::search::offset(text, member) + sign + gap + usize::from(quote.is_some());
        if ROLES.iter().any(|own| own.eq_ignore_ascii_case(role))
            && let Some(long) = key(text, at, quote, role)
        {
            spans.add(at, at + long, "api_key", false);
        }
    }
}

/// Up to the next section.
fn section(rest: &[u8]) -> &[u8] {
    &rest[..memchr::memmem::find(rest, b"\n[").unwrap_or(rest.len())]
}

/// Up to the line that is set in no farther than the name.
fn block(rest: &[u8], indent: usize) -> &[u8] {
    let mut long = 0;
    for line in rest.split_inclusive(|&byte| byte == b'\n') {
        if line.iter().take_while(|&&byte| byte == b' ').count() <= indent {
            break;
        }
        long += line.len();
    }
    &rest[..long]
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
            let first = usize::from(word[0] & 0x1F);
            known |= KNOWN_LONG[first] >> long.min(31) & 1 != 0 && KNOWN.contains(&&word[..long]);
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

/// Where the value begins behind `=`, `:`, `=>`, ` API: `, and the quote that opens it.
fn joined(text: &[u8], stop: usize) -> Option<(usize, Option<u8>)> {
    let window = &text[stop..text.len().min(stop + 20)];
    let spoken =
        [&b" API"[..], b" api", b".io API", b".com API"].into_iter().find(|word| window.starts_with(word));
    let stop = stop + spoken.map_or(0, <[u8]>::len);
    // `DeepL API (Pro): X`.
    let remark = text[stop..].strip_prefix(b" (").filter(|_| spoken.is_some());
    let stop = stop
        + remark
            .and_then(|rest| memchr::memchr(b')', &rest[..rest.len().min(16)]))
            .map_or(0, |long| long + 3);
    let window = &text[stop..text.len().min(stop + 24)];
    // "set `BUGSNAG` to X".
    if window.starts_with(b"` to ") {
        return Some((stop + 5, None));
    }
    let closed = usize::from(matches!(window.first(), Some(b'"' | b'\'')));
    // `default['app']['bugsnag'] = 'X'`.
    let closed = closed + usize::from(closed > 0 && window.get(1) == Some(&b']'));
    let gap = closed + window[closed..].iter().take_while(|&&byte| byte == b' ').count();
    let sign = match window.get(gap..)? {
        [b'=', b'>', ..] | [b':', b'=', ..] => 2,
        // `BUGSNAG: &str = "X"`.
        [b':', rest @ ..] if closed == 0 => {
            let kind = rest
                .iter()
                .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'&'))
                .count();
            if rest.get(kind) == Some(&b'=') && kind > 2 { kind + 2 } else { 1 }
        }
        [b'=' | b':', ..] => 1,
        _ => return None,
    };
    let from = gap + sign + window.get(gap + sign..)?.iter().take_while(|&&byte| byte == b' ').count();
    let quote = window.get(from).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    Some((stop + from + usize::from(quote.is_some()), quote))
}

/// `| Twilio | ops@otter.example | X |` below `| Service | Account | Value |`.
fn cell(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    const MOST_CELLS: usize = 4;
    #[rustfmt::skip]
    const TITLES: [&[u8]; 18] = [
        b"value", b"key", b"token", b"secret", b"credential", b"credentials", b"wert", b"valeur", b"valor", b"valore", b"waarde", b"api key", "schlüssel".as_bytes(), "clé".as_bytes(), b"clave", b"chiave", b"sleutel", b"klucz",
    ];
    let opens = crate::search::last_line(&text[start.saturating_sub(8)..start]).trim_ascii();
    if opens != b"|" || !text[stop..].starts_with(b" ") {
        return None;
    }
    let line = crate::search::line(text, stop, LONGEST);
    // Behind the rest of its own cell: `Hetzner DNS`.
    line.split(|&byte| byte == b'|').skip(1).take(MOST_CELLS).find_map(|cell| {
        let word = cell.trim_ascii();
        let word = word.strip_prefix(b"`").and_then(|word| word.strip_suffix(b"`")).unwrap_or(word);
        let from = crate::search::offset(text, word);
        let made = is_key(word) || value::is_hex(word) && word.len() == 32;
        let title = made.then(|| crate::table::title(text, from)).flatten()?;
        TITLES.iter().any(|own| own.eq_ignore_ascii_case(title)).then_some((from, from + word.len()))
    })
}

/// `7080,Cloudflare,prod,X,2025-11-13`: a field of its row; `dns gandi X`: of a server's certificates.
fn field(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    const MOST_FIELDS: usize = 4;
    const FEWEST: usize = 32;
    let made = |word: &[u8]| {
        let token = word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        token && word.len() >= FEWEST && digits >= 3 && chance::is_random(word)
    };
    let line = crate::search::line(text, stop, LONGEST);
    if text[..start].ends_with(b"dns ") {
        let word = line.strip_prefix(b" ")?.trim_ascii_end();
        let from = crate::search::offset(text, word);
        return (made(word) || value::is_hex(word) && word.len() >= FEWEST)
            .then_some((from, from + word.len()));
    }
    if !text[..start].ends_with(b",") || !line.starts_with(b",") {
        return None;
    }
    let word = line
        .split(|&byte| byte == b',')
        .take(MOST_FIELDS + 1)
        .find(|word| made(word) && !value::is_hex(word))?;
    let from = crate::search::offset(text, word);
    Some((from, from + word.len()))
}

/// "Piotr usa X per Algolia": what somebody uses for it.
fn used_for(text: &[u8], start: usize) -> Option<(usize, usize)> {
    #[rustfmt::skip]
    const JOINTS: [&[u8]; 9] = [b" for ", b" per ", b" pour ", b" para ", "für ".as_bytes(), b" voor ", b" with ", b" con ", b" mit "];
    #[rustfmt::skip]
    const USES: [&[u8]; 16] = [
        b"use", b"uses", b"using", b"usa", b"usiamo", b"usano", b"utilise", b"utilisons", b"nutzt", b"nutzen", b"nutze", b"gebruikt", b"gebruiken", b"usamos", b"uso", b"take",
    ];
    let before = &text[start.saturating_sub(96)..start];
    let joint = JOINTS.iter().find(|joint| before.ends_with(joint))?;
    let said = crate::search::last_line(&before[..before.len() - joint.len()]).trim_ascii_end();
    let word = said.rsplit(|&byte| byte == b' ').next()?;
    let verb = said[..said.len() - word.len()].trim_ascii_end().rsplit(|&byte| byte == b' ').next()?;
    let made = value::is_hex(word) && word.len() == 32 || is_key(word) && !value::is_hex(word);
    let from = crate::search::offset(text, word);
    (made && USES.iter().any(|own| own.eq_ignore_ascii_case(verb))).then_some((from, from + word.len()))
}

/// `<key>AgoraCertificate</key>⏎  <string>X</string>`.
fn listed(text: &[u8], stop: usize) -> Option<(usize, Option<u8>)> {
    let rest = text[stop..text.len().min(stop + 64)].strip_prefix(b"</key>")?;
    let value = rest.trim_ascii_start().strip_prefix(b"<string>")?;
    Some((crate::search::offset(text, value), None))
}

/// `= ("ID", "X")`: of two the second is the secret.
fn second(text: &[u8], from: usize) -> Option<(usize, Option<u8>)> {
    let open = text.get(from).filter(|byte| matches!(byte, b'(' | b'['))?;
    let (quote, start) = crate::quote::open(text, from + 1).filter(|(quote, _)| quote.slashes == 0)?;
    let window = &text[start..text.len().min(start + LONGEST)];
    let close = memchr::memchr2(quote.sign, b'\n', window)?;
    let rest = window[close + 1..].strip_prefix(b",")?.trim_ascii_start();
    let at = crate::search::offset(text, rest);
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
    use crate::testing::found;

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
        assert_eq!(found(&format!("BUGSNAG     := {HEX}\n")), [HEX]);
        assert_eq!(found(&format!("set `HONEYCOMB` to {HEX} in the file")), [HEX]);
        assert_eq!(found(&format!("const POSTMARK_SERVER: &str = \"{HEX}\";")), [HEX]);
        assert_eq!(found(&format!("val bugsnag: String = \"{HEX}\"")), [HEX]);
        assert_eq!(found(&format!("HONEYCOMB_TEAM = \"{HEX}\"")), [HEX]);
        assert_eq!(found(&format!("DeepL API (Pro): {HEX}\n")), [HEX]);
        assert_eq!(found(&format!("val messageBird = \"{HEX}\"")), [HEX]);
        assert_eq!(found(&format!("default['web']['bugsnag'] = '{HEX}'\n")), [HEX]);
        let forty = "98f6d44d516399fee2f66ecd02dfcc5ffef06b31";
        assert_eq!(found(&format!("export DEEPGRAM={forty}\n")), [forty]);
        assert_eq!(found(&format!("deepgram={forty}\nMY_DEEPGRAM={forty}\n")), Vec::<&str>::new());
        assert_eq!(found(&format!("val bird_message = \"{HEX}\"")), Vec::<&str>::new());
        assert_eq!(found(&format!("{{\"mySegment\": \"{HEX}\"}}")), [HEX]);
    }

    #[test]
    fn a_client_is_made_of_its_key() {
        for text in [
            "co = cohere.ClientV2(\"KEY\")",
            "const mail = new Resend('KEY');",
            "deepl.Translator(\"KEY\")",
            "$client = OpenAI::client('KEY');",
            "new \\MessageBird\\Client(\"KEY\")",
            "Mixpanel.init(\"KEY\", true)",
            "new RollbarInfrastructureConfig(\"KEY\", \"production\")",
            "require('sparkpost')('KEY')",
            "MandrillClient.new(\"KEY\")",
            "twilio('AC1f', 'KEY')",
        ] {
            assert_eq!(found(&text.replace("KEY", HEX)), [HEX], "{text}");
        }
        let forty = "98f6d44d516399fee2f66ecd02dfcc5ffef06b31";
        assert_eq!(found(&format!("let dg = Deepgram::new(\"{forty}\")?;")), [forty]);
        for text in [
            "notion.pages.retrieve(\"KEY\")",
            "postmark.NewClient(\"KEY\", \"[REDACTED:api_key:8e425dea86]\")",
            "stripe.customers.del(\"KEY\")",
            "new NotionPage(\"KEY\")",
            "sentry.Commit(\"KEY\")",
            "mixpanel.track(\"KEY\")",
            "new Resend(process.env.RESEND)",
            "OpenAI(\"gpt-4o-mini-2024-07-18\")",
            "dropbox.Dropbox(\"/Apps/Backup2026/Photos.zip\")",
        ] {
            assert_eq!(found(&text.replace("KEY", HEX)), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn members_say_what_they_are_for() {
        for role in super::ROLES {
            let role = String::from_utf8_lossy(role);
            assert_eq!(
                found(&format!("algolia: {{ appId: \"LCREC\", {role}: \"{HEX}\" }},")),
                [HEX],
                "{role}"
            );
        }
        for text in [
            "mailgun:\n  domain: mg.example.org\n  sending: KEY\nother: x\n",
            "[datadog]\nsite = \"eu\"\napi = \"KEY\"\n",
            "'pusher' => [ 'app' => '1290', 'private' => 'KEY' ]",
            "{\"algolia\": {\"appId\": \"x\", \"write\": \"KEY\"}}",
            "<key>AgoraCertificate</key>\n  <string>KEY</string>",
            "AGORA_APP_CERTIFICATE=KEY",
            "last.fm API: `KEY`",
        ] {
            assert_eq!(found(&text.replace("KEY", HEX)), [HEX], "{text}");
        }
        for text in [
            "algolia: { appId: \"KEY\", index: \"KEY\" }",
            "mailgun:\n  domain: mg.example.org\nsending: KEY\n",
            "[datadog]\nsite = \"eu\"\n[other]\napi = \"KEY\"\n",
            "<key>AgoraAppId</key>\n<string>KEY</string>",
            "cloudflare_zone = \"KEY\"",
            "notion_database: KEY",
            "the last.fm API is KEY",
        ] {
            assert_eq!(found(&text.replace("KEY", HEX)), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(found("GOTIFY=AKf3mQ9Zk7Lw2Rt\n"), ["AKf3mQ9Zk7Lw2Rt"]);
        assert_eq!(found("GOTIFY=notify.lan:8080\n"), Vec::<&str>::new());
    }

    #[test]
    fn what_may_be_known_of_an_account_stays() {
        for name in [
            "SEGMENT_ID",
            "stripeAccount",
            "sentry_release",
            "unsegmented",
            "algolia_app_id",
            "ALGOLIA_SEARCH_KEY",
            "algoliaSearch",
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
            "segment-of-the-whole-thing-2",
            "otter-6bRBa3QguO57/river-crossing20",
            "appNumber=0oabW9hntamfS96Lj69i",
        ] {
            assert_eq!(found(&format!("SEGMENT={value}\n")), Vec::<&str>::new(), "{value}");
        }
    }
}
