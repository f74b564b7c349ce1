//! Secrets: random ones of many families, with what gives them away around them.

use serde_json::{Value, json};

use crate::house::Dice;

pub(super) const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

pub(super) fn random(dice: &mut Dice, alphabet: &[u8], length: usize) -> String {
    (0..length).map(|_| char::from(alphabet[dice.below(alphabet.len())])).collect()
}

/// Makes secrets, and remembers what nobody may ever read again.
pub(super) struct Planter {
    dice: Dice,
    /// A piece of a secret, and where it was planted.
    pub(super) planted: Vec<(String, String)>,
    pub(super) door: String,
}

impl Planter {
    /// The same secrets each time, or those of `RECOUNT_CANARY_SEED`.
    pub(super) fn new() -> Self {
        let seed = std::env::var("RECOUNT_CANARY_SEED").ok().and_then(|seed| seed.parse().ok());
        Self { dice: Dice::of(seed.unwrap_or(20_261_127)), planted: Vec::new(), door: String::new() }
    }

    pub(super) fn at(&mut self, door: &str) {
        door.clone_into(&mut self.door);
    }

    pub(super) fn piece(&mut self, family: &str, alphabet: &[u8], length: usize) -> String {
        let piece = random(&mut self.dice, alphabet, length);
        self.planted.push((piece.clone(), format!("{family} at {}", self.door)));
        piece
    }

    pub(super) fn base62(&mut self, family: &str, length: usize) -> String {
        self.piece(family, BASE62, length)
    }

    /// A token that its prefix gives away, whatever stands around it.
    pub(super) fn token(&mut self) -> String {
        match self.dice.below(8) {
            0 => format!("ghp_{}", self.base62("github", 36)),
            1 => format!("AKIA{}", self.piece("aws", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
            2 => format!("sk-ant-api03-{}", self.base62("anthropic", 40)),
            3 => format!("xoxb-{}", self.base62("slack", 24)),
            4 => format!("sk_live_{}", self.base62("stripe", 24)),
            5 => format!("glpat-{}", self.base62("gitlab", 20)),
            6 => format!("AIza{}", self.base62("google", 35)),
            _ => format!("npm_{}", self.base62("npm", 36)),
        }
    }

    /// A password: nothing but what stands around it gives it away.
    pub(super) fn password(&mut self) -> String {
        self.base62("password", 16)
    }

    /// A dozen families and more, in ordinary text, their names in every letter case.
    pub(super) fn story(&mut self) -> String {
        let mut lines = vec!["I looked at the configuration and found the following.".to_owned()];
        lines.push(format!("gh auth login with ghp_{} works", self.base62("github", 36)));
        lines.push(format!(
            "export AWS_ACCESS_KEY_ID=AKIA{}",
            self.piece("aws id", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
        ));
        lines.push(format!("aws_secret_access_key = {}", self.base62("aws secret", 40)));
        lines.push(format!("ANTHROPIC_API_KEY=sk-ant-api03-{}", self.base62("anthropic", 48)));
        lines.push(format!("the key sk-proj-{} is from openai", self.base62("openai", 40)));
        lines.push(format!("slack: xoxb-{}", self.base62("slack", 30)));
        lines.push(format!("stripe sk_live_{}", self.base62("stripe", 24)));
        lines.push(format!("glpat-{} for gitlab", self.base62("gitlab", 20)));
        lines.push(format!("SG.{}.{} for mail", self.base62("sendgrid", 22), self.base62("sendgrid", 43)));
        for name in ["password", "PASSWORD", "Password", "DB_PASSWORD", "db_password", "Db_PassWord"] {
            lines.push(format!("{name}={}", self.password()));
        }
        for name in ["client_secret", "CLIENT_SECRET", "clientSecret", "Api-Key", "API_KEY", "apikey"] {
            lines.push(format!("{name}: \"{}\"", self.base62(name, 32)));
        }
        lines.push(format!("postgres://app:{}@db.internal:5432/app", self.password()));
        lines.push(format!("REDIS_URL=redis://:{}@cache:6379/0", self.password()));
        lines.push(format!("git clone https://dev:{}@git.example.com/a.git", self.password()));
        for name in ["Authorization", "authorization", "AUTHORIZATION"] {
            lines.push(format!("{name}: Bearer {}", self.piece("bearer", b"0123456789abcdef", 44)));
        }
        lines.push(format!("curl -H 'X-Api-Key: {}' https://api.example.com", self.base62("header", 32)));
        lines.push(format!("curl -u admin:{} https://api.example.com", self.password()));
        lines.push(format!("mysql -u root --password={} app", self.password()));
        lines.push(format!(
            "token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{}.{} in the cookie",
            self.base62("jwt", 60),
            self.base62("jwt", 43)
        ));
        lines.push(self.pem());
        lines.push("That is all, and the token expired.".to_owned());
        lines.join("\n")
    }

    fn pem(&mut self) -> String {
        let body: Vec<String> = (0..6).map(|_| self.base62("private key", 64)).collect();
        format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", body.join("\n"))
    }

    /// The same as JSON: names give values away, keys and numbers too.
    pub(super) fn structure(&mut self) -> Value {
        let number = self.piece("number", b"123456789", 14).parse::<u64>().unwrap();
        json!({
            "password": self.password(),
            "dbPassword": [self.password(), {"deep": {"deeper": [self.story()]}}],
            "PIN_CODE_PASSWORD": number,
            "env": {"GITHUB_TOKEN": self.base62("env", 40), "Secret_Key": self.base62("env", 40)},
            "headers": [{"name": "Authorization", "value": format!("Bearer {}", self.base62("header", 40))}],
            "arguments": json!({"api_key": self.base62("nested JSON", 32), "cmd": self.story()}).to_string(),
            self.token(): {"key": "is the secret"},
            "url": format!("https://x:{}@host/path?access_token={}", self.password(), self.base62("query", 32)),
        })
    }
}
