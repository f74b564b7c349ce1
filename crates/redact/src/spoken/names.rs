//! The names themselves: what each tongue calls a password, a key, a code. A new language is a word in each row.

use super::Sort;

/// Each name; small and capital letters beyond ASCII are spelt out.
#[rustfmt::skip]
pub(crate) const NAMES: &[(Sort, &[&str])] = &[
    (Sort::Password, &[
        "lösenfras", "salalause", "passfras", "adgangssætning", "phrase secrète", "phrase de passe", "frase de contraseña", "frase de paso", "frase secreta", "frase-passe", "frase-senha", "frase segreta",
        "wachtwoordzin", "wachtzin", "kennsatz", "heslová fráze", "jelmondat", "фраза", "Фраза",
        "clé wpa", "clé wep", "clé wi-fi", "clé wifi", "chiave wi-fi", "chiave wifi", "chiave di rete", "wifi-code", "wlan-code", "chave wi-fi", "chave do wi-fi", "chave do wifi", "chave de rede", "chave partilhada", "chave compartilhada", "klíč k wifi",
        "verify code", "einschreibeschlüssel", "einschreibschlüssel", "zugangsschlüssel", "enrolment key", "enrollment key", "clave de matriculación", "clave de inscripción", "clé d'inscription", "chiave di iscrizione", "inschrijfsleutel", "hotspot security", " ww",
        "passwort", "passwörter", "kennwort", "kennwörter", "mots de passe", "пароли", "Пароли", "zugangsdaten", "anmeldedaten", "zugang", "accès", "accesso a", "acceso a", "toegang", "dostęp", "доступ", "Доступ", "inloggegevens", "datos de acceso", "dados de acesso",
        "dati di accesso", "dane logowania", "přihlašovací údaje", "данные для входа", "Данные для входа", "giriş bilgileri",
        "inloggningsuppgifter", "innloggingsinfo", "kirjautumistiedot", "登录信息", "ログイン情報", "로그인 정보", "key content", "schlüsselinhalt",
        "mot de passe", "mdp", "identifiants", "contraseña",
        "contrasena", "credenciales", "clave", "senha", "palavra-passe", "parola", "wachtwoord", "lösenord", "adgangskode",
        "passord", "salasana", "hasło", "hasła", "heslo", "hesla", "heslem", "hasłem", "паролем", "jelszó", "lozinka", "geslo", "şifre", "Şifre", "sifre", "kata sandi",
        "mật khẩu", "Mật khẩu", "пароль", "Пароль", "пароля", "кодовое слово", "κωδικός", "Κωδικός", "סיסמה", "كلمة المرور", "كلمة السر", "كلمة مرور", "رمز عبور", "گذرواژه", "پاس ورڈ", "סיסמא", "סיסמת", "парола", "лозинка", "паролата", "slaptažod", "lykilorð", "wagwoord", "nenosiri", "kata laluan", "pasahitza", "contrasinal", "cyfrinair", "fjalëkalim", "পাসওয়ার্ড", "पासवर्ड", "รหัสผ่าน",
        "事前共有鍵", "共有鍵", "共享密钥", "共享密鑰", "chave pré-compartilhada", "chave pré-partilhada", "clé pré-partagée", "clé partagée", "clave precompartida", "clave compartida",
        "chiave precondivisa", "gedeelde sleutel", "netzwerkschlüssel", "wlan-schlüssel", "pre-shared key", "preshared key", "pre shared key", "epp code", "epp-code", "authcode", "auth-code", "auth code", "authinfo", "auth-info", "transfer code",
        "密码", "密碼", "口令", "パスワード", "パスフレーズ", "パスは", "パスって", "パスなんだっけ", "パス何だっけ", "合言葉", "kodeord", "kodeordet", "jelszav", "sandinya", "sandi wifi", "κωδικό", "parolei", "parolă", "비밀번호", "비번", "암호", "passphrase", "reset it to", "changed it to",
        "set it to", "first sign-in", "initial sign-in", "first sign in", "initial sign in", "entpacken mit", "entpackt mit", "unzip with", "extract with", "décompresser avec", "descomprimir con", "estrarre con", "uitpakken met", "app-kod", "app-kode", "applösenord", "initial login", "initial pw", "erstlogin", "keepass master", "bitwarden master", "1password master", "lastpass master", "vault master", "master is", "try again with", "try it with", "encrypted with", "protected with", "dsrm", "LAPS", "fdsk", "tamper protection", "manipulationsschutz", "verschlüsselt mit", "geschützt mit", "zip ist mit", "chiffré avec", "cifrado con", "protegido con",
    ]),
    (Sort::Key, &[
        "새 키", "api 키", "チャネルシークレット", "クライアントシークレット", "シークレットキー",
        "schlüssel", "clé", "Clé", "llave", "chave", "chiave", "sleutel", "nyckel", "klucz", "ключ", "Ключ", "токен", "Токен",
        "jeton", "belirteci", "åtkomsttoken", "zugriffstoken", "toegangstoken", "密钥", "密鑰", "令牌", "APIキー", "暗号化キー", "ネットワークキー", "トークン", "시크릿", "토큰", "API 키", "签名校验", "签名密钥", "加签", "it manually", "manual entry", "manuell eingeben", "manuellement", "manualmente", "clave secreta", "秘钥", "clave sha-256", "clave sha256", "clave de firma", "clave de cifrado", "clave de encriptación",
        "nyckeln", "nøkkel", "nøkkelen", "nøgle", "nøglen", "avain", "avaimen", "anahtar", "anahtarı", "klíč", "kľúč", "kulcs", "κλειδί",
    ]),
    (Sort::Code, &[
        "codice installatore", "codice tecnico", "code installateur", "código de instalador", "código do instalador", "código de técnico",
        "managerscode", "managercode", "manager-code", "認証番号", "digicode", "3d secure şifreniz", "clave de acceso", "clave provisional", "abholcode", "pickup code", "pick-up code", "collection code", "code de retrait", "código de recogida", "código de retirada", "codice di ritiro", "ophaalcode", "afhaalcode", "hämtkod", "hentekode", "kod odbioru", "einrichtungscode", "radio-code", "radiocode", "radio code", "code autoradio",
        "párovací kód", "kód homekit", "pair with homebridge", "homekit code", "homekit-code", "matter code", "matter-code", "setup-code", "koppelcode", "kopplungscode", "elterncode", "code d'appairage", "código de emparejamiento", "codice di associazione", "session code", "sitzungscode", "code de session", "código de sesión", "déverrouillage", "desbloqueo", "entsperrcode",
        "code from the app", "code they texted me", "code they sent me", "Ваш код", "ovikoodi on", "verification code", "one-time code", "one time code", "security code", "access code", "door code", "alarm code",
        "use code", "enter code", "enter this code", "type this code", "use this code", "enter the code", "enter the following code", "use the following code", "diesen code", "folgenden code", "ce code", "code suivant", "este código", "siguiente código", "questo codice", "seguente codice", "deze code", "volgende code", "login code", "sign-in code", "2fa code", "confirmation code", "gate code", "entry code", "sms code", "code by sms", "code from sms", "code sms", "code par sms", "código sms", "código por sms", "codice sms", "sms-code", "smskod", "sms-kod", "sms-kode", "kod sms", "kod z sms", "код из смс", "Код из смс", "код из СМС", "смс-код", "sms-код", "unlock code",
        "authentication code", "code de confirmation", "código de confirmación", "codice di conferma", "código de confirmação", "tu código", "su código",
        "votre code", "ihr code", "dein code", "tuo codice", "seu código", "je code", "uw code", "twój kod", "din kod", "ваш код", "einmalcode", "einmalpasswort", "code à usage unique", "code unique", "código de un solo uso", "código único", "codice monouso", "eenmalige code", "engangskode", "engangskoden", "engångskoden",
        "engångskod", "jednorazowy", "jednorázový kód", "tek kullanımlık", "одноразовый код", "ワンタイム", "일회용", "一次性",
        "your code", "your pin", "my pin", "the pin", "pin is", "pin for", "pin für", "pin fur", "otp is",
        "zugangscode", "türcode", "sicherheitscode", "bestätigungscode", "code d'accès", "code d’accès", "code secret",
        "code de vérification", "código de verificación", "código de acceso", "código de acesso", "codice di accesso",
        "codice di verifica", "verificatiecode", "toegangscode", "код подтверждения", "Код подтверждения", "код підтвердження", "Код підтвердження", "رمز التحقق", "קוד הכניסה", "קוד אימות", "رمز التأكيد", "код доступа", "验证码", "驗證碼",
        "確認コード", "認証コード", "暗証番号", "인증번호", "인증 코드", "combination", "duress code", "guard code", "code is",
        "nøkkelboks", "nøgleboks", "nyckelbox", "nyckelskåp", "schlüsselkasten", "haustürcode", "torcode", "deurcode", "alarmanlage", "key safe", "key box", "lockbox", "bitlocker", "alarm panel",
        "gate override", "override code", "door override", "alarm override", "master code", "engineer code", "disarm code",
        "admin code", "installer code", "manager code", "operator code", "asks for a code", "asks for the code", "code est", "code ist", "code lautet", "código es", "código é", "codice è", "koden är", "koden er",
        "portkod", "portkoden", "dörrkod", "dörrkoden", "larmkod", "larmkoden", "grindkod", "dørkode", "dørkoden", "alarmkode", "alarmkoden", "portkode",
        "código mestre", "código maestro", "code maître", "codice maestro", "código temporário", "código temporal", "code temporaire", "codice temporaneo",
        "setup code", "linking code", "código de vinculación", "código de vinculação", "codice di collegamento", "verknüpfungscode", "pairing code", "install code", "boîte à clés", "boite à clés", "caja de llaves", "sleutelkluis", "skrytka na klucze",
        "code you need to login", "code you need to log in", "2fa", "two-factor", "kombination", "combinaison", "combinazione", "combinação",
        "tor-code", "tür-code", "haustür-code", "alarm-code", "tresor-code", "aktivierungs-code", "freischalt-code", "zugangs-code", "sicherheits-code", "bestätigungs-code",
        "supervisor code", "supervisor-code", "supervisorcode", "code superviseur", "código de supervisor", "codice supervisore",
        "restore code", "code confidentiel", "código confidencial", "codice segreto", "nouveau code", "nuevo código", "nuovo codice", "neuer code", "novo código", "activation code", "bypass code", "service code", "servicecode", "clave temporal", "clave dinámica", "contraseña temporal", "user code", "duress code", "registration code", "registrierungscode", "errichtercode", "installateurcode", "technikercode", "benutzercode", "steam guard code", "host key", "webex host key", "zoom host key", "aktivierungscode", "freischaltcode", "kenncode",
        "abrufcode", "wartungscode", "technikercode", "registrierungscode", "code d'activation", "code d’activation", "code de déverrouillage",
        "code de sécurité", "code de connexion", "código de activación", "código de desbloqueo", "código de seguridad", "código de ativação", "código de desbloqueio",
        "código de segurança", "codice di attivazione", "codice di sblocco", "codice di sicurezza", "activeringscode", "inlogcode", "beveiligingscode", 
        "aktiveringskod", "sikkerhetskode", "sikkerhedskode", "säkerhetskod", "kod aktywacyjny", "kod weryfikacyjny", "код активации",
        "keypad", "padlock", "safe code", "locker code", "garage code", "panic code", "zahlenschloss", "schlüsselbox", "tresor",
    ]),
    (Sort::Codes, &[
        "codice di recupero", "código de recuperación", "código de recuperação", "código de respaldo", "code de récupération", "code de secours", "codice di backup",
        "codes left:", "ersatzcode", "reservecode", "reservkod", "reservekode", "codici di riserva", "códigos de reserva",
        "backup verification code", "emergency codes", "tan-liste", "tan liste", "itan-liste", "tan list",
        "códigos de recuperación", "códigos de recuperação", "códigos de respaldo", "wiederherstellungscode", "notfallcode",
        "codes de secours", "codes de récupération", "codici di recupero", "codici di backup", "herstelcode", "back-upcode",
        "återställningskod", "gjenopprettingskod", "kody zapasowe", "kody odzyskiwania", "коды восстановления", "резервные коды",
        "kurtarma kod", "yedek kod", "záložní kód", "obnovovací kód", "záložné kód", "biztonsági kód", "helyreállítási kód", "sicherungscode", "palautuskood", "varmuuskood", "kody awaryjne", "kody bezpieczeństwa", "backup-kod", "backupkod", "恢复代码", "备用码", "リカバリーコード", "バックアップコード", "복구 코드",
    ]),
    (Sort::Entry, &[
        "stängs av med", "larmas av med", "unscharf mit", "se désactive avec", "se desactiva con", "si disattiva con", "desativa-se com", "uitzetten met", "rozbrajasz kodem", "rozbrajany kodem", "otwiera kod",
        "öffnet mit", "öffnet sich mit", "entsperrt mit", "s'ouvre avec", "se déverrouille avec", "se abre con", "se desbloquea con", "si apre con", "si sblocca con", "gaat open met", "öppnas med", "åpnes med", "åbnes med",
        "code", "codice", "código", "kod", "kód", "koden", "koodi", "kode", "kodu", "opens with", "opened with", "unlocks with", "unlocked with", "disarmed with", "disarm with", "disarms with", "код", "Код", "κωδικός", "コード", "코드", "combinación", "קוד", "كود", "رمز",
    ]),
    (Sort::Pin, &[
        "passcode",
        "passkey", "otp", "tan", "mtan", "sms-tan", "phototan", "pin", "puk", "geheimzahl", "pinkod", "pin-kod", "pin code", "pin-code", "pincode", "pin-koodi", "пин-код", "ПИН-код", "пін-код", "ПІН-код", "пин", "ПИН", "Пин", "code pin",
    ]),
    (Sort::Network, &["wifi", "wi-fi", "wlan", "вайфай", "вай-фай", "Wi-Fi", "hotspot"]),
    (Sort::Answer, &[
        "mother's maiden name", "mother’s maiden name", "maiden name", "parents meet", "parents met", "first pet", "name of your pet", "street you grew up on", "street you grew up in",
        "city were you born", "first school", "first car", "first job", "first concert", "favorite teacher", "favourite teacher",
        "favorite color", "favourite colour", "favorite food", "favourite food", "favorite book", "favourite book", "favorite movie",
        "favourite film", "favorite team", "favourite team", "childhood nickname", "childhood friend", "childhood hero", "best friend",
        "security answer", "secret question answer", "security question answer", "answer to the secret question", "answer to the security question", "where were you born", "city of birth", "place of birth", "birthplace", "your answer", "antwoord", "antwort", "réponse", "respuesta", "risposta", "ersten haustiers", "aufgewachsen sind", "mädchenname", "erstes haustier", "geburtsort",
        "nom de jeune fille", "premier animal", "apellido de soltera", "primera mascota", "cognome da nubile", "primo animale",
        "nome de solteira", "primeiro animal", "meisjesnaam", "eerste huisdier", "девичья фамилия",
    ]),
    (Sort::Word, &[
        "memorable word", "memorable name", "codeword", "code word", "code-word", "safeword", "safe word", "secret word", "security word", "watchword", "password word", "ask for the word",
        "asks for the word", "asked for the word", "losungswort", "codewort für die leitstelle", "codewort", "kennwort am telefon", "telefonkennwort", "mot de code", "palabra clave", "parola d'ordine",
    ]),
    (Sort::Serial, &[
        "filevault", "keys for", "gift for you", "gift card", "gift code", "geschenkkarte", "carte cadeau", "tarjeta regalo", "steam key", "steam keys", "game key", "game keys", "beta key", "beta keys", "activation key",
        "productkey", "serial", "recovery-key", "security key", "licenza", "licencia", "licença", "lizenz", "licentie", "licencja", "windows key", "office key", "recovery key", "wiederherstellungsschlüssel", "clé de récupération", "clave de recuperación", "chave de recuperação", "chiave di ripristino", "chiave di recupero", "herstelsleutel", "återställningsnyckel", "gjenopprettingsnøkkel", "klucz odzyskiwania", "ключ восстановления", "回復キー", "恢复密钥", "serial number", "serial key", "product key", "cd key", "cd-key", "licence", "license", "seriennummer", "lizenzschlüssel", "lizenzen", "licenze", "licencias", "licenças", "licenties",
        "produktschlüssel", "numéro de série", "clé de licence", "clé de produit", "número de serie", "clave de producto", "chave de licença",
        "chiave di licenza", "licentiesleutel", "klucz licencyjny", "серийный номер", "лицензионный ключ", "ключ продукта", "序列号", "产品密钥",
        "プロダクトキー", "ライセンスキー",
        "licensnyckel", "licensnyckeln", "licensnøgle", "licensnøglen", "lisensnøkkel", "lisensnøkkelen", "lisenssiavain", "licenční klíč", "licenčný kľúč", "lisans anahtarı", "licenckulcs", "klucz licencji",
        "ключ лицензии", "clave de la licencia", "chave da licença", "chiave della licenza", "clé de la licence",
    ]),
    (Sort::Login, &["connect as", "melde dich", "melden sie sich", "einloggen als", "anmelden als", "logge dich", "connecte-toi", "connectez-vous", "se connecter", "inicia sesión", "iniciar sesión", "entra como", "entre como", "acesse como", "inloggen als", "log in als", "accedi come", "accedere come", "logga in som", "logg inn som", "log ind som", "zaloguj się", "zalogować się", "přihlas se", "войди", "войдите", "test account", "demo account", "testkonto", "compte de test", "compte de démo", "cuenta de prueba", "conta de teste", "login", "credentials", "anmeldung", "anmelden mit", "einloggen mit", "connexion avec", "inloggen met", "entrar com", "entrar con", "accedi con", "logga in med", "logg inn med", "войти как", "giriş için"]),
];

