import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContact } from '../../../src/core/contacts/details.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })
})
afterAll(() => testApp.close())

function create(phone: string): Promise<{ id: number }> {
  const context = { organization: testApp.organization, author: 1, network_name: 'Sandbox Network' }
  const phone_number = { number: phone, country: 'XX' }
  const input = { first_name: 'Grace', last_name: 'Akello', phone_number, email: 'grace@example.com' }
  return begin(testApp.db, (tx) => createContact(tx, testApp.clock.now(), context, input))
}

describe('kusanya contacts', () => {
  it('lists and shows contacts', async () => {
    const { id } = await create('+80011110001')
    const list = await kusanya(['contacts', 'list', '--phone', '+800 1111 0001', '--json'])
    expect(JSON.parse(list.out)).toMatchObject([{ id, first_name: 'Grace' }])
    expect((await kusanya(['contacts', 'list', '--last-name', 'Akello'])).out).toContain('+80011110001')
    const { out } = await kusanya(['contacts', 'show', String(id)])
    expect(out).toContain(`Contact ${id}: Grace Akello, +80011110001`)
    expect(out).toContain('grace@example.com')
  })

  it('erases a contact after a confirmation', async () => {
    const { id } = await create('+80011110002')
    const refused = await kusanya(['contacts', 'erase', String(id)], { answers: ['no'] })
    expect([refused.code, refused.err]).toEqual([1, 'Nothing was erased.'])
    const { code, out } = await kusanya(['contacts', 'erase', String(id)], { answers: ['yes'] })
    expect([code, out]).toEqual([0, `The personal data of contact ${id} is erased.`])
    const [event] =
      await testApp.db`select data from events where type = 'contact.created' and (data->>'id')::bigint = ${id}`
    expect(event!.data).toMatchObject({ phone_number: `erased-${id}`, email: null, first_name: 'Erased' })
    const again = await kusanya(['contacts', 'erase', String(id), '--yes'])
    expect(again.err).toMatch(new RegExp(`^Contact ${id} was erased at `))
  })

  it('erases nothing for a script without --yes', async () => {
    const { id } = await create('+80011110003')
    const { code, err } = await kusanya(['contacts', 'erase', String(id)])
    expect([code, err]).toEqual([1, 'This erases Grace Akello, +80011110003 permanently. Confirm it with --yes.'])
    expect((await kusanya(['contacts', 'erase', '999'])).err).toBe('There is no contact 999.')
  })
})
