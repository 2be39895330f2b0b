import { FileInput, Select, Textarea, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { plainAmount } from '../../files/file-table.ts'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { readBase64 } from '../../parts/files/save-file.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../texts/index.ts'
import type { ListedOrder } from '../../wire.ts'

const initial = {
  outcome: 'successful',
  remote_id: '',
  amount: '',
  token: '',
  statement: '',
  note: '',
  document: null as File | null,
}

const OUTCOMES = [
  { value: 'successful', label: t('orders.form.moved') },
  { value: 'failed', label: t('orders.form.not_moved') },
]

const BILL_OUTCOMES = [
  { value: 'successful', label: t('orders.form.sold') },
  { value: 'failed', label: t('orders.form.not_sold') },
]

/** Button with the form in which a user attests the statement's entry for an order. */
export function Attest({ order: { reference, amount, kind } }: { order: ListedOrder }) {
  return (
    <FormDialog<typeof initial>
      button={t('orders.form.button')}
      title={t('orders.form.title', { reference })}
      submit={t('orders.form.button')}
      initial={{ ...initial, amount: plainAmount(amount) }}
      look={{ size: 'xs', variant: 'default' }}
      done={t('orders.form.done')}
      send={(values) => send(reference, values)}
      fields={(form) => (
        <>
          <Select
            label={t('orders.form.outcome')}
            data={kind === 'bill' ? BILL_OUTCOMES : OUTCOMES}
            allowDeselect={false}
            {...form.getInputProps('outcome')}
          />
          {form.values.outcome === 'successful' && (
            <>
              <TextInput label={t('orders.form.remote_id')} {...form.getInputProps('remote_id')} />
              <AmountInput label={t('orders.form.amount')} {...form.getInputProps('amount')} />
              {kind === 'bill' && <TextInput label={t('orders.form.token')} {...form.getInputProps('token')} />}
            </>
          )}
          <TextInput
            label={t('orders.statement')}
            placeholder={t('orders.form.statement_example')}
            description={t('orders.form.statement_about')}
            {...form.getInputProps('statement')}
          />
          <Textarea
            label={t('orders.form.note')}
            description={t('orders.form.note_about')}
            {...form.getInputProps('note')}
          />
          <FileInput
            label={t('orders.form.document')}
            placeholder={t('bulk.upload.choose')}
            description={t('orders.form.document_about')}
            accept=".pdf,.png,.jpg,.jpeg,.csv,.txt"
            clearable
            {...form.getInputProps('document')}
          />
        </>
      )}
    />
  )
}

async function send(reference: string, { document, outcome, ...values }: typeof initial): Promise<unknown> {
  const { remote_id, amount, token, ...why } = values
  const money = outcome === 'successful' ? { remote_id, amount, token } : {}
  return api.post(`/orders/${reference}/attest`, {
    outcome,
    ...why,
    ...money,
    ...(document && {
      document: { name: document.name, content: await readBase64(document, t('orders.form.unreadable')) },
    }),
  })
}
