//! Merging: a later catalog file changes a method of an earlier one.

use super::method::Method;

impl Method {
    /// Merges a later description of the method: its values replace earlier ones.
    pub(super) fn change(&mut self, by: Self) {
        self.plugin = by.plugin;
        self.package = by.package.or(self.package.take());
        self.module = by.module.or(self.module.take());
        self.method_id = by.method_id.or(self.method_id);
        self.description = by.description.or(self.description.take());
        self.effect = by.effect.or(self.effect);
        self.simulation = by.simulation.or(self.simulation);
        self.open_outputs = by.open_outputs.or(self.open_outputs);
        for mut parameter in by.parameters {
            // A catalog that describes a built-in parameter again need not repeat its purpose.
            parameter.purpose = parameter.purpose.or(self.parameter(&parameter.name).and_then(|known| known.purpose));
            merge(&mut self.parameters, vec![parameter], |parameter| parameter.name.clone());
        }
        merge(&mut self.additional, by.additional, |additional| additional.name.clone());
        for output in by.outputs {
            match self
                .outputs
                .iter_mut()
                .find(|known| known.name == output.name && known.per_entry_of == output.per_entry_of)
            {
                Some(known) => {
                    merge(&mut known.statuses, output.statuses, |status| status.value.clone());
                    known.default.extend(output.default);
                    known.description = output.description.or(known.description.take());
                }
                None => self.outputs.push(output),
            }
        }
    }
}

fn merge<T>(known: &mut Vec<T>, by: Vec<T>, name: impl Fn(&T) -> String) {
    for item in by {
        match known.iter_mut().find(|known| name(known) == name(&item)) {
            Some(same) => *same = item,
            None => known.push(item),
        }
    }
}
