//! Forms and their fields (reference, Form field).

use super::activity::{Locales, locales};
use super::literal::Literal;
use super::lowering::Lowering;
use super::reader::{Member, Reader, UnknownMember};
use super::variable::Variable;
use crate::document::{Kind, NodeId};
use crate::schema::Element;

/// A form document.
#[derive(Debug)]
pub struct Form<'d> {
    /// All fields; a section comes before its fields.
    pub fields: Vec<Field<'d>>,
    /// `fields` of the document.
    pub roots: Member<Vec<usize>>,
    /// The variables that it declares.
    pub variables: Member<Vec<Variable<'d>>>,
    /// Member names that nobody knows.
    pub unknown_members: Vec<UnknownMember>,
}

/// The type of a form field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// A text.
    InputText,
    /// A file.
    InputFile,
    /// Holds other fields.
    FormSection,
    /// A choice.
    DropDown,
    /// One that the user declared.
    Declared,
    /// One that nobody knows, or none.
    Unknown,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'d> {
    /// The object.
    pub node: NodeId,
    /// Whether it is no JSON object at all.
    pub is_no_object: bool,
    /// `name`
    pub name: Member<&'d str>,
    /// `type`, as written.
    pub type_name: Member<&'d str>,
    /// What its type is.
    pub field_type: FieldType,
    /// `displayName`: its label.
    pub display_name: Member<Locales<'d>>,
    /// `description`
    pub description: Member<Locales<'d>>,
    /// `size`
    pub size: Member<&'d str>,
    /// `required`
    pub required: Member<bool>,
    /// `readonly`
    pub readonly: Member<bool>,
    /// `hidden`
    pub hidden: Member<bool>,
    /// `isBound`
    pub is_bound: Member<bool>,
    /// Name of the variable that it shows and fills.
    pub bound_to: Member<&'d str>,
    /// `onLoad`, `onChange` and `onSubmit`.
    pub scripts: [Member<&'d str>; 3],
    /// `properties`: what its type has.
    pub properties: Properties<'d>,
    /// Whether it fills itself: it has a default text or a selected item.
    pub has_default: bool,
    /// `fieldsViewModel`
    pub view_model: Member<()>,
    /// The fields inside it.
    pub children: Member<Vec<usize>>,
}

/// The members of a field's `properties`; those of other types are absent.
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
    /// `isRestricted`
    pub is_restricted: Member<bool>,
    /// `isMultiSelect`
    pub is_multi_select: Member<bool>,
    /// `isDynamicBind`
    pub is_dynamic: Member<bool>,
    /// `dataSource`
    pub data_source: Member<&'d str>,
}

/// One entry of `dropdownItems`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'d> {
    /// The object.
    pub node: NodeId,
    /// `id`; its JSON type is not documented.
    pub id: Member<Literal<'d>>,
    /// `value`
    pub value: Member<&'d str>,
    /// `selected`
    pub selected: Member<bool>,
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

    fn read(reader: &mut Reader<'d>, field: NodeId) -> Self {
        let Some(node) = reader.object(field, "properties").node() else { return Self::NONE };
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
    fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        Self {
            node,
            id: reader.literal(node, "id"),
            value: reader.text(node, "value"),
            selected: reader.boolean(node, "selected"),
        }
    }
}

impl<'d> Field<'d> {
    /// Place and name of the variable it is bound to.
    pub fn target(&self) -> Option<(NodeId, &'d str)> {
        let (node, name) = self.bound_to.known()?;
        (!name.is_empty()).then_some((node, *name))
    }

    /// Whether a part that says which variable it fills cannot be read.
    pub const fn is_opaque(&self) -> bool {
        self.is_no_object || self.bound_to.is_unknown() || self.children.is_unknown()
    }
}

impl<'d> Form<'d> {
    /// The form in a document.
    ///
    /// Recurses with the nesting of sections, which the depth limit of the document bounds.
    pub fn lower(lowering: Lowering<'d>) -> Self {
        let mut reader = Reader::new(lowering);
        let mut fields = Vec::new();
        let root = lowering.document.root();
        let roots = read_fields(&mut reader, &mut fields, root);
        let variables = Variable::list(&mut reader, root);
        Self { fields, roots, variables, unknown_members: reader.unknown }
    }

