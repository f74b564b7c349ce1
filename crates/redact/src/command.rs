//! Passwords on command lines that have no name: `mysql -pX`, `curl -u user:X`, `sshpass -p X`.

use crate::assigned::Use;
use crate::chance;
use crate::span::Spans;
use crate::value;

/// How a flag carries the secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carries {
    /// `-p X`, `-p'X'`; `-pX` too.
    Attached,
    /// The next word.
    Word,
    /// The next word, of a command that is run and not spoken about.
    Sure,
    /// The last word of the command.
    Last,
    /// The word behind the next one, which is the user.
    Second,
    /// The same, if nobody wrote it.
    Made,
    /// `user:X`, or `user%X`.
    Pair(u8),
    /// `algorithm:name:X`, or `name:X`: behind the last sign.
    Tail,
    /// `domain/ann:X@host`: of the first word that has a colon.
    Target,
    /// `ann X host 0 secret`: the second word that is no flag.
    Radius,
    /// `'a=X; b=Y'`.
    Cookies,
}

/// Commands, and the flags by which they take passwords. The AC pass looks for the commands.
const COMMANDS: &[(&[u8], &[u8], Carries)] = &[
    (b"mysql", b"-p", Carries::Attached),
    (b"mariadb", b"-p", Carries::Attached),
    (b"sshpass", b"-p", Carries::Attached),
    (b"sshpass", b"-p", Carries::Word),
    (b"lftp", b"-u", Carries::Pair(b',')),
    (b"kadmin", b"-w", Carries::Word),
    (b"mysqlimport", b"-p", Carries::Attached),
    (b"mysqlcheck", b"-p", Carries::Attached),
    (b"coap-client", b"-k", Carries::Word),
    (b"curl", b"--proxy-user", Carries::Pair(b':')),
    (b"curl", b"-U", Carries::Pair(b':')),
    (b"smbmap", b"-p", Carries::Word),
    (b"rpcclient", b"-U", Carries::Pair(b'%')),
    (b"winexe", b"-U", Carries::Pair(b'%')),
    (b"netexec", b"-p", Carries::Word),
    (b"nxc", b"-p", Carries::Word),
    (b"mosquitto_passwd", b"-b", Carries::Last),
    (b"rootpw", b"--plaintext", Carries::Sure),
    (b"mosquitto_rr", b"-P", Carries::Word),
    (b"nuget push", b"-k", Carries::Word),
    (b"dotnet nuget push", b"-k", Carries::Word),
    (b"dotnet nuget push", b"--api-key", Carries::Word),
    (b"vncviewer", b"-passwd", Carries::Word),
    (b"x11vnc", b"-passwd", Carries::Word),
    (b"signtool", b"/p", Carries::Word),
    (b"borg", b"--passphrase", Carries::Word),
    (b"aescrypt", b"-p", Carries::Word),
    (b"unrar", b"-p", Carries::Attached),
    (b"rar", b"-hp", Carries::Attached),
    (b"radtest", b"", Carries::Last),
    (b"radtest", b"", Carries::Radius),
    (b"radclient", b"auth", Carries::Word),
    (b"radclient", b"acct", Carries::Word),
    (b"radclient", b"coa", Carries::Word),
    (b"radclient", b"disconnect", Carries::Word),
    (b"radclient", b"status", Carries::Word),
    (b"radclient", b"auto", Carries::Word),
    (b"eapol_test", b"-s", Carries::Word),
    (b"nsupdate", b"-y", Carries::Tail),
    (b"knsupdate", b"-y", Carries::Tail),
    (b"kdig", b"-y", Carries::Tail),
    (b"dig ", b"-y", Carries::Tail),
    (b"rbxcloud", b"-a", Carries::Word),
    (b"rbxcloud", b"--api-key", Carries::Word),
    (b"codecov.io/bash", b"-t", Carries::Word),
    (b"codecovcli", b"-t", Carries::Word),
    (b"nats", b"--password", Carries::Word),
    (b"cockroach", b"--password", Carries::Word),
    (b"impala-shell", b"-p", Carries::Word),
    (b"acme_dns", b"", Carries::Last),
    (b"slmgr", b"/ipk", Carries::Word),
    (b"slmgr.vbs", b"/ipk", Carries::Word),
    (b"pihole -a", b"-p", Carries::Word),
    (b"pihole setpassword", b"", Carries::Word),
    (b"-batchmode", b"-serial", Carries::Word),
    (b"schtasks", b"/rp", Carries::Word),
    (b"schtasks", b"/p", Carries::Word),
    (b"tasklist", b"/p", Carries::Word),
    (b"taskkill", b"/p", Carries::Word),
    (b"systeminfo", b"/p", Carries::Word),
    (b"driverquery", b"/p", Carries::Word),
    (b"gpresult", b"/p", Carries::Word),
    (b"wevtutil", b"/p:", Carries::Attached),
    (b"winrs", b"-p:", Carries::Attached),
    (b"winrs", b"/p:", Carries::Attached),
    (b"ktpass", b"/pass", Carries::Word),
    (b"ktpass", b"-pass", Carries::Word),
    (b"pskill", b"-p", Carries::Word),
    (b"psservice", b"-p", Carries::Word),
    (b"psshutdown", b"-p", Carries::Word),
    (b"psloglist", b"-p", Carries::Word),
    (b"paexec", b"-p", Carries::Word),
    (b"logman", b"-u", Carries::Second),
    (b"nssm set", b"ObjectName", Carries::Second),
    (b"manage-bde", b"-rp", Carries::Word),
    (b"manage-bde", b"-recoverypassword", Carries::Word),
    (b"osql", b"-P", Carries::Attached),
    (b"isql", b"-P", Carries::Attached),
    (b"influx", b"-t", Carries::Word),
    (b"message-digest-key", b"md5", Carries::Word),
    (b"authentication-key", b"md5", Carries::Word),
    (b"snmp community set", b"name=", Carries::Attached),
    (b"snmp community add", b"name=", Carries::Attached),
    (b"snowsql", b"-p", Carries::Word),
    (b"wp user create", b"--user_pass", Carries::Word),
    (b"mysqldump", b"-p", Carries::Attached),
    (b"mysqladmin", b"-p", Carries::Attached),
    (b"mongo", b"-p", Carries::Word),
    (b"mongosh", b"-p", Carries::Word),
    (b"docker login", b"-p", Carries::Word),
    (b"podman login", b"-p", Carries::Word),
    (b"az login", b"-p", Carries::Word),
    (b"oc login", b"-p", Carries::Word),
    (b"unzip", b"-P", Carries::Word),
    (b"zip", b"-P", Carries::Word),
    (b"7z ", b"-p", Carries::Attached),
    (b"7z.exe", b"-p", Carries::Attached),
    (b"curl", b"-u", Carries::Pair(b':')),
    (b"curl", b"--user", Carries::Pair(b':')),
    (b"wget", b"-u", Carries::Pair(b':')),
    (b"http ", b"-a", Carries::Pair(b':')),
    (b"smbclient", b"-U", Carries::Pair(b'%')),
    (b"redis-cli", b"-a", Carries::Word),
    (b"ldapsearch", b"-w", Carries::Word),
    (b"ldapadd", b"-w", Carries::Word),
    (b"ldapmodify", b"-w", Carries::Word),
    (b"sqlcmd", b"-P", Carries::Word),
    (b"bcp", b"-P", Carries::Word),
    (b"xfreerdp", b"/p:", Carries::Attached),
    (b"ipmitool", b"-P", Carries::Word),
    (b"snmpwalk", b"-c", Carries::Word),
    (b"snmpget", b"-c", Carries::Word),
    (b"snmpwalk", b"-A", Carries::Word),
    (b"snmpwalk", b"-X", Carries::Word),
    (b"snmpget", b"-A", Carries::Word),
    (b"snmpget", b"-X", Carries::Word),
    (b"mosquitto_pub", b"-P", Carries::Word),
    (b"mosquitto_sub", b"-P", Carries::Word),
    (b"mongodump", b"-p", Carries::Word),
    (b"mongorestore", b"-p", Carries::Word),
    (b"ldapwhoami", b"-w", Carries::Word),
    (b"ldappasswd", b"-w", Carries::Word),
    (b"rdesktop", b"-p", Carries::Word),
    (b"cifscreds", b"-p", Carries::Word),
    (b"sqlplus", b"-p", Carries::Word),
    (b"skopeo login", b"-p", Carries::Word),
    (b"buildah login", b"-p", Carries::Word),
    (b"nerdctl login", b"-p", Carries::Word),
    (b"helm registry login", b"-p", Carries::Word),
    (b"cf login", b"-p", Carries::Word),
    (b"rabbitmqadmin", b"-p", Carries::Word),
    (b"ssh-keygen", b"-N", Carries::Word),
    (b"ssh-keygen", b"-P", Carries::Word),
    (b"nmcli", b"password", Carries::Word),
    (b"influx", b"-p", Carries::Word),
    (b"clickhouse", b"--password", Carries::Word),
    (b"cqlsh", b"-p", Carries::Word),
    (b"kinit", b"-p", Carries::Word),
    (b"twine", b"-p", Carries::Word),
    (b"evil-winrm", b"-p", Carries::Word),
    (b"crackmapexec", b"-p", Carries::Word),
    (b"net use", b"/user:", Carries::Word),
    (b"openssl", b"-k", Carries::Word),
    (b"helm", b"--password", Carries::Word),
    (b"ssm put-parameter", b"--value", Carries::Word),
    (b"keyvault secret set", b"--value", Carries::Word),
    (b"secret set", b"--body", Carries::Word),
    (b"htpasswd", b"-b", Carries::Last),
    (b"htpasswd", b"-nb", Carries::Last),
    (b"htpasswd", b"-nbB", Carries::Last),
    (b"htpasswd", b"-bB", Carries::Last),
    (b"curl", b"-su", Carries::Pair(b':')),
    (b"htpasswd", b"-bc", Carries::Last),
    (b"htpasswd", b"-cb", Carries::Last),
    (b"htpasswd", b"-cbB", Carries::Last),
    (b"htpasswd", b"-bcB", Carries::Last),
    (b"htpasswd", b"-Bbn", Carries::Last),
    (b"steghide", b"-p", Carries::Word),
    (b"outguess", b"-k", Carries::Word),
    (b"samba-tool user create", b"", Carries::Last),
    (b"mc alias set", b"", Carries::Last),
    (b"crypto isakmp key", b"", Carries::Word),
    (b"set snmp community", b"", Carries::Word),
    (b"snmp-server community", b"", Carries::Word),
    (b"rocommunity", b"", Carries::Word),
    (b"rwcommunity", b"", Carries::Word),
    (b"openssl passwd", b"-6", Carries::Word),
    (b"openssl passwd", b"-5", Carries::Word),
    (b"openssl passwd", b"-1", Carries::Word),
    (b"openssl passwd", b"-apr1", Carries::Word),
    (b"openssl", b"pass:", Carries::Attached),
    (b"wpa_passphrase", b"", Carries::Last),
    (b"steamcmd", b"+login", Carries::Second),
    (b"qpdf", b"--encrypt", Carries::Word),
    (b"qpdf", b"--encrypt", Carries::Second),
    (b"pdftk", b"user_pw", Carries::Word),
    (b"pdftk", b"owner_pw", Carries::Word),
    (b"pdftk", b"input_pw", Carries::Word),
    (b"plink", b"-pw", Carries::Word),
    (b"pscp", b"-pw", Carries::Word),
    (b"psftp", b"-pw", Carries::Word),
    (b"psexec", b"-p", Carries::Word),
    (b"psexec64", b"-p", Carries::Word),
    (b"ncftpput", b"-p", Carries::Word),
    (b"ncftpget", b"-p", Carries::Word),
    (b"mongoimport", b"-p", Carries::Word),
    (b"mongoexport", b"-p", Carries::Word),
    (b"beeline", b"-p", Carries::Word),
    (b"racadm", b"-p", Carries::Word),
    (b"ilorest login", b"-p", Carries::Word),
    (b"hydra", b"-p", Carries::Word),
    (b"medusa", b"-p", Carries::Word),
    (b"certipy", b"-p", Carries::Word),
    (b"bloodhound-python", b"-p", Carries::Word),
    (b"vncdo", b"-p", Carries::Word),
    (b"vncdotool", b"-p", Carries::Word),
    (b"pkcs11-tool", b"-p", Carries::Word),
    (b"security unlock-keychain", b"-p", Carries::Word),
    (b"security create-keychain", b"-p", Carries::Word),
    (b"altool", b"-p", Carries::Word),
    (b"sendxmpp", b"-p", Carries::Word),
    (b"ldapdelete", b"-w", Carries::Word),
    (b"ldapmodrdn", b"-w", Carries::Word),
    (b"ldapcompare", b"-w", Carries::Word),
    (b"vsql", b"-w", Carries::Word),
    (b"ipa-client-install", b"-w", Carries::Word),
    (b"dsconf", b"-w", Carries::Word),
    (b"security add-generic-password", b"-w", Carries::Word),
    (b"security add-internet-password", b"-w", Carries::Word),
    (b"nzsql", b"-pw", Carries::Word),
    (b"addprinc", b"-pw", Carries::Word),
    (b"dsadd user", b"-pwd", Carries::Word),
    (b"dsmod user", b"-pwd", Carries::Word),
    (b"security import", b"-P", Carries::Word),
    (b"security set-key-partition-list", b"-k", Carries::Word),
    (b"gbak", b"-pas", Carries::Word),
    (b"db2 connect", b"using", Carries::Word),
    (b"smbget", b"-U", Carries::Pair(b'%')),
    (b"net ads join", b"-U", Carries::Pair(b'%')),
    (b"net rpc", b"-U", Carries::Pair(b'%')),
    (b"transmission-remote", b"-n", Carries::Pair(b':')),
    (b"etcdctl", b"--user", Carries::Pair(b':')),
    (b"wlfreerdp", b"/p:", Carries::Attached),
    (b"xfreerdp3", b"/p:", Carries::Attached),
    (b"sdl-freerdp", b"/p:", Carries::Attached),
    (b"cmdkey", b"/pass:", Carries::Attached),
    (b"netdom", b"/pd:", Carries::Attached),
    (b"netdom", b"/passwordd:", Carries::Attached),
    (b"swaks", b"-ap", Carries::Word),
    (b"sendemail", b"-xp", Carries::Word),
    (b"sipp", b"-ap", Carries::Word),
    (b"node.session.auth.password", b"-v", Carries::Word),
    (b"hdparm", b"--security-set-pass", Carries::Word),
    (b"hdparm", b"--security-unlock", Carries::Word),
    (b"hdparm", b"--security-erase", Carries::Word),
    (b"ykman", b"-P", Carries::Word),
    (b"softhsm2-util", b"--pin", Carries::Word),
    (b"softhsm2-util", b"--so-pin", Carries::Word),
    (b"mmcli", b"--pin=", Carries::Attached),
    (b"mmcli", b"--puk=", Carries::Attached),
    (b"at+cpin=", b"", Carries::Word),
    (b"ospf authentication-key", b"", Carries::Word),
    (b"pre-shared-key ascii-text", b"", Carries::Word),
    (b"rasdial", b"", Carries::Last),
    (b"bw login", b"", Carries::Last),
    (b"wandb", b"login", Carries::Word),
    (b"wandb", b"--relogin", Carries::Word),
    (b"netlify env:set", b"", Carries::Made),
    (b"convex env set", b"", Carries::Made),
    (b"user.setpassword", b"", Carries::Second),
    (b"mc admin user add", b"", Carries::Last),
    (b"drush upwd", b"", Carries::Last),
    (b"mc admin user add", b"", Carries::Last),
    (b"certutil", b"-p", Carries::Word),
    (b"fastboot oem unlock", b"", Carries::Last),
    (b"ipmitool user set password", b"", Carries::Last),
    (b"rabbitmqctl authenticate_user", b"", Carries::Last),
    (b"mc config host add", b"", Carries::Last),
    (b"createuser", b"SHA", Carries::Word),
    (b"createuser", b"MD5", Carries::Word),
    (b"createuser", b"AES", Carries::Word),
    (b"createuser", b"DES", Carries::Word),
    (b"bcp", b"-P", Carries::Attached),
    (b"ospf authentication-key", b"7", Carries::Word),
    (b"usm-user v3", b"authentication-mode sha", Carries::Word),
    (b"usm-user v3", b"authentication-mode md5", Carries::Word),
    (b"usm-user v3", b"privacy-mode aes128", Carries::Word),
    (b"sqlcmd", b"-P", Carries::Attached),
    (b"snmpv3 user", b"sha", Carries::Word),
    (b"snmpv3 user", b"md5", Carries::Word),
    (b"snmpv3 user", b"aes", Carries::Word),
    (b"snmpv3 user", b"des", Carries::Word),
    (b"snmp-server user", b"auth sha", Carries::Word),
    (b"snmp-server user", b"auth md5", Carries::Word),
    (b"snmp-server user", b"priv des", Carries::Word),
    (b"snmp-server user", b"priv aes", Carries::Word),
    (b"snmp-server user", b"priv aes 128", Carries::Word),
    (b"snmp-server user", b"priv aes 256", Carries::Word),
    (b"message-digest-key", b"md5 0", Carries::Word),
    (b"message-digest-key", b"md5 7", Carries::Word),
    (b"key-string", b"7", Carries::Word),
    (b"password manager user-name", b"sha1", Carries::Word),
    (b"password manager user-name", b"plaintext", Carries::Word),
    (b"password operator user-name", b"sha1", Carries::Word),
    (b"password operator user-name", b"plaintext", Carries::Word),
    (b"encryption key", b"40bit 0", Carries::Word),
    (b"encryption key", b"40bit 7", Carries::Word),
    (b"encryption key", b"128bit 0", Carries::Word),
    (b"encryption key", b"128bit 7", Carries::Word),
    (b"oathtool", b"-b", Carries::Word),
    (b"oathtool", b"--base32", Carries::Word),
    (b"oathtool", b"--totp", Carries::Word),
    (b"codecov", b"-t", Carries::Word),
    (b"codacy-coverage-reporter", b"-t", Carries::Word),
    (b"cc-test-reporter", b"-r", Carries::Word),
    (b"doctl", b"-t", Carries::Word),
    (b"pushover", b"-t", Carries::Word),
    (b"bw unlock", b"--raw", Carries::Word),
    (b"adb", b"pair", Carries::Second),
    (b"ngrok", b"authtoken", Carries::Word),
    (b"ngrok", b"add-authtoken", Carries::Word),
    (b"snyk", b"auth", Carries::Word),
    (b"cloudflared", b"install", Carries::Word),
    (b"sentry-cli login", b"--auth-token", Carries::Word),
    (b"wpa_cli", b"wps_pin any", Carries::Word),
    (b"b2 account authorize", b"", Carries::Last),
    (b"b2 authorize-account", b"", Carries::Last),
    (b"rclone obscure", b"", Carries::Word),
    (b"pcs host auth", b"-p", Carries::Word),
    (b"pcs cluster auth", b"-p", Carries::Word),
    (b"nhrp authentication", b"", Carries::Word),
    (b"isis password", b"", Carries::Word),
    (b"vtp password", b"", Carries::Word),
    (b"ntp authentication-key", b"md5", Carries::Word),
    (b"plain-text-password-value", b"", Carries::Word),
    (b"wpa-psk ascii", b"0", Carries::Word),
    (b"wpa-psk ascii", b"7", Carries::Word),
    (b"set-key ascii", b"0", Carries::Word),
    (b"set-key ascii", b"8", Carries::Word),
    (b"ansible-vault encrypt_string", b"", Carries::Word),
    (b"mkpasswd", b"-m", Carries::Second),
    (b"cargo login", b"--registry", Carries::Second),
    (b"doveadm auth test", b"", Carries::Second),
    (b"doveadm auth login", b"", Carries::Second),
    (b"suseconnect", b"-r", Carries::Word),
    (b"suseconnect", b"--regcode", Carries::Word),
    (b"subscription-manager register", b"--activationkey", Carries::Word),
    (b"sudo pro", b"attach", Carries::Word),
    (b"# pro", b"attach", Carries::Word),
    (b"sudo ua", b"attach", Carries::Word),
    (b"isakmp key", b"", Carries::Word),
    (b"super password", b"simple", Carries::Word),
    (b"super password", b"cipher", Carries::Word),
    (b"set authentication password", b"simple", Carries::Word),
    (b"set authentication password", b"cipher", Carries::Word),
    (b"mgmt-user", b"", Carries::Second),
    (b"mgmt-user", b"root", Carries::Word),
    (b"juju register", b"", Carries::Word),
    (b"eas secret:create", b"--value", Carries::Word),
    (b"eas env:create", b"--value", Carries::Word),
    (b"pdftotext", b"-upw", Carries::Word),
    (b"pdftotext", b"-opw", Carries::Word),
    (b"vmrun", b"-gp", Carries::Word),
    (b"esxcli system account", b"-p", Carries::Word),
    (b"esxcli system account", b"-c", Carries::Word),
    (b"storcli", b"securitykey=", Carries::Attached),
    (b"sedutil-cli", b"--initialSetup", Carries::Word),
    (b"sedutil-cli", b"--setSIDPassword", Carries::Word),
    (b"sedutil-cli", b"--setSIDPassword", Carries::Second),
    (b"veracrypt", b"-p", Carries::Word),
    (b"veracrypt", b"/p", Carries::Word),
    (b"kerbrute passwordspray", b"", Carries::Last),
    (b"networksetup -setairportnetwork", b"", Carries::Last),
    (b"netsh wlan set profileparameter", b"keyMaterial=", Carries::Attached),
    (b"bitsadmin /setcredentials", b"", Carries::Last),
    (b"elasticsearch-users useradd", b"-p", Carries::Word),
    (b"elasticsearch-users passwd", b"-p", Carries::Word),
    (b"ejabberdctl register", b"", Carries::Last),
    (b"ejabberdctl change_password", b"", Carries::Last),
    (b"prosodyctl register", b"", Carries::Last),
    (b"murmurd", b"-supw", Carries::Word),
    (b"taosdump", b"-p", Carries::Attached),
    (b"cypher-shell", b"-p", Carries::Word),
    (b"conan user", b"-p", Carries::Word),
    (b"etcdctl user add", b"", Carries::Pair(b':')),
    (b"hdbuserstore set", b"", Carries::Last),
    (b"mumble-server", b"-supw", Carries::Word),
    (b"/msg nickserv identify", b"", Carries::Last),
    (b"privmsg nickserv :identify", b"", Carries::Last),
    (b"/authme register", b"", Carries::Word),
    (b"/authme login", b"", Carries::Word),
    (b"ftp> user", b"", Carries::Second),
    (b"sp_addlogin", b"", Carries::Second),
    (b"sp_password", b"", Carries::Second),
    (b"sp_addlinkedsrvlogin", b"", Carries::Last),
    (b"sp_addremotelogin", b"", Carries::Last),
    (b"addauth digest", b"", Carries::Pair(b':')),
    (b"psexec.py", b"", Carries::Target),
    (b"wmiexec.py", b"", Carries::Target),
    (b"smbexec.py", b"", Carries::Target),
    (b"atexec.py", b"", Carries::Target),
    (b"dcomexec.py", b"", Carries::Target),
    (b"secretsdump.py", b"", Carries::Target),
    (b"mssqlclient.py", b"", Carries::Target),
    (b"smbclient.py", b"", Carries::Target),
    (b"getuserspns.py", b"", Carries::Target),
    (b"getnpusers.py", b"", Carries::Target),
    (b"gettgt.py", b"", Carries::Target),
    (b"lookupsid.py", b"", Carries::Target),
    (b"curl", b"-b", Carries::Cookies),
    (b"curl", b"--cookie", Carries::Cookies),
];

