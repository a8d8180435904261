//! Forms and their fields (docs/platform-methods.md, Form field).

use super::reader::{Literal, Locales, Lowering, Member, Reader, UnknownMember, locales};
use super::variable::Variable;
use crate::document::{NodeId, NodeKind};
use crate::schema::Element;

#[derive(Debug)]
pub struct Form<'d> {
    /// All fields, a section before the fields in it.
    pub fields: Vec<Field<'d>>,
    /// `fields` of the document, as indices of [`Self::fields`].
    pub roots: Member<Vec<usize>>,
    pub variables: Member<Vec<Variable<'d>>>,
    /// Keys that the schema does not describe.
    pub unknown_members: Vec<UnknownMember>,
}

/// The data source that lists the users of the directory (docs/platform-methods.md, `DropDown`).
const USERS: &str = "/DropDown.ADUser";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    InputText,
    InputFile,
    /// Contains other fields.
    FormSection,
    DropDown,
    /// A type declared in the configuration.
    Declared,
    /// A missing or unknown type.
    Unknown,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'d> {
    pub node: NodeId,
    /// The value is not a JSON object.
    pub is_not_an_object: bool,
    pub name: Member<&'d str>,
    /// `type` as written.
    pub type_name: Member<&'d str>,
    pub field_type: FieldType,
    /// The label.
    pub display_name: Member<Locales<'d>>,
    pub required: Member<bool>,
    pub readonly: Member<bool>,
    pub hidden: Member<bool>,
    pub is_bound: Member<bool>,
    /// The name of the variable that it shows and sets.
    pub bound_to: Member<&'d str>,
    /// `None` if all of these keys are absent, to save memory.
    details: Option<Box<FieldDetails<'d>>>,
    /// Whether it has a value without user input: a default text or a selected item.
    pub has_default: bool,
    /// `fieldsViewModel`
    pub view_model: Member<()>,
    /// The fields inside it, as indices of [`Form::fields`].
    pub children: Member<Vec<usize>>,
}

/// Members that few fields have all of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDetails<'d> {
    pub description: Member<Locales<'d>>,
    pub size: Member<&'d str>,
    /// `onLoad`, `onChange` and `onSubmit`.
    pub scripts: [Member<&'d str>; 3],
    /// The members that depend on the type.
    pub properties: Properties<'d>,
}

impl<'d> FieldDetails<'d> {
    const NONE: Self = Self {
        description: Member::Absent,
        size: Member::Absent,
        scripts: [Member::Absent; 3],
        properties: Properties::NONE,
    };

    fn read(reader: &mut Reader<'d, '_>, field: NodeId) -> Self {
        Self {
            description: locales(reader, field, "description"),
            size: reader.text(field, "size"),
            scripts: SCRIPTS.map(|key| reader.text(field, key)),
            properties: Properties::read(reader, field),
        }
    }
}

/// `properties` of a field; the members of other types are absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties<'d> {
    /// `defaultvalue` of an `InputText`.
    pub default_value: Member<Locales<'d>>,
    /// `validationmessage` of an `InputText`.
    pub validation_message: Member<Locales<'d>>,
    /// `placeholder` of a `DropDown`.
    pub placeholder: Member<Locales<'d>>,
    /// `validationtype` of an `InputText`.
    pub validation_type: Member<i64>,
    /// `validationpattern` of an `InputText`.
    pub validation_pattern: Member<&'d str>,
    /// `dropdownItems` of a `DropDown`.
    pub items: Member<Vec<Item<'d>>>,
    pub is_restricted: Member<bool>,
    pub is_multi_select: Member<bool>,
    /// `isDynamicBind`
    pub is_dynamic: Member<bool>,
    pub data_source: Member<&'d str>,
}

/// One entry of `dropdownItems`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'d> {
    pub node: NodeId,
    /// `id`; its JSON type is not documented.
    pub id: Member<Literal<'d>>,
    pub value: Member<&'d str>,
    pub selected: Member<bool>,
}

/// A script of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldScript<'d> {
    /// `onLoad`, `onChange` or `onSubmit`.
    pub key: &'static str,
    /// The name of the field.
    pub field: Option<&'d str>,
    /// The string that holds it.
    pub node: NodeId,
    /// JavaScript: the body of a function.
    pub text: &'d str,
}

impl<'d> Properties<'d> {
    const NONE: Self = Self {
        default_value: Member::Absent,
        validation_message: Member::Absent,
        placeholder: Member::Absent,
        validation_type: Member::Absent,
        validation_pattern: Member::Absent,
        items: Member::Absent,
        is_restricted: Member::Absent,
        is_multi_select: Member::Absent,
        is_dynamic: Member::Absent,
        data_source: Member::Absent,
    };

