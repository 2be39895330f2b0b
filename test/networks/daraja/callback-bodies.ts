import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import { orderAddress, type Purpose, queryAddress } from '../../../src/networks/daraja/addresses.ts'
import type { DarajaSettings } from '../../../src/networks/daraja/settings.ts'
import { CHECKOUT_ID, openDriver, payout, SECRET_ADDRESS } from './recorded-network.ts'

/** An address from which Safaricom calls. */
export const SAFARICOM = '196.201.214.200'

/** A driver that only reads callbacks. */
export function openReader(changes: Partial<Record<keyof DarajaSettings, unknown>> = {}) {
  const driver = openDriver('http://127.0.0.1:9', changes)
  const toCallback = (path: string, content: object | string, address: string | null): RawCallback => {
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    return { method: 'POST', path, query: '', headers: { 'content-type': 'application/json' }, body, address }
  }
  return {
    ...driver,
    /** The path of an address that was given out for an order, or for a question. */
    pathOf: (purpose: Purpose, reference: string) =>
      orderAddress(driver, purpose, reference).slice(SECRET_ADDRESS.length),
    questionPath: (purpose: Purpose, subject?: string) =>
      queryAddress(driver, purpose, subject).slice(SECRET_ADDRESS.length),
    read: (path: string, content: object | string, address: string | null = SAFARICOM) =>
      driver.operations.readCallback(toCallback(path, content, address)),
    reply: (path: string) => driver.operations.callbackReply(toCallback(path, '{}', SAFARICOM)),
  }
}

/** The end of a prompt. */
export function ended(ResultCode: unknown, Item?: object[]) {
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: '29115-34620561-1',
        CheckoutRequestID: CHECKOUT_ID,
        ResultCode,
        ResultDesc: 'The service request is processed.',
        ...(Item && { CallbackMetadata: { Item } }),
      },
    },
  }
}

export const paidItems = [
  { Name: 'TransactionDate', Value: 20261122093021 },
  { Name: 'Balance' },
  { Name: 'MpesaReceiptNumber', Value: 'UKM1ABC234' },
  { Name: 'PhoneNumber', Value: 254708374149 },
  { Name: 'Amount', Value: 1500.0 },
]

/** The report of what an API operator has started. */
export function result(ResultCode: unknown, parameters?: Record<string, unknown>, changes: object = {}) {
  return {
    Result: {
      ResultType: 0,
      ResultCode,
      ResultDesc: 'The words.',
      OriginatorConversationID: payout.reference,
      ConversationID: 'AG_20261122_2010112233445566',
      TransactionID: 'UKM7XYZ890',
      ...(parameters && {
        ResultParameters: { ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })) },
      }),
      ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL', Value: `${SECRET_ADDRESS}/timeout` } },
      ...changes,
    },
  }
}

export const sentParameters = {
  TransactionAmount: 500,
  TransactionReceipt: 'UKM7XYZ890',
  B2CRecipientIsRegisteredCustomer: 'Y',
  ReceiverPartyPublicName: '254708374149 - Grace A',
  TransactionCompletedDateTime: '22.11.2026 09:30:21',
  B2CUtilityAccountAvailableFunds: 10116.5,
}