/// How often one command takes the same flag.
const MOST_FLAGS: usize = 4;

/// Every command, for the AC pass.
pub(crate) fn commands() -> impl Iterator<Item = &'static [u8]> {
    COMMANDS.iter().map(|row| row.0)
}

/// A line for each row.
#[cfg(test)]
pub(crate) fn examples() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|(command, flag, carries)| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let value = match carries {
            Carries::Attached => "Kd83mQpz!4".to_owned(),
            Carries::Word | Carries::Sure => " Kd83mQpz!4".to_owned(),
            Carries::Last => " box ann Kd83mQpz!4".to_owned(),
            Carries::Second => " ann Kd83mQpz!4".to_owned(),
            Carries::Made => " OTTER Kd83mQpz4x7TTw9RkWv2Lb".to_owned(),
            Carries::Pair(sign) => format!(" ann{}Kd83mQpz!4", char::from(*sign)),
            Carries::Tail => " hmac-sha256:box:Kd83mQpz!4".to_owned(),
            Carries::Target => " corp/ann:Kd83mQpz!4@10.0.0.4".to_owned(),
            Carries::Radius => " -t pap ann Kd83mQpz!4".to_owned(),
            Carries::Cookies => " 'visit=k8vLm2ZpXt9Rk7Wd3Yb5'".to_owned(),
        };
        format!("$ {} {}{value}", text(command).trim_end(), text(flag)).replace("  ", " ")
    })
}

