import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addEnvFile } from '../../src/cli/env-file.ts'
import { openShell } from './shell.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kusanya-env-'))
  path = join(folder, '.env')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = (text: string, mode = 0o600) => writeFile(path, text, { mode })
const add = (environment: Record<string, string> = {}, file?: string) => addEnvFile(environment, { file, folder })
const fault = async (text: string) => {
  await write(text)
  try {
    add()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('No error')
}

describe('a file of settings', () => {
  it('adds its settings to the environment, which counts before it', async () => {
    await write('# our shop\nPORT=8080\n\nexport MODE = live # soon\nSERVICE_NAME="Shop # 1\nKampala"\r\nHOST=\n')
    expect(add({ PORT: '9090', PATH: '/bin' })).toEqual({
      environment: { PORT: '9090', PATH: '/bin', MODE: 'live', SERVICE_NAME: 'Shop # 1\nKampala', HOST: '' },
      warnings: [],
    })
    expect(add({ MODE: '' }).environment.MODE).toBe('')
  })

  it('has an empty value where only blanks follow the name, and keeps the next setting', async () => {
    await write('SECRET_KEY_PREVIOUS= \nMODE=live\nREDIS_URL=\t# none yet\nexport\tPORT=8080\n')
    expect(add().environment).toEqual({ SECRET_KEY_PREVIOUS: '', MODE: 'live', REDIS_URL: '', PORT: '8080' })
  })

  it('may have several lines, line ends and other quotes in a value in quotes', async () => {
    await write(`A='{"x":"it"}' # JSON\r\nB="one\r\n#two\\nthree"\r\nC=\`"it's"\`\nD={"x":1}\nE=  a  b  \n`)
    expect(add().environment).toEqual({ A: '{"x":"it"}', B: 'one\n#two\nthree', C: `"it's"`, D: '{"x":1}', E: 'a  b' })
  })

  it('may begin with a byte order mark', async () => {
    await write('\uFEFFPORT=8080')
    expect(add().environment).toEqual({ PORT: '8080' })
    await writeFile(path, Buffer.from('\uFEFFPORT=8081\r\n', 'utf16le'))
    expect(add().environment).toEqual({ PORT: '8081' })
  })

  it('has no effect on a secret that the environment gives in another form', async () => {
    await write('SECRET_KEY_FILE=/run/secrets/key\nSMTP_URL=smtp://x')
    expect(add({ SECRET_KEY: 'k', SMTP_URL_FILE: '/run/smtp' }).environment).toEqual({
      SECRET_KEY: 'k',
      SMTP_URL_FILE: '/run/smtp',
    })
  })

  it.each([
    ['PORT=1\nhello\n', 2, 'it must look like NAME=value'],
    ['PORT=1\n\n=5', 3, 'it must look like NAME=value'],
    ['2PORT=1', 1, 'it must look like NAME=value'],
    ['A="x\ny"\nPORT=1\nPORT=2', 4, 'PORT is already on line 3'],
    ['A=1\nB="hunter2\nC=3', 2, 'the quote of B does not end'],
    ['DATABASE_URL=postgres://u:hunter2#x@db/pay', 1, '# begins a comment, so the value of DATABASE_URL needs quotes'],
    ['SERVICE_NAME=Shop hunter2#1', 1, '# begins a comment, so the value of SERVICE_NAME needs quotes'],
    ['A="x"hunter2', 1, `the value of A goes on after its quote; a value with " needs '…', and one with ' "…"`],
    ['A="{\\"x\\":1}"', 1, `the value of A goes on after its quote; a value with " needs '…', and one with ' "…"`],
    ['A="x\nB=1\nC="y"', 1, `the value of A goes on after its quote; a value with " needs '…', and one with ' "…"`],
    ['SECRET_KEY=#hunter2', 1, '# begins a comment, so the value of SECRET_KEY needs quotes'],
  ])('is refused with the number of the line that is wrong: %j', async (text, line, reason) => {
    const message = await fault(text)
    expect(message).toBe(`${path}, line ${line}: ${reason}.`)
    expect(message).not.toContain('hunter2')
  })

  it('need not exist under its usual name, but must under another one', async () => {
    expect(add({ A: '1' })).toEqual({ environment: { A: '1' }, warnings: [] })
    await mkdir(path)
    expect(add({ A: '1' })).toEqual({ environment: { A: '1' }, warnings: [] })
    expect(() => add({}, 'live.env')).toThrow(`${join(folder, 'live.env')} cannot be read: there is no such file.`)
    expect(() => add({ KUSANYA_ENV_FILE: '.env' })).toThrow(`${path} cannot be read: it is a folder.`)
  })

  it('is the one that the option or KUSANYA_ENV_FILE names, in this order', async () => {
    await write('PORT=1')
    await writeFile(join(folder, 'two.env'), 'PORT=2')
    await writeFile(join(folder, 'three.env'), 'PORT=3')
    expect(add({ KUSANYA_ENV_FILE: 'two.env' }).environment.PORT).toBe('2')
    expect(add({ KUSANYA_ENV_FILE: 'two.env' }, 'three.env').environment.PORT).toBe('3')
    expect(add({ KUSANYA_ENV_FILE: 'off' }).environment.PORT).toBeUndefined()
    expect(add({}, 'off').environment.PORT).toBeUndefined()
  })

  it.each([0o640, 0o604, 0o620])('causes a warning when others may read or change it: mode %o', async (mode) => {
    await write('PORT=8080\nSECRET_KEY=hunter2\nUPSTREAM_KEY=\nSMTP_URL=smtp://hunter2')
    await chmod(path, mode)
    const { warnings } = add()
    expect(warnings).toEqual([
      `Other users of this machine can read ${path}, which has SECRET_KEY, SMTP_URL: run chmod 600 ${path}`,
    ])
    await writeFile(path, 'PORT=8080\nSECRET_KEY_FILE=/run/secrets/key')
    expect(add().warnings).toEqual([])
  })
})

describe('a command', () => {
  const kusanya = openShell({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: tmpdir() })

  it('reads .env of the working directory, or the file of --env-file before or after its name', async () => {
    await write('PORT=eighty')
    const message = 'The setting PORT=eighty is wrong: it must be a whole number.'
    expect(await kusanya(['keys', 'list'], { folder })).toMatchObject({ code: 1, err: message })
    expect((await kusanya(['keys', 'list'])).err).toContain('The database cannot be reached')
    expect((await kusanya(['--env-file', path, 'keys', 'list'])).err).toBe(message)
    expect((await kusanya(['keys', 'list', '--env-file', path])).err).toBe(message)
    expect((await kusanya(['keys', 'list', '--env-file', 'off'], { folder })).err).toContain('cannot be reached')
    const environment = { KUSANYA_ENV_FILE: path }
    expect((await kusanya(['keys', 'list'], { environment })).err).toBe(message)
  })

  it('prints the errors and warnings of the file, and help does not need it', async () => {
    await write('PORT')
    expect(await kusanya(['keys', 'list'], { folder })).toMatchObject({
      code: 1,
      err: `${path}, line 1: it must look like NAME=value.`,
    })
    expect(await kusanya(['--help'], { folder })).toMatchObject({ code: 0 })
    await write('SANDBOX_PASSWORD=correct horse')
    await chmod(path, 0o644)
    expect((await kusanya(['keys', 'list'], { folder })).err.split('\n')[0]).toContain('run chmod 600')
  })
})