    /// The words of all scripts: runs of letters, digits, `_` and `-`.
    pub fn script_words(&self) -> impl Iterator<Item = &'d str> {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        self.scripts()
            .flat_map(move |script| script.split(move |letter| !is_part(letter)))
            .filter(|word| !word.is_empty())
    }

    /// The scripts of all fields that are not empty.
    pub fn scripts(&self) -> impl Iterator<Item = &'d str> {
        self.field_scripts().map(|(_, _, script)| script)
    }

    /// Member name, place and text of the scripts of all fields that are not empty.
    pub fn field_scripts(&self) -> impl Iterator<Item = (&'static str, NodeId, &'d str)> {
        self.fields.iter().flat_map(|field| {
            let named = SCRIPTS.into_iter().zip(&field.scripts);
            named.filter_map(|(member, script)| {
                let (node, script) = script.known()?;
                (!script.is_empty()).then_some((member, node, *script))
            })
        })
    }
}

/// The members of a field that hold scripts.
const SCRIPTS: [&str; 3] = ["onLoad", "onChange", "onSubmit"];

fn read_fields<'d>(reader: &mut Reader<'d>, fields: &mut Vec<Field<'d>>, object: NodeId) -> Member<Vec<usize>> {
    reader.list(object, "fields", |reader, node| {
        let index = fields.len();
        let field = read(reader, node);
        fields.push(field);
        let children = match reader.object(node, "fieldsViewModel") {
            // It holds something, but not by the name by which fields are known.
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

fn lacks_fields(reader: &Reader<'_>, inner: NodeId) -> bool {
    let document = reader.lowering.document;
    document.member(inner, "fields").is_none() && document.children(inner).len() > 0
}

/// The types that the reference shows (Form field).
pub const FIELD_TYPES: [&str; 4] = ["InputText", "InputFile", "FormSection", "DropDown"];

fn read<'d>(reader: &mut Reader<'d>, node: NodeId) -> Field<'d> {
    let document = reader.lowering.document;
    let is_documented = document
        .member(node, "type")
        .and_then(|name| document.string(name))
        .is_none_or(|name| FIELD_TYPES.contains(&name));
    reader.enter(if is_documented { Element::Field } else { Element::OtherField }, node);
    let type_name = reader.text(node, "type");
    let field_type = match type_name.value() {
        Some("InputText") => FieldType::InputText,
        Some("InputFile") => FieldType::InputFile,
        Some("FormSection") => FieldType::FormSection,
        Some("DropDown") => FieldType::DropDown,
        Some(name) if reader.lowering.types.fields.iter().any(|declared| declared == name) => FieldType::Declared,
        _ => FieldType::Unknown,
    };
    Field {
        node,
        is_no_object: document.kind(node) != Kind::Object,
        name: reader.text(node, "name"),
        type_name,
        field_type,
        display_name: locales(reader, node, "displayName"),
        description: locales(reader, node, "description"),
        size: reader.text(node, "size"),
        required: reader.boolean(node, "required"),
        readonly: reader.boolean(node, "readonly"),
        hidden: reader.boolean(node, "hidden"),
        is_bound: reader.boolean(node, "isBound"),
        bound_to: reader.text(node, "boundTo"),
        scripts: SCRIPTS.map(|name| reader.text(node, name)),
        properties: Properties::read(reader, node),
        has_default: has_default(reader, node),
        view_model: reader.object(node, "fieldsViewModel"),
        children: Member::Absent,
    }
}

/// A default text in any locale, or a selected item. What cannot be read counts as a default, so
/// that nothing is said of it.
fn has_default(reader: &Reader<'_>, field: NodeId) -> bool {
    let document = reader.lowering.document;
    let Some(properties) = document.member(field, "properties") else { return false };
    let text: Member<Locales<'_>> = locales(reader, properties, "defaultvalue");
    let has_text = match text {
        Member::Absent => false,
        Member::Unknown(_) => true,
        Member::Known(_, texts) => texts.iter().any(|(_, _, text)| text.is_none_or(|text| !text.is_empty())),
    };
    has_text
        || document.member(properties, "dropdownItems").is_some_and(|items| {
            document.elements(items).any(|item| {
                document.member(item, "selected").is_some_and(|selected| document.kind(selected) != Kind::False)
            })
        })
}
