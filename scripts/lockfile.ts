import { readFileSync } from 'node:fs'

/** A package as package-lock.json describes it. */
export interface LockedPackage {
  /** Folder, such as `node_modules/pg`. */
  path: string
  name: string
  version: string
  license: string | null
  integrity: string | undefined
  resolved: string | undefined
  /** Needed only to develop and test Kusanya. */
  dev: boolean
  optional: boolean
}

/**
 * Read the packages of a package-lock.json, without the project itself and its own packages (the folder `packages`).
 */
export function readLockfile(file = 'package-lock.json'): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, Partial<LockedPackage> & { link?: boolean }>
  }
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version = '', license = null, integrity, resolved, dev = false, optional = false } = entry
    return [{ path, name, version, license, integrity, resolved, dev, optional }]
  })
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