    fn read(reader: &mut Reader<'d, '_>, field: NodeId) -> Self {
        let Some(node) = reader.object(field, "properties").node() else { return Self::NONE };
        reader.enter(Element::FieldProperties, node);
        Self {
            default_value: locales(reader, node, "defaultvalue"),
            validation_message: locales(reader, node, "validationmessage"),
            placeholder: locales(reader, node, "placeholder"),
            validation_type: reader.integer(node, "validationtype"),
            validation_pattern: reader.text(node, "validationpattern"),
            items: reader.list(node, "dropdownItems", Item::read),
            is_restricted: reader.boolean(node, "isRestricted"),
            is_multi_select: reader.boolean(node, "isMultiSelect"),
            is_dynamic: reader.boolean(node, "isDynamicBind"),
            data_source: reader.text(node, "dataSource"),
        }
    }
}

impl<'d> Item<'d> {
    fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        Self {
            node,
            id: reader.literal(node, "id"),
            value: reader.text(node, "value"),
            selected: reader.boolean(node, "selected"),
        }
    }
}

impl<'d> Field<'d> {
    pub fn details(&self) -> &FieldDetails<'d> {
        self.details.as_deref().unwrap_or(&FieldDetails::NONE)
    }

    pub fn properties(&self) -> &Properties<'d> {
        &self.details().properties
    }

    /// Node and name of the variable it is bound to.
    pub fn target(&self) -> Option<(NodeId, &'d str)> {
        let (node, name) = self.bound_to.known()?;
        (!name.is_empty()).then_some((node, *name))
    }

    /// Whether people may fill it in, if they see it: not a section, not a text between fields.
    pub fn takes_input(&self) -> bool {
        let takes = match self.field_type {
            FieldType::InputText | FieldType::InputFile | FieldType::DropDown => true,
            FieldType::FormSection => false,
            FieldType::Declared | FieldType::Unknown => self.target().is_some(),
        };
        takes && !self.readonly.is_true()
    }

    /// Whether it lists the users of the directory.
    pub fn lists_people(&self) -> bool {
        let source = self.properties().data_source.value();
        self.field_type == FieldType::DropDown && source.is_some_and(|source| source.ends_with(USERS))
    }

    /// Whether it takes mail addresses only.
    pub fn takes_mail_address(&self) -> bool {
        self.field_type == FieldType::InputText && self.properties().validation_type.value() == Some(MAIL_VALIDATION)
    }

    /// Whether it may set any variable, because a part of it cannot be read.
    pub const fn is_opaque(&self) -> bool {
        self.is_not_an_object || self.bound_to.is_unknown() || self.children.is_unknown()
    }
}

impl<'d> Form<'d> {
    /// The form in a document.
    ///
    /// Recurses with the nesting of sections, which the depth limit of the document bounds.
    pub fn lower(lowering: Lowering<'d, '_>) -> Self {
        let mut reader = Reader::new(lowering);
        let mut fields = Vec::new();
        let root = lowering.document.root();
        let roots = read_fields(&mut reader, &mut fields, root);
        let variables = Variable::list(&mut reader, root);
        fields.shrink_to_fit();
        Self { fields, roots, variables, unknown_members: reader.unknown }
    }

    /// Whether each field is hidden, or lies in a section that is.
    pub fn hidden(&self) -> Vec<bool> {
        let mut hidden: Vec<bool> = self.fields.iter().map(|field| field.hidden.value() == Some(true)).collect();
        // A section comes before the fields in it.
        for (index, field) in self.fields.iter().enumerate() {
            if hidden.get(index) == Some(&true) {
                for &child in field.children.get().into_iter().flatten() {
                    if let Some(child) = hidden.get_mut(child) {
                        *child = true;
                    }
                }
            }
        }
        hidden
    }

    /// The words in all scripts: runs of letters, digits, `_` and `-`.
    pub fn script_words(&self) -> impl Iterator<Item = &'d str> {
        self.scripts().flat_map(script_words)
    }

    /// The names in selectors (`'#Name'`) of all scripts, except where the field is only changed or shown.
    pub fn fields_read_by_scripts(&self) -> impl Iterator<Item = &'d str> {
        self.scripts().flat_map(|script| {
            script.match_indices('#').filter_map(|(at, sign)| {
                let rest = script.get(at + sign.len()..)?;
                let (name, after) = rest.split_at_checked(rest.find(['\'', '"', '`'])?)?;
                (!is_changed(after)).then_some(name)
            })
        })
    }

    /// The text of [`Self::field_scripts`].
    pub fn scripts(&self) -> impl Iterator<Item = &'d str> {
        self.field_scripts().map(|script| script.text)
    }

    /// The scripts of all fields that are not empty.
    pub fn field_scripts(&self) -> impl Iterator<Item = FieldScript<'d>> {
        self.fields.iter().flat_map(|field| {
            let named = SCRIPTS.into_iter().zip(&field.details().scripts);
            named.filter_map(|(key, script)| {
                let (node, &text) = script.known()?;
                (!text.is_empty()).then_some(FieldScript { key, field: field.name.value(), node, text })
            })
        })
    }
}

/// The words in a script: runs of letters, digits, `_` and `-`.
pub fn script_words(script: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    script.split(move |letter| !is_part(letter)).filter(|word| !word.is_empty())
}

