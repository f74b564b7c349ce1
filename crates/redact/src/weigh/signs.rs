//! The weights, in hundredths of a natural logarithm of odds: what each sign adds to the sum.

macro_rules! signs {
    ($($(#[$says:meta])* $sign:ident: $weight:literal,)*) => {
        /// What may be seen of a name, a value and what lies between.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Sign { $($(#[$says])* $sign,)* }

        const WEIGHTS: &[i16] = &[$($weight,)*];
        pub(crate) const SIGNS: &[Sign] = &[$(Sign::$sign,)*];
    };
}

pub(super) const fn weight(sign: Sign) -> i32 {
    WEIGHTS[sign as usize] as i32
}

signs! {
    /// What every pair begins with.
    Always: -675,
    NamePassword: 289,
    NamePhrase: 363,
    NameSecret: 140,
    NameApiKey: 0,
    NameToken: -28,
    NameKey: -132,
    NameSession: -293,
    NameAuth: -49,
    NameCode: 448,
    NamePin: 154,
    NameShouts: 141,
    NameCamel: -119,
    NameTitled: -256,
    NameFlag: 155,
    NameJoined: -35,
    NameQuoted: -47,
    /// `pass`, `code`, `auth`: words of many meanings.
    NameVerb: -82,
    /// The sign right before the value.
    ByEquals: 11,
    ByEqualsTight: 271,
    ByColon: 86,
    ByColonTight: 119,
    ByArrow: 0,
    ByBlank: 80,
    ByComma: 0,
    ByBar: 0,
    ByTag: 341,
    ByBreak: 237,
    ByParen: -126,
    ByDash: 0,
    /// `is`, `lautet`, `to`.
    ByCopula: 0,
    /// `and`, `or`, `with`, `the`.
    ByParticle: -179,
    WordsNone: -127,
    WordsOne: -311,
    WordsFew: -251,
    LinesOne: -288,
    ValueLabelPassed: 417,
    SpeakerPassed: -477,
    ValuePassed: 199,
    /// The only word of its line.
    Alone: 422,
    EndsLine: 166,
    EndsCall: 151,
    LineOpens: 2,
    LineSettings: 183,
    LineCode: 0,
    LineDense: -128,
    LineQuery: 279,
    LinePairs: 63,
    LineUser: 73,
    LineHost: 0,
    Quoted: 140,
    Long4: -437,
    Long6: -332,
    Long8: -30,
    Long12: 49,
    Long20: -54,
    Long32: 88,
    Long64: 111,
    DigitsOnly: 278,
    TitleOnly: 124,
    OneDigit: 39,
    FewDigits: 7,
    ManyDigits: 200,
    DigitsAtEnd: 229,
    DigitsInside: 17,
    Turns: 57,
    OneSymbol: 103,
    Bang: 172,
    Dashes: 0,
    Underscores: -189,
    Dots: -155,
    Slashes: -144,
    Blanks: -500,
    Padding: -183,
    Brackets: -143,
    Dense30: -187,
    Dense42: -94,
    Dense48: 107,
    Dense54: 417,
    Bits30: -155,
    Bits40: -56,
    Bits50: 26,
    Bits70: 35,
    Hex: -323,
    HexOfKey: 41,
    HexOfDigest: -90,
    Leet: 62,
    Chosen: 145,
    Joined: 101,
    Jargon: -224,
    Path: -494,
    Identifiers: 88,
    NamesItself: -576,
    Number: 240,
    Phrase: 170,
    /// A password's name and nothing between.
    PasswordDirect: 174,
    TokenDirect: -163,
    DirectRandom: -194,
    BarePlainCode: -282,
    FirstWordAfter: 66,
}

/// What two signs say together, beyond what each says.
pub(super) const PAIRS: &[(Sign, Sign, i16)] = &[
    (Sign::Long64, Sign::PasswordDirect, -464),
    (Sign::ByColon, Sign::TokenDirect, 319),
    (Sign::Long32, Sign::TokenDirect, 469),
    (Sign::ManyDigits, Sign::PasswordDirect, -444),
    (Sign::Quoted, Sign::Blanks, 524),
    (Sign::NameTitled, Sign::BarePlainCode, 400),
    (Sign::LineHost, Sign::Leet, 369),
    (Sign::Underscores, Sign::DirectRandom, 372),
    (Sign::LineUser, Sign::Long64, 272),
    (Sign::FewDigits, Sign::Bits30, 385),
    (Sign::Quoted, Sign::Dense42, 290),
    (Sign::NameTitled, Sign::Jargon, 235),
    (Sign::LineOpens, Sign::Dense30, 208),
    (Sign::Long8, Sign::Blanks, -493),
    (Sign::Dense42, Sign::PasswordDirect, 246),
    (Sign::NameCamel, Sign::EndsLine, -225),
    (Sign::NameTitled, Sign::PasswordDirect, 203),
    (Sign::LineOpens, Sign::Long4, 205),
    (Sign::Long64, Sign::Dashes, 382),
    (Sign::NameAuth, Sign::Long20, 364),
    (Sign::NamePin, Sign::Jargon, 496),
    (Sign::NameVerb, Sign::LineOpens, 189),
    (Sign::ByEqualsTight, Sign::PasswordDirect, 272),
    (Sign::NameToken, Sign::Long20, 222),
];
