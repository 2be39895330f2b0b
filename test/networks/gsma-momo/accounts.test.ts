import { describe, expect, it } from 'vitest'
import {
  type Answer,
  error,
  MONEY,
  notFound,
  openDriver,
  REFERENCE,
  TRANSACTION,
  transaction,
  withProvider,
} from './gsma-test.ts'

const unknown = { outcome: 'unknown', message: expect.any(String) }
const PHONE = '+256772123456'
const NAME = 'GET /1.2.0/mm/accounts/msisdn/%2B256772123456/accountname'
const STATUS = 'GET /1.2.0/mm/accounts/msisdn/%2B256772123456/status'
const BALANCE = 'GET /1.2.0/mm/accounts/organisationid/kusanya-demo/balance'
const name = (parts: object): Answer => ({ status: 200, body: { name: parts } })
const status = (accountStatus: string): Answer => ({ status: 200, body: { accountStatus } })

describe('the holder of an account', () => {
  it.each([
    [{ fullName: 'Grâce Namukasa Akello', firstName: 'G' }, 'Grâce Namukasa Akello'],
    [{ title: 'Mrs', firstName: 'Grâce', middleName: 'Namukasa', lastName: 'Akello' }, 'Grâce Namukasa Akello'],
    [{ firstName: ' ', lastName: 'Akello' }, 'Akello'],
    [{ nativeName: 'ግራሲ' }, 'ግራሲ'],
    [{ fullName: `A${'\u0000'}B`.padEnd(400, 'x') }, `A B${'x'.repeat(157)}…`],
    [{}, null],
    [{ fullName: 7 }, '7'],
  ])('has the name in %j', async (parts, expected) => {
    await withProvider({ [NAME]: name(parts) }, async ({ url }) => {
      expect(await openDriver(url).accountHolder(PHONE)).toEqual({ outcome: 'found', name: expected })
    })
  })

  it('is not there only when the account is not there either', async () => {
    await withProvider({ [NAME]: notFound, [STATUS]: notFound }, async ({ url }) => {
      expect(await openDriver(url).accountHolder(PHONE)).toEqual({ outcome: 'not_found' })
    })
    await withProvider({ [NAME]: notFound, [STATUS]: status('unregistered') }, async ({ url }) => {
      expect(await openDriver(url).accountHolder(PHONE)).toEqual({ outcome: 'not_found' })
    })
    for (const word of ['available', 'unavailable'])
      await withProvider({ [NAME]: notFound, [STATUS]: status(word) }, async ({ url }) => {
        expect(await openDriver(url).accountHolder(PHONE)).toEqual({ outcome: 'found', name: null })
      })
  })

  it.each([
    error(403, 'authorisation', 'genericError'),
    error(401, 'authorisation', 'requestingPartyAuthorisationError'),
    error(400, 'businessRule', 'genericError'),
    { status: 405 },
  ])('is found even if the provider hides the name', async (answer) => {
    await withProvider({ [NAME]: answer, [STATUS]: status('available') }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.accountHolder(PHONE)).toEqual({ outcome: 'found', name: null })
      expect(driver.alarms).toEqual([])
    })
  })

  it('is not asked for a name where that is switched off', async () => {
    await withProvider({ [STATUS]: status('available') }, async ({ url, calls }) => {
      const found = await openDriver(url, { holder_names: false }).accountHolder(PHONE)
      expect(found).toEqual({ outcome: 'found', name: null })
      expect(calls().map(({ line }) => line)).toEqual([STATUS])
    })
  })

  it.each([{ status: 500 }, { status: 429 }, { status: 200, text: '<html>' }, { status: 200, body: {} }, status('')])(
    'is unknown with the answer %j',
    async (answer) => {
      await withProvider({ [NAME]: answer, [STATUS]: status('available') }, async ({ url }) => {
        expect(await openDriver(url).accountHolder(PHONE)).toEqual(unknown)
      })
      await withProvider({ [NAME]: notFound, [STATUS]: answer }, async ({ url }) => {
        expect(await openDriver(url).accountHolder(PHONE)).toEqual(unknown)
      })
    },
  )

  it('is unknown if a page is missing', async () => {
    await withProvider({ '*': { status: 404, text: '<html>' } }, async ({ url }) => {
      expect(await openDriver(url).accountHolder(PHONE)).toEqual(unknown)
    })
  })
})

