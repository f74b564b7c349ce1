//! What is found and yet no secret, whatever its name: known to everybody by its form, or (`around`) by what stands
//! around it.

mod around;
mod beside;
mod bundled;
mod code;
mod forms;
mod headers;
mod ids;
mod kinds;
mod label;
mod placed;
mod said;
mod torn;
mod which;
mod written;
pub(crate) use self::beside::SEE;
pub(crate) use self::ids::is_release;
pub(crate) use self::label::is_label;

/// Nothing but an example's web token is longer.
const LONGEST: usize = 256;

/// Whether what stands at `start..end` was found and is yet no secret.
pub(crate) fn is_harmless(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    is_known(value)
        || value.len() <= LONGEST
            && (code::says_so(text, start, value)
                || headers::says_so(text, start, value)
                || crate::view::is_lead(text, start, end))
        || around::says_so(text, start, end)
        || bundled::says_so(text, start, end)
        || torn::says_so(text, start, value)
}

/// Whether it is told by where it stands that it is none. No question for what has the form of a key.
pub(crate) fn is_by_place(text: &[u8], start: usize, end: usize) -> bool {
    placed::says_so(text, start, end)
        || bundled::is_union(text, start, end)
        || bundled::is_module(text, start, end)
}

/// What is found and yet no secret, whatever its name: an account's number, a wallet's address, what documentation
/// has for everybody.
fn is_known(value: &[u8]) -> bool {
    const EXAMPLES: [&[u8]; 3] = [
        b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        b"AKIAIOSFODNN7EXAMPLE",
        b"sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    ];
    if EXAMPLES.iter().any(|example| value.ends_with(example)) {
        return true;
    }
    if value.len() > LONGEST {
        return false;
    }
    // Most values have few signs, and are not asked what only is with them.
    let signs = crate::search::sorts(value, &SIGNS);
    ids::is(value, signs)
        || written::is(value, signs)
        || said::is(value, signs)
        || kinds::is(value)
        || forms::is(value)
}

/// Signs of which values that are known by their form have one or another.
const DASH: u8 = 1;
const DOT: u8 = 2;
const SLASH: u8 = 4;
const COLON: u8 = 8;
const LIST: u8 = 16;
const BLANK: u8 = 32;
const FOREIGN: u8 = 64;
const JOINT: u8 = 128;
const SIGNS: [u8; 256] = {
    let (mut table, mut byte) = ([FOREIGN; 256], 0_u8);
    while byte < 128 {
        table[byte as usize] = match byte {
            b'-' => DASH,
            b'.' => DOT,
            b'/' => SLASH,
            b':' => COLON,
            b',' | b'|' | b'*' | b'+' => LIST,
            b' ' => BLANK,
            b'_' => JOINT,
            _ => 0,
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::is_known;
    use super::written::{MECHANISMS, METHODS};

    #[test]
    fn what_is_known_by_its_form() {
        let mechanisms = MECHANISMS.iter().map(|word| std::str::from_utf8(word).unwrap_or_default());
        for value in mechanisms.chain([
            "SCRAM-SHA-256-PLUS",
            "1:4.13+dfsg1-1+deb12u1",
            "2.10.1-2+deb13u1",
            "2.0.0.post1",
            "16.0.1.0.0.7",
            "i-1234567890abcdef0",
            "vpc-1a2b3c4d",
            "all*tokens*updated*well",
            "localhost:22",
            "$6$redacted",
            "deploy@cdn:/srv/www/",
            "\\u0000",
            "generate-with-openssl-rand",
            "/etc/app/wlan.conf:",
            "one-time-code",
            "水獭体系、JWT、OAuth2",
            "otter-bridges.html#river-get-login",
            "#TODO",
            "2026-10-21",
            "openriver/otter/otter3-32b",
            "nToken+1",
            "x-redacted",
            "fs.s3.cse.otterMaterialsRiver",
            "my-value-2",
            "12,440",
            "node-modules-Otter-x64-be41b83c83748fd5c77041f74d935a0d8026bdc62232a2154b18a13f69f96ae7",
            "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZwo=",
            "required|string|min:12|confirmed",
            "SHA256:vnBXCFuZp5cwGt3BkwwQjnAveGScqNG40iVgNFHi0nU",
            "8자 이상 입력하세요",
            "S3_OTTER_KEY=",
            "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9",
            "$argon2i$v=19$m=65536,t=16,p=1$",
            "如何读懂市场周期并把握投资节奏",
            "Clé pré-partagée",
            "Bestätigungscode",
            "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111",
            "7f1b02640000000000000000000000000000000000000000cccccccccccccccc",
            "3c:84:6a:12:f0:9e",
            "Europe/Oslo",
            "America/Argentina/Buenos_Aires",
            "base32",
            "none needed",
            "hmac-sha256:5f01292149465cd6a44090497486aaaa531c5a31da0512f4772469987653824a",
            "/otter@sha256:fddb22a1608182c77fea9789c5a7cad6b710ae6b9a858637e4f6d84ac27507ce",
            "SNYK-JS-OTTER-2840631",
            "VGhlIGtleSB0byBhIGdvb2Qgcmlzb3R0byBpcyBwYXRpZW5jZS4K",
            "ann,5E1F7C02-9A4B-4D83-A6E0-2B1C9D8F3370",
            "v3-Linux-X64-pnpm-",
            "yarn-macOS-5d1f0a7c92be",
            "v3-Linux-X64-pnpm-d0cee05b50ac6697640953cca3bbd3516c79bc72e4703bfb66f2e71019be969f",
            "/nix/store/mbzkvln28a7jfzkch03n4vxh6rh0h3g0-pass-1.7.4",
            "спросить у Марины",
            "sha256:9119768edefd3a98126be9d51d2e5829c19d9ab5cef5701e7c741b6222939a0a",
            "/zipball/f1eac51ebaccea98dac5eaf6b62d136ad512ebc1",
            "ENC[AES256_GCM,data:s7YEirk9,iv:D50duH+S,tag:+xcpmzYs,type:str]",
        ]) {
            assert!(is_known(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_only_looks_alike_is_not_known() {
        for value in [
            "12.11.1987",
            "1.2.otter",
            "4711-0815-12",
            "i-otter!7",
            "2*otter*river*",
            "localhost:2x",
            "NTLM7",
            "generate7openbsd",
            "/etc7otter",
            "otter@7!:/bridge",
            "otter.html5",
            "#Otter",
            "2026-10-2x",
            "otter/river/9f7d1c2ab0417fd3e6a55c20",
            "otter+1",
            "redacted7",
            "Otter.con.River7",
            "otter.to.river",
            "my-otter-2",
            "12,44",
            "acme-live-be41b83c83748fd5c77041f74d935a0d8026bdc62232a2154b18a13f69f96ae7",
            "otter|River|min:12",
            "SHA256:otter",
            "otter12<",
            "river/otter/stone",
            "page.html?sig=k8vLm2ZpXt9Rk7Wd3Yb5",
            "OTTER7RIVER=",
            "eyJhbGciOiJSUzI1NiJ9.eyJvdHRlciI6MX0.c2ln",
            "$otter$River$",
            "水獭的河",
            "Clé pré-partagée7",
            "a1b2c3d4-5678-90ab-cdef-111111111111",
            "7f1b02640000b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5cccccccc1234",
            "3c:84:6a:12:f0:otter",
            "Europe/otter",
            "River/Oslo",
            "base32otter",
            "none needed7",
            "none shall pass",
            "ask the blue heron",
            "frag den Otter7",
            "c2V2ZW4gcXVpZXQgb3R0ZXJzIHdhZGUgaW4gbWF5",
            "SNYK-otter!7",
            "YW5uOm90dGVyIHJpdmVyIHN0b25lIG1hcGxlIDc=",
            "Ann,otter-river",
            "v3-otter-river-",
            "spring otter",
            "sha256:otter",
            "/otter/f1eac51ebaccea98dac5eaf6b62d136ad512ebc1ff",
            "ENC[otter]",
        ] {
            assert!(!is_known(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_known_to_everybody() {
        for method in METHODS {
            assert!(is_known(method.to_uppercase().as_bytes()), "{method}");
        }
    }

    #[test]
    fn objects_of_a_shop_are_known() {
        assert!(is_known(b"evt_1QzX83LkdIwHu7ix9AbCdEfG"));
        assert!(!is_known(b"sk_1QzX83LkdIwHu7ix9AbCdEfG"));
    }
}
