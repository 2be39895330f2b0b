import { expect, it } from 'vitest'
import type { z } from 'zod'
import { sampleObject } from '../../src/actions/event-samples.ts'
import { CreditChange } from '../../src/core/allocations/credit-changes.ts'
import { CollectionRequest } from '../../src/core/collections/collection-request.ts'
import { Collection } from '../../src/core/collections/collections.ts'
import { Contact } from '../../src/core/contacts/contacts.ts'
import { eventTypes, extraEventTypes } from '../../src/core/events/events.ts'
import { Invoice } from '../../src/core/invoices/invoice.ts'

it.each([
  ['collection.received', Collection],
  ['contact.created', Contact],
  ['contact.credit_changed', CreditChange],
  ['collectionrequest.status.changed', CollectionRequest],
  ['invoice.paid', Invoice],
  ['invoice.partly_paid', Invoice],
] as const)('a sample of %s has the form of its object', (type, schema) => {
  const sample = sampleObject(type)
  expect(Object.keys(sample)).toEqual(Object.keys(schema.shape))
  const { error } = (schema as z.ZodType).safeParse(sample)
  expect(error?.issues.filter(({ code, path }) => code !== 'too_small' && path.at(-1) !== 'id') ?? []).toEqual([])
})

it.each([...eventTypes, ...extraEventTypes])('a sample of %s has no id of an object that may exist', (type) => {
  const ids = [...JSON.stringify(sampleObject(type)).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.every((id) => id === 0)).toBe(true)
})
