//! Resolves imports to modules.

use std::sync::Arc;

use rquickjs::loader::{ImportAttributes, Resolver};
use rquickjs::{Ctx, Error, Result};

use super::ROOT;
use crate::builtin::AILERON;

const NOT_CARRIED: &str = "no such module in the artifact";
const NOT_RELATIVE: &str = "expected `aileron` or a path that begins with `./` or `../`";

/// Resolves specifiers to modules of the artifact.
#[derive(Debug, Clone)]
pub(crate) struct ModuleResolver(Arc<[String]>);

impl ModuleResolver {
    /// Names in angle brackets are reserved for the sandbox and cannot be imported.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        Self(names.filter(|name| !name.starts_with('<')).cloned().collect())
    }
}

impl Resolver for ModuleResolver {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        if base.is_empty() && name == ROOT {
            return Ok(name.into());
        }
        let path = match name {
            AILERON => return Ok(AILERON.into()),
            _ if base == ROOT => name.to_owned(),
            _ if name.starts_with("./") || name.starts_with("../") => joined(base, name),
            _ => return Err(Error::new_resolving_message(base, name, NOT_RELATIVE)),
        };
        if self.0.contains(&path) {
            return Ok(path);
        }
        Err(Error::new_resolving_message(base, name, NOT_CARRIED))
    }
}

/// The path of `name` as imported by the module `base`, both below the tools folder.
fn joined(base: &str, name: &str) -> String {
    let mut parts: Vec<_> = base.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_relative_path_starts_at_the_importing_module() {
        assert_eq!(joined("kb-search/handler.js", "./a.js"), "kb-search/a.js");
        assert_eq!(joined("kb-search/handler.js", "../_lib/a.js"), "_lib/a.js");
        assert_eq!(joined("handler.js", "./deep/../a.js"), "a.js");
    }
}