/// Looks at the rest of the line after the command that `row` names and that ends at `end`.
pub(crate) fn scan(text: &[u8], row: usize, at: usize, end: usize, spans: &mut Spans) {
    let (_, flag, carries) = COMMANDS[row];
    if at > 0
        && (text[at - 1].is_ascii_alphanumeric() && !(at > 1 && text[at - 2] == b'\\')
            || text[at - 1] == b'-')
    {
        return;
    }
    let end = end + extension(text, end);
    if !matches!(text.get(end), Some(b' ' | b'"' | b'\'' | b')')) && text[end - 1] != b' ' {
        return;
    }
    let line = within(text, at, whole(&text[end..text.len().min(end + 512)]));
    // A parameter of this type is no secret.
    if COMMANDS[row].0 == b"ssm put-parameter"
        && [&b"--type \"String\""[..], b"--type String"].iter().any(|plain| crate::search::has(line, plain))
    {
        return;
    }
    if carries == Carries::Last {
        let flagged = flag.is_empty() || crate::search::has(line, &[b" ", flag, b" "].concat());
        let from = line.trim_ascii_end().iter().rposition(|&byte| byte == b' ').unwrap_or(0);
        let words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).count();
        // `IDENTIFY X`, `IDENTIFY ann X`: who comes may go without saying.
        let fewest = 2 - usize::from(text[..end].ends_with(b"DENTIFY") || text[..end].ends_with(b"dentify"));
        if flagged && words >= fewest + usize::from(!flag.is_empty()) {
            argument(text, end + from, end + line.len(), Carries::Last, spans);
        }
        return;
    }
    if carries == Carries::Radius {
        return radius(text, end, end + line.len(), spans);
    }
    if flag.is_empty() && matches!(carries, Carries::Second | Carries::Made) {
        let first = word(text, (end + 1).min(end + line.len()), end + line.len());
        // `doveadm auth test -x service=imap ann`: a flag is no user.
        if matches!(text.get(first.0), Some(b'@' | b'-')) {
            return;
        }
        let carries = if opens(text, at) && carries == Carries::Second { Carries::Sure } else { carries };
        let past =
            first.1 + usize::from(matches!(text.get(first.1), Some(b'"' | b'\'')) && first.0 > end + 1);
        return argument(text, past.min(end + line.len()), end + line.len(), carries, spans);
    }
    if carries == Carries::Target {
        return target(text, end, line, spans);
    }
    // A directive: its first word is the secret.
    if flag.is_empty() {
        let carries = if matches!(carries, Carries::Pair(_)) { carries } else { Carries::Last };
        return argument(text, end, end + line.len(), carries, spans);
    }
    // Windows takes its own flags in any case.
    let lower = flag.starts_with(b"/").then(|| line.to_ascii_lowercase());
    let begins = |hit: &usize| {
        let before = hit.checked_sub(1).map_or(text[end - 1], |before| line[before]);
        matches!(before, b' ' | b'"' | b',' | b'\n' | b'\t')
    };
    let hits = memchr::memmem::find_iter(lower.as_deref().unwrap_or(line), flag);
    for hit in hits.filter(begins).take(MOST_FLAGS) {
        if carries == Carries::Cookies {
            crate::header::scan_pairs(text, end + hit + flag.len(), 2048, spans);
            return;
        }
        let run = opens(text, at);
        if carries == Carries::Second {
            if line.get(hit + flag.len()) != Some(&b' ') {
                continue;
            }
            let from = end + hit + flag.len() + 1;
            let user = word(text, from.min(end + line.len()), end + line.len()).1;
            // `CORP\ann`: a domain's user.
            let user = user
                + text[user..end + line.len()].iter().take_while(|byte| byte.is_ascii_graphic()).count()
                    * usize::from(text.get(user) == Some(&b'\\'));
            if !text[from.min(user)..user].starts_with(b"anonymous") {
                let carries = if run { Carries::Sure } else { carries };
                argument(text, user, end + line.len(), carries, spans);
            }
            continue;
        }
        let carries = if carries == Carries::Word && run { Carries::Sure } else { carries };
        if carries == Carries::Attached
            && run
            && attached(text, end + hit + flag.len(), end + line.len(), spans)
        {
            continue;
        }
        argument(text, end + hit + flag.len(), end + line.len(), carries, spans);
    }
}

