import { type Field, type FieldType, knownValues, type RecordType, type Types } from './types.ts'

/** The files of the Python client that are made from openapi.json, by their paths in its package. */
export function pythonFiles({ models, inputs, filters, event_data }: Types): Map<string, string> {
  const names = [...models.map(({ name }) => name), 'EventData'].sort()
  const exported = `__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]`
  return new Map([
    [
      'src/kusanya/models.py',
      [`${MODELS_HEAD}\n\n${exported}`, ...models.map(modelClass), eventData(event_data)].join('\n\n\n'),
    ],
    [
      'src/kusanya/inputs.py',
      [INPUTS_HEAD, ...inOrderOfUse(inputs).map(typedDict), ...filters.map(typedDict), ''].join('\n\n\n').trimEnd() +
        '\n',
    ],
  ])
}

const MADE = '# Made from openapi.json by `npm run clients`; do not edit.'

const MODELS_HEAD = `${MADE}
"""The answers of the service. Amounts are Decimal, times are datetime, and \`raw\` has the whole answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Union

from ._values import read_list, read_money, read_plain, read_record, read_time`

const INPUTS_HEAD = `${MADE}
"""The inputs of calls, as types for editors and type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, TypedDict, Union

Amount = Union[str, int, Decimal]
"""An amount of money, never a float."""`

function modelClass({ name, description, fields }: RecordType): string {
  const attributes = fields.map((field) => attribute(field, outputType(field)))
  const reads = fields.map((field) => `            ${field.name}=${readField(field)},`)
  return [
    '@dataclass(frozen=True, kw_only=True)',
    `class ${name}:`,
    `    ${docstring([description])}`,
    '',
    ...attributes,
    '    raw: Mapping[str, Any] = field(repr=False, compare=False)',
    '    """The whole answer, with fields that this version of the client does not know."""',
    '',
    '    @classmethod',
    `    def from_json(cls, data: Mapping[str, Any]) -> ${name}:`,
    '        get: Callable[[str], Any] = data.get',
    '        return cls(',
    ...reads,
    '            raw=read_plain(data),',
    '        )',
  ].join('\n')
}

function attribute(field: Field, type: string): string {
  const words = [field.description ?? '', knownValues(field)].filter(Boolean)
  return [`    ${field.name}: ${type}`, ...(words.length > 0 ? [`    ${docstring(words)}`] : [])].join('\n')
}

const docstring = (sentences: string[]) => `"""${sentences.join(' ').replaceAll('\\', '\\\\')}"""`

function outputType({ type, is_nullable, is_required }: Field): string {
  const name = outputTypeName(type)
  return (is_nullable || !is_required) && name !== 'Any' ? `${name} | None` : name
}

function outputTypeName(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `list[${outputTypeName(type.item)}]`
    case 'record':
      return type.name
    case 'event_data':
      return 'EventData | Mapping[str, Any]'
    default:
      return OUTPUT_TYPES[type.kind]
  }
}

const OUTPUT_TYPES = {
  string: 'str',
  choice: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  any: 'Any',
  object: 'dict[str, Any]',
  money: 'Decimal',
  time: 'datetime',
}

function readField({ name, type, is_nullable }: Field): string {
  const value = `get("${name}")`
  const read = reader(type)
  if (type.kind === 'event_data') return `read_event_data(get("type"), ${value})`
  if (type.kind === 'list') {
    const list = read ? `read_list(${value}, ${read})` : value
    return is_nullable ? `None if ${value} is None else ${list}` : list
  }
  if (type.kind === 'record') return `read_record(${value}, ${read})`
  return read ? `${read}(${value})` : value
}

/** Return the function that reads a JSON value, if it needs one. */
function reader(type: FieldType): string | undefined {
  switch (type.kind) {
    case 'money':
      return 'read_money'
    case 'time':
      return 'read_time'
    case 'object':
    case 'any':
      return 'read_plain'
    case 'record':
      return `${type.name}.from_json`
    case 'list':
      return reader(type.item)
    default:
      return undefined
  }
}

function eventData(event_data: Types['event_data']): string {
  const models = [...new Set(event_data.map(([, model]) => model))]
  return `EventData = Union[${models.join(', ')}]
"""The object that an event is about."""

EVENT_DATA: Mapping[str, Any] = {
${event_data.map(([type, model]) => `    "${type}": ${model},\n`).join('')}}
"""The data of an event, by its type."""


def read_event_data(event_type: Any, data: Any) -> EventData | Mapping[str, Any]:
    """The data of an event as its model. An unknown type, which is new, gives the JSON object."""
    model = EVENT_DATA.get(event_type)
    read: EventData | Mapping[str, Any] = model.from_json(data) if model else read_plain(data)
    return read
`
}

/** Write a TypedDict. Required fields stand in a separate class: Python 3.10 knows no other way. */
function typedDict({ name, description, fields }: RecordType): string {
  const required = fields.filter(({ is_required }) => is_required)
  const optional = fields.filter(({ is_required }) => !is_required)
  const attributes = (some: Field[]) => some.map((field) => inputAttribute(field))
  const words = `    ${docstring([/[.]$/.test(description) ? description : `${description}.`])}`
  if (required.length === 0)
    return [`class ${name}(TypedDict, total=False):`, words, '', ...attributes(optional)].join('\n')
  if (optional.length === 0) return [`class ${name}(TypedDict):`, words, '', ...attributes(required)].join('\n')
  return [
    `class _${name}(TypedDict):`,
    ...attributes(required),
    '',
    '',
    `class ${name}(_${name}, total=False):`,
    words,
    '',
    ...attributes(optional),
  ].join('\n')
}

function inputAttribute(field: Field): string {
  const type = inputTypeName(field.type) + (field.is_nullable ? ' | None' : '')
  const words = field.description ? [`    ${docstring([field.description])}`] : []
  return [`    ${field.name}: ${type}`, ...words].join('\n')
}

function inputTypeName(type: FieldType): string {
  switch (type.kind) {
    case 'money':
      return 'Amount'
    case 'time':
      return 'str | datetime'
    case 'object':
      return 'Mapping[str, Any]'
    case 'choice':
      return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`
    case 'list':
      return `Sequence[${inputTypeName(type.item)}]`
    default:
      return outputTypeName(type)
  }
}

/** Inputs that others contain come first. */
function inOrderOfUse(inputs: RecordType[]): RecordType[] {
  const isPart = ({ name }: RecordType) =>
    inputs.some(({ fields }) => fields.some(({ type }) => namesOf(type) === name))
  return [...inputs.filter(isPart), ...inputs.filter((input) => !isPart(input))]
}

function namesOf(type: FieldType): string | undefined {
  if (type.kind === 'list') return namesOf(type.item)
  return type.kind === 'record' ? type.name : undefined
}
