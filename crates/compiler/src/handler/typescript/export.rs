//! Declarations, imports and exports that are only types.

use oxc_ast::ast::*;

use super::erase::Eraser;

impl Eraser<'_> {
    /// Whether a declaration has no effect at run time. Records the types it names.
    pub(super) fn is_type_declaration(&mut self, it: &Declaration<'_>) -> bool {
        let is_type = is_type(it);
        if is_type {
            self.own_types.extend(names(it));
        }
        is_type
    }

    /// Whether an import or export has no effect at run time.
    pub(super) fn is_type_module(&mut self, it: &ModuleDeclaration<'_>) -> bool {
        match it {
            ModuleDeclaration::ImportDeclaration(it) => {
                let locals = it.specifiers.iter().flatten().map(|s| s.local().name.to_string());
                let is_type = it.import_kind.is_type();
                self.own_types.extend(locals.filter(|_| is_type));
                is_type
            }
            ModuleDeclaration::ExportDeclaration(it) => {
                let is_type = self.is_type_declaration(&it.declaration);
                if is_type {
                    self.types.extend(names(&it.declaration));
                }
                is_type
            }
            ModuleDeclaration::ExportDefaultDeclaration(it) => {
                self.is_type_default(&it.declaration)
            }
            ModuleDeclaration::ExportNamedDeclaration(it) => {
                self.are_type_specifiers(it.export_kind, &it.specifiers)
            }
            ModuleDeclaration::ExportFromDeclaration(it) => {
                self.are_type_specifiers(it.export_kind, &it.specifiers)
            }
            ModuleDeclaration::ExportAllDeclaration(it) => {
                let is_type = it.export_kind.is_type();
                let name = it.exported.iter().map(|name| name.name().to_string());
                self.types.extend(name.filter(|_| is_type));
                is_type
            }
            ModuleDeclaration::TSExportAssignment(_)
            | ModuleDeclaration::TSNamespaceExportDeclaration(_) => false,
        }
    }

    fn is_type_default(&mut self, it: &ExportDefaultDeclarationKind<'_>) -> bool {
        match it {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => {
                self.types.insert("default".to_owned());
                true
            }
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.body.is_none(),
            _ => false,
        }
    }

    fn are_type_specifiers(
        &mut self,
        kind: ImportOrExportKind,
        specifiers: &[ExportSpecifier<'_>],
    ) -> bool {
        if kind.is_type() {
            self.types.extend(specifiers.iter().map(|s| s.exported.name().to_string()));
        }
        kind.is_type()
    }
}

fn is_type(it: &Declaration<'_>) -> bool {
    match it {
        Declaration::VariableDeclaration(it) => it.declare,
        Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => true,
        Declaration::TSEnumDeclaration(it) => it.declare,
        Declaration::TSNamespaceDeclaration(it) => it.declare || is_type_body(&it.body),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
    }
}

/// Whether a namespace has only types.
fn is_type_body(it: &TSNamespaceDeclarationBody<'_>) -> bool {
    match it {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(it) => is_type_body(&it.body),
        TSNamespaceDeclarationBody::TSModuleBlock(it) => it.body.iter().all(is_type_member),
    }
}

fn is_type_member(it: &Statement<'_>) -> bool {
    let declaration = match it {
        Statement::ExportDeclaration(it) => Some(&it.declaration),
        _ => it.as_declaration(),
    };
    match declaration {
        Some(Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_)) => {
            true
        }
        Some(Declaration::TSNamespaceDeclaration(it)) => is_type_body(&it.body),
        _ => false,
    }
}

/// The names that a declaration binds.
fn names(it: &Declaration<'_>) -> Vec<String> {
    match it {
        Declaration::VariableDeclaration(it) => it
            .declarations
            .iter()
            .flat_map(|declarator| declarator.id.get_binding_identifiers())
            .map(|name| name.name.to_string())
            .collect(),
        _ => it.id().map(|name| name.name.to_string()).into_iter().collect(),
    }
}
