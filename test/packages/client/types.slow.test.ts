import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureTypes } from '../../../packages/client/scripts/generate.ts'
import { BILL_MONEY_FIELDS, parseJson } from '../../../packages/client/src/json.ts'
import { createSseParser } from '../../../packages/client/src/sse.ts'
import { VERSION } from '../../../packages/client/src/version.ts'

const PACKAGE = join(import.meta.dirname, '../../../packages/client')

describe('the package', () => {
  it('makes the types of openapi.json where they are missing or of another one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kusanya-types-'))
    try {
      const file = join(folder, 'openapi.ts')
      expect(ensureTypes(file)).toBe(true)
      const types = readFileSync(file, 'utf8')
      expect(types).toContain('export interface operations {')
      expect(ensureTypes(file)).toBe(false)
      writeFileSync(file, types.replace(/\([0-9a-f]{16}\)/, '(0123456789abcdef)'))
      expect(ensureTypes(file)).toBe(true)
      expect(readFileSync(file, 'utf8') === types).toBe(true)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('knows its version', () => {
    expect(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version).toBe(VERSION)
  })

  it('has no dependencies at run time', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
  })
})

describe('amounts in JSON', () => {
  it('keep all digits, and nothing else changes', () => {
    const text =
      '{"balance":12345678901234567.8900,"price" : -1e3,"amount":"5","id":7,"note":"\\"balance\\":1, x","list":[1]}'
    expect(parseJson(text, BILL_MONEY_FIELDS)).toEqual({
      balance: '12345678901234567.8900',
      price: '-1e3',
      amount: '5',
      id: 7,
      note: '"balance":1, x',
      list: [1],
    })
    expect(parseJson('{"amount":5}')).toEqual({ amount: 5 })
    expect(() => parseJson('{"amount":5', BILL_MONEY_FIELDS)).toThrow(SyntaxError)
  })
})

describe('the parser of streams', () => {
  const text = 'retry: 1000\nid: 1\n\n: heartbeat\n\nid: 2\nevent: x\ndata: {"a":\ndata: 1}\n\nid:3\ndata:é\n\n'
  const blocks = [
    { id: '1', data: undefined },
    { id: '2', data: '{"a":\n1}' },
    { id: '3', data: 'é' },
  ]

  it('takes pieces that end anywhere, and every end of lines', () => {
    for (const ending of ['\n', '\r\n', '\r']) {
      const whole = text.replaceAll('\n', ending) + (ending === '\r' ? ':' : '')
      for (let at = 0; at <= whole.length; at += 1) {
        const parse = createSseParser()
        expect([...parse(whole.slice(0, at)), ...parse(whole.slice(at))]).toEqual(blocks)
      }
    }
  })

  it('yields no part of an event that was cut off', () => {
    expect(createSseParser()('id: 4\ndata: {"a"')).toEqual([])
  })
})
