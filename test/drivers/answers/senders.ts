import twilio_package from 'twilio'
import { africasTalking } from '../../../src/senders/africas-talking/index.ts'
import { httpSms } from '../../../src/senders/http/index.ts'
import { infobip } from '../../../src/senders/infobip/index.ts'
import { kannel } from '../../../src/senders/kannel/index.ts'
import { twilio } from '../../../src/senders/twilio/index.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { sms } from '../../senders/sms-test.ts'
import { CALLBACK_URL, type Part, type Recording, recorder, type SentText } from './rig.ts'

const place = { now: new Date('2026-11-22T09:30:00Z'), hosts: { api: 'https://api.example.com' } }
const PATH = `/${sms.reference}/report`
const asked = { ...sms, remote_id: sms.reference, sent: new Date('2026-11-22T09:00:00Z') }

const callback = (about: string, part: Part, run: (sent: SentText) => unknown): Recording => ({
  operation: 'readCallback',
  about,
  parts: { callback: part },
  run: ({ callback: sent }) => run(sent!),
})

const at = recorder(africasTalking, {
  ...place,
  environment: 'production',
  settings: { username: 'shop', api_key: 'atsk_01' },
})
const recipient = (more: object = {}) => ({
  statusCode: 101,
  number: sms.phonenumber,
  status: 'Success',
  cost: 'UGX 35.0000',
  messageId: 'ATXid_1',
  messageParts: 1,
  ...more,
})
const recipients = (...Recipients: object[]): Part => ({
  status: 201,
  body: { SMSMessageData: { Message: 'Sent to 1/1 Total Cost: UGX 35.0000', Recipients } },
  decides: ['statusCode', 'number', 'messageId'].map((name) => `SMSMessageData.Recipients.0.${name}`),
})
const readAt = ({ text }: SentText) => at.open({}, {}).readCallback!(rawCallback({ body: text }))

export const recordedAfricasTalking = at.recorded([
  at.calls('send', ({ send }) => send(sms), { sms: recipients(recipient()) }),
  at.calls(
    'send',
    ({ send }) => send(sms),
    { sms: recipients(recipient({ statusCode: 403 })) },
    { about: 'that is refused' },
  ),
  at.calls(
    'send',
    ({ send }) => send(sms),
    { sms: recipients(recipient(), recipient({ number: '+256772123457' })) },
    { about: 'with another recipient' },
  ),
  at.calls('balance', ({ balance }) => balance(), {
    balance: { body: { UserData: { balance: 'KES 1785.50', name: 'Shop' } }, decides: ['UserData.balance'] },
  }),
  callback(
    'with a report',
    {
      as: 'form',
      body: {
        id: 'ATXid_1',
        status: 'Failed',
        phoneNumber: sms.phonenumber,
        networkCode: '64110',
        failureReason: 'X',
        retryCount: '1',
      },
      decides: ['id', 'status', 'phoneNumber'],
    },
    readAt,
  ),
  callback(
    'with an SMS',
    {
      as: 'form',
      body: {
        id: '1',
        from: sms.phonenumber,
        to: '22123',
        text: 'STOP',
        date: '2026-11-22',
        linkId: 'x',
        networkCode: '1',
      },
      decides: ['id', 'from', 'to', 'text'],
    },
    readAt,
  ),
])

const ACCOUNT = `AC${'0'.repeat(32)}`
const SID = `SM${'a'.repeat(32)}`
const tw = recorder(twilio, {
  ...place,
  environment: 'production',
  settings: { account_sid: ACCOUNT, auth_token: 'the token' },
})
const resource = {
  sid: SID,
  status: 'queued',
  num_segments: '2',
  price: '-0.0075',
  price_unit: 'USD',
  error_code: null,
  body: sms.body,
  to: sms.phonenumber,
  direction: 'outbound-api',
  date_created: 'x',
  uri: 'y',
  subresource_uris: { media: 'z' },
}
const readTwilio = ({ text }: SentText) => {
  const fields = Object.fromEntries(new URLSearchParams(text))
  const signature = twilio_package.getExpectedTwilioSignature('the token', CALLBACK_URL + PATH, fields)
  return tw.open({}, {}).readCallback!(
    rawCallback({ path: PATH, body: text, headers: { 'x-twilio-signature': signature } }),
  )
}