describe('the balance', () => {
  it.each([
    [{ currentBalance: '1500.50', availableBalance: '1000', currency: 'KES' }, 15_005_000n],
    [{ availableBalance: '1000', currency: 'kes' }, 10_000_000n],
    [{ currentBalance: 0, currency: 'KES' }, 0n],
    [{ currentBalance: '-5.5', currency: 'KES' }, -55_000n],
  ])('is read in %j', async (body, amount) => {
    await withProvider({ [BALANCE]: { status: 200, body } }, async ({ url }) => {
      const balances = [{ currency: 'KES', amount }]
      expect(await openDriver(url).balance()).toEqual({ outcome: 'found', balances })
    })
  })

  it.each([
    { status: 200, body: { currentBalance: '10' } },
    { status: 200, body: { currency: 'KES' } },
    { status: 200, body: { currentBalance: 'ten', currency: 'KES' } },
    { status: 202, body: { currentBalance: '10', currency: 'KES' } },
    { status: 200, text: '' },
    notFound,
    { status: 500 },
  ])('is unknown with the answer %j', async (answer) => {
    await withProvider({ [BALANCE]: answer }, async ({ url }) => {
      expect(await openDriver(url).balance()).toEqual(unknown)
    })
  })
})

describe('a transaction', () => {
  const receipt = {
    remote_id: MONEY,
    status: 'successful',
    receiver: 'kusanya-demo',
    phonenumber: '+256772123456',
    amount: 50_000_000n,
    currency: 'UGX',
    order_reference: REFERENCE,
    reference: null,
    name: null,
    paid_at: new Date('2026-11-22T08:00:05Z'),
  }
  const ask = async (answer: Answer, id = MONEY) => {
    let found: unknown
    await withProvider({ [TRANSACTION]: answer }, async ({ url }) => {
      found = await openDriver(url).transaction({ remote_id: id })
    })
    return found
  }

  it('is read back with who has paid', async () => {
    expect(await ask(transaction())).toEqual({ outcome: 'found', receipt })
  })

  it('may name its parties by several identifiers, without a phone', async () => {
    const creditParty = [
      { key: 'accountid', value: '2999' },
      { key: 'OrganisationId', value: 'KUSANYA-DEMO' },
    ]
    const debitParty = [{ key: 'accountid', value: '1' }]
    const found = await ask(transaction({ creditParty, debitParty }))
    expect(found).toEqual({ outcome: 'found', receipt: { ...receipt, phonenumber: '' } })
  })

  it('is not found if the provider says so', async () => {
    expect(await ask(notFound)).toEqual({ outcome: 'not_found' })
  })

  it.each([
    ['paid somebody else', transaction({ creditParty: [{ key: 'organisationid', value: 'another' }] })],
    ['names nobody', transaction({ creditParty: undefined })],
    ['is another one', transaction({ transactionReference: 'REF-2' })],
    ['was reversed, nobody says for whom', transaction({ transactionStatus: 'reversed' })],
    ['is open', transaction({ transactionStatus: 'pending' })],
    ['failed', transaction({ transactionStatus: 'failed' })],
    ['has a word that is not known', transaction({ transactionStatus: 'done' })],
    ['is a page', { status: 200, text: '<html>' }],
    ['is a page that is missing', { status: 404, text: '<html>' }],
  ])('is unknown when it %s', async (_what, answer) => {
    expect(await ask(answer)).toEqual(unknown)
  })

  it('is not asked for with an id that would be another address', async () => {
    await withProvider({ '*': transaction() }, async ({ url, calls }) => {
      expect(await openDriver(url).transaction({ remote_id: '..' })).toEqual(unknown)
      expect(calls()).toEqual([])
    })
  })
})
