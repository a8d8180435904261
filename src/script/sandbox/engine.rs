//! One script in one engine, within its limits.

use std::cell::Cell;
use std::rc::Rc;

use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::object::Property;
use rquickjs::{Context, Ctx, Error, FromJs, Function, Object, Persistent, Runtime, Type, Value};

use super::protocol::{Answer, FailureKind, Job, JsonVariable, ScriptFailure};
use super::thrown::{self, Thrown};

/// Bytes that the engine may hold while the script runs.
pub(super) const MEMORY: usize = 32 << 20;

/// Bytes more after that, to read what the script has left when it has used up all.
const RESERVE: usize = 32 << 20;

/// Bytes of stack for calls of the script; the thread has [`THREAD_STACK`](super::worker::THREAD_STACK).
const STACK: usize = 1 << 20;

/// How often the engine may ask whether to go on, per second of the limit. It asks after ten thousand
/// calls, rounds of loops or steps back in a regular expression. Counted, not timed, so that how a
/// script ends does not hang on the machine. Ten thousand rounds that do a little take some 0.7 ms, so
/// that a budget is over in a fraction of its time; ten thousand that throw and catch take 6 ms.
const POLLS_PER_SECOND: f64 = 200.0;

/// The longest text in `Json`, in UTF-16 units.
const LONGEST_TEXT: u32 = 4 << 20;

/// What the engine calls the script in stacks.
pub(super) const SCRIPT: &str = "script";

const PRELUDE: &str = include_str!("prelude.js");

/// What the language has, and nothing of what browsers or servers add.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
);

/// Runs the script of a job. Hands over the answer before the engine is taken down, which may take
/// long, or fail, after what the script has done to it. What waits for promises never runs.
pub(super) fn run(job: &Job, reply: impl FnOnce(Answer)) {
    if let Some(failure) = thrown::null_character(&job.script) {
        return reply(Answer::Failed(failure));
    }
    match Engine::start(job) {
        Some(engine) => reply(engine.answer().unwrap_or_else(Answer::Failed)),
        None => reply(Answer::Failed(ScriptFailure::new(FailureKind::Killed, "the JavaScript engine does not start"))),
    }
}

struct Engine<'j> {
    job: &'j Job,
    /// Polls left.
    polls: Rc<Cell<u32>>,
    runtime: Runtime,
    context: Context,
}

/// The functions that the prelude gives us.
struct Helpers {
    /// A text without lone surrogates; null when it is too long.
    read: Persistent<Function<'static>>,
    /// What was thrown as text, and its stack.
    describe: Persistent<Function<'static>>,
}

