//! Channels that are used in one direction only, and messages that do not meet a receive.

use std::collections::BTreeSet;

use everypath_model::Span;

use super::Context;
use super::fold::constant;
use crate::ast::*;
use crate::codes;
use crate::flow::channels::{Channels, Field, Operation};
use crate::flow::values;
use crate::pretty;

/// More pairs of a send and a receive are not compared.
const MAX_PAIRS: usize = 1_000_000;

pub(super) fn check(cx: &mut Context<'_>) {
    let channels = Channels::new(cx.model);
    if channels.opaque {
        return;
    }
    let sent: BTreeSet<usize> = channels.sends.iter().flat_map(|op| held(&channels, op)).collect();
    let received: BTreeSet<usize> =
        channels.receives.iter().flat_map(|op| held(&channels, op)).collect();
    let looked: BTreeSet<usize> =
        channels.looks.iter().flat_map(|slot| channels.held(slot)).collect();
    for (number, site) in channels.sites.iter().enumerate() {
        let name = site.slot.name(cx.model);
        let var = &cx.model.vars[site.slot.var.index()];
        if cx.mentioned.contains(var.name.as_str()) {
            continue;
        }
        match (sent.contains(&number), received.contains(&number)) {
            (true, true) => {}
            (true, false) if looked.contains(&number) => {}
            (true, false) => {
                let message = format!("nothing is ever received from channel `{name}`");
                let what = match site.capacity {
                    0 => "it has no buffer, so every send blocks for ever",
                    _ => "when it is full, every send blocks for ever",
                };
                cx.warn(codes::UNRECEIVED_CHANNEL, site.span, message).help(what);
            }
            (false, true) => {
                let message = format!("nothing is ever sent to channel `{name}`");
                cx.warn(codes::UNSENT_CHANNEL, site.span, message)
                    .help("every receive from it blocks for ever");
            }
            (false, false) => {
                if !cx.usages.of(&site.slot).read && !looked.contains(&number) {
                    let message = format!("channel `{name}` is never used");
                    cx.warn(codes::UNUSED_CHANNEL, site.span, message);
                }
            }
        }
    }
    if channels.sends.len() * channels.receives.len() <= MAX_PAIRS {
        unmatched(cx, &channels, &sent, &received);
    }
    no_channel(cx, &channels);
}

fn held<'c>(channels: &'c Channels<'_>, op: &Operation<'_>) -> impl Iterator<Item = usize> + 'c {
    let slot = op.channel.clone();
    channels.held(&slot).collect::<Vec<_>>().into_iter()
}

/// Messages that no receive takes, and receives that no message fits.
fn unmatched(
    cx: &mut Context<'_>,
    channels: &Channels<'_>,
    sent: &BTreeSet<usize>,
    received: &BTreeSet<usize>,
) {
    let mut found: Vec<(Span, &'static str, String, String)> = Vec::new();
    // An inline is expanded many times: a finding must be true of all copies.
    let mut matched: BTreeSet<(Span, &'static str)> = BTreeSet::new();
    let both = [
        (codes::UNRECEIVED_MESSAGE, &channels.sends, &channels.receives, received),
        (codes::UNMATCHED_RECEIVE, &channels.receives, &channels.sends, sent),
    ];
    for (code, ours, theirs, met) in both {
        for op in ours {
            let sites: Vec<usize> = held(channels, op).collect();
            let fits = |site: usize| {
                !met.contains(&site)
                    || theirs.iter().any(|other| {
                        held(channels, other).any(|s| s == site)
                            && meet(op, other, &channels.sites[site].fields)
                    })
            };
            if sites.is_empty() || sites.into_iter().any(fits) {
                matched.insert((op.span, code));
                continue;
            }
            let Some(text) = pattern(cx.model, op) else { continue };
            let name = op.channel.name(cx.model);
            let (message, help) = match code {
                codes::UNRECEIVED_MESSAGE => (
                    format!("no receive from `{name}` takes the message {text}"),
                    "it stays in the channel, or blocks its sender, for ever",
                ),
                _ => (
                    format!("nothing that is sent to `{name}` fits {text}"),
                    "this receive is never executed",
                ),
            };
            found.push((op.span, code, message, help.to_owned()));
        }
    }
    found.sort();
    found.dedup();
    for (span, code, message, help) in found {
        if !matched.contains(&(span, code)) {
            cx.warn(code, span, message).help(help);
        }
    }
}

/// Whether a message and a pattern can be equal.
fn meet(a: &Operation<'_>, b: &Operation<'_>, types: &[Type]) -> bool {
    let (Some(a), Some(b)) = (&a.fields, &b.fields) else { return true };
    a.iter().zip(b).zip(types).all(|((a, b), &ty)| match (value(a, ty), value(b, ty)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    })
}

/// The value of a field that is always the same and fits its type.
fn value(field: &Field<'_>, ty: Type) -> Option<i32> {
    let Field::Value(e) = field else { return None };
    let (low, high) = values::declared(ty);
    constant(e).filter(|&value| low <= i64::from(value) && i64::from(value) <= high)
}

/// The constants of a message as text: `ack,_`.
fn pattern(model: &Model, op: &Operation<'_>) -> Option<String> {
    let fields = op.fields.as_ref()?;
    let texts: Vec<String> = fields
        .iter()
        .map(|field| match field {
            Field::Value(e) if constant(e).is_some() => pretty::expr(model, e),
            _ => "_".to_owned(),
        })
        .collect();
    Some(format!("`{}`", texts.join(",")))
}

/// Operations on variables that never hold a channel.
fn no_channel(cx: &mut Context<'_>, channels: &Channels<'_>) {
    let mut told = BTreeSet::new();
    for op in channels.sends.iter().chain(&channels.receives) {
        let running = op.process.is_some_and(|p| cx.started[p.index()]);
        let var = &cx.model.vars[op.channel.var.index()];
        if running && held(channels, op).next().is_none() && told.insert(op.channel.clone()) {
            let name = op.channel.name(cx.model);
            let message = format!("no channel ever gets into `{name}`, but it is used here");
            cx.warn(codes::NO_CHANNEL, op.span, message).also(var.span, "declared here");
        }
    }
}
