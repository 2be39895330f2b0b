import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { parseAmount } from '../../src/lib/money.ts'
import { readStatement, type StatementLine } from '../../src/lib/network-statement.ts'

async function read(text: string, names?: Parameters<typeof readStatement>[1]): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  for await (const chunk of readStatement(Readable.from([text]), names)) lines.push(...chunk)
  return lines
}

describe("a network's statement", () => {
  it('is read by the names of its columns, in any order', async () => {
    const text = '\uFEFFCurrency;Amount;Remote_ID;Status;Date\r\nugx;1,500.50;TX1;SUCCESS;31/01/2030 18:00:00\r\n'
    expect(await read(text)).toEqual([
      {
        line: 2,
        remote_id: 'TX1',
        amount: parseAmount('1500.5'),
        sent: false,
        status: 'successful',
        currency: 'UGX',
        paid_at: new Date('2030-01-31T18:00:00Z'),
        reversal_of: null,
        fee: null,
      },
    ])
  })

  it('names the transaction of which a line takes back a part', async () => {
    const text = 'Receipt No.,Paid In,Withdrawn,Linked Transaction ID\nRV1,,300,TX1\nTX2,,20,\n'
    expect(await read(text)).toMatchObject([
      { remote_id: 'RV1', sent: true, reversal_of: 'TX1' },
      { remote_id: 'TX2', sent: true, reversal_of: null },
    ])
  })

  it('accepts other column names on request, and does not need the optional columns', async () => {
    const lines = await read('Receipt,Paid\nTX1,20\nTX2,"1,000"\n', { remote_id: 'receipt', amount: 'Paid' })
    expect(lines).toMatchObject([
      { line: 2, remote_id: 'TX1', status: 'successful', currency: null, paid_at: null },
      { line: 3, remote_id: 'TX2', amount: parseAmount('1000') },
    ])
  })

  it('recognizes money sent by its sign or its column', async () => {
    const signed = await read('id,amount\nTX1,-20\nTX2,20\n')
    expect(signed.map(({ sent, amount }) => [sent, amount])).toEqual([
      [true, parseAmount('20')],
      [false, parseAmount('20')],
    ])
    const columns = 'Receipt No.,Paid In,Withdrawn\nTX1,,"-1,500.00"\nTX2,20.00,0.00\nTX3,0.00,30\n'
    expect((await read(columns)).map(({ sent, amount }) => [sent, amount])).toEqual([
      [true, parseAmount('1500')],
      [false, parseAmount('20')],
      [true, parseAmount('30')],
    ])
  })

  it('is refused with the number of the wrong line and the reason', async () => {
    const header = 'id,amount,status,date\n'
    const wrong: [string, string][] = [
      ['', 'The statement is empty: its first line must name the columns.'],
      ['id,sum\n1,2\n', 'There is no column amount, only id, sum. Name the column with --column amount=<name>.'],
      [`${header}TX1,1,paid,2030-01-31\nTX2,x,paid,\n`, 'Line 3: "x" is not an amount.'],
      [`${header},1,paid,\n`, 'Line 2: the id of the payment is missing.'],
      [`${header}TX1,0.00,paid,\n`, 'Line 2: the amount is missing or zero.'],
      ['id,amount,withdrawn\nTX1,1,2\n', 'Line 2: the line has both a received and a sent amount.'],
      ['id,amount,withdrawn\nTX1,,\n', 'Line 2: the amount is missing or zero.'],
      ['id,amount,withdrawn\nTX1,1,x\n', 'Line 2: "x" is not an amount.'],
      ['id,amount,withdrawn\nTX1,x,2\n', 'Line 2: "x" is not an amount.'],
      [`${header}TX1,1,perhaps,\n`, 'Line 2: "perhaps" is not a known status.'],
      [`${header}TX1,1,paid,31.1.2030\n`, 'Line 2: "31.1.2030" is not a date such as 2030-01-31 18:00:00.'],
    ]
    for (const [text, message] of wrong) await expect(read(text)).rejects.toThrow(message)
    await expect(read(`${header}TX1,1\n`)).rejects.toThrow(/^Line 2: /)
    await expect(read(`${header}TX1,"1,paid,\n`)).rejects.toThrow(/^Line \d: /)
    await expect(read('a,b\n', { amount: 'c' })).rejects.toThrow('There is no column')
  })

  it('is read in chunks', async () => {
    const text = `id,amount\n${Array.from({ length: 2_500 }, (_, index) => `TX${index},1`).join('\n')}\n`
    const sizes: number[] = []
    for await (const chunk of readStatement(Readable.from([text]))) sizes.push(chunk.length)
    expect(sizes).toEqual([1_000, 1_000, 500])
  })
})