/// `schtasks.exe`: as Windows calls its programs.
fn extension(text: &[u8], end: usize) -> usize {
    let exe = text.get(end..end + 4).is_some_and(|exe| exe.eq_ignore_ascii_case(b".exe"));
    if exe { 4 } else { 0 }
}

/// The rest of a command, over the lines that end in a backslash (or in what other shells take for it).
fn whole(rest: &[u8]) -> &[u8] {
    let ends = |at: &usize| rest[*at] != b'\n' || !goes_on(&rest[..*at]);
    let end = memchr::memchr3_iter(b'\n', b'|', b';', rest).find(ends);
    &rest[..end.unwrap_or(rest.len())]
}

/// `"cmd": "mc admin user add …", "rc": 0`: what stands between quotes ends with them.
fn within<'a>(text: &[u8], at: usize, line: &'a [u8]) -> &'a [u8] {
    let Some(&quote) =
        at.checked_sub(1).map(|before| &text[before]).filter(|byte| matches!(byte, b'"' | b'\''))
    else {
        return line;
    };
    &line[..memchr::memchr(quote, line).unwrap_or(line.len())]
}

/// Whether a command goes on behind the line that ends here.
pub(crate) fn goes_on(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.ends_with(b" \\") || line.ends_with(b" `") || line.ends_with(b" ^")
}

