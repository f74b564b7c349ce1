//! What headers of C and C++ have where a secret should stand: types, macros, names of what they define.

use crate::search::has;

/// Whether `value`, or what stands around it, is of such a header.
pub(super) fn says_so(text: &[u8], start: usize, value: &[u8]) -> bool {
    let end = start + value.len();
    is_defined_so(text, start, value)
        || is_pass(text, start, value)
        || is_type(text, start, end)
        || is_call_through(value)
        || is_named_constant(value)
        || is_modulation(value)
        || value.len() == 8 && value.iter().all(|byte| matches!(byte, b'0' | b'1' | b'x'))
        // `log_verbose("PASS: …")`.
        || text[..start].ends_with(b"(\"PASS: ")
}

/// `#define SN_kx_dhe_psk "KxDHE-PSK"`: the name's own last words.
fn is_defined_so(text: &[u8], start: usize, value: &[u8]) -> bool {
    let before = text[..start].strip_suffix(b"\"").unwrap_or_default();
    // Hot path: most quotes are not opened behind blanks.
    if !matches!(before.last(), Some(b' ' | b'\t')) || value.len() > 40 {
        return false;
    }
    let line = crate::search::last_line(&before[before.len().saturating_sub(96)..]);
    let name = line.strip_prefix(b"#define ").map(<[u8]>::trim_ascii).unwrap_or_default();
    let letters = |word: &[u8]| -> Vec<u8> {
        word.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    !name.is_empty() && letters(name).ends_with(&letters(value))
}

/// `FUNCTION_PASS("lower-constant-intrinsics", LowerConstantIntrinsicsPass, ())`: a compiler's.
fn is_pass(text: &[u8], start: usize, value: &[u8]) -> bool {
    text[..start].ends_with(b"_PASS(\"")
        && value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
        && has(crate::search::line(text, start + value.len(), 64), b"\", ")
}

/// `IRSB*(*final_tidy)(IRSB`: a function that is pointed to.
fn is_call_through(value: &[u8]) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let opened = crate::search::find(value, b"(*").map(|at| &value[at + 2..]);
    opened.is_some_and(|rest| {
        let long = rest.iter().take_while(|byte| name(byte)).count();
        long >= 3
            && rest[long..].starts_with(b")(")
            && value.iter().all(|byte| name(byte) || b"(*)".contains(byte))
    })
}

/// `struct kvm_s390_psw`, `(P11KitIter *iter)`, `SmallVector<Pass *, 16> HigherLevelAnalysis;`, `: PassInfoMixin<GVNPass>`.
fn is_type(text: &[u8], start: usize, end: usize) -> bool {
    let (value, before) = (&text[start..end], &text[..start]);
    let name = value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let camel = name
        && value.first().is_some_and(u8::is_ascii_uppercase)
        && value.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 2;
    let kind = [&b"struct "[..], b"enum ", b"union ", b"class "].iter().any(|kind| before.ends_with(kind));
    let pointer = || {
        let rest = &text[end..text.len().min(end + 4)];
        rest.starts_with(b" *") && rest.get(2).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'*')
    };
    let of_pass = || {
        let line = crate::search::last_line(&before[before.len().saturating_sub(96)..]);
        [&b"Pass *,"[..], b"Pass(bool", b"RegisterPass<"].iter().any(|own| has(line, own))
    };
    let mixin = value.ends_with(b"Pass") && has(value, b"Mixin<");
    // `lmnewowfpassword : *const LM_OWF_PASSWORD`.
    name && (kind || text[end..].starts_with(b" : *"))
        || camel && (before.ends_with(b"(") && pointer() || of_pass())
        || mixin
        || name && (before.ends_with(b"-debug-pass=") || value == b"template" && of_pass())
}

