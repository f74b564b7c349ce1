//! How many bytes the engines read, counted in tests alone: what the linear bound is checked by.
//!
//! Where the bound comes from: the literals are found in one walk; each engine is woken by a literal and reads
//! a bounded window (a line's 160 bytes, a name's 64, a value's 4096), or as far as it likes if it then moves a
//! floor that keeps later literals out of what it has read (blocks, web tokens, cookies, addresses, rules one
//! by one). Long unquoted runs full of names are read a few times and then left; views are disjoint stretches,
//! three deep.

/// Counts `bytes` as read.
#[inline]
pub(crate) fn read(bytes: usize) {
    #[cfg(test)]
    tests::READ.with(|read| read.set(read.get() + bytes));
    let _ = bytes;
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    thread_local! {
        pub(super) static READ: Cell<usize> = const { Cell::new(0) };
    }

    fn spent(piece: &str, bytes: usize) -> usize {
        let text = piece.repeat(bytes / piece.len() + 1);
        READ.with(|read| read.set(0));
        let _ = crate::scan(&text);
        READ.with(Cell::get)
    }

    /// Beginnings of secrets, again and again.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "a", "\\", "\"", "'", "=", "-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA", "password=", "password: ", "password=\"", "password=\\\"", "key=key",
        "key=key ", "key,", "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "://", "://a:b", "://a:b/", "http://a:", "cookie:", "cookie: a=b;",
        "bearer ", "Authorization: Basic ", "ghp_", "github_pat_a", "sk-ant-", "login: a/", "recovery codes ", "mnemonic abc ",
        "password is ", "%22", "%41", "%2522", "\\u0022", "&quot;", "\u{200B}", "\u{1B}[", "\u{1B}]", "dXNlcjpw", "[REDACTED:",
        "| password |\n", "password,a\n", "mysql -p", "{\"password\":", "{\"a\":", "[[[[", "name=password value", "xoxb-1-", "A ",
        "\n", "curl -u a:b ", "0x", "é密", "密码", "密码:", "passwort lautet ", "$ token get\n", "$ pwgen\nabcdefg1\n", "https://hook/",
        "\"kty\"", "\"kty\":\"d\",", "::add-mask::", "thin:a/b@", "ssh a:b@c ", "--token ", "the password?\nA: x\n", "| base64",
        "your code is ", "<password ", "\"password\">", "acme_live_", "ssid key ", "encrypt = \"", "it's ", "new: a1", "new one ", "page.fill('#pass', '", "{\"element\":\"pass\",\"text\":\"", ".type(",
        "code for the door ", "client(\"a\", \"", "> auth ", "user a on >", "chpasswd:\n  list: |\n", "first pet? ", "the password:\n", "password?\nA: ",
        "wifi: a / ", "wlan-passwort: ", "login from a to ", "codeword is ", "lösenordet är ", "http-basic.a b ",
        "CLIENT_RANDOM ", "CLIENT_TRAFFIC_SECRET_0 a b ", "EXPORTER_SECRET ", "a:b:1:1:c:/home/", "a:b:0:0:c:/root:/", "cache_peer a login=b:", "ntp.keys\n1 MD5 a\n", "chrony.keys\n",
        "[a] user successfully reset.\nnew value: ", "insecure-password ", "curl -u $A:$B ", "password=$A ", "authorization: bearer $A ", "\"; ## SECRET-DATA", "\"sha1\": \"token_last_eight\"", "<auth-user-pass>\n", "db:5432:a:b:c d e\n", "Request command: PASS\nRequest arg: abcd\n", "data:\n a: b\nkind: Secret\n", "a/password password ", "a/password-again password ", "ConvertTo-SecureString -a ", "MOVE 'a' TO PASSWORD ",
        "<(echo ", "a` with `", ".json\n[", "a.json\n[1,", "app_key = [1,", "createHmac('sha', ", "bot.run('", "begin license\n", "52448C2C C3E6F3AB\n", "\"ref\":\"e1\",\"text\":\"",
        "\"name\":\"a\",\"value\":\"b\",\"domain\":", "oathtool -b\n1", "sops -d\na: b\n", "://a/reset/", "basic YW5uOmdyYW1vcGhvbmU= ", "2fa: ", "red:auth(\"", "requirepass\"\n2) \"",
        "solana [1,", "usrprf(a) ", "adduser a ", "admin / a ", "`a` / `b",
        "login a\npassword b\n", "echo a > password ", "user a pw b ", "(1,'a_pass','b'),\n",
        "bot.run(\"", "wallet(\"0x", "pusher(\"a\", \"", "?code=a", "0 KCV ", ", admin/a1", "/login a1 ",
        "accounts\na   b\n", "rsyncd.secrets\na:bcdefg\n", "keys for a\n", "copier codes: a 1234, ", "padlock 1-2-3 ", "code for the door is 4471 and ",
        "login: a@b.c, ", "a1b2c3d4 (api key) ", "pin set to a1 ", "basic auth a / ", "tan list\n01 482915\n", "kraken = (\"a\", \"", "app_key: [0x01, 0x03, ",
        "rcon(\"a\", \"", "digestauth('a', '", "ntlmauth('a', '", "username_pw_set(m, \"a\", \"", "npmauthident: \"a:", "kty'", "{'kty': 'd', ",
        "curl -b 'a=b; ", "curl --cookie a=b ", "callback?code=a", "wpa-psk ascii 0 ", "set-key ascii 0 ", "plain-text-password-value ", "{\"name\": \"csrf\", \"value\": \"a\"}",
        "set(\"a\", forHTTPHeaderField: \"token\") ", "set(\"a\", forKey: \"token\") ", "X-Origin-Verify value ", "http_x_a_verify is ", "x-honeycomb-team=a ", "tokens\": {\"a\": \"b\",",
        "tokens {", "\"jsonrpc\" \"result\":\"a", "tokenid value ", "client_id a.refresh(\"a", "# pasted a1 ", "bundle config a.b c:d ", "# auth.txt\na\nb1\n", "# /user-pass\n",
        "> conn a/b@c ", "\nconn a/b@c ", "userid=a/b@c ", "rman target a/b@c ", "radtest a b ", "nsupdate -y a:b:c ", "https://a.make.com/b1/", "https://hc-ping.com/a",
        "cohere.Client(\"a\", \"", "algolia: {admin: a, ", "algolia:\n  a: b\n", "[datadog]\napi=a\n", "<key>Algolia</key><string>", "DBI->connect(a, \"b\", ",
        "cat .erlang.cookie\nAAAAAAAAAAAAAAAAAAAA\n", "influx auth list\na\n", "settings pass=", "user a password :'b' ", "https://a:x-hidden@b ",
        "kinit <<< a ", "passcommand \"echo a\" ", "password reg_sz a ", "store \"a\".toCharArray() ", "'a', gen_salt(", "update user md5('a", "LoginModule required user_a=\"b", "pragma key = 'a",
        "key []byte(\"a", "= static:a:b ", "PlainAuth(a, b, \"", "AES.new(", "bind(\"cn=", "createCipheriv(a, Buffer.from(\"", "blynk.begin(\"a", "psexec.py a:b@c ", "netlify env:set a b ",
        "kind: Secret\ndata:\n  a: b\n", "kind: Secret\nstringData:\n  a: b1\n", "expect \"assword\"; send \"a", "register => a:b@c ", "nickserv identify a ",
        "cqlsh a \\\n -u b -p 'c", " \\\n", "schtasks.exe /rp ", "] \"AUTH\" \"a\" ", "] \"hello\" \"3\" ", "] \"config\" \"set\" \"a\" ", "] \"acl\" \"setuser\" \"a\" \">b\" ",
        "cat vpn/a\nb\nc1", "> auth a b\nOK\n", "hello 3 auth a ", "auth\n$4\nabcd\n", "login = (\"a\", \"b\")", "auth=(\"a\", \"", "setVapidDetails('a', 'b', '", "# a.auth\na\nb1\n",
        "wachtwoord is nu ", "passwort ist ab jetzt ", "mdp a été changé en ", "password e a do x continua ", "password, old one, a1 ", "psk: both ends to a1 ", "melde dich als a mit ", "connect as a using ",
        "passphrase is a b ", "passphrase: abc def ", "passphrase for the a is ", "recovery codes a\nb1c2-d3e4 ", "backup codes\n1. a1b2 c3d4  2. ", "api key?\nann: ", "ann: send the token\nbo: sure, ",
        "use a1 for the password. ", "nimm a1 als passwort ", "login?\na@b.c and then ", "root is still \"a", "login (a / B.c) ", "lösenfras är a b ", "it is a b; password = A-b-1 ; ",
        "password: a b\nrepeat password: a b\n", "|mot de passe|\n", "passwort: {{a1", "wifi guest: A / ", "recovery phrase. a\n", "password is\n", "password\nis ", "\nwords abc ", "\npriv 0x", "backup verification codes\n1. ", "recovery codes\n- ",
        "\"SecureString\", \"Value\": \"", "hashids('a b", "SecretKeySpec(a.decode(\"", "recovery key\nEsUc Yw3k 9aLp ", "NQ4TX-7YV2K-R9WJM-3HCGP-D8BFL ", "NQ4TX-", "password = \"\"\"", "password = \"\"\"a\"\"\" ",
        "line vty 0 4\n password a\n", " password a\n", "sw(config)#password ", "server 1 key ", "key a:value=", "ParameterKey=password,ParameterValue=", "salt: [u8] = b\"", "token = Data(a: \"", "VALUES ('a/b/password','",
        "-key\n", "+key\n", "@@ -1 +1 @@\n-key\n", "> key\n> > key\n", "     1\tkey\n", "a.b:1:key\n", "│ key │\n", "E   key\n", "[a/b] key\n", "key\r\n", "    key\n", "# key\n",
        "\"key\\n", "\",\"key\\n", "='key\\n", "{\"a\":\"{\\\"b\\\":\\\"key\\\\n", "\\u00e4key", "insert into tokens values (", "invalid user Otter.77 ", "Otter*7a: command not found", "scan the qr ", "\" totp_auth\n",
        "passwort a!b – ", "password for a at b.c: ", "secret added to the app '", "at+cwjap=\"a\",\"",
        "12: key\n", "\"key\",\n", "\"key a\",\n", "'key a'\n", "- key\n", "<li>key\n", "<li>key</li>\n", "{\"a\":1,\"b\":\"key a\"}\n", "a 1] key\n", "info 1: err key\n", "err(\nerr[\n",
        "<pre>", "<pre>key", "<pre>key</pre>", "<br>key", "<br>key\n", "<![CDATA[key", "<![CDATA[key]]>", "<p>key<br>\n", "quoted-printable key=\n", "quoted-printable", "quoted-printable=3D=C3=A9key",
        "\"\"key", "\"a \"\"key\"\" \"\n", "key=%20+", "key=%0A&", "%C3%A9key", "&#10;key", "\u{1B}[0mkey=a\u{1B}[0m ", "key=a%20b\n", "key\n%20",
        "page.setCookie({'a': '", "cookies = {'a': 'b', ", "cookies['a'] = '", "[users]\na = b1\n", "[users]\n", "[admins]\na = ", "encrypt  ", "bundle_gem__a=b ", "a@b.c:d1e2\n", "@b.c:d", "password = \"abcdef\" -> \"", " (pwn3d!) ", "a\\b:c (pwn3d!) ",
        "cracked -> a1 ", "use 123456 to confirm ", "use 123 456 to log in ", "/magic/", "/magic/a1b2c3d4", "/verify/a1/verify/", "| twilio | a |\n", "| twilio | ", "uses a1 for algolia ", "password root a1\n", "set password for 'a' = '", " password for ", "option password '",
        "client\tserver\tsecret\na b c d\n", "client  server  secret  ", "key = B.pack \"", "enter this code:\n", "enter this code:\n684-786\n", "teraz masz a1 ", "wifi a: bcdefg12\n", "two-factor\na1b2c-d3e4f\n", "it manually: abcd efgh ", "session id is a1 ", "code 1234# ",
        "buildConfigField(\"a\", \"key\", \"", "resvalue(\"", "import this in phantom: ", "ref='e1', text='", "$ cat a.pass\nabc def ghi\n", "registerlicense(\"", "#define a_psk \"psk\"\n", "a_PASS(\"b-c\", ", "lftp -e \"a; b\" -u c,", "lftp -e \"a; -u c,'", "|a|\\n| key | b |\\n",
        "| a | b |\n| key | c |\n", "0a1b2c3d4e5f60718293a4b5c6d7e8f9.", "\"_|WARNING:-DO-NOT-SHARE-THIS.--a", "samlresponse=", "fritz!box 123", "dns gandi a", ",cloudflare,a,", "A_PAT a1b2", "samlresponse=a%2B", "vault login ", "cpanel a:b ", "a/reset?t=", "?t=&t=", "connect to a user b using c\n", "== data ==\na  b\n", "name\tvalue\tdomain\na\tb\n", "name\tvalue\tdomain ", "Ann Bo : key?\n", "schlüssel:\n\n", "schlüssel:\nabcd 2efg ", "(\"pw\").send_keys(\"", ":0101000000000000", "descriptor:x25519:", "$DCC2$1#a#",
        "a: |\n", "a: |\n  key=b\n", "a: |\n\n", "=\"&#10;", "='&#10;key=\"&#10;", "a=\"key&#10;key\" ", "│ key │ b │\n├──┼──┤\n", "login with password ", "password turned into ", "asked for the password, said ", "[key] (key) ", "failed: key ",
        "the key on host for ", "R\"(key", "[[key", "$ENV{KEY} = ", "set key {", "strncpy(key, \"", "echo a1 | su - ", "key=\"{!1,a:", "^ key ^ a ^\n", "{|\n! key\n", "! key\n", "{| ! key !! a\n|-\n", "|===\n|key\n", "|key |a\n", "|_. key |_. a |\n", "list-table::\n* - key\n  - a\n", "* - key\n", "key & a \\\\\n", "key & ",
        "smb://a\\b:c", "lpa:1$a$", "{aes}AAAA", "ann:AAAAAAAAAAAAA:0:0:", "accounts\na:b1c2\n", "(pdb) p key\n'a", "contraseña nueva ", "tan a lautet ", "*8DDA1F6A471CCF63D79F9B37D62816C2CC5D3D21 ", ".fill('1234'", "code.fill('1", "basic buffer.from(\"a:b", "\nuser a on +@b >c", "type=friend\nsecret=a\n", "\"a\" \"md5\"\n", "loaded 1 password hash\n", "ann  (b)\n password hashes\n", "totp.now()\n", "AGtlc3Ry", " on +@a >b ", "user a on ~b >c\n", "AKIALS7WBMRNHUOKQKIC, ", "1|7WwckLWJLqqToscGolLg9yc6U9nXZt5qrWFDtAoy ", "**admin** / **a1**", "typed \"a\" into [password], ", "order matters\n> a b ", "+---+\n| key | a |\n+---+\n", "key = Key(data: Data(", "Client(\"a\",\n ", "\\\" a \\\"key\\\" ", "+key=\n", "a1:b2:c3:d4:key ",
        "password\" value=\"1234\"", "/user/reset/1/2/3", "I typed a1 into the wrong ", "header.set(\"X-Key\", \"", "$ a\nbash: command not found\n", "gift card ", "contraseña temporal a1 ",
        "a:500:aad3b435b51404eeaad3b435b51404ee:", "code 12-34-56 ",
    ];

    #[test]
    fn hostile_texts_take_linear_work() {
        let mut steep = Vec::new();
        for piece in PIECES {
            let (small, large) = (spent(piece, 1 << 14), spent(piece, 1 << 17));
            // Eight times the text: nine times the work leaves room for windows that are not full at first.
            if large > small * 9 && large > FEW_PER_BYTE << 17 || large > MOST_PER_BYTE << 17 {
                steep.push(format!("{piece:?}: {small} then {large}"));
            }
        }
        assert!(steep.is_empty(), "{steep:#?}");
    }

    const FEW_PER_BYTE: usize = 16;
    /// Reads of each byte, at worst: a name's window, read for a few purposes.
    const MOST_PER_BYTE: usize = 400;
}
