import { describe, expect, it } from 'vitest'
import { parseJsonBodyWithFile } from '../../src/http/bodies.ts'
import { TooLarge } from '../../src/http/errors.ts'

describe('a JSON body beyond 1 MB', () => {
  const bytes = Buffer.alloc(1_200_000, 'receipt')
  const send = (text: string) => parseJsonBodyWithFile(Buffer.from(text), { 'content-type': 'application/json' })
  const base64 = bytes.toString('base64')

  it('has one long text, a file in base64, at any place of its first two levels', () => {
    const { name, content } = send(`{"name":"a.csv","content":"${base64}"}`)
    expect([name, bytes.equals(content as Buffer)]).toEqual(['a.csv', true])
    const { file, sheet } = send(`{"file":{"content":"${base64}","name":"\\u00e9.csv"},"sheet":null}`)
    const { content: nested, ...others } = file as { content: Buffer }
    expect([others, sheet, bytes.equals(nested)]).toEqual([{ name: 'é.csv' }, null, true])
  })

  it('is refused if the long text is no base64, is a name, or is missing', () => {
    for (const text of [`${base64}!`, ` ${base64}`, base64.slice(1), 'a'.repeat(1_200_001)])
      expect(() => send(`{"content":"${text}"}`)).toThrow('must be a file in base64')
    expect(send(`{"${base64}":1}`)).not.toHaveProperty('content')
    expect(() => send(`{"a":"b",${' '.repeat(1_200_000)}"c":1}`)).toThrow('must be a file in base64')
  })

  it('is too large where more than one text is long, or the rest is', () => {
    for (const rest of [`"more":"${base64}"`, `"list":[${'1,'.repeat(600_000)}1]`, `"n":${'9'.repeat(1_100_000)}`])
      expect(() => send(`{"content":"${base64}",${rest}}`)).toThrow(TooLarge)
    expect(() => send(`{${'"":1,'.repeat(300_000)}"content":"${base64}"}`)).toThrow(TooLarge)
  })
})
