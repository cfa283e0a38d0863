//! The constant expressions of `#if` and `#elif`.

use everypath_model::{Diagnostic, Span};

use crate::codes;
use crate::state::{Meaning, State};
use crate::token::{Kind, PREV_WHITE, Token};

/// How deep an expression may nest.
const DEPTH: usize = 200;

/// A value of type `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn int(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Value {
        Value::int(i64::from(value))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// A problem with a number or an expression.
struct Problem {
    code: &'static str,
    span: Option<Span>,
    message: String,
}

impl State<'_> {
    /// Evaluates the rest of the directive; false after an error.
    pub(crate) fn condition(&mut self, directive: &Token) -> bool {
        let Some(tokens) = self.condition_tokens() else {
            return false;
        };
        if self.stopped {
            return false;
        }
        let end = self.place(tokens.last().unwrap_or(directive));
        let mut parser =
            Parser { state: self, tokens: &tokens, at: 0, depth: 0, end, warnings: Vec::new() };
        let result = parser.whole(directive);
        let warnings = parser.warnings;
        for warning in warnings {
            self.report(warning);
        }
        match result {
            Ok(value) => value.is_true(),
            Err(problem) => {
                let span = problem.span.unwrap_or(end);
                self.report(Diagnostic::error(problem.code, span, problem.message));
                false
            }
        }
    }

    /// The expanded tokens of the expression, `defined` already answered.
    fn condition_tokens(&mut self) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        loop {
            let token = self.next_solid();
            match token.kind {
                Kind::Eof => return Some(tokens),
                Kind::Name => match self.interner.get(token.sym) {
                    b"defined" => {
                        let answer = self.defined(&token)?;
                        tokens.push(self.number(answer, &token));
                    }
                    b"__has_include" => {
                        let answer = self.has_include(&token)?;
                        tokens.push(self.number(answer, &token));
                    }
                    _ => tokens.push(token),
                },
                _ => tokens.push(token),
            }
        }
    }

    fn number(&mut self, value: bool, place: &Token) -> Token {
        let mut token = Token::bare(Kind::Number).at(place);
        token.sym = self.interner.intern(if value { b"1" } else { b"0" });
        token.flags = place.flags;
        token
    }

    /// The operand of `defined`.
    fn defined(&mut self, operator: &Token) -> Option<bool> {
        let before = std::mem::replace(&mut self.no_expansion, true);
        let mut token = self.next_solid();
        let parenthesis = token.kind == Kind::OpenParen;
        if parenthesis {
            token = self.next_solid();
        }
        let closed =
            token.kind != Kind::Name || !parenthesis || self.next_solid().kind == Kind::CloseParen;
        self.no_expansion = before;
        let message = match (token.kind, closed) {
            (Kind::Name, true) => {
                return Some(!matches!(self.meaning(token.sym), Meaning::Nothing));
            }
            (Kind::Name, false) => "`defined` lacks its closing parenthesis",
            _ => "`defined` needs the name of a macro",
        };
        self.report(Diagnostic::error(codes::BAD_EXPRESSION, self.place(operator), message));
        None
    }

    /// The operand of `__has_include`.
    fn has_include(&mut self, operator: &Token) -> Option<bool> {
        let mut name = None;
        if self.next_solid().kind == Kind::OpenParen {
            let token = self.next_solid();
            if token.kind == Kind::String {
                let text = self.text(&token);
                name = Some((text.trim_matches('"').to_string(), true));
            } else if token.kind == Kind::Less {
                let mut text = String::new();
                loop {
                    let token = self.next_solid();
                    match token.kind {
                        Kind::Greater => {
                            name = Some((text, false));
                            break;
                        }
                        Kind::Eof => break,
                        _ => {
                            if token.has(PREV_WHITE) {
                                text.push(' ');
                            }
                            text += &self.text(&token);
                        }
                    }
                }
            }
            if name.is_some() && self.next_solid().kind != Kind::CloseParen {
                name = None;
            }
        }
        let Some((name, local)) = name else {
            let message = "`__has_include` needs (\"file\") or (<file>)";
            self.report(Diagnostic::error(codes::BAD_EXPRESSION, self.place(operator), message));
            return None;
        };
        Some(self.find(&name, local, None).is_some())
    }
}

/// Reads an expression by precedence. Operands that are not evaluated are read with `live` off.
struct Parser<'p, 'a> {
    state: &'p State<'a>,
    tokens: &'p [Token],
    at: usize,
    depth: usize,
    end: Span,
    warnings: Vec<Diagnostic>,
}