/// What passwords are called in English, beside those that the names' engine knows.
const ENGLISH: [&str; 14] = [
    "password",
    "passwd",
    "passcode",
    "pwd",
    "pw",
    "login",
    "wifi key",
    "codeword",
    "creds",
    "wifi?",
    "wi-fi?",
    "wlan?",
    "psk",
    "shared secret",
];

/// What only a field's label calls a secret.
const LABELS: [&str; 26] = [
    "私钥",
    "私鑰",
    "시크릿",
    "보안키",
    "salasõna",
    "parole",
    "parool",
    "contrasenya",
    "გასაღები",
    "პაროლი",
    "գաղտնաբառ",
    "гасло",
    "κωδικός πρόσβασης",
    "κλειδί",
    "מפתח",
    "palavra passe",
    "シークレット",
    "トークン",
    "秘密鍵",
    "apiキー",
    "シークレットキー",
    "密钥",
    "令牌",
    "비밀키",
    "секрет",
    "секретный ключ",
];

/// Whether a phrase of other tongues is what a password or a key is called: `Clé pré-partagée`.
pub(crate) fn is_called(value: &[u8]) -> bool {
    let sign =
        |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphabetic() && !matches!(byte, b' ' | b'-' | b'\'');
    if value.is_ascii() && !value.contains(&b' ') || value.iter().any(sign) {
        return false;
    }
    let said = String::from_utf8_lossy(value).to_lowercase();
    LABELS.contains(&said.as_str())
        || NAMES
            .iter()
            .filter(|(sort, _)| matches!(sort, Sort::Password | Sort::Key | Sort::Code | Sort::Codes))
            .any(|(_, names)| names.contains(&said.as_str()))
}