export const recordedTwilio = tw.recorded([
  tw.calls('send', ({ send }) => send(sms), { sms: { status: 201, body: resource, decides: ['sid', 'status'] } }),
  tw.calls(
    'send',
    ({ send }) => send(sms),
    {
      sms: {
        status: 400,
        body: { code: 21211, message: 'Wrong', more_info: 'https://x', status: 400 },
        decides: ['code'],
      },
    },
    { about: 'that is refused' },
  ),
  tw.calls('report', ({ report }) => report({ ...asked, remote_id: SID }), {
    report: { body: { ...resource, status: 'undelivered', error_code: 30003 }, decides: ['sid', 'status'] },
  }),
  tw.calls(
    'report',
    ({ report }) => report({ ...asked, remote_id: null }),
    {
      report: {
        body: {
          messages: [
            { ...resource, status: 'delivered' },
            { ...resource, body: 'Other' },
          ],
          page: 0,
          uri: 'x',
        },
        decides: ['sid', 'status', 'body', 'to', 'direction'].map((name) => `messages.0.${name}`),
      },
    },
    { about: 'without the id' },
  ),
  tw.calls('balance', ({ balance }) => balance(), {
    balance: {
      body: { balance: '4.5', currency: 'USD', account_sid: ACCOUNT },
      decides: ['balance', 'currency'],
    },
  }),
  callback(
    'with a report',
    {
      as: 'form',
      body: {
        MessageSid: SID,
        MessageStatus: 'undelivered',
        ErrorCode: '30003',
        To: sms.phonenumber,
        AccountSid: ACCOUNT,
        ApiVersion: 'x',
      },
      decides: ['MessageSid', 'MessageStatus', 'AccountSid'],
    },
    readTwilio,
  ),
])

const ib = recorder(infobip, { ...place, environment: 'production', settings: { api_key: 'the-key-of-infobip' } })
const status = (groupId: number, id: number) => ({
  groupId,
  groupName: 'GROUP',
  id,
  name: 'SOME_NAME',
  description: 'x',
})
const taken = (given: object): Part => ({
  body: {
    bulkId: 'b',
    messages: [{ messageId: sms.reference, status: given, destination: '256772123456', details: { messageCount: 2 } }],
  },
  decides: ['messages.0.messageId', 'messages.0.status.groupId'],
})
const result = (messageId: string, given: object) => ({
  bulkId: 'b',
  messageId,
  callbackData: messageId,
  to: '256772123456',
  sentAt: 'x',
  doneAt: '2026-11-22T09:30:00.000+0000',
  smsCount: 1,
  messageCount: 1,
  price: { pricePerMessage: 0.01, currency: 'EUR' },
  status: given,
  error: { groupId: 1, id: 27, name: 'EC_ABSENT_SUBSCRIBER', description: 'x', permanent: false },
})
const ofResult = (...names: string[]) => names.map((name) => `results.0.${name}`)

