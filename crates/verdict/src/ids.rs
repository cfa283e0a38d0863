//! Ids and fingerprints tell the properties of a document apart.

use std::collections::BTreeSet;

use crate::{PropertyResult, sha256_hex};

/// Of properties with the same id all but the first get a number, `never~2`, and of those with the same
/// fingerprint all but the first get another one: readers look properties up by them.
pub fn number_ids(properties: &mut [PropertyResult]) {
    let mut known: BTreeSet<String> = properties.iter().map(|one| one.id.clone()).collect();
    let mut seen = BTreeSet::new();
    let mut prints = BTreeSet::new();
    for property in properties {
        if !seen.insert(property.id.clone()) {
            let numbered = |n: usize| format!("{}~{n}", property.id);
            let free = (2..).map(numbered).find(|id| known.insert(id.clone()));
            property.id = free.unwrap_or_default();
            seen.insert(property.id.clone());
            if let Some(trace) = &mut property.trace {
                trace.result.property.clone_from(&property.id);
            }
        }
        if let Some(print) = &mut property.fingerprint
            && !prints.insert(print.clone())
        {
            *print = sha256_hex(format!("{print}\0{}", property.id).as_bytes())[..16].to_owned();
            prints.insert(print.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use everypath_property::PropertyKind;

    use super::*;
    use crate::Verdict;

    #[test]
    fn no_two_properties_have_the_same_id_or_fingerprint() {
        let property = |id: &str| {
            let mut one = PropertyResult::new(PropertyKind::Never, id, id, Verdict::Holds);
            one.fingerprint = Some("same".to_owned());
            one
        };
        let mut all = ["never", "never~2", "never", "never", "deadlock"].map(property);
        number_ids(&mut all);
        let ids = all.each_ref().map(|one| one.id.as_str());
        assert_eq!(ids, ["never", "never~2", "never~3", "never~4", "deadlock"]);
        let prints: BTreeSet<&Option<String>> = all.iter().map(|one| &one.fingerprint).collect();
        assert_eq!(prints.len(), all.len());
        assert_eq!(all[0].fingerprint.as_deref(), Some("same"));
    }
}
