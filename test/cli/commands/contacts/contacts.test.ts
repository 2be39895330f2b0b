import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContact } from '../../../../src/core/contacts/details.ts'
import { begin } from '../../../../src/db/client.ts'
import { readEvents } from '../../../recorded-events.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

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

  it('creates and changes a customer with number, tags and payers, and finds it by them', async () => {
    const betty = [
      '--first-name',
      'Betty',
      '--last-name',
      'Nakato',
      '--number',
      'P5-017',
      '--tag',
      'P5,Bus 2',
      '--tag',
      'Blue',
    ]
    const payers = ['--payer', 'Grace Nakato 0772000001', '--payer', '+80011110009']
    const made = await kusanya(['contacts', 'create', ...betty, ...payers, '--json'])
    expect([made.code, made.err]).toEqual([0, ''])
    const { id, ...contact } = JSON.parse(made.out)
    expect(contact).toMatchObject({
      phone_number: '',
      number: 'P5-017',
      tags: ['Blue', 'Bus 2', 'P5'],
      payers: [
        { name: 'Grace Nakato', phone_number: '+256772000001' },
        { name: '', phone_number: '+80011110009' },
      ],
    })
    for (const filter of [
      ['--number', 'p5 17'],
      ['--tag', 'p5'],
      ['--payer', '0772 000 001'],
    ])
      expect(JSON.parse((await kusanya(['contacts', 'list', ...filter, '--json'])).out)).toMatchObject([{ id }])
    const { out } = await kusanya(['contacts', 'show', String(id)])
    expect(out).toContain(`Contact ${id}: Betty Nakato, number P5-017`)
    expect(out).toContain('paid for by Grace Nakato +256772000001')
    const again = await kusanya(['contacts', 'create', ...betty])
    expect([again.code, again.err]).toEqual([1, `number: Betty Nakato (contact ${id}) has the number P5-017 already.`])
    expect((await kusanya(['contacts', 'create', '--first-name', 'A', '--last-name', 'B'])).err).toBe(
      'phone_number: This field is required.',
    )
    const changed = await kusanya(['contacts', 'update', String(id), '--tag', 'P6', '--payer', '', '--json'])
    expect(JSON.parse(changed.out)).toMatchObject({ number: 'P5-017', tags: ['P6'], payers: [] })
    expect((await kusanya(['contacts', 'update', String(id)])).err).toContain('Give at least one option')
    const audit = await testApp.db`select action, details from audit_log where object = ${id} order by id`
    expect(audit).toMatchObject([
      { action: 'create contact' },
      { action: 'change contact', details: { fields: ['tags', 'payers'] } },
    ])
  })

  it('erases a contact after a confirmation', async () => {
    const { id } = await create('+80011110002')
    const refused = await kusanya(['contacts', 'erase', String(id)], { answers: ['no'] })
    expect([refused.code, refused.err]).toEqual([1, 'Nothing was erased.'])
    const { code, out } = await kusanya(['contacts', 'erase', String(id)], { answers: ['yes'] })
    expect([code, out]).toEqual([0, `The personal data of contact ${id} is erased.`])
    const events = await readEvents(testApp.db, 'contact.created')
    const event = events.find(({ data }) => data.id === id)
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

describe('kusanya contacts import', () => {
  it('imports the rows of a file that are right, once, and says what is wrong with the others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kusanya-contacts-'))
    const file = join(folder, 'customers.csv')
    await writeFile(
      file,
      'phone,name,email,shift\n+80011110011,Ann Other,,1\n+80011110012,,,2\n+80011110013,Joe,joe,3\n',
    )
    const run = (...more: string[]) => kusanya(['contacts', 'import', file, ...more])
    const checked = await run('--check')
    expect(checked.out.split('\n')).toEqual([
      'customers.csv: 3 rows, 1 new, 0 contacts that get a name, 0 that get a number, 0 contacts that exist, 2 refused.',
      'Columns that are not used: shift.',
      '  row 3, First name: The name is missing.',
      '  row 4, E-mail: Enter a valid email address.',
      'Nothing was imported.',
    ])
    expect((await kusanya(['contacts', 'imports'])).out).toBe('There are no files of contacts.')
    const first = await run()
    expect(first.out).toContain('Contact import 1: 1 added, 0 updated, 0 left as they were, 2 refused.\n  row 3, ')
    expect(JSON.parse((await run('--update', '--json')).out)).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: 1,
      known: 'update',
      refused_rows: [{ number: 3 }, { number: 4, phone_number: '+80011110013' }],
    })
    await writeFile(file, 'phone,first name,email\n+80011110011,Anna,ann@example.com\n')
    expect((await run()).out).toContain('0 updated, 1 left as they were')
    expect((await run('--update')).out).toContain('1 updated, 0 left as they were')
    expect((await kusanya(['contacts', 'list', '--phone', '+80011110011'])).out).toContain('Anna')
    expect(JSON.parse((await kusanya(['contacts', 'imports', '--json'])).out)).toHaveLength(4)
    const audit = await testApp.db`select action, details from audit_log where action like '%import%' order by id`
    expect(audit.slice(0, 2)).toMatchObject([
      { action: 'import contacts', details: { file: 'customers.csv', rows: 3 } },
      { action: 'finish import of contacts', details: { added: 1, refused: 2 } },
    ])
    await writeFile(file, 'phone,name\nx,Ann\n')
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('No row of this file can be imported.') })
    await rm(folder, { recursive: true })
  })
})
