import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCellDirectory, readCellStates } from '../../src/actions/cell-directory.ts'
import { createUser, setPassword } from '../../src/core/access/organizations.ts'
import { chooseDecoy, directoryToken, openPart } from '../../src/core/cells/directory.ts'
import { begin } from '../../src/db/client.ts'
import { hashPassword } from '../../src/lib/secrets.ts'
import { findFreePort } from '../cli/program-runner.ts'
import { openCell } from '../interface/test-cell.ts'
import type { TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'

/* Three cells, of which the last is away, and people who sign in at any of them. */

const SECRET = 'the secret of all cells, with 32 characters'
const PASSWORD = 'a long password of grace'
let cells: Record<3 | 4, TestService>
let settings: Record<string, string>
beforeAll(async () => {
  const [third, fourth, away] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const address = (port: number) => `http://127.0.0.1:${port}`
  settings = {
    CELLS: JSON.stringify({ 3: address(third), 4: address(fourth), 5: address(away) }),
    CELLS_SECRET: SECRET,
  }
  cells = {
    3: await openCell(3, { ...settings, PORT: String(third) }),
    4: await openCell(4, { ...settings, PORT: String(fourth) }),
  }
  const hash = await hashPassword(PASSWORD)
  const { db, app } = cells[4].testApp
  await begin(db, async (tx) => {
    const user = await createUser(tx, app.clock.now(), { name: 'Grace', email: 'grace@shop.example' })
    await setPassword(tx, user.id, hash)
  })
})
afterAll(async () => {
  for (const cell of Object.values(cells ?? {})) await cell.close()
})

const post = (cell: 3 | 4, path: string, body: unknown) =>
  fetch(`${cells[cell].url}/console/api${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-requested-with': 'console' },
  })
const signIn = (cell: 3 | 4, email: string, password = PASSWORD) => post(cell, '/session', { email, password })

describe('signing in at a cell', () => {
  it('leads to the cell of the account, where the password counts', async () => {
    const led = await signIn(3, 'Grace@Shop.example')
    expect(led.status).toBe(421)
    expect(await led.json()).toEqual({ detail: 'This account belongs to cell 4.', cell: 4 })
    expect(led.headers.get('set-cookie')).toMatch(/^kusanya_cell=4; Path=\/console; HttpOnly; SameSite=Lax/)
    expect(await (await signIn(4, 'grace@shop.example')).json()).toMatchObject({ stage: 'signed_in' })
    expect((await signIn(4, 'grace@shop.example', 'another password')).status).toBe(400)
    const reset = await post(3, '/password-resets', { email: 'grace@shop.example' })
    expect(await reset.json()).toMatchObject({ cell: 4 })
    expect((await post(4, '/password-resets', { email: 'grace@shop.example' })).status).toBe(204)
  })

  it('finds an account that is new in another cell', async () => {
    const email = 'new@shop.example'
    const directory = openCellDirectory(cells[3].testApp.app)
    const decoy = await directory.find(email)
    const { db, app } = cells[4].testApp
    await begin(db, (tx) => createUser(tx, app.clock.now(), { name: 'New', email }))
    expect([3, 4, 5]).toContain(decoy)
    await eventually('the directory to be read again', async () => (await directory.find(email)) === 4 || undefined)
  })

  it('leads an address without an account to one of the cells, always the same, and refuses it there', async () => {
    const emails = Array.from({ length: 4 }, (_, index) => `nobody${index}@shop.example`)
    for (const email of emails) {
      const decoy = chooseDecoy(SECRET, email, [3, 4, 5])
      for (const cell of [3, 4] as const) {
        const answer = await signIn(cell, email)
        if (decoy === cell) expect(answer.status, email).toBe(400)
        else expect(await answer.json(), email).toMatchObject({ cell: decoy })
      }
    }
  })
})

describe('the directory of the cells', () => {
  it('is signed, shows no address of a person, and only to cells', async () => {
    const url = `${cells[4].url}/console/api/cells/directory`
    expect((await fetch(url)).status).toBe(401)
    const answer = await fetch(url, { headers: { authorization: `Bearer ${directoryToken(SECRET)}` } })
    const signed = (await answer.json()) as { part: string; signature: string }
    expect(openPart(SECRET, 4, signed)).toMatchObject({ cell: 4, organizations: 2, database_bytes: expect.any(Number) })
    expect(signed.part).not.toContain('grace')
  })

  it('takes callbacks of other cells only, and says so before it reads them', async () => {
    const path = '/cells/callbacks'
    expect((await post(4, path, { text: 'x'.repeat(4_000_000) })).status).toBe(401)
    const answer = await fetch(`${cells[4].url}/console/api${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${directoryToken(SECRET)}`,
        'content-type': 'application/json',
        'x-requested-with': 'console',
      },
      body: '{}',
    })
    // The token of the directory is another one.
    expect(answer.status).toBe(401)
  })

  it('shows an operator the load of each cell, and which is away', async () => {
    await cells[4].createRequest()
    const states = await readCellStates(cells[3].testApp.app)
    expect(states.map(({ cell, problem }) => [cell, problem])).toEqual([
      [3, null],
      [4, null],
      [5, 'It does not answer.'],
    ])
    expect(states[0]!.part).toMatchObject({ organizations: 2, requests: 0 })
  })

  it('keeps a browser in the cell that its address names', async () => {
    const page = await fetch(`${cells[3].url}/console/link?cell=3`)
    expect(page.headers.get('set-cookie')).toContain('kusanya_cell=3')
    expect((await fetch(`${cells[3].url}/console/link?cell=4`)).headers.get('set-cookie')).toBeNull()
  })
})
