//! Every way to write a setting, with every sort of name and of value: what one of them hides the others must hide too.
//!
//! To add a way to write one, a name or a value, add its line. `{n}` is the name, `{v}` the value.

use redact::scan;

/// How programs, people and languages give a name its value.
#[rustfmt::skip]
const WAYS: &[&str] = &[
    "{n}={v}", "{n}=\"{v}\"", "export {n}='{v}'", "{\"{n}\": \"{v}\", \"x\": 1}", "\"{\\\"{n}\\\":\\\"{v}\\\"}\"", "{n}: {v}\nb: 1", "{n}: \"{v}\"\n", "- name: {n}\n  value: \"{v}\"\n",
    "    - {n}={v}\n", "{n} = \"{v}\"\n", "[a]\n{n} = {v}\nb = 1\n", "app.{n}={v}\n", "<x {n}=\"{v}\" b=\"1\"/>", "<add key=\"{n}\" value=\"{v}\" />", "<entry key=\"{n}\">{v}</entry>",
    "<property><name>{n}</name><value>{v}</value></property>", "<key>{n}</key>\n<string>{v}</string>", "connect(host=\"a\", {n}=\"{v}\", port=1)", "d = {'{n}': '{v}', 'b': 1}", "cfg[\"{n}\"] = \"{v}\"\n",
    "os.environ.setdefault(\"{n}\", \"{v}\")\n", "const {n} = \"{v}\";", "{ host: 'a', {n}: '{v}' }", "private {n}: string = \"{v}\";", "{n} := \"{v}\"", "let {n} = \"{v}\";", "const {n}: &str = \"{v}\";",
    "public static final String {n} = \"{v}\";", "props.setProperty(\"{n}\", \"{v}\");", "public string {n} { get; set; } = \"{v}\";", "val {n}: String = \"{v}\"", "$config['{n}'] = '{v}';", "'{n}' => '{v}',",
    "define('{n}', '{v}');", ":{n} => \"{v}\",", "my ${n} = '{v}';", "config :a, {n}: \"{v}\"", "static const char *{n} = \"{v}\";", "#define {n} \"{v}\"", "{n} <- \"{v}\"", "$env:{n} = '{v}'", "set {n}={v}\r\n",
    "setx {n} \"{v}\"", "variable \"{n}\" {\n  default = \"{v}\"\n}", "ENV {n}={v}\n", "docker run -e {n}={v} img", "helm install a --set {n}={v} b", "./x --{n} {v} --b", "./x --{n}='{v}'", "a=1&{n}={v}&b=2",
    "| name | value |\n|---|---|\n| {n} | {v} |\n", "- **{n}**: `{v}`", "host,{n},port\na,{v},1\n", "-{n}=old\n+{n}={v}\n", "INFO loaded {n}={v} from env", "level=info {n}=\"{v}\"", "Config { host: \"a\", {n}: \"{v}\" }",
    "$1 = {{n} = 0x55 \"{v}\"}", "  ~ {n} = \"old\" -> \"{v}\"", "(setq {n} \"{v}\")", "{:{n} \"{v}\"}", "{% set {n} = \"{v}\" %}", "sed -i 's/{n}=.*/{n}={v}/' f", "echo \"{n}={v}\" >> .env",
    "::set-output name={n}::{v}", "{n} = TEXT(\"{v}\");", "{n} => q{{v}},",
];

/// What passwords are called, in programs of many tongues.
#[rustfmt::skip]
const PASSWORDS: &[&str] = &[
    "password", "DB_PASSWORD", "dbPassword", "smtp_pass", "PASSWORD_DB", "passwd", "userPwd", "Passwort", "KENNWORT_DB", "motDePasse", "MOT_DE_PASSE", "contrasena", "CONTRASENA_BD", "senhaBanco", "wachtwoord",
    "DB_HESLO", "hasloBazy", "DB_PASSORD", "salasana", "parolaDb", "kata_sandi", "DB_SIFRE",
];
/// What somebody chooses, and what nobody wrote.
const CHOSEN: &[&str] = &["otterbank7", "P@ssw0rd!23", "Winter2024", "otter-bridge-lamp-7"];
/// What keys and tokens are called.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "token", "API_TOKEN", "TOKEN_SLACK", "accessToken", "apiKey", "API_KEY", "APIKEY_MAPS", "secret_key", "clientSecret", "SECRET_STRIPE", "webhookSecret", "ENCRYPTION_KEY", "cleApi", "CLAVE_API", "API_SCHLUESSEL",
];
const MADE: &[&str] =
    &["k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6", "3f9a1c7e5b2d48069a8b7c6d5e4f3021", "qT6yZs9kLm2VbXw4PdRf8GhJcV1nB3mQ"];

/// Each text, and where its secret stands.
fn texts(names: &'static [&str], values: &'static [&str]) -> impl Iterator<Item = (String, usize, usize)> {
    let of_name = move |way: &'static str| {
        names.iter().flat_map(move |name| values.iter().map(move |value| (way, *name, *value)))
    };
    WAYS.iter().flat_map(move |way| of_name(way)).map(|(way, name, value)| {
        let named = way.replace("{n}", name);
        let start = named.find("{v}").unwrap_or_default();
        (named.replacen("{v}", value, 1), start, start + value.len())
    })
}

#[test]
fn each_way_hides_each_value_of_each_name() {
    let mut open = Vec::new();
    let mut count = 0;
    for (text, start, end) in texts(PASSWORDS, CHOSEN).chain(texts(KEYS, MADE)) {
        count += 1;
        let spans = scan(&text);
        let hidden = |at: usize| spans.iter().any(|span| (span.start..span.end).contains(&at));
        if !(start..end).all(hidden) {
            open.push(text.replace('\n', "⏎"));
        }
    }
    assert!(open.is_empty(), "{} of {count} are open:\n{}", open.len(), open.join("\n"));
}

#[test]
fn no_way_hides_what_is_none() {
    #[rustfmt::skip]
    const NONE: &[&str] = &[
        "changeme", "your-password", "${DB_PASSWORD}", "$DB_PASSWORD", "%DB_PASSWORD%", "__PASSWORD__", "********", "None", "null", "undefined", "true", "TODO", "FIXME", "required", "string",
        "process.env.DB_PASSWORD", "bcrypt", "argon2", "HS256", "scram-sha-256", "86400s", "@NotBlank",
    ];
    let mut damaged = Vec::new();
    for (text, start, _) in texts(&["password", "DB_PASSWORD", "apiKey", "clientSecret", "motDePasse"], NONE)
    {
        // What the way itself has before the value may be one.
        if scan(&text).iter().any(|span| span.end > start) {
            damaged.push(text.replace('\n', "⏎"));
        }
    }
    assert!(damaged.is_empty(), "{} are damaged:\n{}", damaged.len(), damaged.join("\n"));
}
