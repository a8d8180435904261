//! A JavaScript engine with the prelude, in which rules run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rquickjs::context::intrinsic;
use rquickjs::promise::PromiseHookType;
use rquickjs::{Context, Ctx, Error, Exception, Function, Object, Persistent, Runtime, Value};

use super::host::{Trees, host};
use super::job::SentRule;
use super::modules::{Files, Imports, SharedFiles, as_function, declare, module_name, source};
use super::problem::{Doing, Ended, Failure, Thrown};
use super::shapes::{checked_shapes, visitor_names};
use crate::common::collections::HashMap;
use crate::common::limits::{MAX_RULE_MEMORY, RULE_STEPS, STEPS_PER_POLL};
use crate::script::sandbox::{Compiled, Watch};

const HARDEN: &str = include_str!("../prelude/harden.js");
const NODES: &str = include_str!("../prelude/nodes.js");
const CHECKS: &str = include_str!("../prelude/checks.js");
const CONTEXT: &str = include_str!("../prelude/context.js");
const RULES: &str = include_str!("../prelude/rules.js");

/// The built-in objects that rules see. Dates, buffers and weak references are left out.
type Intrinsics = (
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::Promise,
);

/// Polls of the engine that a rule may take in a service.
pub(super) const RULE_POLLS: u32 = RULE_STEPS / STEPS_PER_POLL;

/// Bytes of stack for calls, as those of scripts have.
const MAX_STACK: usize = 1 << 20;

/// Bytes in use before the engine looks for circles of garbage: the realm alone has more than its default.
const GC_THRESHOLD: usize = 8 << 20;

/// Bytes of modules that are evaluated in a realm, where they stay.
const MAX_EVALUATED: usize = 4 << 20;

/// Bytes in addition to the limit, granted to find out how a rule ended and what it has reported.
const MEMORY_RESERVE: usize = 32 << 20;

/// Bytes that the objects of a document may take for each byte of its text, and at most.
const MEMORY_PER_BYTE: usize = 50;
const MAX_DOCUMENT_MEMORY: usize = 512 << 20;

/// What the handlers of an engine note.
#[derive(Debug, Default)]
struct Noted {
    /// Polls until the code is stopped.
    polls_left: Cell<u32>,
    has_promises: Cell<bool>,
}

pub(super) struct Realm {
    /// The functions of `rules.js`. Before the runtime, because it is to be dropped first, as the next.
    prelude: Persistent<Object<'static>>,
    /// The files of rules as functions, as far as they can be.
    functions: RefCell<HashMap<usize, Option<Persistent<Function<'static>>>>>,
    context: Context,
    runtime: Runtime,
    noted: Rc<Noted>,
    files: SharedFiles,
    /// Bytes in use before there are documents.
    memory: usize,
    /// Bytes that may be in use.
    limit: usize,
    /// The services that it has run on.
    runs: u32,
    /// Bytes of the modules that were evaluated, which stay.
    evaluated: Cell<usize>,
}

impl Realm {
    /// `None` if there is not enough memory.
    pub fn start(files: &SharedFiles, trees: &Trees, compiled: &mut Compiled, watch: &Watch) -> Option<Self> {
        let runtime = Runtime::new().ok()?;
        runtime.set_max_stack_size(MAX_STACK);
        runtime.set_gc_threshold(GC_THRESHOLD);
        let noted = Rc::new(Noted::default());
        noted.polls_left.set(u32::MAX);
        let (in_handler, watch) = (Rc::clone(&noted), watch.clone());
        runtime.set_interrupt_handler(Some(Box::new(move || {
            watch.poll();
            let left = &in_handler.polls_left;
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        })));
        let in_hook = Rc::clone(&noted);
        runtime.set_promise_hook(Some(Box::new(move |_, event, _, _| {
            in_hook.has_promises.set(in_hook.has_promises.get() || event == PromiseHookType::Init);
        })));
        runtime.set_loader(Imports(Rc::clone(files)), Imports(Rc::clone(files)));
        let context = Context::custom::<Intrinsics>(&runtime).ok()?;
        let prelude = context.with(|ctx| prelude(&ctx, trees, compiled)).ok()?;
        let memory = usize::try_from(runtime.memory_usage().malloc_size).unwrap_or_default();
        let (functions, evaluated) = Default::default();
        let files = Rc::clone(files);
        Some(Self { prelude, functions, context, runtime, noted, files, memory, limit: 0, runs: 0, evaluated })
    }

    /// Whether the modules that stay in it are too much to keep.
    pub fn is_used_up(&self) -> bool {
        self.evaluated.get() > MAX_EVALUATED
    }

    /// Begins with a service, whose documents have so many bytes. `None` if there is not enough memory for it.
    pub fn begin(&mut self, bytes: usize, service: &str, facts: &str) -> Option<()> {
        self.runs += 1;
        let documents = bytes.saturating_mul(MEMORY_PER_BYTE).min(MAX_DOCUMENT_MEMORY);
        self.limit = self.memory + documents + MAX_RULE_MEMORY;
        self.ours(|_, prelude| function(prelude, "start")?.call((service, facts)))
    }

