import { afterEach, expect, it, vi } from 'vitest'
import { api } from '../../../web/api.ts'

afterEach(() => vi.unstubAllGlobals())

const misdirected = () => Response.json({ detail: 'This account belongs to cell 3.', cell: 3 }, { status: 421 })

it('sends a call again when the first answer has led the browser to another cell', async () => {
  const calls = vi
    .fn()
    .mockResolvedValueOnce(misdirected())
    .mockResolvedValueOnce(Response.json({ stage: 'signed_in' }))
  vi.stubGlobal('fetch', calls)
  expect(await api.post('/session', { email: 'grace@shop.example' })).toEqual({ stage: 'signed_in' })
  expect(calls.mock.calls[1]).toEqual(calls.mock.calls[0])
})

it('says where a call belongs when no load balancer leads it there', async () => {
  const calls = vi.fn(async () => misdirected())
  vi.stubGlobal('fetch', calls)
  await expect(api.post('/session')).rejects.toThrow('This account belongs to cell 3.')
  expect(calls).toHaveBeenCalledTimes(2)
})
