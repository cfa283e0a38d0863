//! Traces by hand.

use everypath_verdict::Trace;
use serde_json::{Value, json};

/// One step of a trace: process, statement, variables written, message.
pub type Step<'a> = (u32, &'a str, Value, Value);

/// A message: channel, payload, `send` or `receive`, sender, receiver.
pub fn message(
    channel: &str,
    payload: &[&str],
    motion: &str,
    rendezvous: bool,
    ends: (Option<u64>, Option<u64>),
) -> Value {
    json!({
        "channel": channel, "payload": payload, "motion": motion, "rendezvous": rendezvous,
        "sender": ends.0, "receiver": ends.1,
    })
}

/// A trace of the processes with these names; the last step fails.
pub fn trace(lanes: &[&str], init: Value, steps: &[Step<'_>], repeats: Option<u64>) -> Trace {
    let count = steps.len();
    let text: Vec<&str> = steps.iter().map(|(_, text, _, _)| *text).collect();
    let steps: Vec<Value> = steps
        .iter()
        .enumerate()
        .map(|(i, (lane, text, set, msg))| {
            let line = i + 1;
            json!({
                "i": line, "lane": lane, "choice": [0], "enabled": 2,
                "span": { "file": 0, "start": [line, 1], "end": [line, 4] },
                "text": text, "reads": {}, "set": set, "msg": msg, "atomic": false,
                "stack": [], "role": if line == count { json!("failure") } else { Value::Null },
                "prop": null,
            })
        })
        .collect();
    let lanes: Vec<Value> = lanes
        .iter()
        .enumerate()
        .map(|(id, name)| json!({ "id": id, "name": name, "index": null }))
        .collect();
    let document = json!({
        "schema": "everypath.trace/1",
        "result": { "property": "assert@1:1", "kind": "safety" },
        "loop": repeats,
        "model": {
            "lang": "promela", "sha256": "",
            "sources": [{ "path": "hand.pml", "sha256": "", "text": text.join("\n") }],
        },
        "length": { "moves": count, "switches": 0, "shortest": true, "fewest_switches": false },
        "lanes": lanes, "init": init, "steps": steps,
        "end": { "reason": "assertion", "blocked": [] }, "explain": [],
    });
    Trace::from_json(&document.to_string()).unwrap()
}

/// A client asks a server through buffers, one answer overtakes, and a log is told directly.
pub fn requests(repeats: Option<u64>) -> Trace {
    let none = Value::Null;
    let send = |channel, payload, ends| message(channel, payload, "send", false, ends);
    let take = |channel, payload, ends| message(channel, payload, "receive", false, ends);
    trace(
        &["Client", "Server", "Log"],
        json!({ "req": [], "rsp": [], "waiting": 0 }),
        &[
            (0, "waiting = true", json!({ "waiting": 1 }), none.clone()),
            (0, "req!REQ", json!({ "req": ["REQ"] }), send("req", &["REQ"], (Some(2), Some(4)))),
            (
                0,
                "req!CANCEL",
                json!({ "req": ["REQ", "CANCEL"] }),
                send("req", &["CANCEL"], (Some(3), Some(7))),
            ),
            (1, "req?REQ", json!({ "req": ["CANCEL"] }), take("req", &["REQ"], (Some(2), Some(4)))),
            (1, "log!seen", json!({}), message("log", &["seen"], "send", true, (Some(5), Some(6)))),
            (2, "log?m", json!({}), message("log", &["seen"], "receive", true, (Some(5), Some(6)))),
            (1, "req?CANCEL", json!({ "req": [] }), take("req", &["CANCEL"], (Some(3), Some(7)))),
            (1, "rsp!NAK", json!({ "rsp": ["NAK"] }), send("rsp", &["NAK"], (Some(8), Some(9)))),
            (0, "rsp?NAK", json!({ "rsp": [] }), take("rsp", &["NAK"], (Some(8), Some(9)))),
            (1, "rsp!ACK", json!({ "rsp": ["ACK"] }), send("rsp", &["ACK"], (Some(10), None))),
            (0, "assert(!waiting)", json!({}), none),
        ],
        repeats,
    )
}
