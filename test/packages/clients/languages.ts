import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')
export const PYTHON_PACKAGE = join(ROOT, 'packages/client-python')
export const PHP_PACKAGE = join(ROOT, 'packages/client-php')

/** A program that this machine may have, or why tests that need it are skipped. */
export type Program = { path: string; skipped?: undefined } | { path?: undefined; skipped: string }

/** Without settings of a developer that would change what a client does, and without files that Python leaves in folders. */
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', http_proxy: '', HTTP_PROXY: '', no_proxy: '*' }

export const python = find(
  ['python3', '/usr/bin/python3', 'python'],
  // The program itself, where the name leads to a script that chooses a version.
  ['-c', 'import sys; print(sys.executable) if sys.version_info >= (3, 10) else sys.exit(1)'],
  'there is no python3 from 3.10 on',
)

export const php = find(
  ['php'],
  ['-r', "exit(PHP_VERSION_ID >= 80100 && extension_loaded('curl') && extension_loaded('mbstring') ? 0 : 1);"],
  'there is no php from 8.1 on with curl and mbstring (on Debian: php-cli, php-curl, php-mbstring)',
)

export const java = find(
  ['java'],
  ['--version'],
  'there is no JDK from 17 on (on Debian: default-jdk-headless)',
  (printed) => Number(/^\S+ (\d+)/.exec(printed)?.[1]) >= 17,
)

/** The first of some programs that passes a check, or the path that the check prints. */
export function find(
  programs: string[],
  check: string[],
  skipped: string,
  accepts: (printed: string) => boolean = () => true,
): Program {
  for (const path of programs) {
    try {
      const options = { encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'ignore'] as 'pipe'[], timeout: 30_000 }
      const printed = execFileSync(path, check, options).trim()
      if (accepts(printed)) return { path: printed.startsWith('/') ? printed : path }
    } catch {
      // The next one.
    }
  }
  return { skipped }
}

/** The title of a test that needs a program: it says why the test is skipped. */
export const titleOf = (title: string, { skipped }: Program) => (skipped ? `${title}: skipped, ${skipped}` : title)

/** Run a program to its end, and give what it printed. @throws with all that it printed if it failed */
export async function run(
  path: string,
  args: string[],
  { cwd = ROOT, settings = {}, input = '' }: { cwd?: string; settings?: Record<string, string>; input?: string } = {},
): Promise<string> {
  const child = spawn(path, args, { cwd, env: { ...env, ...settings } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part
  })
  child.stdin.on('error', () => {}).end(input)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`${path} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}
