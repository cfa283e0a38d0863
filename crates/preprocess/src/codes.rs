//! The codes of this crate's messages.

macro_rules! codes {
    ($($name:ident = $code:literal: $meaning:literal;)*) => {
        $(#[doc = $meaning] pub(crate) const $name: &str = $code;)*

        /// Every code with its meaning.
        pub const CODES: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    UNKNOWN_DIRECTIVE = "EP1101": "a # line that is no preprocessing directive";
    UNTERMINATED_COMMENT = "EP1102": "a block comment that never ends";
    UNTERMINATED_CONDITIONAL = "EP1103": "a conditional without its #endif";
    STRAY_CONDITIONAL = "EP1104": "#else, #elif or #endif that belongs to no #if";
    UNTERMINATED_CALL = "EP1105": "a macro call without its closing parenthesis";
    ARGUMENT_COUNT = "EP1106": "a macro call with too few or too many arguments";
    BAD_PASTE = "EP1107": "## that does not make one token";
    BAD_DEFINE = "EP1108": "a malformed #define, #undef, #ifdef or #ifndef";
    BAD_EXPRESSION = "EP1109": "a malformed #if or #elif expression";
    BAD_INCLUDE = "EP1110": "a malformed #include";
    MISSING_INCLUDE = "EP1111": "an included file that cannot be read";
    INCLUDE_DEPTH = "EP1112": "files that include each other without end";
    USER_ERROR = "EP1113": "an #error directive";
    PRAGMA = "EP1114": "a #pragma, which survives preprocessing";
    BAD_LINE = "EP1115": "a malformed #line";
    UNSUPPORTED = "EP1116": "a preprocessor extension that is not supported";
    TOO_LARGE = "EP1117": "macro expansion or output beyond the limits";
    TOO_DEEP = "EP1118": "nesting beyond the limits";
    TOO_MANY_ERRORS = "EP1119": "reading stopped after too many errors";
    BAD_NUMBER = "EP1120": "a malformed number or character constant in an #if expression";
    REDEFINED = "EP1151": "a macro defined again with another body";
    USER_WARNING = "EP1152": "a #warning directive";
    UNTERMINATED_QUOTE = "EP1153": "a quote without its partner on the line";
    EXTRA_TOKENS = "EP1154": "text behind a complete directive";
    SPLICE = "EP1155": "a doubtful backslash at the end of a line";
    NUL = "EP1156": "a NUL byte, which is skipped";
    MACRO_SPACE = "EP1157": "no white space between a macro's name and its body";
    NUMBER_SIZE = "EP1158": "a constant too large for its type in an #if expression";
    BAD_STRING = "EP1159": "# that makes a string ending in a lone backslash";
    ONCE_IN_MAIN = "EP1160": "#pragma once in the main file";
    DEPRECATED = "EP1161": "a deprecated directive";
    PREDEFINED = "EP1162": "a predefined name that is defined again or undefined";
}
