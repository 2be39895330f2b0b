import { Argument, type Command, Option } from 'commander'
import type { Reader as Database } from '../db/client.ts'
import { completePhone, toTypedPhone } from './typed-phones.ts'

/** Read the text that a person types. @param earlier what the words before it became, where several may be given */
// biome-ignore lint/suspicious/noExplicitAny: earlier values have the type of this one
type Reader<Value> = (text: string, earlier?: any) => Value

/** Argument or option of a command: its words, and how it is read. `Value` is the type that the command gets. */
export interface Typed<Value = unknown> {
  flags: string
  text: string
  reader?: Reader<unknown> | undefined
  choices?: readonly string[] | undefined
  /** Value unless a person gives another, and its words in the help. */
  preset?: readonly [value: unknown, words?: string] | undefined
  is_required?: boolean
  /** Of no value: it carries the type. */
  of?(): Value
}

/** Type of the value of some flags: one without `<…>` is true or missing. */
type ValueOf<Flags, Value> = Flags extends `<${string}`
  ? Value
  : Flags extends `[${string}` | `${string}<${string}`
    ? Value | undefined
    : Flags extends `${string}[${string}`
      ? Value | true | undefined
      : Flags extends `--no-${string}`
        ? boolean
        : true | undefined

type Text<Flags> = Flags extends `${string}...${string}` ? string[] : string

/** Declare an argument (`<id>`, `[id...]`) or an option (`--reason <text>`, `--yes`). Without a reader it is a text. */
export function typed<const Flags extends string, Value = Text<Flags>>(
  flags: Flags,
  text: string,
  reader?: Reader<Value>,
): Typed<ValueOf<Flags, Value>> {
  return { flags, text, reader }
}

/** Declare an argument or an option with some choices. */
export function chosen<const Flags extends string, const Choice extends string>(
  flags: Flags,
  text: string,
  choices: readonly Choice[],
): Typed<ValueOf<Flags, Choice>> {
  return { flags, text, choices }
}

/** Make an option one that a person must give. */
export function required<Value>(one: Typed<Value>): Typed<Exclude<Value, undefined>> {
  return { ...(one as Typed<Exclude<Value, undefined>>), is_required: true }
}

/** Give an option a value for people who give none. @param words the value in the help */
export function preset<Value>(
  one: Typed<Value>,
  value: NoInfer<Exclude<Value, undefined>>,
  words?: string,
): Typed<Exclude<Value, undefined>> {
  return { ...(one as Typed<Exclude<Value, undefined>>), preset: [value, words] }
}

/** Everything that a person types, by the names that the command uses. */
// biome-ignore lint/suspicious/noExplicitAny: values of any type
export type Inputs = Readonly<Record<string, Typed<any>>>
export type Given<Words extends Inputs> = {
  [Name in keyof Words]: Words[Name] extends Typed<infer Value> ? Value : never
}

/** Add an argument or an option, and return the function that reads its value. */
function addTyped(command: Command, { flags, text, reader, choices, preset, is_required }: Typed): () => unknown {
  const of = <One extends Argument | Option>(one: One): One => {
    if (choices) one.choices(choices)
    else if (reader) one.argParser(reader)
    if (preset) one.default(...preset)
    return one
  }
  if (!flags.startsWith('-')) {
    const index = command.registeredArguments.length
    command.addArgument(of(new Argument(flags, text)))
    return () => command.processedArgs[index]
  }
  const option = of(new Option(flags, text))
  if (is_required) option.makeOptionMandatory()
  command.addOption(option)
  return () => command.opts()[option.attributeName()]
}

/** Add all that a person types, and return the function that reads it. */
export function addInputs<Words extends Inputs>(command: Command, words: Words): () => Given<Words> {
  const readings = Object.entries(words).map(([name, one]) => [name, addTyped(command, one)] as const)
  return () => Object.fromEntries(readings.map(([name, read]) => [name, read()])) as Given<Words>
}

/** Complete phone numbers without country code. @param organization whose country counts; unless given, the shared one */
export async function completeInputs<Words extends Inputs>(
  db: Database,
  words: Words | undefined,
  given: Given<Words>,
  organization: number | undefined,
): Promise<Given<Words>> {
  const values = Object.entries(given).map(async ([name, value]) => {
    const is_phone = words?.[name]?.reader === toTypedPhone && typeof value === 'string'
    return [name, is_phone ? await completePhone(db, value, organization) : value]
  })
  return Object.fromEntries(await Promise.all(values))
}