/// `secretsdump.py corp/ann:X@10.0.0.4`, `psexec.py ann:'X'@host`.
fn target(text: &[u8], end: usize, line: &[u8], spans: &mut Spans) {
    let mut words = line.split(|&byte| byte == b' ');
    let hashed = line.starts_with(b" -hashes ").then(|| words.nth(2));
    let pair =
        words.find(|word| word.contains(&b':') && !word.starts_with(b"-")).filter(|_| hashed.is_none());
    let Some(pair) = pair else { return };
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon > 0) else { return };
    let secret =
        &pair[colon + 1..memchr::memrchr(b'@', pair).filter(|&sign| sign > colon).unwrap_or(pair.len())];
    let secret = match secret {
        [b'\'', inside @ .., b'\''] | [b'"', inside @ .., b'"'] => inside,
        _ => secret,
    };
    // `-hashes LM:NT`, `fe80::1`, `host:445`.
    let plain = secret.iter().all(|byte| byte.is_ascii_digit() || *byte == b':');
    let start = crate::search::offset(text, secret);
    if start >= end
        && secret.len() >= 4
        && !plain
        && !secret.contains(&b'/')
        && !value::is_placeholder(secret)
        && !secret.starts_with(b"$")
    {
        spans.add(start, start + secret.len(), "password", false);
    }
}

