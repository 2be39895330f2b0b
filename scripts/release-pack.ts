/*
 * `npm run release:pack [folder]` writes the files of a release into a folder. They are a tarball of the source and the
 * built documentation, the bill of materials, and their checksums, which are signed afterwards (CONTRIBUTING.md, "A
 * release").
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { addBuiltSite } from './built-site.ts'
import { makeSbom } from './sbom.ts'

const git = (...args: string[]) => execFileSync('git', args, { maxBuffer: 1_024 * 1_024 * 1_024 })

const folder = process.argv[2] ?? 'release'
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const name = `kusanya-${version}`

if (git('status', '--porcelain').length > 0) {
  process.stderr.write('A release is made of a commit: commit or remove what git status shows.\n')
  process.exit(1)
}

// The commit as it is, with package-lock.json, which npm would leave out, and the documentation as pages. The same commit gives the same bytes.
const files: Record<string, Buffer> = {
  [`${name}.tar.gz`]: gzipSync(
    git('archive', '--format=tar', ...addBuiltSite(`${name}/`), `--prefix=${name}/`, 'HEAD'),
    {
      level: 9,
    },
  ),
  [`${name}.cdx.json`]: Buffer.from(`${JSON.stringify(makeSbom(), null, 2)}\n`),
}
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const sums = Object.entries(files).map(([file, content]) => `${digestOf(content)}  ${file}\n`)

mkdirSync(folder, { recursive: true })
for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
process.stdout.write(`${sums.join('')}Sign ${join(folder, 'SHA256SUMS')} (CONTRIBUTING.md, "A release").\n`)
