//! `recount anchor`: others see the checkpoint, so that an old copy or a second history of the log shows.

use std::path::Path;
use std::process::Command;

use audit::Pin;
use recorder::Store;
use serde_json::{Value, json};
use world::World;

use crate::args::{Anchor, AnchorCommand, Global};
use crate::failure::{Failure, INTEGRITY, IO};
use crate::harmless::harmless;
use crate::output::Output;
use crate::{place, seals};

pub(crate) fn run(global: &Global, args: &Anchor, out: &mut Output) -> Result<u8, Failure> {
    match &args.command {
        AnchorCommand::List => list(&place::store(global)?, out),
        AnchorCommand::Git { repo } => git(&to_write(global)?, repo, out),
        AnchorCommand::Rfc3161 { tsr: None } => query(&to_write(global)?, out),
        AnchorCommand::Rfc3161 { tsr: Some(file) } => keep(&to_write(global)?, file, out),
        AnchorCommand::Witness { urls, policy } => witness(&to_write(global)?, urls, policy.as_deref(), out),
    }
}

fn to_write(global: &Global) -> Result<Store, Failure> {
    Ok(Store::open(World::real(), &place::to_write(global)?)?)
}

/// A failed anchor is said in the log, where the keys are; that it cannot be said is no second failure.
fn failed(store: &Store, how: &'static str) {
    let said = seals::sealer(store.journal()).and_then(|sealer| Ok(audit::anchor_failed(&sealer, how)?));
    if let Err(error) = said {
        eprintln!("warning: the log does not say so: {}", harmless(&error.text()));
    }
}

fn git(store: &Store, repo: &Path, out: &mut Output) -> Result<u8, Failure> {
    let pin = Pin::of(store.journal())?;
    let size = pin.size().unwrap_or(0);
    let committed = commit(store, repo, &pin.to_text(), size).inspect_err(|_| failed(store, "git"))?;
    audit::committed(store.journal(), size, &committed)?;
    told(out, "git", size, &json!({"commit": committed}), &format!("size {size} is in commit {committed}"))
}

fn commit(store: &Store, repo: &Path, text: &str, size: u64) -> Result<String, Failure> {
    let name = format!("recount-{}.pin", store.journal().store_id());
    std::fs::write(repo.join(&name), text)
        .map_err(|e| Failure::io(&format!("write {}", repo.join(&name).display()), &e))?;
    run_git(repo, &["add", "--", &name])?;
    let changed = run_git(repo, &["status", "--porcelain", "--", &name])?;
    if !changed.is_empty() {
        let message = format!("recount {}: {size} leaves", store.journal().store_id());
        run_git(repo, &["commit", "--quiet", "--message", &message, "--", &name])?;
    }
    run_git(repo, &["log", "-1", "--format=%H", "--", &name])
}

fn run_git(repo: &Path, args: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("git");
    command.arg("-C").arg(repo).args(args).env("GIT_TERMINAL_PROMPT", "0");
    let ran = command.output().map_err(|e| Failure::io("run git", &e))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(Failure::new(IO, format!("git {}: {}", args[0], harmless(said.trim()))));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned())
}

fn query(store: &Store, out: &mut Output) -> Result<u8, Failure> {
    let (size, digest) = audit::query(store.journal())?;
    let name = format!("recount-{size}");
    let steps = [
        format!("openssl ts -query -sha256 -digest {digest} -cert -out {name}.tsq"),
        format!(
            "curl -H 'Content-Type: application/timestamp-query' --data-binary @{name}.tsq -o {name}.tsr https://TSA"
        ),
        format!("recount anchor rfc3161 --tsr {name}.tsr"),
    ];
    if out.json {
        return told(out, "rfc3161", size, &json!({"digest": digest, "steps": steps}), "");
    }
    steps.iter().try_for_each(|step| out.line(step))?;
    out.flush()?;
    eprintln!("the checkpoint of size {size} is kept; these three make and keep its time stamp");
    Ok(0)
}

fn keep(store: &Store, file: &Path, out: &mut Output) -> Result<u8, Failure> {
    let response = std::fs::read(file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
    let stamp = audit::add_stamp(store.journal(), &response)?;
    let time = stamp.time.unwrap_or_default();
    let said = format!(
        "size {} is stamped at {}; `recount verify --tsa-ca FILE` checks by whom",
        stamp.size,
        harmless(&time)
    );
    told(out, "rfc3161", stamp.size, &json!({"digest": stamp.digest, "time": time}), &said)
}

fn witness(store: &Store, urls: &[String], policy: Option<&Path>, out: &mut Output) -> Result<u8, Failure> {
    let policy = place::policy(store.journal(), policy)?;
    let (size, all) = audit::witness(store.journal(), urls, policy.as_ref())?;
    let mut exit = 0;
    let mut list = Vec::new();
    for witnessed in &all {
        let url = harmless(&witnessed.url);
        match &witnessed.outcome {
            Ok(names) if out.json => list.push(json!({"url": witnessed.url, "keys": names})),
            Ok(names) => out.line(&format!("size {size} is cosigned by {}", harmless(&names.join(", "))))?,
            Err(what) => {
                exit = if witnessed.ahead {
                    INTEGRITY
                } else if exit == 0 {
                    IO
                } else {
                    exit
                };
                list.push(json!({"url": witnessed.url, "error": what}));
                let code = if witnessed.ahead { " [R0015]" } else { "" };
                eprintln!("error: {url}: {}{code}", harmless(what));
                if !witnessed.ahead {
                    failed(store, "witness");
                }
            }
        }
    }
    if out.json {
        out.document(
            "recount.anchor/1",
            &json!({"log_size": size}),
            exit == 0,
            json!({"how": "witness", "witnesses": list}),
        )?;
    }
    Ok(exit)
}

fn list(store: &Store, out: &mut Output) -> Result<u8, Failure> {
    let journal = store.journal();
    let mut rows: Vec<(u64, &str, String)> = Vec::new();
    rows.extend(
        audit::commits(journal)?.into_iter().map(|c| (c.size, "git", format!("{} at {}", c.commit, c.ts))),
    );
    rows.extend(audit::stamps(journal)?.into_iter().map(|stamp| {
        let said = stamp.time.unwrap_or_else(|| "unknown time".to_owned());
        (stamp.size, "rfc3161", if stamp.fits { said } else { format!("{said}, about another checkpoint") })
    }));
    rows.extend(audit::cosigned(journal)?.into_iter().map(|(size, name)| (size, "witness", name)));
    rows.sort();
    if out.json {
        let list: Vec<Value> =
            rows.iter().map(|(size, how, said)| json!({"size": size, "how": how, "said": said})).collect();
        out.document("recount.anchor/1", &json!({}), true, json!({"anchors": list}))?;
        return Ok(0);
    }
    for (size, how, said) in &rows {
        out.line(&format!("{size}\t{how}\t{}", harmless(said)))?;
    }
    out.flush()?;
    if rows.is_empty() {
        eprintln!("nobody else has seen this log");
    }
    Ok(0)
}

fn told(out: &mut Output, how: &str, size: u64, more: &Value, said: &str) -> Result<u8, Failure> {
    if out.json {
        let mut body = more.clone();
        body["how"] = how.into();
        out.document("recount.anchor/1", &json!({"log_size": size}), true, body)?;
    } else {
        out.line(said)?;
    }
    Ok(0)
}
