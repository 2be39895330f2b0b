import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '../../../src/lib/http/http-call.ts'
import { formatEat } from '../../../src/networks/daraja/wire.ts'

/** A prompt as it was sent, and the money of it once somebody has paid. */
export interface SentPrompt {
  reference: string
  checkout_id: string
  /** Our reference; empty for a till, which has no account numbers. */
  account_number: string
  receiver: string
  phonenumber: string
  amount: number
  callback_url: string
  receipt: string | null
  paid_at: Date
}

/**
 * A Daraja that reports nothing by itself: the test says what is paid, and sends what is reported. It takes prompts, answers
 * questions about them, lists what is paid, and answers a question about a receipt at its address.
 */
export interface PayingNetwork {
  url: string
  /** By our reference, which is the account number. */
  prompts: Map<string, SentPrompt>
  /** The customer pays. Without it the prompt stays open. */
  pay(prompt: SentPrompt): void
  /** The addresses at which the result of each payout is expected, by our reference. It never comes. */
  payouts: Map<string, string>
  /** The receipts of the payments that it was asked to take back. */
  reversed: string[]
  /** Number of calls, by path. */
  calls: Map<string, number>
  close(): Promise<void>
}

export async function openPayingNetwork(): Promise<PayingNetwork> {
  const prompts = new Map<string, SentPrompt>()
  const payouts = new Map<string, string>()
  const reversed: string[] = []
  const calls = new Map<string, number>()
  // The driver tells the time zone of the list by the real clock.
  const paid_at = new Date(Date.now() - 30_000)
  const take = (path: string, body: Record<string, string>): object => {
    const paid = [...prompts.values()].filter(({ receipt }) => receipt !== null)
    if (path.endsWith('/processrequest')) return takePrompt(prompts, body, paid_at)
    if (path.endsWith('/stkpushquery/v1/query')) return answerQuestion(prompts, body.CheckoutRequestID ?? '')
    if (path === '/pulltransactions/v1/query')
      return { ResponseCode: '1000', Response: [body.OffSetValue === '0' ? paid.map(toListLine) : []] }
    const ids = { ResponseCode: '0', ConversationID: 'AG_1', OriginatorConversationID: 'O_1' }
    if (path.startsWith('/mpesa/accountbalance/')) return ids
    if (path.startsWith('/mpesa/b2c/')) {
      payouts.set(body.OriginatorConversationID!, body.ResultURL!)
      return ids
    }
    if (path.startsWith('/mpesa/reversal/')) reversed.push(body.TransactionID!)
    const found = paid.find(({ receipt }) => receipt === body.TransactionID)
    void report(body.ResultURL ?? '', found)
    return ids
  }
  const server = createServer(async (asked, response) => {
    const path = asked.url!.split('?')[0]!
    calls.set(path, (calls.get(path) ?? 0) + 1)
    const body = parseJson(Buffer.concat(await asked.toArray()).toString()) as Record<string, string>
    const answer = path.startsWith('/oauth/') ? { access_token: 'token', expires_in: '3599' } : take(path, body)
    const status = 'errorCode' in answer ? 500 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prompts,
    payouts,
    reversed,
    calls,
    pay(prompt) {
      prompt.receipt ??= receiptOf(prompt.reference)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const receiptOf = (reference: string) =>
  `UA${createHash('sha256').update(reference).digest('hex').slice(0, 8).toUpperCase()}`

function takePrompt(prompts: Map<string, SentPrompt>, body: Record<string, string>, paid_at: Date): object {
  const reference = body.AccountReference!
  const account_number = body.TransactionType === 'CustomerBuyGoodsOnline' ? '' : reference
  const checkout_id = `ws_CO_1501203015${String(prompts.size).padStart(8, '0')}`
  prompts.set(reference, {
    reference,
    checkout_id,
    account_number,
    receiver: body.PartyB!,
    receipt: null,
    paid_at,
    phonenumber: `+${body.PhoneNumber}`,
    amount: Number(body.Amount),
    callback_url: body.CallBackURL!,
  })
  return { ResponseCode: '0', CheckoutRequestID: checkout_id, MerchantRequestID: '1-1-1' }
}

function answerQuestion(prompts: Map<string, SentPrompt>, id: string): object {
  const prompt = [...prompts.values()].find(({ checkout_id }) => checkout_id === id)
  if (!prompt?.receipt) return { errorCode: '500.001.1001', errorMessage: 'The transaction is being processed' }
  return { ResponseCode: '0', CheckoutRequestID: id, ResultCode: '0', ResultDesc: 'Done.' }
}

const toListLine = ({ receipt, phonenumber, account_number, amount, paid_at }: SentPrompt) => ({
  transactionId: receipt,
  trxDate: paid_at.toISOString(),
  msisdn: Number(phonenumber.slice(4)),
  transactiontype: 'c2b-pay-bill-debit',
  billreference: account_number,
  amount: `${amount}.00`,
})

/** Answer a question about a receipt. The account number is not in it. */
async function report(url: string, prompt: SentPrompt | undefined): Promise<void> {
  const values = prompt && {
    DebitPartyName: `${prompt.phonenumber.slice(1)} - GRACE A`,
    Amount: `${prompt.amount}.00`,
    FinalisedTime: formatEat(prompt.paid_at),
    ReceiptNo: prompt.receipt,
    TransactionStatus: 'Completed',
  }
  const ResultParameter = Object.entries(values ?? {}).map(([Key, Value]) => ({ Key, Value }))
  const Result = {
    ResultCode: prompt ? 0 : 2032,
    ResultDesc: 'Words.',
    TransactionID: 'UA00000000',
    OriginatorConversationID: 'O_1',
    ConversationID: 'AG_1',
    ResultParameters: { ResultParameter },
  }
  await postReport(url, { Result }).catch(() => {})
}

/** Form of a phone number in a report. */
export type PhoneForm = 'clear' | 'masked' | 'hashed'

function writePhone(phonenumber: string, form: PhoneForm): string {
  const digits = phonenumber.slice(1)
  if (form === 'hashed') return createHash('sha256').update(digits).digest('hex')
  return form === 'masked' ? `${digits.slice(0, 4)} ***** ${digits.slice(-3)}` : digits
}

/** The confirmation of a prompt's money, as it comes to the registered address. */
export function confirmationOf(prompt: SentPrompt, form: PhoneForm): object {
  const { receipt, receiver, amount, account_number, phonenumber, paid_at } = prompt
  return {
    TransactionType: 'Pay Bill',
    TransID: receipt,
    TransTime: formatEat(paid_at),
    TransAmount: `${amount}.00`,
    BusinessShortCode: receiver,
    BillRefNumber: account_number,
    InvoiceNumber: '',
    OrgAccountBalance: '49197.00',
    ThirdPartyTransID: '',
    MSISDN: writePhone(phonenumber, form),
    FirstName: 'GRACE',
    LastName: '',
  }
}

/** The report of the end of a prompt, with these changes. */
export function endOf(
  { checkout_id, amount, receipt, phonenumber, paid_at }: SentPrompt,
  form: PhoneForm,
  changes = {},
) {
  const phone = writePhone(phonenumber, form)
  const Item = [
    { Name: 'Amount', Value: amount },
    { Name: 'MpesaReceiptNumber', Value: receipt },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: Number(formatEat(paid_at)) },
    { Name: 'PhoneNumber', Value: form === 'clear' ? Number(phone) : phone },
  ]
  const ids = { MerchantRequestID: '1-1-1', CheckoutRequestID: checkout_id }
  const stkCallback = { ...ids, ResultCode: 0, ResultDesc: 'Done.', CallbackMetadata: { Item }, ...changes }
  return { Body: { stkCallback } }
}

/**
 * Post a report as Daraja does. Returns the status of the answer.
 * @param from the address of the sender: on Linux the whole of 127.0.0.0/8 belongs to the machine
 */
export function postReport(url: string, content: object, from = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const call = request(url, { method: 'POST', headers, localAddress: from })
    call.on('error', reject).on('response', (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    call.end(JSON.stringify(content))
  })
}
