import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPackage, makeRunnable } from '../../src/db/embedded/binaries.ts'
import type { Layout } from './layout.ts'

/** A program of the cluster, with the Debian package that has it. */
interface Program {
  path: string
  package: string
}

/** The programs besides PostgreSQL, which the npm package of the embedded server has. */
export const programs = {
  etcd: { path: '/usr/bin/etcd', package: 'etcd-server' },
  patroni: { path: '/usr/bin/patroni', package: 'patroni' },
  haproxy: { path: '/usr/sbin/haproxy', package: 'haproxy' },
  pgbouncer: { path: '/usr/sbin/pgbouncer', package: 'pgbouncer' },
} as const satisfies Record<string, Program>

/** The Debian packages that are not installed. */
export function missingPackages(): string[] {
  return Object.values(programs)
    .filter(({ path }) => !existsSync(path))
    .map((program) => program.package)
}

/** Install Debian packages. Only root may do so. @throws Error with the output of apt-get */
export function installPackages(packages: readonly string[]): void {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status, stderr } = spawnSync('apt-get', args, { env: environment, encoding: 'utf8' })
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed.\n${stderr}`)
  }
}

/**
 * Return true if Patroni keeps its promises over version 3 of etcd's interface. Before 3.0.3, a primary that stood
 * still longer than `ttl` overwrites its successor's key. The successor's confirmed data is then lost. Source:
 * https://github.com/patroni/patroni/pull/2689
 */
export function isEtcd3Safe(patroni_version: string): boolean {
  const [major, minor, patch] = (/\d+(\.\d+)*/.exec(patroni_version)?.[0] ?? '').split('.').map(Number)
  return (major ?? 0) * 10_000 + (minor ?? 0) * 100 + (patch ?? 0) >= 30_003
}

/** The version of Patroni, as it prints it. */
export function patroniVersion(): string {
  return spawnSync(programs.patroni.path, ['--version'], { encoding: 'utf8' }).stdout.trim()
}

/** The programs that Patroni calls and that the npm package of PostgreSQL does not have. */
const MISSING_PROGRAMS = ['pg_isready', 'pg_controldata', 'copy_leader']

/** Put the programs of PostgreSQL into one folder, where Patroni looks for them, and return the folder. */
export async function prepareBinaries({ folder, user }: Layout): Promise<string> {
  const native = findPackage(process.platform, process.arch)
  const binaries = await makeRunnable(native, join(folder, 'postgresql'), user)
  const bin = join(folder, 'bin')
  mkdirSync(bin, { mode: 0o755 })
  for (const path of Object.values(binaries)) symlinkSync(path, join(bin, basename(path)))
  for (const name of MISSING_PROGRAMS) {
    copyFileSync(fileURLToPath(new URL('postgres-programs.py', import.meta.url)), join(bin, name))
    chmodSync(join(bin, name), 0o755)
  }
  return bin
}