    /// What a rule says about itself, as JSON.
    pub fn meta(&self, rule: usize, polls: &mut u32) -> Result<String, Box<Failure>> {
        self.theirs(rule, polls, |ctx, prelude| {
            let module = self.module(ctx, rule)?;
            function(prelude, "meta")?.call((module,))
        })
    }

    /// Evaluates the modules of a rule, and calls `create`.
    pub fn prepare(&self, rule: &SentRule, polls: &mut u32) -> Result<(), Box<Failure>> {
        let SentRule { rule, ref options, needs_flow } = *rule;
        self.theirs(rule, polls, |ctx, prelude| {
            let exports = self.exports(ctx, rule)?;
            self.noted.has_promises.set(false);
            function(prelude, "prepare")?.call((rule, exports, options, needs_flow))
        })
    }

    /// The names of the visitors of all rules, as JSON.
    pub fn visited(&self) -> Option<String> {
        self.ours(|_, prelude| function(prelude, "visited")?.call(()))
    }

    /// Sets what the visitors of all rules are called for.
    pub fn set_visits(&self, json: &str) -> Option<()> {
        self.ours(|_, prelude| function(prelude, "setVisits")?.call((json,)))
    }

    /// Calls the visitors of a rule.
    pub fn visit(&self, rule: usize, polls: &mut u32) -> Result<(), Box<Failure>> {
        self.noted.has_promises.set(false);
        self.theirs(rule, polls, |_, prelude| function(prelude, "visit")?.call((rule,)))
    }

    /// Whether the rule that ran last has made promises.
    pub fn has_promises(&self) -> bool {
        self.noted.has_promises.get()
    }

    /// The failure of a rule that has made promises.
    pub fn promises_failure(&self, rule: usize) -> Failure {
        let doing = self.context.with(|ctx| self.doing(&ctx, rule));
        let what = doing.what.as_deref().unwrap_or("rule");
        let message = format!("{what} uses a promise: rules run to their end at once");
        let key = Some("async".to_owned());
        let thrown = Thrown { message, is_ours: true, key, ..Thrown::default() };
        Failure { ended: Ended::Threw, thrown, doing: Doing { at: None, ..doing } }
    }

    /// What a rule has reported, as JSON; empty for nothing.
    pub fn take(&self, rule: usize) -> Option<String> {
        self.ours(|_, prelude| function(prelude, "take")?.call((rule,)))
    }

