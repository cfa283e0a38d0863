//! The value of an expression in a state.

use std::cmp::Ordering;
use std::fmt::Write;

use everypath_model::{Value, most_similar};

use super::{EvalError, Expr, Function, Operator, Scope, Suffix};

type Result<T> = std::result::Result<T, EvalError>;

fn invalid<T>(message: impl Into<String>) -> Result<T> {
    Err(EvalError::Invalid(message.into()))
}

pub(super) fn value<S: Scope + ?Sized>(expr: &Expr, scope: &S) -> Result<Value> {
    match expr {
        Expr::Value(value) => Ok(value.clone()),
        Expr::List(items) => {
            Ok(Value::List(items.iter().map(|item| value(item, scope)).collect::<Result<_>>()?))
        }
        Expr::Path(name, suffixes) => path(name, suffixes, scope),
        Expr::Call(function, argument) => {
            let argument = value(argument, scope)?;
            let Value::List(items) = &argument else {
                return invalid(format!("`{argument}` has no length: it is no list"));
            };
            Ok(match function {
                Function::Len => Value::Int(items.len() as i64),
                Function::Empty => Value::Bool(items.is_empty()),
            })
        }
        Expr::Not(inner) => Ok(Value::Bool(!truth(&value(inner, scope)?)?)),
        Expr::Minus(inner) => match number(&value(inner, scope)?)?.checked_neg() {
            Some(result) => Ok(Value::Int(result)),
            None => overflow(),
        },
        Expr::Binary(operator, left, right) => binary(*operator, left, right, scope),
    }
}

fn binary<S: Scope + ?Sized>(
    operator: Operator,
    left: &Expr,
    right: &Expr,
    scope: &S,
) -> Result<Value> {
    use Operator::{
        Add, And, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply, Or, Remainder,
        Subtract, Unequal,
    };
    match operator {
        And => {
            let both = truth(&value(left, scope)?)? && truth(&value(right, scope)?)?;
            return Ok(Value::Bool(both));
        }
        Or => {
            let either = truth(&value(left, scope)?)? || truth(&value(right, scope)?)?;
            return Ok(Value::Bool(either));
        }
        Equal | Unequal => {
            let (left, right) = compared(left, right, scope)?;
            return Ok(Value::Bool(equal(&left, &right) == (operator == Equal)));
        }
        _ => {}
    }
    let (left, right) = (number(&value(left, scope)?)?, number(&value(right, scope)?)?);
    let order = left.cmp(&right);
    let result = match operator {
        Less => return Ok(Value::Bool(order == Ordering::Less)),
        LessEqual => return Ok(Value::Bool(order != Ordering::Greater)),
        Greater => return Ok(Value::Bool(order == Ordering::Greater)),
        GreaterEqual => return Ok(Value::Bool(order != Ordering::Less)),
        Divide | Remainder if right == 0 => return invalid("division by zero"),
        Add => left.checked_add(right),
        Subtract => left.checked_sub(right),
        Multiply => left.checked_mul(right),
        Divide => left.checked_div(right),
        Remainder => left.checked_rem(right),
        And | Or | Equal | Unequal => unreachable!("returned above"),
    };
    result.map_or_else(overflow, |result| Ok(Value::Int(result)))
}

fn overflow() -> Result<Value> {
    invalid("the result needs more than 64 bits")
}

/// Both sides of a comparison. A name that no value has is a word if the other side may be one, so
/// that `state == IDLE` needs no quotes.
fn compared<S: Scope + ?Sized>(left: &Expr, right: &Expr, scope: &S) -> Result<(Value, Value)> {
    match (value(left, scope), value(right, scope)) {
        (Ok(left), Ok(right)) => Ok((left, right)),
        (Err(error), Ok(other)) => match word(left, scope).filter(|_| wordy(right, &other)) {
            Some(word) => Ok((word, other)),
            None => Err(error),
        },
        (Ok(other), Err(error)) => match word(right, scope).filter(|_| wordy(left, &other)) {
            Some(word) => Ok((other, word)),
            None => Err(error),
        },
        (Err(error), Err(_)) => Err(error),
    }
}

/// Whether the value of an expression may be a word at times; 0 is a word that was not set yet.
fn wordy(expr: &Expr, value: &Value) -> bool {
    match value {
        Value::Name(_) | Value::List(_) => true,
        Value::Int(0) => matches!(expr, Expr::Path(..)),
        _ => false,
    }
}

