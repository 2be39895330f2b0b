import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { placeFile, settingsText } from '../../../../src/cli/commands/init/settings-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a file of an installation', () => {
  it('is written once, and overwritten only on request, with the earlier ones beside it', () => {
    const path = join(folder, 'deep', '.env')
    const place = (text: string, replace = false) => placeFile({ path, text, mode: 0o600 }, replace)
    expect([place('a'), place('a'), place('b'), place('b', true), place('c', true)]).toEqual([
      'written',
      'same',
      'kept',
      'replaced',
      'replaced',
    ])
    const texts = Object.fromEntries(
      readdirSync(join(folder, 'deep')).map((name) => [name, readFileSync(join(folder, 'deep', name), 'utf8')]),
    )
    expect(texts).toEqual({ '.env': 'c', '.env.old': 'a', '.env.old2': 'b' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})

describe('the text of settings', () => {
  it('is read again as it was given', () => {
    const values = {
      PLAIN: 'https://pay.example.com',
      HASH: 'postgres://u:a#b\\n@h/d',
      SPACE: 'Mama Grace',
      QUOTE: "it's",
    }
    const settings = Object.entries(values).map(([name, value]) => ({ name, value, comment: 'Why.' }))
    const text = settingsText('Settings', [...settings, { name: 'NONE', value: null, comment: 'Not there.' }])
    expect(parseEnv(text)).toEqual(values)
  })

  it('refuses values that such a file cannot hold', () => {
    const text = (value: string) => () => settingsText('Settings', [{ name: 'A', value, comment: '' }])
    expect(text("'and`")).toThrow('The value of A has characters')
    expect(text('two\nlines')).toThrow('The value of A has characters')
  })
})
