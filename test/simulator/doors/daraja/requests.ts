import { constants, publicEncrypt, X509Certificate } from 'node:crypto'
import { expect } from 'vitest'
import { certificate } from '../../../../src/simulator/doors/daraja/keys.ts'
import { documented } from './open-door.ts'

/*
 * Requests as any client of Daraja makes them.
 */

export const TIMESTAMP = '20261122093000'
export const identity = (Timestamp = TIMESTAMP, BusinessShortCode = '174379') => ({
  BusinessShortCode,
  Password: Buffer.from(BusinessShortCode + documented.passkey + Timestamp).toString('base64'),
  Timestamp,
})
export const promptBody = (base: string, changes: object = {}) => ({
  ...identity(),
  TransactionType: 'CustomerPayBillOnline',
  Amount: 1500,
  PartyA: 254708374149,
  PartyB: '174379',
  PhoneNumber: 254708374149,
  CallBackURL: `${base}/stk`,
  AccountReference: 'Order 12',
  TransactionDesc: 'Shoes',
  ...changes,
})
export const credential = () =>
  publicEncrypt(
    { key: new X509Certificate(certificate).publicKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(documented.initiator_password!),
  ).toString('base64')
export const initiated = (base: string, changes: object) => ({
  Initiator: 'testapi',
  SecurityCredential: credential(),
  Remarks: 'Test',
  ResultURL: `${base}/result`,
  QueueTimeOutURL: `${base}/timeout`,
  ...changes,
})
export const payoutBody = (base: string, changes: object = {}): Record<string, unknown> => {
  const { Initiator: InitiatorName, ...rest } = initiated(base, {
    OriginatorConversationID: '0c1f0a5e-7f0b-4b1c-9a51-2f6f9f3c7d10',
    CommandID: 'BusinessPayment',
    Amount: '500',
    PartyA: '600996',
    PartyB: '254708374149',
    Occassion: '',
  })
  return { InitiatorName, ...rest, ...changes }
}
export const paths = {
  prompt: '/mpesa/stkpush/v1/processrequest',
  question: '/mpesa/stkpushquery/v1/query',
  payout: '/mpesa/b2c/v3/paymentrequest',
  status: '/mpesa/transactionstatus/v1/query',
  balance: '/mpesa/accountbalance/v1/query',
  reversal: '/mpesa/reversal/v1/request',
  register: '/mpesa/c2b/v2/registerurl',
  pull: '/pulltransactions/v1/query',
}
export const error = (errorCode: string, errorMessage: string) => ({
  requestId: expect.any(String),
  errorCode,
  errorMessage,
})