/// An expression with its unknown names as words.
fn word<S: Scope + ?Sized>(expr: &Expr, scope: &S) -> Option<Value> {
    match expr {
        Expr::Path(name, suffixes) if suffixes.is_empty() => {
            Some(value(expr, scope).unwrap_or_else(|_| Value::Name(name.clone())))
        }
        Expr::List(items) => {
            Some(Value::List(items.iter().map(|item| word(item, scope)).collect::<Option<_>>()?))
        }
        other => value(other, scope).ok(),
    }
}

/// Truth values are the numbers 0 and 1.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| equal(l, r))
        }
        (Value::Name(left), Value::Name(right)) => left == right,
        _ => matches!((number(left), number(right)), (Ok(left), Ok(right)) if left == right),
    }
}

fn number(value: &Value) -> Result<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Bool(truth) => Ok(i64::from(*truth)),
        Value::Name(word) => invalid(format!("the word `{word}` is no number")),
        Value::List(_) => invalid(format!("the list {value} is no number")),
    }
}

pub(super) fn truth(value: &Value) -> Result<bool> {
    match value {
        Value::Int(number) => Ok(*number != 0),
        Value::Bool(truth) => Ok(*truth),
        Value::Name(word) => invalid(format!("the word `{word}` is neither true nor false")),
        Value::List(_) => invalid(format!("the list {value} is neither true nor false")),
    }
}

/// The value of `Inc[0].tmp`, `a[2]`, `q[0]`, or of the whole array `a`.
fn path<S: Scope + ?Sized>(name: &str, suffixes: &[Suffix], scope: &S) -> Result<Value> {
    let mut key = name.to_owned();
    // Where each suffix begins in the key, with its index.
    let mut parts: Vec<(usize, Option<i64>)> = Vec::with_capacity(suffixes.len());
    for suffix in suffixes {
        let start = key.len();
        match suffix {
            Suffix::Field(field) => {
                let _ = write!(key, ".{field}");
                parts.push((start, None));
            }
            Suffix::Index(index) => {
                let index = number(&value(index, scope)?)?;
                let _ = write!(key, "[{index}]");
                parts.push((start, Some(index)));
            }
        }
    }
    if let Some(value) = scope.value(&key) {
        return Ok(value);
    }
    if let Some(array) = array(&key, scope) {
        return Ok(array);
    }
    // The end of the path may go into a list.
    for (first, &(start, _)) in parts.iter().enumerate().rev() {
        let indices: Option<Vec<i64>> = parts[first..].iter().map(|&(_, index)| index).collect();
        let Some(indices) = indices else { break };
        let list = scope.value(&key[..start]).or_else(|| array(&key[..start], scope));
        if let Some(list) = list {
            return elements(&key[..start], list, &indices);
        }
    }
    let names = scope.names();
    let similar = most_similar(&key, names.iter().copied()).map(str::to_owned).or_else(|| {
        // `tmp` alone is meant to be the one of some process.
        let inside = |known: &&&str| known.rsplit('.').next() == Some(key.as_str());
        names.iter().find(inside).map(|&known| known.to_owned())
    });
    Err(EvalError::Unknown { name: key, similar })
}

/// The elements `a[0]`, `a[1]`, .. as a list.
fn array<S: Scope + ?Sized>(name: &str, scope: &S) -> Option<Value> {
    let items: Vec<Value> =
        (0..).map_while(|index| scope.value(&format!("{name}[{index}]"))).collect();
    (!items.is_empty()).then_some(Value::List(items))
}

fn elements(name: &str, mut value: Value, indices: &[i64]) -> Result<Value> {
    let mut name = name.to_owned();
    for index in indices {
        let Value::List(mut items) = value else {
            return invalid(format!("`{name}` is {value}, which has no elements"));
        };
        let Some(at) = usize::try_from(*index).ok().filter(|&at| at < items.len()) else {
            return invalid(match items.len() {
                0 => format!("`{name}` is empty: there is no `{name}[{index}]`"),
                n => format!("there is no `{name}[{index}]`: `{name}` ends at {}", n - 1),
            });
        };
        value = items.swap_remove(at);
        let _ = write!(name, "[{index}]");
    }
    Ok(value)
}
