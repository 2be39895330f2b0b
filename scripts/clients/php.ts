import { ACCOUNT_MONEY_FIELDS, BILL_MONEY_FIELDS } from '../../packages/client/src/json.ts'
import { type Field, type FieldType, knownValues, type RecordType, type Types } from './types.ts'

/** The files of the PHP client that are made from openapi.json, by their paths in its package. */
export function phpFiles({ models, inputs, filters, event_data }: Types): Map<string, string> {
  return new Map([
    ...models.map((model): [string, string] => [`src/Model/${model.name}.php`, modelClass(model)]),
    ...inputs.map((input): [string, string] => [`src/Input/${input.name}.php`, inputClass(input)]),
    ['src/Model/EventData.php', eventData(event_data)],
    ['src/Input/Filters.php', filterTypes(filters)],
    ['src/Internal/MoneyFields.php', moneyFields()],
  ])
}

const file = (namespace: string, ...parts: string[]) =>
  [
    '<?php',
    '',
    '// Made from openapi.json by `npm run clients`; do not edit.',
    '',
    'declare(strict_types=1);',
    '',
    `namespace ${namespace};`,
    '',
    ...parts,
    '',
  ].join('\n')

function modelClass({ name, description, fields }: RecordType): string {
  const properties = fields.flatMap((field) => [
    ...docOf(field, outputDoc(field)),
    `    public readonly ${outputType(field)} $${field.name};`,
  ])
  return file(
    'Kusanya\\Model',
    `/** ${description} */`,
    `final class ${name} extends Model`,
    '{',
    ...properties,
    '',
    '    /** @param array<string, mixed> $data */',
    '    public function __construct(array $data)',
    '    {',
    '        parent::__construct($data);',
    ...fields.map(readField),
    '    }',
    '}',
  )
}

const isOptional = ({ is_nullable, is_required }: Field) => is_nullable || !is_required

function outputType(field: Field): string {
  const { type } = field
  if (type.kind === 'event_data') return 'Model|array'
  const name = type.kind === 'list' ? 'array' : type.kind === 'record' ? type.name : OUTPUT_TYPES[type.kind]
  return isOptional(field) && name !== 'mixed' ? `?${name}` : name
}

const OUTPUT_TYPES = {
  string: 'string',
  choice: 'string',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  any: 'mixed',
  object: 'array',
  money: 'string',
  time: '\\DateTimeImmutable',
}

/** Return the PHPDoc of an output, where it is more exact than PHP's type. */
function outputDoc({ type, is_nullable }: Field): string | undefined {
  const or_null = is_nullable ? '|null' : ''
  if (type.kind === 'object') return `array<string, mixed>${or_null}`
  if (type.kind === 'event_data') return 'Model|array<string, mixed>'
  if (type.kind !== 'list') return undefined
  const { item } = type
  const item_type =
    item.kind === 'record'
      ? item.name
      : item.kind === 'money' || item.kind === 'choice'
        ? 'string'
        : OUTPUT_TYPES[item.kind as 'string']
  return `list<${item_type}>${or_null}`
}

function docOf(field: Field, doc: string | undefined): string[] {
  const amount = field.type.kind === 'money' ? 'A decimal number as text.' : ''
  const words = [field.description ?? '', knownValues(field), amount].filter(Boolean).join(' ')
  if (doc) return [`    /** @var ${[doc, words].filter(Boolean).join(' ')} */`]
  return words ? [`    /** ${words} */`] : []
}

function readField(field: Field): string {
  const place = `$data['${field.name}']`
  const value = readValue(field.type, place)
  if (isOptional(field))
    return `        $this->${field.name} = ${value === place ? `${place} ?? null` : `isset(${place}) ? ${value} : null`};`
  return `        if (isset(${place})) {\n            $this->${field.name} = ${value};\n        }`
}

function readValue(type: FieldType, place: string): string {
  if (type.kind === 'money') return `self::amount(${place})`
  if (type.kind === 'list' && type.item.kind === 'money') return `array_map(self::amount(...), ${place})`
  if (type.kind === 'time') return `new \\DateTimeImmutable(${place})`
  if (type.kind === 'record') return `new ${type.name}(${place})`
  if (type.kind === 'event_data') return `EventData::read($data['type'], ${place})`
  if (type.kind === 'list' && type.item.kind === 'record')
    return `array_map(static fn (array $item) => new ${type.item.name}($item), ${place})`
  return place
}

