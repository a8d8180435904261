//! The global environment of a script.

use rquickjs::object::Property;
use rquickjs::{Ctx, Error, Function, Persistent, Undefined, Value};

use super::compiled::Compiled;
use super::eval::eval;
use super::exception::Exception;
use super::failure::{FailureKind, ScriptFailure};
use super::helpers::Helpers;
use super::job::Job;
use crate::model::SCRIPT_RESULT;

/// An object of the host: every function of it exists and does nothing.
const HOST: &str = "new Proxy({}, { get() { return function () {}; } })";

/// The part of the environment that is needed after the script.
pub(super) struct Environment {
    pub helpers: Helpers,
    /// The observer of the setup.
    observer: Option<Persistent<Function<'static>>>,
}

impl Environment {
    /// Calls the observer of the setup. `None` without one, or if it fails: a script may use up all memory.
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
    // The code up to the setup is ours and fixed: it fails only when memory runs out.
    let out_of_memory = |_| ScriptFailure::memory_limit();
    let helpers = Helpers::install(ctx, job, compiled).map_err(out_of_memory)?;
    let setup_failure = |error| setup_failure(&helpers.describe(ctx, &error), &error);
    // Before the variables, one of which may be named `JSON` or `Proxy`.
    let setup = match &job.setup {
        Some(setup) => {
            Some((compiled.function(ctx, setup.function.expression(), "setup").map_err(setup_failure)?, setup))
        }
        None => None,
    };
    let declared = ctx.globals().prop(SCRIPT_RESULT, Property::from(Undefined).writable().enumerable().configurable());
    declared.and_then(|()| define_hosts(ctx, job)).and_then(|()| define_variables(ctx, job)).map_err(out_of_memory)?;
    let mut observer = None;
    if let Some((function, setup)) = setup {
        let returned = function.call::<_, Value<'_>>((setup.argument.as_str(),)).map_err(setup_failure)?;
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