/// Names of passwords, keys and codes in all tongues.
fn secrets() -> impl Iterator<Item = &'static str> {
    let named =
        |sort: &Sort| matches!(sort, Sort::Password | Sort::Key | Sort::Code | Sort::Codes | Sort::Pin);
    let spoken =
        NAMES.iter().filter(move |(sort, _)| named(sort)).flat_map(|(_, names)| names.iter().copied());
    LABELS.into_iter().chain(spoken)
}

/// Whether this is one of them, in small letters, perhaps with an ending: `slaptažodis`.
pub(crate) fn is_name(said: &str) -> bool {
    const LONGEST_ENDING: usize = 4;
    secrets().any(|name| {
        said == name
            || name.len() >= 6
                && !name.contains(' ')
                && said.strip_prefix(name).is_some_and(|ending| ending.len() <= LONGEST_ENDING)
    })
}

/// Whether one of them stands in what is said.
pub(crate) fn names_within(said: &str) -> bool {
    const SHORTEST: usize = 5;
    secrets().any(|name| name.len() >= SHORTEST && said.contains(name))
        || ["api", "token", "pin", "sms", "mfa", "password"].iter().any(|name| said.contains(name))
}

/// Every name of a password, in small letters.
pub(super) fn passwords() -> impl Iterator<Item = &'static str> {
    let spoken =
        NAMES.iter().filter(|(sort, _)| *sort == Sort::Password).flat_map(|(_, names)| names.iter().copied());
    ENGLISH.into_iter().chain(spoken.filter(|name| !name.ends_with(" it to") && !name.ends_with("with")))
}
