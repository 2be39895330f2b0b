import {
  type Answer,
  type Operation,
  type Parameter,
  pascalCase,
  type Schema,
  type Schemas,
  schemaRef,
  sortKeys,
} from './types.ts'

/** Names the schema of each body. JSON and forms refer to the same one. */
export function nameBodies(operations: readonly Operation[], schemas: Schemas): void {
  for (const { operationId, requestBody } of operations) {
    const schema = requestBody?.content['application/json']?.schema
    if (!requestBody || !schema || schema.$ref) continue
    const name = pascalCase(operationId!)
    schemas[name] = schema
    for (const media of Object.values(requestBody.content)) media.schema = { $ref: schemaRef(name) }
  }
}

/** Lets a page of a list be a `Page` with its items. */
export function extendPage({ responses }: Operation): void {
  const media = responses['200']?.content?.['application/json']
  const { count, next, previous, results, ...others } = media?.schema?.properties ?? {}
  if (!media || !count || !next || !previous || !results || Object.keys(others).length > 0) return
  const items = { required: ['results'], properties: { results } }
  media.schema = { allOf: [{ $ref: schemaRef('Page') }, items] }
}

/** Lets operations refer to parameters that several of them have, and returns these by name. */
export function shareParameters(operations: readonly Operation[]): Record<string, Parameter> {
  for (const { parameters = [] } of operations)
    for (const parameter of parameters) if (parameter.required === false) delete parameter.required
  const uses = Map.groupBy(
    operations.flatMap(({ parameters = [] }) => parameters),
    (one) => JSON.stringify(one),
  )
  const common = [...uses.values()].filter((same) => same.length > 1).sort((a, b) => b.length - a.length)
  const shared: Record<string, Parameter> = {}
  const names = new Map<string, string>()
  for (const [parameter] of common) {
    const same_name = common
      .filter(([other]) => other!.name === parameter!.name)
      .findIndex(([one]) => one === parameter)
    // The number tells it from parameters of this name that are used more often.
    const name = `${pascalCase(parameter!.name)}${same_name > 0 ? same_name + 1 : ''}`
    shared[name] = parameter!
    names.set(JSON.stringify(parameter), name)
  }
  for (const operation of operations)
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = names.get(JSON.stringify(parameter))
      return name ? ({ $ref: `#/components/parameters/${name}` } as unknown as Parameter) : parameter
    })
  return sortKeys(shared)
}

/** Names of answers that have no named schema, by an operation that gives them. */
const ANSWERS: Readonly<Record<string, string>> = {
  listBillProviders: 'BillProviders',
  listBillServices: 'BillServices',
  buyAirtime: 'BillPurchase',
  findName: 'BillAccountHolder',
  listBouquets: 'Bouquets',
  listExamProducts: 'ExamProducts',
}

/** Lets operations refer to the answers that several of them give, and returns these by name. */
export function shareAnswers(operations: readonly Operation[]): Record<string, Answer> {
  const successes = operations.flatMap(({ operationId, responses }) =>
    SUCCESSES.flatMap((status) => {
      const answer = responses[status]
      return answer ? [{ operationId, responses, status, text: JSON.stringify(answer), answer }] : []
    }),
  )
  const shared: Record<string, Answer> = {}
  for (const same of Map.groupBy(successes, ({ text }) => text).values()) {
    const plain = same.map(({ operationId }) => ANSWERS[operationId!]).find(Boolean) ?? nameOfAnswer(same[0]!.answer)
    if (same.length === 1 || !plain) continue
    // The status tells it from an answer with the same body that more operations give.
    const name = shared[plain] ? `${plain}${same[0]!.status}` : plain
    shared[name] = same[0]!.answer
    for (const { responses, status } of same) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return sortKeys(shared)
}

const SUCCESSES = ['200', '201', '202'] as const

/** The name of the schema, if the answer is one named object in JSON only. */
function nameOfAnswer({ content = {} }: Answer): string | undefined {
  const [media, ...others] = Object.values(content)
  return others.length === 0 ? media?.schema?.$ref?.split('/').at(-1) : undefined
}

/** Returns the names of the schemas that a part of the document refers to, directly or through others. */
export function schemasBehind(schemas: Schemas, part: unknown): Set<string> {
  const found = new Set<string>()
  const visit = (one: unknown): void => {
    for (const [, name] of (JSON.stringify(one) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue
      found.add(name!)
      visit(schemas[name!])
    }
  }
  visit(part)
  return found
}

/** Writes a plain type that may be null as `"type": ["string", "null"]`, which is shorter than a choice of two schemas. */
export function mergeNull<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part), (_, value) => {
    if (!Array.isArray(value?.anyOf) || value.anyOf.length !== 2) return value
    const [plain, none] = value.anyOf as Schema[]
    if (!plain || Object.keys(plain).join() !== 'type' || none?.type !== 'null') return value
    const { anyOf: _anyOf, ...rest } = value
    return { type: [plain.type, 'null'], ...rest }
  })
}