export const recordedInfobip = ib.recorded([
  ib.calls('send', ({ send }) => send(sms), { sms: taken(status(1, 26)) }),
  ib.calls('send', ({ send }) => send(sms), { sms: taken(status(5, 51)) }, { about: 'that is refused' }),
  ib.calls(
    'send',
    ({ send }) => send(sms),
    {
      sms: {
        status: 400,
        body: {
          requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'Bad Request', validationErrors: [] } },
        },
        decides: ['requestError.serviceException.messageId'],
      },
    },
    { about: 'that is no call' },
  ),
  ib.calls(
    'send',
    ({ send }) => send(sms),
    {
      sms: {
        status: 400,
        body: { errorCode: 'E400', description: 'Bad', action: 'x', violations: [] },
        decides: ['errorCode'],
      },
    },
    { about: 'that is no call, in the new form of errors' },
  ),
  ib.calls('report', ({ report }) => report(asked), {
    report: {
      body: { results: [result(sms.reference, status(2, 9)), result('other', status(3, 5))], cursor: { limit: 1 } },
      decides: ofResult('messageId', 'status.groupId'),
    },
  }),
  ib.calls('balance', ({ balance }) => balance(), {
    balance: { body: { balance: 12.5, currency: 'EUR', name: 'x' }, decides: ['balance', 'currency'] },
  }),
  callback(
    'with reports',
    {
      body: { results: [result(sms.reference, status(2, 9))] },
      decides: ofResult('messageId', 'callbackData', 'status.groupId'),
      stand_in: sms.reference,
    },
    ({ text }) => ib.open({}, {}).readCallback!(rawCallback({ body: text })),
  ),
  callback(
    'with an SMS',
    {
      body: {
        results: [
          {
            messageId: '1',
            from: '256772123456',
            to: '22123',
            text: 'STOP',
            cleanText: 'STOP',
            keyword: 'STOP',
            receivedAt: 'x',
            smsCount: 1,
            price: { pricePerMessage: 0, currency: 'EUR' },
            callbackData: 'x',
          },
        ],
        messageCount: 1,
        pendingMessageCount: 0,
      },
      decides: ofResult('messageId', 'from', 'text', 'to'),
    },
    ({ text }) => ib.open({}, {}).readCallback!(rawCallback({ body: text })),
  ),
])

const kn = recorder(kannel, {
  ...place,
  environment: 'production',
  settings: { username: 'kusanya', password: 'the-password' },
})
const readKannel =
  (path: string) =>
  ({ text }: SentText) =>
    kn.open({}, {}).readCallback!(rawCallback({ method: 'GET', path, query: text, body: '' }))

export const recordedKannel = kn.recorded([
  // Its answers are lines for people, without members.
  kn.calls('send', ({ send }) => send(sms), { sms: { status: 202, as: 'text', body: '0: Accepted for delivery' } }),
  callback(
    'with a report',
    {
      as: 'form',
      body: {
        type: '2',
        'smsc-id': 'mtn',
        text: 'id:1 sub:001 dlvrd:000 stat:UNDELIV err:001 text:x',
        at: '1795305600',
      },
      decides: ['type'],
      words: ['-1'],
    },
    readKannel(PATH),
  ),
  callback(
    'with an SMS',
    {
      as: 'form',
      body: { id: '1', from: '256772123456', to: '22123', charset: 'UTF-8', text: 'STOP', smsc: 'mtn' },
      decides: ['id', 'from', 'text', 'to', 'charset'],
    },
    readKannel('/incoming'),
  ),
])

const anyProvider = recorder(httpSms, {
  ...place,
  environment: 'production',
  settings: {
    url: 'https://sms.example.com/send',
    id_field: 'data.0.id',
    report_status_field: 'report.status',
    report_id_field: 'report.id',
    report_reason_field: 'report.error',
    incoming_from_field: 'from',
    incoming_text_field: 'text',
  },
})
const readAny = ({ text }: SentText) => anyProvider.open({}, {}).readCallback!(rawCallback({ body: text }))

export const recordedHttp = anyProvider.recorded([
  anyProvider.calls('send', ({ send }) => send(sms), {
    sms: { body: { ok: true, data: [{ id: 'x1', cost: 1, to: '1' }], balance: { left: 3 } }, decides: ['data.0.id'] },
  }),
  callback(
    'with a report',
    {
      body: { report: { id: 'x1', status: 'failed', error: 'absent', code: 4 }, tries: 1 },
      decides: ['report.id', 'report.status'],
    },
    readAny,
  ),
  callback(
    'with an SMS',
    { body: { from: '256772123456', text: 'STOP', to: '1' }, decides: ['from', 'text'] },
    readAny,
  ),
])
