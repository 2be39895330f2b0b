/*
 * `npm run release:pack [folder]` writes the files of a release into a folder: the source with the built pages and the
 * recipe of the container image (deploy/Dockerfile), the npm package, the clients, the bill of materials, and the
 * checksums of all, which are signed afterwards (CONTRIBUTING.md, "A release").
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { addBuiltPages } from './built-pages.ts'
import { makeClientPackage, makePackage } from './npm-package.ts'
import { makeSbom } from './sbom.ts'

const git = (args: string[], cwd = '.') => execFileSync('git', args, { cwd, maxBuffer: 1_024 * 1_024 * 1_024 })

const folder = process.argv[2] ?? 'release'
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const name = `kusanya-${version}`

if (git(['status', '--porcelain']).length > 0) {
  process.stderr.write('A release is made of a commit: commit or remove what git status shows.\n')
  process.exit(1)
}

/** A tarball of a folder of the commit. The same commit gives the same bytes. */
function archive(prefix: string, of: string, options: string[] = []): Buffer {
  return gzipSync(git(['archive', '--format=tar', ...options, `--prefix=${prefix}/`, 'HEAD'], of), { level: 9 })
}

/** The packages for npm, by their names. */
function npmPackages(): Record<string, Buffer> {
  const made = mkdtempSync(join(tmpdir(), 'kusanya-release-'))
  try {
    const paths = [makePackage(made), makeClientPackage(made)]
    return Object.fromEntries(paths.map((path) => [basename(path), readFileSync(path)]))
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

// First, because it builds the pages.
const packages = npmPackages()
const files: Record<string, Buffer> = {
  // The commit as it is, with package-lock.json, which npm would leave out, and the built pages.
  [`${name}.tar.gz`]: archive(name, '.', addBuiltPages(`${name}/`)),
  ...packages,
  ...Object.fromEntries(
    ['python', 'php'].map((language) => {
      const client = `kusanya-client-${language}-${version}`
      return [`${client}.tar.gz`, archive(client, `packages/client-${language}`)]
    }),
  ),
  [`${name}.cdx.json`]: Buffer.from(`${JSON.stringify(makeSbom(), null, 2)}\n`),
}
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const sums = Object.entries(files).map(([file, content]) => `${digestOf(content)}  ${file}\n`)

mkdirSync(folder, { recursive: true })
for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
process.stdout.write(`${sums.join('')}Sign ${join(folder, 'SHA256SUMS')} (CONTRIBUTING.md, "A release").\n`)