/// `%NL80211_ATTR_SAE_PASSWORD`, `fts5YY_MAX_SHIFT`: a constant, as remarks point to it, and behind whose it is.
fn is_named_constant(value: &[u8]) -> bool {
    let loud = |part: &[u8]| part.len() >= 3 && part.iter().all(u8::is_ascii_uppercase);
    let mut parts = value.split(|&byte| byte == b'_');
    let own = parts.next().is_some_and(|own| own.len() <= 8 && own.ends_with(b"YY"));
    if own && parts.clone().count() >= 2 && parts.all(loud) {
        return true;
    }
    value.strip_prefix(b"%").is_some_and(|name| {
        name.contains(&b'_')
            && name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
    })
}

/// `8-PSK`: how a signal is keyed.
fn is_modulation(value: &[u8]) -> bool {
    let points = value.strip_suffix(b"-PSK").or_else(|| value.strip_suffix(b"PSK"));
    points.is_some_and(|points| (1..=3).contains(&points.len()) && points.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn headers_are_no_values() {
        for text in [
            "#define SN_kx_dhe_psk           \"KxDHE-PSK\"\n#define LN_auth_psk             \"auth-psk\"\n#define SSL_TXT_aPSK \"aPSK\"\n",
            "#define SN_id_it_revPassphrase          \"id-it-revPassphrase\"\n",
            "FUNCTION_PASS(\"lower-constant-intrinsics\", LowerConstantIntrinsicsPass, ())\n",
            "#define KVM_S390_SET_INITIAL_PSW  _IOW(KVMIO,  0x96, struct kvm_s390_psw)\n",
            " * The password for SAE should be specified using %NL80211_ATTR_SAE_PASSWORD in\n",
            " * @PSK_8:\t8-PSK modulation\n",
            "MachineFunctionPass *createResetMachineFunctionPass(bool EmitFallbackDiag,\n",
            "SmallVector<Pass *, 16> HigherLevelAnalysis;\n",
            "/// sPassDebuggingExecutionsOrMore - Return true if -debug-pass=Executions\n",
            "struct GVNHoistPass : PassInfoMixin<GVNHoistPass> {\n",
            "extern void VG_(needs_final_IR_tidy_pass) ( IRSB*(*final_tidy)(IRSB*) );\n",
            "P11_KIT_TOKEN_INFO *   p11_kit_iter_get_token   (P11KitIter *iter);\n",
            "lmold : *const LM_OWF_PASSWORD, lmnewowfpassword : *const LM_OWF_PASSWORD, ntold : bool",
            "**    fts5YYNFTS5TOKEN           Number of terminal symbols\n**    fts5YY_MAX_SHIFT       Maximum value\n",
            "/* SQLITE_AUTH        */ \"authorization denied\",\n",
            "log_verbose(\"PASS: MessageFormat successful on Select test#1\\n\");\n",
            "    UNWIND_OPCODE_POP_RA_AUTH_CODE = 0xb4,\n\n    // Format: 10110001 0000xxxx\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_looks_alike_leaves() {
        for (text, secret) in [
            ("#define WIFI_PSK \"otter-river-12\"\n", "otter-river-12"),
            ("#define WIFI_PSK    \"Otter-PSK-12\"\n", "Otter-PSK-12"),
            ("MAIL_PASS(\"Otter!Bridge5\")\n", "Otter!Bridge5"),
            ("password: 8-PSKotter!\n", "8-PSKotter!"),
            (
                "SECRET_KEY = 'lg4&+b(*^b67u4yhv9()vzi@%8mdy)fxp)f2a16t78g04fdjzx'\n",
                "lg4&+b(*^b67u4yhv9()vzi@%8mdy)fxp)f2a16t78g04fdjzx",
            ),
            ("{\"note\":\"PASS: Otter!Bridge5\"}", "Otter!Bridge5"),
            ("MAIL_PASS(\"Otter7-Bridge\", ann)\n", "Otter7-Bridge"),
            ("password: blue_HOUSE_TREE7\n", "blue_HOUSE_TREE7"),
            ("password: river_OTTER_LAMP\n", "river_OTTER_LAMP"),
            ("USER: ann\nPASS: Otter!Bridge5\n", "Otter!Bridge5"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }
}