function inputClass({ name, description, fields }: RecordType): string {
  const required = fields.filter(({ is_required }) => is_required)
  const parameters = [...required, ...fields.filter(({ is_required }) => !is_required)]
  return file(
    'Kusanya\\Input',
    `/** ${/[.]$/.test(description) ? description : `${description}.`} */`,
    `final class ${name} extends Input`,
    '{',
    '    public function __construct(',
    ...parameters.flatMap(inputParameter),
    '    ) {',
    '    }',
    '}',
  )
}

function inputParameter(field: Field): string[] {
  const doc = inputDoc(field.type)
  const words = [field.description ?? '', choicesOf(field.type)].filter(Boolean).join(' ')
  const comment = doc ? [`/** @var ${[doc, words].filter(Boolean).join(' ')} */`] : words ? [`/** ${words} */`] : []
  const type = inputType(field.type)
  const or_null = type === 'mixed' ? type : type.includes('|') ? `${type}|null` : `?${type}`
  const declared = field.is_required ? type : or_null
  return [...comment, `public readonly ${declared} $${field.name}${field.is_required ? '' : ' = null'},`].map(
    (line) => `        ${line}`,
  )
}

const choicesOf = (type: FieldType) => (type.kind === 'choice' ? `One of ${type.values.join(', ')}.` : '')

function inputType(type: FieldType): string {
  if (type.kind === 'money') return 'string|int'
  if (type.kind === 'list') return 'array'
  if (type.kind === 'record') return `${type.name}|array`
  return OUTPUT_TYPES[type.kind as keyof typeof OUTPUT_TYPES]
}

function inputDoc(type: FieldType): string | undefined {
  if (type.kind === 'object') return 'array<string, mixed>|null'
  if (type.kind === 'record') return `${type.name}|array<string, mixed>|null`
  if (type.kind !== 'list') return undefined
  if (type.item.kind === 'record') return `list<${type.item.name}|array<string, mixed>>|null`
  return `list<${inputType(type.item)}>|null`
}

function eventData(event_data: Types['event_data']): string {
  return file(
    'Kusanya\\Model',
    '/** The object that an event is about. */',
    'final class EventData',
    '{',
    '    /** The data of an event, by its type. */',
    '    public const MODELS = [',
    ...event_data.map(([type, model]) => `        '${type}' => ${model}::class,`),
    '    ];',
    '',
    '    /**',
    '     * The data of an event as its model. An unknown type, which is new, gives the JSON object.',
    '     *',
    '     * @param array<string, mixed> $data',
    '     *',
    '     * @return Model|array<string, mixed>',
    '     */',
    '    public static function read(string $type, array $data): Model|array',
    '    {',
    '        $model = self::MODELS[$type] ?? null;',
    '',
    '        return $model === null ? $data : new $model($data);',
    '    }',
    '}',
  )
}

function filterTypes(filters: RecordType[]): string {
  const shapes = filters.map(({ name, fields }) => {
    const entries = fields.map(
      ({ name: field, type, is_required }) => `${field}${is_required ? '' : '?'}: ${filterType(type)}`,
    )
    return ` * @phpstan-type ${name} array{${entries.join(', ')}}`
  })
  return file(
    'Kusanya\\Input',
    '/**',
    ' * The filters of lists. They match exactly, and all of them.',
    ' *',
    ...shapes,
    ' */',
    'final class Filters',
    '{',
    '    private function __construct()',
    '    {',
    '    }',
    '}',
  )
}

function filterType(type: FieldType): string {
  if (type.kind === 'time') return 'string|\\DateTimeInterface'
  if (type.kind === 'choice') return type.values.map((value) => `'${value}'`).join('|')
  return inputType(type)
}

function moneyFields(): string {
  const list = (names: ReadonlySet<string>) => [...names].map((name) => `'${name}'`).join(', ')
  return file(
    'Kusanya\\Internal',
    '/** @internal The fields of answers that are amounts of money and may be JSON numbers. */',
    'final class MoneyFields',
    '{',
    `    public const ACCOUNTS = [${list(ACCOUNT_MONEY_FIELDS)}];`,
    // Events of all types come in one list, and metadata may have names like `amount`.
    "    public const EVENTS = ['tokenAmount'];",
    `    public const BILLS = [${list(BILL_MONEY_FIELDS)}];`,
    '}',
  )
}