    /// What a rule exports, evaluated again for each service. One that was loaded, and imports nothing, is a function: that
    /// takes a fraction of the time of a module, and leaves nothing behind.
    fn exports<'js>(&self, ctx: &Ctx<'js>, rule: usize) -> Result<Object<'js>, Error> {
        let known = self.functions.borrow().get(&rule).cloned();
        let function = known.unwrap_or_else(|| {
            let function = self.function(ctx, rule);
            self.functions.borrow_mut().insert(rule, function.clone());
            function
        });
        let Some(function) = function else { return self.module(ctx, rule) };
        let exports = Object::new(ctx.clone())?;
        function.restore(ctx)?.call::<_, ()>((exports.clone(),))?;
        Ok(exports)
    }

    /// A rule as a function; `None` if it cannot be one.
    fn function(&self, ctx: &Ctx<'_>, rule: usize) -> Option<Persistent<Function<'static>>> {
        let Files { base, compiled, .. } = &mut *self.files.borrow_mut();
        let (file, text) = base.rules.get(rule)?;
        let function = compiled.function(ctx, &as_function(text)?, &module_name(0, rule, file));
        if function.is_err() {
            ctx.catch();
        }
        Some(Persistent::save(ctx, function.ok()?))
    }

    /// The exports of the module of a rule.
    fn module<'js>(&self, ctx: &Ctx<'js>, rule: usize) -> Result<Object<'js>, Error> {
        let (file, text) = self.files.borrow().base.rules.get(rule).cloned().ok_or(Error::Unknown)?;
        self.evaluated.set(self.evaluated.get() + text.len() + self.files.borrow().base.imported());
        let declared = declare(ctx, &module_name(self.runs, rule, &file), &source(&text));
        let (module, evaluated) = declared?.eval()?;
        match evaluated.result::<Value<'js>>() {
            Some(result) => drop(result?),
            None => {
                return Err(Exception::throw_type(
                    ctx,
                    "top-level `await` is not available: rules run to their end at once",
                ));
            }
        }
        module.namespace()
    }

    /// Runs code of ours, without a limit of steps. `None` if there is not enough memory.
    fn ours<T>(&self, code: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> Result<T, Error>) -> Option<T> {
        self.runtime.set_memory_limit(self.limit + MEMORY_RESERVE);
        self.noted.polls_left.set(u32::MAX);
        self.context.with(|ctx| {
            let prelude = self.prelude.clone().restore(&ctx);
            let result = prelude.and_then(|prelude| code(&ctx, &prelude));
            if result.is_err() {
                ctx.catch();
            }
            result.ok()
        })
    }

    /// Runs code of a rule, which may take so many polls.
    fn theirs<T>(
        &self,
        rule: usize,
        polls: &mut u32,
        code: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> Result<T, Error>,
    ) -> Result<T, Box<Failure>> {
        self.runtime.set_memory_limit(self.limit);
        // One more, because the engine also polls when it begins.
        self.noted.polls_left.set(polls.saturating_add(1));
        let result = self.context.with(|ctx| {
            let prelude = self.prelude.clone().restore(&ctx);
            prelude.and_then(|prelude| code(&ctx, &prelude))
        });
        *polls = self.noted.polls_left.get().saturating_sub(1);
        let is_interrupted = self.noted.polls_left.get() == 0;
        match result {
            Ok(result) if !is_interrupted => Ok(result),
            // An asynchronous function turns the interruption into a rejected promise.
            result => Err(Box::new(self.failure(rule, result.err().as_ref(), is_interrupted))),
        }
    }

    /// How code of a rule ended, whose exception is pending in the engine.
    fn failure(&self, rule: usize, error: Option<&Error>, is_interrupted: bool) -> Failure {
        // Read before the reserve is granted: it shows whether memory was the reason.
        let used = usize::try_from(self.runtime.memory_usage().malloc_size).unwrap_or_default();
        self.runtime.set_memory_limit(self.limit + MEMORY_RESERVE);
        let (thrown, doing) = self.context.with(|ctx| {
            let thrown = self.thrown(&ctx, rule, error);
            self.noted.polls_left.set(u32::MAX);
            (thrown, self.doing(&ctx, rule))
        });
        let is_out_of_memory = match thrown.message.as_str() {
            "InternalError: out of memory" => true,
            // What the engine throws when no memory is left for an error object.
            "null" => {
                used > self.limit.saturating_sub(MAX_RULE_MEMORY / 2) || !self.files.borrow().base.may_throw(rule)
            }
            _ => false,
        };
        let ended = if is_interrupted {
            Ended::OutOfSteps
        } else if is_out_of_memory {
            Ended::OutOfMemory
        } else if is_syntax_error(&thrown) {
            Ended::Syntax
        } else {
            Ended::Threw
        };
        Failure { ended, thrown, doing }
    }

    /// What is pending in the engine. To find that out may run code of the rule, which has some steps for it.
    fn thrown(&self, ctx: &Ctx<'_>, rule: usize, error: Option<&Error>) -> Thrown {
        if let Some(refused) = self.files.borrow_mut().refused.take() {
            ctx.catch();
            return Thrown::refused(refused);
        }
        let out_of_memory = || Thrown { message: "InternalError: out of memory".to_owned(), ..Thrown::default() };
        if error.is_some_and(|error| !error.is_exception()) {
            return out_of_memory();
        }
        self.noted.polls_left.set(RULE_POLLS / 10);
        let value = ctx.catch();
        let described = self.prelude.clone().restore(ctx).and_then(|prelude| {
            let json: String = function(&prelude, "describe")?.call((value,))?;
            Ok(json)
        });
        ctx.catch();
        let message = "a value that cannot be converted to a string".to_owned();
        let thrown = described.ok().and_then(|json| serde_json::from_str(&json).ok());
        let mut thrown = thrown.unwrap_or(Thrown { message, ..Thrown::default() });
        // The names of modules as their author knows them.
        thrown.message = thrown.message.replace(&module_name(self.runs, rule, ""), "");
        thrown
    }

    fn doing(&self, ctx: &Ctx<'_>, rule: usize) -> Doing {
        let json = self.prelude.clone().restore(ctx).and_then(|prelude| {
            let json: String = function(&prelude, "doing")?.call((rule,))?;
            Ok(json)
        });
        ctx.catch();
        json.ok().and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
    }
}

/// Whether this is an error of the file itself, not of code that it evaluates: then no function is on the stack, and no frame
/// ends with the position of one in parentheses.
fn is_syntax_error(thrown: &Thrown) -> bool {
    thrown.message.starts_with("SyntaxError: ") && !thrown.stack.lines().any(|frame| frame.trim_end().ends_with(')'))
}

fn function<'js>(prelude: &Object<'js>, name: &str) -> Result<Function<'js>, Error> {
    prelude.get(name)
}

/// The functions of `rules.js`.
fn prelude(ctx: &Ctx<'_>, trees: &Trees, compiled: &mut Compiled) -> Result<Persistent<Object<'static>>, Error> {
    compiled.function(ctx, HARDEN, "harden")?.call::<_, ()>(())?;
    let host = host(ctx, trees)?;
    let shapes = ctx.json_parse(checked_shapes())?;
    let visitors = ctx.json_parse(visitor_names())?;
    let nodes: Object<'_> = compiled.function(ctx, NODES, "nodes")?.call((host.clone(),))?;
    let checks: Object<'_> = compiled.function(ctx, CHECKS, "checks")?.call((host.clone(), shapes, nodes.clone()))?;
    let contexts: Object<'_> =
        compiled.function(ctx, CONTEXT, "context")?.call((host.clone(), nodes.clone(), checks.clone()))?;
    let rules: Object<'_> = compiled.function(ctx, RULES, "rules")?.call((host, nodes, checks, contexts, visitors))?;
    Ok(Persistent::save(ctx, rules))
}
