//! Evaluates source text in the engine.

use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::loader::{Bundle, Loader, bundle};
use rquickjs::module::{Declared, WriteOptions, WriteOptionsEndianness};
use rquickjs::{Context, Ctx, Error, FromJs, Function, Module, Runtime};

use crate::common::collections::HashMap;

/// The built-in objects of ECMAScript, and nothing that browsers or servers add. A tuple, because
/// rquickjs composes sets of intrinsics so.
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

pub(super) fn new_context(runtime: &Runtime) -> Option<Context> {
    Context::custom::<Intrinsics>(runtime).ok()
}

/// Evaluates a global script in sloppy mode. `file` is its name in stack traces.
pub(super) fn eval<'js, V: FromJs<'js>>(ctx: &Ctx<'js>, source: &str, file: &str) -> Result<V, Error> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(file.to_owned());
    ctx.eval_with_options(source, options)
}

/// Bytecode of modules that run again and again, by their names in stack traces: compiling them takes longer than most
/// scripts run. It is kept for the life of the process; `None` is that of one that cannot be compiled on its own.
#[derive(Default)]
pub struct Compiled {
    bundles: HashMap<String, Option<Bundle>>,
    /// An engine of its own, so that the limits of no script are used for compiling; it finds no module to import.
    compiler: Option<Context>,
}

impl Compiled {
    /// The function that an expression of ours evaluates to, in strict mode. `file` is its name.
    pub fn function<'js>(&mut self, ctx: &Ctx<'js>, expression: &str, file: &str) -> Result<Function<'js>, Error> {
        let text = || format!("export default {expression}");
        let module = self.module(ctx, text, file).unwrap_or_else(|| Module::declare(ctx.clone(), file, text()))?;
        let (module, evaluated) = module.eval()?;
        evaluated.result::<()>().unwrap_or(Ok(()))?;
        module.get("default")
    }

    /// A module; `None` if it imports another one, or does not compile. `file` is its name, of which there is one text.
    pub fn module<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        text: impl FnOnce() -> String,
        file: &str,
    ) -> Option<Result<Module<'js, Declared>, Error>> {
        if !self.bundles.contains_key(file) {
            let bundle = self.compile(&text(), file);
            self.bundles.insert(file.to_owned(), bundle);
        }
        let bundle = *self.bundles.get(file)?;
        bundle.map(|mut bundle| bundle.load(ctx, file, None))
    }

    /// Never freed: an engine of any lifetime may run it.
    fn compile(&mut self, text: &str, file: &str) -> Option<Bundle> {
        if text.contains('\0') {
            return None;
        }
        let compiler = match self.compiler.take() {
            Some(compiler) => compiler,
            None => new_context(&Runtime::new().ok()?)?,
        };
        let options =
            WriteOptions { endianness: WriteOptionsEndianness::Native, strip_source: true, ..WriteOptions::default() };
        let code = compiler.with(|ctx| {
            let code = Module::declare(ctx.clone(), file, text).and_then(|module| module.write(options));
            if code.is_err() {
                ctx.catch();
            }
            code.ok()
        });
        self.compiler = Some(compiler);
        let (file, code): (&'static str, &'static [u8]) =
            (Box::leak(file.to_owned().into_boxed_str()), Box::leak(code?.into_boxed_slice()));
        Some(bundle::Bundle(Box::leak(Box::new([(file, code)])) as &'static [_]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: &str =
        "// A comment.\n(() => { let count = 0; return () => ((globalThis.seen ??= 0), ++count); })()\n";

    fn count(compiled: &mut Compiled, context: &Context) -> i32 {
        context.with(|ctx| compiled.function(&ctx, COUNTER, "counter").unwrap().call(()).unwrap())
    }

    #[test]
    fn functions_of_two_engines_share_nothing() {
        let mut compiled = Compiled::default();
        let engine = || new_context(&Runtime::new().unwrap()).unwrap();
        let first = engine();
        assert_eq!(count(&mut compiled, &first), 1);
        first.with(|ctx| ctx.globals().set("seen", 7).unwrap());
        let second = engine();
        assert_eq!(count(&mut compiled, &second), 1);
        assert_eq!(second.with(|ctx| ctx.globals().get::<_, i32>("seen").unwrap()), 0);
        assert_eq!(compiled.bundles.len(), 1);
    }
}
