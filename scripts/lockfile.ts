import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf } from './npm-package.ts'

/** A package as package-lock.json describes it. */
export interface LockedPackage {
  /** Folder, such as `node_modules/pg`. */
  path: string
  name: string
  version: string
  license: string | null
  integrity: string | undefined
  resolved: string | undefined
  /** Neither installed with the service nor part of the built pages of the console. */
  dev: boolean
  optional: boolean
}

type LockEntry = Partial<LockedPackage> & {
  link?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
type LockEntries = Record<string, LockEntry>

/** Reads the packages of a package-lock.json, without the project itself and its own packages (the folder `packages`). */
export function readLockfile(file = 'package-lock.json'): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockEntries }
  const in_pages = findWithDependencies(packages, packagesOfPages())
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version = '', license = null, integrity, resolved, optional = false } = entry
    const dev = (entry.dev ?? false) && !in_pages.has(path)
    return [{ path, name, version, license, integrity, resolved, dev, optional }]
  })
}

/** Packages that the pages of the console import. They are development dependencies, and a release has their code in `web/dist`. */
function packagesOfPages(): string[] {
  const sources = globSync('web/**/*.{ts,tsx}', { exclude: ['web/dist*/**', 'web/vite.config.ts'] })
  return [...new Set(sources.flatMap((path) => packagesOf(readFileSync(path, 'utf8'))))]
}

/** Returns the paths of packages and of all that they depend on. */
function findWithDependencies(packages: LockEntries, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string, dependent: string): void => {
    const path = resolvePath(packages, name, dependent)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { dependencies, peerDependencies = {}, peerDependenciesMeta } = packages[path]!
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
    for (const needed of [...Object.keys(dependencies ?? {}), ...peers]) add(needed, path)
  }
  for (const name of names) add(name, '')
  return found
}

/** Finds the folder of a package as Node does: below the dependent, or below a folder around it. */
function resolvePath(packages: LockEntries, name: string, dependent: string): string | undefined {
  for (let folder = dependent; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = join(folder, 'node_modules', name).replaceAll('\\', '/')
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

const REGISTRY = 'https://registry.npmjs.org/'

/**
 * Find faults in the origin of packages, in sentences. npm compares each package with its digest in the lockfile. So a
 * package with a digest is the reviewed one, wherever it comes from.
 */
export function findOriginFaults(packages: readonly LockedPackage[]): string[] {
  return packages.flatMap(({ path, integrity, resolved, dev, optional }) => {
    if (resolved !== undefined && !resolved.startsWith(REGISTRY)) return [`${path} comes from ${resolved}.`]
    // npm writes no digest for a tool of other platforms that it has never seen. Nothing of the service is among these.
    if (integrity === undefined && dev && optional) return []
    return integrity?.startsWith('sha512-') ? [] : [`${path} has no SHA-512 digest in package-lock.json.`]
  })
}

/** Dependencies of package.json whose version is not exact. */
export function findLooseVersions(file = 'package.json'): string[] {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string> | undefined>
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${name} has the version ${version} in package.json, which is not exact.`),
  )
}

/** The licences that production dependencies may have. */
export interface LicenceRules {
  /** SPDX identifiers. */
  allowed: string[]
  /** Packages that may have another licence, by name (`*` stands for any end), and why. */
  exceptions: { package: string; licence: string | null; reason: string }[]
}

/** Production dependencies whose licence is not allowed, and exceptions that no package needs any more. */
export function findLicenceFaults(packages: readonly LockedPackage[], rules: LicenceRules): string[] {
  const used = new Set<LicenceRules['exceptions'][number]>()
  const faults = packages
    .filter(({ dev }) => !dev)
    .flatMap(({ path, name, license }) => {
      if (license !== null && isAllowed(license, rules.allowed)) return []
      const exception = rules.exceptions.find((one) => matches(one.package, name) && one.licence === license)
      if (exception) used.add(exception)
      return exception
        ? []
        : [`${path} has the licence ${license ?? 'that it does not name'}, which scripts/licences.json does not allow.`]
    })
  const unused = rules.exceptions.filter((one) => !used.has(one))
  return [
    ...faults,
    ...unused.map((one) => `No package needs the exception for ${one.package} in scripts/licences.json.`),
  ]
}

/** Read an SPDX expression: AND requires all its parts to be allowed, OR at least one. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const inner = /\(([^()]*)\)/.exec(expression)
  if (inner) {
    const word = isAllowed(inner[1]!, allowed) ? allowed[0]! : 'refused'
    return isAllowed(expression.replace(inner[0], word), allowed)
  }
  return expression
    .split(/\s+OR\s+/)
    .some((option) => option.split(/\s+AND\s+/).every((licence) => allowed.includes(licence.trim())))
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
