import { expect, it } from 'vitest'
import { addExamples, exampleOf } from '../../../src/http/openapi/examples.ts'
import { toText } from '../../../src/http/openapi/text.ts'
import type { Schema, Schemas } from '../../../src/http/openapi/types.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const text = (example: string): Schema => ({ type: 'string', examples: [example] })

function makeSchemas(): Schemas {
  return {
    Shop: {
      properties: {
        name: text('Demo Shop'),
        state: { enum: ['open', 'closed'] },
        owner: { anyOf: [ref('Person'), { type: 'null' }] },
        staff: { type: 'array', items: ref('Person') },
        closed: { anyOf: [{ type: 'string' }, { type: 'null' }], examples: [null] },
      },
    },
    Person: { properties: { name: text('Jane') } },
    NewShop: { required: ['name'], properties: { name: text('Demo Shop'), note: text('None') } },
  }
}
const JANE = { name: 'Jane' }
const SHOP = { name: 'Demo Shop', state: 'open', owner: null, staff: [JANE], closed: null }

it('makes an example of the examples of the parts', () => {
  expect(exampleOf(makeSchemas(), ref('Shop'))).toEqual(SHOP)
})

it('gives a body its required fields, and an object of an answer one example instead of those of its fields', () => {
  const schemas = makeSchemas()
  const answer = { content: { 'application/json': { schema: ref('Shop') } } }
  const operation = {
    requestBody: { content: { 'application/json': { schema: ref('NewShop') } } },
    responses: { 201: answer },
  }
  addExamples(schemas, [operation], [answer])
  expect(schemas.NewShop).toMatchObject({ examples: [{ name: 'Demo Shop' }], properties: { note: text('None') } })
  expect(schemas.Shop).toMatchObject({ examples: [SHOP], properties: { name: { type: 'string' } } })
  expect(schemas.Shop!.properties!.name).not.toHaveProperty('examples')
  // It stands in the example of the shop.
  expect(schemas.Person).toEqual({ properties: { name: { type: 'string' } } })
})

it('writes each schema in a line', () => {
  const document = { openapi: '3.1.0', components: { schemas: { Shop: { type: 'object', examples: [{ a: 1 }] } } } }
  expect(toText(document)).toBe(
    '{\n "openapi":"3.1.0",\n "components":{\n  "schemas":{\n   "Shop":{"type":"object","examples":[{"a":1}]}\n  }\n }\n}',
  )
  expect(JSON.parse(toText(document))).toEqual(document)
})
