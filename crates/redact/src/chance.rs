//! A sense of what a random value looks like.
//!
//! Not Shannon's entropy of one value (a short password has little, a long word has much), but how
//! surprising a value is to somebody who knows how words and identifiers are spelt: letter pairs
//! cost what they cost in fifty million letters of source code and documentation, and changes of
//! class cost extra. A word costs some 3 bits a character, a random string more than 5.

/// Cost of a letter (column) after a letter (row; the last row is the start of a word), in quarter
/// bits above `'0'`.
const PAIRS: [&[u8; 26]; 27] = [
    br"QDAAPLFUC[F=B;ZD]<>:FIPOIW",
    br"?LBK<MEQ<GU<KU?LWBBK;W]I?U",
    br">NBN=IW<EWA@MT8LZCJ=ENYFJW",
    br"=HK?6LPH;ORFMP>N]ECICQTWJd",
    br"BHA>EDISN\Q@C<PGK:<?TGFCK\",
    br"@PLJ?@G`8ibCKC:Ra>GD?\Z[Jl",
    br"EQDL7QJA>Ub@F>@H]@BE@TQ^QP",
    br"9RXQ5Y[W=]XPLP>M[CN?EaQhPd",
    br"DA@EEDCbWZJ@C8?I]G><PGMGcG",
    br"8PIQ9TTTAUNKJN:IRQDJ;\C`Wb",
    br">PMK4OEP>bVFRFCJ[H=HCUJ_Q\",
    br">QRC9BQ\9^S>TU>MaSBACQR_CW",
    br"9ENI9YU\>]SDBP=;_XEJBW]YLe",
    br"@S?<<D<TBWHIQJ?K\U=;DJR[JY",
    br"JIBBOAJVKTHD=9FBi:CBAEDSYZ",
    br";XLG<PKICkJ>TK>A\;C?@[ZWCS",
    br"IRJTEUW[HchGQITSWFFL1SX[jX",
    br"=QDF7NBX=hIMED=OaC@AEMQbDa",
    br"CWFP8PSC>\LEKMACVJ?8@SQ_F\",
    br"?XHI:OX:<]TJHV=I`>BDE\MODV",
    br"GADGAHF^AbU?A;P@l<<<U\_K`U",
    br"9WLV4VOY;bXSLPDJcLMMVYZOR_",
    br":SPO=VV;7aNKQC?V^?DRVZI[\b",
    br"@R@M>JRO@iTNFYJ;^O;9MSZ;OP",
    br"EJHPDRLQEeSAB@>9]@:;KSI]TL",
    br"?QSI4RLJAOXFH9CZ\WBWR_WaJH",
    br"?B>AC@EF?MMBBDBASB>=DHENRN",
];

/// What one byte is, as far as spelling goes: a small letter (0 to 25), a capital (26 to 51), a digit (52 to 61) or:
const JOINT: u8 = 62;
const SYMBOL: u8 = 63;
const CODES: usize = 64;

const CODE: [u8; 256] = {
    let mut table = [SYMBOL; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'z' => byte - b'a',
            b'A'..=b'Z' => byte - b'A' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'_' | b'-' | b'.' | b' ' | b'/' | b':' => JOINT,
            _ => SYMBOL,
        };
        byte += 1;
    }
    table
};

/// What a byte costs behind another, in quarter bits: one look a byte, in rows of what stands before.
static COSTS: [u8; CODES * CODES] = {
    let mut table = [0; CODES * CODES];
    let mut both = 0;
    while both < table.len() {
        table[both] = cost(both / CODES, both % CODES);
        both += 1;
    }
    table
};

#[allow(clippy::cast_possible_truncation, reason = "less than 64")]
const fn cost(before: usize, now: usize) -> u8 {
    match now as u8 {
        0..52 => letter_cost(before, now),
        52..62 => digit_cost(before, now),
        JOINT => 6,
        _ => SYMBOL_COST,
    }
}

/// Cost of a letter, given what stands before it.
const fn letter_cost(before: usize, now: usize) -> u8 {
    match before {
        // `Pa` opens a word for nothing; `aP` opens the next one; `PaSS` costs each time.
        0..26 if now >= 26 => PAIRS[26][now % 26] - b'0' + 6,
        0..52 => PAIRS[before % 26][now % 26] - b'0',
        52..62 => PAIRS[26][now % 26] - b'0' + 7,
        _ => PAIRS[26][now % 26] - b'0' + 1,
    }
}

