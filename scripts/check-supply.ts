/*
 * `npm run supply` checks that the parts of the project are the reviewed ones. It needs no network, and ends with 1 on
 * a fault.
 */
import { readFileSync } from 'node:fs'
import { findLicenceFaults, findLooseVersions, findOriginFaults, type LicenceRules, readLockfile } from './lockfile.ts'

const rules = JSON.parse(readFileSync(new URL('licences.json', import.meta.url), 'utf8')) as LicenceRules
const packages = readLockfile()
const faults = [
  ...findOriginFaults(packages),
  ...['package.json', 'packages/client/package.json'].flatMap((file) => findLooseVersions(file)),
  ...findLicenceFaults(packages, rules),
]

for (const fault of faults) process.stderr.write(`${fault}\n`)
const production = packages.filter(({ dev }) => !dev).length
process.stdout.write(
  `${packages.length} packages, ${production} of them in production: ${faults.length === 0 ? 'digests, versions and licences are as they should be' : `${faults.length} faults`}.\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1