/// The function that selects fields in their scripts, as in `Z('#Name')` (docs/platform-methods.md, Form scripts).
pub const SELECT: &str = "Z";

/// Methods of selected fields that neither read nor change their values.
pub const VIEW_METHODS: [&str; 8] =
    ["hide", "show", "toggle", "addClass", "removeClass", "toggleClass", "css", "focus"];

/// The members of a field that hold scripts.
const SCRIPTS: [&str; 3] = ["onLoad", "onChange", "onSubmit"];

fn read_fields<'d>(reader: &mut Reader<'d, '_>, fields: &mut Vec<Field<'d>>, object: NodeId) -> Member<Vec<usize>> {
    reader.list(object, "fields", |reader, node| {
        let index = fields.len();
        let field = read(reader, node);
        fields.push(field);
        let view_model = reader.object(node, "fieldsViewModel");
        if let Member::Known(inner, ()) = view_model {
            reader.enter(Element::FieldsViewModel, inner);
        }
        let children = match view_model {
            // An object without `fields` may contain fields under another key.
            Member::Known(inner, ()) if lacks_fields(reader, inner) => Member::Unknown(inner),
            Member::Known(inner, ()) => read_fields(reader, fields, inner),
            Member::Unknown(inner) => Member::Unknown(inner),
            Member::Absent => Member::Absent,
        };
        if let Some(field) = fields.get_mut(index) {
            field.children = children;
        }
        index
    })
}

fn lacks_fields(reader: &Reader<'_, '_>, inner: NodeId) -> bool {
    let document = reader.lowering.document;
    document.member(inner, "fields").is_none() && document.children(inner).len() > 0
}

/// The `validationtype` of a field for a mail address (docs/platform-methods.md, `InputText`).
pub const MAIL_VALIDATION: i64 = 2;

/// The documented types (docs/platform-methods.md, Form field).
pub const FIELD_TYPES: [&str; 4] = ["InputText", "InputFile", "FormSection", "DropDown"];

fn read<'d>(reader: &mut Reader<'d, '_>, node: NodeId) -> Field<'d> {
    let document = reader.lowering.document;
    let is_documented = document
        .member(node, "type")
        .and_then(|name| document.string(name))
        .is_none_or(|name| FIELD_TYPES.contains(&name));
    reader.enter(if is_documented { Element::Field } else { Element::OtherField }, node);
    let type_name = reader.required_text(node, "type");
    let field_type = match type_name.value() {
        Some("InputText") => FieldType::InputText,
        Some("InputFile") => FieldType::InputFile,
        Some("FormSection") => FieldType::FormSection,
        Some("DropDown") => FieldType::DropDown,
        Some(name) if reader.lowering.types.fields.contains(name) => FieldType::Declared,
        _ => FieldType::Unknown,
    };
    let details = FieldDetails::read(reader, node);
    Field {
        node,
        is_not_an_object: document.kind(node) != NodeKind::Object,
        name: reader.required_text(node, "name"),
        type_name,
        field_type,
        display_name: locales(reader, node, "displayName"),
        required: reader.boolean(node, "required"),
        readonly: reader.boolean(node, "readonly"),
        hidden: reader.boolean(node, "hidden"),
        is_bound: reader.boolean(node, "isBound"),
        bound_to: reader.text(node, "boundTo"),
        details: (details != FieldDetails::NONE).then(|| Box::new(details)),
        has_default: has_default(reader, node),
        view_model: reader.object(node, "fieldsViewModel"),
        children: Member::Absent,
    }
}

/// Whether there is a default text in any locale, or a selected item. What cannot be read counts as a
/// default, so that no rule reports that there is none.
fn has_default(reader: &Reader<'_, '_>, field: NodeId) -> bool {
    let document = reader.lowering.document;
    let properties = match reader.object(field, "properties") {
        Member::Known(node, ()) => node,
        Member::Unknown(_) => return true,
        Member::Absent => return false,
    };
    let text: Member<Locales<'_>> = locales(reader, properties, "defaultvalue");
    let has_text = match text {
        Member::Absent => false,
        Member::Unknown(_) => true,
        Member::Known(_, texts) => texts.iter().any(|entry| entry.text.is_none_or(|text| !text.is_empty())),
    };
    has_text
        || document.member(properties, "dropdownItems").is_some_and(|items| {
            document.elements(items).any(|item| {
                let is_set = |selected| !matches!(document.kind(selected), NodeKind::False | NodeKind::Null);
                document.member(item, "selected").is_some_and(is_set)
            })
        })
}
/// Whether a script calls a method of the selected field that does not read its value, from the quote after its name.
fn is_changed(after: &str) -> bool {
    let rest = after.get(1..).map_or("", str::trim_start);
    let method = rest.strip_prefix(')').and_then(|rest| rest.trim_start().strip_prefix('.'));
    let Some((name, arguments)) = method.and_then(|method| method.split_once('(')) else { return false };
    let name = name.trim();
    VIEW_METHODS.contains(&name) || name == "val" && !arguments.trim_start().starts_with(')')
}
