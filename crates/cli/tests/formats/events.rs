//! The stream of events, and interrupts.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::project::Run;
use crate::{FORMATS, models};

#[test]
fn events_come_in_order_and_while_the_search_goes() {
    let project = models();
    let args = ["check", "endless.pml", "broken.pml", "--time", "1600ms", "--mem", "4G"];
    let args = [&args[..], &["--format", "jsonl", "--progress", "always"]].concat();
    let Run { code, out, err } = project.run(&args);
    assert_eq!(code, 2);
    // The line for people is where it always is.
    assert!(err.contains(" states | "), "{err}");
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("start", "end"));
    assert_eq!(events[0]["inputs"], json!(["endless.pml", "broken.pml"]));
    assert_eq!(events.last().unwrap()["exit"], 2);
    let progress: Vec<&Value> = events.iter().filter(|e| e["event"] == "progress").collect();
    assert!((1..=4).contains(&progress.len()), "{names:?}");
    assert!(
        progress[0]["states"].as_u64().unwrap() > 0 && progress[0]["rate"].as_f64().unwrap() > 0.0
    );
    let times: Vec<f64> = events.iter().map(|event| event["time_s"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let results: Vec<&Value> = events.iter().filter(|e| e["event"] == "result").collect();
    assert_eq!(results.len(), 2);
    assert_eq!(results[1]["result"]["diagnostics"][0]["code"], "EP1203");
    let diagnostic = events.iter().find(|event| !event["diagnostic"].is_null()).unwrap();
    assert_eq!((&diagnostic["path"], &diagnostic["input"]), (&json!("broken.pml"), &json!(1)));
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_told_in_every_format() {
    use std::io::{BufRead, BufReader};
    let project = models();
    let files: Vec<String> =
        FORMATS.iter().map(|format| format!("{format}=out.{format}")).collect();
    let mut args =
        vec!["check", "endless.pml", "--format", "jsonl", "--time", "60s", "--mem", "4G"];
    for file in &files {
        args.extend(["-o", file]);
    }
    let mut child =
        project.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    // Progress is there before the end.
    let events: Vec<String> = lines.by_ref().take(2).collect();
    assert!(events[1].contains("\"event\":\"progress\""), "{events:?}");
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(rest.last().unwrap().contains("\"event\":\"end\",\"exit\":3"), "{rest:?}");
    for format in FORMATS {
        let text = project.read(&format!("out.{format}"));
        assert!(text.contains("interrupt"), "{format}: {text}");
    }
    assert_eq!(project.read("out.jsonl").lines().count(), events.len() + rest.len());
}