/// `radtest -t mschap ann X host 0 secret`.
fn radius(text: &[u8], at: usize, limit: usize, spans: &mut Spans) {
    let (mut from, mut seen, mut skip) = (at, 0, false);
    while from < limit && seen < 2 {
        if text[from] == b' ' {
            from += 1;
            continue;
        }
        let (start, end) = word(text, from, limit);
        let own = &text[start..end];
        let flag = own.starts_with(b"-");
        if !flag && !skip {
            seen += 1;
        }
        if seen == 2 && own.len() >= 4 && !value::is_placeholder(own) && !own.starts_with(b"$") {
            spans.add(start, end, "password", false);
        }
        skip = matches!(own, b"-t" | b"-d" | b"-D" | b"-P");
        from = end + 1;
    }
}

/// `-u X:`, `-u X:pw`: a key that stands where a user does, and nothing behind it.
fn is_own_key(user: &[u8]) -> bool {
    user.len() >= 20 && (value::is_hex(user) || chance::is_random(user))
}

fn argument(text: &[u8], at: usize, limit: usize, carries: Carries, spans: &mut Spans) {
    let blanks = text[at..limit].iter().take_while(|byte| matches!(byte, b' ' | b'=' | b'"' | b',')).count();
    let attached = blanks == 0;
    if attached != (carries == Carries::Attached)
        && !(attached && text.get(at) == Some(&b'\''))
        && carries != Carries::Attached
    {
        return;
    }
    // The quote that opens the word is not the end of the flag's own.
    let opened = blanks > 1 && matches!(text[at + blanks - 1], b'"') && text[at + blanks - 2] == b' ';
    let (start, end) = word(text, at + blanks - usize::from(opened), limit);
    // `-p"X"`.
    let enclosed = text[at..start] == *b"\"" && text.get(end) == Some(&b'"');
    let quoted = start > at && (text[start - 1] == b'\'' || text[at..start] == *b" \"" || enclosed);
    let start = match carries {
        Carries::Pair(sign) => match text[start..end].iter().position(|&byte| byte == sign) {
            Some(colon)
                if end - start - colon <= 4
                    && text[start] == b'$'
                    && text.get(start + colon + 1) != Some(&b'$') =>
            {
                return crate::assigned::scan(text, start, Use::Token, spans);
            }
            Some(colon) if end - start - colon <= 4 && is_own_key(&text[start..start + colon]) => {
                return spans.add(start, start + colon, "api_key", false);
            }
            Some(colon) => start + colon + 1,
            None => return,
        },
        Carries::Tail => match memchr::memrchr(b':', &text[start..end]) {
            Some(colon) => start + colon + 1,
            None => return,
        },
        _ => start,
    };
    let secret = &text[start..end];
    if secret.starts_with(b"$") {
        let used = if carries == Carries::Made { Use::Token } else { Use::Password };
        return crate::assigned::scan(text, start, used, spans);
    }
    let spaced = carries == Carries::Attached && blanks > 0;
    if secret.len() < 4
        || value::is_placeholder(secret)
        || secret.starts_with(b"-")
        || spaced && !quoted && (!crate::prose::looks_chosen(secret) || is_database(secret))
        || secret.starts_with(b"//")
    {
        return;
    }
    let made = secret.len() >= 20 && (value::is_hex(secret) || chance::is_random(secret));
    if carries == Carries::Made && !made {
        return;
    }
    let sure = quoted || carries == Carries::Sure && value::is_choosable(secret);
    if !sure
        && secret.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_' || *byte == b'-')
        && !chance::is_random(secret)
        && !matches!(carries, Carries::Pair(_) | Carries::Last | Carries::Tail)
    {
        return;
    }
    spans.add(start, end, "password", true);
}

