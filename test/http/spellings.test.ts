import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../src/core/refusals.ts'
import { CORE_ALIASES, unifySpellings, withSentNames } from '../../src/http/spellings.ts'

const ALIASES = { ...CORE_ALIASES, agentRefernce: 'agentReference' }

/** The fields with their one name, and the names that errors about `metadata` and `agentReference` get. */
function unify(fields: Record<string, unknown>) {
  const request = { sent_names: null } as FastifyRequest
  const unified = unifySpellings(request, fields, ALIASES)
  const answer = {
    status: 400,
    headers: {},
    detail: '',
    fields: { metadata: ['Wrong.'], agentReference: ['Wrong.'], amount: ['Wrong.'] },
  }
  return { unified, names: Object.keys(withSentNames(answer, request).fields) }
}

describe('fields with several names', () => {
  it('get the one name of the program, and errors have the name that was sent', () => {
    expect(unify({ 'the service': { a: 1 }, agentRefernce: 'x', amount: 1 })).toEqual({
      unified: { metadata: { a: 1 }, agentReference: 'x', amount: 1 },
      names: ['the service', 'agentRefernce', 'amount'],
    })
    expect(unify({ metadata: {}, agentReference: 'x' })).toEqual({
      unified: { metadata: {}, agentReference: 'x' },
      names: ['metadata', 'agentReference', 'amount'],
    })
  })

  it.each([undefined, null, ''])('count as not given when they are %j', (empty) => {
    expect(unify({ metadata: empty, 'the service': { a: 1 } })).toMatchObject({
      unified: { metadata: { a: 1 } },
      names: ['the service', 'agentReference', 'amount'],
    })
    expect(unify({ metadata: { a: 1 }, 'the service': empty })).toMatchObject({
      unified: { metadata: { a: 1 } },
      names: ['metadata', 'agentReference', 'amount'],
    })
  })

  it.each([
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{ a: 1 }, '{"a": 1}'],
    ["{'a': 1}", '{"a":1}'],
    [7, '7'],
    [{ toString: 1 }, { toString: 1 }],
  ])('may be given twice with the same content: %j and %j', (one, other) => {
    expect(unify({ metadata: one, 'the service': other }).unified).toEqual({ metadata: one })
  })

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{ toString: 1 }, { valueOf: 1 }],
    ['1.0', 1],
    [true, 'false'],
  ])('are refused with different contents: %j and %j', (one, other) => {
    expect(() => unify({ agentReference: one, agentRefernce: other })).toThrow(
      new Invalid({ agentReference: ['agentReference and agentRefernce are both given, and differ.'] }),
    )
  })
})
