//! How far it is to a state with some letter.

use everypath_model::TransitionSystem;

use super::numbered::Numbered;
use crate::outcome::Stopped;

impl<S: TransitionSystem> Numbered<'_, S> {
    /// The least number of steps to a state whose letter is wanted, among the first `most` states that
    /// are met; `None` if there is none.
    pub fn nearest(
        &mut self,
        wanted: &mut dyn FnMut(u64) -> bool,
        most: usize,
    ) -> Result<Option<u64>, Stopped> {
        let mut level = self.initial()?;
        let mut seen = vec![false; self.len()];
        let (mut met, mut depth) = (0, 0);
        level.iter().for_each(|&state| seen[state as usize] = true);
        while !level.is_empty() {
            let mut next = Vec::new();
            for state in level {
                if wanted(self.letter(state)?) {
                    return Ok(Some(depth));
                }
                met += 1;
                if met > most {
                    return Ok(None);
                }
                let steps = self.steps(state)?;
                seen.resize(self.len(), false);
                for index in 0..steps.count {
                    let target = self.target(steps, index);
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        next.push(target);
                    }
                }
            }
            level = next;
            depth += 1;
        }
        Ok(None)
    }
}
