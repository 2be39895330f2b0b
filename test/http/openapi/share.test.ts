import { describe, expect, it } from 'vitest'
import {
  extendPage,
  mergeNull,
  nameBodies,
  schemasBehind,
  shareAnswers,
  shareParameters,
} from '../../../src/http/openapi/share.ts'
import { shareFields } from '../../../src/http/openapi/share-fields.ts'
import type { Operation, Schema, Schemas } from '../../../src/http/openapi/types.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const answer = (schema: Schema) => ({ description: 'Success.', content: { 'application/json': { schema } } })
const limit = (description: string) => ({ name: 'page-limit', in: 'query', required: false, description })

describe('what operations share', () => {
  it('is the schema of a body in all its media types', () => {
    const schema: Schema = { type: 'object', properties: {} }
    const content = { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } }
    const schemas: Schemas = {}
    nameBodies([{ operationId: 'buyAirtime', requestBody: { content }, responses: {} }], schemas)
    expect(schemas).toEqual({ BuyAirtime: schema })
    expect(Object.values(content).map((media) => media.schema)).toEqual([ref('BuyAirtime'), ref('BuyAirtime')])
  })

  it('are equal parameters, of which the one that is used most has the name and others a number', () => {
    const operations: Operation[] = ['rows', 'items', 'items', 'items', 'rows'].map((unit) => ({
      parameters: [limit(`Number of ${unit}.`)],
      responses: {},
    }))
    const items = { name: 'page-limit', in: 'query', description: 'Number of items.' }
    const rows = { ...items, description: 'Number of rows.' }
    expect(shareParameters(operations)).toEqual({ PageLimit: items, PageLimit2: rows })
    expect(operations[1]!.parameters).toEqual([{ $ref: '#/components/parameters/PageLimit' }])
    expect(operations[0]!.parameters).toEqual([{ $ref: '#/components/parameters/PageLimit2' }])
  })

  it('are answers that several operations give', () => {
    const operations: Operation[] = ['Plan', 'Plan', 'Network'].map((name) => ({
      operationId: `get${name}`,
      responses: { 200: answer(ref(name)) },
    }))
    expect(shareAnswers(operations)).toEqual({ Plan: answer(ref('Plan')) })
    expect(operations.map(({ responses }) => responses['200'])).toEqual([
      { $ref: '#/components/responses/Plan' },
      { $ref: '#/components/responses/Plan' },
      answer(ref('Network')),
    ])
  })

  it('are answers with one body and several meanings, by their status', () => {
    const accepted = { ...answer(ref('Plan')), description: 'Accepted.' }
    const operations = ['getPlan', 'stopPlan'].map(
      (operationId): Operation => ({ operationId, responses: { 200: answer(ref('Plan')), 202: { ...accepted } } }),
    )
    expect(shareAnswers(operations)).toEqual({ Plan: answer(ref('Plan')), Plan202: accepted })
    expect(operations[1]!.responses['202']).toEqual({ $ref: '#/components/responses/Plan202' })
  })

  it('are fields with the same words, but no objects, amounts and short ones', () => {
    const description = 'Reason in your own words, kept on record and shown to the customer.'
    const reason = (): Schema => ({ type: 'string', maxLength: 200, description })
    const amount = (): Schema => ({ ...reason(), type: ['string', 'number'] })
    const place = (): Schema => ({ ...reason(), type: 'object', properties: {} })
    const make = (reason_of: Schema, old_reason: Schema): Schema => ({
      properties: {
        void_reason: reason_of,
        old_reason: { anyOf: [old_reason, { type: 'null' }] },
        amount: amount(),
        place: place(),
        note: { type: 'string' },
      },
    })
    const schemas: Schemas = { InvoiceVoid: make(reason(), amount()), Refund: make(reason(), reason()) }
    shareFields(schemas, Object.keys(schemas))
    const shared = ref('VoidReason')
    expect(schemas).toEqual({
      InvoiceVoid: make(shared, amount()),
      Refund: make(shared, shared),
      VoidReason: reason(),
    })
  })

  it('is what every page of a list has', () => {
    const results: Schema = { type: 'array', items: ref('Plan') }
    const page = answer({ type: 'object', properties: { count: {}, next: {}, previous: {}, results } })
    extendPage({ responses: { 200: page } })
    expect(page.content['application/json'].schema).toEqual({
      allOf: [ref('Page'), { required: ['results'], properties: { results } }],
    })
    const other = answer({ type: 'object', properties: { results } })
    extendPage({ responses: { 200: other } })
    expect(other).toEqual(answer({ type: 'object', properties: { results } }))
  })
})

it('finds the schemas that a part refers to, also through others', () => {
  const schemas = { Plan: { properties: { contact: ref('Contact') } }, Contact: ref('Plan'), Unused: {} }
  expect(schemasBehind(schemas, answer(ref('Plan')))).toEqual(new Set(['Plan', 'Contact']))
})

it('writes a plain type that may be null as a list of types', () => {
  const nothing = { type: 'null' }
  const choice = { anyOf: [{ type: 'string' }, nothing], description: 'A name.' }
  const reference = { anyOf: [ref('Plan'), nothing] }
  expect(mergeNull({ choice, reference })).toEqual({
    choice: { type: ['string', 'null'], description: 'A name.' },
    reference,
  })
})
