import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openShell } from '../../shell.ts'

/*
 * test/docs/tutorial.slow.test.ts tests that the written files compile and become a driver.
 */

const ROOT = join(import.meta.dirname, '../../../..')
const LISTS = ['src/networks/index.ts', 'src/simulator/doors/index.ts']
const kusanya = openShell({})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-scaffold-'))
  for (const path of ['package.json', 'biome.json', 'test/networks/conformance/index.ts', ...LISTS])
    cpSync(join(ROOT, path), join(folder, path))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const files = () =>
  Object.fromEntries(
    globSync('{src,test,docs}/**/*.{ts,md}', { cwd: folder }).map((path) => [
      path,
      readFileSync(join(folder, path), 'utf8'),
    ]),
  )
const scaffold = (...args: string[]) => kusanya(['networks', 'scaffold', ...args], { folder })

describe('networks scaffold', () => {
  it('writes a driver, its door, tests and page, and adds it to the lists', async () => {
    const before = files()
    const { code, out, err } = await scaffold('plum-money', '--country', 'ke', '--currency', 'kes', '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const result = JSON.parse(out)
    const after = files()
    expect(
      Object.keys(after)
        .filter((path) => !(path in before))
        .sort(),
    ).toEqual([...result.created].sort())
    expect(result).toMatchObject({ written: true, changed: LISTS })
    expect(after[LISTS[0]!]).toContain("import { plumMoneyNetwork } from './plum-money/index.ts'\n")
    expect(after[LISTS[0]!]).toMatch(/\[\s*\w+,[\s\S]*\bplumMoneyNetwork,\s+sandbox,?\s*\]/)
    expect(after[LISTS[1]!]).toMatch(/createPlumMoneyDoor\(\),?\s*\]/)
    const driver = after['src/networks/plum-money/index.ts']!
    expect(driver).toContain("name: 'Plum Money'")
    expect(driver).toMatch(/country: 'KE',\s+currency: 'KES'/)
    expect(driver).toContain('limits: { decimals: 2,')
    expect(driver).toContain(String.raw`phones: /^\+254\d`)
  })

  it('assumes the most careful traits', async () => {
    await scaffold('plum-money')
    const driver = files()['src/networks/plum-money/index.ts']!
    for (const trait of ["repeat: 'charges-again'", "unseen: 'never-certain'", "callbacks: 'unsigned'"])
      expect(driver).toContain(trait)
  })

  it('leaves to-dos that say what to find, and no placeholder', async () => {
    const { out } = await scaffold('plum-money', '--json')
    const { created, to_dos } = JSON.parse(out) as { created: string[]; to_dos: number }
    const text = created.map((path) => files()[path]).join('\n')
    expect(text.match(/\bTo do: \S/g)?.length).toBe(to_dos)
    expect(to_dos).toBeGreaterThan(30)
    expect(text).not.toMatch(/\{\{|\}\}/)
    for (const topic of [
      'base URL',
      'token',
      'status word',
      'code of a failure',
      'second call',
      'callback',
      'smallest',
    ])
      expect(text).toMatch(new RegExp(`To do: [^\\n]*${topic}`))
  })

  it('writes nothing with --dry-run, and says what it would write', async () => {
    const before = files()
    const { code, out } = await scaffold('plum-money', '--dry-run')
    expect(code).toBe(0)
    expect(out).toContain('  src/networks/plum-money/index.ts')
    expect(files()).toEqual(before)
  })

  it('can be repeated for other networks, even with names that are words of the language', async () => {
    for (const name of ['new', 'charge', 'a-very-long-name-of-a-network']) expect((await scaffold(name)).code).toBe(0)
    expect(files()[LISTS[0]!]).toMatch(
      /newNetwork,\s+chargeNetwork,\s+aVeryLongNameOfANetworkNetwork,\s+sandbox,?\s*\]/,
    )
  })

  it.each([
    [['Plum'], 'lower-case letters'],
    [['plum_money'], 'lower-case letters'],
    [['../plum'], 'lower-case letters'],
    [['plum--money'], 'lower-case letters'],
    [['my-mpesa'], 'some networks refuse addresses with mpesa'],
    [['simulator'], 'belongs to the simulator'],
    [['plum', '--name', "Plum's"], 'It must have 1 to 60 letters'],
    [['plum', '--country', 'ZZ'], 'a country of ISO 3166-1'],
    [['plum', '--currency', 'PLUM'], 'a currency of ISO 4217'],
  ])('refuses %j and leaves nothing behind', async (args, message) => {
    const before = files()
    const { code, err } = await scaffold(...args)
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(files()).toEqual(before)
  })

  it('refuses a network that there is, in part or as a whole', async () => {
    expect((await scaffold('plum-money')).code).toBe(0)
    const before = files()
    const again = await scaffold('plum-money')
    expect(again.code).toBe(1)
    expect(again.err).toContain('There is already src/networks/plum-money,')
    mkdirSync(join(folder, 'src/networks'), { recursive: true })
    writeFileSync(join(folder, 'src/networks/pear.ts'), 'export {}\n')
    expect((await scaffold('pear')).err).toContain('There is already src/networks/pear.ts.')
    rmSync(join(folder, 'src/networks/pear.ts'))
    expect(files()).toEqual(before)
  })

  it('leaves everything as it was when the files cannot be formatted', async () => {
    writeFileSync(join(folder, 'biome.json'), '{ this is no configuration')
    const before = files()
    const { code, err } = await scaffold('plum-money')
    expect(code).toBe(1)
    expect(err).toContain('everything is as it was')
    expect(files()).toEqual(before)
    expect(existsSync(join(folder, 'src/networks/plum-money'))).toBe(false)
  })

  it('refuses a list of another form', async () => {
    writeFileSync(join(folder, LISTS[0]!), 'export const networkDrivers = makeDrivers()\n')
    const before = files()
    expect((await scaffold('plum-money')).err).toContain('The list in src/networks/index.ts has another form')
    expect(files()).toEqual(before)
  })

  it('works in the root of the repository only', async () => {
    const { code, err } = await kusanya(['networks', 'scaffold', 'plum-money'], { folder: join(folder, 'src') })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('in the root of a clone of the repository') })
  })
})
