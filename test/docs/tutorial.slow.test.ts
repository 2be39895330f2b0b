import { exec } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, it } from 'vitest'
import { SHARED_SERVER } from '../postgres.ts'

/*
 * Follow docs/networks/tutorial.md to the letter in a copy of the repository. ` ```sh run ` is executed line by line
 * and must succeed (`, fails`: must not). ` ```text output ` must be in the output of the block before. ` ```diff `
 * with a path changes a file, and any other block with a path is a file.
 */

const ROOT = join(import.meta.dirname, '../..')
const PAGE = 'docs/networks/tutorial.md'

interface Block {
  line: number
  /** The words after the fence. */
  info: string
  text: string
}

const copy = mkdtempSync(join(tmpdir(), 'kusanya-tutorial-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

it('builds a driver that passes the conformance suite', { timeout: 600_000 }, async () => {
  copyRepository()
  let printed = ''
  for (const block of blocksOf(readFileSync(join(ROOT, PAGE), 'utf8'))) {
    const place = `${PAGE}:${block.line}`
    const [language, path] = block.info.split(' ')
    if (language === 'sh' && path?.startsWith('run'))
      printed = await run(place, block.text, block.info.endsWith(', fails'))
    else if (block.info === 'text output') expectLines(place, printed, block.text)
    else if (language === 'diff') changeFile(place, join(copy, path!), block.text)
    else if (path?.includes('/')) writeFileSync(join(copy, path), block.text)
    else expect(block.info, `${place} is a block that this test does not know`).toBe('sh')
  }
  expect(findToDos()).toEqual([])
})

/** Copy the sources without what programs have written beside them; packages are linked. */
function copyRepository(): void {
  const written = /^(node_modules|data|simulated-networks|release|coverage)$/
  for (const name of globSync('*', { cwd: ROOT }).filter((one) => !written.test(one)))
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|dist[^\\/]*|screenshots)$/.test(path),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  narrowTypes()
}

/**
 * Let the compiler read what the page changes and all that it touches, not the other tests: `npm run check` has read them. It
 * leaves nothing in the packages, which belong to the repository.
 */
function narrowTypes(): void {
  const path = join(copy, 'tsconfig.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  settings.compilerOptions.incremental = false
  delete settings.compilerOptions.tsBuildInfoFile
  settings.include = ['src', 'test/networks/plum-money', 'test/simulator/doors/plum-money']
  writeFileSync(path, JSON.stringify(settings))
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```([^\n]+)\n([\s\S]*?)^```$/gm)].map(({ index, 1: info, 2: text }) => ({
    line: page.slice(0, index).split('\n').length,
    info: info!,
    text: text!,
  }))
}

/**
 * Make the changes of a block, which `@@` divides. The lines that one names must stand in the file once, without a gap.
 */
function changeFile(place: string, path: string, block: string): void {
  for (const change of block.split(/^@@\n/m)) {
    const lines = change.replace(/\n$/, '').split('\n')
    const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1))
    const [before, after] = [without('+').join('\n'), without('-').join('\n')]
    const parts = readFileSync(path, 'utf8').split(`${before}\n`)
    expect(parts, `${place}: not once in ${path}:\n${before}`).toHaveLength(2)
    writeFileSync(path, parts.join(`${after}\n`))
  }
}

/** Run each line as a person does, and return what all have printed. */
async function run(place: string, commands: string, must_fail: boolean): Promise<string> {
  const outputs: string[] = []
  for (const line of commands.trim().split('\n')) {
    const command = line.replace(/^npx kusanya /, `"${process.execPath}" src/cli/index.ts `).replace(/^npx /, '')
    const { failed, output } = await runLine(command)
    expect(failed, `${place}: ${line}\n${output.slice(-4_000)}`).toBe(must_fail)
    outputs.push(output)
  }
  return outputs.join('\n')
}

async function runLine(command: string): Promise<{ failed: boolean; output: string }> {
  const options = { cwd: copy, env: environment(), maxBuffer: 64 * 1024 * 1024, timeout: 300_000 }
  const ended = await promisify(exec)(command, options).then(
    (outputs) => ({ failed: false, ...outputs }),
    (error: { stdout: string; stderr: string }) => ({ failed: true, stdout: error.stdout, stderr: error.stderr }),
  )
  return { failed: ended.failed, output: ended.stdout + ended.stderr }
}

/**
 * Without what Vitest sets for its own tests, which would let the inner run believe to be a part of this one; its tests clone
 * the databases of this run, because the page changes no migration.
 */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST$|NODE_ENV$|FORCE_COLOR$|DATABASE_)/.test(name),
  )
  const path = [join(ROOT, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const shared = { [SHARED_SERVER]: JSON.stringify(inject('postgres')) }
  return { ...Object.fromEntries(own), ...shared, PATH: path, NO_COLOR: '1', KUSANYA_ENV_FILE: 'off' }
}

function expectLines(place: string, printed: string, wanted: string): void {
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const all = plain(printed)
  const missing = wanted
    .trim()
    .split('\n')
    .map(plain)
    .filter((line) => !all.includes(line))
  expect(missing, `${place} is not in what was printed:\n${printed.slice(-4_000)}`).toEqual([])
}

function findToDos(): string[] {
  const files = [
    '{src/networks,src/simulator/doors,test/networks,test/simulator/doors}/plum-money/**/*.ts',
    'docs/networks/plum-money.md',
  ]
  return files.flatMap((pattern) =>
    globSync(pattern, { cwd: copy }).filter((path) => /\bTo do: /.test(readFileSync(join(copy, path), 'utf8'))),
  )
}