/// How tightly a binary operator binds.
fn precedence(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Comma => 0,
        Kind::Question => 1,
        Kind::OrOr => 2,
        Kind::AndAnd => 3,
        Kind::Or => 4,
        Kind::Caret => 5,
        Kind::And => 6,
        Kind::EqEq | Kind::NotEq => 7,
        Kind::Less | Kind::Greater | Kind::LessEq | Kind::GreaterEq => 8,
        Kind::ShiftLeft | Kind::ShiftRight => 9,
        Kind::Plus | Kind::Minus => 10,
        Kind::Star | Kind::Slash | Kind::Percent => 11,
        _ => return None,
    })
}

impl Parser<'_, '_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn error<T>(&self, token: Option<&Token>, message: String) -> Result<T, Problem> {
        let span = Some(token.map_or(self.end, |token| self.state.place(token)));
        Err(Problem { code: codes::BAD_EXPRESSION, span, message })
    }

    fn whole(&mut self, directive: &Token) -> Result<Value, Problem> {
        if self.tokens.is_empty() {
            let message = format!("#{} needs an expression", self.state.text(directive));
            return self.error(Some(directive), message);
        }
        let value = self.binary(0, true)?;
        match self.peek().copied() {
            None => Ok(value),
            Some(token) => {
                let text = self.state.text(&token);
                let message = match token.kind {
                    Kind::CloseParen => "`)` without `(`".to_string(),
                    Kind::Colon => "`:` without `?`".to_string(),
                    Kind::Name | Kind::Number | Kind::OpenParen | Kind::Char => {
                        format!("an operator is missing before `{text}`")
                    }
                    _ => format!("`{text}` has no place in an #if expression"),
                };
                self.error(Some(&token), message)
            }
        }
    }

    /// An expression of operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8, live: bool) -> Result<Value, Problem> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Problem {
                code: codes::TOO_DEEP,
                span: self.peek().map(|token| self.state.place(token)),
                message: format!("this expression is nested more than {DEPTH} deep"),
            });
        }
        let mut left = self.unary(live)?;
        while let Some(&operator) = self.peek() {
            let Some(level) = precedence(operator.kind).filter(|&level| level >= least) else {
                break;
            };
            self.at += 1;
            left = match operator.kind {
                Kind::Question => self.choice(left, live, &operator)?,
                Kind::AndAnd => {
                    let right = self.binary(level + 1, live && left.is_true())?;
                    Value::truth(left.is_true() && right.is_true())
                }
                Kind::OrOr => {
                    let right = self.binary(level + 1, live && !left.is_true())?;
                    Value::truth(left.is_true() || right.is_true())
                }
                _ => {
                    let right = self.binary(level + 1, live)?;
                    self.apply(&operator, left, right, live)?
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The two branches behind `?`.
    fn choice(&mut self, test: Value, live: bool, question: &Token) -> Result<Value, Problem> {
        let then = self.binary(0, live && test.is_true())?;
        match self.peek() {
            Some(token) if token.kind == Kind::Colon => self.at += 1,
            _ => return self.error(Some(question), "`?` without `:`".into()),
        }
        let other = self.binary(1, live && !test.is_true())?;
        let chosen = if test.is_true() { then } else { other };
        Ok(Value { bits: chosen.bits, unsigned: then.unsigned || other.unsigned })
    }

    /// An operand with its prefix operators.
    fn unary(&mut self, live: bool) -> Result<Value, Problem> {
        let mut prefixes = Vec::new();
        let mut value = loop {
            let Some(&token) = self.peek() else {
                return self.error(None, "an operand is missing at the end".into());
            };
            self.at += 1;
            match token.kind {
                Kind::Plus | Kind::Minus | Kind::Not | Kind::Tilde => prefixes.push(token.kind),
                Kind::OpenParen => {
                    let value = self.binary(0, live)?;
                    match self.peek() {
                        Some(close) if close.kind == Kind::CloseParen => self.at += 1,
                        Some(other) => {
                            let text = self.state.text(other);
                            let message = format!("`)` is missing before `{text}`");
                            return self.error(Some(other), message);
                        }
                        None => return self.error(Some(&token), "`(` without `)`".into()),
                    }
                    break value;
                }
                Kind::Number => break self.integer(&token)?,
                Kind::Char => break self.character(&token)?,
                Kind::Name => break Value::int(0),
                _ => {
                    let text = self.state.text(&token);
                    let message = if precedence(token.kind).is_some() {
                        format!("`{text}` has no left operand")
                    } else {
                        format!("`{text}` has no place in an #if expression")
                    };
                    return self.error(Some(&token), message);
                }
            }
        };
        for prefix in prefixes.into_iter().rev() {
            value = match prefix {
                Kind::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                Kind::Tilde => Value { bits: !value.bits, ..value },
                Kind::Not => Value::truth(!value.is_true()),
                _ => value,
            };
        }
        Ok(value)
    }

    fn apply(&self, operator: &Token, a: Value, b: Value, live: bool) -> Result<Value, Problem> {
        let unsigned = a.unsigned || b.unsigned;
        let arithmetic = |bits: u64| Value { bits, unsigned };
        let (x, y) = (a.bits as i64, b.bits as i64);
        let less = if unsigned { a.bits < b.bits } else { x < y };
        Ok(match operator.kind {
            Kind::Comma => b,
            Kind::Or => arithmetic(a.bits | b.bits),
            Kind::Caret => arithmetic(a.bits ^ b.bits),
            Kind::And => arithmetic(a.bits & b.bits),
            Kind::EqEq => Value::truth(a.bits == b.bits),
            Kind::NotEq => Value::truth(a.bits != b.bits),
            Kind::Less => Value::truth(less),
            Kind::GreaterEq => Value::truth(!less),
            Kind::Greater => Value::truth(!less && a.bits != b.bits),
            Kind::LessEq => Value::truth(less || a.bits == b.bits),
            Kind::Plus => arithmetic(a.bits.wrapping_add(b.bits)),
            Kind::Minus => arithmetic(a.bits.wrapping_sub(b.bits)),
            Kind::Star => arithmetic(a.bits.wrapping_mul(b.bits)),
            Kind::ShiftLeft | Kind::ShiftRight => {
                let negative = !b.unsigned && y < 0;
                let count = if negative { y.unsigned_abs() } else { b.bits };
                Value {
                    bits: shift(a, count, (operator.kind == Kind::ShiftLeft) != negative),
                    unsigned: a.unsigned,
                }
            }
            _ if b.bits == 0 && live => {
                return self.error(Some(operator), "division by zero".into());
            }
            _ if b.bits == 0 => arithmetic(0),
            Kind::Slash if unsigned => arithmetic(a.bits / b.bits),
            Kind::Slash => arithmetic(x.wrapping_div(y) as u64),
            _ if unsigned => arithmetic(a.bits % b.bits),
            _ => arithmetic(x.wrapping_rem(y) as u64),
        })
    }

    /// An integer constant.
    fn integer(&mut self, token: &Token) -> Result<Value, Problem> {
        let text = self.state.text(token);
        let span = self.state.place(token);
        let fail =
            |message: String| Err(Problem { code: codes::BAD_NUMBER, span: Some(span), message });
        let lower = text.to_ascii_lowercase();
        let (radix, digits) = if let Some(rest) = lower.strip_prefix("0x") {
            (16, rest)
        } else if let Some(rest) = lower.strip_prefix("0b") {
            (2, rest)
        } else if lower.starts_with('0') {
            (8, &lower[..])
        } else {
            (10, &lower[..])
        };
        let is_digit = |c: char| {
            if radix == 16 { c.is_ascii_hexdigit() } else { c.is_ascii_digit() }
        };
        let count = digits.chars().take_while(|&c| is_digit(c)).count();
        let (digits, suffix) = digits.split_at(count);
        let exponent = if radix == 16 { 'p' } else { 'e' };
        if suffix.starts_with('.') || (suffix.starts_with(exponent) && radix != 2) {
            return fail(format!("`{text}` is a floating constant"));
        }
        let wrong_case = text.contains("lL") || text.contains("Ll");
        if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") || wrong_case {
            return fail(format!("`{text}` is no integer"));
        }
        if digits.is_empty() {
            return fail(format!("`{text}` has no digits"));
        }
        let mut bits: u64 = 0;
        let mut overflow = false;
        for digit in digits.chars() {
            let Some(digit) = digit.to_digit(radix) else {
                return fail(format!("`{digit}` is no digit of the constant `{text}`"));
            };
            overflow |= bits > (u64::MAX - u64::from(digit)) / u64::from(radix);
            bits = bits.wrapping_mul(u64::from(radix)).wrapping_add(u64::from(digit));
        }
        let mut unsigned = suffix.contains('u');
        let message = if overflow {
            unsigned = true;
            Some(format!("`{text}` is too large for its type"))
        } else if !unsigned && bits > i64::MAX as u64 {
            unsigned = true;
            (radix == 10).then(|| format!("`{text}` is so large that it is unsigned"))
        } else {
            None
        };
        if let Some(message) = message {
            self.warnings.push(Diagnostic::warning(codes::NUMBER_SIZE, span, message));
        }
        Ok(Value { bits, unsigned })
    }

    /// A character constant.
    fn character(&mut self, token: &Token) -> Result<Value, Problem> {
        let text = self.state.interner.get(token.sym);
        let span = Some(self.state.place(token));
        let fail =
            |message: &str| Err(Problem { code: codes::BAD_NUMBER, span, message: message.into() });
        let wide = text[0] != b'\'';
        let quote = text.iter().position(|&b| b == b'\'').unwrap_or(0);
        let mut rest = &text[quote + 1..text.len() - 1];
        if rest.is_empty() {
            return fail("an empty character constant");
        }
        let mut value: u32 = 0;
        let mut count = 0;
        while let Some((unit, length)) = if wide { wide_unit(rest) } else { narrow_unit(rest) } {
            rest = &rest[length..];
            count += 1;
            value = if wide { unit } else { (value << 8) | (unit & 0xff) };
        }
        if !rest.is_empty() {
            return fail("a malformed escape in a character constant");
        }
        Ok(match (text[0], count) {
            (b'\'', 1) => Value::int(i64::from(value as u8 as i8)),
            (b'u', _) => Value { bits: u64::from(value as u16), unsigned: true },
            (b'U', _) => Value { bits: u64::from(value), unsigned: true },
            _ => Value::int(i64::from(value as i32)),
        })
    }
}

/// `value` shifted; the count may exceed the width.
fn shift(value: Value, count: u64, left: bool) -> u64 {
    let negative = !value.unsigned && (value.bits as i64) < 0;
    match (left, u32::try_from(count).ok().filter(|&count| count < 64)) {
        (true, Some(count)) => value.bits << count,
        (true, None) => 0,
        (false, Some(count)) if negative => ((value.bits as i64) >> count) as u64,
        (false, Some(count)) => value.bits >> count,
        (false, None) if negative => u64::MAX,
        (false, None) => 0,
    }
}

/// The first byte of a character constant's content, and the length of what spells it.
fn narrow_unit(text: &[u8]) -> Option<(u32, usize)> {
    match text {
        [] => None,
        [b'\\', rest @ ..] => escape(rest).map(|(value, length)| (value, length + 1)),
        [byte, ..] => Some((u32::from(*byte), 1)),
    }
}

/// The same for a whole character.
fn wide_unit(text: &[u8]) -> Option<(u32, usize)> {
    match text {
        [] => None,
        [b'\\', rest @ ..] => escape(rest).map(|(value, length)| (value, length + 1)),
        _ => {
            let c = String::from_utf8_lossy(text).chars().next()?;
            Some((c.into(), c.len_utf8().min(text.len())))
        }
    }
}

/// The value of an escape sequence behind its backslash, and its length.
fn escape(text: &[u8]) -> Option<(u32, usize)> {
    let digits = |from: usize, radix: u32, most: usize| {
        let rest = &text[from.min(text.len())..];
        let count = rest.iter().take(most).take_while(|b| char::from(**b).is_digit(radix)).count();
        let value = rest[..count].iter().fold(0u32, |value, &byte| {
            value.wrapping_mul(radix).wrapping_add(char::from(byte).to_digit(radix).unwrap_or(0))
        });
        (count > 0).then_some((value, from + count))
    };
    Some(match *text.first()? {
        b'0'..=b'7' => return digits(0, 8, 3),
        b'x' => return digits(1, 16, usize::MAX),
        b'u' => return digits(1, 16, 4),
        b'U' => return digits(1, 16, 8),
        b'a' => (7, 1),
        b'b' => (8, 1),
        b't' => (9, 1),
        b'n' => (10, 1),
        b'v' => (11, 1),
        b'f' => (12, 1),
        b'r' => (13, 1),
        b'e' | b'E' => (27, 1),
        other => (u32::from(other), 1),
    })
}
