import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashConsole } from '../../scripts/built-pages.ts'
import {
  findLicenceFaults,
  findLooseVersions,
  findOriginFaults,
  isAllowed,
  type LockedPackage,
  readLockfile,
} from '../../scripts/lockfile.ts'
import { makeSbom } from '../../scripts/sbom.ts'
import { buildConsole, buildSite } from '../web/machine-lock.ts'

const sound: LockedPackage = {
  path: 'node_modules/pg',
  name: 'pg',
  version: '8.0.0',
  license: 'MIT',
  integrity: 'sha512-abc',
  resolved: undefined,
  dev: false,
  optional: false,
}
const rules = { allowed: ['MIT', 'ISC'], exceptions: [] }

describe('the check of the dependencies', () => {
  it('finds packages without a digest, and from elsewhere', () => {
    expect(findOriginFaults([sound, { ...sound, resolved: 'https://registry.npmjs.org/pg/-/pg-8.0.0.tgz' }])).toEqual(
      [],
    )
    const bad = [
      { ...sound, integrity: undefined },
      { ...sound, integrity: 'sha1-abc' },
      { ...sound, resolved: 'git+ssh://git@example.com/pg.git' },
      { ...sound, integrity: undefined, dev: true },
    ]
    expect(findOriginFaults(bad)).toHaveLength(bad.length)
  })

  it('finds licences that are not allowed, and exceptions that are no longer needed', () => {
    expect(findLicenceFaults([sound, { ...sound, license: 'GPL-3.0', dev: true }], rules)).toEqual([])
    expect(findLicenceFaults([{ ...sound, license: 'GPL-3.0' }], rules)).toEqual([
      'node_modules/pg has the licence GPL-3.0, which scripts/licences.json does not allow.',
    ])
    expect(findLicenceFaults([{ ...sound, license: null }], rules)).toHaveLength(1)
    const exceptions = [{ package: 'p*', licence: 'GPL-3.0', reason: 'none' }]
    expect(findLicenceFaults([{ ...sound, license: 'GPL-3.0' }], { ...rules, exceptions })).toEqual([])
    expect(findLicenceFaults([sound], { ...rules, exceptions })).toEqual([
      'No package needs the exception for p* in scripts/licences.json.',
    ])
  })

  it.each([
    ['MIT', true],
    ['GPL-3.0', false],
    ['MIT OR GPL-3.0', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND GPL-3.0', false],
    ['MIT AND (ISC OR GPL-3.0)', true],
    ['(MIT AND GPL-3.0) OR ISC', true],
    ['(MIT AND GPL-3.0)', false],
  ])('reads the licence %s', (expression, allowed) => {
    expect(isAllowed(expression, rules.allowed)).toBe(allowed)
  })

  it('passes for this project', () => {
    expect(findLooseVersions()).toEqual([])
    expect(execFileSync(process.execPath, ['scripts/check-supply.ts'], { encoding: 'utf8' })).toContain(
      'as they should be',
    )
  })
})

describe('the bill of materials', () => {
  it('names every production dependency with its digest, the same each time', () => {
    const sbom = makeSbom()
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
    expect(sbom.metadata.component).toMatchObject({ name: 'kusanya', type: 'application' })
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const named = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`))
    const missing = readLockfile().filter(({ dev, name, version }) => !dev && !named.has(`${name}@${version}`))
    expect(missing).toEqual([])
    expect(sbom.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([])
    expect(makeSbom()).toEqual(sbom)
  })

  it('names what the built pages of the console contain, and not what builds them', () => {
    const names = makeSbom().components.map(({ name }) => name)
    // recharts is a peer of the charts, and scheduler a dependency of react-dom.
    expect(names).toEqual(expect.arrayContaining(['react', '@mantine/core', 'recharts', 'scheduler']))
    for (const name of ['vite', '@vitejs/plugin-react', 'vitest', 'typescript']) expect(names).not.toContain(name)
  })
})

it('a release is the source with the lockfile and the built pages, the packages, a bill of materials, and their checksums', {
  timeout: 600_000,
}, async () => {
  // The release packs the pages that the browser tests use. Whoever comes first builds them.
  await Promise.all([buildConsole(), buildSite()])
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-release-'))
  try {
    // A tree of its own: the tree of a developer may have changes, of which no release is made.
    const tree = join(folder, 'tree')
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${process.cwd()}`, tree])
    const script = join(process.cwd(), 'scripts/release-pack.ts')
    execFileSync(process.execPath, [script, join(folder, 'out')], { cwd: tree })
    const sums = readFileSync(join(folder, 'out/SHA256SUMS'), 'utf8').trim().split('\n')
    const version = JSON.parse(readFileSync('package.json', 'utf8')).version
    expect(sums.map((line) => line.split('  ')[1])).toEqual([
      `kusanya-${version}.tar.gz`,
      `kusanya-${version}.tgz`,
      `kusanya-client-${version}.tgz`,
      `kusanya-client-python-${version}.tar.gz`,
      `kusanya-client-php-${version}.tar.gz`,
      `kusanya-${version}.cdx.json`,
    ])
    for (const line of sums) {
      const [digest, file] = line.split('  ') as [string, string]
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, 'out', file)))
          .digest('hex'),
      ).toBe(digest)
    }
    const tarball = join(folder, 'out', sums[0]!.split('  ')[1]!)
    const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    expect(list).toMatch(/^kusanya-[\d.]+\/package-lock\.json$/m)
    for (const file of [
      'index.html',
      'operating/install.html.br',
      'assets/chunks/metadata.[0-9a-f]+.js',
      'sources.txt',
    ])
      expect(list).toMatch(new RegExp(`^kusanya-[\\d.]+/site/dist/${file}$`, 'm'))
    for (const file of ['index.html', 'sources.txt', 'assets/console-[\\w-]+.js.br'])
      expect(list).toMatch(new RegExp(`^kusanya-[\\d.]+/web/dist/${file}$`, 'm'))
    const sources = execFileSync('tar', ['-xzOf', tarball, `kusanya-${version}/web/dist/sources.txt`])
    expect(sources.toString()).toBe(hashConsole())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
