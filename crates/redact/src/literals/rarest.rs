//! Which bytes of a literal to look for: those that few texts have.

use std::cmp::Reverse;

use super::grams::{SMALL, WORDS, four as place};

/// Bytes of texts, the most frequent first; all others are rarer.
const COMMON: &[u8] = b" e-tainorslcdumphfgb=_.\nyvw0/k,:\"()1x'2q3j4z5";
/// Parts of words that are more frequent than their bytes, four bytes each. Which are listed changes how fast literals
/// are found, and not what is found.
#[rustfmt::skip]
const PARTS: [&[u8; 96]; 11] = [
    b"codewordwith\": \"cont forusertest codring key youokenlockhttpportlistthisvalu-keyverssignhis cryp",
    b" = \" comrypttheryou workode \": {com/implfauluse passquesconfoperccescessrsiosionionsservsingheck",
    b"tokemporbackefaudefaaulttablssioutputarg worotheher numbumbember_tokstarhe pe\\\": = [kens\":{\"link",
    b"builhereblocmarkopenmandncodontrquirrequequiacceyouroversyncnew( lisauthnfigcodipythckagpacktack",
    b"ore: reqmoduypestyperityt\":\"_pro numsafefirsreseult inexjson\", \"utilhangchan acckeysr co conused",
    b"execreso_key/devext(repokey permshowy ofwher://ds://ps:/staclogioducctivplict is is currd byfied",
    b"ed bd wied w witprotctedpushurreativprodprimrrenrent warkey_projviewreplst pirstst cliceconvnver",
    b"app_set t tocurionvevertsecuecurppliapplhomessisroduimalorksrvicviceerviecod_patmpliamplplitt us",
    b" usesimp tokbitstampstamrst veriificficaoolstoolcity_secprivn fologgncry1000ckedocke\nconpickalig",
    b"answswernswerootsswosworasswfindis pepor-proxpormaildev/ss og cong cervay costryre ipaddshotging",
    b"connecks-codignashartifyapi_utorlaimclaiansfked gnaldifyclussplicustersen listomustomaskharee us",
];

/// How rare each byte is.
static RARE: [u8; 256] = {
    #[allow(clippy::cast_possible_truncation, reason = "few bytes")]
    let mut rare = [COMMON.len() as u8; 256];
    let mut at = 0;
    while at < COMMON.len() {
        #[allow(clippy::cast_possible_truncation, reason = "few bytes")]
        let rank = at as u8;
        rare[COMMON[at] as usize] = rank;
        rare[COMMON[at].to_ascii_uppercase() as usize] = rank;
        at += 1;
    }
    rare
};

/// The places of the parts, a bit each.
static FREQUENT: [u64; WORDS / 64] = {
    let mut frequent = [0; WORDS / 64];
    let mut at = 0;
    while at < PARTS.len() {
        let mut part = PARTS[at].as_slice();
        while let Some((four, rest)) = part.split_first_chunk() {
            let place = place(u32::from_le_bytes(*four) | SMALL);
            frequent[place / 64] |= 1 << (place % 64);
            part = rest;
        }
        at += 1;
    }
    frequent
};

/// Where the rarest four bytes of `text` begin.
pub(super) fn four(text: &[u8]) -> u8 {
    let rarest = text.array_windows().enumerate().max_by_key(|(at, four)| {
        let place = place(u32::from_le_bytes(**four) | SMALL);
        let rare = four.iter().map(|&byte| u32::from(RARE[usize::from(byte)])).sum::<u32>();
        (Reverse(FREQUENT[place / 64] >> (place % 64) & 1), rare, Reverse(*at))
    });
    rarest.map_or(0, |(at, _)| u8::try_from(at).unwrap_or(0))
}
