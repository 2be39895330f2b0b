/** The type of a field, in terms that every language has. */
export type FieldType =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'object' }
  /** An amount of money: never a float. */
  | { kind: 'money' }
  /** A point in time, ISO 8601 on the wire. */
  | { kind: 'time' }
  /** The object that an event is about: a model that the type of the event names. */
  | { kind: 'event_data' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'list'; item: FieldType }
  | { kind: 'record'; name: string }

export interface Field {
  name: string
  type: FieldType
  is_required: boolean
  is_nullable: boolean
  description?: string
}

/** Type with named fields: an object of the interface, its input, or the filters of a list. */
export interface RecordType {
  name: string
  description: string
  fields: Field[]
}

/** All types of a client. */
export interface Types {
  /** Types of answers. */
  models: RecordType[]
  /** Types of inputs. */
  inputs: RecordType[]
  filters: RecordType[]
  /** The model that the data of an event is, by the type of the event. */
  event_data: readonly (readonly [string, string])[]
}

/** Make `buyAirtime` and `data` into `BuyAirtime` and `Data`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Return the possible values of an answer's field as a sentence, if it has a list of them. */
export function knownValues({ type, description = '' }: Field): string {
  if (type.kind !== 'choice') return ''
  const values = `One of ${type.values.join(', ')}`
  return /new values may be added/i.test(description) ? `${values}.` : `${values}; new values may be added.`
}
