//! The global environment of a script: its clock and random numbers, its variables, and what reads its result.

use std::cell::Cell;
use std::rc::Rc;

use rquickjs::object::Property;
use rquickjs::{Ctx, Error, Function, Object, Persistent, Type, Undefined, Value};

use super::evaluate::{Compiled, eval};
use super::job::{Exception, FailureKind, Job, JsonVariable, ScriptFailure};
use crate::common::limits::MAX_VARIABLE_BYTES;
use crate::model::SCRIPT_RESULT;

/// UTF-16 code units of the string in `Json`.
const MAX_JSON_UNITS: usize = MAX_VARIABLE_BYTES;

/// An expression whose value is a function. It is evaluated before the variables are set, which may replace built-in
/// objects, and called after that. It returns the observer, which is called after the script.
const TRACE: &str = include_str!("trace.js");

const PRELUDE: &str = include_str!("prelude.js");

/// An object of the host: every function of it exists and does nothing.
const HOST: &str = "new Proxy({}, { get() { return function () {}; } })";

/// The part of the environment that is needed after the script.
pub(super) struct Environment {
    pub helpers: Helpers,
    /// That of `trace.js`.
    observer: Option<Persistent<Function<'static>>>,
}

impl Environment {
    /// What the run has shown. `None` without an observer, or if it fails: a script may use up all memory.
    pub fn observe(&self, ctx: &Ctx<'_>, json: Option<&str>) -> Option<String> {
        let observer = self.observer.clone()?.restore(ctx).ok()?;
        let observed = observer.call((json,));
        if observed.is_err() {
            ctx.catch();
        }
        observed.ok()
    }
}

/// Installs everything that the script of a job sees.
pub(super) fn install(ctx: &Ctx<'_>, job: &Job, compiled: &mut Compiled) -> Result<Environment, ScriptFailure> {
    // The code up to the trace is ours and fixed: it fails only when memory runs out.
    let out_of_memory = |_| ScriptFailure::memory_limit();
    let helpers = Helpers::install(ctx, job, compiled).map_err(out_of_memory)?;
    let setup_failure = |error| setup_failure(&helpers.describe(ctx, &error), &error);
    // Before the variables, one of which may be named `JSON` or `Proxy`.
    let trace = match &job.trace {
        Some(options) => Some((compiled.function(ctx, TRACE, "trace").map_err(setup_failure)?, options)),
        None => None,
    };
    // Engines differ in their own names: only those that lint knows are there.
    ctx.globals().remove("InternalError").map_err(out_of_memory)?;
    let declared = ctx.globals().prop(SCRIPT_RESULT, Property::from(Undefined).writable().enumerable().configurable());
    declared.and_then(|()| define_hosts(ctx, job)).and_then(|()| define_variables(ctx, job)).map_err(out_of_memory)?;
    let mut observer = None;
    if let Some((function, options)) = trace {
        let returned = function.call::<_, Value<'_>>((options.as_str(),)).map_err(setup_failure)?;
        observer = returned.into_function().map(|observer| Persistent::save(ctx, observer));
    }
    Ok(Environment { helpers, observer })
}

fn define_hosts(ctx: &Ctx<'_>, job: &Job) -> Result<(), Error> {
    job.hosts.iter().try_for_each(|name| {
        let host: Value<'_> = eval(ctx, HOST, "host")?;
        ctx.globals().prop(name.as_str(), Property::from(host).writable().configurable())
    })
}

fn define_variables(ctx: &Ctx<'_>, job: &Job) -> Result<(), Error> {
    // Not writable in JavaScript: these keep their values.
    let variables = job.variables.iter().filter(|(name, _)| !matches!(name.as_str(), "undefined" | "NaN" | "Infinity"));
    // Defined, not assigned: an assignment to `__proto__` would replace the prototype instead.
    variables.into_iter().try_for_each(|(name, value)| {
        let property = Property::from(value.as_str()).writable().enumerable().configurable();
        ctx.globals().prop(name.as_str(), property)
    })
}

fn setup_failure(exception: &Exception, error: &Error) -> ScriptFailure {
    let message = match exception {
        Exception::Value { message, .. } => message.clone(),
        // Not a thrown value: out of memory, or a value of an unexpected type.
        Exception::Null | Exception::OutOfMemory => error.to_string(),
    };
    ScriptFailure::new(FailureKind::Setup, format!("setup of the script failed: {message}"))
}

/// The functions of `prelude.js` that read the result of a script.
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

/// Numbers from 0 to below 1, by `SplitMix64` (Steele, Lea and Flood, 2014).
fn random_numbers(seed: u64) -> impl Fn() -> f64 {
    let state = Cell::new(seed);
    move || {
        state.set(state.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut bits = state.get();
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        #[expect(clippy::cast_precision_loss, reason = "a double holds 53 bits")]
        let number = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        number
    }
}
