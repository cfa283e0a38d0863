//! Formatted output of a model.

use std::fmt::Write;

use everypath_model::Value;

use crate::machine::{Conversion, Format, Kind, Machine};

impl Format {
    /// The text for these arguments; missing ones print as 0.
    pub fn render(&self, machine: &Machine, args: &[i32]) -> String {
        let mut text = self.pieces[0].clone();
        for (i, conversion) in self.conversions.iter().enumerate() {
            let value = args.get(i).copied().unwrap_or(0);
            let _ = match conversion {
                Conversion::Decimal => write!(text, "{value}"),
                Conversion::Unsigned => write!(text, "{}", value as u32),
                Conversion::Char => write!(text, "{}", char::from(value as u8)),
                Conversion::Octal => write!(text, "{:o}", value as u32),
                Conversion::Hex => write!(text, "{:x}", value as u32),
                Conversion::Name(set) => match machine.show(Kind::Name(*set), value) {
                    Value::Name(name) => write!(text, "{name}"),
                    _ => write!(text, "{value}"),
                },
            };
            text.push_str(&self.pieces[i + 1]);
        }
        text
    }
}
