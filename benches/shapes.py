"""Inputs in which only one thing grows."""

VARIABLE = '{ "name": "x%d", "id": %d, "variableType": "String" }'
STATUS = '{ "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": "x1" } }'
UNDEFINED = '{ "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": "Nowhere" } }'
FIELD = '{ "name": "F%d", "type": "InputText", "isBound": true, "boundTo": "x1" }'


def document(items, variables, kind="activities"):
    return '{ "%s": [%s], "variables": [%s] }' % (kind, ",\n".join(items), ",\n".join(variables))


def one_file(text):
    return {"a.json": text}


ONE = [VARIABLE % (1, 1)]
# By name: the files with so much of one thing, by path.
SHAPES = {
    "activities": lambda size: one_file(document([STATUS] * size, ONE)),
    "variables": lambda size: one_file(document([STATUS], [VARIABLE % (at, at) for at in range(1, size + 1)])),
    "fields": lambda size: one_file(document([FIELD % at for at in range(size)], ONE, "fields")),
    "findings": lambda size: one_file(document([UNDEFINED] * size, ONE)),
    "files in a folder": lambda size: {f"{at}.json": document([FIELD % 1], ONE, "fields") for at in range(size)},
    "services": lambda size: {f"{at}/a.json": document([STATUS], ONE) for at in range(size)},
}


def write_shape(folder, name, size):
    """Writes the files of a shape into a folder."""
    for path, text in SHAPES[name](size).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
