import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { App } from '../../app.ts'
import { WrongSetting } from '../../config.ts'
import { findCaller, generateKey } from '../../core/access/api-keys.ts'
import { setPassword, type User } from '../../core/access/organizations.ts'
import { findUserByPassword, hasPassword } from '../../core/access/passwords.ts'
import { seedSandboxOffers } from '../../core/bills/sandbox-offers.ts'
import { connectSandboxBillProviders } from '../../core/connections/sandbox-networks.ts'
import { begin } from '../../db/client.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { generatePassword } from '../passwords.ts'
import { type Demo, ensureDemo } from './demo-organization.ts'
import type { OwnedOrganization } from './first-organization.ts'

/** The demo organization and the two secrets that newcomers need to use it. */
export interface DemoWithSecrets extends Demo {
  api_key: string
  /** The owner's password for the console; null when the owner has chosen another. */
  password: string | null
}

/**
 * Create or find the demo organization of the sandbox, with an API key that can be shown: SANDBOX_API_KEY, or the key
 * in DATA_DIR/demo-api-key, which is generated when it is missing or no longer valid. The owner's password is chosen in
 * the same way. It also has a few offers at the simulated bill providers.
 * @param first the organization that takes the place of the demo organization, if there is none yet
 * @throws WrongSetting when SANDBOX_API_KEY was revoked.
 */
export async function prepareDemo(app: App, first?: OwnedOrganization): Promise<DemoWithSecrets> {
  const { SANDBOX_API_KEY } = app.config
  const file = join(resolve(app.config.DATA_DIR), 'demo-api-key')
  const provide = (api_key: string) =>
    begin(app.db, async (tx) => {
      const now = app.clock.now()
      const found = await ensureDemo(tx, now, { connection: 'sandbox', api_key, first })
      await seedSandboxOffers(tx, now, await connectSandboxBillProviders(tx, now))
      return found
    })
  const isValid = async (key: string) => (await findCaller(app.db, app.clock.now(), key)) !== undefined

  const makeKey = () => generateKey(app.config.CELL)
  let api_key = SANDBOX_API_KEY ?? (await readOrCreateSecret(file, makeKey))
  let demo = await provide(api_key)
  if (!(await isValid(api_key))) {
    if (SANDBOX_API_KEY)
      throw new WrongSetting('The setting SANDBOX_API_KEY is wrong: this key was revoked. Choose another.')
    api_key = await writeNewSecret(file, makeKey, { replace: true })
    demo = await provide(api_key)
  }
  await app.providers.refresh()
  return { ...demo, api_key, password: await prepareDemoPassword(app, demo.owner) }
}

/** Set SANDBOX_PASSWORD. Without it, sets a generated password unless the owner has chosen one. */
async function prepareDemoPassword(app: App, owner: User): Promise<string | null> {
  const { SANDBOX_PASSWORD } = app.config
  const password =
    SANDBOX_PASSWORD ??
    (await readOrCreateSecret(join(resolve(app.config.DATA_DIR), 'demo-password'), generatePassword))
  if (await findUserByPassword(app.db, owner.email, password)) return password
  if (!SANDBOX_PASSWORD && (await hasPassword(app.db, owner.id))) return null
  const password_hash = await hashPassword(password)
  await begin(app.db, (tx) => setPassword(tx, owner.id, password_hash))
  return password
}

/** The database stores secrets as hashes. The sandbox prints its secrets at every start, so files keep them. */
async function readOrCreateSecret(file: string, generate: () => string): Promise<string> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const secret = content?.trim() ?? ''
  return secret.length >= MIN_SECRET_LENGTH
    ? secret
    : writeNewSecret(file, generate, { replace: content !== undefined })
}

/** The file gets its name when it is complete. If several processes start at the same time, the first file stays. */
async function writeNewSecret(
  file: string,
  generate: () => string,
  { replace }: { replace: boolean },
): Promise<string> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  await mkdir(resolve(file, '..'), { recursive: true })
  await writeFile(unfinished, `${generate()}\n`, { mode: 0o600 })
  if (replace) await rename(unfinished, file)
  else {
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(unfinished)
  }
  return (await readFile(file, 'utf8')).trim()
}

const MIN_SECRET_LENGTH = 16
