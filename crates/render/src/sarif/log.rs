//! The part of SARIF 2.1.0 that is written here, object for object.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// The whole file.
#[derive(Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: Vec<Run>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub tool: Tool,
    pub invocations: Vec<Invocation>,
    pub artifacts: Vec<Artifact>,
    pub results: Vec<Finding>,
    pub column_kind: &'static str,
}

#[derive(Serialize)]
pub struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver {
    pub name: &'static str,
    pub version: String,
    pub semantic_version: String,
    pub rules: Vec<Descriptor>,
    pub notifications: Vec<Descriptor>,
}

/// A rule, or a kind of notification.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    pub id: String,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub arguments: Vec<String>,
    pub execution_successful: bool,
    pub exit_code: u8,
    pub exit_code_description: &'static str,
    pub tool_execution_notifications: Vec<Notification>,
    pub properties: BTreeMap<&'static str, Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    pub descriptor: DescriptorReference,
    pub level: &'static str,
    pub message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

#[derive(Serialize)]
pub struct DescriptorReference {
    pub id: String,
    pub index: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    pub location: ArtifactLocation,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hashes: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source_language: String,
}

/// A result in the words of the standard.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub rule_id: String,
    pub rule_index: usize,
    pub kind: &'static str,
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    pub properties: BTreeMap<&'static str, Value>,
}

#[derive(Clone, PartialEq, Serialize)]
pub struct Message {
    pub text: String,
}

#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

#[derive(Clone, PartialEq, Serialize)]
pub struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow {
    pub message: Message,
    pub thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadFlow {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub locations: Vec<FlowLocation>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlowLocation {
    pub location: Location,
    pub execution_order: u64,
    pub importance: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<String, Message>,
}
