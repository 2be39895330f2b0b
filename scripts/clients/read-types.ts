import { MONEY_FIELDS } from '../../packages/client/src/json.ts'
import {
  eventData,
  eventModels,
  INPUT_DESCRIPTIONS,
  INPUT_FIELDS,
  INPUTS,
  MODEL_DESCRIPTIONS,
  MODEL_FIELDS,
  MODEL_NAMES,
  SHARED_INPUTS,
} from './additions.ts'
import { answerOf, bodyOf, type OpenApi, type Operation, type Schema } from './document.ts'
import { type Field, type FieldType, pascalCase, type RecordType, type Types } from './types.ts'

/** Names of amounts of money beside those that are JSON numbers somewhere. */
const AMOUNT =
  /(^|_)(amounts?|balance|cost|fee|price|total|subtotal)$|^amount_|^(asked|difference|invoiced|left|net|open|paid)$/
/** Parameters of lists that are no filters. */
const LEFT_OUT: readonly string[] = ['format', 'claim']

/**
 * Read the types that a client needs. Every schema that an answer refers to becomes a model, every JSON body an input.
 */
export function readTypes({ operations, schemas }: OpenApi): Types {
  const models = new Models(schemas)
  for (const operation of operations.values()) models.addAnswer(operation)
  return {
    models: [...models.records.values(), ...eventModels(models.records)].sort(byName),
    inputs: [...readInputs(operations, schemas), ...INPUTS].sort(byName),
    filters: [...operations.values()].filter(isList).map(filtersOf).sort(byName),
    event_data: eventData,
  }
}

const byName = (one: RecordType, other: RecordType) => (one.name < other.name ? -1 : 1)

/** Collect the models of answers, and give each nested object a name. */
class Models {
  readonly records = new Map<string, RecordType>()
  readonly #schemas: OpenApi['schemas']

  constructor(schemas: OpenApi['schemas']) {
    this.#schemas = schemas
  }

  addAnswer(operation: Operation): void {
    const schema = answerOf(operation)
    if (!schema) return
    const { data, results } = schema.properties ?? {}
    if (results) this.#typeOf('', 'results', results)
    else if (data) this.#addEnvelope(operation.operationId, data)
    else this.#typeOf('', operation.operationId, schema)
  }

  /** The data of a bill payment's answer: a model, a list of them, or an object with one of both. */
  #addEnvelope(operation: string, data: Schema): void {
    const [only, ...others] = Object.entries(data.properties ?? {})
    if (only && others.length === 0) this.#typeOf('', only[0], only[1])
    else this.#typeOf('', operation, data)
  }

  #typeOf(parent: string, name: string, schema: Schema): FieldType {
    if (schema.$ref) return this.#refer(schema.$ref)
    const [inner] = withoutNull(schema)
    if (inner) return this.#typeOf(parent, name, inner)
    const types = typesOf(schema)
    if (types.includes('array')) return { kind: 'list', item: this.#typeOf(parent, name, schema.items ?? {}) }
    if (schema.properties) return this.#addRecord(nameOf(parent, name), schema)
    return simpleType(name, schema)
  }

  #refer(reference: string): FieldType {
    const name = reference.split('/').at(-1)!
    return this.#addRecord(MODEL_NAMES[name] ?? name, this.#schemas[name]!)
  }

  #addRecord(name: string, schema: Schema): FieldType {
    if (!this.records.has(name)) {
      const description = MODEL_DESCRIPTIONS[name] ?? schema.description ?? ''
      const record: RecordType = { name, description, fields: [] }
      this.records.set(name, record)
      record.fields = fieldsOf(
        schema,
        (field, inner) => MODEL_FIELDS[`${name}.${field}`] ?? this.#typeOf(name, field, inner),
      )
    }
    return { kind: 'record', name }
  }
}

const nameOf = (parent: string, name: string) => MODEL_NAMES[`${parent}.${name}`] ?? parent + pascalCase(name)

function readInputs(operations: OpenApi['operations'], schemas: OpenApi['schemas']): RecordType[] {
  const inputs = new Map<string, RecordType>()
  for (const operation of operations.values()) {
    const body = bodyOf(operation)
    const name = body?.$ref?.split('/').at(-1) ?? pascalCase(operation.operationId)
    // Look-ups of bills take one to three texts, which are parameters of their calls.
    const is_lookup = name === pascalCase(operation.operationId) && !operation.operationId.startsWith('buy')
    if (!body || is_lookup) continue
    const schema = body.$ref ? schemas[name]! : body
    const fields = fieldsOf(schema, (field, inner) => INPUT_FIELDS[field] ?? simpleType(field, withoutText(inner))).map(
      (field) => ({ ...field, description: INPUT_DESCRIPTIONS[field.name] ?? field.description }),
    )
    inputs.set(name, { name, description: SHARED_INPUTS[name] ?? operation.summary ?? '', fields })
  }
  return [...inputs.values()]
}

/** An object or a list may also be sent as a JSON text: nothing for a client. */
function withoutText(schema: Schema): Schema {
  const [inner] = withoutNull(schema)
  if (inner) return withoutText(inner)
  const types = typesOf(schema)
  const is_more = types.includes('array') || types.includes('object')
  return is_more ? { ...schema, type: types.filter((type) => type !== 'string') } : schema
}

const isList = (operation: Operation) => answerOf(operation)?.properties?.results !== undefined

/** The filters of a list; `listPayments` has `PaymentsFilters`. */
function filtersOf({ operationId, parameters = [] }: Operation): RecordType {
  const name = `${operationId.replace(/^(list|sum)/, '')}Filters`
  const fields = parameters
    .filter(({ in: place, name }) => place === 'query' && !LEFT_OUT.includes(name))
    .map(({ name, schema, required = false, description }): Field => {
      const is_time = /_(after|before)$/.test(name) || /^(start|end)_date$/.test(name)
      const type: FieldType = is_time ? { kind: 'time' } : simpleType(name, schema)
      return { name, type, is_required: required, is_nullable: false, description }
    })
  return { name, description: 'Filters match exactly, and all of them.', fields }
}

function fieldsOf(schema: Schema, typeOf: (name: string, schema: Schema) => FieldType): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, inner]) => ({
    name,
    type: typeOf(name, inner),
    is_required: schema.required?.includes(name) ?? false,
    is_nullable: isNullable(inner),
    description: inner.description,
  }))
}

function simpleType(name: string, schema: Schema): FieldType {
  if (schema.$ref) return { kind: 'object' }
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.includes('array')) return { kind: 'list', item: simpleType(name, schema.items ?? {}) }
  if (schema.format === 'date-time') return { kind: 'time' }
  if (isAmount(name, types)) return { kind: 'money' }
  if (schema.enum) return { kind: 'choice', values: schema.enum }
  const [type] = types
  if (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean' || type === 'object')
    return { kind: type }
  return { kind: 'any' }
}

const isAmount = (name: string, types: string[]) =>
  (MONEY_FIELDS.has(name) || AMOUNT.test(name)) && types.every((type) => type === 'string' || type === 'number')

/** The one schema beside null, if a schema is a choice of both. Other choices are of any type. */
function withoutNull(schema: Schema): Schema[] {
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return others.length === 1 ? others : []
}

const isNullable = (schema: Schema) =>
  typesOf(schema).includes('null') || (schema.anyOf ?? []).some(({ type }) => type === 'null')

const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat()
