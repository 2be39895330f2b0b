import { expect } from 'vitest'
import type { TestService } from '../interface/test-service.ts'

/** A page as a browser without scripts gets it. */
export interface PageAnswer {
  status: number
  headers: Headers
  text: string
}

/** A link of the demo shop. */
export interface TestLink {
  id: number
  url: string
}

/** Create a payment link of the demo shop. */
export async function createLink(service: TestService, fields: object = {}): Promise<TestLink> {
  const body = { title: 'School fees', amount: '1500', currency: 'BXC', ...fields }
  if ('amounts' in fields || 'min_amount' in fields) body.amount = undefined as unknown as string
  const { status, body: link } = await service.shop.post('/api/paymentlinks', body)
  expect([status, link]).toEqual([201, expect.objectContaining({ state: 'active' })])
  return link
}

/** Open pages and send forms as a customer's browser without scripts does, following no redirect by itself. */
export function openCustomer(headers: Record<string, string> = {}) {
  const open = async (url: string): Promise<PageAnswer> => {
    const response = await fetch(url, { headers, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const send = async (url: string, fields: Record<string, string>): Promise<PageAnswer> => {
    const body = new URLSearchParams(fields)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Open the page of a link and fill its form in. @returns what the button sends */
  const fill = async (link: Pick<TestLink, 'url'>, fields: Record<string, string>) => {
    const page = await open(link.url)
    expect(page.status).toBe(200)
    return { ...hiddenFields(page.text), ...fields }
  }
  /** Press the button of a filled form. @returns the answer, what was sent, and the address of the receipt */
  const press = async (link: Pick<TestLink, 'url'>, sent: Record<string, string>) => {
    const answer = await send(link.url, sent)
    const location = answer.headers.get('location')
    return { ...answer, sent, receipt: location === null ? null : new URL(location, link.url).href }
  }
  return {
    open,
    send,
    fill,
    press,
    /** Open the page of a link, fill its form in and press the button. */
    async pay(link: Pick<TestLink, 'url'>, fields: Record<string, string>) {
      return press(link, await fill(link, fields))
    },
  }
}

/** The hidden fields of the form of a page. */
export function hiddenFields(page: string): Record<string, string> {
  const found = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries(Array.from(found, ([, name, value]) => [name!, value!]))
}

/** Return the text of a page, without its tags. */
export function textOf(page: string): string {
  return page
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
}

/** The requests that were made on the pages of a link, newest first. */
export async function requestsOf(service: TestService, link: Pick<TestLink, 'id'>) {
  const { body } = await service.shop.get(`/api/collectionrequests?payment_link=${link.id}&limit=100`)
  return body.results as Record<string, unknown>[] & { id: number; status: string }[]
}
