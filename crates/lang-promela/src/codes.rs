//! The codes of the messages about Promela models.

macro_rules! codes {
    ($($name:ident = $code:literal, $meaning:literal;)*) => {
        $(pub(crate) const $name: &str = $code;)*

        /// The codes of this front end with their meanings.
        pub const CODES: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    SYNTAX = "EP1201", "the text does not follow the grammar";
    REDECLARED = "EP1202", "a name that is visible already is declared again";
    UNKNOWN_NAME = "EP1203", "a name that is not declared at this place";
    NESTING = "EP1204", "too many levels of nesting";
    MISSING_BRACE = "EP1205", "a closing brace or word is missing";
    UNKNOWN_LABEL = "EP1206", "a jump or reference to a label that does not exist";
    UNKNOWN_PROCTYPE = "EP1207", "a proctype that does not exist";
    UNKNOWN_FIELD = "EP1208", "a field that the typedef does not have";
    CHARACTER = "EP1209", "a character or literal that Promela does not know";
    INLINE = "EP1210", "an inline is defined or called wrongly";
    EXPANSION = "EP1211", "the expansion of inlines is too deep or too large";
    LTL_PARENTHESES = "EP1212", "an operator is applied to a temporal formula";
    DUPLICATE_LABEL = "EP1213", "a label is defined twice, or named like a variable";
    NUMBER = "EP1214", "a number does not fit into 32 bits";
    CONSTANT = "EP1301", "a constant is needed or out of range";
    MISSING_INDEX = "EP1302", "an array is used without an index; element 0 is meant";
    INDEX_ON_SCALAR = "EP1303", "an index on a variable that is not an array";
    STRUCTURE = "EP1304", "a structure is used where a single value is needed";
    WIDTH = "EP1305", "a wrong width of an unsigned variable";
    INITIALIZER = "EP1306", "a wrong initial value";
    MTYPE = "EP1307", "a wrong declaration of symbolic names";
    PARAMETER = "EP1308", "a wrong parameter of a proctype";
    ARITY = "EP1309", "a wrong number of arguments";
    CHANNEL = "EP1310", "a wrong channel operation";
    PROBE = "EP1311", "a channel probe in a place where it is not allowed";
    RUN = "EP1312", "`run` in a place where it is not allowed";
    BREAK = "EP1313", "`break` outside of a loop";
    D_STEP = "EP1314", "something that is not allowed in a d_step";
    LABEL_PLACE = "EP1315", "a label in a place where it is not allowed";
    READ_ONLY = "EP1316", "a predefined variable is read or written wrongly";
    SELECT = "EP1317", "a wrong `select` or `for`";
    ELSE = "EP1318", "a dubious use of `else`";
    PRINT = "EP1319", "a wrong print format";
    LATE_DECLARATION = "EP1320", "a declaration that has to stand at the start of the proctype";
    PREFIX = "EP1321", "a prefix that this declaration cannot have";
    PROCESSES = "EP1322", "a wrong number of processes, or none";
    CLAIM = "EP1323", "something that a claim or trace assertion cannot contain";
    LOCAL_SCOPE = "EP1324", "a local name in a place that only sees globals";
    GUARD = "EP1325", "an assignment where a condition is expected";
}

/// The codes of findings; [`crate::lint::ALL`] says what they mean.
macro_rules! findings {
    ($($name:ident = $code:literal;)*) => {
        $(pub(crate) const $name: &str = $code;)*
    };
}

findings! {
    MESSAGE_LENGTH = "EP1501";
    MESSAGE_FIELD = "EP1502";
    CHANNEL_VALUE = "EP1503";
    MTYPE_NUMBER = "EP1504";
    MTYPE_SETS = "EP1505";
    MTYPE_ARITHMETIC = "EP1506";
    BOOL_NUMBER = "EP1507";
    PID_NUMBER = "EP1508";
    NARROWING = "EP1509";
    UNREACHABLE = "EP1601";
    UNREACHED = "EP1602";
    UNUSED_CHANNEL = "EP1603";
    UNSENT_CHANNEL = "EP1604";
    UNRECEIVED_CHANNEL = "EP1605";
    UNRECEIVED_MESSAGE = "EP1606";
    UNMATCHED_RECEIVE = "EP1607";
    NO_CHANNEL = "EP1608";
    UNUSED_VARIABLE = "EP1609";
    UNREAD_VARIABLE = "EP1610";
    UNWRITTEN_VARIABLE = "EP1611";
    UNINITIALISED = "EP1612";
    BLOCKING_ATOMIC = "EP1613";
    BLOCKING_D_STEP = "EP1614";
    JUMP_INTO_ATOMIC = "EP1615";
    LOST_UPDATE = "EP1616";
    UNUSED_LABEL = "EP1617";
    NEVER_RUN = "EP1618";
    UNUSED_INLINE = "EP1619";
    UNUSED_MTYPE = "EP1620";
    BLOCKED_SELECTION = "EP1621";
    CONSTANT_CONDITION = "EP1622";
    SELF_ASSIGNMENT = "EP1623";
    DUPLICATE_OPTION = "EP1624";
    VACUITY = "EP1625";
}
