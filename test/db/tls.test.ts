import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect } from '../../src/db/client.ts'
import { type EmbeddedPostgres, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { changeOwner, findServerUser } from '../../src/db/embedded/user.ts'

// A slow machine needs long to make and start a server.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 150_000 })

const without_openssl = spawnSync('openssl', ['version']).status !== 0
const reason = without_openssl ? ' (skipped: the program openssl is not installed)' : ''

/** A role that may connect to the test server only with TLS. */
const TLS_ROLE = 'tls_only'
const password = randomBytes(12).toString('hex')

let folder = ''
let server: EmbeddedPostgres

describe.skipIf(without_openssl)(`a connection to a PostgreSQL with TLS${reason}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kusanya-tls-'))
    // The server of root runs as another user, and that user must be able to enter.
    chmodSync(folder, 0o755)
    const data_dir = join(folder, 'data')
    mkdirSync(data_dir)
    makeAuthority('authority')
    makeAuthority('other')
    makeServerCertificate('authority', 'DNS:localhost')
    server = await startEmbedded({ data_dir, settings: { fsync: 'off', ...tlsSettings() } })
    const admin = connect(server.url, { connections: 1, application: 'tests' })
    await admin.unsafe(`create role ${TLS_ROLE} login password '${password}'`)
    await admin.end()
  })
  afterAll(async () => {
    await server?.stop()
    if (server) rmSync(server.location, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  })

  it('is encrypted when verify-full knows the authority and the certificate names the host', async () => {
    expect(await isEncrypted({ host: 'localhost', sslmode: 'verify-full', sslrootcert: 'authority' })).toBe(true)
  })

  it('is encrypted for the notifications and the reserved connections too', async () => {
    const url = urlWith({ host: 'localhost', sslmode: 'verify-full', sslrootcert: 'authority' })
    const db = connect(url, { connections: 1, application: 'tests' })
    try {
      const texts: string[] = []
      await db.listen('news', (text) => texts.push(text))
      await db.notify('news', 'hello')
      await vi.waitFor(() => expect(texts).toEqual(['hello']), 120_000)
      const reserved = await db.reserve('maintenance')
      const sessions = await reserved<{ ssl: boolean }[]>`
        select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = ${TLS_ROLE}`
      reserved.release()
      expect(sessions).toEqual([{ ssl: true }, { ssl: true }, { ssl: true }])
    } finally {
      await db.end({ timeout: 1 })
    }
  })

  it('is refused by verify-full when the certificate does not name the host', async () => {
    await expect(
      isEncrypted({ host: '127.0.0.1', sslmode: 'verify-full', sslrootcert: 'authority' }),
    ).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('is refused by verify-full and verify-ca when another authority signed the certificate', async () => {
    for (const sslmode of ['verify-full', 'verify-ca'])
      await expect(isEncrypted({ host: 'localhost', sslmode, sslrootcert: 'other' })).rejects.toMatchObject({
        code: expect.stringMatching(/^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/),
      })
  })

  it("is refused by verify-full if no authority is given and the system does not trust the server's", async () => {
    await expect(isEncrypted({ host: 'localhost', sslmode: 'verify-full' })).rejects.toMatchObject({
      code: expect.stringMatching(/^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/),
    })
  })

  it('does not compare the host in verify-ca, and checks no certificate in require', async () => {
    expect(await isEncrypted({ host: '127.0.0.1', sslmode: 'verify-ca', sslrootcert: 'authority' })).toBe(true)
    expect(await isEncrypted({ host: '127.0.0.1', sslmode: 'require' })).toBe(true)
  })

  it('is refused without TLS by a server that demands it', async () => {
    for (const sslmode of ['disable', undefined])
      await expect(isEncrypted({ host: 'localhost', sslmode })).rejects.toMatchObject({ code: '28000' })
  })
})

interface Way {
  host: string
  sslmode?: string | undefined
  sslrootcert?: string
}

/** Connect this way, and say whether PostgreSQL reports the connection as encrypted. */
async function isEncrypted(way: Way): Promise<boolean> {
  const db = connect(urlWith(way), { connections: 1, application: 'tests' })
  try {
    const [row] = await db<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row!.ssl
  } finally {
    await db.end({ timeout: 1 })
  }
}

function urlWith({ host, sslmode, sslrootcert }: Way): string {
  const url = new URL(server.url)
  url.hostname = host
  url.username = TLS_ROLE
  url.password = password
  if (sslmode) url.searchParams.set('sslmode', sslmode)
  if (sslrootcert) url.searchParams.set('sslrootcert', join(folder, `${sslrootcert}.crt`))
  return url.href
}

/** TLS for every role that wants it; the role of these tests cannot connect without it. */
function tlsSettings(): Record<string, string> {
  const user = process.getuid?.() === 0 ? findServerUser() : null
  const key = join(folder, 'server.key')
  chmodSync(key, 0o600)
  const access = join(folder, 'pg_hba.conf')
  const rules = [`hostssl all ${TLS_ROLE} 127.0.0.1/32 scram-sha-256`, 'host all kusanya 127.0.0.1/32 scram-sha-256']
  writeFileSync(access, `${rules.join('\n')}\n`)
  for (const path of [key, access]) changeOwner(user, path)
  return { ssl: 'on', ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: key, hba_file: access }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function makeAuthority(name: string): void {
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)]
  openssl(['req', '-x509', ...NEW_KEY, ...files, '-days', '2', '-subj', `/CN=Test authority ${name}`])
}

function makeServerCertificate(authority: string, names: string): void {
  const path = (file: string) => join(folder, file)
  openssl(['req', ...NEW_KEY, '-keyout', path('server.key'), '-out', path('server.csr'), '-subj', '/CN=server'])
  writeFileSync(path('names'), `subjectAltName=${names}\n`)
  const signer = ['-CA', path(`${authority}.crt`), '-CAkey', path(`${authority}.key`), '-set_serial', '1']
  const files = ['-in', path('server.csr'), '-extfile', path('names'), '-out', path('server.crt')]
  openssl(['x509', '-req', '-days', '2', ...signer, ...files])
  expect(readFileSync(path('server.crt'), 'utf8')).toContain('BEGIN CERTIFICATE')
}

function openssl(args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}
