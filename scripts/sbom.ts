import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { readLockfile } from './lockfile.ts'

/*
 * `npm run sbom [file]`: the bill of materials of the production dependencies, as CycloneDX 1.6 in JSON. npm makes it from
 * package-lock.json in version 1.5, of which 1.6 is an extension.
 */

/** The parts of a bill of materials that this script reads or writes. */
export interface Sbom {
  $schema: string
  specVersion: string
  serialNumber: string
  metadata: { timestamp?: string; component: { 'bom-ref': string; name: string; type: string; version: string } }
  components: { 'bom-ref': string; name: string; version: string; hashes?: { alg: string; content: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** Make the bill of materials. The same lockfile always gives the same one: it has no time, and its id is a digest. */
export function makeSbom(): Sbom {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const made: Sbom = JSON.parse(
    execFileSync(npm, args, { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  const { timestamp: _, ...metadata } = made.metadata
  const sbom: Sbom = {
    ...onlyProduction(made),
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    specVersion: '1.6',
    serialNumber: '',
    // npm takes the name from the folder.
    metadata: { ...metadata, component: { ...metadata.component, name, version, type: 'application' } },
  }
  return { ...sbom, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(sbom))}` }
}

/** Remove the packages for developers. (`--omit=dev` also removes packages that developers and the service share.) */
function onlyProduction(made: Sbom): Sbom {
  const production = new Set(readLockfile().flatMap(({ dev, name, version }) => (dev ? [] : [`${name}@${version}`])))
  const components = made.components.filter(({ name, version }) => production.has(`${name}@${version}`))
  const refs = new Set([...components.map((component) => component['bom-ref']), made.metadata.component['bom-ref']])
  const dependencies = made.dependencies.flatMap(({ ref, dependsOn }) =>
    refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }] : [],
  )
  return { ...made, components, dependencies }
}

/** A UUID of version 8 (RFC 9562): the meaning of its bits is ours, here a digest. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(import.meta.filename)) {
  const text = `${JSON.stringify(makeSbom(), null, 2)}\n`
  const [file] = process.argv.slice(2)
  if (file) writeFileSync(file, text)
  else process.stdout.write(text)
}
