import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandboxBiller } from '../../../src/billers/sandbox.ts'
import { sandboxBills } from '../../../src/billers/sandbox-bills/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(
    sandboxBills,
    { secret: 'our secret' },
    {
      environment: 'sandbox',
      hosts: (url) => ({ api: `${url}/sandbox` }),
    },
  )
})
afterEach(() => recorder.close())

const sent = () =>
  recorder.requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    body,
    authorization: headers.authorization,
    type: headers['content-type'],
  }))

describe('the requests to the simulated biller', () => {
  it('for a purchase, a question and a holder, as before', async () => {
    const order = providerVend({
      kind: 'electricity',
      service_type: 'ikeja_electric_prepaid',
      account_number: '04042404048',
      details: { prepaid: true, tariff: 669_000n },
      scenario: 'slow',
      offer: { remote_service: 'ikeja_electric_prepaid', remote_product: null },
    })
    const old = createSandboxBiller({ url: () => `${recorder.url}/sandbox`, secret: 'our secret' })
    const { operations } = recorder
    await operations.vend(order)
    await old.vend(order)
    await operations.vendStatus(order)
    await old.checkVend(order)
    const { offer, account_number } = order
    await operations.accountHolder!({ kind: 'electricity', country: 'NG', offer, account_number, prepaid: true })
    await old.lookUpAccountHolder({ service_type: offer.remote_service, account_number, product_code: null })
    const all = sent()
    expect(all[0]).toEqual({
      method: 'POST',
      path: '/sandbox/biller/vends',
      authorization: 'Bearer our secret',
      type: 'application/json',
      body: '{"reference":"KB17","kind":"electricity","service_type":"ikeja_electric_prepaid","account_number":"04042404048","phone":"08031234567","scenario":"slow","amount":"100.0000","prepaid":true,"tariff":"66.9000","pin_value":null,"pins":null}',
    })
    expect(all[2]).toMatchObject({ method: 'GET', path: '/sandbox/biller/vends/KB17', body: '' })
    expect(all[4]!.body).toBe(
      '{"service_type":"ikeja_electric_prepaid","account_number":"04042404048","product_code":null}',
    )
    for (const index of [0, 2, 4]) expect(all[index + 1]).toEqual(all[index])
  })
})