/// `mysql -p orders_2024`: behind a bare flag stands a database, which has small letters, digits and lines below.
fn is_database(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `-pX`, `/p:X` of a command that is run, whatever word it is.
fn attached(text: &[u8], at: usize, limit: usize, spans: &mut Spans) -> bool {
    const OPTIONS: [&[u8]; 7] = [b"rotocol", b"rompt", b"ort", b"rint", b"lugin", b"arallel", b"rogress"];
    let (start, end) = word(text, at, limit);
    let secret = &text[start..end];
    let found = start == at
        && value::is_choosable(secret)
        && !OPTIONS.iter().any(|option| secret.starts_with(option));
    if found {
        spans.add(start, end, "password", true);
    }
    found
}

/// Whether the command at `at` is run: it begins its line, stands behind a prompt or another command.
fn opens(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(24)..at];
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let words = line.trim_ascii();
    words.is_empty()
        || [
            &b"$"[..],
            b"#",
            b">",
            b"%",
            b"sudo",
            b"&&",
            b"||",
            b";",
            b"|",
            b"`",
            b"+",
            b"run:",
            b"RUN",
            b"-",
            b"exec",
            b"time",
        ]
        .iter()
        .any(|head| words.ends_with(head))
        || line.ends_with(b"bin/")
}

