//! Numbers with units, in both directions.

use std::time::Duration;

/// Reads `10m`, `30s`, `1h30m`, `500ms`, or plain seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time such as 30s, 10m, 1h30m or 500ms".to_owned();
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    let mut total = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        total += number
            * match &rest[..letters] {
                "ms" => 0.001,
                "s" | "" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(wrong()),
            };
        rest = rest[letters..].trim_start();
    }
    if total <= 0.0 {
        return Err("the time must be more than 0".to_owned());
    }
    Duration::try_from_secs_f64(total).map_err(|_| "the time is too long".to_owned())
}

/// Reads `8GiB`, `512M` (both powers of 1024), `8GB` (powers of 1000), or plain bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as 512M, 8GiB or 8GB".to_owned();
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit = text[digits..].trim().to_ascii_lowercase();
    let power = |letter: &str| match letter {
        "" => Some(0),
        "k" => Some(1),
        "m" => Some(2),
        "g" => Some(3),
        "t" => Some(4),
        _ => None,
    };
    let (base, exponent) = if let Some(exponent) = power(&unit) {
        (1024f64, exponent)
    } else if let Some(exponent) = unit.strip_suffix("ib").and_then(power) {
        (1024.0, exponent)
    } else if let Some(exponent) = unit.strip_suffix('b').and_then(power) {
        (1000.0, exponent)
    } else {
        return Err(wrong());
    };
    let bytes = number * base.powi(exponent);
    if !(1.0..9e18).contains(&bytes) {
        return Err("the size is out of range".to_owned());
    }
    Ok(bytes as u64)
}

/// Reads how many frames a thread may have.
pub fn parse_frames(text: &str) -> Result<u64, String> {
    match parse_count(text)? {
        frames @ 100..=1_000_000 => Ok(frames),
        _ => Err("expected between 100 and 1,000,000 frames".to_owned()),
    }
}

/// Reads `1000000`, `1_000_000`, `10k`, `5M` or `2G` (powers of 1000).
pub fn parse_count(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number such as 5000, 1_000_000 or 5M".to_owned();
    let text = text.trim().replace('_', "");
    let (digits, factor) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1000),
        Some('m' | 'M') => (&text[..text.len() - 1], 1_000_000),
        Some('g' | 'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text.as_str(), 1),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    match number.checked_mul(factor) {
        Some(0) | None => Err("the number is out of range".to_owned()),
        Some(count) => Ok(count),
    }
}

/// An exact count with separators: `4,594,340`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count to read in passing: `412.6 M`, `58 M`, `9,321`.
pub fn rough(number: u64) -> String {
    for (unit, size) in [("G", 1_000_000_000u64), ("M", 1_000_000)] {
        if number >= size {
            let value = number as f64 / size as f64;
            return format!("{} {unit}", tenths(value));
        }
    }
    count(number)
}

/// One decimal, and none if it is zero.
fn tenths(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A size: `4 MiB`, `7.9 GiB`.
pub fn bytes(number: u64) -> String {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    for (unit, shift) in units {
        if number >= 1 << shift {
            let value = number as f64 / (1u64 << shift) as f64;
            let text = if unit == "MiB" || unit == "KiB" || value >= 100.0 {
                format!("{value:.0}")
            } else {
                format!("{value:.1}")
            };
            return format!("{text} {unit}");
        }
    }
    format!("{number} B")
}

/// An elapsed time: `0.01 s`, `12.3 s`, `6 min 12 s`.
pub fn seconds(value: f64) -> String {
    if value < 1.0 {
        format!("{value:.2} s")
    } else if value < 60.0 {
        format!("{value:.1} s")
    } else {
        let whole = value.round() as u64;
        match whole / 3600 {
            0 => format!("{} min {} s", whole / 60, whole % 60),
            hours => format!("{hours} h {} min", whole / 60 % 60),
        }
    }
}

/// An elapsed time on a clock: `06:12`, `1:06:12`.
pub fn clock(elapsed: Duration) -> String {
    let whole = elapsed.as_secs();
    match whole / 3600 {
        0 => format!("{:02}:{:02}", whole / 60, whole % 60),
        hours => format!("{hours}:{:02}:{:02}", whole / 60 % 60, whole % 60),
    }
}

/// `1 step`, `2 steps`.
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        for (text, millis) in [
            ("10m", 600_000),
            ("30s", 30_000),
            ("1h30m", 5_400_000),
            ("500ms", 500),
            ("2", 2000),
            ("1.5m", 90_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "m", "10x", "-5s", "0s", "1..2s", "1e400s", "99999999999999999999d"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_read() {
        for (text, size) in [
            ("8GiB", 8u64 << 30),
            ("512M", 512 << 20),
            ("512MB", 512_000_000),
            ("1.5k", 1536),
            ("1000", 1000),
            ("2 TiB", 2 << 40),
        ] {
            assert_eq!(parse_bytes(text), Ok(size), "{text}");
        }
        for text in ["", "M", "8X", "-1", "0", "99999999T"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_are_read() {
        for (text, number) in [("5", 5), ("1_000", 1000), ("10k", 10_000), ("5M", 5_000_000)] {
            assert_eq!(parse_count(text), Ok(number), "{text}");
        }
        for text in ["", "0", "k", "-1", "1.5M", "99999999999999999999"] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_written() {
        assert_eq!(
            [0, 43, 999, 1000, 4_594_340].map(count),
            ["0", "43", "999", "1,000", "4,594,340"]
        );
        assert_eq!(
            [9_321, 412_600_000, 58_000_000, 2_340_000_000].map(rough),
            ["9,321", "412.6 M", "58 M", "2.3 G"]
        );
        assert_eq!(
            [12, 2048, 4 << 20, 8 << 30, 8_482_560_410].map(bytes),
            ["12 B", "2 KiB", "4 MiB", "8.0 GiB", "7.9 GiB"]
        );
        assert_eq!(
            [0.012, 12.34, 372.0, 3725.0].map(seconds),
            ["0.01 s", "12.3 s", "6 min 12 s", "1 h 2 min"]
        );
        assert_eq!(clock(Duration::from_secs(372)), "06:12");
        assert_eq!(clock(Duration::from_secs(3972)), "1:06:12");
    }
}
