//! Bytecode of the code of ours that runs before a script: compiling it takes longer than most scripts run.

use rquickjs::loader::{Bundle, Loader, bundle};
use rquickjs::module::{WriteOptions, WriteOptionsEndianness};
use rquickjs::{Ctx, Error, Function, Module, Runtime};

use super::context::new_context;
use super::eval::eval;

/// So many functions are kept as bytecode; later ones are compiled for each script.
const MAX_KEPT: usize = 8;

/// Functions that were compiled in this process.
#[derive(Default)]
pub(super) struct Compiled(Vec<(String, Bundle)>);

impl Compiled {
    /// The function that an expression of ours evaluates to, in strict mode. `file` is its name in stack traces.
    pub fn function<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        expression: &str,
        file: &'static str,
    ) -> Result<Function<'js>, Error> {
        match self.bundle(expression, file) {
            Some(mut bundle) => {
                let (module, evaluated) = bundle.load(ctx, file, None)?.eval()?;
                evaluated.result::<()>().unwrap_or(Ok(()))?;
                module.get("default")
            }
            None => eval(ctx, expression, file),
        }
    }

    /// `None` if the expression cannot be compiled, or too many are kept.
    fn bundle(&mut self, expression: &str, file: &'static str) -> Option<Bundle> {
        if let Some((_, bundle)) = self.0.iter().find(|(known, _)| known == expression) {
            return Some(*bundle);
        }
        if self.0.len() >= MAX_KEPT {
            return None;
        }
        // Never freed: an engine of any lifetime may run it.
        let code: &'static [u8] = Box::leak(bytecode(expression, file)?.into_boxed_slice());
        let bundle = bundle::Bundle(Box::leak(Box::new([(file, code)])) as &'static [_]);
        self.0.push((expression.to_owned(), bundle));
        Some(bundle)
    }
}

/// Compiled in an engine of its own, so that the limits of no script are used for it.
fn bytecode(expression: &str, file: &str) -> Option<Vec<u8>> {
    let runtime = Runtime::new().ok()?;
    let context = new_context(&runtime)?;
    let options =
        WriteOptions { endianness: WriteOptionsEndianness::Native, strip_source: true, ..WriteOptions::default() };
    context.with(|ctx| Module::declare(ctx, file, format!("export default {expression}")).ok()?.write(options).ok())
}

#[cfg(test)]
mod tests {
    use rquickjs::Context;

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
        assert_eq!(compiled.0.len(), 1);
    }

    #[test]
    fn only_so_many_functions_are_kept() {
        let mut compiled = Compiled::default();
        let context = new_context(&Runtime::new().unwrap()).unwrap();
        for number in 0..=MAX_KEPT {
            let expression = format!("() => {number}");
            let value = context.with(|ctx| compiled.function(&ctx, &expression, "f").unwrap().call::<_, usize>(()));
            assert_eq!(value.unwrap(), number);
        }
        assert_eq!(compiled.0.len(), MAX_KEPT);
    }
}
