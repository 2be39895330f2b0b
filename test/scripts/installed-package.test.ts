import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePackage } from '../../scripts/npm-package.ts'
import { findFreePort } from '../cli/program-runner.ts'
import { eventually } from '../test-app.ts'

/*
 * Packs the program, installs the tarball in an empty folder, and follows what it prints until the customer has paid: as a person does who has
 * npm and no clone. It fetches the packages of the program from the registry, so only `npm run test:package` runs it.
 */

const skips = process.env.KUSANYA_TEST_PACKAGE !== 'on'
const title = `the package of npm${skips ? ' (skipped: it fetches packages; npm run test:package runs it)' : ''}`
/**
 * The tarball has about 12 MB, mostly the pages of the console and the documentation, each also compressed for browsers. What makes it larger
 * is looked at before it is accepted.
 */
const MAX_TARBALL_BYTES = 14_000_000
const MAX_INSTALLED_BYTES = 450_000_000
const TIMEOUT_MS = 600_000
const run = promisify(execFile)

describe.skipIf(skips)(title, () => {
  let folder: string
  let tarball: string
  let service: ChildProcess | undefined
  let env: NodeJS.ProcessEnv

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kusanya-installed-'))
    chmodSync(folder, 0o755) // The database of root's service runs as another user.
    const system_path = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules'))
    const { HOME, http_proxy, https_proxy, NODE_EXTRA_CA_CERTS } = process.env
    env = { HOME, http_proxy, https_proxy, NODE_EXTRA_CA_CERTS, PORT: String(await findFreePort()) }
    env.PATH = [...system_path, dirname(process.execPath)].join(delimiter)
    tarball = makePackage(join(folder, 'packed'))
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball]
    await run('npm', args, { cwd: folder, env, maxBuffer: 10_000_000 })
  }, TIMEOUT_MS)
  afterAll(async () => {
    if (service && service.exitCode === null) {
      process.kill(-service.pid!, 'SIGINT')
      await once(service, 'exit')
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }, TIMEOUT_MS)

  it('has a size that was looked at', () => {
    const bytes = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    const packed = statSync(tarball).size
    process.stdout.write(`tarball ${(packed / 1e6).toFixed(1)} MB, installed ${(bytes / 1e6).toFixed(0)} MB\n`)
    expect(packed).toBeLessThan(MAX_TARBALL_BYTES)
    expect(bytes).toBeLessThan(MAX_INSTALLED_BYTES)
  })

  it(
    'sets up a sandbox in an empty folder, starts, and collects with the line that it prints',
    async () => {
      const init = await run('npx', ['kusanya', 'init', '--yes'], { cwd: folder, env })
      expect(existsSync(join(folder, '.env'))).toBe(true)
      const [ask, show] = init.stdout.split('\n').filter((line) => line.startsWith('curl '))
      let printed = ''
      service = spawn('npx', ['kusanya', 'serve'], {
        cwd: folder,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [service.stdout!, service.stderr!])
        stream.setEncoding('utf8').on('data', (part: string) => {
          printed += part
        })
      await eventually('the welcome', async () => printed.includes('Ctrl-C') || undefined, TIMEOUT_MS)
      expect(printed.split('\n')).toEqual(expect.arrayContaining([ask, show]))
      expect((await run('sh', ['-c', `${ask} --silent --fail-with-body`])).stdout).toContain('"status":"pending"')
      await eventually('the customer to pay', async () => {
        const { stdout } = await run('sh', ['-c', `sleep 2; ${show} --silent --fail-with-body`])
        return stdout.includes('"status":"successful"') || undefined
      })
      const origin = `http://127.0.0.1:${env.PORT}`
      for (const path of ['/console', '/docs', '/openapi.json', '/pay/unknown']) {
        const answer = await fetch(`${origin}${path}`)
        expect(answer.status, path).toBe(path === '/pay/unknown' ? 404 : 200)
      }
      const page = await (await fetch(`${origin}/console`)).text()
      const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)![1]!
      expect((await fetch(`${origin}${script}`)).status).toBe(200)
    },
    TIMEOUT_MS,
  )
})
