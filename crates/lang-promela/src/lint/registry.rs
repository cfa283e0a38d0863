//! All lints, each with a model that has it and one that has it no more.

use super::{Level, Lint};
use crate::codes;

/// All kinds of findings, in the order of their codes.
pub const ALL: &[Lint] = &[
    Lint {
        code: codes::MESSAGE_LENGTH,
        name: "message-length",
        default_level: Level::Error,
        title: "messages of different lengths on the same channel",
        explanation: "The messages that are sent to and received from a channel must have as \
                      many fields as the channel is declared with. The channel may have come a \
                      long way, through parameters, variables and messages: the places on the \
                      way are shown. A run stops with an error when it comes to such a \
                      statement.",
        example: "\
chan q = [1] of { byte, byte };
byte x;
active proctype Sender() { q!1,2 }
active proctype Receiver() { q?x; assert(x > 0) }
",
        corrected: "\
chan q = [1] of { byte, byte };
byte x;
active proctype Sender() { q!1,2 }
active proctype Receiver() { q?x,_; assert(x > 0) }
",
    },
    Lint {
        code: codes::MESSAGE_FIELD,
        name: "message-field",
        default_level: Level::Error,
        title: "a field of a message has two types",
        explanation: "The same field of the same channel is used as two things that have nothing \
                      in common: a channel and a number, a symbolic name and a number, or \
                      channels whose messages differ. Promela says only `chan` of a channel in a \
                      message, so its own messages are inferred from all uses; the text shows \
                      both and what leads from one to the other. No run reports it: the value is \
                      taken for something that it is not.",
        example: "\
mtype = { hello };
chan q = [1] of { mtype };
byte x;
active proctype Sender() { q!hello }
active proctype Receiver() { q?x; assert(x > 0) }
",
        corrected: "\
mtype = { hello };
chan q = [1] of { mtype };
mtype x;
active proctype Sender() { q!hello }
active proctype Receiver() { q?x; assert(x == hello) }
",
    },
    Lint {
        code: codes::CHANNEL_VALUE,
        name: "channel-value",
        default_level: Level::Error,
        title: "a channel is used as a value, or a value as a channel",
        explanation: "The number behind a channel has no meaning of its own: it depends on the \
                      order of declarations and on which processes run. Arithmetic with \
                      channels, conditions on them, and numbers in channel variables are errors \
                      in the model. 0 means no channel and may be assigned and compared; with \
                      --strict it may not.",
        example: "\
chan q = [1] of { byte };
byte x;
active proctype P() { q!1; q?x; assert(x == 1 && q == 7) }
",
        corrected: "\
chan q = [1] of { byte };
byte x;
active proctype P() { q!1; q?x; assert(x == 1) }
",
    },
    Lint {
        code: codes::MTYPE_NUMBER,
        name: "mtype-number",
        default_level: Level::Error,
        title: "symbolic names are mixed with numbers",
        explanation: "A symbolic name stands for itself; its number depends on the order of \
                      declarations. A variable of type mtype should only be assigned and \
                      compared with names. 0, the value before any name, may be used; with \
                      --strict it may not.",
        example: "\
mtype = { red, green };
mtype light = red;
active proctype P() { light = green; assert(light != 2) }
",
        corrected: "\
mtype = { red, green };
mtype light = red;
active proctype P() { light = green; assert(light != red) }
",
    },
    Lint {
        code: codes::MTYPE_SETS,
        name: "mtype-sets",
        default_level: Level::Error,
        title: "symbolic names of different sets are mixed",
        explanation: "`mtype:fruit` and `mtype:colour` are different types, and both differ from \
                      plain `mtype`. A comparison between them compares numbers that have \
                      nothing to do with each other.",
        example: "\
mtype:fruit = { apple, pear };
mtype:colour = { red, green };
mtype:fruit f = apple;
mtype:colour c = red;
active proctype P() { f = pear; c = green; assert(f == c) }
",
        corrected: "\
mtype:fruit = { apple, pear };
mtype:colour = { red, green };
mtype:fruit f = apple;
mtype:colour c = red;
active proctype P() { f = pear; c = green; assert(f == pear && c == green) }
",
    },
    Lint {
        code: codes::MTYPE_ARITHMETIC,
        name: "mtype-arithmetic",
        default_level: Level::Error,
        title: "a symbolic name takes part in arithmetic",
        explanation: "Symbolic names can be assigned and compared for equality only. Sums, \
                      orders and truth values of them depend on the order of their declaration.",
        example: "\
mtype = { low, high };
mtype level = low;
active proctype P() { level = high; assert(level > low) }
",
        corrected: "\
mtype = { low, high };
mtype level = low;
active proctype P() { level = high; assert(level != low) }
",
    },
    Lint {
        code: codes::BOOL_NUMBER,
        name: "bool-number",
        default_level: Level::Off,
        title: "bool is mixed with numbers",
        explanation: "Reported with --strict only, since many models use 0 and 1 for false and \
                      true. Under the strict rules a bool goes into bool variables and \
                      conditions only; 0 and 1 may be assigned to it.",
        example: "\
bool busy = true;
byte n = 1;
active proctype P() { n = busy; busy = false; assert(n == 1) }
",
        corrected: "\
bool busy = true;
byte n = 1;
active proctype P() { n = (busy -> 1 : 0); busy = false; assert(n == 1) }
",
    },
    Lint {
        code: codes::PID_NUMBER,
        name: "pid-number",
        default_level: Level::Off,
        title: "pid is mixed with numbers",
        explanation: "Reported with --strict-pid only. Under these rules a variable of type pid \
                      takes process numbers: `_pid`, the result of `run`, other variables of \
                      type pid, and constants.",
        example: "\
byte n = 1;
active proctype P() { n = _pid; assert(n == 0) }
",
        corrected: "\
pid n = 1;
active proctype P() { n = _pid; assert(n == 0) }
",
    },
    Lint {
        code: codes::NARROWING,
        name: "narrowing",
        default_level: Level::Warning,
        title: "a value may be cut off",
        explanation: "A value is stored where not every value fits: a byte holds 0 to 255, a bit \
                      0 and 1. What is too large loses its upper bits, and the search goes on \
                      with what is left. Ranges come from what is ever assigned or sent; sums \
                      are taken to stay in the range of their operands, so that `b = b + 1` is \
                      no finding. With --strict the declared types alone count, and it is an \
                      error.",
        example: "\
byte b;
active proctype P() { b = 300; assert(b > 0) }
",
        corrected: "\
short b;
active proctype P() { b = 300; assert(b > 0) }
",
    },
    Lint {
        code: codes::UNREACHABLE,
        name: "unreachable-code",
        default_level: Level::Warning,
        title: "nothing leads to a statement",
        explanation: "The control flow never comes to the statement: it stands behind a goto, \
                      behind a loop without break, or behind a condition that is never true, and \
                      no jump leads to it. It can be taken away, or a way to it is missing.",
        example: "\
byte x;
active proctype P() {
  do
  :: x < 3 -> x = x + 1
  :: else -> x = 0
  od;
  assert(x == 3)
}
",
        corrected: "\
byte x;
active proctype P() {
  do
  :: x < 3 -> x = x + 1
  :: else -> break
  od;
  assert(x == 3)
}
",
    },
    Lint {
        code: codes::UNREACHED,
        name: "unreached",
        default_level: Level::Warning,
        title: "no run executes a statement",
        explanation: "Every reachable state was looked at, and this statement was never \
                      executed. Often a condition cannot become true, or a message with this \
                      content is never sent. It is reported when the search came to an end \
                      within its limit; with --no-explore it is not looked for.",
        example: "\
byte x;
active proctype P() {
  x = 1;
  if
  :: x == 2 -> x = 3
  :: else -> x = 4
  fi;
  assert(x > 0)
}
",
        corrected: "\
byte x;
active proctype P() {
  if
  :: x = 1
  :: x = 2
  fi;
  if
  :: x == 2 -> x = 3
  :: else -> x = 4
  fi;
  assert(x > 0)
}
",
    },
    Lint {
        code: codes::UNUSED_CHANNEL,
        name: "unused-channel",
        default_level: Level::Warning,
        title: "a channel is never used",
        explanation: "Nothing is sent to the channel or received from it, and no variable or \
                      message gets it. It still takes room in every state.",
        example: "\
chan q = [1] of { byte };
byte x;
active proctype P() { x = 1; assert(x == 1) }
",
        corrected: "\
byte x;
active proctype P() { x = 1; assert(x == 1) }
",
    },
    Lint {
        code: codes::UNSENT_CHANNEL,
        name: "unsent-channel",
        default_level: Level::Warning,
        title: "nothing is ever sent to a channel",
        explanation: "The channel is received from, but nothing is sent to it under any name \
                      that it can have: parameters, variables and messages that carry it are \
                      followed. Every receive blocks for ever.",
        example: "\
chan q = [1] of { byte };
byte x;
active proctype P() { q?x; assert(x == 1) }
",
        corrected: "\
chan q = [1] of { byte };
byte x;
active proctype P() { q?x; assert(x == 1) }
active proctype Q() { q!1 }
",
    },
    Lint {
        code: codes::UNRECEIVED_CHANNEL,
        name: "unreceived-channel",
        default_level: Level::Warning,
        title: "nothing is ever received from a channel",
        explanation: "Messages are sent to the channel, but nothing is received from it under \
                      any name that it can have, and nobody looks at it with a poll or `len`. A \
                      channel without a buffer blocks every sender for ever, another one when it \
                      is full.",
        example: "\
chan q = [1] of { byte };
active proctype P() { q!1 }
",
        corrected: "\
chan q = [1] of { byte };
active proctype P() { q!1; q?_ }
",
    },
    Lint {
        code: codes::UNRECEIVED_MESSAGE,
        name: "unreceived-message",
        default_level: Level::Warning,
        title: "no receive takes a message",
        explanation: "The constants of this message fit no receive from any channel that it can \
                      be sent to. It stays in the channel for ever and keeps messages behind it \
                      from being received, or blocks its sender if there is no buffer.",
        example: "\
mtype = { ask, stop };
chan q = [2] of { mtype };
active proctype P() { q!ask; q!stop }
active proctype Q() { q?ask }
",
        corrected: "\
mtype = { ask, stop };
chan q = [2] of { mtype };
active proctype P() { q!ask; q!stop }
active proctype Q() { q?ask; q?stop }
",
    },
    Lint {
        code: codes::UNMATCHED_RECEIVE,
        name: "unmatched-receive",
        default_level: Level::Warning,
        title: "no message fits a receive",
        explanation: "The constants of this receive fit no message that is sent to any channel \
                      that it can be received from. The receive is never executed.",
        example: "\
mtype = { ask, stop };
chan q = [2] of { mtype };
active proctype P() { q!ask }
active proctype Q() {
  do
  :: q?ask
  :: q?stop -> break
  od
}
",
        corrected: "\
mtype = { ask, stop };
chan q = [2] of { mtype };
active proctype P() { q!ask; q!stop }
active proctype Q() {
  do
  :: q?ask
  :: q?stop -> break
  od
}
",
    },
    Lint {
        code: codes::NO_CHANNEL,
        name: "no-channel",
        default_level: Level::Warning,
        title: "a channel variable never holds a channel",
        explanation: "The variable is declared without a channel, and none is ever assigned to \
                      it or received into it. A send or receive through it is an error in every \
                      run that comes to it.",
        example: "\
chan reply, request = [1] of { byte };
active proctype P() { request!1; reply!2 }
active proctype Q() { request?_ }
",
        corrected: "\
chan reply = [1] of { byte };
chan request = [1] of { byte };
active proctype P() { request!1; reply?_ }
active proctype Q() { request?_; reply!2 }
",
    },
    Lint {
        code: codes::UNUSED_VARIABLE,
        name: "unused-variable",
        default_level: Level::Warning,
        title: "a variable is never used",
        explanation: "The variable, parameter or field is neither read nor written. Names that \
                      occur in macros or embedded C count as used.",
        example: "\
byte x, y;
active proctype P() { x = 1; assert(x == 1) }
",
        corrected: "\
byte x;
active proctype P() { x = 1; assert(x == 1) }
",
    },
    Lint {
        code: codes::UNREAD_VARIABLE,
        name: "unread-variable",
        default_level: Level::Warning,
        title: "a variable is written but never read",
        explanation: "No statement, condition or formula reads the variable. It makes states \
                      different that are the same otherwise, so it costs time and memory. For a \
                      value that a receive has to take but nobody needs, write `_`; a variable \
                      that is only there for an observer can be declared `show` or `hidden`.",
        example: "\
byte x, last;
active proctype P() { x = 1; last = x; assert(x == 1) }
",
        corrected: "\
byte x;
active proctype P() { x = 1; assert(x == 1) }
",
    },
    Lint {
        code: codes::UNWRITTEN_VARIABLE,
        name: "unwritten-variable",
        default_level: Level::Warning,
        title: "a variable is read but never written",
        explanation: "The variable has no initial value and is never assigned, so it is 0 in \
                      every state. Either an assignment is missing, or the variable should be a \
                      constant. A variable with an initial value that never changes is taken for \
                      a constant and not reported.",
        example: "\
byte limit, x;
active proctype P() { x = 1; assert(x > limit) }
",
        corrected: "\
byte limit = 0, x;
active proctype P() { x = 1; assert(x > limit) }
",
    },
    Lint {
        code: codes::UNINITIALISED,
        name: "uninitialised-read",
        default_level: Level::Warning,
        title: "a local variable may be read before it gets a value",
        explanation: "On some way to this statement the variable has not got a value yet, so it \
                      is 0. Many models rely on that for counters and flags; a variable is \
                      therefore reported only if its values come from messages or other \
                      variables and 0 is never used as a value of its own.",
        example: "\
chan q = [1] of { byte };
active proctype Sender() { q!1 }
active proctype P() {
  byte x;
  if
  :: q?x
  :: timeout
  fi;
  assert(x < 5)
}
",
        corrected: "\
chan q = [1] of { byte };
active proctype Sender() { q!1 }
active proctype P() {
  byte x = 1;
  if
  :: q?x
  :: timeout
  fi;
  assert(x < 5)
}
",
    },
    Lint {
        code: codes::BLOCKING_ATOMIC,
        name: "blocking-atomic",
        default_level: Level::Note,
        title: "an atomic sequence may wait in its middle",
        explanation: "If this statement has to wait, the process gives up its exclusive right, \
                      and other processes run between the statements before it and those behind \
                      it. What a sequence has to wait for is best put at its start, where \
                      nothing has been done yet; conditions can be joined with `&&`.",
        example: "\
byte x, free = 1;
active [2] proctype P() {
  atomic { x = x + 1; free > 0 -> free = free - 1 };
  free = free + 1;
  assert(x > 0)
}
",
        corrected: "\
byte x, free = 1;
active [2] proctype P() {
  atomic { free > 0 -> x = x + 1; free = free - 1 };
  free = free + 1;
  assert(x > 0)
}
",
    },
    Lint {
        code: codes::BLOCKING_D_STEP,
        name: "blocking-d-step",
        default_level: Level::Warning,
        title: "a d_step may block in its middle",
        explanation: "Only the first statement of a d_step may wait. Where this condition is \
                      false or this message is missing, a run stops with an error. Use `atomic`, \
                      or a selection with `else`.",
        example: "\
byte x, y;
active proctype P() { d_step { x = 1; y == 1; x = 2 }; assert(x == 2) }
active proctype Q() { y = 1 }
",
        corrected: "\
byte x, y;
active proctype P() { d_step { y == 1; x = 1; x = 2 }; assert(x == 2) }
active proctype Q() { y = 1 }
",
    },
    Lint {
        code: codes::JUMP_INTO_ATOMIC,
        name: "jump-into-atomic",
        default_level: Level::Warning,
        title: "a jump enters an atomic sequence in its middle",
        explanation: "The sequence is indivisible from the label on only: what stands before the \
                      label is not executed, and the jump itself is a step of its own. Move the \
                      label to the start of the sequence, or out of it.",
        example: "\
byte x;
active proctype P() {
  if
  :: x == 0 -> goto middle
  :: else
  fi;
  atomic { x = 1; middle: x = 2; assert(x == 2) }
}
",
        corrected: "\
byte x;
active proctype P() {
  if
  :: x == 0 -> goto start
  :: else
  fi;
  start: atomic { x = 1; x = 2; assert(x == 2) }
}
",
    },
    Lint {
        code: codes::LOST_UPDATE,
        name: "lost-update",
        default_level: Level::Warning,
        title: "a variable is written from a value that may be old",
        explanation: "A shared variable is read into a local one and written back from it in a \
                      later statement. In between another process can write it, and that value \
                      is lost. Promela executes one statement at a time, so `n = n + 1` is safe \
                      where `t = n; n = t + 1` is not. It is reported where a process comes to \
                      the first statement without ever waiting, so that no lock can protect it.",
        example: "\
byte n;
active [2] proctype P() {
  byte t;
  t = n;
  n = t + 1;
  assert(n > 0)
}
",
        corrected: "\
byte n;
active [2] proctype P() {
  byte t;
  atomic { t = n; n = t + 1 };
  assert(n > 0)
}
",
    },
    Lint {
        code: codes::UNUSED_LABEL,
        name: "unused-label",
        default_level: Level::Note,
        title: "nothing uses a label",
        explanation: "No goto leads to the label and no formula mentions it. Labels that begin \
                      with `end`, `accept` or `progress` have a meaning of their own and are not \
                      reported.",
        example: "\
byte x;
active proctype P() { again: x = 1; assert(x == 1) }
",
        corrected: "\
byte x;
active proctype P() { x = 1; assert(x == 1) }
",
    },
    Lint {
        code: codes::NEVER_RUN,
        name: "never-run",
        default_level: Level::Warning,
        title: "a proctype is never run",
        explanation: "The proctype is not active, and no process that can exist runs it. Nothing \
                      in it is checked.",
        example: "\
byte x;
active proctype P() { x = 1; assert(x == 1) }
proctype Q() { x = 2 }
",
        corrected: "\
byte x;
active proctype P() { x = 1; assert(x > 0) }
active proctype Q() { x = 2 }
",
    },
    Lint {
        code: codes::UNUSED_INLINE,
        name: "unused-inline",
        default_level: Level::Note,
        title: "an inline is never called",
        explanation: "The text of an inline is read only where it is called, so nothing in it is \
                      checked.",
        example: "\
byte x;
inline set(v) { x = v }
active proctype P() { x = 1; assert(x == 1) }
",
        corrected: "\
byte x;
inline set(v) { x = v }
active proctype P() { set(1); assert(x == 1) }
",
    },
    Lint {
        code: codes::UNUSED_MTYPE,
        name: "unused-mtype",
        default_level: Level::Note,
        title: "a symbolic name is never used",
        explanation: "No statement, initial value or formula mentions the name.",
        example: "\
mtype = { red, green };
mtype light;
active proctype P() { light = red; assert(light == red) }
",
        corrected: "\
mtype = { red };
mtype light;
active proctype P() { light = red; assert(light == red) }
",
    },
    Lint {
        code: codes::BLOCKED_SELECTION,
        name: "blocked-selection",
        default_level: Level::Warning,
        title: "no option of a selection can be taken",
        explanation: "Every option begins with a condition that is false in every state, and \
                      there is no `else`: the process stops here. Often the options stand behind \
                      constants that are switched off.",
        example: "\
byte x;
active proctype P() {
  x = 1;
  assert(x == 1);
  if
  :: 1 > 2 -> skip
  :: false -> skip
  fi
}
",
        corrected: "\
byte x;
active proctype P() {
  x = 1;
  assert(x == 1);
  if
  :: 1 > 2 -> skip
  :: else -> skip
  fi
}
",
    },
    Lint {
        code: codes::CONSTANT_CONDITION,
        name: "constant-condition",
        default_level: Level::Warning,
        title: "a comparison has always the same outcome",
        explanation: "The types of both sides decide the comparison: a byte is never negative \
                      and never above 255. Or both sides are the same. A counter that is counted \
                      down to below 0 needs a signed type. Comparisons between constants only \
                      are not reported, since models are configured by them.",
        example: "\
byte x = 3;
active proctype P() {
  do
  :: x >= 0 -> x = x - 1
  :: x == 7 -> break
  od
}
",
        corrected: "\
short x = 3;
active proctype P() {
  do
  :: x >= 0 -> x = x - 1
  :: x == 7 -> break
  od
}
",
    },
    Lint {
        code: codes::SELF_ASSIGNMENT,
        name: "self-assignment",
        default_level: Level::Warning,
        title: "a variable is assigned to itself",
        explanation: "The statement is a step that changes nothing. Usually one of the sides \
                      should be another variable.",
        example: "\
byte x;
active proctype P() { x = x; assert(x == 0) }
",
        corrected: "\
byte x;
active proctype P() { x = x + 1; assert(x == 1) }
",
    },
    Lint {
        code: codes::DUPLICATE_OPTION,
        name: "duplicate-option",
        default_level: Level::Warning,
        title: "a selection has the same option twice",
        explanation: "Both options do the same, so the second one adds nothing: choices have no \
                      weights. Usually one of them should differ.",
        example: "\
byte x;
active proctype P() {
  if
  :: x == 0 -> x = 1
  :: x == 0 -> x = 1
  fi;
  assert(x == 1)
}
",
        corrected: "\
byte x;
active proctype P() {
  if
  :: x == 0 -> x = 1
  :: x == 0 -> x = 2
  fi;
  assert(x > 0)
}
",
    },
    Lint {
        code: codes::VACUITY,
        name: "vacuity",
        default_level: Level::Warning,
        title: "no run executes an assertion, or a part of a formula does not matter",
        explanation: "Every reachable state was looked at, and this assertion was never \
                      executed: that it never fails says nothing. Often something before it \
                      blocks for ever. It is reported when the search came to an end within its \
                      limit; `check --deny vacuity` makes it count there too. For a temporal \
                      formula that holds, `check` replaces its parts by what is hardest to \
                      satisfy; if the formula still holds, the part does not matter: often the \
                      condition of an implication is never true.",
        example: "\
byte x;
active proctype P() {
  x = 1;
  x == 2;
  assert(x == 2)
}
",
        corrected: "\
byte x;
active proctype P() {
  x = 2;
  x == 2;
  assert(x == 2)
}
",
    },
];
