//! How many states there will be, guessed from the sizes of levels.
//!
//! A store that knows grows less often, and has less room left in the end. Levels of most models become
//! larger, then smaller, and their logarithms bend evenly: three of them tell the rest.

/// Levels that are looked at. With so many of them a single one says nothing.
const MOST_LEVELS: usize = 1 << 12;
/// The levels that are compared lie as far apart as this part of those there are.
const PART: usize = 8;
/// Nobody knows about more than so many times the states that are there.
const FARTHEST: f64 = 3.0;
/// Levels that grow by so much from one of those compared to the next promise at least as much.
const GROWING: f64 = 1.1;
/// What is expected if levels neither grow nor shrink: so many times the states that are there.
const STEADY: f64 = 1.35;

/// The sizes of levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Trend {
    sizes: Vec<u64>,
}

impl Trend {
    /// A guess at the number of all states, when `stored` of them are known, of which `next` are those
    /// of the level to be expanded now; 0 for no idea.
    pub fn total(&mut self, stored: u64, next: u64) -> u64 {
        let last = self.sizes.len();
        if last == MOST_LEVELS {
            return 0;
        }
        self.sizes.push(next);
        let apart = (last / PART).max(2);
        if last < 2 * apart {
            return 0;
        }
        let [first, middle, next] =
            [last - 2 * apart, last - apart, last].map(|level| self.sizes[level] as f64);
        let rate = next / middle;
        let bend = (rate * first / middle).min(1.0);
        let most = stored as f64 * FARTHEST;
        let mut total = stored as f64;
        let (mut size, mut factor) = (next, rate);
        while size >= 1.0 && total < most {
            factor *= bend;
            // Between two of those compared each level is as many times the one before.
            let step = factor.powf(1.0 / apart as f64);
            total += match (1.0 - step).abs() {
                ..1e-9 => size * apart as f64,
                _ => size * step * (1.0 - factor) / (1.0 - step),
            };
            size *= factor;
        }
        if total >= most && rate < GROWING {
            total = STEADY * (stored as f64 + next);
        }
        total as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The guesses for levels of these sizes, and how many states there are with each of the levels.
    fn guesses(levels: &[u64]) -> Vec<(u64, u64)> {
        let mut trend = Trend::default();
        let mut stored = 0;
        let mut guess = |&next: &u64| {
            stored += next;
            (trend.total(stored, next), stored)
        };
        levels.iter().map(&mut guess).collect()
    }

    /// Levels that are as large as a bell is high.
    fn bell(levels: i32) -> Vec<u64> {
        let height = |level: i32| {
            let x = f64::from(level) / f64::from(levels) * 8.0 - 4.0;
            (1e6 * (-x * x / 2.0).exp()) as u64
        };
        (0..=levels).map(height).collect()
    }

    #[test]
    fn the_rest_of_a_bell_is_foreseen_from_its_top() {
        for levels in [16, 30, 100, 1000] {
            let levels = bell(levels);
            let all: u64 = levels.iter().sum();
            for (guess, _) in &guesses(&levels)[levels.len() / 2..] {
                assert!(guess.abs_diff(all) < all / 12, "{} levels: {guess}, {all}", levels.len());
            }
        }
    }

    #[test]
    fn levels_that_grow_promise_as_many_once_more() {
        for (guess, stored) in &guesses(&[1, 3, 9, 27, 81, 243])[4..] {
            assert!(*guess >= 2 * stored);
        }
    }

    #[test]
    fn other_levels_promise_some_more() {
        for (guess, stored) in &guesses(&[500; 40])[10..] {
            assert!((13 * stored / 10..17 * stored / 10).contains(guess), "{guess}, {stored}");
        }
        assert_eq!(guesses(&[5, 7, 9, 11])[3].0, 0);
        assert_eq!(guesses(&[3; MOST_LEVELS + 2])[MOST_LEVELS + 1].0, 0);
    }
}
