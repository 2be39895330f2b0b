import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { App } from '../app.ts'
import { WrongSetting } from '../config.ts'
import { drawKey, findCaller } from '../core/credentials.ts'
import { type Demo, ensureDemo } from '../core/demo.ts'
import { setPassword } from '../core/organizations.ts'
import { begin } from '../db/client.ts'
import { hashPassword } from '../lib/secrets.ts'

/**
 * Makes the demo organization of the sandbox, or finds it, and gives it an API key that can be shown: SANDBOX_API_KEY,
 * or the one in DATA_DIR/demo-api-key, drawn when it is missing or no longer valid.
 * @throws WrongSetting when SANDBOX_API_KEY was revoked.
 */
export async function provideDemo(app: App): Promise<Demo & { api_key: string }> {
  const { SANDBOX_API_KEY: chosen, SANDBOX_PASSWORD: password } = app.config
  const file = join(resolve(app.config.DATA_DIR), 'demo-api-key')
  const provide = (api_key: string) =>
    begin(app.db, (tx) => ensureDemo(tx, app.clock.now(), { network: app.networks[0]!.code, api_key }))
  const isValid = async (key: string) => (await findCaller(app.db, app.clock.now(), key)) !== undefined

  let api_key = chosen ?? (await keptKey(file))
  let demo = await provide(api_key)
  if (!(await isValid(api_key))) {
    if (chosen) throw new WrongSetting('The setting SANDBOX_API_KEY is wrong: this key was revoked. Choose another.')
    api_key = await keepNewKey(file, { replace: true })
    demo = await provide(api_key)
  }
  if (password) {
    const password_hash = await hashPassword(password)
    await begin(app.db, (tx) => setPassword(tx, demo.owner.id, password_hash))
  }
  return { ...demo, api_key }
}

/** Keys are stored as hashes, but the sandbox prints its own at every start, so that one is kept beside the data. */
async function keptKey(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const key = kept?.trim() ?? ''
  return key.length >= SHORTEST_KEY ? key : keepNewKey(file, { replace: kept !== undefined })
}

/** The file gets its name when it is whole. Of several processes that start at once the first to name one wins. */
async function keepNewKey(file: string, { replace }: { replace: boolean }): Promise<string> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  await mkdir(resolve(file, '..'), { recursive: true })
  await writeFile(unfinished, `${drawKey()}\n`, { mode: 0o600 })
  if (replace) await rename(unfinished, file)
  else {
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(unfinished)
  }
  return (await readFile(file, 'utf8')).trim()
}

const SHORTEST_KEY = 16