const fn digit_cost(before: usize, now: usize) -> u8 {
    match before {
        52..62 if now == before || now == before + 1 => 4,
        52..62 => 13,
        0..52 => 20,
        _ => 14,
    }
}

const SYMBOL_COST: u8 = 18;
/// The same sign again.
const REPEATED_COST: u8 = 2;

/// How surprising `value` is, in bits.
pub(crate) fn bits(value: &[u8]) -> u32 {
    crate::work::read(value.len());
    let mut quarters = 0;
    let (mut before, mut last) = (JOINT, 0);
    for &byte in value {
        let now = CODE[usize::from(byte)];
        // Few bytes are signs, so this is guessed well.
        let cost = match now {
            SYMBOL if byte == last => REPEATED_COST,
            _ => COSTS[(usize::from(before) * CODES + usize::from(now)) % COSTS.len()],
        };
        quarters += u32::from(cost);
        (before, last) = (now, byte);
    }
    quarters / 4
}

/// Tenths of a bit a character.
pub(crate) fn density(value: &[u8]) -> u32 {
    if value.is_empty() {
        return 0;
    }
    // Past a few hundred bytes more evidence changes nothing, and the cost should stay flat.
    let sample = &value[..value.len().min(512)];
    bits(sample) * 10 / u32::try_from(sample.len()).unwrap_or(u32::MAX)
}

/// Whether nobody would have written this by hand: long and surprising.
pub(crate) fn is_random(value: &[u8]) -> bool {
    let sample = &value[..value.len().min(512)];
    let bits = if value.len() >= 10 { bits(sample) } else { 0 };
    bits >= 50 && bits * 10 / u32::try_from(sample.len()).unwrap_or(u32::MAX) >= 45
}

/// `7MK8K-GJDMH-8YRKF-KF8M8-9JWC7`: groups of as many capitals and digits, as vendors print their keys.
pub(crate) fn is_product_key(value: &[u8]) -> bool {
    // Four groups of four, and what joins them.
    if value.len() < 19 {
        return false;
    }
    // `ACME-8XK2Q-PPLM3-44TRW-XC81Z`: whose it is stands first.
    let head = value.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let rest = value.get(head + 1..).unwrap_or_default();
    let named = (2..=8).contains(&head)
        && value.get(head) == Some(&b'-')
        && rest.len() >= 23
        && rest.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 4;
    is_in_groups(value) || named && is_in_groups(rest)
}

fn is_in_groups(value: &[u8]) -> bool {
    let mut groups = value.split(|&byte| byte == b'-');
    let long = groups.next().map_or(0, <[u8]>::len);
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    (4..=6).contains(&long)
        && value.len() >= 4 * (long + 1) - 1
        && groups.all(|group| group.len() == long)
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'-')
        && digits >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_printed_in_groups() {
        assert!(is_product_key(b"8XK2-PPLM-44TR-XC81"));
        assert!(is_product_key(b"ACME-8XK2Q-PPLM3-44TRW-XC81Z"));
        assert!(!is_product_key(b"ISO-8859-2022-1234-5678"));
        assert!(!is_product_key(b"ACME-8XK2Q-PPLM3"));
    }

    #[test]
    fn words_and_identifiers_are_not_random() {
        for word in [
            "Ed25519PrivateKey",
            "make_password_hasher",
            "accessTokenSecretProvider",
            "correct-horse-battery-staple",
            "application/octet-stream",
            "PKCS7PrivateKeyTypes",
            "kube-system-default-token",
            "AuthenticationManagerBuilder",
        ] {
            assert!(
                !is_random(word.as_bytes()),
                "{word} {} {}",
                bits(word.as_bytes()),
                density(word.as_bytes())
            );
        }
    }

    #[test]
    fn generated_values_are_random() {
        for value in [
            "aghoh8oubu1obin9Cagae0u",
            "kAqFdvmKlgzG628xgkCl4sC9abPbEKllfAFmf",
            "2e570ead545ddd9a50eee8f55b85d40c",
            "w1zQKhicZy2grZs",
            "gldt-uH6oW6vZGxaDAaPrKKjY",
            "xqzvbnwplkjhgfdqwrtz",
        ] {
            assert!(
                is_random(value.as_bytes()),
                "{value} {} {}",
                bits(value.as_bytes()),
                density(value.as_bytes())
            );
        }
    }
}
