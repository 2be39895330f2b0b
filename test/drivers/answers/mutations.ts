/** Replacement for a member. `ABSENT` leaves it out. */
interface Mutation {
  what: string
  /** JSON, so that a number keeps all of its digits. */
  json: string
}

export const ABSENT = 'absent'

/** Above 2^53, so that a double would change it. */
const LARGE = '9007199254740993'

/** Texts and numbers. */
export const PLAIN_VALUES = ['0', '-1', LARGE, '1e308', '""', '" "', '"~"', `"${LARGE}"`, '"constructor"']

const MUTATIONS: readonly Mutation[] = [
  { what: ABSENT, json: '' },
  ...[...PLAIN_VALUES, 'null', 'true', 'false', '{}', '{"code":5001,"toString":1}', '[]', '[null]', '["~"]'].map(
    (json) => ({
      what: json,
      json,
    }),
  ),
]

/** A body with one other member. */
export interface MutatedBody {
  /** The path of the member, such as `data.0.id`, and what stands there. */
  path: string
  what: string
  /** Its text, if it is a plain value. */
  said: string
  /** The body as it is sent. */
  text: string
}

/** All bodies that differ from this one in one member, wherever it is nested. */
export function mutatedBodies(body: unknown, write: (body: unknown) => string): MutatedBody[] {
  return pathsOf(body).flatMap((path) =>
    MUTATIONS.map(({ what, json }) => {
      const text = write(withValue(body, path, what === ABSENT ? undefined : MARK))
      return { path: path.join('.'), what, said: json.replaceAll('"', ''), text: text.replace(MARKED, () => json) }
    }),
  )
}

/** The bodies in which a mark stands for one member that has no others in it. */
export function markedBodies(body: unknown): { path: string; text: string }[] {
  return pathsOf(body)
    .filter((path) => isPlain(memberAt(body, path)))
    .map((path) => ({ path: path.join('.'), text: JSON.stringify(withValue(body, path, MARK)) }))
}

/** The forms in which a mark stands for one field. */
export function markedForms(body: unknown): { path: string; text: string }[] {
  const fields = body as Record<string, unknown>
  return Object.keys(fields).map((path) => ({ path, text: writeForm({ ...fields, [path]: MARKED }) }))
}

function memberAt(body: unknown, path: Path): unknown {
  return path.reduce((value, name) => (value as Record<string, unknown>)[name], body)
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null

/** Write a JSON text. Numbers above 2^53 cannot be written by `JSON.stringify`, so a mark stands for each value. */
const MARK = 'the mark of a mutated member'
export const MARKED = `"${MARK}"`

/** Write fields as a form. A member that is no text is written as JSON. */
export function writeForm(body: unknown): string {
  const fields = Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return new URLSearchParams(Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))).toString()
}

/** The bodies of a form that differ in one field. */
export function mutatedForms(body: unknown): MutatedBody[] {
  const fields = body as Record<string, unknown>
  return Object.keys(fields).flatMap((path) =>
    MUTATIONS.map(({ what, json }) => {
      const said = json.replaceAll('"', '')
      return { path, what, said, text: writeForm({ ...fields, [path]: what === ABSENT ? undefined : said }) }
    }),
  )
}

type Path = readonly string[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path]
  if (typeof value !== 'object' || value === null) return own
  return [...own, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))]
}

/** The body with this value at the path. An absent member of a list leaves a shorter list. */
function withValue(whole: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(whole))
    return whole.flatMap((one, index) => {
      if (String(index) !== name) return [one]
      const inner = withValue(one, rest, value)
      return inner === undefined ? [] : [inner]
    })
  const members = whole as Record<string, unknown>
  return { ...members, [name]: withValue(members[name], rest, value) }
}
