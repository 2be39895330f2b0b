import { describe, expect, it } from 'vitest'
import type { OpenApi, Operation, Schema } from '../../scripts/clients/document.ts'
import { phpFiles } from '../../scripts/clients/php.ts'
import { pythonFiles } from '../../scripts/clients/python.ts'
import { readTypes } from '../../scripts/clients/read-types.ts'

const text: Schema = { type: 'string' }
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
})

const SCHEMAS: Record<string, Schema> = {
  Payment: object({ id: { type: 'integer' } }),
  PurchaseResult: object({ id: { type: 'integer' } }),
  Shop: object(
    {
      id: { type: 'integer' },
      paid_amount: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      opened: { type: 'string', format: 'date-time' },
      state: { type: 'string', enum: ['open', 'closed'] },
      address: object({ street: text }),
      either: { anyOf: [text, { type: 'integer' }] },
      tags: { type: 'array', items: text },
      parent: { anyOf: [{ $ref: '#/components/schemas/Shop' }, { type: 'null' }] },
      nickname: text,
    },
    ['id', 'paid_amount', 'opened', 'state', 'address', 'either', 'tags', 'parent'],
  ),
  NewShop: object({ name: text, amount: { type: ['string', 'number'] }, more: {} }, ['name']),
}

const OPERATIONS: Operation[] = [
  { operationId: 'getPayment', responses: { 200: json({ $ref: '#/components/schemas/Payment' }) } },
  { operationId: 'requery', responses: { 200: json({ $ref: '#/components/schemas/PurchaseResult' }) } },
  {
    operationId: 'createShop',
    summary: 'Open a shop',
    requestBody: json({ $ref: '#/components/schemas/NewShop' }),
    responses: { 201: json({ $ref: '#/components/schemas/Shop' }) },
  },
  {
    operationId: 'listShops',
    parameters: [
      { in: 'query', name: 'created_after', schema: text },
      { in: 'query', name: 'format', schema: text },
    ],
    responses: { 200: json(object({ results: { type: 'array', items: { $ref: '#/components/schemas/Shop' } } })) },
  },
]
const document: OpenApi = {
  operations: new Map(OPERATIONS.map((operation) => [operation.operationId, operation])),
  schemas: SCHEMAS,
}

describe('the types of clients', () => {
  const types = readTypes(document)
  const shop = types.models.find(({ name }) => name === 'Shop')!

  it('have amounts, times, choices, nested objects, and null where it may be', () => {
    const fields = shop.fields.map(({ name, type, is_nullable }) => [name, type, is_nullable])
    expect(fields).toEqual([
      ['id', { kind: 'integer' }, false],
      ['paid_amount', { kind: 'money' }, true],
      ['opened', { kind: 'time' }, false],
      ['state', { kind: 'choice', values: ['open', 'closed'] }, false],
      ['address', { kind: 'record', name: 'ShopAddress' }, false],
      ['either', { kind: 'any' }, false],
      ['tags', { kind: 'list', item: { kind: 'string' } }, false],
      ['parent', { kind: 'record', name: 'Shop' }, true],
      ['nickname', { kind: 'string' }, false],
    ])
    expect(shop.fields.filter(({ is_required }) => !is_required).map(({ name }) => name)).toEqual(['nickname'])
  })

  it('have the filters of lists, but not how the answer is written', () => {
    expect(types.filters.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual([
      ['ShopsFilters', ['created_after']],
    ])
  })

  it('are written as Python', () => {
    const files = pythonFiles(types)
    const models = files.get('src/kusanya/models.py')!
    for (const line of [
      'class Shop:',
      '    paid_amount: Decimal | None',
      '    either: Any',
      '    """One of open, closed; new values may be added."""',
      '            address=read_record(get("address"), ShopAddress.from_json),',
      '            opened=read_time(get("opened")),',
    ])
      expect(models.split('\n')).toContain(line)
    expect(files.get('src/kusanya/inputs.py')).toContain(
      'class _NewShop(TypedDict):\n    name: str\n\n\nclass NewShop(_NewShop, total=False):\n    """Open a shop."""\n\n    amount: Amount\n    more: Any\n',
    )
  })

  it('are written as PHP', () => {
    const files = phpFiles(types)
    for (const line of [
      '    public readonly ?string $paid_amount;',
      '    public readonly mixed $either;',
      "        $this->parent = isset($data['parent']) ? new Shop($data['parent']) : null;",
      "        $this->nickname = $data['nickname'] ?? null;",
    ])
      expect(files.get('src/Model/Shop.php')!.split('\n')).toContain(line)
    const input = files.get('src/Input/NewShop.php')
    expect(input).toContain(
      '        public readonly string $name,\n        public readonly string|int|null $amount = null,\n        public readonly mixed $more = null,\n',
    )
  })
})