/// A shell word: quoted, or up to a blank.
fn word(text: &[u8], at: usize, limit: usize) -> (usize, usize) {
    let sign = text.get(at).copied().unwrap_or(0);
    if at < limit && matches!(sign, b'\'' | b'"') {
        let inside = &text[at + 1..limit];
        // Unclosed, it ends with the string that the whole line stands in.
        let open = inside.strip_suffix(b"\"").unwrap_or(inside).len();
        let long = inside.iter().position(|&byte| byte == sign).unwrap_or(open);
        return (at + 1, at + 1 + long);
    }
    let long = text[at.min(limit)..limit]
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\'))
        .count();
    (at, at + long)
}

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn commands_take_it_where_they_take_it() {
        for text in [
            "$ nsupdate -y hmac-sha256:box:starfighter",
            "$ radclient 10.0.0.1 auth starfighter",
            "$ mkpasswd -m sha-512 starfighter",
            "$ secretsdump.py corp/ann:'starfighter'@10.0.0.4",
            "$ GetUserSPNs.py corp/ann:starfighter -dc-ip 10.0.0.4",
            "/msg NickServ IDENTIFY starfighter",
            "EXEC sp_addlogin 'ann', 'starfighter';",
            "ftp> user ann starfighter",
            "$ doveadm auth test ann@example.org 'starfighter'",
            "$ doveadm auth login ann starfighter",
            "$ SUSEConnect -e ann@example.org -r starfighter",
            "mgmt-user ann starfighter",
        ] {
            assert_eq!(found(text), ["starfighter"], "{text}");
        }
        assert_eq!(
            found("$ radtest -t pap ann starfighter 10.0.0.1 0 heron-kettle-7"),
            ["starfighter", "heron-kettle-7"]
        );
        let token = "5a1f0c7e-93b2-4d18-8e6a-0b7c4f2d9e13";
        assert_eq!(found(&format!("$ bash <(curl -s https://codecov.io/bash) -t {token} -F unit")), [token]);
    }

    #[test]
    fn a_command_goes_on_behind_a_backslash() {
        for text in [
            "$ mysqldump -h db1 \\\n  -u shop -p'heron/kettle' shop",
            "mosquitto_sub -h mqtt.lan \\\n  -u press -P 'heron/kettle' -v",
            "cqlsh 10.0.0.7 \\\n  -u ann \\\n  -p 'heron/kettle'",
            "sqlcmd.exe -S db1 `\n  -U sa -P \"heron/kettle\" -Q x",
            "schtasks /Create /TN a /TR C:\\a.exe /RU CORP\\ann /RP \"heron/kettle\" /SC DAILY",
            "schtasks.exe /Create /TN a ^\r\n /RU ann /RP \"heron/kettle\"",
            "TASKLIST /S box /U ann /P \"heron/kettle\"",
        ] {
            assert_eq!(found(text), ["heron/kettle"], "{text}");
        }
        for text in [
            "$ mysql -h db1\n  -P 'heron/kettle'",
            "$ mosquitto_sub -h mqtt.lan\n -P 'heron/kettle'",
            "$ docker run -v a:b \\\n  -p 8080:80 x",
            "schtasks /Query /FO LIST /V",
            "aws ssm put-parameter \\\n  --name a \\\n  --value \"heron/kettle\" \\\n  --type \"String\"",
            "the flag /RP of schtasks takes a password",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_commands_take_besides_stays() {
        for text in [
            "$ dig @ns1.example.org example.org AXFR +noall",
            "$ dig -y mykey example.org",
            "$ docker run --name pihole -p 53:53/udp -p 8081:80 pihole/pihole",
            "the output of `mkpasswd -m sha-512`. Plain words are not accepted.",
            "$ psexec.py -hashes :aad3 ann@10.0.0.4:4455",
            "$ secretsdump.py -h",
            "$ radtest -h",
            "/msg NickServ IDENTIFY",
            "NickServ identify is needed before you join",
            "$ smbclient.py -hashes aad3b:31d6 ann@10.0.0.4",
            "$ ansible-vault encrypt_string --stdin-name db",
            "$ sp_password @old, @new",
            "$ doveadm auth test -x service=imap ann@example.org",
            "$ doveadm auth test ann@example.org",
            "$ SUSEConnect --url https://rmt.kontor.example",
            "$ sudo pro attach --help",
            "$ sudo pro attach [token]",
            "mgmt-user admin root",
            "mgmt-user localauth-disable",
            "isakmp key [key] address 10.0.0.1",
            "super password level 3",
            "the super password is simple enough",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
