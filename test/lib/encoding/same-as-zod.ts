import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { z } from 'zod'
import { compileEncoder, encode, NOT_ENCODED } from '../../../src/lib/encoding/encode.ts'

/**
 * Expect that `encode` returns or throws what `z.encode` does, and that it does not need zod for what it returns.
 * @returns whether the value has a wire form
 */
export function expectSameAsZod(schema: z.ZodType, value: unknown): boolean {
  const expected = outcomeOf(() => z.encode(schema, value))
  const actual = outcomeOf(() => encode(schema, value))
  expect(actual).toEqual(expected)
  if (!('wire' in expected && 'wire' in actual)) return false
  // It tells a missing key from one that is undefined.
  expect(isDeepStrictEqual(actual.wire, expected.wire)).toBe(true)
  expect(jsonOf(actual.wire)).toBe(jsonOf(expected.wire))
  expect(compileEncoder(schema)(value)).not.toBe(NOT_ENCODED)
  return true
}

function outcomeOf(work: () => unknown) {
  try {
    return { wire: work() }
  } catch (error) {
    const { name, message } = error as Error
    return { name, message, issues: error instanceof z.ZodError ? error.issues : undefined }
  }
}

/** The JSON, where keys have their order. A value of a caller may have none. */
function jsonOf(wire: unknown): string | undefined {
  try {
    return JSON.stringify(wire)
  } catch (error) {
    return (error as Error).message
  }
}
