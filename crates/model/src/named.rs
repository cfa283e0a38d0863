//! Values of options, as data.

/// One of several values that a user names. A door makes words of a command line of them, a page a list.
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// Every value with its name and what it means, in the order in which they are listed.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// Other words for some of the names, in front of them.
    const SHORT: &'static [(&'static str, &'static str)] = &[];

    /// The name of the value.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(value, ..)| *value == self).map_or("", |(_, name, _)| name)
    }

    /// The value of this name.
    fn named(name: &str) -> Option<Self> {
        let long = Self::SHORT.iter().find(|(short, _)| *short == name);
        let name = long.map_or(name, |(_, long)| long);
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(value, ..)| *value)
    }

    /// All names.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|(_, name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Size {
        Small,
        Large,
    }

    impl Named for Size {
        const ALL: &'static [(Size, &'static str, &'static str)] =
            &[(Size::Small, "small", "Little of it"), (Size::Large, "large", "Much of it")];
        const SHORT: &'static [(&'static str, &'static str)] = &[("l", "large")];
    }

    #[test]
    fn names_lead_to_values_and_back() {
        assert_eq!(Size::named("large"), Some(Size::Large));
        assert_eq!(Size::named("l"), Some(Size::Large));
        assert_eq!(Size::Small.name(), "small");
        assert_eq!(Size::named("huge"), None);
        assert_eq!(Size::names().collect::<Vec<_>>(), ["small", "large"]);
    }
}
