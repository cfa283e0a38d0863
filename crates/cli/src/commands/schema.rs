//! `everypath schema`: the JSON Schemas of the documents.

use std::fmt::Write;

use clap::Args;
use everypath_verdict::{Exit, RESULT_SCHEMA, RESULTS_SCHEMA, RunResult, TRACE_SCHEMA, Trace};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use everypath_verdict::comparison::{Comparison, DIFF_SCHEMA};

use crate::commands::lint::{self, LINT_SCHEMA};
use crate::config::Environment;
use crate::events::{EVENT_SCHEMA, Event};
use crate::render::json::Results;
use crate::{print, tell};

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The document: result, results, trace, event, lint, diff; without a name, all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// A kind of document.
struct Document {
    /// Its name, and the value of its field `schema`.
    name: &'static str,
    id: &'static str,
    /// Where it comes from.
    about: &'static str,
    schema: fn() -> Value,
}

/// All kinds.
const DOCUMENTS: &[Document] = &[
    Document {
        name: "result",
        id: RESULT_SCHEMA,
        about: "check --format json, one input",
        schema: schema_of::<RunResult>,
    },
    Document {
        name: "results",
        id: RESULTS_SCHEMA,
        about: "check --format json, several inputs",
        schema: schema_of::<Results<'_>>,
    },
    Document {
        name: "trace",
        id: TRACE_SCHEMA,
        about: "a run of a model, inside of results",
        schema: schema_of::<Trace>,
    },
    Document {
        name: "event",
        id: EVENT_SCHEMA,
        about: "a line of check --format jsonl",
        schema: schema_of::<Event<'_>>,
    },
    Document {
        name: "lint",
        id: LINT_SCHEMA,
        about: "lint --format json",
        schema: schema_of::<lint::Document<'_>>,
    },
    Document {
        name: "diff",
        id: DIFF_SCHEMA,
        about: "diff --format json",
        schema: schema_of::<Comparison>,
    },
];

/// The schema of a document as it is written. Unknown fields are allowed: later versions of the
/// same number may add some.
fn schema_of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// Prints a schema, or the list of them.
pub fn schema(args: &SchemaArgs, _environment: &Environment) -> Exit {
    let Some(wanted) = &args.name else {
        let mut out = String::new();
        for one in DOCUMENTS {
            let _ = writeln!(out, "{:<8} {:<20} {}", one.name, one.id, one.about);
        }
        print(&out);
        return Exit::Ok;
    };
    match find(wanted) {
        Some(schema) => {
            // A value can always be written.
            print(&format!("{schema:#}\n"));
            Exit::Ok
        }
        None => {
            let names: Vec<&str> = DOCUMENTS.iter().map(|one| one.name).collect();
            let names = names.join(", ");
            tell("error", &format!("there is no schema `{wanted}`; there are {names}"));
            Exit::Input
        }
    }
}

/// The schema of a name, `result` or `everypath.result/1`.
fn find(wanted: &str) -> Option<Value> {
    let one = DOCUMENTS.iter().find(|one| one.name == wanted || one.id == wanted)?;
    let mut schema = (one.schema)();
    schema["$id"] = format!("urn:{}", one.id.replace(['.', '/'], ":")).into();
    schema["title"] = one.id.into();
    plain(&mut schema);
    Some(schema)
}

/// Descriptions come from the sources, and are made fit for readers of JSON.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "description" => {
                        *text =
                            text.replace("[`", "`").replace("`]", "`").replace("`None`", "null");
                    }
                    value => plain(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}
