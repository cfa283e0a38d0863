//! A trace in the Informal Trace Format of Apalache and Quint: all values in each state.

use std::collections::{BTreeMap, BTreeSet};

use everypath_verdict::{Trace, Values, apply};
use serde_json::{Map, Value, json};

/// Values in all states together; more are refused.
const MOST: u64 = 20_000_000;
/// The greatest number that every reader of JSON keeps.
const EXACT: i64 = (1 << 53) - 1;

/// The steps `from..=to` of a trace as an ITF document; state 0 is the state before them.
pub fn render(trace: &Trace, from: u64, to: u64) -> Result<String, String> {
    let names = names(trace);
    let states = to.saturating_sub(from) + 2;
    if states.saturating_mul(names.len() as u64 + 2) > MOST {
        return Err(format!(
            "{states} states of {} variables are too many for this format, which repeats all of \
             them in each state; --from and --to choose a part",
            names.len()
        ));
    }
    let mut values = trace.values_after(from as usize - 1);
    let mut all = vec![state(&values, &names, 0, ("", ""))];
    for step in trace.steps.iter().filter(|step| (from..=to).contains(&step.i)) {
        apply(&mut values, step);
        let lane = trace.lane_title(step);
        all.push(state(&values, &names, all.len(), (&lane, &step.text)));
    }
    let mapping: Map<String, Value> =
        names.iter().map(|(name, id)| (id.clone(), name.as_str().into())).collect();
    let vars: Vec<&str> =
        [LANE, ACTION].into_iter().chain(names.values().map(String::as_str)).collect();
    let mut document = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": trace.model.sources.first().map(|source| source.path.clone()),
            "description": format!("everypath: {} ({})", trace.result.property, trace.end.reason),
            "variables": mapping,
            "first-step": from,
        },
        "vars": vars,
        "states": all,
    });
    // The loop goes back to a state of this document, or it is cut off.
    if let Some(start) = trace.loop_start
        && to == trace.steps.len() as u64
        && let Some(index) = (start + 1).checked_sub(from)
    {
        document["loop"] = index.into();
    }
    Ok(super::json::line(&document))
}

/// The variables for who moved and what was done to get to a state.
const LANE: &str = "ep_process";
const ACTION: &str = "ep_statement";

/// All variables of all states, each with an identifier of its own.
fn names(trace: &Trace) -> BTreeMap<String, String> {
    let mut all: BTreeSet<&String> = trace.init.keys().collect();
    all.extend(trace.steps.iter().flat_map(|step| step.set.keys()));
    let mut used: BTreeSet<String> = [LANE, ACTION].map(str::to_owned).into();
    let mut names = BTreeMap::new();
    for name in all {
        let base = identifier(name);
        let mut id = base.clone();
        for number in 2.. {
            if used.insert(id.clone()) {
                break;
            }
            id = format!("{base}_{number}");
        }
        names.insert(name.clone(), id);
    }
    names
}

/// `Inc[0].tmp` as `Inc_0_tmp`.
fn identifier(name: &str) -> String {
    let mut id = String::new();
    for c in name.chars().take(200) {
        if c.is_ascii_alphanumeric() {
            id.push(c);
        } else if !id.ends_with('_') {
            id.push('_');
        }
    }
    let id = id.trim_end_matches('_');
    if id.starts_with(|c: char| c.is_ascii_alphabetic()) {
        id.to_owned()
    } else {
        format!("v_{id}")
    }
}

fn state(
    values: &Values,
    names: &BTreeMap<String, String>,
    index: usize,
    (lane, action): (&str, &str),
) -> Value {
    let mut state = Map::new();
    state.insert("#meta".to_owned(), json!({ "index": index }));
    state.insert(LANE.to_owned(), lane.into());
    state.insert(ACTION.to_owned(), action.into());
    for (name, id) in names {
        let value = match values.get(name) {
            Some(value) => encode(value),
            None => json!({ "#unserializable": "not there" }),
        };
        state.insert(id.clone(), value);
    }
    Value::Object(state)
}

fn encode(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(small) if (-EXACT..=EXACT).contains(&small) => value.clone(),
            _ if number.is_f64() => json!({ "#unserializable": number.to_string() }),
            _ => json!({ "#bigint": number.to_string() }),
        },
        Value::Array(items) => {
            let list: Vec<Value> = items.iter().map(encode).collect();
            // A sequence has elements of one kind.
            let kind = |value: &Value| std::mem::discriminant(value);
            match items.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1])) {
                true => Value::Array(list),
                false => json!({ "#tup": list }),
            }
        }
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, v)| (name.clone(), encode(v))).collect())
        }
        Value::Null => json!({ "#unserializable": "null" }),
        Value::Bool(_) | Value::String(_) => value.clone(),
    }
}
