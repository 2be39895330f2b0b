import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { App } from '../../app.ts'
import { WrongSetting } from '../../config.ts'
import { findCaller, generateKey } from '../../core/access/api-keys.ts'
import { setPassword, type User } from '../../core/access/organizations.ts'
import { findUserByPassword, hasPassword } from '../../core/access/passwords.ts'
import { begin } from '../../db/client.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { generatePassword } from '../passwords.ts'
import { type Demo, ensureDemo } from './demo-organization.ts'

/** The demo organization and the two secrets that newcomers need to use it. */
export interface DemoWithSecrets extends Demo {
  api_key: string
  /** What the owner signs in to the console with; null when somebody has chosen another that only they know. */
  password: string | null
}

/**
 * Makes the demo organization of the sandbox, or finds it, and gives it an API key that can be shown: SANDBOX_API_KEY,
 * or the one in DATA_DIR/demo-api-key, drawn when it is missing or no longer valid. So with its owner's password.
 * @throws WrongSetting when SANDBOX_API_KEY was revoked.
 */
export async function prepareDemo(app: App): Promise<DemoWithSecrets> {
  const { SANDBOX_API_KEY: chosen } = app.config
  const file = join(resolve(app.config.DATA_DIR), 'demo-api-key')
  const provide = (api_key: string) =>
    begin(app.db, (tx) => ensureDemo(tx, app.clock.now(), { network: app.networks[0]!.code, api_key }))
  const isValid = async (key: string) => (await findCaller(app.db, app.clock.now(), key)) !== undefined

  let api_key = chosen ?? (await readOrCreateSecret(file, generateKey))
  let demo = await provide(api_key)
  if (!(await isValid(api_key))) {
    if (chosen) throw new WrongSetting('The setting SANDBOX_API_KEY is wrong: this key was revoked. Choose another.')
    api_key = await writeNewSecret(file, generateKey, { replace: true })
    demo = await provide(api_key)
  }
  return { ...demo, api_key, password: await prepareDemoPassword(app, demo.owner) }
}

/** SANDBOX_PASSWORD rules; without it the drawn one is set once, and never in the place of one that a person chose. */
async function prepareDemoPassword(app: App, owner: User): Promise<string | null> {
  const { SANDBOX_PASSWORD: chosen } = app.config
  const password =
    chosen ?? (await readOrCreateSecret(join(resolve(app.config.DATA_DIR), 'demo-password'), generatePassword))
  if (await findUserByPassword(app.db, owner.email, password)) return password
  if (!chosen && (await hasPassword(app.db, owner.id))) return null
  const password_hash = await hashPassword(password)
  await begin(app.db, (tx) => setPassword(tx, owner.id, password_hash))
  return password
}

/** Secrets are stored as hashes, but the sandbox prints its own at every start, so that they are kept beside the data. */
async function readOrCreateSecret(file: string, draw: () => string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const secret = kept?.trim() ?? ''
  return secret.length >= MIN_SECRET_LENGTH ? secret : writeNewSecret(file, draw, { replace: kept !== undefined })
}

/** The file gets its name when it is whole. Of several processes that start at once the first to name one wins. */
async function writeNewSecret(file: string, draw: () => string, { replace }: { replace: boolean }): Promise<string> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  await mkdir(resolve(file, '..'), { recursive: true })
  await writeFile(unfinished, `${draw()}\n`, { mode: 0o600 })
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