impl<'j> Engine<'j> {
    fn start(job: &'j Job) -> Option<Self> {
        let polls = Rc::new(Cell::new(polls(job.limit())));
        let runtime = Runtime::new().ok()?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let left = Rc::clone(&polls);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        })));
        let context = Context::custom::<Intrinsics>(&runtime).ok()?;
        Some(Self { job, polls, runtime, context })
    }

    fn answer(&self) -> Result<Answer, ScriptFailure> {
        let helpers = self.context.with(|ctx| self.prepare(&ctx)).map_err(|_| thrown::no_memory())?;
        // The line break before the script is for the engine, which miscounts columns of a first line.
        let script = format!("\n{}", self.job.script);
        let ran = self.context.with(|ctx| eval::<Value<'_>>(&ctx, &script, SCRIPT).map(drop));
        let held = if ran.is_err() { self.runtime.memory_usage().malloc_size } else { 0 };
        self.runtime.set_memory_limit(MEMORY + RESERVE);
        let json = self.context.with(|ctx| ran.and_then(|()| read(&ctx, &helpers)));
        // Whatever came of it: an asynchronous function may have swallowed the interruption.
        let is_interrupted = self.polls.get() == 0;
        match json {
            Ok(json) if !is_interrupted => Ok(Answer::Done { json: json? }),
            Ok(_) => Err(ScriptFailure::time(self.job.limit())),
            Err(error) => {
                let thrown = self.context.with(|ctx| describe(&ctx, &error, &helpers));
                let is_full = usize::try_from(held).is_ok_and(|held| held > MEMORY / 2);
                Err(match self.polls.get() {
                    0 if is_interrupted => thrown.interrupted(self.job),
                    0 => ScriptFailure::time(self.job.limit()),
                    _ => thrown.failure(self.job, is_full),
                })
            }
        }
    }

    /// Sets up the global variables.
    fn prepare(&self, ctx: &Ctx<'_>) -> Result<Helpers, Error> {
        let prelude: Function<'_> = eval(ctx, PRELUDE, "prelude")?;
        let random = Function::new(ctx.clone(), random_numbers(self.job.seed))?.with_name("random")?;
        #[expect(clippy::cast_precision_loss, reason = "the times of `Date` are whole in a double")]
        let now = self.job.now_ms as f64;
        let helpers: Object<'_> = prelude.call((now, random, LONGEST_TEXT))?;
        for name in &self.job.hosts {
            let stub: Value<'_> = eval(ctx, HOST, "host")?;
            ctx.globals().prop(name.as_str(), Property::from(stub).writable().configurable())?;
        }
        for (name, text) in &self.job.variables {
            // These three keep their values.
            if !matches!(name.as_str(), "undefined" | "NaN" | "Infinity") {
                let property = Property::from(text.as_str()).writable().enumerable().configurable();
                ctx.globals().prop(name.as_str(), property)?;
            }
        }
        let helper = |name| Ok::<_, Error>(Persistent::save(ctx, helpers.get::<_, Function<'_>>(name)?));
        Ok(Helpers { read: helper("read")?, describe: helper("describe")? })
    }
}

/// Stands in for a name of the host: every function of it does nothing.
const HOST: &str = "new Proxy({}, { get() { return function () {}; } })";

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the limit is a small positive number")]
fn polls(seconds: f64) -> u32 {
    // One more, as it also asks when it begins.
    (seconds * POLLS_PER_SECOND).ceil() as u32 + 1
}

/// Runs a global script in sloppy mode.
fn eval<'js, V: FromJs<'js>>(ctx: &Ctx<'js>, script: &str, name: &str) -> Result<V, Error> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(name.to_owned());
    ctx.eval_with_options(script, options)
}

/// The value of `Json`. The error is what reading it has thrown.
fn read(ctx: &Ctx<'_>, helpers: &Helpers) -> Result<Result<JsonVariable, ScriptFailure>, Error> {
    // What `let` and `const` declare is no property of the global object, but another script sees it.
    let json: Value<'_> = eval(ctx, "typeof Json === 'undefined' ? undefined : Json", "read")?;
    if json.is_undefined() {
        return Ok(Ok(JsonVariable::Unset));
    }
    if !json.is_string() {
        return Ok(Ok(JsonVariable::Other(word(json.type_of()).to_owned())));
    }
    let text: Option<String> = helpers.read.clone().restore(ctx)?.call((json,))?;
    Ok(text.map(JsonVariable::Text).ok_or_else(|| {
        let message = format!("the text in `Json` is longer than {LONGEST_TEXT} characters");
        ScriptFailure::new(FailureKind::OutputTooLarge, message)
    }))
}

/// What was thrown. Code of the script may have its hand in this, so it may fail.
fn describe(ctx: &Ctx<'_>, error: &Error, helpers: &Helpers) -> Thrown {
    if !error.is_exception() {
        return Thrown::OutOfMemory;
    }
    let value = ctx.catch();
    if value.is_null() {
        return Thrown::Null;
    }
    let texts = helpers.describe.clone().restore(ctx).and_then(|describe| describe.call::<_, Vec<String>>((value,)));
    match texts.map(<[String; 2]>::try_from) {
        Ok(Ok([message, stack])) => Thrown::Value { message, stack },
        _ => {
            ctx.catch();
            Thrown::Value { message: "a value that cannot be shown as text".to_owned(), stack: String::new() }
        }
    }
}

/// A type as JavaScript names it.
fn word(kind: Type) -> &'static str {
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

/// Numbers from 0 to below 1: `SplitMix64`.
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
