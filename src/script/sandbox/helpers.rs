//! The functions of `prelude.js` that read the result of a script.

use std::cell::Cell;
use std::rc::Rc;

use rquickjs::{Ctx, Error, Function, Object, Persistent, Type, Value};

use super::answer::JsonVariable;
use super::compiled::Compiled;
use super::eval::eval;
use super::exception::Exception;
use super::failure::{FailureKind, ScriptFailure};
use super::job::Job;
use super::limits::MAX_JSON_UNITS;
use super::random::random_numbers;

const PRELUDE: &str = include_str!("prelude.js");

pub(super) struct Helpers {
    /// Replaces lone surrogates in a string; null for a string that is too long.
    read: Persistent<Function<'static>>,
    /// Message and stack trace of a thrown value.
    describe: Persistent<Function<'static>>,
    /// Whether the script has asked for the time.
    reads_time: Persistent<Function<'static>>,
    /// Whether it has asked for random numbers.
    reads_random: Rc<Cell<bool>>,
}

impl Helpers {
    /// Runs the prelude, which also replaces the clock and the random numbers.
    pub fn install(ctx: &Ctx<'_>, job: &Job, compiled: &mut Compiled) -> Result<Self, Error> {
        let prelude = compiled.function(ctx, PRELUDE, "prelude")?;
        let reads_random = Rc::new(Cell::new(false));
        let (numbers, is_read) = (random_numbers(job.seed), Rc::clone(&reads_random));
        let random = move || {
            is_read.set(true);
            numbers()
        };
        let random = Function::new(ctx.clone(), random)?.with_name("random")?;
        #[expect(clippy::cast_precision_loss, reason = "times of `Date` are integers that a double holds")]
        let now = job.now_ms as f64;
        let helpers: Object<'_> = prelude.call((now, random, MAX_JSON_UNITS))?;
        let helper = |name| Ok::<_, Error>(Persistent::save(ctx, helpers.get::<_, Function<'_>>(name)?));
        let (read, describe, reads_time) = (helper("read")?, helper("describe")?, helper("readsTime")?);
        Ok(Self { read, describe, reads_time, reads_random })
    }

    /// Whether the script has asked for the time or for random numbers; true if that cannot be found out.
    pub fn reads_clock_or_random(&self, ctx: &Ctx<'_>) -> bool {
        let reads_time = self.reads_time.clone().restore(ctx).and_then(|reads_time| reads_time.call(()));
        if reads_time.is_err() {
            ctx.catch();
        }
        self.reads_random.get() || reads_time.unwrap_or(true)
    }

    /// The value of `Json`. The outer error is an exception thrown while it was read: it may be a
    /// getter of the script.
    pub fn read_json(&self, ctx: &Ctx<'_>) -> Result<Result<JsonVariable, ScriptFailure>, Error> {
        // Evaluated as a script, because `let` and `const` do not create properties of the global
        // object; `typeof` does not throw when `Json` is not declared.
        let json: Value<'_> = eval(ctx, "typeof Json === 'undefined' ? undefined : Json", "read")?;
        if json.is_undefined() {
            return Ok(Ok(JsonVariable::Unset));
        }
        if !json.is_string() {
            return Ok(Ok(JsonVariable::Other(type_name(json.type_of()).to_owned())));
        }
        let text: Option<String> = self.read.clone().restore(ctx)?.call((json,))?;
        Ok(text.map(JsonVariable::Text).ok_or_else(|| {
            let message = format!("`Json` is longer than {MAX_JSON_UNITS} characters");
            ScriptFailure::new(FailureKind::OutputTooLarge, message)
        }))
    }

    /// The exception that is pending in the engine after `error`.
    pub fn describe(&self, ctx: &Ctx<'_>, error: &Error) -> Exception {
        if !error.is_exception() {
            return Exception::OutOfMemory;
        }
        let value = ctx.catch();
        if value.is_null() {
            return Exception::Null;
        }
        // Converting the value to a string may run code of the script, which may throw again.
        let texts = self.describe.clone().restore(ctx).and_then(|describe| describe.call::<_, Vec<String>>((value,)));
        match texts.map(<[String; 2]>::try_from) {
            Ok(Ok([message, stack])) => Exception::Value { message, stack },
            _ => {
                ctx.catch();
                let message = "a value that cannot be converted to a string".to_owned();
                Exception::Value { message, stack: String::new() }
            }
        }
    }
}

/// The type in a word of JavaScript.
fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Null => "null",
        Type::Bool => "boolean",
        Type::Int | Type::Float => "number",
        Type::BigInt => "bigint",
        Type::Symbol => "symbol",
        Type::Array => "array",
        Type::Function | Type::Constructor => "function",
        _ => "object",
    }
}
